// SPDX-License-Identifier: Apache-2.0
#include "app/cli.h"
#include "app/cliscenario.h"
#include "model/engine/explore.h"

#include <QElapsedTimer>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace instar {

Exit exploreScenario(const Arguments &arguments)
{
    const Result<Staged> staged = stagedScenario(arguments.inputName());
    if (!staged)
        return complain(staged.error());
    ExploreOptions options;
    options.by =
        arguments.by == "operations" ? ExploreOptions::By::Operations : ExploreOptions::By::Trees;
    options.limit = qsizetype(arguments.limit.value_or(-1));
    options.budget.worlds = arguments.maxWorlds;
    options.budget.bytes = arguments.maxMemory << 20;
    QElapsedTimer clock;
    clock.start();
    qint64 shown = 0;
    options.budget.goesOn = [&](qint64 worlds) {
        if (clock.elapsed() - shown >= 200) {
            shown = clock.elapsed();
            showProgress(u"%1 worlds, %2 s"_s.arg(worlds).arg(shown / 1000));
        }
        return true;
    };
    const Result<Exploration> exploration = explore(staged->scenario, staged->stage, options);
    showProgress({});
    if (!exploration)
        return complain(exploration.error());
    const Exit exit = warned(*staged, Exit::Fine);
    if (arguments.format == "json")
        return print(QJsonDocument(explorationJson(*exploration)).toJson(), exit);
    return print(explorationText(*exploration).toUtf8(), exit);
}

} // namespace instar
