// SPDX-License-Identifier: Apache-2.0
#include "model/layout/ordering.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

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
    // An item is represented by its ancestor among the children of the common cluster; a border
    // stands first or last in its own.
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
    // Fenwick tree: weight to the right of each link's lower end, of all links further left.
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
    // Weighted median: between the two in the middle, nearer to the denser side.
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

/// Cluster whose opening border has been passed in a layer.
struct LayerOrder::Open
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

/// Sorts the contents of every cluster, innermost first.
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

/// Units without neighbours stay where they are; the others are sorted around them.
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

/// Keeps the clusters' common order of all layers: pools adjacent violators (isotonic regression).
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
        // A cluster without a wanted place takes that of the previous cluster.
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

int LayerOrder::unitEnd(const std::vector<int> &layer, int begin) const
{
    const int item = layer[size_t(begin)];
    if (m_layers.items[size_t(item)].kind != LayerItem::Kind::Begin)
        return begin + 1;
    return m_place[size_t(m_endOf[size_t(item)])] + 1;
}

/// Weight of the crossings that swapping two items of a layer removes.
qint64 LayerOrder::gain(int left, int right)
{
    const auto counted = [this](const std::vector<int> &firsts, const std::vector<int> &others,
                             const std::vector<int> &weights, int a, int b) {
        qint64 sum = 0;
        for (auto i = size_t(firsts[size_t(a)]); i < size_t(firsts[size_t(a) + 1]); ++i) {
            const int at = m_place[size_t(others[i])];
            for (auto j = size_t(firsts[size_t(b)]); j < size_t(firsts[size_t(b) + 1]); ++j) {
                const int other = m_place[size_t(others[j])];
                sum += at > other ? weights[i] * weights[j]
                    : at < other  ? -weights[i] * weights[j]
                                  : 0;
            }
        }
        return sum;
    };
    return counted(m_upFirst, m_up, m_upWeight, left, right)
        + counted(m_downFirst, m_down, m_downWeight, left, right);
}

qint64 LayerOrder::gain(const std::vector<int> &layer, int begin, int middle, int end)
{
    qint64 sum = 0;
    for (int i = begin; i < middle; ++i) {
        for (int j = middle; j < end; ++j)
            sum += gain(layer[size_t(i)], layer[size_t(j)]);
    }
    return sum;
}

bool LayerOrder::exchangeIn(int rank)
{
    std::vector<int> &layer = m_state.order[size_t(rank)];
    const auto isCluster = [&](int at) {
        return m_layers.items[size_t(layer[size_t(at)])].kind == LayerItem::Kind::Begin;
    };
    const auto isEnd = [&](int at) {
        return m_layers.items[size_t(layer[size_t(at)])].kind == LayerItem::Kind::End;
    };
    bool helped = false;
    for (int at = 0; at < int(layer.size()); ++at) {
        if (isEnd(at))
            continue;
        const int middle = unitEnd(layer, at);
        if (middle >= int(layer.size()) || isEnd(middle) || (isCluster(at) && isCluster(middle)))
            continue;
        const int end = unitEnd(layer, middle);
        if (gain(layer, at, middle, end) <= 0)
            continue;
        std::rotate(layer.begin() + at, layer.begin() + middle, layer.begin() + end);
        for (int i = at; i < end; ++i)
            m_place[size_t(layer[size_t(i)])] = i;
        helped = true;
    }
    return helped;
}

bool LayerOrder::exchange(int rounds)
{
    // Revisits a layer only if it, or one beside it, has changed.
    bool helped = false;
    std::vector<char> now(size_t(m_layers.rankCount) + 2, 1), next(now.size(), 0);
    for (int round = 0; round < rounds; ++round) {
        bool again = false;
        for (int rank = 0; rank < m_layers.rankCount; ++rank) {
            if (!now[size_t(rank) + 1] || m_layers.isOver() || !exchangeIn(rank))
                continue;
            again = true;
            next[size_t(rank)] = next[size_t(rank) + 1] = next[size_t(rank) + 2] = 1;
        }
        helped = helped || again;
        if (!again)
            break;
        now = std::exchange(next, std::vector<char>(now.size(), 0));
    }
    return helped;
}

bool LayerOrder::exchangeClusters()
{
    bool helped = false;
    for (std::vector<int> &children : m_children) {
        if (children.size() < 2 || children.size() > 60 || m_layers.isOver())
            continue;
        std::ranges::sort(
            children, {}, [this](int each) { return m_state.clusterPlace[size_t(each)]; });
        for (size_t i = 0; i + 1 < children.size(); ++i) {
            // The next one that shares a layer with it; none in between may share one with that.
            size_t j = i + 1;
            while (j < children.size() && !meet(children[i], children[j]))
                ++j;
            const auto cares = [&](int each) { return meet(each, children[j]); };
            if (j == children.size()
                || std::any_of(children.begin() + int(i) + 1, children.begin() + int(j), cares))
                continue;
            if (exchangePair(children[i], children[j])) {
                std::swap(children[i], children[j]);
                helped = true;
            }
        }
    }
    return helped;
}

bool LayerOrder::meet(int cluster, int other) const
{
    const LayerCluster &a = m_layers.clusters[size_t(cluster)];
    const LayerCluster &b = m_layers.clusters[size_t(other)];
    return std::max(a.first, b.first) <= std::min(a.last, b.last);
}

