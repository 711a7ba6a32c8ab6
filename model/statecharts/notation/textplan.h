// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

#include <QHash>
#include <QSet>

namespace instar {

/// Tree of a statechart's vertices, for writers of text formats. Every region of a parallel state
/// is an unnamed node, which wraps a named child of that state. A parallel state with one region
/// becomes a composite without regions.
class ChartTree
{
public:
    struct Node
    {
        const Vertex *vertex = nullptr; ///< null: the statechart (node 0), or an added region
        int parent = 0;
        int depth = 0;
        bool isRegion = false; ///< region of a composite with two or more regions
        QList<int> children;
        QList<int> regions; ///< those of `children` that are regions
    };

    /// Regions at the top level of a statechart: a notation allows or refuses them.
    enum class Division { Allowed, Refused };

    explicit ChartTree(const Statechart &chart, Division division = Division::Allowed);

    int size() const { return int(m_nodes.size()); }
    const Node &node(int index) const { return m_nodes[index]; }
    int index(const QString &id) const { return m_byId.value(id, -1); }
    const QList<int> &regions(int index) const { return m_nodes[index].regions; }
    /// True if a node is the composite or one of its descendants.
    bool isInside(int index, int composite) const;
    /// Returns the lowest common ancestor of the nodes' parents.
    int commonAncestor(int a, int b) const;
    /// Returns the innermost region around a node; 0: none.
    int regionAround(int index) const;
    /// Returns the unnamed parallel state whose regions are the top level of the chart; -1: none.
    int dividedChart() const { return m_dividedChart; }

private:
    void addVertices(const Statechart &chart);
    void dissolve(int region);
    void makeRegions(int composite);
    void move(int index, int to);
    void setDepthsAndRegions(int index);
    bool isWholeChart(int index) const;

    QList<Node> m_nodes;
    QHash<QString, int> m_byId;
    int m_dividedChart = -1;
};

/// Arrow between nodes of the tree.
struct OutlineArc
{
    const Arc *arc = nullptr;
    int from = 0;
    int to = 0;
    /// Node in whose braces the arrow must be written, because "[*]" is local to them; -1: any.
    int home = -1;
};

/// Step of writing a statechart as text.
struct OutlineStep
{
    enum class Kind {
        Declare,  ///< a vertex without a body
        Open,     ///< the body of a composite begins
        Reopen,   ///< the body of a composite continues
        Separate, ///< the previous region ends, and this region begins
        Connect,  ///< an arrow
        Finish,   ///< the vertices in a composite, a region or the chart (0) are all declared
        Close,    ///< the body that was opened or reopened last ends
    };
    Kind kind = Kind::Declare;
    int index = 0; ///< of a node, or of an arc
};

class TextPlan;

/// Form of a vertex in the text of PlantUML or Mermaid. An initial or final state is a "dot" and
/// can be written as "[*]".
enum class VertexForm {
    None,    ///< not written: a region, a dot without arrows
    Named,   ///< written as its code, a name
    Dot,     ///< "[*]" in the region that contains it
    History, ///< "[H]" or "CODE[H]"
};

/// Differences between PlantUML and Mermaid.
struct TextNotation
{
    /// True for PlantUML: it has "[H]", named initial and final states, and top-level regions.
    bool isRich = true;
    bool (*isCode)(QStringView id) = nullptr; ///< true if an id needs no quotes
    /// True if an id can be written in quotes and is then its own label; only for vertices without
    /// arrows and children. Null: no id can be quoted.
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
/// The chart and the notation must outlive the plan.
class TextPlan
{
public:
    /// Adds remarks on what the notation cannot express. Replaces and reports invalid ids; the old
    /// id becomes the label if the vertex has none.
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
    const QString &code(int node) const { return m_shown[node].code; }   ///< quotes included
    const QString &label(int node) const { return m_shown[node].label; } ///< empty: none
    /// Returns an unused id similar to `like` that needs no quotes: letters, digits and "_".
    QString freeCode(const QString &like);
    /// Returns the texts of the arrows without target that leave a vertex.
    const QStringList &textsOf(int node) const { return m_shown[node].texts; }
    /// Returns the encoded lines below a state's label: description, and textsOf() the state.
    QStringList texts(int node) const;

private:
    /// Appearance of a node in the text.
    struct Shown
    {
        VertexForm form = VertexForm::None;
        QString code, label;
        QStringList texts;             ///< of arrows without target that leave the node
        int leaving = 0, arriving = 0; ///< counts of arrows
        bool isDotAsState = false; ///< a dot drawn as a state, because its arrow leaves the body
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
    void report(int line, const QString &text) { m_remarks.append({ line, text }); }
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

// Positions, which the notations lack, are written as comments, which other tools ignore.

/// True if a vertex is the initial dot at the top level.
bool isChartDot(const Vertex &vertex);

/// Returns a rectangle of the kind's default size around a centre.
QRectF defaultBounds(const QPointF &centre, Vertex::Kind kind);

/// True if a text can hold a vertex's position: the vertex has a name, or is the top-level dot.
bool canWritePosition(const Vertex &vertex, VertexForm form);

} // namespace instar
