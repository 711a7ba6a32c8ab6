// SPDX-License-Identifier: Apache-2.0
#include "model/charts/conversionoutcomes.h"

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
        for (int i = 0; i < m.chart.vertices.size(); ++i) {
            m_kinds.insert(m.chart.vertices[i].id, m.chart.vertices[i].kind);
            m_inside[m.chart.vertices[i].parent] += i;
        }
        for (const Arc &arc : std::as_const(m.chart.arcs)) {
            const QStringList events = arc.events();
            m_events.unite(QSet<QString>(events.begin(), events.end()));
            if (arc.event.isEmpty() && leadsToJoin(arc))
                m_joining.insert(arc.from);
        }
        const QHash<QString, QList<int>> before = bareArcs();
        const qsizetype count = m.chart.vertices.size();
        for (qsizetype i = 0; m.chart.waitsForFinals && i < count; ++i) {
            const QString id = m.chart.vertices[i].id;
            if (differing(before.value(id)).size() > 1 && hasFinals(int(i)) && canMove(id))
                moveBehindEnd(int(i));
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

    /// It is over when final states in it are entered, in every region.
    bool hasFinals(int index) const
    {
        const QList<int> inside = m_inside.value(m.chart.vertices[index].id);
        if (m.chart.vertices[index].kind == Kind::Parallel)
            return std::ranges::any_of(inside, [this](int each) { return hasFinals(each); });
        return m.chart.vertices[index].kind == Kind::State
            && std::ranges::any_of(
                inside, [this](int each) { return m.chart.vertices[each].kind == Kind::Final; });
    }

    /// Nothing else asks for its end.
    bool canMove(const QString &composite) const
    {
        return !m_events.contains(u"done.state."_s + composite) && !m_joining.contains(composite);
    }

    /// Which way a composite is left is decided once it has come to its end: in what were its final
    /// states, or in a state behind its regions.
    void moveBehindEnd(int composite)
    {
        const Vertex around = m.chart.vertices[composite];
        QStringList ends;
        if (around.kind == Kind::Parallel) {
            ends = { addEnd(around) };
        } else {
            for (const int each : m_inside.value(around.id)) {
                Vertex &vertex = m.chart.vertices[each];
                if (vertex.kind != Kind::Final)
                    continue;
                vertex.kind = Kind::State;
                ends += vertex.id;
            }
        }
        m_endsOf.insert(around.id, ends);
        if (around.kind == Kind::Parallel) {
            Arc completion;
            completion.from = around.id;
            completion.to = ends;
            completion.line = around.line;
            m_completions += completion;
        }
        for (const QString &end : std::as_const(ends))
            m_ended.insert(end, around.id);
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
        m.chart.arcs = arcs + m_completions;
    }

    QString addEnd(const Vertex &around)
    {
        Vertex end;
        qsizetype number = 1;
        do
            end.id = madeUpStateId(around.id, u"done", number++);
        while (m_kinds.contains(end.id));
        end.parent = around.parent;
        end.line = around.line;
        m_kinds.insert(end.id, end.kind);
        m.chart.vertices.append(end);
        return end.id;
    }

    bool leadsToJoin(const Arc &arc) const
    {
        return std::ranges::any_of(
            arc.to, [this](const QString &to) { return m_kinds.value(to) == Kind::Join; });
    }

    bool isBare(const Arc &arc) const
    {
        return arc.event.isEmpty() && arc.condition.trimmed().isEmpty() && !arc.to.isEmpty()
            && !leadsToJoin(arc);
    }

    bool endsWork(const Vertex &vertex) const
    {
        const bool isState = vertex.kind == Kind::State || vertex.kind == Kind::Parallel;
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
            if (behind > arcs.first() && arc.event.isEmpty() && !leadsToJoin(arc))
                arc.event = u"succeeded"_s; // never taken, for the first one is
        }
        m.usual.insert(vertex.id, names.first());
        const Remark remark { vertex.line,
            u"\"%1\" is left by %2 arrows without a label; each is an outcome of its work: %3"_s
                .arg(m_ended.value(vertex.id, vertex.id))
                .arg(names.size())
                .arg(names.join(u", "_s)),
            false };
        if (!m.remarks.contains(remark))
            m.remarks.append(remark);
    }

    /// Not what an event of the chart is called.
    QString nameOf(const QString &target) const
    {
        QString name = target;
        while (m_events.contains(name))
            name.prepend(u"to "_s);
        return name;
    }

    OutcomesNamed m;
    QHash<QString, Kind> m_kinds;
    QHash<QString, QList<int>> m_inside;  ///< composite -> vertices
    QHash<QString, QString> m_ended;      ///< a state behind a composite's end -> the composite
    QHash<QString, QStringList> m_endsOf; ///< a composite that arrows do not leave -> what they do
    QHash<QString, QList<int>> m_leaving; ///< vertex -> arcs
    QSet<QString> m_events, m_made;
    QList<Arc> m_completions; ///< of parallel states
    QSet<QString> m_joining;  ///< an arrow without an event leads from there into a join
};

} // namespace

OutcomesNamed withOutcomes(Statechart chart)
{
    return OutcomeNames(std::move(chart)).made();
}

} // namespace instar
