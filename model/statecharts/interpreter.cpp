// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/interpreter.h"

#include <QSet>

#include <algorithm>
#include <set>

namespace instar {

namespace {

using Kind = Vertex::Kind;
using Edge = ChartPlan::Edge;

/// Microstep of the interpreter: selects transitions and computes their exit and entry sets.
class Microstep
{
public:
    Microstep(const ChartPlan &plan, Situation &situation, const Answers &answers)
        : m_plan(plan),
          m_situation(situation),
          m_answers(answers),
          m_active(situation.active.begin(), situation.active.end())
    { }

    /// Returns the edges enabled by an event, without conflicts; for null, the eventless edges.
    QList<int> selected(const QString *event) const
    {
        QList<int> result;
        for (const int node : m_situation.active) {
            if (!isAtomic(node))
                continue;
            for (int at = node; at >= 0; at = m_plan.nodes[at].parent) {
                const int edge = firstEnabledEdge(at, event);
                if (edge < 0)
                    continue;
                if (!result.contains(edge))
                    result += edge;
                break;
            }
        }
        return withoutConflicts(result);
    }

    void take(const QList<int> &edges)
    {
        QSet<int> leaving;
        for (const int edge : edges)
            leaving.unite(exitSet(m_plan.edges[edge]));
        exitNodes(leaving);
        for (const int edge : edges)
            raise(m_plan.edges[edge].actionEvents);
        m_entering.clear();
        for (const int index : edges) {
            const Edge &edge = m_plan.edges[index];
            for (const int to : edge.to)
                enterWithDescendants(to);
            const int domain = domainOf(edge);
            for (const int to : effectiveTargets(edge))
                enterAncestors(to, domain);
        }
        activateEntered();
    }

    void begin()
    {
        enter(m_plan.nodes[0].initial, 0);
        activateEntered();
    }

private:
    bool isAtomic(int node) const
    {
        const auto inner = m_active.upper_bound(node);
        return inner == m_active.end() || *inner >= m_plan.nodes[node].end;
    }

    bool isActive(int node) const { return m_active.contains(node); }

    bool holds(const Guard &guard) const
    {
        const auto part = [this](const Guard &each) { return holds(each); };
        switch (guard.kind) {
        case Guard::Kind::Always:
        case Guard::Kind::Else: // evaluated after all other guards
            return true;
        case Guard::Kind::Never:
            return false;
        case Guard::Kind::Name:
            return m_answers(guard.text);
        case Guard::Kind::In:
            return isActive(m_plan.index.value(guard.text, -1));
        case Guard::Kind::Not:
            return !holds(guard.parts.first());
        case Guard::Kind::All:
            return std::ranges::all_of(guard.parts, part);
        case Guard::Kind::Any:
            return std::ranges::any_of(guard.parts, part);
        }
        return false;
    }

    int firstEnabledEdge(int node, const QString *event) const
    {
        const auto hasArrived = [&](const ChartPlan::Arrival &each) {
            return isActive(each.node) && (!each.isDone || isDone(each.node)) && holds(each.guard);
        };
        for (const int index : m_plan.nodes[node].edges) {
            const Edge &edge = m_plan.edges[index];
            const bool fits = event ? std::ranges::any_of(edge.events,
                                  [&](const QString &each) { return describes(each, *event); })
                                    : edge.events.isEmpty();
            if (fits && holds(edge.guard) && std::ranges::all_of(edge.arrivals, hasArrived))
                return index;
        }
        return -1;
    }

    bool isDone(int node) const
    {
        const QList<int> &children = m_plan.nodes[node].children;
        if (m_plan.isParallel(node))
            return std::ranges::all_of(children, [this](int child) { return isDone(child); });
        return std::ranges::any_of(children, [this](int child) {
            return m_plan.nodes[child].kind == Kind::Final && isActive(child);
        });
    }

