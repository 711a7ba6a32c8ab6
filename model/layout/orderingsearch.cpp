// SPDX-License-Identifier: Apache-2.0
#include "model/layout/ordering.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace instar {

namespace {

/// Tries several beginnings and keeps the order with the fewest crossings.
class OrderSearch
{
public:
    explicit OrderSearch(Layers &layers) : m_layers(layers), m_order(layers) { }

    void search()
    {
        const int starts = startCount();
        for (int start = 0; start < starts && m_least != 0; ++start) {
            begin(start);
            improve(start);
        }
        m_layers.order = m_best.order;
    }

private:
    /// What takes long is tried less often.
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
        // A cluster stands where the first of what is in it stands.
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

    /// Numbers the items in the order in which a walk along the links meets them.
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

    /// No two clusters, and no cluster and item, with one key.
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
        const bool isLarge = m_layers.links.size() > 4000;
        const int rounds = isLarge ? 10 : 24, patience = isLarge ? 3 : 6;
        keepIfBest();
        qint64 least = m_order.crossings();
        for (int round = 0, failed = 0; round < rounds && failed < patience && m_least != 0;
             ++round) {
            const auto way = round % 2 == 0 ? LayerOrder::Way::Down : LayerOrder::Way::Up;
            const auto centre = (round / 2 + start) % 2 == 0 ? LayerOrder::Centre::Median
                                                             : LayerOrder::Centre::Mean;
            m_order.sweep(way, centre);
            m_order.exchange();
            const bool triesClusters = m_layers.clusters.size() > 2 && (!isLarge || round % 3 == 1);
            if (triesClusters && m_order.exchangeClusters())
                m_order.exchange();
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
    std::mt19937 m_random { 1 }; ///< always the same numbers
};

} // namespace

void orderLayers(Layers &layers)
{
    OrderSearch(layers).search();
}

} // namespace instar
