// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/charttree.h"

namespace instar {

class TextPlan;

/// Form of a vertex in the text of PlantUML or Mermaid. An initial or final state is a "dot" and
/// can be written as "[*]".
enum class VertexForm {
    None,    ///< not written: a region, a dot without arrows
    Named,   ///< written by its code, which is a name
    Dot,     ///< "[*]" in the region that contains it
    History, ///< "[H]" or "CODE[H]"
};

/// Differences between PlantUML and Mermaid.
struct TextNotation
{
    /// True for PlantUML, which has "[H]", named initial and final states, and regions at the top
    /// level.
    bool isRich = true;
    bool (*isCode)(QStringView id) = nullptr; ///< true if an id needs no quotes
    /// True if an id can be written in quotes and is then its own label. Used only for vertices
    /// without arrows and children. Null: no id can.
    bool (*canBeQuoted)(QStringView id) = nullptr;
    /// Returns the body in which an arrow must be written; -1: any.
    int (*homeOf)(const TextPlan &plan, const OutlineArc &arc) = nullptr;
    QString (*shown)(const QString &written) = nullptr; ///< decodes a written text
    QString (*written)(const QString &shown) = nullptr; ///< encodes a text that follows a colon
};

/// Returns the lines of a note: "HEAD : TEXT" if the text is one line, else a block that ends in
/// "end note".
QStringList noteBlock(const QString &head, const QStringList &written);

/// Plan for writing a statechart as text: form and name of each vertex, and the order of all steps.
/// The chart and the notation must outlive it.
class TextPlan
{
public:
    /// Adds remarks on what the notation cannot express. Replaces an invalid id by a similar one
    /// and reports it; the old id becomes the label if the vertex has none.
    TextPlan(const Statechart &chart, const TextNotation &notation, QList<Diagnostic> &remarks);
    Q_DISABLE_COPY_MOVE(TextPlan)
    ~TextPlan() = default;

    const ChartTree &tree() const { return m_tree; }
    /// The arrows of the steps: each has one target, and none crosses a region's border.
    const QList<OutlineArc> &arcs() const { return m_arcs; }
    const QList<OutlineStep> &steps() const { return m_steps; }

    const ChartTree::Node &node(int node) const { return m_tree.node(node); }
    const Vertex &vertex(int node) const { return *m_tree.node(node).vertex; }
    VertexForm form(int node) const { return m_shown[node].form; }
    const QString &code(int node) const { return m_shown[node].code; }   ///< its name, with quotes
    const QString &label(int node) const { return m_shown[node].label; } ///< empty: none
    /// Returns an unused id similar to `like` that needs no quotes: letters, digits and "_".
    QString freeCode(const QString &like);
    /// Texts of the arrows without target that leave a vertex.
    const QStringList &textsOf(int node) const { return m_shown[node].texts; }
    /// Encoded lines below a state's label: its description, and the texts of its arrows without
    /// target.
    QStringList texts(int node) const;

private:
    /// Appearance of a node.
    struct Shown
    {
        VertexForm form = VertexForm::None;
        QString code, label;
        QStringList texts;             ///< of the arrows without target that leave it
        int leaving = 0, arriving = 0; ///< numbers of arrows
        bool isDotAsState = false; ///< a dot that is drawn as a state: its arrow leaves its body
    };

    void addArc(const Arc &arc);
    void addArc(const Arc &arc, int from, const QStringList &targets);
    int target(const Arc &arc, const QStringList &targets);
    int visible(int node) const;
    void keepInBody(int dot, int other);
    void chooseForms();
    VertexForm formOf(int node) const;
    bool isLinked(int node) const { return m_shown[node].leaving + m_shown[node].arriving > 0; }
    bool isPlain(int node) const;
    bool hasName(int node) const;
    bool isDotFree(int node);
    void reportLosses(const Statechart &chart);
    void report(int line, const QString &text);
    void chooseCodes();
    bool isQuoted(int node) const;
    void chooseCode(int node);

    const TextNotation &m_notation;
    QList<Diagnostic> &m_remarks;
    ChartTree m_tree;
    QList<OutlineArc> m_arcs;
    QList<OutlineStep> m_steps;
    QList<Shown> m_shown;  ///< by node
    QSet<QString> m_taken; ///< codes in use
};

// Notations without positions get them as comments, which other tools ignore.

/// True if a vertex is the initial dot at the top level.
bool isChartDot(const Vertex &vertex);

/// Returns a rectangle of the kind's default size around a centre.
QRectF usualPlace(const QPointF &centre, Vertex::Kind kind);

/// True if a text can hold the position of a vertex: it has a name, or is the initial dot at the
/// top level.
bool canWritePlace(const Vertex &vertex, VertexForm form);

} // namespace instar
