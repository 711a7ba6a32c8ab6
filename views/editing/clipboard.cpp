// SPDX-License-Identifier: Apache-2.0
#include "views/editing/clipboard.h"

#include "model/charts/conversion.h"
#include "model/charts/statecharts.h"
#include "model/formats/rows.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ClipboardWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Clipboard)
};

Fragment fragmentOf(const Machine &machine)
{
    return { machine.states, machine.transitions, machine.constraints, machine.notes };
}

Result<Fragment> machineIn(const JsonText &json)
{
    Reading reading(json);
    const Machine machine = readRow<Machine>(reading, json.root(), u"pasted"_s);
    if (!reading.isGood())
        return Error { reading.sentence() };
    return fragmentOf(machine);
}

/// What a text begins with, or says, before any other notation is tried.
QStringList formatsFor(const QString &text)
{
    if (text.startsWith(u'<'))
        return { u"scxml"_s };
    if (text.startsWith(u'{'))
        return { u"xstate"_s };
    if (text.contains(u"stateDiagram"_s))
        return { u"mermaid"_s };
    if (text.startsWith(u"digraph"_s) || text.startsWith(u"strict"_s))
        return { u"dot"_s };
    if (text.startsWith(u"@startuml"_s))
        return { u"plantuml"_s };
    return { text.contains(u"=>"_s) ? u"smcat"_s : u"plantuml"_s };
}

} // namespace

QString fragmentText(const Fragment &fragment)
{
    Machine machine { .id = u"copied"_s };
    machine.rest = fragment.states.isEmpty() ? QString() : fragment.states.first().id;
    machine.states = fragment.states;
    machine.transitions = fragment.transitions;
    machine.constraints = fragment.constraints;
    machine.notes = fragment.notes;
    return QString::fromUtf8(rowOutput(machine).text());
}

Result<Fragment> fragmentIn(const QString &text)
{
    const QString begun = text.trimmed();
    const QByteArray bytes = begun.toUtf8();
    const QString name = ClipboardWords::tr("clipboard");
    if (begun.startsWith(u'{')) {
        const Result<JsonText> json = JsonText::parse(bytes, name);
        if (!json)
            return Error { json.error() };
        if (!holdsStatechart(*json))
            return machineIn(*json);
    }
    QString problem;
    for (const QString &id : formatsFor(begun)) {
        const StatechartFormat *format = statechartFormat(id);
        const Result<StatechartsRead> read = format && format->read
            ? format->read(bytes, name)
            : Result<StatechartsRead>(Error { ClipboardWords::tr("no statechart") });
        if (!read) {
            problem = read.error();
            continue;
        }
        const Result<PackMade> made = packOf(read->charts.value(0));
        if (made && !made->pack.machines.isEmpty())
            return fragmentOf(made->pack.machines.first());
        problem = made ? ClipboardWords::tr("no statechart") : made.error();
    }
    return Error { problem };
}

} // namespace instar
