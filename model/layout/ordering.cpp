// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <utility>

namespace instar {

namespace {

/// Crossing minimization: the order of all layers, and steps that improve it.
class LayerOrder
{
public:
    enum class Direction { Down, Up };
    enum class Centre { Mean, Median };

    explicit LayerOrder(const Layers &layers)
        : m_layers(layers),
          m_order(size_t(layers.rankCount)),
          m_clusterPlace(layers.clusters.size(), 0),
          m_place(layers.items.size(), 0),
          m_up(neighbours(layers, &LayerLink::lower, &LayerLink::upper)),
          m_down(neighbours(layers, &LayerLink::upper, &LayerLink::lower)),
          m_endOf(layers.items.size(), -1),
          m_children(layers.clusters.size())
    {
        for (size_t i = 1; i < layers.clusters.size(); ++i)
            m_children[size_t(layers.clusters[i].parent)].push_back(int(i));
        std::vector<int> begin(layers.clusters.size(), 0);
        for (size_t i = 0; i < layers.items.size(); ++i) {
            const LayerItem &item = layers.items[i];
            m_order[size_t(item.rank)].push_back(int(i));
            if (item.kind == Kind::Begin && item.rank == layers.clusters[size_t(item.index)].first)
                begin[size_t(item.index)] = int(i);
            if (item.kind == Kind::End)
                m_endOf[size_t(begin[size_t(item.index)] + item.rank
                    - layers.clusters[size_t(item.index)].first)] = int(i);
        }
    }

    const std::vector<std::vector<int>> &order() const { return m_order; } ///< by rank: items

    /// Sorts by the keys of items and clusters, keeping clusters together.
    void arrange(const std::vector<int> &itemKey, const std::vector<int> &clusterKey)
    {
        const auto depthOf = [this](
                                 int cluster) { return m_layers.clusters[size_t(cluster)].depth; };
        const auto parentOf = [this](int cluster) {
            return m_layers.clusters[size_t(cluster)].parent;
        };
        // Compares two items in the innermost cluster that contains both: an item of a child
        // cluster has the key of the child, and the borders of a cluster stand first and last.
        const auto before = [&](int a, int b) {
            int first = m_layers.items[size_t(a)].cluster,
                second = m_layers.items[size_t(b)].cluster;
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
                if (kindOf(item) == Kind::Begin)
                    return -1;
                return kindOf(item) == Kind::End ? int(m_layers.items.size()) * 4
                                                 : itemKey[size_t(item)];
            };
            const int keyA = key(a, firstInner), keyB = key(b, secondInner);
            return keyA != keyB ? keyA < keyB : a < b;
        };
        for (int rank = 0; rank < m_layers.rankCount; ++rank) {
            std::ranges::sort(m_order[size_t(rank)], before);
            renumber(rank);
        }
        m_clusterPlace = clusterKey;
    }

    qint64 crossings()
    {
        qint64 total = 0;
        for (int rank = 0; rank + 1 < m_layers.rankCount; ++rank)
            total += crossingsBelow(rank);
        return total;
    }

    /// Layer sweep: sorts each layer by the barycentre or median of neighbours in the layer before.
    void sweep(Direction direction, Centre centre)
    {
        for (int step = 1; step < m_layers.rankCount; ++step)
            sortLayer(direction == Direction::Down ? step : m_layers.rankCount - 1 - step,
                direction, centre);
    }

    /// Transposition: swaps neighbours while that removes crossings. Returns true if any swapped.
    bool transpose(int rounds)
    {
        // Revisits a layer only if it, or a layer beside it, has changed. Flags are by rank + 1.
        bool improved = false;
        std::vector<char> now(size_t(m_layers.rankCount) + 2, 1), next(now.size(), 0);
        for (int round = 0; round < rounds; ++round) {
            bool again = false;
            for (int rank = 0; rank < m_layers.rankCount; ++rank) {
                if (!now[size_t(rank) + 1] || m_layers.isOver() || !transposeLayer(rank))
                    continue;
                again = true;
                next[size_t(rank)] = next[size_t(rank) + 1] = next[size_t(rank) + 2] = 1;
            }
            improved = improved || again;
            if (!again)
                break;
            now = std::exchange(next, std::vector<char>(now.size(), 0));
        }
        return improved;
    }

