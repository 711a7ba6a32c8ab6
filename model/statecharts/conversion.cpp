// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/conversion.h"

#include "model/pack/check.h"
#include "model/pack/nearest.h"
#include "model/pack/run.h"
#include "model/pack/runnablepack.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/machinechart.h"

#include <algorithm>
#include <numeric>

namespace instar {

namespace {

using Kind = Vertex::Kind;
using Edge = ChartPlan::Edge;

const QString Succeeded = u"succeeded"_s;

/// Statechart in which every outcome of a state's work has a name.
struct NamedChart
{
    Statechart chart;
    QHash<QString, QString> defaults; ///< state -> default outcome, that of its first arrow
    QStringList newOutcomes;          ///< new outcomes, each once
    QList<Diagnostic> remarks;
};

/// Transformation that names outcomes. Of several arrows without event and condition out of a
/// state, only the first would ever be taken. So each of these arrows gets as trigger an outcome of
/// the state's work, named after the arrow's target.
class OutcomeNamer
{
public:
    explicit OutcomeNamer(Statechart chart) : m_result { .chart = std::move(chart) } { }

    NamedChart made()
    {
        QSet<QString> composites, ending;
        for (const Vertex &vertex : std::as_const(m_result.chart.vertices)) {
            composites.insert(vertex.parent);
            if (vertex.kind == Kind::Final)
                ending.insert(vertex.parent);
        }
        QHash<QString, QList<int>> leaving; // the first arrow without text to each target
        for (int i = 0; i < m_result.chart.arcs.size(); ++i) {
            const Arc &arc = m_result.chart.arcs[i];
            const QStringList events = arc.events();
            m_events.unite(QSet<QString>(events.begin(), events.end()));
            QList<int> &all = leaving[arc.from];
            const bool isFirst = std::ranges::none_of(
                all, [&](int each) { return m_result.chart.arcs[each].to == arc.to; });
            const bool isBare = arc.event.isEmpty() && arc.condition.trimmed().isEmpty();
            if (isBare && isFirst && !arc.to.isEmpty())
                all += i;
        }
        for (const Vertex &vertex : std::as_const(m_result.chart.vertices)) {
            const bool isComposite = vertex.kind == Kind::State && composites.contains(vertex.id);
            const bool waits = m_result.chart.waitsForFinals && ending.contains(vertex.id);
            const bool endsWork = vertex.kind == Kind::State || vertex.kind == Kind::Choice
                || vertex.kind == Kind::Initial || vertex.kind == Kind::Entry
                || vertex.kind == Kind::Exit;
            if (endsWork && !(isComposite && waits) && leaving[vertex.id].size() > 1)
                nameOutcomes(vertex, leaving[vertex.id]);
        }
        return std::move(m_result);
    }

private:
    void nameOutcomes(const Vertex &vertex, const QList<int> &arcs)
    {
        QStringList names;
        for (const int index : arcs) {
            Arc &arc = m_result.chart.arcs[index];
            arc.event = arc.to.join(u" + "_s);
            while (m_events.contains(arc.event))
                arc.event.prepend(u"to "_s);
            names += arc.event;
            if (!m_result.newOutcomes.contains(arc.event))
                m_result.newOutcomes += arc.event;
        }
        for (qsizetype i = arcs.first() + 1; i < m_result.chart.arcs.size(); ++i) {
            Arc &arc = m_result.chart.arcs[i];
            if (arc.from == vertex.id && arc.event.isEmpty())
                arc.event = Succeeded; // never taken, as the first arrow is taken on "succeeded"
        }
        Arc &first = m_result.chart.arcs[arcs.first()]; // taken by default
        if (first.event != Succeeded)
            first.event += u'\n' + Succeeded;
        m_result.defaults.insert(vertex.id, names.first());
        m_result.remarks.append({ vertex.line,
            u"%2 arrows without a label leave \"%1\"; each becomes an outcome of the state's work: %3"_s
                .arg(vertex.id, QString::number(names.size()), names.join(u", "_s)),
            Diagnostic::Severity::Note });
    }