/// Swaps two clusters if that removes crossings; items between them stay.
bool LayerOrder::exchangePair(int left, int right)
{
    const LayerCluster &a = m_layers.clusters[size_t(left)], &b = m_layers.clusters[size_t(right)];
    const int first = std::max(a.first, b.first), last = std::min(a.last, b.last);
    std::swap(m_state.clusterPlace[size_t(left)], m_state.clusterPlace[size_t(right)]);
    const auto count = [&] {
        qint64 sum = 0;
        for (int rank = first - 1; rank <= last; ++rank)
            sum += crossingsBelow(rank);
        return sum;
    };
    const qint64 before = count();
    const std::vector<std::vector<int>> kept(
        m_state.order.begin() + first, m_state.order.begin() + last + 1);
    for (int rank = first; rank <= last; ++rank) {
        std::vector<int> &layer = m_state.order[size_t(rank)];
        const auto borderOf = [&](int cluster, LayerItem::Kind kind) {
            return std::ranges::find_if(layer, [&](int item) {
                const LayerItem &each = m_layers.items[size_t(item)];
                return each.kind == kind && each.index == cluster;
            });
        };
        const auto beginA = borderOf(left, LayerItem::Kind::Begin),
                   endA = borderOf(left, LayerItem::Kind::End) + 1;
        const auto beginB = borderOf(right, LayerItem::Kind::Begin),
                   endB = borderOf(right, LayerItem::Kind::End) + 1;
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
            again = exchangeIn(rank) || again;
        if (!again)
            break;
    }
    if (count() < before)
        return true;
    std::swap(m_state.clusterPlace[size_t(left)], m_state.clusterPlace[size_t(right)]);
    for (int rank = first; rank <= last; ++rank) {
        m_state.order[size_t(rank)] = kept[size_t(rank - first)];
        renumber(rank);
    }
    return false;
}

namespace {

/// Tries several initial orders and keeps the one with the fewest crossings.
class OrderSearch
{
public:
    explicit OrderSearch(Layers &layers) : m_layers(layers), m_order(layers) { }

    void search()
    {
        const int starts = startCount();
        for (int start = 0; start < starts && m_least != 0 && !m_layers.isOver(); ++start) {
            begin(start);
            improve(start);
        }
        m_layers.order = m_best.order;
    }

private:
    /// Fewer tries for larger graphs.
    int startCount() const
    {
        const size_t links = m_layers.links.size();
        return links > 1200 ? 1 : links > 700 ? 2 : links > 400 ? 4 : 10;
    }

    void begin(int start)
    {
        std::vector<int> items(m_layers.items.size(), 0), clusters(m_layers.clusters.size(), 0);
        if (start < 2)
            walk(start == 0, items);
        else {
            std::iota(items.begin(), items.end(), 0);
            shuffle(items);
        }
        // A cluster stands where its first item stands.
        std::ranges::fill(clusters, int(items.size()) * 2);
        for (size_t i = 0; i < items.size(); ++i) {
            for (int at = m_layers.items[i].cluster; at > 0;
                 at = m_layers.clusters[size_t(at)].parent)
                clusters[size_t(at)] = std::min(clusters[size_t(at)], items[i] * 2 + 1);
        }
        for (int &key : items)
            key *= 2;
        makeDifferent(clusters);
        m_order.arrange(items, clusters);
    }

    /// Numbers the items in depth-first or breadth-first order along the links.
    void walk(bool isDeep, std::vector<int> &keys) const
    {
        std::vector<std::vector<int>> next(m_layers.items.size());
        std::vector<bool> hasUpper(m_layers.items.size(), false), isSeen(hasUpper);
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
                if (hasUpper[i] != wanted || isSeen[i])
                    continue;
                std::vector<int> waiting { int(i) };
                for (size_t at = 0; at < waiting.size();) {
                    const int item = isDeep ? waiting.back() : waiting[at++];
                    if (isDeep)
                        waiting.pop_back();
                    if (isSeen[size_t(item)])
                        continue;
                    isSeen[size_t(item)] = true;
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

    /// std::shuffle may differ between libraries.
    void shuffle(std::vector<int> &keys)
    {
        for (size_t i = keys.size(); i > 1; --i)
            std::swap(keys[i - 1], keys[m_random() % i]);
    }

    /// Makes the keys of clusters unique, also among those of items.
    static void makeDifferent(std::vector<int> &clusters)
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
        keepIfBest();
        qint64 least = m_order.crossings();
        for (int round = 0, failed = 0;
             round < rounds && failed < patience && m_least != 0 && !m_layers.isOver(); ++round) {
            const auto way = round % 2 == 0 ? LayerOrder::Way::Down : LayerOrder::Way::Up;
            const auto centre = (round / 2 + start) % 2 == 0 ? LayerOrder::Centre::Median
                                                             : LayerOrder::Centre::Mean;
            m_order.sweep(way, centre);
            m_order.exchange(exchanges);
            const bool triesClusters = m_layers.clusters.size() > 2 && (!isLarge || round % 3 == 1);
            if (triesClusters && m_order.exchangeClusters())
                m_order.exchange(exchanges);
            const qint64 now = m_order.crossings();
            failed = now < least ? 0 : failed + 1;
            least = std::min(least, now);
            keepIfBest();
        }
    }

    void keepIfBest()
    {
        const qint64 now = m_order.crossings();
        if (m_least >= 0 && now >= m_least)
            return;
        m_least = now;
        m_best = m_order.state();
    }

    Layers &m_layers;
    LayerOrder m_order;
    LayerOrder::State m_best;
    qint64 m_least = -1;
    std::mt19937 m_random { 1 }; ///< fixed seed
};

} // namespace

void orderLayers(Layers &layers)
{
    OrderSearch(layers).search();
}

} // namespace instar
