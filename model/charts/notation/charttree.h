// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

#include <QHash>
#include <QSet>

namespace instar {

/// A statechart as writers of texts need it: its vertices as the nodes of a tree. Every region of a
/// parallel state is a node without a name; where the statechart has a named state in its place, a
/// region is put around that. A parallel state of one region is a composite without regions.
class ChartTree
{
public:
    /// Nodes in each other; what lies deeper is taken to lie beside what surrounds it.
    static constexpr int Deepest = 500;

    struct Node
    {
        const Vertex *vertex =
            nullptr; ///< null: the statechart itself (node 0), or a region put in
        int parent = 0;
        int depth = 0;
        bool isRegion = false; ///< of a composite that has two or more
        QList<int> children;
        QList<int> regions; ///< of them; none: it is not divided
    };

    /// Can the text of a statechart itself be divided into regions?
    enum class Division { Allowed, Refused };

    explicit ChartTree(const Statechart &chart, Division division = Division::Allowed);

    int size() const { return int(m_nodes.size()); }
    const Node &node(int index) const { return m_nodes[index]; }
    int index(const QString &id) const { return m_byId.value(id, -1); }
    const QList<int> &regions(int index) const { return m_nodes[index].regions; }
    /// Does it lie in the other, however deep?
    bool isInside(int index, int composite) const;
    /// The innermost node that both lie in.
    int common(int a, int b) const;
    /// The child of `composite` that is the node or holds it.
    int branch(int index, int composite) const;
    /// The innermost region that it lies in; 0: none.
    int regionAround(int index) const;
    /// Of a statechart that is divided itself, the unnamed parallel state that stands for it; else
    /// -1.
    int dividedChart() const { return m_dividedChart; }
    bool isFlattened() const { return m_isFlattened; }

private:
    void addVertices(const Statechart &chart);
    void dissolve(int region);
    void makeRegions(int composite);
    void move(int index, int to);
    void settle(int index);
    bool standsForChart(int index) const;

    QList<Node> m_nodes;
    QHash<QString, int> m_byId;
    int m_dividedChart = -1;
    bool m_isFlattened = false;
};

/// An arrow between nodes, to be put into a text.
struct OutlineArc
{
    const Arc *arc = nullptr;
    int from = 0;
    int to = 0;
    /// Where it must stand, if one of its ends means something only there ("[*]"); -1: anywhere.
    int home = -1;
};

/// One piece of a text that describes a statechart.
struct OutlineStep
{
    enum class Kind {
        Declare,  ///< a vertex that needs no body, or has it later
        Open,     ///< the body of a composite begins
        Reopen,   ///< it goes on
        Separate, ///< a region ends and this one begins
        Connect,
        Finish, ///< the last piece of a node's first body, or of the statechart (0)
        Close,
    };
    Kind kind = Kind::Declare;
    int index = 0; ///< of a node, or of an arc
    bool operator==(const OutlineStep &) const = default;
};

/// The order of a text in which states lie in each other's bodies, with arrows among them: every
/// name is declared, in the order of the vertices, before an arrow uses it. A body with regions
/// comes as a whole. `isDeclared` says of each node whether it is declared by a name.
enum class OutlineOrder {
    Tidy, ///< bodies come as a whole; of one state the arrows keep their order
    Kept, ///< all arrows keep their order, for which bodies are opened again where they must
};
QList<OutlineStep> chartOutline(const ChartTree &tree, const QList<OutlineArc> &arcs,
    const QList<bool> &isDeclared, OutlineOrder order);

/// The arrows in the order in which they come.
QList<int> arrowsOf(const QList<OutlineStep> &outline);

} // namespace instar
