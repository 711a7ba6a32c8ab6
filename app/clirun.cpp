// SPDX-License-Identifier: Apache-2.0
#include "app/cli.h"
#include "app/cliprint.h"
#include "app/cliscenario.h"

namespace instar {

Exit runScenario(const Arguments &arguments)
{
    Result<Staged> staged = stagedScenario(arguments.inputName());
    if (!staged)
        return complain(staged.error());
    const Scenario &scenario = staged->scenario;
    Simulator simulator(std::move(staged->stage.rules), std::move(staged->stage.world));
    const Played played = play(scenario, simulator, arguments.until);
    const Exit exit = played.failed > 0 ? Exit::Failed : Exit::Fine;
    if (arguments.format == "json")
        return print(playedJson(simulator, played), exit);
    if (arguments.format == "junit")
        return print(playedJunit(scenario, played, arguments.until), exit);
    return print(playedText(simulator, played, scenario.file), exit);
}

} // namespace instar
