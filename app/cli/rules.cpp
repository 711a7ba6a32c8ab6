// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "model/items/rulespage.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct RulesOptions
{
    QString pack, format = u"text"_s;
    QStringList switches;
};

Exit printRules(const RulesOptions &options)
{
    const QString before = options.pack + u": "_s;
    const Pack pack = packFrom(options.pack).pack;
    const Switches switches = switchesIn(pack, options.switches, before);
    const Rules rules = valueOf(Rules::make(pack, switches), before);
    return print(options.format == u"html" ? rulesDocument(rules) : rulesPlain(rules));
}

} // namespace

Command rulesCommand()
{
    static RulesOptions given;
    return { "rules", "Print what a pack's rules say: what operations move and do to each other",
        { { "PACK", &given.pack, "The id of a built-in pack, or a pack's file" },
            switchOption("--switch", &given.switches, "The rules under this value of a switch"),
            formatOption(&given.format, { u"text"_s, u"html"_s }, "How to print them") },
        [] { return printRules(given); } };
}

} // namespace instar
