// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/scxml/scxmlwords.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace instar::scxml {

using Kind = Vertex::Kind;

inline bool isHistory(Vertex::Kind kind)
{
    return kind == Kind::ShallowHistory || kind == Kind::DeepHistory;
}

/// A statechart as SCXML lets it lie: what is in what, under which ids, and what leads where. The
/// chart must outlive it.
class Shape
{
public:
    static constexpr int Deepest = 1000; ///< that is written

    explicit Shape(const Statechart &chart) : m(chart)
    {
        QSet<QString> ids, taken;
        for (const Vertex &each : m.vertices)
            ids.insert(each.id);
        for (int i = 0; i < m.vertices.size(); ++i) {
            const QString &id = m.vertices[i].id;
            m_at.insert(id, i);
            const QString base = xmlName(id);
            QString name = base;
            for (int number = 2; taken.contains(name) || (name != id && ids.contains(name));
                 ++number)
                name = QStringLiteral("%1_%2").arg(base).arg(number);
            taken.insert(name);
            m_names.insert(id, name);
        }
        for (int i = 0; i < m.arcs.size(); ++i) {
            const Arc &arc = m.arcs[i];
            const bool isKnown = vertex(arc.from)
                && std::ranges::all_of(arc.to, [&](const QString &to) { return vertex(to); });
            if (!isKnown) {
                m_lost.append(arc);
                continue;
            }
            m_leaving[arc.from] += i;
            for (const QString &to : arc.to)
                m_arriving[to] += i;
        }
        for (int i = 0; i < m.vertices.size(); ++i)
            m_inside[host(m.vertices[i])] += i;
    }

    /// Null: there is none.
    const Vertex *vertex(const QString &id) const
    {
        const int at = m_at.value(id, -1);
        return at < 0 ? nullptr : &m.vertices[at];
    }

    /// A vertex's id in the file.
    QString name(const QString &id) const { return m_names.value(id); }
    const QHash<QString, QString> &names() const { return m_names; }

    QString targetText(const QStringList &ids) const
    {
        QStringList names;
        for (const QString &id : ids)
            names += m_names[id];
        return names.join(u' ');
    }

    /// Those that can be active together with all before them, for they lie in other regions.
    QStringList together(const QStringList &ids) const
    {
        QStringList result;
        for (const QString &id : ids) {
            const auto isBeside = [&](const QString &other) { return areBeside(id, other); };
            if (std::ranges::all_of(result, isBeside))
                result += id;
        }
        return result;
    }

    // Places in the chart's lists.
    QList<int> inside(const QString &parent) const { return m_inside.value(parent); }
    bool hasInside(const QString &parent) const { return m_inside.contains(parent); }
    QList<int> leaving(const QString &id) const { return m_leaving.value(id); }
    QList<int> arriving(const QString &id) const { return m_arriving.value(id); }
    /// Those from or to a vertex that does not exist.
    const QList<Arc> &lostArcs() const { return m_lost; }

    /// Where a vertex is written: SCXML lets only states lie in parallel ones.
    QString host(const Vertex &of) const
    {
        const bool isRegion =
            of.kind == Kind::State || of.kind == Kind::Parallel || isHistory(of.kind);
        QString id = of.parent;
        int steps = 0;
        for (const Vertex *at = vertex(id); at && ++steps < Deepest; at = vertex(id)) {
            if (at->kind != Kind::Final && !isHistory(at->kind)
                && (at->kind != Kind::Parallel || isRegion))
                break;
            id = at->parent;
        }
        return id;
    }

    /// The first vertex in a composite, if it is an initial one that an attribute says in full.
    const Vertex *plainInitial(const QString &parent) const
    {
        const QList<int> inside = m_inside.value(parent);
        const Vertex *first = inside.isEmpty() ? nullptr : &m.vertices[inside.first()];
        if (!first || first->kind != Kind::Initial || first->isNamed || first->parent != parent)
            return nullptr;
        const bool isPlain = first->label.isEmpty() && first->description.isEmpty()
            && first->look == Look() && first->particulars.isEmpty()
            && first->id == madeUpId(parent, u"initial") && !m_inside.contains(first->id);
        const Arc *arc = onlyArc(*first);
        if (!isPlain || !arc || m_arriving.contains(first->id))
            return nullptr;
        const bool isPlainArc = arc->action.isEmpty() && arc->label.isEmpty() && arc->note.isEmpty()
            && arc->look == Look() && arc->towards == Towards::Anywhere
            && arc->particulars.isEmpty() && !arc->isInternal && together(arc->to) == arc->to;
        return isPlainArc ? first : nullptr;
    }

