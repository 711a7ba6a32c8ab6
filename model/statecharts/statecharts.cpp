// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/statecharts.h"

#include "model/statecharts/notation/notations.h"

#include <algorithm>

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
        { u"dot"_s, u"DOT"_s, { u".dot"_s, u".gv"_s }, nullptr, writeDot },
    };
    return formats;
}

const StatechartFormat *statechartFormat(const QString &nameOrFile)
{
    const QList<StatechartFormat> &formats = statechartFormats();
    const auto found = std::ranges::find_if(formats, [&](const StatechartFormat &format) {
        return format.name == nameOrFile
            || std::ranges::any_of(format.suffixes, [&](const QString &suffix) {
                   return nameOrFile.endsWith(suffix, Qt::CaseInsensitive);
               });
    });
    return found == formats.end() ? nullptr : &*found;
}

bool holdsSeveral(const StatechartFormat &format, const QString &file)
{
    return format.name == u"plantuml"
        || (format.name == u"mermaid" && file.endsWith(u".md"_s, Qt::CaseInsensitive));
}

QString whyNotRead(const StatechartFormat &format)
{
    return u"%1 can be written, but not read; use PlantUML, SCXML or Mermaid (.puml, .scxml, .mmd)"_s
        .arg(format.title);
}

} // namespace instar