    NamedChart m_result;
    QSet<QString> m_events; ///< all events of the chart
};

Condition labelled(const QString &text)
{
    return { .kind = Condition::Kind::Label, .text = text };
}

Condition negated(const Condition &condition)
{
    if (condition.kind == Condition::Kind::Not)
        return condition.parts.first();
    return { .kind = Condition::Kind::Not, .parts = { condition } };
}

Condition allOf(const QList<Condition> &conditions)
{
    if (conditions.isEmpty())
        return {};
    if (conditions.size() == 1)
        return conditions.first();
    return { .kind = Condition::Kind::All, .parts = conditions };
}

Condition anyOf(const QList<Condition> &conditions)
{
    if (conditions.size() == 1)
        return conditions.first();
    const auto parts = mapped<QList<Condition>>(conditions, negated);
    return negated(allOf(parts));
}

/// Converts a guard to a pack's condition. `leaves` returns the simple states in a vertex.
Condition conditionFrom(
    const Guard &guard, const std::function<QStringList(const QString &)> &leaves)
{
    const auto parts = mapped<QList<Condition>>(
        guard.parts, [&](const Guard &part) { return conditionFrom(part, leaves); });
    switch (guard.kind) {
    case Guard::Kind::Name:
        return labelled(guard.text);
    case Guard::Kind::In:
        return {
            .kind = Condition::Kind::Related, .text = u"self"_s, .states = leaves(guard.text)
        };
    case Guard::Kind::Not:
        return negated(parts.first());
    case Guard::Kind::All:
        return allOf(parts);
    case Guard::Kind::Any:
        return anyOf(parts);
    case Guard::Kind::Never:
        return negated({});
    default:
        return {};
    }
}

/// Returns the event names in a plan; "any event" if there are none, but an arrow has "*".
QStringList alphabet(const ChartPlan &plan)
{
    QStringList result;
    for (const ChartPlan::Edge &edge : plan.edges) {
        for (QString event : edge.events) {
            if (event.endsWith(u".*"))
                event.chop(2);
            else if (event.endsWith(u'.'))
                event.chop(1);
            result += event;
        }
    }
    result.removeAll(QString());
    const bool takesAny = result.removeAll(u"*"_s) > 0;
    result.removeDuplicates();
    const bool isNamed = std::ranges::any_of(
        result, [&](const QString &event) { return !plan.isCompletion(event); });
    if (takesAny && !isNamed)
        result += u"any event"_s;
    return result;
}

/// Returns a note if the chart has arrows without event: in the pack, "succeeded" triggers them.
QList<Diagnostic> eventlessNote(const Statechart &chart, const ChartPlan &plan)
{
    const auto edge = std::ranges::find_if(
        plan.edges, [](const Edge &each) { return each.isWork && each.arc >= 0; });
    if (edge == plan.edges.end())
        return {};
    const Arc &arc = chart.arcs[edge->arc];
    return { { arc.line,
        u"%1 has no event; in the pack, the trigger of such arrows is \"succeeded\", the end of the work"_s
            .arg(arrowWords(arc)),
        Diagnostic::Severity::Note } };
}

QString neverTakenText(const Transition &row)
{
    return u"the arrow from \"%1\" on \"%2\" is never taken, so the pack omits the arrow"_s.arg(
        row.from.join(u", "_s), row.on.join(u", "_s));
}

/// Pack in which check() may still find errors, and the lines of its machine's transitions.
struct ConvertedDraft
{
    PackMade made;
    QList<int> lines; ///< by transition: line of the arrow; 0: it has none
};

/// Converter of a statechart to a machine with the same states and arrows.
class MachineOfChart
{
public:
    MachineOfChart(const NamedChart &named, const ChartPlan &plan)
        : m_named(named), m_chart(named.chart), m_plan(plan), m_alphabet(alphabet(plan))
    {
        for (const Vertex &vertex : m_chart.vertices)
            m_vertices.insert(vertex.id, &vertex);
        for (const Note &note : m_chart.notes)
            m_notes[m_vertices.contains(note.of) ? note.of : QString()] += note.lines.join(u'\n');
        m_machine.id = m_chart.id.isEmpty() ? u"machine"_s : m_chart.id;
        m_machine.title = m_chart.title;
        keepAppearance(m_machine, m_chart);
    }

