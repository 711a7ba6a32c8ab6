// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"
#include "app/cli/scenario.h"
#include "model/charts/machinefile.h"
#include "model/items/rulespage.h"

using namespace Qt::StringLiterals;

namespace instar {

Exit printRules(const Arguments &arguments)
{
    const Result<MachineFile> file = loadMachines(arguments.inputName());
    if (!file)
        return complain(file.error());
    const Result<PackMade> made = packIn(*file);
    if (!made)
        return complain(made.error());
    const Result<Switches> switches = switchesIn(made->pack, arguments.switches);
    if (!switches)
        return complain(u"%1: %2"_s.arg(arguments.inputName(), switches.error()));
    const Result<Rules> rules = Rules::make(made->pack, *switches);
    if (!rules)
        return complain(u"%1: %2"_s.arg(arguments.inputName(), rules.error()));
    const bool isPage = arguments.format == "html";
    return print((isPage ? rulesDocument(*rules) : rulesPlain(*rules)).toUtf8(), Exit::Fine);
}

} // namespace instar
