// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"

namespace instar {

Limit Layers::limit() const
{
    constexpr qint64 itemBytes = 400; // with its links, places and variables
    if (qint64(items.size()) * itemBytes > budget->bytes)
        return Limit::Memory;
    return budget->interruption();
}

int Layers::clusterAround(int node) const
{
    const int parent = input->nodes[node].parent;
    return parent < 0 || clusterOf[size_t(parent)] < 0 ? 0 : clusterOf[size_t(parent)];
}

bool Layers::contains(int cluster, int inner) const
{
    while (inner >= 0 && clusters[size_t(inner)].depth > clusters[size_t(cluster)].depth)
        inner = clusters[size_t(inner)].parent;
    return inner == cluster;
}

int Layers::around(const LayerEnd &end) const
{
    return end.piece >= 0 ? pieces[size_t(end.piece)].cluster
                          : clusters[size_t(end.cluster)].parent;
}

} // namespace instar
