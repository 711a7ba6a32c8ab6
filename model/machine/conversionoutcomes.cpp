// SPDX-License-Identifier: Apache-2.0
#include "model/machine/conversionoutcomes.h"

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
        for (const Vertex &vertex : std::as_const(m.chart.vertices)) {
            m_kinds.insert(vertex.id, vertex.kind);
            m_composites.insert(vertex.parent);
        }
        QHash<QString, QList<int>> leaving;
        for (int i = 0; i < m.chart.arcs.size(); ++i) {
            const QStringList events = m.chart.arcs[i].events();
            m_events.unite(QSet<QString>(events.begin(), events.end()));
            if (isBare(m.chart.arcs[i]))
                leaving[m.chart.arcs[i].from] += i;
        }
        for (const Vertex &vertex : std::as_const(m.chart.vertices)) {
            if (endsWork(vertex))
                name(vertex, differing(leaving.value(vertex.id)));
        }
        return std::move(m);
    }

private:
    bool isBare(const Arc &arc) const
    {
        const bool leadsToJoin = std::ranges::any_of(
            arc.to, [this](const QString &to) { return m_kinds.value(to) == Kind::Join; });
        return arc.event.isEmpty() && arc.condition.trimmed().isEmpty() && !arc.to.isEmpty()
            && !leadsToJoin;
    }

    bool endsWork(const Vertex &vertex) const
    {
        return (vertex.kind == Kind::State || vertex.kind == Kind::Choice)
            && !m_composites.contains(vertex.id);
    }

    /// The first arrow to each target.
    QList<int> differing(const QList<int> &arcs) const
    {
        QList<int> result;
        for (const int arc : arcs) {
            const auto isSame = [&](int other) {
                return m.chart.arcs[other].to == m.chart.arcs[arc].to;
            };
            if (std::ranges::none_of(result, isSame))
                result += arc;
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
            if (!m.made.contains(arc.event))
                m.made += arc.event;
        }
        Arc &first = m.chart.arcs[arcs.first()]; // where work that says nothing else leads
        if (first.event != u"succeeded")
            first.event += u"\nsucceeded"_s;
        m.usual.insert(vertex.id, names.first());
        m.remarks.append({ vertex.line,
            u"\"%1\" is left by %2 arrows without a label; each is an outcome of its work: %3"_s
                .arg(vertex.id)
                .arg(names.size())
                .arg(names.join(u", "_s)),
            false });
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
    QSet<QString> m_composites;
    QSet<QString> m_events;
};

} // namespace

OutcomesNamed withOutcomes(Statechart chart)
{
    return OutcomeNames(std::move(chart)).made();
}

} // namespace instar