    /// Swaps neighbouring clusters where that removes crossings. Returns true if any swapped.
    bool swapClusters()
    {
        bool improved = false;
        for (std::vector<int> &children : m_children) {
            constexpr size_t most = 60; // more clusters would take too long
            if (children.size() < 2 || children.size() > most || m_layers.isOver())
                continue;
            std::ranges::sort(
                children, {}, [this](int each) { return m_clusterPlace[size_t(each)]; });
            for (size_t i = 0; i + 1 < children.size(); ++i) {
                // Cluster j is the next one that shares a layer with cluster i. No cluster between
                // them may share a layer with cluster j.
                size_t j = i + 1;
                while (j < children.size() && !shareLayer(children[i], children[j]))
                    ++j;
                const auto sharesWithJ = [&](int each) { return shareLayer(each, children[j]); };
                if (j == children.size()
                    || std::any_of(
                        children.begin() + int(i) + 1, children.begin() + int(j), sharesWithJ))
                    continue;
                if (swapPair(children[i], children[j])) {
                    std::swap(children[i], children[j]);
                    improved = true;
                }
            }
        }
        return improved;
    }

private:
    using Kind = LayerItem::Kind;

    struct Unit ///< item or cluster, moved as a whole
    {
        int begin = 0, count = 0; ///< in the layer
        double centre = -1;       ///< wanted place; -1: any
        int cluster = -1;
    };

    /// Cluster whose opening border has been passed in a layer.
    struct Open
    {
        std::vector<Unit> units;
        std::vector<int> items;
        double sum = 0, weight = 0; ///< of the wanted places of its contents
        int begin = -1;             ///< the opening border

        void add(double centre)
        {
            sum += std::max(centre, 0.0);
            weight += centre >= 0 ? 1 : 0;
        }
    };

    /// Neighbours of all items in the layer above them, or below.
    struct Neighbours
    {
        struct Neighbour
        {
            int item, weight;
        };
        std::vector<size_t> first; ///< by item: the place of its first neighbour
        std::vector<Neighbour> all;

        std::span<const Neighbour> of(int item) const
        {
            return { all.data() + first[size_t(item)], all.data() + first[size_t(item) + 1] };
        }
    };

    static Neighbours neighbours(const Layers &layers, int LayerLink::*from, int LayerLink::*to)
    {
        Neighbours result { .first = std::vector<size_t>(layers.items.size() + 1, 0),
            .all = std::vector<Neighbours::Neighbour>(layers.links.size()) };
        for (const LayerLink &link : layers.links)
            ++result.first[size_t(link.*from) + 1];
        std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
        std::vector<size_t> next(result.first);
        for (const LayerLink &link : layers.links)
            result.all[next[size_t(link.*from)]++] = { link.*to, link.weight };
        return result;
    }

    Kind kindOf(int item) const { return m_layers.items[size_t(item)].kind; }

    void renumber(int rank)
    {
        const std::vector<int> &layer = m_order[size_t(rank)];
        for (size_t i = 0; i < layer.size(); ++i)
            m_place[size_t(layer[i])] = int(i);
    }

    qint64 crossingsBelow(int rank)
    {
        if (rank < 0 || rank + 1 >= m_layers.rankCount)
            return 0;
        const size_t width = m_order[size_t(rank) + 1].size();
        m_fenwickTree.assign(width + 1, 0);
        qint64 total = 0, sum = 0;
        // Takes the links from left to right by their upper ends. The Fenwick tree counts the
        // earlier links by their lower ends: a link crosses earlier links that end further right.
        for (const int item : m_order[size_t(rank)]) {
            for (const auto &[lower, weight] : m_down.of(item)) {
                qint64 before = 0;
                for (size_t at = size_t(m_place[size_t(lower)]) + 1; at > 0; at &= at - 1)
                    before += m_fenwickTree[at];
                total += (sum - before) * weight;
            }
            for (const auto &[lower, weight] : m_down.of(item)) {
                sum += weight;
                for (size_t at = size_t(m_place[size_t(lower)]) + 1; at <= width;
                     at += at & (~at + 1))
                    m_fenwickTree[at] += weight;
            }
        }
        return total;
    }

    /// Wanted position of an item in its layer, by those of its neighbours; -1: any.
    double centreOf(int item, Direction direction, Centre centre)
    {
        const auto others = (direction == Direction::Down ? m_up : m_down).of(item);
        if (others.empty())
            return -1;
        if (centre == Centre::Mean) {
            double sum = 0, all = 0;
            for (const auto &[other, weight] : others) {
                sum += double(m_place[size_t(other)]) * weight;
                all += weight;
            }
            return sum / all;
        }
        m_scratch.clear();
        for (const auto &[other, weight] : others)
            m_scratch.push_back(m_place[size_t(other)]);
        std::ranges::sort(m_scratch);
        const size_t count = m_scratch.size(), half = count / 2;
        if (count % 2 == 1)
            return m_scratch[half];
        if (count == 2)
            return (m_scratch[0] + m_scratch[1]) / 2.0;
        // Weighted median: between the two middle places, nearer to the denser side.
        const double left = m_scratch[half - 1] - m_scratch[0];
        const double right = m_scratch[count - 1] - m_scratch[half];
        return left + right > 0
            ? (m_scratch[half - 1] * right + m_scratch[half] * left) / (left + right)
            : (m_scratch[half - 1] + m_scratch[half]) / 2.0;
    }

