// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"

#include "app/cli/inputfiles.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Exit exploreScenario(const Arguments &arguments)
{
    ExploreOptions options;
    options.budget = budgetOf(arguments, arguments.maxWorlds, u"worlds"_s);
    const Staged staged = stagedScenario(arguments.input);
    options.by =
        arguments.by == u"operations" ? ExploreOptions::By::Operations : ExploreOptions::By::Trees;
    options.limit = qsizetype(arguments.limit.value_or(-1));
    options.budget.bytes = arguments.maxMemory << 20;
    const Result<Exploration> exploration = explore(staged.scenario, staged.stage, options);
    showProgress({});
    const Exploration found = valueOf(exploration);
    const Exit exit = exitAfter(found.stoppedBy, warned(staged, Exit::Fine));
    return arguments.isJson() ? print(QJsonDocument(explorationJson(found)).toJson(), exit)
                              : print(explorationText(found), exit);
}

} // namespace

Command exploreCommand()
{
    return { "explore", "Try every order in which a scenario's operations can arrive and end",
        { { "SCENARIO", &Arguments::input, "A scenario's file" },
            formatOption({ u"text"_s, u"json"_s }),
            { .name = "--by",
                .target = &Arguments::by,
                .help = "What makes two outcomes different",
                .choices = { u"trees"_s, u"operations"_s } },
            { "--limit", &Arguments::limit,
                "List at most so many outcomes, dead ends and violations", "N", 0, MostExact },
            { "--max-worlds", &Arguments::maxWorlds, "Give up after so many worlds", "N", 1,
                MostExact },
            { "--max-memory", &Arguments::maxMemory, "Give up at about so much memory", "MB", 1,
                double(qint64(1) << 40) },
            maxTimeOption() },
        exploreScenario };
}

} // namespace instar
