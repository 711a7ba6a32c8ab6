// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

/// Coordinate assignment along the layers: one row per layer, with room for the borders of clusters
/// that begin or end there, and for edges that go far sideways.
class Along
{
public:
    Along(const Layers &layers, LayerCoordinates &result)
        : m_layers(layers), m_result(result), m_clusters(layers.clusters)
    { }

    void solve()
    {
        measureRows();
        measureSwings();
        stack();
        for (size_t i = m_clusters.size(); i-- > 1;) {
            const double missing =
                m_clusters[i].leastAlong - (m_result.bottom[i] - m_result.top[i]);
            if (missing <= 0)
                continue;
            m_clusters[i].below += missing;
            stack();
        }
    }

private:
    void measureRows()
    {
        const auto count = size_t(m_layers.rankCount);
        m_result.rowAbove.assign(count, 0);
        m_result.rowBelow.assign(count, 0);
        m_isForLabels.assign(count, true);
        for (const LayerPiece &piece : m_layers.pieces) {
            const auto rank = size_t(piece.rank);
            m_result.rowAbove[rank] = std::max(m_result.rowAbove[rank], piece.above);
            m_result.rowBelow[rank] = std::max(m_result.rowBelow[rank], piece.below);
            m_isForLabels[rank] = false;
        }
        for (const LayerItem &item : m_layers.items) {
            if (item.kind != LayerItem::Kind::Label)
                continue;
            const double half = m_layers.edges[size_t(item.index)].along / 2;
            const auto rank = size_t(item.rank);
            m_result.rowAbove[rank] = std::max(m_result.rowAbove[rank], half);
            m_result.rowBelow[rank] = std::max(m_result.rowBelow[rank], half);
        }
    }

    /// Adds room for edges that go far sideways and would become too flat.
    void measureSwings()
    {
        constexpr double share = 0.08, most = 22;
        m_swing.assign(size_t(m_layers.rankCount), 0);
        for (const LayerLink &link : m_layers.links) {
            const double aside =
                std::abs(m_result.item[size_t(link.lower)] - m_result.item[size_t(link.upper)]);
            double &swing = m_swing[size_t(m_layers.items[size_t(link.upper)].rank)];
            swing = std::max(swing, std::min(aside * share, most));
        }
    }

    void stack()
    {
        const auto count = size_t(m_layers.rankCount);
        std::vector<double> above(count, 0), below(count, 0), topOf(m_clusters.size(), 0),
            bottomOf(topOf);
        for (size_t i = m_clusters.size(); i-- > 1;) {
            const LayerCluster &cluster = m_clusters[i];
            topOf[i] += cluster.above;
            bottomOf[i] += cluster.below;
            above[size_t(cluster.first)] = std::max(above[size_t(cluster.first)], topOf[i]);
            below[size_t(cluster.last)] = std::max(below[size_t(cluster.last)], bottomOf[i]);
            const auto around = size_t(cluster.parent);
            if (m_clusters[around].first == cluster.first)
                topOf[around] = std::max(topOf[around], topOf[i]);
            if (m_clusters[around].last == cluster.last)
                bottomOf[around] = std::max(bottomOf[around], bottomOf[i]);
        }
        m_result.centre.assign(count, 0);
        m_result.bandAbove.assign(count, 0);
        m_result.bandBelow.assign(count, 0);
        double at = 0;
        for (size_t rank = 0; rank < count; ++rank) {
            m_result.bandAbove[rank] = at;
            m_result.centre[rank] = at + above[rank] + m_result.rowAbove[rank];
            m_result.bandBelow[rank] =
                m_result.centre[rank] + m_result.rowBelow[rank] + below[rank];
            const bool isHalf = rank + 1 < count && m_isForLabels[rank] != m_isForLabels[rank + 1];
            at = m_result.bandBelow[rank] + m_layers.input->layerGap / (isHalf ? 2 : 1)
                + m_swing[rank];
        }
        m_result.top.assign(m_clusters.size(), 0);
        m_result.bottom.assign(m_clusters.size(), 0);
        for (size_t i = 0; i < m_clusters.size(); ++i) {
            const auto first = size_t(m_clusters[i].first), last = size_t(m_clusters[i].last);
            m_result.top[i] = m_result.centre[first] - m_result.rowAbove[first] - topOf[i];
            m_result.bottom[i] = m_result.centre[last] + m_result.rowBelow[last] + bottomOf[i];
        }
        tighten();
    }

    /// A cluster ends below its own contents, not below all of its last layer.
    void tighten()
    {
        std::vector<double> lowest(m_clusters.size(), -1e9);
        for (const LayerPiece &piece : m_layers.pieces) {
            if (piece.kind != LayerPiece::Kind::Anchor)
                lowest[size_t(piece.cluster)] = std::max(lowest[size_t(piece.cluster)],
                    m_result.centre[size_t(piece.rank)] + piece.below);
        }
        // An edge that ends on the border from inside reaches down to the layer of that end.
        for (const LayerLink &link : m_layers.links) {
            const LayerItem &item = m_layers.items[size_t(link.lower)];
            if (!link.isBorder && item.kind == LayerItem::Kind::Piece)
                lowest[size_t(item.cluster)] =
                    std::max(lowest[size_t(item.cluster)], m_result.centre[size_t(item.rank)]);
        }
        for (const LayerItem &item : m_layers.items) {
            if (item.kind == LayerItem::Kind::Label)
                lowest[size_t(item.cluster)] = std::max(lowest[size_t(item.cluster)],
                    m_result.centre[size_t(item.rank)]
                        + m_layers.edges[size_t(item.index)].along / 2);
        }
        for (size_t i = m_clusters.size(); i-- > 1;) {
            const LayerCluster &cluster = m_clusters[i];
            const double least = m_result.top[i] + cluster.leastAlong;
            if (!cluster.isRegion)
                m_result.bottom[i] =
                    std::min(m_result.bottom[i], std::max(lowest[i] + cluster.below, least));
            lowest[size_t(cluster.parent)] =
                std::max(lowest[size_t(cluster.parent)], m_result.bottom[i]);
        }
    }

    const Layers &m_layers;
    LayerCoordinates &m_result;
    std::vector<LayerCluster> m_clusters;
    std::vector<bool> m_isForLabels;
    std::vector<double> m_swing; ///< by rank: additional room in the band below it
};

} // namespace

void placeAlong(const Layers &layers, LayerCoordinates &coordinates)
{
    Along(layers, coordinates).solve();
}

} // namespace instar
