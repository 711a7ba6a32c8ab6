// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartbuilder.h"
#include "model/charts/notation/chartforms.h"
#include "model/charts/notation/charttree.h"

#include <functional>

namespace instar {

/// What a notation does its own way of that in which texts with names and "[*]" are alike:
/// PlantUML's and Mermaid's.
struct TextNotation
{
    QString name; ///< "mermaid": its particulars are called "mermaid.order" and so on
    ChartForms::Abilities abilities;
    ChartCodes::Test isCode = nullptr;
    ChartCodes::Test canBeQuoted = nullptr; ///< null: nothing can
    /// Where an arrow must stand (OutlineArc::home).
    int (*homeOf)(const ChartForms &forms, const TextArc &arc) = nullptr;
    QString (*shown)(const QString &written) = nullptr; ///< what is drawn for a text
    QString (*written)(const QString &shown) = nullptr; ///< a text behind a colon that is drawn so

    QString key(const QString &what) const { return name + u'.' + what; }
};

/// What is drawn for written lines, of which each may break again.
QStringList shownLines(const QStringList &written, const TextNotation &notation);
/// The lines of a text that was kept as it was written, if they are still drawn as `shown`; none:
/// they are not.
QStringList keptLines(const QString &kept, const QStringList &shown, const TextNotation &notation);

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

/// Place around a centre, as large as states usually are.
QRectF usualPlace(const QPointF &centre, Vertex::Kind kind);

/// Whether a text can tell where a vertex lies: one with a name, or the chart's own dot.
bool canTellPlace(const Vertex &vertex, VertexForm form);

/// "@instar position X Y NAME" for each vertex that has a place: its centre in points, and its name
/// in the text, "[*]" for the chart's own dot.
QStringList placeComments(const TextPlan &plan);

/// Gives the vertices of a chart the places that comments tell, and removes these comments.
/// `prefix`: what a comment begins with; `named`: the index of the vertex of a name, or -1.
void takePlaceComments(QStringList *comments, QStringView prefix, Statechart *chart,
    const std::function<int(const QString &name)> &named);

/// The texts below states' labels while a diagram is read, as they are written.
class WrittenTexts
{
public:
    explicit WrittenTexts(const TextNotation &notation) : m_notation(notation) { }

    /// Adds a line to a state's description.
    void add(ChartBuilder &builder, int state, const QString &written);
    /// Keeps them as particulars where a writer would write them otherwise.
    void keep(ChartBuilder &builder) const;

private:
    const TextNotation &m_notation;
    QHash<int, QStringList> m_texts; ///< by node
};

} // namespace instar
