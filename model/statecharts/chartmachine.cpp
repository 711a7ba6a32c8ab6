// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/chartmachine.h"

#include "model/pack/rows.h"
#include "model/statecharts/conversion.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString NoEventTrigger = u"succeeded"_s; ///< trigger of an arrow without event
const QString EventSuffix = u" (event)"_s;     ///< of an event that has an outcome's name

/// Keys of extras. Particulars of SCXML are kept under "x-" and their own keys.
const QString VertexKey = u"x-vertex"_s, UnnamedKey = u"x-unnamed"_s, InternalKey = u"x-internal"_s,
              SideKey = u"x-side"_s, IgnoresFinalsKey = u"x-eager"_s,
              ExpressionsKey = u"x-expressions"_s;

/// In the order of Vertex::Kind.
const QStringList VertexWords { u"state"_s, u"parallel"_s, u"initial"_s, u"final"_s, u"history"_s,
    u"deep history"_s, u"choice"_s, u"fork"_s, u"join"_s, u"entry"_s, u"exit"_s };

void setExtra(Row &row, const QString &key, const QString &value)
{
    row.extras.append({ key, jsonOf(value) });
}

std::optional<QString> extra(const Row &row, QStringView key)
{
    const auto found = std::ranges::find(row.extras, key, &Extra::key);
    if (found == row.extras.end())
        return {};
    return QJsonDocument::fromJson('[' + found->json + ']').array().first().toString();
}

void keepParticulars(Row &row, const Particulars &particulars)
{
    for (auto it = particulars.cbegin(); it != particulars.cend(); ++it)
        setExtra(row, u"x-"_s + it.key(), *it);
}

State stateOf(const Vertex &vertex, bool isComposite)
{
    State state { .id = vertex.id,
        .kind = isComposite ? State::Kind::Composite : State::Kind::Stable,
        .parent = vertex.parent,
        .label = vertex.label };
    state.about = vertex.description.join(u'\n');
    if (vertex.place)
        state.position = vertex.place->center();
    if (vertex.kind != Vertex::Kind::State)
        setExtra(state, VertexKey, VertexWords[int(vertex.kind)]);
    if (!vertex.isNamed)
        setExtra(state, UnnamedKey, {});
    keepParticulars(state, vertex.particulars);
    return state;
}

Transition rowOf(const Arc &arc)
{
    Transition row;
    row.from = { arc.from };
    row.to = arc.to;
    for (const QString &event : arc.events())
        row.on += isOutcome(event) ? event + EventSuffix : event;
    if (row.on.isEmpty())
        row.on = { NoEventTrigger };
    row.condition = conditionOf(arc.condition);
    if (!arc.label.isEmpty() || !arc.action.isEmpty())
        row.label = arc.text();
    row.about = arc.note.join(u'\n');
    if (arc.isInternal)
        setExtra(row, InternalKey, {});
    keepParticulars(row, arc.particulars);
    return row;
}

} // namespace

Machine machineOfRows(const Statechart &chart)
{
    Machine machine;
    machine.id = chart.id.isEmpty() ? u"machine"_s : chart.id;
    machine.title = chart.title;
    setExtra(machine, Machine::StatechartMark.toString(), {});
    if (!chart.waitsForFinals)
        setExtra(machine, IgnoresFinalsKey, {});
    if (chart.hasExpressions)
        setExtra(machine, ExpressionsKey, {});
    keepParticulars(machine, chart.particulars);
    QSet<QString> composites;
    for (const Vertex &vertex : chart.vertices)
        composites.insert(vertex.parent);
    for (const Vertex &vertex : chart.vertices) {
        machine.states += stateOf(vertex, composites.contains(vertex.id));
        if (machine.rest.isEmpty() && machine.states.last().kind == State::Kind::Stable)
            machine.rest = vertex.id;
    }
    for (const Arc &arc : chart.arcs)
        machine.transitions += rowOf(arc);
    for (const Note &note : chart.notes) {
        ChartNote row { .text = note.lines.join(u'\n'), .of = note.of };
        if (!note.side.isEmpty())
            setExtra(row, SideKey, note.side);
        machine.notes += row;
    }
    return machine;
}

Vertex::Kind vertexKind(const State &state)
{
    const std::optional<QString> word = extra(state, VertexKey);
    return word ? Vertex::Kind(std::max<qsizetype>(VertexWords.indexOf(*word), 0))
                : Vertex::Kind::State;
}

bool isNamed(const State &state)
{
    return !extra(state, UnnamedKey);
}

Particulars particularsOf(const Row &row)
{
    Particulars result;
    for (const Extra &each : row.extras) {
        if (each.key.startsWith(u"x-scxml."))
            result.insert(each.key.sliced(2), *extra(row, each.key));
    }
    return result;
}

QString sideOf(const ChartNote &note)
{
    return extra(note, SideKey).value_or(QString());
}

void describeArc(const Transition &row, Arc *arc)
{
    QStringList events;
    for (const QString &trigger : row.on)
        events += eventOf(trigger);
    events.removeAll(QString());
    arc->event = events.join(u'\n');
    arc->to = row.to;
    arc->isInternal = extra(row, InternalKey).has_value();
    arc->particulars = particularsOf(row);
}

void describeChart(const Machine &machine, Statechart *chart)
{
    chart->waitsForFinals = !extra(machine, IgnoresFinalsKey);
    chart->hasExpressions = extra(machine, ExpressionsKey).has_value();
    chart->particulars = particularsOf(machine);
    for (const ChartNote &row : machine.notes)
        chart->notes += Note { row.of, sideOf(row), row.text.split(u'\n') };
}

QString eventOf(const QString &trigger)
{
    if (trigger == NoEventTrigger)
        return {};
    return trigger.endsWith(EventSuffix) ? trigger.chopped(EventSuffix.size()) : trigger;
}

QString regionType(const QString &chartType)
{
    return chartType + u"/regions"_s;
}

} // namespace instar
