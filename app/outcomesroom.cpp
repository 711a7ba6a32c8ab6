// SPDX-License-Identifier: Apache-2.0
#include "app/outcomesroom.h"

#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "views/panels/armedpanel.h"
#include "views/panels/firebar.h"
#include "views/panels/queuepanel.h"

#include <QTableView>

using namespace Qt::StringLiterals;

namespace instar {

OutcomesRoom::OutcomesRoom(MainWindow &window, const std::optional<Scenario> &scenario)
    : QObject(&window),
      m_window(window),
      m_controller(window.controller()),
      m_scenario(scenario),
      m_panel(new OutcomesPanel(m_controller))
{
    Docks &docks = window.docks();
    const ArmedPanel &burst = *window.network().armed();
    docks.addCentre(m_panel, { Room::Outcomes });
    connect(&burst, &ArmedPanel::changed, this, &OutcomesRoom::offer);
    connect(&window.fireBar(), &FireBar::requestChanged, this, &OutcomesRoom::offer);
    connect(&window.selection(), &Selection::operationsChosen, this, &OutcomesRoom::offer);
    connect(&window.queue(), &QueuePanel::outcomesAsked, this, [this] { ask(u"selected"_s); });
    connect(&burst, &ArmedPanel::outcomesAsked, this, [this] { ask(u"armed"_s); });
    connect(&m_controller.updates(), &Updates::rewound, this, &OutcomesRoom::offer);
    connect(&docks, &Docks::roomChanged, this, &OutcomesRoom::offer);
    connect(
        m_panel, &OutcomesPanel::played, this, [this] { m_window.docks().enter(Room::Explore); });
    connect(m_panel, &OutcomesPanel::playAsked, this,
        [this](const Stage &stage, const Rehearsal::Trace &trace) {
            m_window.program().openPlayed(stage, trace, &m_window);
        });
    offer();
}

void OutcomesRoom::ask(const QString &subject)
{
    m_window.docks().enter(Room::Outcomes);
    offer();
    if (!subject.isEmpty())
        m_panel->choose(subject);
    m_panel->ask();
    m_panel->table().setFocus(Qt::ShortcutFocusReason); // Return plays the selected outcome
}

void OutcomesRoom::offer()
{
    OutcomesPanel::Choice armed { u"armed"_s, tr("Burst"), {} };
    for (const Request &request : m_window.network().armed()->requests())
        armed.steps += stepAsking(request);
    QList<OutcomesPanel::Choice> choices { armed, selected() };
    if (m_scenario && m_controller.isOurs()) {
        // From its initial state, as `instar-cli explore` explores it.
        OutcomesPanel::Choice scenario { u"scenario"_s, tr("Operations of the scenario"), {}, 0 };
        for (const ScenarioStep &step : m_scenario->steps) {
            if (step.kind == ScenarioStep::Kind::Submit)
                scenario.steps += step;
        }
        choices += scenario;
    }
    OutcomesPanel::Choice composer { u"firebar"_s, tr("Operation above the chart"), {} };
    if (const Request request = m_window.fireBar().request(); !request.path.isEmpty())
        composer.steps += stepAsking(request);
    m_panel->setChoices(choices + QList { composer });
}

/// The operations selected in the queue, as if none had been requested yet.
OutcomesPanel::Choice OutcomesRoom::selected() const
{
    OutcomesPanel::Choice choice { u"selected"_s, tr("Selected operations"), {} };
    choice.leastOperations =
        m_window.selection().arePicked() ? 1 : 2; // firing selects one by itself
    const QList<quint32> serials = m_window.selection().operations();
    if (serials.isEmpty())
        return choice;
    const QList<Record> &records = m_controller.records(), &later = m_controller.later();
    for (qsizetype moment = 0; moment < records.size() + later.size(); ++moment) {
        const Record &record =
            moment < records.size() ? records[moment] : later[moment - records.size()];
        for (const Change &change : record.changes) {
            if (!change.request || change.requirer || !serials.contains(change.operation))
                continue;
            choice.steps += stepAsking(*change.request);
            if (m_controller.isOurs() && !choice.moment)
                choice.moment = moment;
        }
    }
    return choice;
}

} // namespace instar