    ConvertedDraft made()
    {
        for (const Edge &edge : m_plan.edges)
            m_entered.unite(QSet<int>(edge.to.begin(), edge.to.end()));
        nameStates();
        addStates();
        addCreation();
        addEdges();
        m_machine.about = m_notes.value({}).join(u'\n');
        return { { packAround(m_machine), m_remarks }, m_lines };
    }

private:
    /// Takes an unused name for a state: "absent", then "absent 2".
    QString takeName(const QString &wish)
    {
        const bool isReserved = wish == AnyState || wish == SameState || wish == LastState;
        const QString base = wish.isEmpty() || isReserved ? wish + u'_' : wish;
        const QString name = freshName(base, m_taken, " ");
        m_taken.insert(name);
        return name;
    }

    /// Adds a row on the triggers that no earlier row shadows. If no trigger is left, adds a remark
    /// instead. `line`: line of the arrow.
    void addRow(Transition row, int line)
    {
        QList<qsizetype> &earlier = m_rowsFrom[row.from.first()];
        const Transition original = row;
        row.on.removeIf([&](const QString &trigger) {
            return std::ranges::any_of(earlier, [&](qsizetype each) {
                const Transition &other = m_machine.transitions[each];
                const bool leavesAll = std::ranges::all_of(
                    original.from, [&](const QString &from) { return other.from.contains(from); });
                return leavesAll && other.on.contains(trigger)
                    && (other.condition.kind == Condition::Kind::Always
                        || other.condition == original.condition);
            });
        });
        if (row.on.isEmpty()) {
            m_remarks.append({ line, neverTakenText(original) });
            return;
        }
        earlier += m_machine.transitions.size();
        m_machine.transitions.append(row);
        m_lines.append(line);
    }

    /// Adds a row on an operation that no other row of the state has.
    Transition &addRow(const QString &from, const QString &on, const QString &to)
    {
        addRow(Transition { .from = { from }, .on = { on }, .to = { to } }, 0);
        return m_machine.transitions.last();
    }

    bool isComposite(int node) const { return !m_plan.nodes[node].children.isEmpty(); }
    /// True for an unnamed final state of the whole chart, which removes the resource.
    bool isEnd(int node) const
    {
        return m_plan.nodes[node].kind == Kind::Final && m_plan.nodes[node].parent == 0
            && !m_vertices[m_plan.nodes[node].id]->isNamed;
    }
    /// True for an initial dot whose arrow only gives the initial state of its composite.
    bool isInitialDot(int node) const
    {
        return m_plan.nodes[node].kind == Kind::Initial
            && m_plan.nodes[m_plan.nodes[node].parent].initial != QList<int> { node }
        && !m_entered.contains(node);
    }

    void nameStates()
    {
        m_states.resize(m_plan.nodes.size());
        for (int node = 1; node < m_plan.nodes.size(); ++node) {
            if (!isInitialDot(node) && !isEnd(node) && !m_plan.isHistory(node))
                m_states[node] = takeName(m_plan.nodes[node].id);
        }
        m_absent = takeName(u"absent"_s);
        m_machine.states += State { .id = m_absent, .kind = State::Kind::Initial };
        for (int node = 1; node < m_plan.nodes.size(); ++node) {
            if (isEnd(node))
                m_states[node] = m_absent;
        }
    }

    /// Returns the leaf that is active after entering a vertex.
    int leafOf(int node) const
    {
        while (isComposite(node) && !m_plan.nodes[node].initial.isEmpty())
            node = m_plan.nodes[node].initial.first();
        return node;
    }

