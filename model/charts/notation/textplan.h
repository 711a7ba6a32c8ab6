// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartoutline.h"
#include "model/charts/notation/textnotation.h"

namespace instar {

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

} // namespace instar
