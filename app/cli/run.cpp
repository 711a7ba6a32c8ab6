// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "app/cli/results.h"
#include "model/engine/scenariowarnings.h"

#include <QJsonArray>

namespace instar {

namespace {

struct RunOptions
{
    QString scenario, format = u"text"_s;
    std::optional<qint64> until; ///< virtual ms
    qint64 maxEvents = MostEvents;
};

/// Returns a JSON object with the member "remarks"; an empty one if there are no warnings.
QJsonObject warningsJson(const QList<Diagnostic> &warnings)
{
    QJsonArray rows;
    for (const Diagnostic &each : warnings)
        rows.append(QJsonObject { { u"line"_s, each.line }, { u"text"_s, each.text } });
    return rows.isEmpty() ? QJsonObject() : QJsonObject { { u"remarks"_s, rows } };
}

QString warningsText(const QList<Diagnostic> &warnings, const QString &file)
{
    QStringList lines;
    for (const Diagnostic &each : warnings)
        lines += u"%1:%2: %3"_s.arg(file, QString::number(each.line), each.text);
    return (lines.isEmpty() ? QString() : u"\n"_s) + linesOf(lines);
}

/// Returns the scenario without the steps that a stopped run did not reach.
Scenario reachedPart(Scenario scenario, const Played &played)
{
    if (played.left > 0) {
        std::ranges::stable_sort(scenario.steps, {}, &ScenarioStep::at);
        scenario.steps.resize(played.steps);
    }
    return scenario;
}

Exit runScenario(const RunOptions &given)
{
    const Budget budget = budgetOf(given.maxEvents, u"events"_s);
    LoadedScenario staged = loadScenarioWithoutChoices(given.scenario);
    const Scenario &scenario = staged.scenario;
    Simulator simulator(std::move(staged.stage.rules), std::move(staged.stage.world));
    const Played played = play(scenario, simulator, given.until, budget);
    showProgress({});
    const Exit exit = exitAfter(played.stoppedBy,
        exitAfterWarnings(staged,
            played.failed > 0     ? Exit::Failed
                : played.left > 0 ? Exit::Undecided
                                  : Exit::Fine));
    if (played.stoppedBy != Limit::None)
        complain(stoppedRun(scenario, simulator, played));
    if (given.format == u"junit")
        return print(playedJunit(reachedPart(scenario, played), played, given.until), exit);
    // Keeps only the warnings on unknown paths and unknown error codes in expectations.
    QList<Diagnostic> warnings = scenarioWarnings(scenario, simulator.rules().pack());
    warnings.removeIf([](const Diagnostic &each) { return each.code != u"unknown-name"; });
    if (given.format != u"json")
        return print(
            playedText(simulator, played, scenario.file) + warningsText(warnings, scenario.file),
            exit);
    QJsonObject more = warningsJson(warnings);
    if (played.stoppedBy != Limit::None) {
        more.insert(u"complete"_s, false);
        more.insert(u"stoppedBy"_s, runLimitName(played.stoppedBy));
    }
    return print(playedJson(simulator, played, more), exit);
}

} // namespace

Command runCommand()
{
    static RunOptions given;
    return { "run", "Run a scenario in the simulator and check its expectations",
        { { "SCENARIO", &given.scenario, "A scenario's file" },
            formatOption(&given.format, { u"text"_s, u"json"_s, u"junit"_s }),
            { "--until", &given.until, "Stop at this simulated time, in ms", "MS", 0, MostExact },
            { "--max-events", &given.maxEvents, "Stop after this number of events", "N", 1,
                100'000'000 } },
        [] { return runScenario(given); } };
}

} // namespace instar
