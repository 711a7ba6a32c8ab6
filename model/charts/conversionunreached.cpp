// SPDX-License-Identifier: Apache-2.0
#include "model/charts/conversionunreached.h"

#include "model/charts/chartunexecuted.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;

/// `to "b" (line 7)`
QString briefly(const Arc &arc)
{
    const QString what = arc.to.isEmpty() ? u"on \"%1\""_s.arg(arc.event.simplified())
                                          : u"to \"%1\""_s.arg(arc.to.join(u"\", \""_s));
    return arc.line > 0 ? u"%1 (line %2)"_s.arg(what).arg(arc.line) : what;
}

class Unreached
{
public:
    Unreached(const Statechart &chart, const ChartPlan &plan, const QSet<int> &followed,
        const QSet<int> &passed)
        : m_chart(chart), m(plan), m_passed(passed)
    {
        for (int way = 0; way < m.ways.size(); ++way)
            addWay(m.ways[way], followed.contains(way));
    }

    QList<Remark> remarks() const
    {
        QList<Remark> result;
        for (const Vertex &vertex : m_chart.vertices) {
            const int node = m.index.value(vertex.id, -1);
            if (node > 0 && m.nodes[node].id == vertex.id && isState(node, vertex)
                && !isReached(vertex.id))
                result.append(unreached(m_chart, vertex.id, m.nodes[node].name));
        }
        for (int arc = 0; arc < m_chart.arcs.size(); ++arc) {
            if (isReached(m_chart.arcs[arc].from) && !isTaken(arc))
                result.append(neverTaken(m_chart, arc));
        }
        return result;
    }

private:
    void addWay(const ChartPlan::Way &way, bool isFollowed)
    {
        m_known.insert(way.arc);
        if (!isFollowed)
            return;
        m_taken.insert(way.arc);
        if (m.nodes[way.from].kind == Kind::Fork)
            m_parted.insert(m.nodes[way.from].id);
        if (way.arrivals.isEmpty() || way.arc < 0 || way.arc >= m_chart.arcs.size())
            return;
        QSet<int> &arrived = m_joined[m_chart.arcs[way.arc].from];
        for (const ChartPlan::Arrival &each : way.arrivals)
            arrived.insert(each.node);
    }

    /// Dots and histories, and regions without a name, are passed with what they lead to.
    bool isState(int node, const Vertex &vertex) const
    {
        const bool isRegion = !vertex.isNamed && !m.nodes[node].children.isEmpty();
        return vertex.kind != Kind::Initial && !m.isHistory(node) && !isRegion;
    }

    bool isReached(const QString &id) const
    {
        return m_passed.contains(m.index.value(id, -1)) || m_joined.contains(id);
    }

    /// Those that have no way of their own share that of a fork or a join, or say how others go on.
    bool isTaken(int arc) const
    {
        const Arc &at = m_chart.arcs[arc];
        const bool isShared =
            m_parted.contains(at.from) || std::ranges::any_of(at.to, [&](const QString &to) {
                return m_joined.value(to).contains(m.index.value(at.from, -1));
            });
        const bool exists =
            std::ranges::all_of(at.to, [this](const QString &to) { return m.index.contains(to); });
        return m_taken.contains(arc) || (!m_known.contains(arc) && isShared) || !exists;
    }

    const Statechart &m_chart;
    const ChartPlan &m;
    const QSet<int> &m_passed;
    QSet<int> m_known, m_taken;         ///< arcs: with a way, with one that is followed
    QSet<QString> m_parted;             ///< forks
    QHash<QString, QSet<int>> m_joined; ///< join -> nodes that arrived
};

} // namespace

Remark unreached(const Statechart &chart, const QString &vertex, const QString &name)
{
    QStringList arrows;
    for (const Arc &arc : chart.arcs) {
        if (arc.from == vertex)
            arrows += briefly(arc);
    }
    const QString last = arrows.isEmpty() ? QString() : arrows.takeLast();
    QString text = u"nothing leads to \"%1\"; it is not in the pack"_s.arg(name);
    if (!arrows.isEmpty())
        text += u", nor are its arrows "_s + arrows.join(u", "_s) + u" and "_s + last;
    else if (!last.isEmpty())
        text += u", nor is its arrow "_s + last;
    const Vertex *at = chart.vertex(vertex);
    return { at ? at->line : 0, text };
}

Remark neverTaken(const Statechart &chart, int arc)
{
    const Arc &at = chart.arcs[arc];
    return { at.line, arrowWords(at) + u" is never taken; it is not in the pack"_s };
}

QList<Remark> unreached(const Statechart &chart, const ChartPlan &plan, const QSet<int> &followed,
    const QSet<int> &passed)
{
    return Unreached(chart, plan, followed, passed).remarks();
}

} // namespace instar