    QStringList leavesOf(const QString &id) const
    {
        const int node = m_plan.index.value(id, -1);
        QStringList result;
        for (int at = node; at > 0 && at < m_plan.nodes[node].end; ++at) {
            if (!isComposite(at) && !m_states[at].isEmpty() && !isEnd(at))
                result += m_states[at];
        }
        return result;
    }

    Condition condition(const Guard &guard) const
    {
        return conditionFrom(guard, [this](const QString &id) { return leavesOf(id); });
    }

    /// Returns the edges out of a leaf, then those out of the composites around it.
    QList<int> edgesOut(int leaf) const
    {
        QList<int> result;
        for (int at = leaf; at > 0; at = m_plan.nodes[at].parent)
            result += m_plan.nodes[at].edges;
        return result;
    }

    /// Returns the eventless and completion edges out of a leaf and the composites around it.
    QList<int> immediate(int leaf) const
    {
        QList<int> result = edgesOut(leaf);
        result.removeIf([&](int edge) {
            return !isImmediate(leaf, m_plan.edges[edge])
                || m_plan.edges[edge].guard.kind == Guard::Kind::Never;
        });
        return result;
    }

    bool isImmediate(int leaf, const Edge &edge) const
    {
        if (edge.to.isEmpty())
            return false;
        if (m_plan.nodes[leaf].kind != Kind::Final)
            return edge.events.isEmpty();
        const QString done = u"done.state."_s + m_plan.nodes[m_plan.nodes[leaf].parent].id;
        return edge.events.isEmpty() || std::ranges::any_of(edge.events, [&](const QString &each) {
            return describes(each, done);
        });
    }

    /// True if an outcome of work triggers an edge out of a leaf or a composite around it.
    bool takesOutcome(int leaf) const
    {
        return std::ranges::any_of(edgesOut(leaf), [this](int edge) {
            return std::ranges::any_of(m_plan.edges[edge].events, [this](const QString &event) {
                return event == Succeeded || m_named.newOutcomes.contains(event);
            });
        });
    }

    void addStates()
    {
        QList<int> open;
        const auto push = [&](int node) { // the initial state comes first
            QList<int> children = m_plan.nodes[node].children;
            const int first = m_plan.nodes[node].initial.value(0, -1);
            std::ranges::stable_partition(children,
                [&](int child) { return child == first || m_plan.isInside(first, child); });
            for (qsizetype i = children.size(); i-- > 0;)
                open += children[i];
        };
        push(0);
        while (!open.isEmpty()) {
            const int node = open.takeLast();
            push(node);
            if (m_states[node].isEmpty() || isEnd(node))
                continue;
            addState(node);
        }
    }

    void addState(int node)
    {
        const Vertex &vertex = *m_vertices[m_plan.nodes[node].id];
        State state { .id = m_states[node],
            .parent =
                m_plan.nodes[node].parent > 0 ? m_states[m_plan.nodes[node].parent] : QString(),
            .label = vertex.label };
        state.about = (vertex.description + m_notes.value(vertex.id)).join(u'\n');
        if (vertex.bounds)
            state.position = vertex.bounds->center();
        keepAppearance(state, vertex);
        if (isComposite(node)) {
            state.kind = State::Kind::Composite;
            m_machine.states.append(state);
            return;
        }
        setWork(node, state);
        m_machine.states.append(state);
    }

    void setWork(int leaf, State &state)
    {
        QList<Condition> all;
        bool isCertain = false; // an arrow without a condition shadows the next arrows
        for (const int edge : immediate(leaf)) {
            if (isCertain)
                break;
            all += condition(m_plan.edges[edge].guard);
            isCertain = all.last().kind == Condition::Kind::Always;
        }
        if (all.isEmpty() && !takesOutcome(leaf))
            return;
        state.kind = State::Kind::Transitional;
        if (const QString name = defaultOutcome(leaf); !name.isEmpty()) {
            state.ownWork = true;
            state.work = { Step { .kind = Step::Kind::Attempt, .name = name } };
            return;
        }
        const bool isState = m_plan.nodes[leaf].kind == Kind::State;
        if (isState && (isCertain || all.isEmpty() || takesOutcome(leaf)))
            return;
        state.ownWork = true;
        if (!isCertain)
            state.work = { Step { .kind = Step::Kind::Until, .until = anyOf(all) } };
    }

