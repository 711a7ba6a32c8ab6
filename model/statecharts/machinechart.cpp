// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/machinechart.h"

#include "model/json/condition.h"
#include "model/pack/checking.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "model/statecharts/chartplan.h"
#include "model/statecharts/conversion.h"
#include "model/statecharts/notation/textplan.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include <algorithm>
#include <functional>
#include <utility>

namespace instar {

namespace {

const QString NoEventTrigger = u"succeeded"_s; ///< trigger of an arrow without event
const QString EventSuffix = u" (event)"_s;     ///< of an event that has an outcome's name

/// Keys of extras. ScxmlExtras have "x-" before their own keys.
const QString VertexKey = u"x-vertex"_s, UnnamedKey = u"x-unnamed"_s, InternalKey = u"x-internal"_s,
              SideKey = u"x-side"_s, IgnoresFinalsKey = u"x-eager"_s,
              ExpressionsKey = u"x-expressions"_s, LookKey = u"x-look"_s,
              TowardsKey = u"x-towards"_s, DirectionKey = u"x-direction"_s;

/// Words for the kinds, in the order of Vertex::Kind.
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

/// Sets an extra that the row does not have yet, to a value that is not empty.
void addExtra(Row &row, const QString &key, const QString &value)
{
    if (!value.isEmpty() && !extra(row, key))
        setExtra(row, key, value);
}

void keepScxmlExtras(Row &row, const ScxmlExtras &scxmlExtras)
{
    for (auto it = scxmlExtras.cbegin(); it != scxmlExtras.cend(); ++it)
        setExtra(row, u"x-"_s + it.key(), *it);
}

State stateOf(const Vertex &vertex, bool isComposite)
{
    State state { .id = vertex.id,
        .kind = isComposite ? State::Kind::Composite : State::Kind::Stable,
        .parent = vertex.parent,
        .label = vertex.label };
    state.about = vertex.description.join(u'\n');
    if (vertex.bounds)
        state.position = vertex.bounds->center();
    if (vertex.kind != Vertex::Kind::State)
        setExtra(state, VertexKey, VertexWords[int(vertex.kind)]);
    if (!vertex.isNamed)
        setExtra(state, UnnamedKey, {});
    keepAppearance(state, vertex);
    keepScxmlExtras(state, vertex.scxmlExtras);
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
    keepAppearance(row, arc);
    keepScxmlExtras(row, arc.scxmlExtras);
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
    keepAppearance(machine, chart);
    keepScxmlExtras(machine, chart.scxmlExtras);
    const auto composites = mapped<QSet<QString>>(chart.vertices, &Vertex::parent);
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

void keepAppearance(Machine &machine, const Statechart &chart)
{
    if (chart.direction != ChartDirection::Unspecified)
        addExtra(machine, DirectionKey,
            chart.direction == ChartDirection::Right ? u"right"_s : u"down"_s);
}

void keepAppearance(State &state, const Vertex &vertex)
{
    addExtra(state, LookKey, cssOf(vertex.style));
}

void keepAppearance(Transition &row, const Arc &arc)
{
    addExtra(row, LookKey, cssOf(arc.style));
    addExtra(row, TowardsKey, wordOf(arc.towards));
}

ChartDirection directionOf(const Machine &machine)
{
    const QString word = extra(machine, DirectionKey).value_or(QString());
    return word == u"right" ? ChartDirection::Right
        : word == u"down"   ? ChartDirection::Down
                            : ChartDirection::Unspecified;
}

ChartStyle styleOf(const Row &row)
{
    return styleOfCss(extra(row, LookKey).value_or(QString()));
}

Towards towardsOf(const Transition &row)
{
    return towardsOf(extra(row, TowardsKey).value_or(QString()));
}

QString keyWord(const QString &key)
{
    return key == LookKey                          ? u"colours"_s
        : key == TowardsKey || key == DirectionKey ? u"direction"_s
                                                   : key;
}

void removeAppearance(QList<Difference> &differences)
{
    for (Difference &each : differences) {
        for (const QString &key : { LookKey, TowardsKey, DirectionKey }) {
            each.from.remove(key);
            each.to.remove(key);
        }
    }
    differences.removeIf([](const Difference &each) {
        return each.kind == Difference::Kind::Changed && each.from.isEmpty() && each.to.isEmpty();
    });
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

QString sideOf(const ChartNote &note)
{
    return extra(note, SideKey).value_or(QString());
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

namespace {

ScxmlExtras scxmlExtrasOf(const Row &row)
{
    ScxmlExtras result;
    for (const Extra &each : row.extras) {
        if (each.key.startsWith(u"x-scxml."))
            result.insert(each.key.sliced(2), *extra(row, each.key));
    }
    return result;
}

void describeArc(const Transition &row, Arc *arc)
{
    auto events = mapped<QStringList>(row.on, eventOf);
    events.removeAll(QString());
    arc->event = events.join(u'\n');
    arc->to = row.to;
    arc->isInternal = extra(row, InternalKey).has_value();
    arc->scxmlExtras = scxmlExtrasOf(row);
}

void describeChart(const Machine &machine, Statechart *chart)
{
    chart->waitsForFinals = !extra(machine, IgnoresFinalsKey);
    chart->hasExpressions = extra(machine, ExpressionsKey).has_value();
    chart->scxmlExtras = scxmlExtrasOf(machine);
    for (const ChartNote &row : machine.notes)
        chart->notes += Note { row.of, sideOf(row), row.text.split(u'\n') };
}

/// Returns a condition in the syntax of guardOf(). Conditions on other resources, properties and
/// times become names: "parent is Active && !paid".
QString guardText(const Condition &condition)
{
    switch (condition.kind) {
    case Condition::Kind::Always:
        return u"true"_s;
    case Condition::Kind::Label:
        return condition.text;
    case Condition::Kind::All: {
        QStringList parts;
        for (const Condition &each : condition.parts)
            parts +=
                each.kind == Condition::Kind::All ? u'(' + guardText(each) + u')' : guardText(each);
        return parts.isEmpty() ? u"true"_s : parts.join(u" && "_s);
    }
    case Condition::Kind::Not: {
        const Condition inner = condition.parts.value(0);
        return inner.kind == Condition::Kind::Label ? u'!' + inner.text
                                                    : u"!("_s + guardText(inner) + u')';
    }
    default:
        return conditionWords(condition);
    }
}

class ChartOfMachine
{
public:
    ChartOfMachine(const Machine &machine, const QMap<QString, QString> &switches)
        : m_machine(machine), m_switches(switches), m_isStatechart(machine.isStatechart())
    { }

    Result<StatechartMade> made()
    {
        m_chart.id = m_machine.id;
        m_chart.title = m_machine.title;
        m_chart.direction = directionOf(m_machine);
        if (m_isStatechart)
            describeChart(m_machine, &m_chart);
        for (const State &state : m_machine.states) {
            if (lineage(m_machine, state.id).size() > DeepestChart)
                return Error { u"machine \"%1\" has states nested more than %2 deep"_s.arg(
                    oneLine(m_machine.id), QString::number(DeepestChart)) };
            if (exists(state))
                m_ids.insert(state.id);
        }
        m_createRow = createRow();
        m_startRow = startRow();
        if (m_startRow)
            m_ids.remove(m_machine.rest);
        for (const State &state : m_machine.states) {
            if (exists(state) && !(m_startRow && state.id == m_machine.rest))
                addState(state);
        }
        addDots();
        sortVertices();
        // Refusing rows come first, as the engine evaluates them first.
        for (const bool refuses : { true, false }) {
            for (qsizetype i = 0; i < m_machine.transitions.size(); ++i) {
                const Transition &row = m_machine.transitions[i];
                const bool isReplaced = m_startRow && &row == m_createRow;
                if (row.refuse.isEmpty() != refuses && exists(row) && !isReplaced)
                    addTransition(row, i);
                if (m_chart.arcs.size() > MostArcs)
                    return Error {
                        u"machine \"%1\" would have more than %2 arrows, because each transition from any state (\"*\") becomes many; keep it as a pack (.pack.json)"_s
                            .arg(oneLine(m_machine.id), QString::number(MostArcs))
                    };
            }
        }
        if (!m_machine.constraints.isEmpty())
            loss(u"%1 constraints on entering a state are left out"_s.arg(
                m_machine.constraints.size()));
        return StatechartMade { m_chart, m_remarks };
    }

private:
    void loss(const QString &text, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        m_remarks.append({ 0, text, severity });
    }

    /// Reports the keys of a row that belong to other programs: no notation can hold them.
    void reportUnknownKeys(const Row &row, const QString &rowName)
    {
        static const QStringList known { VertexKey, UnnamedKey, InternalKey, SideKey,
            IgnoresFinalsKey, ExpressionsKey, LookKey, TowardsKey, DirectionKey };
        for (const Extra &each : row.extras) {
            if (!known.contains(each.key) && !each.key.startsWith(u"x-scxml."))
                loss(u"%1: the key \"%2\" is left out"_s.arg(rowName, each.key));
        }
    }

    bool exists(const Row &row) const { return instar::exists(row, m_switches); }

    /// Returns the only row out of a state if the row has nothing but one target, texts, and the
    /// operation `operation`, perhaps with a number; else null.
    const Transition *onlyRow(const QString &from, const QString &operation) const
    {
        const Transition *only = nullptr;
        QStringList others;
        for (const Transition &row : m_machine.transitions) {
            if (!exists(row))
                continue;
            if (!row.from.contains(from))
                others += row.on;
            else if (std::exchange(only, &row))
                return nullptr;
        }
        if (!only || only->to.size() != 1)
            return nullptr;
        Transition plain {
            .from = { from }, .on = { freshName(operation, others, " ") }, .to = only->to
        };
        plain.label = only->label;
        plain.about = only->about;
        plain.bend = only->bend;
        plain.extras = only->extras; // such as colours
        return *only == plain ? only : nullptr;
    }

    /// Returns the row that creates a resource, if packOf() could have made this row of the arrow
    /// from the initial dot, and the row can be drawn as that arrow, without text; else null.
    const Transition *createRow() const
    {
        const Transition *only = onlyRow(m_machine.initial(), u"create"_s);
        const State *rest = m_machine.state(m_machine.rest);
        const bool isConverted = only && rest && rest->kind == State::Kind::Stable
            && lineage(m_machine, m_machine.rest).contains(only->to.first());
        return isConverted ? only : nullptr;
    }

    /// Returns the row that starts work, if packOf() could have added this row and the state
    /// "waiting" to a statechart that begins with work, and the row can be drawn as the arrow from
    /// the initial dot, in place of m_createRow; else null.
    const Transition *startRow() const
    {
        const State *waiting = m_createRow ? m_machine.state(m_machine.rest) : nullptr;
        State plain { .id = u"waiting"_s };
        if (waiting)
            plain.position = waiting->position;
        const bool isCreated = waiting && m_createRow->to == QStringList { m_machine.rest }
            && m_createRow->label.isEmpty() && m_createRow->about.isEmpty();
        if (!isCreated || *waiting != plain)
            return nullptr;
        const bool isReached =
            std::ranges::any_of(m_machine.transitions, [&](const Transition &row) {
                return exists(row) && &row != m_createRow
                    && (row.from.contains(AnyState) || row.to.contains(m_machine.rest));
            });
        const Transition *only = isReached ? nullptr : onlyRow(m_machine.rest, u"start"_s);
        const State *first =
            only ? m_machine.state(MachineIndex(m_machine).entered(only->to.first())) : nullptr;
        return first && first->kind == State::Kind::Transitional ? only : nullptr;
    }

    /// Takes an unused id for a vertex.
    QString freeId(const QString &wish) { return *m_ids.insert(freshName(wish, m_ids, ".")); }

    Vertex &add(Vertex::Kind kind, const QString &id)
    {
        m_chart.vertices.append({ .kind = kind, .id = id });
        return m_chart.vertices.last();
    }

    void addState(const State &state)
    {
        if (state.kind == State::Kind::Initial && m_isStatechart)
            return; // added by runnableDraft()
        if (state.kind == State::Kind::Initial) {
            m_initialDot = m_createRow ? freeId(generatedId({}, u"initial")) : state.id;
            Vertex &dot = add(Vertex::Kind::Initial, m_initialDot);
            dot.isNamed = false;
            if (state.position)
                dot.bounds = defaultBounds(*state.position, dot.kind);
            return;
        }
        Vertex &vertex = add(vertexKind(state), state.id);
        vertex.isNamed = isNamed(state);
        vertex.scxmlExtras = scxmlExtrasOf(state);
        vertex.style = styleOf(state);
        vertex.parent = state.parent;
        vertex.label = state.label;
        if (!state.about.isEmpty())
            vertex.description = state.about.split(u'\n');
        if (!state.as.isEmpty())
            vertex.description += u"shown as %1"_s.arg(state.as);
        reportUnknownKeys(state, u"\"%1\""_s.arg(state.id));
        if (state.ownWork)
            loss(u"the steps of the work in \"%1\" are left out"_s.arg(state.id));
        if (state.timer) {
            vertex.description += u"timer / %1 after %2 ms"_s.arg(
                state.timer->outcome.isEmpty() ? state.timer->operation : state.timer->outcome,
                QString::number(state.timer->after));
            loss(u"the timer in \"%1\" becomes a text of the state"_s.arg(state.id));
        }
        if (state.position)
            vertex.bounds = defaultBounds(*state.position, vertex.kind);
    }

    /// Sorts vertices in preorder: each composite before its children.
    void sortVertices()
    {
        QMap<QString, QList<Vertex>> inside;
        for (Vertex &vertex : m_chart.vertices) {
            if (!m_ids.contains(vertex.parent))
                vertex.parent.clear();
            inside[vertex.parent].append(vertex);
        }
        m_chart.vertices.clear();
        const std::function<void(const QString &)> addInside = [&](const QString &parent) {
            const QList<Vertex> children = inside.take(parent);
            for (const Vertex &child : children) {
                m_chart.vertices.append(child);
                addInside(child.id);
            }
        };
        addInside({});
    }

    /// Adds the final dot if a transition removes the resource.
    void addDots()
    {
        const QString initial = m_machine.initial();
        const bool isRemoved = std::ranges::any_of(m_machine.transitions,
            [&](const Transition &row) { return row.to.contains(initial) && exists(row); });
        if (!isRemoved)
            return;
        m_finalDot = freeId(u"final"_s);
        add(Vertex::Kind::Final, m_finalDot).isNamed = false;
    }

    /// Returns the vertices that a row leaves. "*" means all states at the top level.
    QStringList sources(const Transition &row) const
    {
        QStringList result;
        for (const QString &from : row.from) {
            if (from == AnyState) {
                for (const State &state : m_machine.states) {
                    if (state.parent.isEmpty() && state.kind != State::Kind::Initial
                        && exists(state))
                        result += state.id;
                }
            } else {
                const bool isDot =
                    from == m_machine.initial() || (m_startRow && from == m_machine.rest);
                result += isDot ? m_initialDot : from;
            }
        }
        result.removeDuplicates();
        result.removeIf([this](const QString &id) { return !m_ids.contains(id); });
        return result;
    }

    QStringList leaves(const QString &id) const
    {
        QStringList result;
        for (const State &state : m_machine.states) {
            const bool isLeaf =
                state.kind == State::Kind::Stable || state.kind == State::Kind::Transitional;
            if (isLeaf && exists(state) && lineage(m_machine, state.id).contains(id))
                result += state.id;
        }
        return result;
    }

    /// Adds a row's arrows, one from each vertex that the row leaves. A row from a composite to
    /// "(same)" leaves each simple state in it.
    void addTransition(const Transition &row, qsizetype index)
    {
        if (row.to.isEmpty() && row.condition.kind == Condition::Kind::Always && !m_isStatechart) {
            const QString reason =
                row.refuse.isEmpty() ? u"has no target"_s : u"is refused with "_s + row.refuse;
            loss(u"transition %1: \"%2\" %3; the transition is left out"_s.arg(index).arg(
                row.on.join(u", "_s), reason));
            return;
        }
        const QString rowName = u"transition %1, on %2"_s.arg(index).arg(row.on.join(u", "_s));
        reportUnknownKeys(row, rowName);
        if (row.limit || row.after > 0 || row.force)
            loss(u"%1: the members limit, after and force are left out"_s.arg(rowName));
        if (row.to.size() > 1 && !m_isStatechart)
            loss(
                u"%1: the choice of the target by a constraint becomes a condition named after the constraint"_s
                    .arg(rowName),
                Diagnostic::Severity::Note);
        const bool isSame = row.to.contains(SameState.toString());
        for (const QString &source : sources(row)) {
            const State *state = m_machine.state(source);
            const bool spreads = isSame && state && state->kind == State::Kind::Composite;
            for (const QString &from : spreads ? leaves(source) : QStringList { source })
                addArcs(row, int(index), from);
        }
    }

    /// Sets the action of an arrow: the part after event and condition in the label of its row.
    static void addLabel(Arc &arc, const QString &label)
    {
        Arc eventless = arc;
        eventless.event.clear();
        for (const QString &begin : { arc.text(), eventless.text(), arc.condition, QString() }) {
            if (label == begin)
                return;
            const QString before = begin.isEmpty() ? u"/ "_s : begin + u" / "_s;
            if (label.startsWith(before)) {
                arc.action = label.sliced(before.size());
                return;
            }
        }
        if (!arc.event.isEmpty() && label.simplified().startsWith(arc.event.simplified()))
            arc.label = label;
        else
            arc.action = label;
    }

    /// Adds an arrow per target of a row. A target is taken if constraints forbid the earlier ones.
    void addArcs(const Transition &row, int index, const QString &from)
    {
        Arc arc;
        arc.from = from;
        arc.line = index + 1;
        arc.style = styleOf(row);
        arc.towards = towardsOf(row);
        if (m_isStatechart)
            describeArc(row, &arc);
        else if (&row != m_createRow && &row != m_startRow)
            arc.event = row.on.join(u'\n');
        if (row.condition.kind != Condition::Kind::Always)
            arc.condition = guardText(row.condition);
        if (!row.about.isEmpty())
            arc.note = row.about.split(u'\n');
        if (!row.refuse.isEmpty())
            arc.action = u"refuse "_s + row.refuse;
        if (!row.label.isEmpty())
            addLabel(arc, row.label);
        if (row.to.isEmpty() || m_isStatechart) {
            m_chart.arcs.append(arc);
            return;
        }
        const QString own = arc.condition;
        for (qsizetype i = 0; i < row.to.size(); ++i) {
            const QString &to = row.to[i];
            arc.condition = own;
            if (i + 1 < row.to.size())
                arc.condition +=
                    (own.isEmpty() ? QString() : u" && "_s) + u"%1 is allowed"_s.arg(to);
            if (to == LastState) {
                addReturns(arc);
                continue;
            }
            arc.to = { to == SameState ? from : to == m_machine.initial() ? m_finalDot : to };
            if (m_ids.contains(arc.to.first()))
                m_chart.arcs.append(arc);
        }
    }

    /// Adds the arrows of a row to "(last)": to each stable state, if that was the last state.
    void addReturns(Arc arc)
    {
        const QString own = arc.condition;
        for (const State &state : m_machine.states) {
            if (state.kind != State::Kind::Stable || !exists(state))
                continue;
            arc.to = { state.id };
            arc.condition = (own.isEmpty() ? QString() : own + u" && "_s) + u"last "_s + state.id;
            m_chart.arcs.append(arc);
        }
    }

    const Machine &m_machine;
    QMap<QString, QString> m_switches;
    Statechart m_chart;
    QList<Diagnostic> m_remarks;
    QSet<QString> m_ids; ///< of the vertices
    QString m_initialDot, m_finalDot;
    const bool m_isStatechart;               ///< one row is one arrow: see machineOfRows()
    const Transition *m_createRow = nullptr; ///< drawn as an arrow without text
    const Transition *m_startRow = nullptr;  ///< drawn as that arrow in place of m_createRow
};

} // namespace

Result<StatechartMade> statechartOf(const Machine &machine, const QMap<QString, QString> &switches)
{
    return ChartOfMachine(machine, switches).made();
}

} // namespace instar
