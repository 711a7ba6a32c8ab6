// SPDX-License-Identifier: Apache-2.0
#include "app/outcomesroom.h"

#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "views/outcomes/outcomespanel.h"
#include "views/panels/burstpanel.h"
#include "views/panels/firebar.h"

namespace instar {

namespace {

/// Choice to explore the selected operations anew, in a local run from before the first of them.
OutcomesPanel::Choice selectedChoice(const Controller &controller, const Selection &selection)
{
    OutcomesPanel::Choice choice { u"selected"_s, MainWindow::tr("Selected operations"), {} };
    choice.leastOperations = selection.arePicked() ? 1 : 2; // firing an operation selects it
    const QList<quint32> serials = selection.operations();
    if (serials.isEmpty())
        return choice;
    const QList<Record> records = controller.records() + controller.later();
    for (qsizetype moment = 0; moment < records.size(); ++moment) {
        for (const Change &change : records[moment].changes) {
            if (!change.request || change.requirer || !serials.contains(change.operation))
                continue;
            choice.steps += submitStep(*change.request);
            if (controller.isLocal() && !choice.moment)
                choice.moment = moment;
        }
    }
    return choice;
}

} // namespace

OutcomesPanel *makeOutcomes(MainWindow &window, const QList<ScenarioStep> &scenario)
{
    auto *panel = new OutcomesPanel(window.controller());
    BurstPanel *burstPanel = window.network().burst();
    const auto offer = [&window, panel, burstPanel, scenario] {
        OutcomesPanel::Choice burst { u"armed"_s, MainWindow::tr("Burst"), {} };
        burst.steps = mapped<QList<ScenarioStep>>(burstPanel->requests(), submitStep);
        QList<OutcomesPanel::Choice> choices { burst,
            selectedChoice(window.controller(), window.selection()) };
        if (!scenario.isEmpty() && window.controller().isLocal()) {
            // The scenario is explored from its initial state, as by `instar-cli explore`.
            choices += { u"scenario"_s, MainWindow::tr("Operations of the scenario"), {}, 0 };
            for (const ScenarioStep &step : scenario) {
                if (step.kind == ScenarioStep::Kind::Submit)
                    choices.last().steps += step;
            }
        }
        OutcomesPanel::Choice composer { u"firebar"_s, MainWindow::tr("Operation above the chart"),
            {} };
        if (const Request request = window.fireBar().request(); !request.path.isEmpty())
            composer.steps += submitStep(request);
        panel->setChoices(choices + QList { composer });
    };
    QObject::connect(burstPanel, &BurstPanel::changed, panel, offer);
    QObject::connect(&window.fireBar(), &FireBar::requestChanged, panel, offer);
    QObject::connect(&window.selection(), &Selection::operationsChosen, panel, offer);
    QObject::connect(&window.controller().updates(), &Updates::rewound, panel, offer);
    QObject::connect(&window.docks(), &Docks::roomChanged, panel, offer);
    QObject::connect(
        panel, &OutcomesPanel::played, &window, [&window] { window.docks().enter(Room::Explore); });
    QObject::connect(panel, &OutcomesPanel::playAsked, &window.program(), &Program::openPlayed);
    offer();
    return panel;
}

} // namespace instar