    /// Returns the default outcome of a leaf, or of the innermost composite that ends its work.
    QString defaultOutcome(int leaf) const
    {
        for (int at = leaf; at > 0; at = m_plan.nodes[at].parent) {
            if (const QString name = m_named.defaults.value(m_plan.nodes[at].id); !name.isEmpty())
                return name;
            if (std::ranges::any_of(m_plan.nodes[at].edges, [&](int edge) {
                    return isImmediate(leaf, m_plan.edges[edge])
                        && condition(m_plan.edges[edge].guard).kind == Condition::Kind::Always;
                }))
                return {};
        }
        return {};
    }

    bool isTransitional(int leaf) const { return !immediate(leaf).isEmpty() || takesOutcome(leaf); }

    /// Adds the operation that creates a resource. If the chart begins with work, adds a stable
    /// state and an operation that starts the work.
    void addCreation()
    {
        const int first = m_plan.nodes[0].initial.value(0, -1);
        const auto dot = std::ranges::find_if(m_chart.vertices,
            [](const Vertex &each) { return each.kind == Kind::Initial && each.parent.isEmpty(); });
        if (dot != m_chart.vertices.end() && dot->bounds
            && m_states[m_plan.index[dot->id]].isEmpty())
            m_machine.states.first().position = dot->bounds->center();
        const int leaf = first < 0 ? -1 : leafOf(first);
        const QString create = freshName(u"create"_s, m_alphabet, " ");
        const QString start = freshName(u"start"_s, m_alphabet, " ");
        const bool isStable = leaf >= 0 && !isEnd(leaf) && !isTransitional(leaf);
        m_machine.rest = isStable ? m_states[leaf] : takeName(u"waiting"_s);
        if (!isStable) {
            m_machine.states.insert(1, State { .id = m_machine.rest });
            addRow(m_absent, create, m_machine.rest);
        }
        if (leaf < 0)
            return;
        Transition &row = isStable ? addRow(m_absent, create, target(first))
                                   : addRow(m_machine.rest, start, target(first));
        for (const Edge &edge : m_plan.edges) {
            if (edge.arc >= 0 && isInitialDot(edge.from) && m_plan.nodes[edge.from].parent == 0)
                describe(row, m_chart.arcs[edge.arc]);
        }
        if (!isStable)
            m_remarks.append({ 0,
                u"the chart begins in a state with work; in the pack, resources begin in \"%1\", and the operation \"%2\" starts that work"_s
                    .arg(m_machine.rest, start),
                Diagnostic::Severity::Note });
    }

    /// Returns the state that a row to a node names: the node's state if the pack then enters the
    /// same leaf as the chart, else the leaf's state.
    QString target(int node) const
    {
        const int leaf = leafOf(node);
        if (leaf == node)
            return m_states[node];
        int at = node;
        while (isComposite(at)) { // enters the same children as a pack's machine would
            const int first = m_plan.nodes[at].initial.value(0, -1);
            const auto &children = m_plan.nodes[at].children;
            const auto found = std::ranges::find_if(children,
                [&](int child) { return child == first || m_plan.isInside(first, child); });
            if (found == children.end())
                return m_states[leaf];
            at = *found;
        }
        return at == leaf ? m_states[node] : m_states[leaf];
    }

    void addEdges()
    {
        QList<int> order(m_plan.edges.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::greater(),
            [this](int edge) { return m_plan.nodes[m_plan.edges[edge].from].depth; });
        for (const int edge : std::as_const(order))
            add(m_plan.edges[edge]);
    }

