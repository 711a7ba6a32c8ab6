// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/charttree.h"
#include "model/charts/statecharts.h"

namespace instar {

/// How a vertex appears in a text with names and "[*]": PlantUML's and Mermaid's.
enum class VertexForm {
    None,    ///< not at all: a region, a dot without arrows
    Named,   ///< declared by a code
    Dot,     ///< "[*]" of the region around it
    History, ///< "[H]" or "CODE[H]"
    Bar,     ///< "==CODE=="; only PlantUML has it
};

/// An arc between nodes as a text can have it: from one vertex to another, not across the border of
/// a region.
struct TextArc
{
    const Arc *arc = nullptr;
    int from = 0;
    int to = 0;
};

/// What of a statechart can be written, and how. Says what cannot.
class ChartForms
{
public:
    /// `isRich`: TextNotation::isRich.
    ChartForms(const Statechart &chart, bool isRich, QList<Remark> &remarks);

    const ChartTree &tree() const { return m_tree; }
    const QList<TextArc> &arcs() const { return m_arcs; }
    VertexForm form(int node) const { return m_forms[node]; }
    /// What leads from a vertex to nowhere, as texts of the vertex.
    QStringList textsOf(int node) const { return m_texts.value(node); }
    bool isLinked(int node) const { return m_isLinked[node]; }

private:
    void addArc(const Arc &arc);
    void addArc(const Arc &arc, int from, const QStringList &targets);
    int target(const Arc &arc, const QStringList &targets);
    int visible(int node) const;
    bool leadOut(TextArc &arc);
    int beside(int node, int body) const;
    bool reachesDots(TextArc &arc);
    void chooseForms();
    VertexForm formOf(int node) const;
    bool isPlain(int node) const;
    bool hasName(int node) const;
    bool claim(int node);
    /// A final state directly in a composite, or in one of its regions.
    bool hasFinal(int node) const;
    void reportLosses(const Statechart &chart);
    void report(int line, const QString &text);

    bool m_isRich;
    ChartTree m_tree;
    QList<TextArc> m_arcs;
    QList<VertexForm> m_forms;
    QHash<int, QStringList> m_texts;
    QList<int> m_leaving; ///< arcs, by node
    QList<int> m_arriving;
    QList<bool> m_isLinked;
    QSet<int> m_dotsAsStates; ///< final states that are reached from their own composite
    QList<Remark> &m_remarks;
};

/// What a notation does its own way of that in which texts with names and "[*]" are alike:
/// PlantUML's and Mermaid's.
struct TextNotation
{
    QString name; ///< "mermaid": its particulars are called "mermaid.order" and so on
    /// Has "[H]", "==CODE==", initial and final states with names, and regions of the chart itself.
    bool isRich = true;
    bool (*isCode)(QStringView id) = nullptr; ///< can an id stand as it is?
    /// Can it stand between quotes where nothing leads to the vertex? It is then shown as the
    /// label. Null: nothing can.
    bool (*canBeQuoted)(QStringView id) = nullptr;
    /// Where an arrow must stand (OutlineArc::home).
    int (*homeOf)(const ChartForms &forms, const TextArc &arc) = nullptr;
    QString (*shown)(const QString &written) = nullptr; ///< what is drawn for a text
    QString (*written)(const QString &shown) = nullptr; ///< a text behind a colon that is drawn so

    QString key(const QString &what) const { return name + u'.' + what; }
};

/// What the vertices of a statechart are called in a text that does not take every id.
class ChartCodes
{
public:
    /// Ids that the notation does not take become similar ones; their vertices show the id as a
    /// label, unless they have one, which is reported.
    ChartCodes(const ChartForms &forms, const TextNotation &notation, QList<Remark> &remarks);

    const QString &code(int node) const { return m_codes[node]; } ///< with its quotes
    /// The label to write; empty: none.
    const QString &label(int node) const { return m_labels[node]; }
    /// An id made of letters, digits and "_" that can stand as it is and that nothing else has.
    QString freeCode(const QString &like);

private:
    bool isQuoted(int node) const;
    void choose(int node, QList<Remark> &remarks);

    const ChartForms &m_forms;
    const TextNotation &m_notation;
    QStringList m_codes;
    QStringList m_labels;
    QHash<QString, int> m_taken; ///< code -> the number to try next
};

} // namespace instar