    /// Sorts a layer: the contents of every cluster, innermost first.
    void sortLayer(int rank, Direction direction, Centre centre)
    {
        std::vector<int> &layer = m_order[size_t(rank)];
        std::vector<Open> open(1);
        for (const int item : layer) {
            const LayerItem &each = m_layers.items[size_t(item)];
            const double wanted = centreOf(item, direction, centre);
            if (each.kind == Kind::Begin) {
                open.emplace_back();
                open.back().begin = item;
                open.back().add(wanted);
                continue;
            }
            Unit unit { .centre = wanted };
            open.back().add(wanted);
            if (each.kind == Kind::End) {
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

    /// Appends the units to `to`, sorted by wanted place; units without a wanted place stay.
    void sortUnits(
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

    /// Keeps the clusters' common order of all layers: pools adjacent violators (isotonic
    /// regression).
    void keepClusters(std::vector<Unit> &units) const
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
            // A cluster without a wanted place takes that of the previous cluster.
            last = units[at].centre >= 0 ? units[at].centre : last;
            pools.push_back({ last, 1, 1 });
            while (pools.size() > 1) {
                const Pool &right = pools.back();
                Pool &left = pools[pools.size() - 2];
                if (left.sum / left.weight <= right.sum / right.weight)
                    break;
                left = { left.sum + right.sum, left.weight + right.weight,
                    left.count + right.count };
                pools.pop_back();
            }
        }
        size_t next = 0;
        for (const Pool &pool : pools) {
            for (size_t i = 0; i < pool.count; ++i)
                units[clusters[next++]].centre = pool.sum / pool.weight;
        }
    }

    /// End of the unit that begins at a place: an item, or a cluster with both borders.
    int unitEnd(const std::vector<int> &layer, int begin) const
    {
        const int item = layer[size_t(begin)];
        if (kindOf(item) != Kind::Begin)
            return begin + 1;
        return m_place[size_t(m_endOf[size_t(item)])] + 1;
    }

    /// Weight of the crossings that swapping two items of a layer removes.
    qint64 gain(int left, int right)
    {
        qint64 sum = 0;
        for (const Neighbours *side : { &m_up, &m_down }) {
            for (const auto &[a, weight] : side->of(left)) {
                for (const auto &[b, other] : side->of(right)) {
                    const int away = m_place[size_t(a)] - m_place[size_t(b)];
                    sum += away > 0 ? weight * other : away < 0 ? -weight * other : 0;
                }
            }
        }
        return sum;
    }

    qint64 gain(const std::vector<int> &layer, int begin, int middle, int end)
    {
        qint64 sum = 0;
        for (int i = begin; i < middle; ++i) {
            for (int j = middle; j < end; ++j)
                sum += gain(layer[size_t(i)], layer[size_t(j)]);
        }
        return sum;
    }

    bool transposeLayer(int rank)
    {
        std::vector<int> &layer = m_order[size_t(rank)];
        const auto isCluster = [&](int at) { return kindOf(layer[size_t(at)]) == Kind::Begin; };
        const auto isEnd = [&](int at) { return kindOf(layer[size_t(at)]) == Kind::End; };
        bool improved = false;
        for (int at = 0; at < int(layer.size()); ++at) {
            if (isEnd(at))
                continue;
            const int middle = unitEnd(layer, at);
            if (middle >= int(layer.size()) || isEnd(middle)
                || (isCluster(at) && isCluster(middle)))
                continue;
            const int end = unitEnd(layer, middle);
            if (gain(layer, at, middle, end) <= 0)
                continue;
            std::rotate(layer.begin() + at, layer.begin() + middle, layer.begin() + end);
            for (int i = at; i < end; ++i)
                m_place[size_t(layer[size_t(i)])] = i;
            improved = true;
        }
        return improved;
    }

    bool shareLayer(int cluster, int other) const
    {
        const LayerCluster &a = m_layers.clusters[size_t(cluster)];
        const LayerCluster &b = m_layers.clusters[size_t(other)];
        return std::max(a.first, b.first) <= std::min(a.last, b.last);
    }

    /// Swaps two clusters if that removes crossings; items between them stay.
    bool swapPair(int left, int right)
    {
        const LayerCluster &a = m_layers.clusters[size_t(left)],
                           &b = m_layers.clusters[size_t(right)];
        const int first = std::max(a.first, b.first), last = std::min(a.last, b.last);
        std::swap(m_clusterPlace[size_t(left)], m_clusterPlace[size_t(right)]);
        const auto count = [&] {
            qint64 sum = 0;
            for (int rank = first - 1; rank <= last; ++rank)
                sum += crossingsBelow(rank);
            return sum;
        };
        const qint64 before = count();
        const std::vector<std::vector<int>> saved(
            m_order.begin() + first, m_order.begin() + last + 1);
        for (int rank = first; rank <= last; ++rank) {
            std::vector<int> &layer = m_order[size_t(rank)];
            const auto borderOf = [&](int cluster, Kind kind) {
                return std::ranges::find_if(layer, [&](int item) {
                    return kindOf(item) == kind && m_layers.items[size_t(item)].index == cluster;
                });
            };
            const auto beginA = borderOf(left, Kind::Begin), endA = borderOf(left, Kind::End) + 1;
            const auto beginB = borderOf(right, Kind::Begin), endB = borderOf(right, Kind::End) + 1;
            std::vector<int> swapped(layer.begin(), beginA);
            swapped.insert(swapped.end(), beginB, endB);
            swapped.insert(swapped.end(), endA, beginB);
            swapped.insert(swapped.end(), beginA, endA);
            swapped.insert(swapped.end(), endB, layer.end());
            layer = swapped;
            renumber(rank);
        }
        for (int round = 0; round < 4; ++round) {
            bool again = false;
            for (int rank = first; rank <= last; ++rank)
                again = transposeLayer(rank) || again;
            if (!again)
                break;
        }
        if (count() < before)
            return true;
        std::swap(m_clusterPlace[size_t(left)], m_clusterPlace[size_t(right)]);
        for (int rank = first; rank <= last; ++rank) {
            m_order[size_t(rank)] = saved[size_t(rank - first)];
            renumber(rank);
        }
        return false;
    }

    const Layers &m_layers;
    std::vector<std::vector<int>> m_order; ///< by rank: items
    std::vector<int> m_clusterPlace;       ///< by cluster: its place among its siblings
    std::vector<int> m_place;              ///< by item: its place in its layer
    Neighbours m_up, m_down;
    std::vector<int> m_endOf;                 ///< by item: closing border of an opening border
    std::vector<std::vector<int>> m_children; ///< by cluster
    std::vector<int> m_scratch;
    std::vector<qint64> m_fenwickTree;
};

/// Tries several initial orders and keeps the one with the fewest crossings.
class OrderSearch
{
public:
    explicit OrderSearch(Layers &layers) : m_layers(layers), m_order(layers) { }

    void search()
    {
        const size_t links = m_layers.links.size(); // fewer tries for larger graphs
        const int starts = links > 1200 ? 1 : links > 700 ? 2 : links > 400 ? 4 : 10;
        for (int start = 0; start < starts && m_least != 0 && !m_layers.isOver(); ++start) {
            begin(start);
            improve(start);
        }
        if (!m_layers.isOver())
            obeyDirections();
    }

private:
    /// Exchanges boxes of a layer that stand on the wrong sides of each other, for edges that want
    /// a direction across the layers.
    void obeyDirections()
    {
        std::vector<std::pair<int, int>> pairs; // pieces, in the wanted order; each is its item
        for (const LayerEdge &edge : m_layers.edges) {
            const int wanted = m_layers.towards(edge).x(), from = edge.from.piece,
                      to = edge.to.piece;
            if (wanted != 0 && from >= 0 && to >= 0
                && m_layers.pieces[size_t(from)].rank == m_layers.pieces[size_t(to)].rank
                && m_layers.pieces[size_t(from)].cluster == m_layers.pieces[size_t(to)].cluster)
                pairs.push_back(wanted > 0 ? std::pair(from, to) : std::pair(to, from));
        }
        bool isChanged = true;
        for (size_t round = 0; round < pairs.size() && isChanged && !m_layers.isOver(); ++round) {
            isChanged = false;
            for (const auto &[first, second] : pairs) {
                std::vector<int> &layer =
                    m_layers.order[size_t(m_layers.pieces[size_t(first)].rank)];
                const auto before = std::ranges::find(layer, first),
                           after = std::ranges::find(layer, second);
                if (before > after) {
                    std::iter_swap(before, after);
                    isChanged = true;
                }
            }
        }
    }

    /// Sets an initial order: depth-first (0), breadth-first (1), or random.
    void begin(int start)
    {
        std::vector<int> items(m_layers.items.size(), 0), clusters(m_layers.clusters.size(), 0);
        if (start < 2)
            walk(start == 0, items);
        else {
            std::iota(items.begin(), items.end(), 0);
            for (size_t i = items.size(); i > 1; --i) // std::shuffle may differ between libraries
                std::swap(items[i - 1], items[m_random() % i]);
        }
        // A cluster takes the key of its first item.
        std::ranges::fill(clusters, int(items.size()) * 2);
        for (size_t i = 0; i < items.size(); ++i) {
            for (int at = m_layers.items[i].cluster; at > 0;
                 at = m_layers.clusters[size_t(at)].parent)
                clusters[size_t(at)] = std::min(clusters[size_t(at)], items[i] * 2 + 1);
        }
        for (int &key : items)
            key *= 2;
        makeUnique(clusters);
        m_order.arrange(items, clusters);
    }

    /// Numbers the items in depth-first or breadth-first order along the links.
    void walk(bool isDeep, std::vector<int> &keys) const
    {
        std::vector<std::vector<int>> next(m_layers.items.size());
        std::vector<bool> hasUpper(m_layers.items.size(), false), isVisited(hasUpper);
        for (const LayerLink &link : m_layers.links) {
            if (link.isBorder)
                continue;
            next[size_t(link.upper)].push_back(link.lower);
            next[size_t(link.lower)].push_back(link.upper);
            hasUpper[size_t(link.lower)] = true;
        }
        int key = 0;
        for (const bool wanted : { false, true }) {
            for (size_t i = 0; i < keys.size(); ++i) {
                if (hasUpper[i] != wanted || isVisited[i])
                    continue;
                std::vector<int> waiting { int(i) };
                for (size_t at = 0; at < waiting.size();) {
                    const int item = isDeep ? waiting.back() : waiting[at++];
                    if (isDeep)
                        waiting.pop_back();
                    if (isVisited[size_t(item)])
                        continue;
                    isVisited[size_t(item)] = true;
                    keys[size_t(item)] = key++;
                    const std::vector<int> &others = next[size_t(item)];
                    if (isDeep)
                        waiting.insert(waiting.end(), others.rbegin(), others.rend());
                    else
                        waiting.insert(waiting.end(), others.begin(), others.end());
                }
            }
        }
    }

    /// Makes the keys of clusters unique; they are odd, those of items even.
    static void makeUnique(std::vector<int> &clusters)
    {
        std::vector<int> order(clusters.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](int each) { return clusters[size_t(each)]; });
        int last = -1;
        for (const int each : order) {
            clusters[size_t(each)] = std::max(clusters[size_t(each)], last + 2);
            last = clusters[size_t(each)];
        }
    }

    void improve(int start)
    {
        // The effort grows with the links; with very many, crossings are unavoidable anyway.
        const bool isLarge = m_layers.links.size() > 4000, isHuge = m_layers.links.size() > 100'000;
        const int rounds = isHuge ? 3 : isLarge ? 10 : 24;
        const int patience = isHuge ? 1 : isLarge ? 3 : 6;
        const int exchanges = isHuge ? 2 : 12;
        qint64 least = keepIfBest();
        for (int round = 0, failed = 0;
             round < rounds && failed < patience && m_least != 0 && !m_layers.isOver(); ++round) {
            const auto direction =
                round % 2 == 0 ? LayerOrder::Direction::Down : LayerOrder::Direction::Up;
            const auto centre = (round / 2 + start) % 2 == 0 ? LayerOrder::Centre::Median
                                                             : LayerOrder::Centre::Mean;
            m_order.sweep(direction, centre);
            m_order.transpose(exchanges);
            const bool triesClusters = m_layers.clusters.size() > 2 && (!isLarge || round % 3 == 1);
            if (triesClusters && m_order.swapClusters())
                m_order.transpose(exchanges);
            const qint64 now = keepIfBest();
            failed = now < least ? 0 : failed + 1;
            least = std::min(least, now);
        }
    }

    /// Keeps the present order if no earlier order had fewer crossings; returns the crossings.
    qint64 keepIfBest()
    {
        const qint64 now = m_order.crossings();
        if (m_least < 0 || now < m_least) {
            m_least = now;
            m_layers.order = m_order.order();
        }
        return now;
    }

    Layers &m_layers;
    LayerOrder m_order;
    qint64 m_least = -1;
    std::mt19937 m_random { 1 }; ///< fixed seed
};

} // namespace

void orderLayers(Layers &layers)
{
    OrderSearch(layers).search();
}

} // namespace instar