    void add(const Edge &edge)
    {
        if (isInitialDot(edge.from))
            return;
        if (edge.guard.kind == Guard::Kind::Never) {
            m_remarks.append({ lineOf(edge),
                arrowWords(m_chart.arcs[edge.arc])
                    + u" is never taken, so the pack omits the arrow"_s });
            return;
        }
        Transition row { .from = { m_states[edge.from] },
            .on = triggers(edge),
            .condition = condition(edge.guard) };
        if (!edge.to.isEmpty())
            row.to = { target(edge.to.first()) };
        if (edge.arc >= 0)
            describe(row, m_chart.arcs[edge.arc]);
        if (!row.on.isEmpty())
            addRow(row, lineOf(edge));
        else if (edge.to.isEmpty())
            m_remarks.append({ lineOf(edge),
                u"an arrow of \"%1\" has neither event nor target, so the pack omits the arrow"_s
                    .arg(m_plan.nodes[edge.from].id) });
        addCompletions(edge, row);
    }

    int lineOf(const Edge &edge) const { return edge.arc < 0 ? 0 : m_chart.arcs[edge.arc].line; }

    /// Adds a row out of the final states for which an arrow waits.
    void addCompletions(const Edge &edge, Transition row)
    {
        if (edge.to.isEmpty() || edge.events.isEmpty())
            return;
        row.from.clear();
        for (int node = edge.from; node < m_plan.nodes[edge.from].end; ++node) {
            if (m_plan.nodes[node].kind == Kind::Final && !isEnd(node) && isImmediate(node, edge))
                row.from += m_states[node];
        }
        row.on = { Succeeded };
        if (!row.from.isEmpty())
            addRow(row, lineOf(edge));
    }

    QStringList triggers(const Edge &edge)
    {
        if (edge.events.isEmpty())
            return edge.to.isEmpty() ? QStringList() : QStringList { Succeeded };
        QStringList result;
        for (const QString &descriptor : edge.events)
            for (const QString &event : m_alphabet)
                if (describes(descriptor, event) && !m_plan.isCompletion(event))
                    result += trigger(event, edge.from);
        result.removeDuplicates();
        return result;
    }

    /// Returns the trigger for an event out of a vertex. An event with the name of an outcome of
    /// work is renamed if the vertex contains no transitional state, as only these have work.
    QString trigger(const QString &event, int from)
    {
        if (!isOutcome(event))
            return event;
        for (int node = from; node < m_plan.nodes[from].end; ++node) {
            if (!isComposite(node) && isTransitional(node))
                return event;
        }
        return event + u" (event)"_s;
    }

    /// Adds an arrow's note, label and appearance to a row.
    static void describe(Transition &row, const Arc &arc)
    {
        const auto append = [](QString &to, const QString &text, const QString &between) {
            to += to.isEmpty() || text.isEmpty() ? text : between + text;
        };
        append(row.about, arc.note.join(u'\n'), u"\n"_s);
        if (!arc.label.isEmpty() || !arc.action.isEmpty())
            append(row.label, arc.text(), u"; "_s);
        keepAppearance(row, arc);
    }

