// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/chartplan.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Vertex::Kind;

constexpr qsizetype MostSteps = 10'000'000; // people draw far smaller charts

class Regions
{
public:
    explicit Regions(Statechart chart) : m(std::move(chart)) { }

    Statechart made()
    {
        QStringList forks;
        for (const Vertex &vertex : std::as_const(m.vertices)) {
            if (vertex.kind == Kind::Fork)
                forks += vertex.id;
        }
        if (forks.size() * m.arcs.size() > MostSteps)
            return std::move(m);
        for (const QString &fork : std::as_const(forks)) {
            note();
            divide(fork);
        }
        note();
        addWaits();
        return std::move(m);
    }

private:
    void note()
    {
        m_at.clear();
        m_leaving.clear();
        for (int i = 0; i < m.vertices.size(); ++i)
            m_at.insert(m.vertices[i].id, i);
        for (const Arc &arc : std::as_const(m.arcs)) {
            for (const QString &to : arc.to)
                m_leaving[arc.from] += to;
        }
    }

    const Vertex *vertex(const QString &id) const
    {
        const int at = m_at.value(id, -1);
        return at < 0 ? nullptr : &m.vertices[at];
    }

    /// The vertex beside the others in `parent` that is `id` or around it; empty: it lies
    /// elsewhere.
    QString beside(QString id, const QString &parent) const
    {
        for (qsizetype steps = 0; steps <= m.vertices.size(); ++steps) {
            const Vertex *at = vertex(id);
            if (!at || at->parent == parent)
                return at ? id : QString();
            id = at->parent;
        }
        return {};
    }

    /// What lies in `parent` and is reached from a vertex before a join or final state.
    QSet<QString> reached(const QString &from, const QString &parent, const QString &fork,
        const QHash<QString, QStringList> &leading) const
    {
        QSet<QString> result;
        QStringList open { from };
        while (!open.isEmpty()) {
            const QString id = beside(open.takeLast(), parent);
            const Vertex *at = vertex(id);
            if (!at || at->kind == Kind::Join || at->kind == Kind::Final || id == fork
                || result.contains(id))
                continue;
            result.insert(id);
            open += leading.value(id);
        }
        return result;
    }

    void divide(const QString &fork)
    {
        const QStringList targets = m_leaving.value(fork);
        const Vertex *first = targets.isEmpty() ? nullptr : vertex(targets.first());
        if (targets.size() < 2 || !first)
            return;
        const QString parent = first->parent;
        const Vertex *around = vertex(parent);
        const bool areBeside = std::ranges::all_of(
            targets, [&](const QString &id) { return vertex(id) && vertex(id)->parent == parent; });
        if (!areBeside || (around && around->kind == Kind::Parallel))
            return;
        QHash<QString, QStringList> leading; // from what lies directly in `parent`
        for (auto it = m_leaving.cbegin(); it != m_leaving.cend(); ++it)
            leading[beside(it.key(), parent)] += *it;
        QHash<QString, int> regionOf;
        for (int i = 0; i < targets.size(); ++i) {
            for (const QString &id : reached(targets[i], parent, fork, leading)) {
                if (regionOf.contains(id))
                    return;
                regionOf.insert(id, i);
            }
        }
        wrap(fork, parent, targets, regionOf);
    }

    QString freeId(const QString &fork, QStringView word, qsizetype number) const
    {
        while (m_at.contains(madeUpId(fork, word, number)))
            ++number;
        return madeUpId(fork, word, number);
    }

    void wrap(const QString &fork, const QString &parent, const QStringList &targets,
        const QHash<QString, int> &regionOf)
    {
        QList<Vertex> made;
        const auto add = [&](Kind kind, const QString &id, const QString &in) {
            Vertex vertex;
            vertex.kind = kind;
            vertex.id = id;
            vertex.parent = in;
            vertex.isNamed = false;
            made.append(vertex);
            m_at.insert(id, 0);
        };
        const QString parallel = freeId(fork, u"regions", 1);
        add(Kind::Parallel, parallel, parent);
        QStringList regions;
        for (int i = 0; i < targets.size(); ++i) {
            regions += freeId(fork, u"region", i + 1);
            add(Kind::State, regions.last(), parallel);
        }
        for (Vertex &vertex : m.vertices) {
            if (regionOf.contains(vertex.id))
                vertex.parent = regions[regionOf[vertex.id]];
        }
        const auto place =
            std::ranges::find_if(m.vertices, [&](const Vertex &each) { return each.id == fork; });
        const qsizetype at = place - m.vertices.begin() + 1;
        m.vertices = m.vertices.first(at) + made + m.vertices.sliced(at);
    }

    /// A joining arrow that came first is remembered by an unnamed join of its own.
    void addWaits()
    {
        QHash<QString, int> arriving;
        for (const Arc &arc : std::as_const(m.arcs)) {
            for (const QString &to : arc.to)
                ++arriving[to];
        }
        const qsizetype count = m.arcs.size();
        for (qsizetype i = 0; i < count; ++i) {
            const Arc arc = m.arcs[i];
            const Vertex *join = arc.to.size() == 1 ? vertex(arc.to.first()) : nullptr;
            const Vertex *from = vertex(arc.from);
            const Vertex *region = from ? vertex(from->parent) : nullptr;
            const bool waits =
                join && join->kind == Kind::Join && arriving[join->id] > 1 && !arc.event.isEmpty();
            if (!waits || !region || region->kind == Kind::Parallel)
                continue;
            Vertex wait;
            wait.kind = Kind::Join;
            wait.id = freeId(join->id, u"arrival", 1);
            wait.parent = region->id;
            wait.label = join->id;
            wait.isNamed = false;
            Arc onward;
            onward.from = wait.id;
            onward.to = arc.to;
            m_at.insert(wait.id, int(m.vertices.size()));
            m.arcs[i].to = { wait.id };
            m.vertices.append(wait);
            m.arcs.append(onward);
        }
    }

    Statechart m;
    QHash<QString, int> m_at;
    QHash<QString, QStringList> m_leaving; ///< vertex -> where its arcs lead
};

} // namespace

Statechart withRegions(Statechart chart)
{
    return Regions(std::move(chart)).made();
}

} // namespace instar
