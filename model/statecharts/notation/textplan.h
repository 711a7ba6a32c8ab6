// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/charttree.h"

namespace instar {

class TextPlan;

/// How a vertex appears in a text with names and "[*]": PlantUML's and Mermaid's.
enum class VertexForm {
    None,    ///< not at all: a region, a dot without arrows
    Named,   ///< declared by a code
    Dot,     ///< "[*]" of the region around it
    History, ///< "[H]" or "CODE[H]"
};

/// What PlantUML and Mermaid do differently in texts with names and "[*]".
struct TextNotation
{
    /// Has "[H]", initial and final states with names, and regions of the chart itself.
    bool isRich = true;
    bool (*isCode)(QStringView id) = nullptr; ///< whether an id can stand as it is
    /// Whether an id can stand between quotes where nothing leads to the vertex; it is then shown
    /// as the label. Null: none can.
    bool (*canBeQuoted)(QStringView id) = nullptr;
    /// Where an arrow must stand (OutlineArc::home).
    int (*homeOf)(const TextPlan &plan, const OutlineArc &arc) = nullptr;
    QString (*shown)(const QString &written) = nullptr; ///< what is drawn for a text
    QString (*written)(const QString &shown) = nullptr; ///< a text behind a colon that is drawn so
};

/// The lines of a note: one behind a colon, or a block.
QStringList noteBlock(const QString &head, const QStringList &written);

/// Plan of a text: form and name of each vertex, and the order of all pieces. The chart and the
/// notation must outlive it.
class TextPlan
{
public:
    /// The remarks are about what the notation has no form for. Ids that it does not take become
    /// similar ones; their vertices show the id as a label, unless they have one, which is
    /// reported.
    TextPlan(const Statechart &chart, const TextNotation &notation, QList<Diagnostic> &remarks);
    Q_DISABLE_COPY_MOVE(TextPlan)
    ~TextPlan() = default;

    const ChartTree &tree() const { return m_tree; }
    /// The steps' arrows: from one vertex to another, not across the border of a region.
    const QList<OutlineArc> &arcs() const { return m_arcs; }
    const QList<OutlineStep> &steps() const { return m_steps; }

    const ChartTree::Node &node(int node) const { return m_tree.node(node); }
    const Vertex &vertex(int node) const { return *m_tree.node(node).vertex; }
    VertexForm form(int node) const { return m_shown[node].form; }
    const QString &code(int node) const { return m_shown[node].code; }   ///< its name, with quotes
    const QString &label(int node) const { return m_shown[node].label; } ///< empty: none
    /// An id made of letters, digits and "_" that can stand as it is and that nothing else has.
    QString freeCode(const QString &like);
    /// Texts of the arrows that lead from a vertex to nowhere.
    const QStringList &textsOf(int node) const { return m_shown[node].texts; }
    /// The lines below a state's label, as they are to be written: its description and what leads
    /// from it to nowhere.
    QStringList texts(int node) const;

private:
    /// How a node appears.
    struct Shown
    {
        VertexForm form = VertexForm::None;
        QString code, label;
        QStringList texts; ///< of the arrows that lead from it to nowhere
        int leaving = 0, arriving = 0;
        bool isDotAsState = false; ///< a final state that is reached from its own composite
    };

    void addArc(const Arc &arc);
    void addArc(const Arc &arc, int from, const QStringList &targets);
    int target(const Arc &arc, const QStringList &targets);
    int visible(int node) const;
    bool leadOut(OutlineArc &arc);
    int beside(int node, int body) const;
    bool reachesDots(OutlineArc &arc);
    void chooseForms();
    VertexForm formOf(int node) const;
    bool isLinked(int node) const { return m_shown[node].leaving + m_shown[node].arriving > 0; }
    bool isPlain(int node) const;
    bool hasName(int node) const;
    bool claim(int node);
    /// A final state directly in a composite, or in one of its regions.
    bool hasFinal(int node) const;
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
    QList<Shown> m_shown;        ///< by node
    QHash<QString, int> m_taken; ///< code -> the number to try next
};

// Positions in notations that have none: comment lines, which other tools ignore.

/// Whether a vertex is the dot at which the chart begins.
bool isChartDot(const Vertex &vertex);

/// Place around a centre, as large as states usually are.
QRectF usualPlace(const QPointF &centre, Vertex::Kind kind);

/// Whether a text can say where a vertex lies: one with a name, or the chart's own dot.
bool canWritePlace(const Vertex &vertex, VertexForm form);

} // namespace instar
