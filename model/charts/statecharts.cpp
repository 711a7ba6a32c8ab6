// SPDX-License-Identifier: Apache-2.0
#include "model/charts/statecharts.h"

#include "model/charts/mermaid/mermaid.h"
#include "model/charts/notation/dot.h"
#include "model/charts/plantuml/plantuml.h"
#include "model/charts/scxml/scxml.h"
#include "model/charts/smcat/smcat.h"
#include "model/charts/xstate/xstate.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

const QList<StatechartFormat> &statechartFormats()
{
    static const QList<StatechartFormat> formats {
        { u"plantuml"_s, u"PlantUML"_s,
            { u".puml"_s, u".plantuml"_s, u".pu"_s, u".uml"_s, u".iuml"_s }, readPlantUml,
            writePlantUml },
        { u"scxml"_s, u"SCXML"_s, { u".scxml"_s }, readScxml, writeScxml, withOwnNamespace },
        { u"mermaid"_s, u"Mermaid"_s, { u".mmd"_s, u".mermaid"_s, u".md"_s }, readMermaid,
            writeMermaid },
        { u"xstate"_s, u"XState"_s, { u".xstate.json"_s, u".xstate"_s }, readXState, writeXState },
        { u"smcat"_s, u"smcat"_s, { u".smcat"_s }, readSmcat, nullptr },
        { u"dot"_s, u"DOT"_s, { u".dot"_s, u".gv"_s }, readDot, writeDot },
    };
    return formats;
}

bool holdsStatechart(const JsonText &document)
{
    return isXState(document);
}

const StatechartFormat *statechartFormat(const QString &nameOrFile)
{
    const QList<StatechartFormat> &formats = statechartFormats();
    const auto fits = [&](const StatechartFormat &format) {
        return format.name == nameOrFile
            || std::ranges::any_of(format.suffixes, [&](const QString &suffix) {
                   return nameOrFile.endsWith(suffix, Qt::CaseInsensitive);
               });
    };
    const auto found = std::ranges::find_if(formats, fits);
    return found == formats.end() ? nullptr : &*found;
}

} // namespace instar
