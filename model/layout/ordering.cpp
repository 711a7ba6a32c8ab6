// SPDX-License-Identifier: Apache-2.0
#include "model/layout/ordering.h"

#include <algorithm>
#include <numeric>

namespace instar {

LayerOrder::LayerOrder(const Layers &layers)
    : m_layers(layers),
      m_state { std::vector<std::vector<int>>(size_t(layers.rankCount)),
          std::vector<int>(layers.clusters.size(), 0) },
      m_place(layers.items.size(), 0),
      m_endOf(layers.items.size(), -1),
      m_children(layers.clusters.size())
{
    index();
    for (size_t i = 1; i < layers.clusters.size(); ++i)
        m_children[size_t(layers.clusters[i].parent)].push_back(int(i));
    std::vector<int> begin(layers.clusters.size(), 0);
    for (size_t i = 0; i < layers.items.size(); ++i) {
        const LayerItem &item = layers.items[i];
        m_state.order[size_t(item.rank)].push_back(int(i));
        if (item.kind == LayerItem::Kind::Begin
            && item.rank == layers.clusters[size_t(item.index)].first)
            begin[size_t(item.index)] = int(i);
        if (item.kind == LayerItem::Kind::End)
            m_endOf[size_t(begin[size_t(item.index)] + item.rank
                - layers.clusters[size_t(item.index)].first)] = int(i);
    }
}

void LayerOrder::index()
{
    const size_t count = m_layers.items.size();
    m_upFirst.assign(count + 1, 0);
    m_downFirst.assign(count + 1, 0);
    for (const LayerLink &link : m_layers.links) {
        ++m_upFirst[size_t(link.lower) + 1];
        ++m_downFirst[size_t(link.upper) + 1];
    }
    std::partial_sum(m_upFirst.begin(), m_upFirst.end(), m_upFirst.begin());
    std::partial_sum(m_downFirst.begin(), m_downFirst.end(), m_downFirst.begin());
    std::vector<int> up(m_upFirst), down(m_downFirst);
    m_up.resize(m_layers.links.size());
    m_down.resize(m_layers.links.size());
    m_upWeight.resize(m_layers.links.size());
    m_downWeight.resize(m_layers.links.size());
    for (const LayerLink &link : m_layers.links) {
        const auto above = size_t(up[size_t(link.lower)]++);
        const auto below = size_t(down[size_t(link.upper)]++);
        m_up[above] = link.upper;
        m_upWeight[above] = link.weight;
        m_down[below] = link.lower;
        m_downWeight[below] = link.weight;
    }
}

void LayerOrder::renumber(int rank)
{
    const std::vector<int> &layer = m_state.order[size_t(rank)];
    for (size_t i = 0; i < layer.size(); ++i)
        m_place[size_t(layer[i])] = int(i);
}

void LayerOrder::restore(const State &state)
{
    m_state = state;
    for (int rank = 0; rank < m_layers.rankCount; ++rank)
        renumber(rank);
}

void LayerOrder::arrange(const std::vector<int> &itemKey, const std::vector<int> &clusterKey)
{
    const auto depthOf = [this](int cluster) { return m_layers.clusters[size_t(cluster)].depth; };
    const auto parentOf = [this](int cluster) { return m_layers.clusters[size_t(cluster)].parent; };
    const auto isBorder = [this](int item, LayerItem::Kind kind) {
        return m_layers.items[size_t(item)].kind == kind;
    };
    // What stands for an item among the children of a cluster around it: a border stands first or
    // last in its own.
    const auto before = [&](int a, int b) {
        int first = m_layers.items[size_t(a)].cluster, second = m_layers.items[size_t(b)].cluster;
        int firstInner = -1, secondInner = -1;
        while (first != second) {
            if (depthOf(first) >= depthOf(second)) {
                firstInner = first;
                first = parentOf(first);
            } else {
                secondInner = second;
                second = parentOf(second);
            }
        }
        const auto key = [&](int item, int inner) {
            if (inner >= 0)
                return clusterKey[size_t(inner)];
            if (isBorder(item, LayerItem::Kind::Begin))
                return -1;
            return isBorder(item, LayerItem::Kind::End) ? int(m_layers.items.size()) * 4
                                                        : itemKey[size_t(item)];
        };
        const int keyA = key(a, firstInner), keyB = key(b, secondInner);
        return keyA != keyB ? keyA < keyB : a < b;
    };
    for (int rank = 0; rank < m_layers.rankCount; ++rank) {
        std::ranges::sort(m_state.order[size_t(rank)], before);
        renumber(rank);
    }
    m_state.clusterPlace = clusterKey;
}

qint64 LayerOrder::crossingsBelow(int rank)
{
    if (rank < 0 || rank + 1 >= m_layers.rankCount)
        return 0;
    const size_t width = m_state.order[size_t(rank) + 1].size();
    m_tree.assign(width + 1, 0);
    qint64 total = 0, sum = 0;
    // How much weight lies to the right of each link's lower end, from all links further left.
    for (const int item : m_state.order[size_t(rank)]) {
        const auto first = size_t(m_downFirst[size_t(item)]),
                   last = size_t(m_downFirst[size_t(item) + 1]);
        for (size_t i = first; i < last; ++i) {
            qint64 before = 0;
            for (size_t at = size_t(m_place[size_t(m_down[i])]) + 1; at > 0; at &= at - 1)
                before += m_tree[at];
            total += (sum - before) * m_downWeight[i];
        }
        for (size_t i = first; i < last; ++i) {
            sum += m_downWeight[i];
            for (size_t at = size_t(m_place[size_t(m_down[i])]) + 1; at <= width;
                 at += at & (~at + 1))
                m_tree[at] += m_downWeight[i];
        }
    }
    return total;
}

qint64 LayerOrder::crossings()
{
    qint64 total = 0;
    for (int rank = 0; rank + 1 < m_layers.rankCount; ++rank)
        total += crossingsBelow(rank);
    return total;
}

double LayerOrder::centreOf(int item, Way way, Centre centre)
{
    const std::vector<int> &firsts = way == Way::Down ? m_upFirst : m_downFirst;
    const std::vector<int> &others = way == Way::Down ? m_up : m_down;
    const std::vector<int> &weights = way == Way::Down ? m_upWeight : m_downWeight;
    const auto first = size_t(firsts[size_t(item)]), last = size_t(firsts[size_t(item) + 1]);
    if (first == last)
        return -1;
    if (centre == Centre::Mean) {
        double sum = 0, weight = 0;
        for (size_t i = first; i < last; ++i) {
            sum += double(m_place[size_t(others[i])]) * weights[i];
            weight += weights[i];
        }
        return sum / weight;
    }
    m_scratch.clear();
    for (size_t i = first; i < last; ++i)
        m_scratch.push_back(m_place[size_t(others[i])]);
    std::ranges::sort(m_scratch);
    const size_t count = m_scratch.size(), half = count / 2;
    if (count % 2 == 1)
        return m_scratch[half];
    if (count == 2)
        return (m_scratch[0] + m_scratch[1]) / 2.0;
    // Between the two in the middle, nearer to the side where the others are closer together.
    const double left = m_scratch[half - 1] - m_scratch[0];
    const double right = m_scratch[count - 1] - m_scratch[half];
    return left + right > 0
        ? (m_scratch[half - 1] * right + m_scratch[half] * left) / (left + right)
        : (m_scratch[half - 1] + m_scratch[half]) / 2.0;
}

void LayerOrder::sweep(Way way, Centre centre)
{
    for (int step = 1; step < m_layers.rankCount; ++step)
        sortLayer(way == Way::Down ? step : m_layers.rankCount - 1 - step, way, centre);
}

/// A cluster of which a layer's reading has passed the opening border.
struct LayerOrder::Open
{
    std::vector<Unit> units;
    std::vector<int> items;
    double sum = 0, weight = 0; ///< of the wishes of what is in it
    int begin = -1;             ///< the border

