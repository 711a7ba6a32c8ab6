// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartbuilder.h"
#include "model/charts/notation/chartforms.h"
#include "model/charts/notation/charttree.h"

#include <QRectF>

namespace instar {

/// What is drawn for written lines, of which each may break again.
QStringList shownLines(const QStringList &written, const TextNotation &notation);
/// The lines of a text that was kept as it was written, if they are still drawn as `shown`; none:
/// they are not.
QStringList keptLines(const QString &kept, const QStringList &shown, const TextNotation &notation);
/// The lines of a note: one behind a colon, or a block.
QStringList noteBlock(const QString &head, const QStringList &written);

/// What a text will say of a statechart, and in which order. The chart and the notation must
/// outlive it.
class TextPlan
{
public:
    /// The remarks are about what the notation has no form for.
    TextPlan(const Statechart &chart, const TextNotation &notation, QList<Remark> &remarks);
    Q_DISABLE_COPY_MOVE(TextPlan)
    ~TextPlan() = default;

    const ChartForms &forms() const { return m_forms; }
    const ChartTree &tree() const { return m_forms.tree(); }
    ChartCodes &codes() { return m_codes; }
    /// The steps' arrows; forms() has them in the same order.
    const QList<OutlineArc> &arcs() const { return m_arcs; }
    const QList<OutlineStep> &steps() const { return m_steps; }

    const ChartTree::Node &node(int node) const { return tree().node(node); }
    const Vertex &vertex(int node) const { return *tree().node(node).vertex; }
    VertexForm form(int node) const { return m_forms.form(node); }
    const QString &code(int node) const { return m_codes.code(node); }
    const QString &label(int node) const { return m_codes.label(node); }
    /// Does its body come later, or has it come?
    bool hasBody(int node) const { return m_hasBody.contains(node); }
    /// The lines below a state's label, as they are to be written: its description and what leads
    /// from it to nowhere.
    QStringList texts(int node) const;

private:
    const TextNotation &m_notation;
    ChartForms m_forms;
    ChartCodes m_codes;
    QList<OutlineArc> m_arcs;
    QList<OutlineStep> m_steps;
    QSet<int> m_hasBody;
};

/// Lets the arrows stand as a text puts them: the particular "order" says where that must keep
/// their order. What lies in regions comes together all the same.
void settleOrder(Statechart &chart, const TextNotation &notation);

// Positions in notations that have none: comment lines, which other tools ignore.

/// Whether a vertex is the dot at which the chart begins.
bool isChartDot(const Vertex &vertex);

/// Place around a centre, as large as states usually are.
QRectF usualPlace(const QPointF &centre, Vertex::Kind kind);

/// Whether a text can tell where a vertex lies: one with a name, or the chart's own dot.
bool canTellPlace(const Vertex &vertex, VertexForm form);

} // namespace instar
