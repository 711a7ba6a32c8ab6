// SPDX-License-Identifier: Apache-2.0
#include "model/engine/explore.h"

#include "app/cli/budget.h"
#include "app/cli/scenario.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace instar {

Exit exploreScenario(const Arguments &arguments)
{
    ExploreOptions options;
    options.budget = budgetOf(arguments, arguments.maxWorlds, u"worlds"_s);
    const Result<Staged> staged = stagedScenario(arguments.inputName());
    if (!staged)
        return complain(staged.error());
    options.by =
        arguments.by == "operations" ? ExploreOptions::By::Operations : ExploreOptions::By::Trees;
    options.limit = qsizetype(arguments.limit.value_or(-1));
    options.budget.bytes = arguments.maxMemory << 20;
    const Result<Exploration> exploration = explore(staged->scenario, staged->stage, options);
    showProgress({});
    if (!exploration)
        return complain(exploration.error());
    const Exit exit = exitAfter(exploration->stoppedBy, warned(*staged, Exit::Fine));
    if (arguments.format == "json")
        return print(QJsonDocument(explorationJson(*exploration)).toJson(), exit);
    return print(explorationText(*exploration).toUtf8(), exit);
}

} // namespace instar
