// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"

namespace instar {

namespace {

constexpr int borderWeight =
    4; ///< crossings that cost as much as an edge through a foreign composite

class Filling
{
public:
    explicit Filling(Layers &layers) : m_layers(layers) { }

    void fill()
    {
        for (LayerEdge &edge : m_layers.edges)
            settleEnds(edge);
        placeLabels();
        dropEmptyRanks();
        addPieces();
        addBorders();
        for (int i = 0; i < int(m_layers.edges.size()); ++i) {
            if (m_layers.isOver())
                return;
            if (m_layers.edges[size_t(i)].isLayered)
                addChain(i);
        }
    }

private:
    LayerPiece &piece(int index) { return m_layers.pieces[size_t(index)]; }
    LayerCluster &cluster(int index) { return m_layers.clusters[size_t(index)]; }

    /// Anchors an edge to a whole composite on the border that faces the other end.
    void settleEnds(LayerEdge &edge)
    {
        if (!edge.isLayered)
            return;
        LayerEnd &upper = edge.isDown ? edge.from : edge.to;
        LayerEnd &lower = edge.isDown ? edge.to : edge.from;
        const auto rankOf = [this](const LayerEnd &end, const LayerEnd &other, bool isUpper) {
            if (end.piece >= 0)
                return piece(end.piece).rank;
            return isUpper == m_layers.contains(end.cluster, other) ? cluster(end.cluster).first
                                                                    : cluster(end.cluster).last;
        };
        const int first = rankOf(upper, lower, true), last = rankOf(lower, upper, false);
        if (last - first < 2) {
            edge.isLayered = false;
            return;
        }
        for (LayerEnd *end : { &upper, &lower }) {
            if (end->piece >= 0)
                continue;
            LayerPiece anchor { .kind = LayerPiece::Kind::Anchor,
                .index = end->cluster,
                .cluster = end->cluster,
                .rank = end == &upper ? first : last };
            end->piece = int(m_layers.pieces.size());
            m_layers.pieces.push_back(anchor);
        }
    }

    /// Puts each label in the middle of its edge, in a layer between boxes.
    void placeLabels()
    {
        m_labelRank.assign(m_layers.edges.size(), -1);
        for (size_t i = 0; i < m_layers.edges.size(); ++i) {
            const LayerEdge &edge = m_layers.edges[i];
            if (!edge.isLayered || edge.across <= 0)
                continue;
            const int first = piece(edge.from.piece).rank, last = piece(edge.to.piece).rank;
            int middle = (first + last) / 2;
            if (middle % 2 == 0)
                middle += first < last ? -1 : 1;
            m_labelRank[i] = middle;
        }
    }

    void dropEmptyRanks()
    {
        std::vector<bool> isUsed(size_t(m_layers.rankCount), false);
        for (const LayerPiece &each : m_layers.pieces)
            isUsed[size_t(each.rank)] = true;
        for (const int rank : m_labelRank) {
            if (rank >= 0)
                isUsed[size_t(rank)] = true;
        }
        for (const LayerCluster &each : m_layers.clusters)
            isUsed[size_t(each.first)] = isUsed[size_t(each.last)] = true;
        std::vector<int> renamed(size_t(m_layers.rankCount), 0);
        int next = 0;
        for (size_t i = 0; i < isUsed.size(); ++i) {
            renamed[i] = next;
            next += isUsed[i] ? 1 : 0;
        }
        m_layers.rankCount = next;
        for (LayerPiece &each : m_layers.pieces)
            each.rank = renamed[size_t(each.rank)];
        for (LayerCluster &each : m_layers.clusters) {
            each.first = renamed[size_t(each.first)];
            each.last = renamed[size_t(each.last)];
        }
        for (int &rank : m_labelRank)
            rank = rank < 0 ? rank : renamed[size_t(rank)];
    }

    int addItem(const LayerItem &item)
    {
        m_layers.items.push_back(item);
        return int(m_layers.items.size()) - 1;
    }

    /// Adds one item per piece, before all other items.
    void addPieces()
    {
        for (int i = 0; i < int(m_layers.pieces.size()); ++i) {
            const LayerPiece &each = piece(i);
            addItem({ .kind = LayerItem::Kind::Piece,
                .index = i,
                .cluster = each.cluster,
                .rank = each.rank,
                .before = each.before,
                .after = each.after });
        }
    }

    void addBorders()
    {
        for (int i = 1; i < int(m_layers.clusters.size()); ++i) {
            for (const auto kind : { LayerItem::Kind::Begin, LayerItem::Kind::End }) {
                for (int rank = cluster(i).first; rank <= cluster(i).last; ++rank) {
                    const int item =
                        addItem({ .kind = kind, .index = i, .cluster = i, .rank = rank });
                    if (rank > cluster(i).first)
                        m_layers.links.push_back({ item - 1, item, borderWeight, true });
                }
            }
        }
    }

    void addChain(int index)
    {
        LayerEdge &edge = m_layers.edges[size_t(index)];
        const int upper = edge.isDown ? edge.from.piece : edge.to.piece;
        const int lower = edge.isDown ? edge.to.piece : edge.from.piece;
        edge.chain.push_back(upper);
        std::vector<int> down = lineage(piece(lower).cluster), up = lineage(piece(upper).cluster);
        for (int rank = piece(upper).rank + 1; rank < piece(lower).rank; ++rank) {
            const bool isLabel = rank == m_labelRank[size_t(index)];
            const double half = isLabel ? edge.across / 2 : 0;
            const int item =
                addItem({ .kind = isLabel ? LayerItem::Kind::Label : LayerItem::Kind::Bend,
                    .index = index,
                    .cluster = clusterAt(rank, up, down),
                    .rank = rank,
                    .before = half,
                    .after = half });
            link(edge.chain.back(), item);
            edge.chain.push_back(item);
        }
        link(edge.chain.back(), lower);
        edge.chain.push_back(lower);
    }

    void link(int upper, int lower) { m_layers.links.push_back({ upper, lower, 1, false }); }

    /// A cluster and its ancestors, innermost first.
    std::vector<int> lineage(int inner) const
    {
        std::vector<int> result;
        for (; inner >= 0; inner = m_layers.clusters[size_t(inner)].parent)
            result.push_back(inner);
        return result;
    }

    /// The edge's cluster in a layer: one of the source's as long as it lasts, then one of the
    /// target's as soon as it begins.
    int clusterAt(int rank, const std::vector<int> &from, const std::vector<int> &to)
    {
        for (const int each : from) {
            if (cluster(each).last >= rank && !m_layers.contains(each, to.front()))
                return each;
            if (m_layers.contains(each, to.front()))
                break;
        }
        for (const int each : to) {
            const bool isAround = m_layers.contains(each, from.front());
            if (isAround || cluster(each).first <= rank)
                return each;
        }
        return 0;
    }

    Layers &m_layers;
    std::vector<int> m_labelRank; ///< by edge
};

} // namespace

void fillLayers(Layers &layers)
{
    Filling(layers).fill();
}

} // namespace instar