    /// Removes preempted edges: an inner edge preempts outer ones, then document order decides.
    QList<int> withoutConflicts(const QList<int> &edges) const
    {
        if (edges.size() < 2)
            return edges;
        QList<int> remaining;
        for (const int edge : edges) {
            const QSet<int> leaving = exitSet(m_plan.edges[edge]);
            const auto conflicts = [&](int other) {
                return leaving.intersects(exitSet(m_plan.edges[other]));
            };
            const bool isPreempted = std::ranges::any_of(remaining, [&](int other) {
                return conflicts(other)
                    && !m_plan.isInside(m_plan.edges[edge].from, m_plan.edges[other].from);
            });
            if (isPreempted)
                continue;
            remaining.removeIf(conflicts);
            remaining += edge;
        }
        return remaining;
    }

    QList<int> historyTargets(int history) const
    {
        const auto memory = m_situation.memory.constFind(history);
        return memory == m_situation.memory.constEnd() ? m_plan.nodes[history].initial : *memory;
    }

    QList<int> effectiveTargets(const Edge &edge) const
    {
        return mapped<QList<int>>(edge.to,
            [&](int to) { return m_plan.isHistory(to) ? historyTargets(to) : QList<int> { to }; });
    }

    /// Returns the innermost composite, not parallel, that an edge does not leave.
    int domainOf(const Edge &edge) const
    {
        const QList<int> to = effectiveTargets(edge);
        const auto allInside = [&](int around) {
            return std::ranges::all_of(to, [&](int each) { return m_plan.isInside(each, around); });
        };
        const bool isCompound =
            !m_plan.isParallel(edge.from) && !m_plan.nodes[edge.from].children.isEmpty();
        if (edge.isInternal && isCompound && allInside(edge.from))
            return edge.from;
        int at = m_plan.nodes[edge.from].parent;
        while (at > 0 && (m_plan.isParallel(at) || !allInside(at) || !arrivesFrom(edge, at)))
            at = m_plan.nodes[at].parent;
        return std::max(at, 0);
    }

    bool arrivesFrom(const Edge &edge, int around) const
    {
        return std::ranges::all_of(edge.arrivals,
            [&](const ChartPlan::Arrival &each) { return m_plan.isInside(each.node, around); });
    }

    QSet<int> exitSet(const Edge &edge) const
    {
        if (edge.to.isEmpty())
            return {};
        const int domain = domainOf(edge);
        return QSet<int>(
            m_active.upper_bound(domain), m_active.lower_bound(m_plan.nodes[domain].end));
    }

    void exitNodes(const QSet<int> &nodes)
    {
        for (const int node : nodes) {
            for (const int history : m_plan.nodes[node].histories) {
                QList<int> &memory = m_situation.memory[history];
                memory.clear();
                for (auto it = m_active.upper_bound(node);
                     it != m_active.end() && *it < m_plan.nodes[node].end; ++it) {
                    const bool isDeep = m_plan.nodes[history].kind == Kind::DeepHistory;
                    if (isDeep ? isAtomic(*it) : m_plan.nodes[*it].parent == node)
                        memory += *it;
                }
            }
        }
        QList<int> inwards(nodes.begin(), nodes.end());
        std::ranges::sort(inwards, std::greater());
        for (const int node : std::as_const(inwards)) {
            raise(m_plan.nodes[node].leaving);
            m_active.erase(node);
        }
    }

    /// Enters nodes with their default content, and the nodes around them up to `domain`.
    void enter(const QList<int> &nodes, int domain)
    {
        for (const int node : nodes)
            enterWithDescendants(node);
        for (const int node : nodes)
            enterAncestors(node, domain);
    }

    void enterWithDescendants(int node)
    {
        if (m_plan.isHistory(node))
            return enter(historyTargets(node), m_plan.nodes[node].parent);
        m_entering.insert(node);
        if (m_plan.isParallel(node))
            enterRegions(node);
        else
            enter(m_plan.nodes[node].initial, node);
    }

    void enterRegions(int node)
    {
        for (const int region : m_plan.nodes[node].children) {
            const auto inside = m_entering.upper_bound(region);
            if (inside == m_entering.end() || *inside >= m_plan.nodes[region].end)
                enterWithDescendants(region);
        }
    }

