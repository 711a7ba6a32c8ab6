// SPDX-License-Identifier: Apache-2.0
#include "model/layout/ordering.h"

#include <algorithm>
#include <utility>

namespace instar {

int LayerOrder::unitEnd(const std::vector<int> &layer, int begin) const
{
    const int item = layer[size_t(begin)];
    if (m_layers.items[size_t(item)].kind != LayerItem::Kind::Begin)
        return begin + 1;
    return m_place[size_t(m_endOf[size_t(item)])] + 1;
}

/// How many crossings go if two items of a layer change places.
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

bool LayerOrder::exchange()
{
    // A layer is looked at again only where it, or one beside it, has changed.
    bool helped = false;
    std::vector<char> now(size_t(m_layers.rankCount) + 2, 1), next(now.size(), 0);
    for (int round = 0; round < 12; ++round) {
        bool again = false;
        for (int rank = 0; rank < m_layers.rankCount; ++rank) {
            if (!now[size_t(rank) + 1] || !exchangeIn(rank))
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
        if (children.size() < 2 || children.size() > 60)
            continue;
        std::ranges::sort(
            children, {}, [this](int each) { return m_state.clusterPlace[size_t(each)]; });
        for (size_t i = 0; i + 1 < children.size(); ++i) {
            // The next one that it meets; those in between must not care.
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

/// What stands between the two stays between them.
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

} // namespace instar
