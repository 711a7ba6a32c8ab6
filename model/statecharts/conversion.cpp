// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/conversion.h"

#include "model/pack/check.h"
#include "model/pack/run.h"
#include "model/statecharts/conversionparts.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;

class OutcomeNames
{
public:
    explicit OutcomeNames(Statechart chart) : m { .chart = std::move(chart) } { }

    OutcomesNamed made()
    {
        for (int i = 0; i < m.chart.vertices.size(); ++i)
            m_inside[m.chart.vertices[i].parent] += i;
        for (const Arc &arc : std::as_const(m.chart.arcs)) {
            const QStringList events = arc.events();
            m_events.unite(QSet<QString>(events.begin(), events.end()));
        }
        const QHash<QString, QList<int>> before = bareArcs();
        for (int i = 0; m.chart.waitsForFinals && i < m.chart.vertices.size(); ++i) {
            const QString id = m.chart.vertices[i].id;
            if (differing(before.value(id)).size() > 1 && hasFinals(i)
                && !m_events.contains(u"done.state."_s + id))
                moveBehindEnd(id);
        }
        moveArcs();
        for (int i = 0; i < m.chart.arcs.size(); ++i)
            m_leaving[m.chart.arcs[i].from] += i;
        const QHash<QString, QList<int>> leaving = bareArcs();
        for (const Vertex &vertex : std::as_const(m.chart.vertices)) {
            if (endsWork(vertex))
                name(vertex, differing(leaving.value(vertex.id)));
        }
        return std::move(m);
    }

private:
    QHash<QString, QList<int>> bareArcs() const
    {
        QHash<QString, QList<int>> result;
        for (int i = 0; i < m.chart.arcs.size(); ++i) {
            if (isBare(m.chart.arcs[i]))
                result[m.chart.arcs[i].from] += i;
        }
        return result;
    }

    /// Whether a composite can complete.
    bool hasFinals(int index) const
    {
        const QList<int> inside = m_inside.value(m.chart.vertices[index].id);
        return m.chart.vertices[index].kind == Kind::State
            && std::ranges::any_of(
                inside, [this](int each) { return m.chart.vertices[each].kind == Kind::Final; });
    }

    /// Lets the outcomes of a composite be decided where it ends: in its final states, which become
    /// ordinary ones.
    void moveBehindEnd(const QString &composite)
    {
        for (const int each : m_inside.value(composite)) {
            Vertex &vertex = m.chart.vertices[each];
            if (vertex.kind != Kind::Final)
                continue;
            vertex.kind = Kind::State;
            m_endsOf[composite] += vertex.id;
            m_ended.insert(vertex.id, composite);
        }
    }

    /// Arrows leave the ends in place of the composites around them.
    void moveArcs()
    {
        QList<Arc> arcs;
        for (const Arc &arc : std::as_const(m.chart.arcs)) {
            const auto ends = m_endsOf.constFind(arc.from);
            if (ends == m_endsOf.cend() || !arc.event.isEmpty() || arc.to.isEmpty()) {
                arcs += arc;
                continue;
            }
            for (const QString &end : *ends) {
                arcs += arc;
                arcs.last().from = end;
            }
        }
        m.chart.arcs = arcs;
    }

    static bool isBare(const Arc &arc)
    {
        return arc.event.isEmpty() && arc.condition.trimmed().isEmpty() && !arc.to.isEmpty();
    }

    bool endsWork(const Vertex &vertex) const
    {
        const bool isState = vertex.kind == Kind::State;
        if (isState && m_inside.contains(vertex.id)) // else its arrows wait for its end
            return !m.chart.waitsForFinals
                || !hasFinals(int(&vertex - m.chart.vertices.constData()));
        return isState || vertex.kind == Kind::Choice || vertex.kind == Kind::Initial
            || vertex.kind == Kind::Entry || vertex.kind == Kind::Exit;
    }

    /// The first arrow to each target.
    QList<int> differing(const QList<int> &arcs) const
    {
        QList<int> result;
        QSet<QStringList> targets;
        for (const int arc : arcs) {
            const QStringList &to = m.chart.arcs[arc].to;
            if (!targets.contains(to))
                result += arc;
            targets.insert(to);
        }
        return result;
    }

    void name(const Vertex &vertex, const QList<int> &arcs)
    {
        if (arcs.size() < 2)
            return;
        QStringList names;
        for (const int index : arcs) {
            Arc &arc = m.chart.arcs[index];
            names += nameOf(arc.to.join(u" + "_s));
            arc.event = names.last();
            if (!m_made.contains(arc.event))
                m.made += arc.event;
            m_made.insert(arc.event);
        }
        Arc &first = m.chart.arcs[arcs.first()]; // where work that says nothing else leads
        if (first.event != u"succeeded")
            first.event += u"\nsucceeded"_s;
        for (const int behind : m_leaving.value(vertex.id)) {
            Arc &arc = m.chart.arcs[behind];
            if (behind > arcs.first() && arc.event.isEmpty())
                arc.event = u"succeeded"_s; // never taken, for the first one is
        }
        m.usual.insert(vertex.id, names.first());
        const Diagnostic remark { vertex.line,
            u"\"%1\" is left by %2 arrows without a label; each is an outcome of its work: %3"_s
                .arg(m_ended.value(vertex.id, vertex.id))
                .arg(names.size())
                .arg(names.join(u", "_s)),
            Diagnostic::Severity::Note };
        if (!m.remarks.contains(remark))
            m.remarks.append(remark);
    }

