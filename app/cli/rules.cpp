// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "model/items/rulespage.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Exit printRules(const Arguments &arguments)
{
    const QString before = arguments.input + u": "_s;
    const Pack pack = packFrom(arguments.input).pack;
    const Switches switches = switchesIn(pack, arguments.switches, before);
    const Rules rules = valueOf(Rules::make(pack, switches), before);
    return print(arguments.format == u"html" ? rulesDocument(rules) : rulesPlain(rules));
}

} // namespace

Command rulesCommand()
{
    return { "rules", "Print what a pack's rules say: what operations move and do to each other",
        { { "PACK", &Arguments::input, "The id of a built-in pack, or a pack's file" },
            switchOption(
                "--switch", &Arguments::switches, "The rules under this value of a switch"),
            formatOption({ u"text"_s, u"html"_s }, "How to print them") },
        printRules };
}

} // namespace instar
