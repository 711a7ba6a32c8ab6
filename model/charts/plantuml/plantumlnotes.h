// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartcodes.h"

namespace instar {

/// Where notes and hidden arrows stand in a PlantUML text, and their lines.
class PlantUmlNotes
{
public:
    PlantUmlNotes(const Statechart &chart, const ChartForms &forms, ChartCodes &codes,
        QList<Remark> &remarks);

    /// Does a body have to be there for a free note?
    bool isNeeded(int node) const { return m_in.contains(node); }
    /// At the end of a node's body, or of the statechart (0).
    QStringList linesIn(int node) const;
    /// Behind an arrow: its own note.
    static QStringList linesOf(const Arc &arc);
    /// Those of dots and bars, behind the first arrow that has them.
    QStringList linesOfEnds(const TextArc &arc);

private:
    void place(const Note &note);
    void placeHidden(int node);
    QStringList lines(const Note &note, const QString &where) const;
    QStringList freeLines(const Note &note) const;
    bool isUndeclared(int node) const;

    const ChartForms &m_forms;
    ChartCodes &m_codes;
    QList<Remark> &m_remarks;
    QHash<int, QList<const Note *>> m_of; ///< by the vertex
    QHash<int, QStringList> m_in;         ///< lines that end a body
    QSet<int> m_seen;                     ///< dots and bars that an arrow had
};

} // namespace instar