    /// Name for an outcome that no event of the chart has.
    QString nameOf(const QString &target) const
    {
        QString name = target;
        while (m_events.contains(name))
            name.prepend(u"to "_s);
        return name;
    }

    OutcomesNamed m;
    QHash<QString, QList<int>> m_inside;  ///< composite -> vertices
    QHash<QString, QString> m_ended;      ///< a state behind a composite's end -> the composite
    QHash<QString, QStringList> m_endsOf; ///< a composite that arrows do not leave -> what they do
    QHash<QString, QList<int>> m_leaving; ///< vertex -> arcs
    QSet<QString> m_events, m_made;
};

} // namespace

OutcomesNamed withOutcomes(Statechart chart)
{
    return OutcomeNames(std::move(chart)).made();
}

namespace {

/// The last part of a JSON pointer as it was before escaping.
QString unescaped(QString part)
{
    return part.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
}

void removeRow(ConvertedDraft &draft, qsizetype index)
{
    draft.made.pack.machines.first().transitions.removeAt(index);
    draft.lines.removeAt(index);
}

void forget(Condition &condition, const QSet<QString> &states)
{
    condition.states.removeIf([&](const QString &state) { return states.contains(state); });
    for (Condition &part : condition.parts)
        forget(part, states);
}

void drop(ConvertedDraft &draft, const QSet<QString> &states)
{
    Machine &machine = draft.made.pack.machines.first();
    machine.states.removeIf([&](const State &state) { return states.contains(state.id); });
    for (Transition &row : machine.transitions) {
        row.from.removeIf([&](const QString &id) { return states.contains(id); });
        row.to.removeIf([&](const QString &id) { return states.contains(id); });
        forget(row.condition, states);
    }
    for (qsizetype i = machine.transitions.size(); i-- > 0;) {
        if (machine.transitions[i].from.isEmpty())
            removeRow(draft, i);
    }
    for (State &state : machine.states) {
        for (Step &step : state.work)
            forget(step.until, states);
    }
}

/// The operations by when they are possible: first where the resource rests, last where there is
/// none.
void sortOperations(Pack &pack)
{
    const Machine &machine = pack.machines.first();
    const QList<int> outOfRest = WaysOut(machine).from(machine.rest);
    QList<QStringList> names(3);
    for (const QString &name : pack.operationNames()) {
        const bool fromRest = std::ranges::any_of(
            outOfRest, [&](int row) { return machine.transitions[row].on.contains(name); });
        const bool fromElsewhere =
            std::ranges::any_of(machine.transitions, [&](const Transition &row) {
                return row.on.contains(name) && row.from != QStringList { machine.initial() };
            });
        names[fromRest ? 0 : fromElsewhere ? 1 : 2] += name;
    }
    for (const QString &name : names[0] + names[1] + names[2]) {
        OperationKind operation;
        operation.id = name;
        pack.operations.append(operation);
    }
}

/// The triggers of a row on which an earlier one speaks wherever it would; all of them where no
/// single one is to blame.
QStringList takenBefore(const Machine &machine, qsizetype index)
{
    const Transition &row = machine.transitions[index];
    QStringList taken;
    for (const QString &trigger : row.on) {
        const bool isTaken = std::any_of(machine.transitions.begin(),
            machine.transitions.begin() + index, [&](const Transition &earlier) {
                const bool leavesAll = std::ranges::all_of(
                    row.from, [&](const QString &from) { return earlier.from.contains(from); });
                return leavesAll && earlier.on.contains(trigger)
                    && earlier.condition == row.condition;
            });
        if (isTaken)
            taken += trigger;
    }
    return taken.isEmpty() ? row.on : taken;
}

/// The pack without the rows and states that check() refuses, each reported; an error where that is
/// not enough.
Result<PackMade> repaired(ConvertedDraft draft, const Statechart &chart)
{
    PackMade &made = draft.made;
    for (int round = 0; round < 50; ++round) {
        Machine &machine = made.pack.machines.first();
        QSet<QString> states;
        QSet<qsizetype> rows;
        QString other;
        for (const Diagnostic &issue : check(made.pack)) {
            if (issue.severity != Diagnostic::Severity::Error)
                continue;
            const QStringList at =
                issue.pointer.split(u'/'); // "", machines, ID, states or transitions, which
            const QString which = unescaped(at.value(4));
            if (at.value(3) == u"states"
                && (issue.code == u"unreachable-state" || issue.code == u"empty-composite"))
                states.insert(which);
            else if (at.value(3) == u"transitions" && issue.code == u"livelock")
                other = machine.transitions[which.toInt()].from.first();
            else if (at.value(3) == u"transitions"
                && (issue.code == u"never-speaks" || issue.code == u"nondeterminism"))
                rows.insert(which.toInt());
            else
                return Error { u"the pack would not be well made: %1"_s.arg(issue.text) };
        }
        if (states.isEmpty() && rows.isEmpty() && other.isEmpty()) {
            sortOperations(made.pack);
            return std::move(made);
        }
        if (!other
                 .isEmpty()) { // at least one of the states that follow each other has to take time
            for (State &state : machine.states) {
                if (state.id == other && state.ownWork) {
                    state.ownWork = false;
                    state.work.clear();
                    const Vertex *vertex = chart.vertex(other);
                    made.remarks.append({ vertex ? vertex->line : 0,
                        u"\"%1\" is part of an endless round, so its work takes time"_s.arg(other),
                        Diagnostic::Severity::Note });
                    other.clear();
                }
            }
            if (!other.isEmpty())
                return Error {
                    u"\"%1\" is part of a round of arrows without events that never ends"_s.arg(
                        other)
                };
        }
        for (const QString &id : std::as_const(states))
            made.remarks.append(unreached(chart, id, id));
        for (qsizetype i = machine.transitions.size(); i-- > 0;) {
            if (!rows.contains(i))
                continue;
            Transition &row = machine.transitions[i];
            const QStringList lost = takenBefore(machine, i);
            made.remarks.append({ draft.lines[i],
                u"the arrow from \"%1\" on \"%2\" is never taken; it is not in the pack"_s.arg(
                    row.from.join(u", "_s), lost.join(u", "_s)) });
            if (lost.size() == row.on.size())
                removeRow(draft, i);
            else
                row.on.removeIf([&lost](const QString &trigger) { return lost.contains(trigger); });
        }
        drop(draft, states);
    }
    return Error { u"the statechart cannot be made a pack"_s };
}

/// No regions, no history, no events of its own: one state is enough.
bool isPlain(const ChartPlan &plan)
{
    const bool arePlain = std::ranges::all_of(plan.nodes, [&](const ChartPlan::Node &node) {
        return node.kind != Kind::Parallel && node.histories.isEmpty() && node.initial.size() < 2
            && node.entering.isEmpty() && node.leaving.isEmpty();
    });
    return arePlain && std::ranges::all_of(plan.ways, [](const ChartPlan::Way &way) {
        return way.to.size() < 2 && way.arrivals.isEmpty() && way.tells.isEmpty();
    });
}

/// Sentence on what of a chart needs the interpreter.
QString whyNoPack(const Statechart &chart, const ChartPlan &plan)
{
    QStringList parts;
    const auto add = [&](const QString &what, const QString &id) {
        const Vertex *vertex = chart.vertex(id);
        parts += what.arg(id.isEmpty() ? u"the chart"_s : u'"' + id + u'"')
            + (vertex && vertex->line ? u" (line %1)"_s.arg(vertex->line) : u""_s);
    };
    for (const ChartPlan::Node &node : plan.nodes) {
        if (!node.histories.isEmpty())
            add(u"the history of %1"_s, node.id);
        if (node.kind == Kind::Parallel)
            add(u"the regions of %1"_s, node.id);
        if (!node.entering.isEmpty() || !node.leaving.isEmpty())
            add(u"the events that %1 raises"_s, node.id);
    }
    constexpr qsizetype named = 4;
    if (const qsizetype more = parts.size() - named; more > 0)
        parts = parts.first(named) << u"%1 more"_s.arg(more);
    if (parts.isEmpty())
        parts = { u"the events that its arrows raise"_s };
    return u"a pack cannot hold %1; keep it as PlantUML, SCXML or Mermaid, or draw it with states alone"_s
        .arg(parts.join(u", "_s));
}

/// None of them is a failure.
void addOutcome(Pack &pack, const QString &name)
{
    if (isOutcome(name))
        return;
    Outcome outcome;
    outcome.id = name;
    outcome.status = u"Succeeded"_s;
    pack.outcomes += outcome;
}

} // namespace

bool needsInterpreter(const Statechart &chart)
{
    const Result<ChartPlan> plan = planOf(chart);
    return plan && !isPlain(*plan);
}

Result<PackMade> packOf(const Statechart &chart)
{
    const OutcomesNamed named = withOutcomes(chart);
    const Result<ChartPlan> plan = planOf(named.chart);
    if (!plan)
        return Error { plan.error() };
    if (plan->nodes.size() > MostStates + 1)
        return Error { u"there are %1 states; at most %2 can be played"_s
                           .arg(plan->nodes.size() - 1)
                           .arg(MostStates) };
    if (!isPlain(*plan))
        return Error { whyNoPack(chart, *plan) };
    ConvertedDraft draft = plainPack(named, *plan);
    QList<Diagnostic> &remarks = draft.made.remarks;
    remarks = plan->remarks + named.remarks + narrowed(named.chart, *plan)
        + withoutEvents(named.chart, *plan) + remarks;
    for (const QString &outcome : named.made)
        addOutcome(draft.made.pack, outcome);
    Result<PackMade> result = repaired(std::move(draft), named.chart);
    if (result)
        std::ranges::stable_sort(result->remarks, {}, &Diagnostic::line);
    return result;
}

} // namespace instar