    /// The one arrow without a question, to somewhere in the composite; null: there is none such.
    const Arc *onlyArc(const Vertex &initial) const
    {
        const QList<int> leaving = m_leaving.value(initial.id);
        if (leaving.size() != 1)
            return nullptr;
        const Arc &arc = m.arcs[leaving.first()];
        const bool isInside = std::ranges::all_of(arc.to,
            [&](const QString &to) { return to != initial.id && liesIn(to, initial.parent); });
        return arc.event.isEmpty() && arc.condition.isEmpty() && !arc.to.isEmpty() && isInside
            ? &arc
            : nullptr;
    }

    /// Whether an element "initial" can say it.
    bool isElement(const Vertex &initial) const
    {
        return initial.kind == Kind::Initial && !initial.parent.isEmpty()
            && initial.parent == host(initial) && onlyArc(initial)
            && !m_arriving.contains(initial.id) && !m_inside.contains(initial.id);
    }

    /// A final state directly in a composite, or in one of its regions.
    bool hasFinal(const Vertex &composite) const
    {
        const QList<int> inside = m_inside.value(composite.id);
        if (composite.kind == Kind::Parallel) {
            return std::ranges::any_of(
                inside, [this](int each) { return hasFinal(m.vertices[each]); });
        }
        return std::ranges::any_of(
            inside, [this](int each) { return m.vertices[each].kind == Kind::Final; });
    }

    /// A history of the whole chart, which is never left: SCXML has a state in its place, which
    /// leads on at once.
    bool isOutermostHistory(const Vertex &of) const
    {
        return isHistory(of.kind) && host(of).isEmpty();
    }

    /// Where a history without an arrow of its own leads while there is nothing to remember: to
    /// where its composite begins.
    QStringList beginningAround(const Vertex &history) const
    {
        QStringList states;
        for (const int index : m_inside.value(host(history))) {
            const Vertex &each = m.vertices[index];
            const Arc *arc = each.kind == Kind::Initial ? onlyArc(each) : nullptr;
            if (!arc && each.kind == Kind::Initial)
                return { each.id };
            const bool isBeside = arc && std::ranges::any_of(arc->to, [&](const QString &to) {
                return isHistory(vertex(to)->kind) && host(*vertex(to)) == host(history);
            });
            if (arc && !isBeside)
                return arc->to;
            if (!arc && !isHistory(each.kind))
                states += each.id;
        }
        const Vertex *around = vertex(host(history));
        return around && around->kind == Kind::Parallel ? states : states.mid(0, 1);
    }

    /// In Qt Creator's scene.
    QPointF positionOf(const QString &id) const
    {
        QList<const Vertex *> around;
        for (const Vertex *at = vertex(id); at && around.size() < Deepest; at = vertex(at->parent))
            around.prepend(at);
        QPointF position;
        for (const Vertex *each : std::as_const(around))
            position = editorPlace(each->particulars.value(Other.toString()), position).position;
        return position;
    }

private:
    bool liesIn(const QString &id, const QString &parent) const
    {
        if (parent.isEmpty())
            return true;
        int steps = 0;
        for (const Vertex *at = vertex(id); at && ++steps < Deepest; at = vertex(at->parent)) {
            if (at->parent == parent)
                return true;
        }
        return false;
    }

    bool areBeside(const QString &a, const QString &b) const
    {
        if (a == b || liesIn(a, b) || liesIn(b, a))
            return false;
        QString around = a;
        for (int steps = 0; steps < Deepest && !around.isEmpty(); ++steps) {
            around = host(*vertex(around));
            const Vertex *const at = vertex(around);
            if (at && liesIn(b, around))
                return at->kind == Kind::Parallel;
        }
        return false;
    }

    const Statechart &m;
    QHash<QString, int> m_at;
    QHash<QString, QString> m_names; ///< id -> id in the file
    QHash<QString, QList<int>> m_inside, m_leaving, m_arriving;
    QList<Arc> m_lost;
};

} // namespace instar::scxml
