// SPDX-License-Identifier: Apache-2.0
#include "model/pack/runnablepack.h"
#include "model/statecharts/conversionparts.h"
#include "model/statecharts/interpreter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;
using Way = ChartPlan::Way;

const QString Succeeded = u"succeeded"_s;

/// A machine of the same states and arrows.
class PlainMachine
{
public:
    PlainMachine(const OutcomesNamed &named, const ChartPlan &plan)
        : m_named(named),
          m_chart(named.chart),
          m(plan),
          m_texts(named.chart),
          m_alphabet(alphabet(plan))
    {
        for (const Vertex &vertex : m_chart.vertices)
            m_vertices.insert(vertex.id, &vertex);
        m_machine.id = m_chart.id.isEmpty() ? u"machine"_s : m_chart.id;
        m_machine.title = m_chart.title;
    }

    ConvertedDraft made()
    {
        for (const Way &way : m.ways)
            m_entered.unite(QSet<int>(way.to.begin(), way.to.end()));
        nameStates();
        addStates();
        begin();
        addWays();
        m_machine.about = m_texts.about();
        return { { packAround(m_machine), m_remarks + m_texts.lost() }, m_lines };
    }

private:
    /// Adds the initial state.
    void addAbsent()
    {
        State absent;
        absent.id = m_absent = m_names.unused(u"absent"_s);
        absent.kind = State::Kind::Initial;
        m_machine.states.append(absent);
    }

    /// Adds the state that waits for startOperation(), and the row that creates a resource in it.
    void addWaiting()
    {
        State waiting;
        waiting.id = m_machine.rest = m_names.unused(u"waiting"_s);
        m_machine.states.insert(1, waiting);
        addRow(m_absent, createOperation(), waiting.id);
    }

    QString createOperation() const { return unusedOperation(u"create"_s, m_alphabet); }
    QString startOperation() const { return unusedOperation(u"start"_s, m_alphabet); }

    /// `line`: that of the arrow behind it.
    void addRow(const Transition &row, int line)
    {
        m_machine.transitions.append(row);
        m_lines.append(line);
    }

    Transition &addRow(const QString &from, const QString &on, const QString &to)
    {
        Transition row;
        row.from = { from };
        row.on = { on };
        row.to = { to };
        addRow(row, 0);
        return m_machine.transitions.last();
    }

    bool hearsOutcome(const QStringList &events) const
    {
        return std::ranges::any_of(events, [this](const QString &event) {
            return event == Succeeded || m_named.made.contains(event);
        });
    }

    bool isComposite(int node) const { return !m.nodes[node].children.isEmpty(); }
    bool isEnd(int node) const
    {
        return m.nodes[node].kind == Kind::Final && m.nodes[node].parent == 0
            && !m_vertices[m.nodes[node].id]->isNamed;
    }
    /// A dot whose arrow only says where its composite begins.
    bool isDot(int node) const
    {
        return m.nodes[node].kind == Kind::Initial
            && m.nodes[m.nodes[node].parent].initial != QList<int> { node }
        && !m_entered.contains(node);
    }

    void nameStates()
    {
        m_states.resize(m.nodes.size());
        for (int node = 1; node < m.nodes.size(); ++node) {
            if (!isDot(node) && !isEnd(node) && !m.isHistory(node))
                m_states[node] = m_names.unused(m.nodes[node].id);
        }
        addAbsent();
        for (int node = 1; node < m.nodes.size(); ++node) {
            if (isEnd(node))
                m_states[node] = m_absent;
        }
    }

    /// The leaf in which a vertex is entered.
    int leafOf(int node) const
    {
        while (isComposite(node) && !m.nodes[node].initial.isEmpty())
            node = m.nodes[node].initial.first();
        return node;
    }

    QStringList leavesOf(const QString &id) const
    {
        const int node = m.index.value(id, -1);
        QStringList result;
        for (int at = node; at > 0 && at < m.nodes[node].end; ++at) {
            if (!isComposite(at) && !m_states[at].isEmpty() && !isEnd(at))
                result += m_states[at];
        }
        return result;
    }

    Condition condition(const Guard &guard) const
    {
        return conditionOf(simplified(guard), [this](const QString &id) { return leavesOf(id); });
    }

    /// Arrows out of a leaf or what is around it that need no event, or its final state's.
    QList<int> immediate(int leaf) const
    {
        QList<int> result;
        for (int at = leaf; at > 0; at = m.nodes[at].parent) {
            for (const int way : m.nodes[at].ways) {
                if (isImmediate(leaf, m.ways[way])
                    && simplified(m.ways[way].guard).kind != Guard::Kind::Never)
                    result += way;
            }
        }
        return result;
    }

