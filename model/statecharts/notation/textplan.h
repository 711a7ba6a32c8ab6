// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/charttree.h"

namespace instar {

class TextPlan;

/// Form of a vertex in the text of PlantUML or Mermaid, which have names and "[*]".
enum class VertexForm {
    None,    ///< not written: a region, a dot without arrows
    Named,   ///< declared by a code
    Dot,     ///< "[*]" of the region around it
    History, ///< "[H]" or "CODE[H]"
};

/// Differences between PlantUML and Mermaid.
struct TextNotation
{
    /// Has "[H]", initial and final states with names, and regions of the chart itself.
    bool isRich = true;
    bool (*isCode)(QStringView id) = nullptr; ///< true for an id that needs no quotes
    /// True for an id that can stand in quotes, as the label, if no arrow refers to the vertex.
    /// Null: none can.
    bool (*canBeQuoted)(QStringView id) = nullptr;
    /// Returns OutlineArc::home of an arrow.
    int (*homeOf)(const TextPlan &plan, const OutlineArc &arc) = nullptr;
    QString (*shown)(const QString &written) = nullptr; ///< decodes a text: returns what is drawn
    QString (*written)(const QString &shown) = nullptr; ///< encodes a text to follow a colon
};

/// Returns the lines of a note: one with a colon, or a block.
QStringList noteBlock(const QString &head, const QStringList &written);

/// Plan of a text: form and name of each vertex, and the order of all steps. The chart and the
/// notation must outlive it.
class TextPlan
{
public:
    /// Adds remarks on what the notation cannot express. Invalid ids are replaced by similar ones;
    /// the vertex then shows its id as the label, unless it has a label, which is reported.
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
    /// Returns an unused id like the given one, of letters, digits and "_", that needs no quotes.
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
        QStringList texts; ///< of the arrows without target that leave it
        int leaving = 0, arriving = 0;
        bool isDotAsState = false; ///< a dot with an arrow out of its body
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
    QSet<QString> m_taken; ///< codes
};

// Positions in notations without them are written as comments, which other tools ignore.

/// True if a vertex is the initial dot at the top level.
bool isChartDot(const Vertex &vertex);

/// Returns a place of default size around a centre.
QRectF usualPlace(const QPointF &centre, Vertex::Kind kind);

/// True if a text can hold the position of a vertex: it has a name, or is the chart's own dot.
bool canWritePlace(const Vertex &vertex, VertexForm form);

} // namespace instar
