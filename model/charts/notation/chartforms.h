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
    /// What a notation has.
    struct Abilities
    {
        bool histories = true; ///< "[H]"
        bool bars = true;      ///< "==CODE=="
        bool crossings = true; ///< arrows across the border of a region
        bool namedDots = true; ///< initial and final states with names, and several of them
        ChartTree::Division division = ChartTree::Division::Allowed;
    };

    ChartForms(const Statechart &chart, const Abilities &abilities, QList<Remark> &remarks);

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

    Abilities m_abilities;
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

} // namespace instar