    bool isImmediate(int leaf, const Way &way) const
    {
        if (way.to.isEmpty())
            return false;
        if (m.nodes[leaf].kind != Kind::Final)
            return way.events.isEmpty();
        const QString done = u"done.state."_s + m.nodes[m.nodes[leaf].parent].id;
        return way.events.isEmpty() || std::ranges::any_of(way.events, [&](const QString &each) {
            return describes(each, done);
        });
    }

    /// Those behind the first one without a condition are never asked.
    QList<Condition> conditions(const QList<int> &ways, bool &isCertain) const
    {
        QList<Condition> result;
        for (const int way : ways) {
            result += condition(m.ways[way].guard);
            isCertain = result.last().kind == Condition::Kind::Always;
            if (isCertain)
                break;
        }
        return result;
    }

    bool hearsOutcome(int leaf) const
    {
        for (int at = leaf; at > 0; at = m.nodes[at].parent) {
            for (const int way : m.nodes[at].ways) {
                if (hearsOutcome(m.ways[way].events))
                    return true;
            }
        }
        return false;
    }

    void addStates()
    {
        QList<int> open;
        const auto push = [&](int node) { // where it begins comes first
            QList<int> children = m.nodes[node].children;
            const int first = m.nodes[node].initial.value(0, -1);
            std::ranges::stable_partition(
                children, [&](int child) { return child == first || m.isInside(first, child); });
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
        const Vertex &vertex = *m_vertices[m.nodes[node].id];
        State state;
        state.id = m_states[node];
        state.parent = m.nodes[node].parent > 0 ? m_states[m.nodes[node].parent] : QString();
        state.label = vertex.label;
        state.about = m_texts.about(vertex.id);
        if (vertex.place)
            state.position = vertex.place->center();
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
        bool isCertain = false;
        const QList<Condition> all = conditions(immediate(leaf), isCertain);
        if (all.isEmpty() && !hearsOutcome(leaf))
            return;
        state.kind = State::Kind::Transitional;
        if (const QString usual = usualOutcome(leaf); !usual.isEmpty()) {
            state.ownWork = true;
            state.work = workThatUsuallyEnds(usual);
            return;
        }
        const bool isPlain = m.nodes[leaf].kind == Kind::State;
        if (isPlain && (isCertain || all.isEmpty() || hearsOutcome(leaf)))
            return;
        state.ownWork = true;
        if (!isCertain)
            state.work = workUntil(all);
    }

    /// Of a leaf, or of what is around it where nothing further inside ends its work.
    QString usualOutcome(int leaf) const
    {
        for (int at = leaf; at > 0; at = m.nodes[at].parent) {
            if (const QString usual = m_named.usual.value(m.nodes[at].id); !usual.isEmpty())
                return usual;
            if (std::ranges::any_of(m.nodes[at].ways, [&](int way) {
                    return isImmediate(leaf, m.ways[way])
                        && simplified(m.ways[way].guard).kind == Guard::Kind::Always;
                }))
                return {};
        }
        return {};
    }

    bool isTransitional(int leaf) const { return !immediate(leaf).isEmpty() || hearsOutcome(leaf); }

    /// What is written at the arrow from the dot belongs to the row that follows it.
    void describeBeginning(Transition &row)
    {
        for (const Way &way : m.ways) {
            if (way.arc >= 0 && isDot(way.from) && m.nodes[way.from].parent == 0)
                m_texts.describe(row, way.arc);
        }
    }

    void begin()
    {
        const int first = m.nodes[0].initial.value(0, -1);
        const auto dot = std::ranges::find_if(m_chart.vertices,
            [](const Vertex &each) { return each.kind == Kind::Initial && each.parent.isEmpty(); });
        if (dot != m_chart.vertices.end() && dot->place && m_states[m.index[dot->id]].isEmpty())
            m_machine.states.first().position = dot->place->center();
        const int leaf = first < 0 ? -1 : leafOf(first);
        if (leaf >= 0 && !isEnd(leaf) && !isTransitional(leaf)) {
            m_machine.rest = m_states[leaf];
            describeBeginning(addRow(m_absent, createOperation(), target(first)));
            return;
        }
        addWaiting();
        if (leaf >= 0) {
            describeBeginning(addRow(m_machine.rest, startOperation(), target(first)));
            m_remarks.append(waitsFirst(m_machine.rest, startOperation()));
        }
    }

    /// A composite where entering it leads to the same leaf, else the leaf.
    QString target(int node) const
    {
        const int leaf = leafOf(node);
        if (leaf == node)
            return m_states[node];
        int at = node;
        while (isComposite(at)) { // as a machine enters it
            const int first = m.nodes[at].initial.value(0, -1);
            const auto &children = m.nodes[at].children;
            const auto found = std::ranges::find_if(
                children, [&](int child) { return child == first || m.isInside(first, child); });
            if (found == children.end())
                return m_states[leaf];
            at = *found;
        }
        return at == leaf ? m_states[node] : m_states[leaf];
    }

    void addWays()
    {
        QList<int> order;
        for (int way = 0; way < m.ways.size(); ++way)
            order += way;
        std::ranges::stable_sort(
            order, std::greater(), [this](int way) { return m.nodes[m.ways[way].from].depth; });
        for (const int way : std::as_const(order))
            add(m.ways[way]);
    }

    void add(const Way &way)
    {
        const Guard guard = simplified(way.guard);
        if (isDot(way.from))
            return;
        if (guard.kind == Guard::Kind::Never) {
            m_remarks.append(neverTaken(m_chart, way.arc));
            return;
        }
        Transition row;
        row.condition = condition(guard);
        if (!way.to.isEmpty())
            row.to = { target(way.to.first()) };
        if (way.arc >= 0)
            m_texts.describe(row, way.arc);
        row.from = { m_states[way.from] };
        row.on = triggers(way);
        const bool hasTriggers = !row.on.isEmpty();
        // What an earlier arrow takes whatever the conditions.
        QSet<QString> &taken = m_taken[way.from];
        row.on.removeIf([&](const QString &trigger) { return taken.contains(trigger); });
        if (row.condition.kind == Condition::Kind::Always)
            taken.unite(QSet<QString>(row.on.begin(), row.on.end()));
        if (!row.on.isEmpty())
            addRow(row, lineOf(way));
        else if (hasTriggers)
            m_remarks.append({ lineOf(way),
                u"an arrow of \"%1\" is never taken: another one comes first; it is not in the pack"_s
                    .arg(m.nodes[way.from].id) });
        else if (way.to.isEmpty())
            m_remarks.append({ lineOf(way),
                u"an arrow of \"%1\" has neither event nor target; it is not in the pack"_s.arg(
                    m.nodes[way.from].id) });
        addCompletions(way, row);
    }

    int lineOf(const Way &way) const { return way.arc < 0 ? 0 : m_chart.arcs[way.arc].line; }

    /// The arrow as one out of the final states that it waits for.
    void addCompletions(const Way &way, Transition row)
    {
        if (way.to.isEmpty() || way.events.isEmpty())
            return;
        row.from.clear();
        for (int node = way.from; node < m.nodes[way.from].end; ++node) {
            if (m.nodes[node].kind == Kind::Final && !isEnd(node) && isImmediate(node, way)
                && liesIn(node, way.from))
                row.from += m_states[node];
        }
        row.on = { Succeeded };
        if (!row.from.isEmpty())
            addRow(row, lineOf(way));
    }

    bool liesIn(int node, int around) const { return node == around || m.isInside(node, around); }

    QStringList triggers(const Way &way)
    {
        if (way.events.isEmpty())
            return way.to.isEmpty() ? QStringList() : QStringList { Succeeded };
        QStringList result;
        for (const QString &descriptor : way.events) {
            for (const QString &event : meant(descriptor, m_alphabet)) {
                if (!isCompletion(m, event))
                    result += trigger(event, way.from);
            }
        }
        result.removeDuplicates();
        return result;
    }

    /// Outcomes of work are heard in transitional states only.
    QString trigger(const QString &event, int from)
    {
        if (!isOutcome(event))
            return event;
        for (int node = from; node < m.nodes[from].end; ++node) {
            if (!isComposite(node) && isTransitional(node))
                return event;
        }
        return event + u" (event)"_s;
    }

    const OutcomesNamed &m_named;
    const Statechart &m_chart;
    const ChartPlan &m;
    ChartTexts m_texts;
    QStringList m_alphabet;
    QHash<QString, const Vertex *> m_vertices;
    FreshNames m_names;
    QString m_absent;
    Machine m_machine;
    QList<int> m_lines; ///< of the arrows behind its transitions
    QList<Diagnostic> m_remarks;
    QHash<int, QSet<QString>> m_taken; ///< node -> triggers
    QSet<int> m_entered;               ///< nodes to which arrows lead
    QStringList m_states;              ///< of each node; empty: it is none
};

} // namespace

ConvertedDraft plainPack(const OutcomesNamed &named, const ChartPlan &plan)
{
    return PlainMachine(named, plan).made();
}

} // namespace instar
