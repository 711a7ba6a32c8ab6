// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/chart/chartoutline.h"
#include "model/formats/plantuml/plantumlnotes.h"
#include "model/formats/plantuml/plantumltext.h"

namespace instar {

/// Writes one diagram.
class PlantUmlWriter
{
public:
    PlantUmlWriter(const Statechart &chart, QList<Remark> &remarks);

    QByteArray text();
    /// The arrows of the statechart in the order in which they are written.
    QList<int> arrows() const { return arrowsOf(m_steps); }

private:
    int homeOf(const TextArc &arc) const;
    void findBlocks();
    void checkEnds(const OutlineArc &arc, int scope, const QSet<int> &bodies);

    void writeHead();
    void write(const OutlineStep &step);
    void open(const OutlineStep &step);
    void close(int node);
    void separate(int region);
    void connect(int index);

    void declare(int node);
    void describe(int node);
    QString head(int node) const;
    QString decorations(int node) const;
    QString end(int node) const;

    void reportNewForms();
    void reportForeign();
    void report(int line, const QString &text, bool isLoss = false)
    {
        m_remarks.append({ line, text, isLoss });
    }
    void add(const QString &line);
    const Vertex &vertex(int node) const { return *m_tree.node(node).vertex; }

    const Statechart &m_chart;
    QList<Remark> &m_remarks;
    ChartForms m_forms;
    const ChartTree &m_tree;
    ChartCodes m_codes;
    PlantUmlNotes m_notes;
    QList<OutlineArc> m_arcs;
    QList<OutlineStep> m_steps;
    QList<bool> m_isBlock; ///< states that need a body though there is nothing in it
    QSet<int> m_hasBody;   ///< comes later, or has come
    QList<int> m_open;     ///< where the text is, from the statechart inwards
    QList<bool> m_isFirst; ///< the first bodies of those
    QStringList m_lines;
};

/// Lets the arrows stand as the writer puts them: "plantuml.order" says where that must keep their
/// order. What lies in regions comes together all the same.
void settleForPlantUml(Statechart &chart);

} // namespace instar
