// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Crossing minimization: the order of all layers, and steps that improve it.
class LayerOrder
{
public:
    explicit LayerOrder(const Layers &layers);

    /// Everything that the steps change.
    struct State
    {
        std::vector<std::vector<int>> order; ///< by rank: items
        std::vector<int> clusterPlace;       ///< by cluster: among its siblings
    };
    const State &state() const { return m_state; }
    void restore(const State &state);
    /// Sorts by the keys of items and clusters, keeping clusters together.
    void arrange(const std::vector<int> &itemKey, const std::vector<int> &clusterKey);

    qint64 crossings();
    /// Layer sweep: sorts layers by the barycentre or median of neighbours in the one before.
    enum class Way { Down, Up };
    enum class Centre { Mean, Median };
    void sweep(Way way, Centre centre);
    /// Transposition: swaps neighbours while that removes crossings; returns true if any did.
    bool exchange(int rounds = 12);
    /// Swaps neighbouring clusters; returns true if that helped.
    bool exchangeClusters();

private:
    struct Unit
    {
        int begin = 0, count = 0; ///< in the layer
        double centre = -1;       ///< wanted place; -1: any
        int cluster = -1;
    };
    struct Open;

    void index();
    void renumber(int rank);
    double centreOf(int item, Way way, Centre centre);
    void sortLayer(int rank, Way way, Centre centre);
    void sortUnits(
        std::vector<Unit> &units, const std::vector<int> &from, std::vector<int> &to) const;
    void keepClusters(std::vector<Unit> &units) const;
    bool exchangeIn(int rank);
    bool meet(int cluster, int other) const;
    int unitEnd(const std::vector<int> &layer, int begin) const;
    qint64 gain(const std::vector<int> &layer, int begin, int middle, int end);
    qint64 gain(int left, int right);
    qint64 crossingsBelow(int rank);
    bool exchangePair(int left, int right);

    const Layers &m_layers;
    State m_state;
    std::vector<int> m_place; ///< by item: in its layer
    // Neighbours by item: in the layer above and in the one below.
    std::vector<int> m_upFirst, m_up, m_upWeight, m_downFirst, m_down, m_downWeight;
    std::vector<int> m_endOf;                 ///< by item: the closing border of an opening one
    std::vector<std::vector<int>> m_children; ///< by cluster
    std::vector<int> m_scratch;
    std::vector<qint64> m_tree;
};

/// Orders every layer for few crossings; clusters stay together and keep their sides.
void orderLayers(Layers &layers);

} // namespace instar
