// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

#include <QHash>

namespace instar::scxml {

bool isHistory(Vertex::Kind kind);

/// A statechart as SCXML lets it lie: what is in what, under which ids, and what leads where. The
/// chart must outlive it.
class Shape
{
public:
    static constexpr int Deepest = 1000; ///< that is written

    explicit Shape(const Statechart &chart);

    const Vertex *vertex(const QString &id) const; ///< null: there is none
    /// A vertex's id in the file.
    QString name(const QString &id) const { return m_names.value(id); }
    const QHash<QString, QString> &names() const { return m_names; }
    QString targetText(const QStringList &ids) const;
    /// Those that can be active together with all before them, for they lie in other regions.
    QStringList together(const QStringList &ids) const;

    // Places in the chart's lists.
    QList<int> inside(const QString &parent) const { return m_inside.value(parent); }
    bool hasInside(const QString &parent) const { return m_inside.contains(parent); }
    QList<int> leaving(const QString &id) const { return m_leaving.value(id); }
    QList<int> arriving(const QString &id) const { return m_arriving.value(id); }
    /// Those from or to a vertex that does not exist.
    const QList<Arc> &lostArcs() const { return m_lost; }

    /// Where a vertex is written: SCXML lets only states lie in parallel ones.
    QString host(const Vertex &of) const;
    /// The first vertex in a composite, if it is an initial one that an attribute says in full.
    const Vertex *plainInitial(const QString &parent) const;
    /// The one arrow without a question, to somewhere in the composite; null: there is none such.
    const Arc *onlyArc(const Vertex &initial) const;
    /// Whether an element "initial" can say it.
    bool isElement(const Vertex &initial) const;
    /// A final state directly in a composite, or in one of its regions.
    bool hasFinal(const Vertex &composite) const;
    /// A history of the whole chart, which is never left: SCXML has a state in its place, which
    /// leads on at once.
    bool isOutermostHistory(const Vertex &of) const
    {
        return isHistory(of.kind) && host(of).isEmpty();
    }
    /// Where a history without an arrow of its own leads while there is nothing to remember: to
    /// where its composite begins.
    QStringList beginningAround(const Vertex &history) const;
    /// In Qt Creator's scene.
    QPointF positionOf(const QString &id) const;

private:
    bool liesIn(const QString &id, const QString &parent) const;
    bool areBeside(const QString &a, const QString &b) const;

    const Statechart &m;
    QHash<QString, int> m_at;
    QHash<QString, QString> m_names; ///< id -> id in the file
    QHash<QString, QList<int>> m_inside, m_leaving, m_arriving;
    QList<Arc> m_lost;
};

} // namespace instar::scxml
