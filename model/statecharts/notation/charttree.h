// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

#include <QHash>
#include <QSet>

namespace instar {

/// Tree of a statechart's vertices, for writers of text formats. Every region of a parallel state
/// is an unnamed node; a named child of the state is wrapped in one. A parallel state with one
/// region becomes a composite without regions.
class ChartTree
{
public:
    struct Node
    {
        const Vertex *vertex =
            nullptr; ///< null: the statechart itself (node 0), or an added region
        int parent = 0;
        int depth = 0;
        bool isRegion = false; ///< of a composite that has two or more
        QList<int> children;
        QList<int> regions; ///< those of `children` that are regions
    };

    /// Regions at the top level of a statechart: whether the notation has them.
    enum class Division { Allowed, Refused };

    explicit ChartTree(const Statechart &chart, Division division = Division::Allowed);

    int size() const { return int(m_nodes.size()); }
    const Node &node(int index) const { return m_nodes[index]; }
    int index(const QString &id) const { return m_byId.value(id, -1); }
    const QList<int> &regions(int index) const { return m_nodes[index].regions; }
    /// True if a node is the composite or a descendant of it.
    bool isInside(int index, int composite) const;
    /// Lowest common ancestor of the parents of both.
    int commonAncestor(int a, int b) const;
    /// Innermost region around a node; 0: none.
    int regionAround(int index) const;
    /// Unnamed parallel state whose regions are the top level of the statechart; -1: there is no
    /// such state.
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
    /// Body in which it must be written, as the meaning of "[*]" depends on the body; -1: any.
    int home = -1;
};

/// Step of writing a statechart.
struct OutlineStep
{
    enum class Kind {
        Declare,  ///< a vertex without a body
        Open,     ///< the body of a composite begins
        Reopen,   ///< the body of a composite continues
        Separate, ///< a region ends and this one begins
        Connect,
        Finish, ///< a node's first body ends, or the statechart (0)
        Close,
    };
    Kind kind = Kind::Declare;
    int index = 0; ///< of a node, or of an arc
};

/// Returns the steps that write nested bodies: every name is declared, in vertex order, before an
/// arrow uses it; the arrows of one vertex keep their order where regions allow it. A body
/// with regions is never reopened. `isDeclared`: by node, if its name is to be declared.
QList<OutlineStep> chartOutline(
    const ChartTree &tree, const QList<OutlineArc> &arcs, const QList<bool> &isDeclared);

} // namespace instar