    const NamedChart &m_named;
    const Statechart &m_chart;
    const ChartPlan &m_plan;
    QStringList m_alphabet;
    QHash<QString, const Vertex *> m_vertices;
    QHash<QString, QStringList> m_notes; ///< by vertex; "": free notes
    QSet<QString> m_taken;               ///< names of states
    QString m_absent;
    Machine m_machine;
    QList<int> m_lines; ///< by transition: line of the arrow
    QList<Diagnostic> m_remarks;
    QHash<QString, QList<qsizetype>> m_rowsFrom; ///< first source state -> rows
    QSet<int> m_entered;                         ///< nodes to which arrows lead
    QStringList m_states;                        ///< node -> state; empty: none
};

void removeStates(Condition &condition, const QSet<QString> &states)
{
    condition.states.removeIf([&](const QString &state) { return states.contains(state); });
    for (Condition &part : condition.parts)
        removeStates(part, states);
}

/// Removes rows and states, and all mentions of these states.
void remove(ConvertedDraft &draft, const QSet<qsizetype> &rows, const QSet<QString> &states)
{
    const auto isGone = [&](const QString &id) { return states.contains(id); };
    Machine &machine = draft.made.pack.machines.first();
    machine.states.removeIf([&](const State &state) { return isGone(state.id); });
    for (State &state : machine.states)
        for (Step &step : state.work)
            removeStates(step.until, states);
    for (qsizetype i = machine.transitions.size(); i-- > 0;) {
        Transition &row = machine.transitions[i];
        row.from.removeIf(isGone);
        row.to.removeIf(isGone);
        removeStates(row.condition, states);
        if (rows.contains(i) || row.from.isEmpty()) {
            machine.transitions.removeAt(i);
            draft.lines.removeAt(i);
        }
    }
}

/// Adds the operations, first the operations on existing resources.
void addOperations(Pack &pack)
{
    const Machine &machine = pack.machines.first();
    QStringList names = pack.operationNames();
    std::ranges::stable_partition(names, [&](const QString &name) {
        return std::ranges::any_of(machine.transitions, [&](const Transition &row) {
            return row.on.contains(name) && row.from != QStringList { machine.initial() };
        });
    });
    for (const QString &name : std::as_const(names))
        pack.operations += OperationKind { .id = name };
}

/// Removes and reports the rows and states in which check() finds errors; fails if errors remain.
Result<PackMade> repaired(ConvertedDraft draft, const Statechart &chart)
{
    PackMade &made = draft.made;
    const auto lineOf = [&](const QString &id) {
        const Vertex *vertex = chart.vertex(id);
        return vertex ? vertex->line : 0;
    };
    constexpr int mostRounds = 50; // a removal may cause the next error
    for (int round = 0; round < mostRounds; ++round) {
        Machine &machine = made.pack.machines.first();
        QSet<QString> states;
        QSet<qsizetype> rows;
        QString endless;
        for (const Diagnostic &diagnostic : check(made.pack)) {
            if (diagnostic.severity != Diagnostic::Severity::Error)
                continue;
            // The pointer is "/machines/ID/states/ID" or "/machines/ID/transitions/INDEX".
            QString row = diagnostic.pointer.section(u'/', 4, 4);
            row.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
            if (diagnostic.code == u"unreachable-state" || diagnostic.code == u"empty-composite")
                states.insert(row);
            else if (diagnostic.code == u"livelock")
                endless = machine.transitions[row.toInt()].from.first();
            else if (diagnostic.code == u"never-speaks" || diagnostic.code == u"nondeterminism")
                rows.insert(row.toInt());
            else
                return Error { u"the converted pack would be invalid: %1"_s.arg(diagnostic.text) };
        }
        if (states.isEmpty() && rows.isEmpty() && endless.isEmpty()) {
            addOperations(made.pack);
            return std::move(made);
        }
        if (!endless.isEmpty()) { // one state of the loop has to take time
            const auto state = std::ranges::find(machine.states, endless, &State::id);
            if (state == machine.states.end() || !state->ownWork)
                return Error { u"\"%1\" is in an endless loop of arrows without events"_s.arg(
                    endless) };
            state->ownWork = false;
            state->work.clear();
            made.remarks.append({ lineOf(endless),
                u"\"%1\" is in an endless loop; in the pack, the state's work takes time"_s.arg(
                    endless),
                Diagnostic::Severity::Note });
        }
        for (const QString &id : std::as_const(states)) {
            const bool hasArrows =
                std::ranges::find(chart.arcs, id, &Arc::from) != chart.arcs.end();
            made.remarks.append({ lineOf(id),
                u"no arrow leads to \"%1\", so the pack omits the state%2"_s.arg(
                    id, hasArrows ? u" and its arrows"_s : QString()) });
        }
        for (const qsizetype row : std::as_const(rows))
            made.remarks.append({ draft.lines[row], neverTakenText(machine.transitions[row]) });
        remove(draft, rows, states);
    }
    return Error { u"the statechart cannot be converted to a pack"_s };
}

/// Returns why a chart needs the interpreter, in one sentence; empty: a pack can express the chart.
QString whyNoPack(const Statechart &chart, const ChartPlan &plan)
{
    QStringList parts;
    const auto add = [&](const QString &phrase, const QString &id) {
        const Vertex *vertex = chart.vertex(id);
        parts += phrase.arg(id.isEmpty() ? u"the chart"_s : u'"' + id + u'"')
            + (vertex && vertex->line ? u" (line %1)"_s.arg(vertex->line) : u""_s);
    };
    for (const ChartPlan::Node &node : plan.nodes) {
        if (!node.histories.isEmpty())
            add(u"the history of %1"_s, node.id);
        if (node.kind == Kind::Parallel || node.initial.size() > 1)
            add(u"the regions of %1"_s, node.id);
        if (!node.entering.isEmpty() || !node.leaving.isEmpty())
            add(u"the events that %1 raises"_s, node.id);
    }
    const bool areExpressible = std::ranges::all_of(plan.edges, [](const Edge &edge) {
        return edge.to.size() < 2 && edge.arrivals.isEmpty() && edge.actionEvents.isEmpty();
    });
    if (parts.isEmpty() && areExpressible)
        return {};
    constexpr qsizetype most = 4;
    if (const qsizetype more = parts.size() - most; more > 0)
        parts = parts.first(most) << u"%1 more"_s.arg(more);
    if (parts.isEmpty())
        parts = { u"the events that the chart's arrows raise"_s };
    return u"a pack cannot express %1; keep the chart as PlantUML, SCXML or Mermaid, or use plain states only"_s
        .arg(parts.join(u", "_s));
}

} // namespace

Condition conditionOf(const QString &text)
{
    const std::function<bool(const Guard &)> isMadeOfNames = [&](const Guard &guard) {
        return guard.kind == Guard::Kind::Name
            || (!guard.parts.isEmpty() && std::ranges::all_of(guard.parts, isMadeOfNames));
    };
    if (text.trimmed().isEmpty())
        return {};
    const Guard guard = guardOf(text);
    return isMadeOfNames(guard) ? conditionFrom(guard, {}) : labelled(text);
}

bool isOutcome(const QString &event)
{
    static const QStringList builtIn = Pack().outcomeNames();
    return builtIn.contains(event);
}

bool needsInterpreter(const Statechart &chart)
{
    const Result<ChartPlan> plan = planOf(chart);
    return plan && !whyNoPack(chart, *plan).isEmpty();
}

Result<PackMade> packOf(const Statechart &chart)
{
    const NamedChart named = OutcomeNamer(chart).made();
    const Result<ChartPlan> plan = planOf(named.chart);
    if (!plan)
        return Error { plan.error() };
    if (plan->nodes.size() > MostStates + 1)
        return Error { u"there are %1 states, more than the %2 that can run"_s
                           .arg(plan->nodes.size() - 1)
                           .arg(MostStates) };
    if (const QString why = whyNoPack(chart, *plan); !why.isEmpty())
        return Error { why };
    ConvertedDraft draft = MachineOfChart(named, *plan).made();
    draft.made.remarks =
        plan->remarks + named.remarks + eventlessNote(named.chart, *plan) + draft.made.remarks;
    for (const QString &name : named.newOutcomes)
        if (!isOutcome(name)) // a new outcome is never a failure
            draft.made.pack.outcomes += Outcome { .id = name, .status = u"Succeeded"_s };
    Result<PackMade> result = repaired(std::move(draft), named.chart);
    if (result)
        std::ranges::stable_sort(result->remarks, {}, &Diagnostic::line);
    return result;
}

} // namespace instar
