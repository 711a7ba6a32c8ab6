// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"

#include "app/cli/inputfiles.h"

#include <QJsonDocument>

namespace instar {

namespace {

struct ExplorationOptions
{
    QString scenario, format = u"text"_s, by = u"trees"_s;
    std::optional<qint64> limit; ///< greatest length of a list of results; absent: no limit
    qint64 maxWorlds = 10'000'000;
    qint64 maxMemory = 2048; ///< MB
};

Exit exploreScenario(const ExplorationOptions &given)
{
    ExploreOptions options;
    options.budget = budgetOf(given.maxWorlds, u"worlds"_s);
    options.budget.bytes = given.maxMemory << 20;
    const LoadedScenario staged = loadScenario(given.scenario);
    options.by =
        given.by == u"operations" ? ExploreOptions::By::Operations : ExploreOptions::By::Trees;
    options.limit = qsizetype(given.limit.value_or(-1));
    const Result<Exploration> exploration = explore(staged.scenario, staged.stage, options);
    showProgress({});
    const Exploration found = valueOf(exploration);
    const Exit exit = exitAfter(found.stoppedBy, exitAfterWarnings(staged, Exit::Fine));
    return given.format == u"json" ? print(QJsonDocument(explorationJson(found)).toJson(), exit)
                                   : print(explorationText(found), exit);
}

} // namespace

Command exploreCommand()
{
    static ExplorationOptions given;
    return { "explore", "Try every order in which a scenario's operations can arrive and end",
        { { "SCENARIO", &given.scenario, "A scenario's file" },
            formatOption(&given.format, { u"text"_s, u"json"_s }),
            { .name = "--by",
                .target = &given.by,
                .help = "Tell outcomes apart by the final states of the resources (trees), or "
                        "also by the statuses of the operations (operations)",
                .choices = { u"trees"_s, u"operations"_s } },
            { "--limit", &given.limit,
                "Longest list of outcomes, dead ends or violations; the default is no limit", "N",
                0, MostExact },
            { "--max-worlds", &given.maxWorlds, "Stop after this number of states", "N", 1,
                MostExact },
            { "--max-memory", &given.maxMemory, "Stop when about this much memory is used", "MB", 1,
                double(qint64(1) << 40) } },
        [] { return exploreScenario(given); } };
}

} // namespace instar
