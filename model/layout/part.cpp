// SPDX-License-Identifier: Apache-2.0
#include "model/layout/part.h"

namespace instar {

LayoutInput partOf(const LayoutInput &input, int node, QList<int> &nodes)
{
    LayoutInput part = input;
    part.nodes.clear();
    part.edges.clear();
    part.notes.clear();
    nodes.clear();
    // Parents come before their children.
    QList<int> index(input.nodes.size(), -1);
    for (int i = node; i < input.nodes.size(); ++i) {
        const int parent = input.nodes[i].parent;
        if (i != node && (parent < 0 || index[parent] < 0))
            continue;
        index[i] = int(nodes.size());
        nodes += i;
        LayoutNode copy = input.nodes[i];
        copy.parent = i == node ? -1 : index[parent];
        copy.position.reset();
        part.nodes += copy;
    }
    for (LayoutEdge edge : input.edges) {
        if (edge.from < 0 || edge.to < 0 || index[edge.from] < 0 || index[edge.to] < 0)
            continue;
        edge.from = index[edge.from];
        edge.to = index[edge.to];
        part.edges += edge;
    }
    return part;
}

} // namespace instar
