// SPDX-License-Identifier: Apache-2.0
#include "views/editing/charttext.h"

#include "model/json/condition.h"
#include "model/json/packfile.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/statecharts.h"

#include <QCoreApplication>

namespace instar {

namespace {

Fragment fragmentOf(const Machine &machine)
{
    return { machine.states, machine.transitions, machine.constraints, machine.notes };
}

/// Guesses the notation of a text from its beginning or its keywords.
const StatechartFormat &notationOf(const QString &text)
{
    const bool isDot = text.startsWith(u"digraph"_s) || text.startsWith(u"strict"_s);
    return *statechartFormat(text.startsWith(u'<') ? u"scxml"_s
            : text.contains(u"stateDiagram"_s)     ? u"mermaid"_s
            : isDot                                ? u"dot"_s
                                                   : u"plantuml"_s);
}

} // namespace

QString arrowText(const ArrowText &arrow)
{
    const QString on = arrow.on.join(u", "_s);
    if (arrow.condition.kind == Condition::Kind::Always)
        return on;
    return u"%1 [%2]"_s.arg(on, conditionWords(arrow.condition));
}

Result<ArrowText> readArrowText(const QString &text)
{
    const qsizetype open = text.indexOf(u'[');
    ArrowText result;
    for (const QString &word : (open < 0 ? text : text.first(open)).split(u',')) {
        const QString name = word.trimmed();
        if (!name.isEmpty() && !result.on.contains(name))
            result.on += name;
    }
    if (open < 0)
        return result;
    QString inside = text.sliced(open + 1).trimmed();
    if (inside.endsWith(u']'))
        inside.chop(1);
    Result<Condition> condition = conditionFromWords(inside.trimmed());
    if (!condition)
        return Error { condition.error() };
    result.condition = *std::move(condition);
    return result;
}

QString fragmentText(const Fragment &fragment)
{
    const Machine machine { .id = u"copied"_s,
        .rest = fragment.states.value(0).id,
        .states = fragment.states,
        .transitions = fragment.transitions,
        .constraints = fragment.constraints,
        .notes = fragment.notes };
    return QString::fromUtf8(rowOutput(machine).text());
}

Result<Fragment> fragmentIn(const QString &text)
{
    const QString trimmed = text.trimmed();
    const QByteArray bytes = trimmed.toUtf8();
    const QString name = QCoreApplication::translate("instar::Clipboard", "clipboard");
    if (trimmed.startsWith(u'{')) {
        const Result<JsonText> json = JsonText::parse(bytes, name);
        if (!json)
            return Error { json.error() };
        JsonReader reading(*json);
        const Machine machine = readRow<Machine>(reading, json->root(), u"pasted"_s);
        if (!reading.isGood())
            return Error { reading.sentence() };
        return fragmentOf(machine);
    }
    const StatechartFormat &format = notationOf(trimmed);
    if (!format.read)
        return Error { whyNotRead(format) };
    const Result<StatechartsRead> read = format.read(bytes, name);
    if (!read)
        return Error { read.error() };
    const Result<PackMade> made = packOf(read->charts.value(0));
    if (!made)
        return Error { made.error() };
    if (made->pack.machines.isEmpty())
        return Error { QCoreApplication::translate("instar::Clipboard", "no statechart") };
    return fragmentOf(made->pack.machines.first());
}

} // namespace instar
