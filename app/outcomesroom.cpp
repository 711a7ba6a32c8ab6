// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "views/outcomes/outcomespanel.h"
#include "views/panels/armedpanel.h"
#include "views/panels/firebar.h"
#include "views/panels/queuepanel.h"

#include <QTableView>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The operations selected in the queue, as if none had been requested yet.
OutcomesPanel::Choice selectedChoice(const Controller &controller, const Selection &selection)
{
    OutcomesPanel::Choice choice { u"selected"_s, MainWindow::tr("Selected operations"), {} };
    choice.leastOperations = selection.arePicked() ? 1 : 2; // firing selects one by itself
    const QList<quint32> serials = selection.operations();
    if (serials.isEmpty())
        return choice;
    const QList<Record> &records = controller.records(), &later = controller.later();
    for (qsizetype moment = 0; moment < records.size() + later.size(); ++moment) {
        const Record &record =
            moment < records.size() ? records[moment] : later[moment - records.size()];
        for (const Change &change : record.changes) {
            if (!change.request || change.requirer || !serials.contains(change.operation))
                continue;
            choice.steps += stepAsking(*change.request);
            if (controller.isOurs() && !choice.moment)
                choice.moment = moment;
        }
    }
    return choice;
}

} // namespace

void MainWindow::buildOutcomes()
{
    m_outcomes = new OutcomesPanel(*m_controller);
    m_docks->addCentre(m_outcomes, { Room::Outcomes });
    connect(m_network->armed(), &ArmedPanel::changed, this, &MainWindow::offerOutcomes);
    connect(m_fireBar, &FireBar::requestChanged, this, &MainWindow::offerOutcomes);
    connect(&m_selection, &Selection::operationsChosen, this, &MainWindow::offerOutcomes);
    connect(&m_controller->updates(), &Updates::rewound, this, &MainWindow::offerOutcomes);
    connect(m_docks, &Docks::roomChanged, this, &MainWindow::offerOutcomes);
    connect(m_queue, &QueuePanel::outcomesAsked, this, [this] { askOutcomes(u"selected"_s); });
    connect(
        m_network->armed(), &ArmedPanel::outcomesAsked, this, [this] { askOutcomes(u"armed"_s); });
    connect(m_outcomes, &OutcomesPanel::played, this, [this] { m_docks->enter(Room::Explore); });
    connect(m_outcomes, &OutcomesPanel::playAsked, &m_program, &Program::openPlayed);
    offerOutcomes();
}

void MainWindow::askOutcomes(const QString &subject)
{
    m_docks->enter(Room::Outcomes);
    offerOutcomes();
    if (!subject.isEmpty())
        m_outcomes->choose(subject);
    m_outcomes->ask();
    m_outcomes->table().setFocus(Qt::ShortcutFocusReason); // Return plays the selected outcome
}

/// Offers to search the outcomes of the burst, of the operations selected in the queue, of the
/// scenario's, and of the one in the fire bar.
void MainWindow::offerOutcomes()
{
    OutcomesPanel::Choice armed { u"armed"_s, tr("Burst"), {} };
    for (const Request &request : m_network->armed()->requests())
        armed.steps += stepAsking(request);
    QList<OutcomesPanel::Choice> choices { armed, selectedChoice(*m_controller, m_selection) };
    if (m_scenario && m_controller->isOurs()) {
        // From its initial state, as `instar-cli explore` explores it.
        OutcomesPanel::Choice scenario { u"scenario"_s, tr("Operations of the scenario"), {}, 0 };
        for (const ScenarioStep &step : m_scenario->steps) {
            if (step.kind == ScenarioStep::Kind::Submit)
                scenario.steps += step;
        }
        choices += scenario;
    }
    OutcomesPanel::Choice composer { u"firebar"_s, tr("Operation above the chart"), {} };
    if (const Request request = m_fireBar->request(); !request.path.isEmpty())
        composer.steps += stepAsking(request);
    m_outcomes->setChoices(choices + QList { composer });
}

} // namespace instar