    void enterAncestors(int node, int domain)
    {
        for (int at = m_plan.nodes[node].parent; at > 0 && at != domain;
             at = m_plan.nodes[at].parent) {
            m_entering.insert(at);
            if (m_plan.isParallel(at))
                enterRegions(at);
        }
    }

    void activateEntered()
    {
        m_active.insert(m_entering.begin(), m_entering.end());
        for (const int node : m_entering) {
            raise(m_plan.nodes[node].entering);
            if (m_plan.nodes[node].kind == Kind::Final)
                complete(m_plan.nodes[node].parent);
        }
        m_situation.active = QList<int>(m_active.begin(), m_active.end());
    }

    void raise(const OwnEvents &events)
    {
        m_situation.queue += events.raised;
        m_situation.sent += events.sent;
    }

    /// Raises the completion of a composite whose final child was entered.
    void complete(int composite)
    {
        if (composite == 0) {
            m_situation.isOver = true;
            return;
        }
        m_situation.queue += u"done.state."_s + m_plan.nodes[composite].id;
        const int around = m_plan.nodes[composite].parent;
        if (around > 0 && m_plan.isParallel(around) && isDone(around))
            m_situation.queue += u"done.state."_s + m_plan.nodes[around].id;
    }

    const ChartPlan &m_plan;
    Situation &m_situation;
    const Answers &m_answers;
    std::set<int> m_active;
    std::set<int> m_entering;
};

constexpr int MostMicrosteps = 1000; ///< in one macrostep

void take(Microstep &step, const QList<int> &edges, Move &move)
{
    step.take(edges);
    move.isTaken = true;
    move.edges += edges;
}

} // namespace

bool describes(QStringView descriptor, QStringView event)
{
    if (descriptor == u"*")
        return true;
    if (descriptor.endsWith(u".*"))
        descriptor.chop(2);
    else if (descriptor.endsWith(u'.'))
        descriptor.chop(1);
    return event.startsWith(descriptor)
        && (event.size() == descriptor.size() || event[descriptor.size()] == u'.');
}

/// Takes eventless edges and handles the chart's own events until no edge and no event is left.
Move Interpreter::settled(Move move, const Answers &answers) const
{
    for (int steps = 0; !move.to.isOver; ++steps) {
        Microstep step(m_plan, move.to, answers);
        QList<int> edges = step.selected(nullptr);
        if (edges.isEmpty()) {
            QStringList &next = move.to.queue.isEmpty() ? move.to.sent : move.to.queue;
            if (next.isEmpty())
                return move;
            const QString event = next.takeFirst();
            edges = step.selected(&event);
        }
        if (edges.isEmpty())
            continue;
        if (steps >= MostMicrosteps) {
            move.isEndless = true;
            return move;
        }
        take(step, edges, move);
    }
    move.to.queue.clear();
    move.to.sent.clear();
    return move;
}

Move Interpreter::begun(const Answers &answers) const
{
    Move move;
    if (m_plan.nodes[0].initial.isEmpty())
        return move;
    Microstep(m_plan, move.to, answers).begin();
    move.isTaken = true;
    return settled(move, answers);
}

Move Interpreter::after(const Situation &from, const QString &event, const Answers &answers) const
{
    Move move { .to = from };
    if (from.isOver)
        return move;
    Microstep step(m_plan, move.to, answers);
    const QList<int> edges = step.selected(&event);
    if (edges.isEmpty())
        return move;
    take(step, edges, move);
    return settled(move, answers);
}

QStringList Interpreter::configuration(const Situation &situation) const
{
    QStringList result;
    for (qsizetype i = 0; i < situation.active.size(); ++i) {
        const int node = situation.active[i];
        const bool isLeaf =
            i + 1 == situation.active.size() || situation.active[i + 1] >= m_plan.nodes[node].end;
        if (isLeaf)
            result += m_plan.nodes[node].name;
    }
    result.sort();
    result.removeDuplicates();
    return result;
}

QStringList Interpreter::awaited(const Situation &situation) const
{
    QStringList result;
    for (const int node : situation.active) {
        for (const int edge : m_plan.nodes[node].edges)
            result += m_plan.edges[edge].events;
    }
    result.removeDuplicates();
    return result;
}

} // namespace instar