    void add(double centre)
    {
        sum += std::max(centre, 0.0);
        weight += centre >= 0 ? 1 : 0;
    }
};

/// Sorts the inside of every cluster, from the innermost outwards.
void LayerOrder::sortLayer(int rank, Way way, Centre centre)
{
    std::vector<int> &layer = m_state.order[size_t(rank)];
    std::vector<Open> open(1);
    for (const int item : layer) {
        const LayerItem &each = m_layers.items[size_t(item)];
        const double wish = centreOf(item, way, centre);
        if (each.kind == LayerItem::Kind::Begin) {
            open.emplace_back();
            open.back().begin = item;
            open.back().add(wish);
            continue;
        }
        Unit unit { .centre = wish };
        open.back().add(wish);
        if (each.kind == LayerItem::Kind::End) {
            Open inner = std::move(open.back());
            open.pop_back();
            unit.begin = int(open.back().items.size());
            unit.cluster = each.index;
            unit.centre = inner.weight > 0 ? inner.sum / inner.weight : -1;
            open.back().items.push_back(inner.begin);
            sortUnits(inner.units, inner.items, open.back().items);
            open.back().sum += inner.sum;
            open.back().weight += inner.weight;
        } else {
            unit.begin = int(open.back().items.size());
        }
        open.back().items.push_back(item);
        unit.count = int(open.back().items.size()) - unit.begin;
        open.back().units.push_back(unit);
    }
    layer.clear();
    sortUnits(open.back().units, open.back().items, layer);
    renumber(rank);
}

/// Those without neighbours stay where they are, the others are sorted around them.
void LayerOrder::sortUnits(
    std::vector<Unit> &units, const std::vector<int> &from, std::vector<int> &to) const
{
    keepClusters(units);
    std::vector<int> moving;
    for (size_t i = 0; i < units.size(); ++i) {
        if (units[i].centre >= 0)
            moving.push_back(int(i));
    }
    std::vector<int> sorted(moving);
    std::ranges::stable_sort(sorted, {}, [&](int unit) { return units[size_t(unit)].centre; });
    std::vector<int> sequence(units.size());
    std::iota(sequence.begin(), sequence.end(), 0);
    for (size_t i = 0; i < moving.size(); ++i)
        sequence[size_t(moving[i])] = sorted[i];
    for (const int unit : sequence) {
        const auto begin = from.begin() + units[size_t(unit)].begin;
        to.insert(to.end(), begin, begin + units[size_t(unit)].count);
    }
}

/// Clusters have one order in all layers: where their wishes contradict it, they get the mean.
void LayerOrder::keepClusters(std::vector<Unit> &units) const
{
    std::vector<size_t> clusters;
    for (size_t i = 0; i < units.size(); ++i) {
        if (units[i].cluster >= 0)
            clusters.push_back(i);
    }
    if (clusters.size() < 2)
        return;
    struct Pool
    {
        double sum, weight;
        size_t count;
    };
    std::vector<Pool> pools;
    double last = 0;
    for (const size_t at : clusters) {
        // One without a wish goes with the one before it.
        last = units[at].centre >= 0 ? units[at].centre : last;
        pools.push_back({ last, 1, 1 });
        while (pools.size() > 1) {
            const Pool &right = pools.back();
            Pool &left = pools[pools.size() - 2];
            if (left.sum / left.weight <= right.sum / right.weight)
                break;
            left = { left.sum + right.sum, left.weight + right.weight, left.count + right.count };
            pools.pop_back();
        }
    }
    size_t next = 0;
    for (const Pool &pool : pools) {
        for (size_t i = 0; i < pool.count; ++i)
            units[clusters[next++]].centre = pool.sum / pool.weight;
    }
}

} // namespace instar
