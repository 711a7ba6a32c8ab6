// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"

#include <algorithm>
#include <deque>
#include <map>
#include <ranges>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using NodeSet = std::vector<quint32>; ///< sorted, each once

NodeSet sortedSet(NodeSet nodes)
{
    std::ranges::sort(nodes);
    const auto doubles = std::ranges::unique(nodes);
    nodes.erase(doubles.begin(), doubles.end());
    return nodes;
}

NodeSet without(const NodeSet &all, const NodeSet &others)
{
    NodeSet rest;
    std::ranges::set_difference(all, others, std::back_inserter(rest));
    return rest;
}

/// Search for order dependences in the state graph of a scenario.
class OrderSearch
{
public:
    OrderSearch(const Scenario &scenario, const Stage &stage, const Budget &budget,
        const Premises &premises)
        : m_rules(stage.rules), m_space(scenario, stage, premises), m_budget(budget)
    {
        for (const ScenarioStep &step : scenario.steps) {
            if (step.kind == ScenarioStep::Kind::Submit)
                m_ids += step.request.id;
        }
    }

    OrderDependence found()
    {
        m_result.complete = m_search.run(m_space.start, m_budget,
            [this](quint32, const SearchState &situation, const std::vector<Way> &ways) {
                visit(situation, ways);
                return true;
            });
        m_result.worlds = m_search.size();
        constexpr quint32 nodesBetween = 256;
        for (quint32 node = 0; node < m_search.visited(); ++node) {
            if (node % nodesBetween == nodesBetween - 1
                && m_budget.interruption(m_result.worlds) != Limit::None)
                m_result.complete = false; // dependences visible at once are cheap, and still found
            compareAt(node);
        }
        return std::move(m_result);
    }

private:
    void visit(const SearchState &situation, const std::vector<Way> &ways)
    {
        for (const Way &way : ways)
            m_submitted.push_back(way.event.kind == Event::Kind::Submit
                    ? int(m_ids.indexOf(way.event.request->id))
                    : -1);
        const QByteArray seen =
            flat(shownWords(m_rules, situation.world)) + flat(m_space.script.statuses(situation));
        m_pictureOf.push_back(m_pictures.insert(seen).first);
    }

    /// Returns true if a node was expanded.
    bool isKnown(quint32 node) const { return node < m_search.visited(); }
    /// Returns the operation submitted on each way from a node; -1: another event.
    std::span<const int> submissions(quint32 node) const
    {
        return std::span(m_submitted).subspan(m_search.firstWay(node), m_search.next(node).size());
    }
    /// Returns the nodes after the submission of an operation.
    NodeSet after(quint32 node, int operation) const
    {
        NodeSet nodes;
        for (size_t way = 0; way < submissions(node).size(); ++way) {
            if (submissions(node)[way] == operation)
                nodes.push_back(m_search.next(node)[way]);
        }
        return sortedSet(std::move(nodes));
    }
    /// Returns the nodes after two submissions in this order; nothing if some were not expanded.
    std::optional<NodeSet> after(quint32 node, int first, int second) const
    {
        NodeSet nodes;
        for (const quint32 middle : after(node, first)) {
            if (!isKnown(middle))
                return {};
            for (const quint32 last : after(middle, second)) {
                if (!isKnown(last))
                    return {};
                nodes.push_back(last);
            }
        }
        return sortedSet(std::move(nodes));
    }

    void compareAt(quint32 node)
    {
        std::vector<int> next;
        for (const int operation : submissions(node)) {
            if (operation >= 0 && std::ranges::find(next, operation) == next.end())
                next.push_back(operation);
        }
        for (size_t i = 0; i < next.size(); ++i) {
            for (size_t j = i + 1; j < next.size(); ++j)
                compare(node, std::min(next[i], next[j]), std::max(next[i], next[j]));
        }
    }

    void compare(quint32 node, int a, int b)
    {
        const std::pair pair { m_ids[a], m_ids[b] };
        if (!m_result.pairs.contains(pair))
            m_result.pairs += pair;
        const bool isKnownClash =
            std::ranges::any_of(m_result.clashes, [&](const OrderClash &clash) {
                return pair == std::pair { clash.first, clash.second };
            });
        if (isKnownClash)
            return;
        const auto one = after(node, a, b), other = after(node, b, a);
        if (!one || !other || *one == *other || one->empty() || other->empty())
            return;
        OrderClash clash { .first = m_ids[a], .second = m_ids[b] };
        Side first { { a, b }, *one }, second { { b, a }, *other };
        if (pictures(*one) == pictures(*other)) {
            // The states differ, but not visibly yet.
            if (!m_result.complete || endPictures(*one) == endPictures(*other))
                return;
            clash.seen = OrderClash::Seen::AtEnd;
            for (Side *side : { &first, &second }) {
                side->before = reached(side->seen);
                side->seen.clear();
                for (quint32 end = 0; end < side->before.size(); ++end) {
                    if (side->before[end] != Search::NoNode && isEnd(end))
                        side->seen.push_back(end);
                }
            }
        }
        if (first.seen.empty() || second.seen.empty())
            return;
        clash.one = orderOf(node, first, second);
        clash.other = orderOf(node, second, first);
        m_result.clashes += clash;
    }

    /// One of two orders: the nodes where it is visible, and the way to them.
    struct Side
    {
        std::pair<int, int> operations;
        NodeSet seen;
        std::vector<quint32> before {}; ///< from reached(); empty: visible after both submissions
    };

    NodeSet pictures(const NodeSet &nodes) const
    {
        NodeSet seen;
        for (const quint32 node : nodes)
            seen.push_back(m_pictureOf[node]);
        return sortedSet(std::move(seen));
    }
    /// Returns the first node that shows a wanted picture; else the first node.
    quint32 showing(const NodeSet &nodes, const NodeSet &wanted) const
    {
        const auto found = std::ranges::find_if(nodes,
            [&](quint32 node) { return std::ranges::binary_search(wanted, m_pictureOf[node]); });
        return found == nodes.end() ? nodes.front() : *found;
    }

    /// Returns the pictures of all ends reachable from some nodes. The set of each node is computed
    /// once, and equal sets are shared.
    NodeSet endPictures(const NodeSet &nodes)
    {
        if (m_endsOf.empty())
            gatherEnds();
        NodeSet all;
        for (const quint32 node : nodes) {
            const NodeSet &own = m_endSets[m_endsOf[node]];
            all.insert(all.end(), own.begin(), own.end());
        }
        return sortedSet(std::move(all));
    }
    void gatherEnds()
    {
        std::map<NodeSet, quint32> numbers;
        const auto numberOf = [&](NodeSet ends) {
            const auto [at, isNew] =
                numbers.try_emplace(std::move(ends), quint32(m_endSets.size()));
            if (isNew)
                m_endSets.push_back(at->first);
            return at->second;
        };
        m_endsOf.assign(m_search.visited(), numberOf({}));
        // Iterates to a fixed point, from later nodes backwards; only cycles need more than one
        // round.
        for (bool isOther = true; isOther;) {
            isOther = false;
            for (quint32 node = m_search.visited(); node-- > 0;) {
                NodeSet ends, sets;
                if (isEnd(node))
                    ends.push_back(m_pictureOf[node]);
                for (const quint32 next : m_search.next(node))
                    sets.push_back(m_endsOf[next]);
                for (const quint32 set : sortedSet(std::move(sets)))
                    ends.insert(ends.end(), m_endSets[set].begin(), m_endSets[set].end());
                const quint32 number = numberOf(sortedSet(std::move(ends)));
                isOther = std::exchange(m_endsOf[node], number) != number || isOther;
            }
        }
    }

    /// Returns the shortest order of one side with a picture that the other side cannot show.
    Ending orderOf(quint32 node, const Side &side, const Side &other) const
    {
        const quint32 shows =
            showing(side.seen, without(pictures(side.seen), pictures(other.seen)));
        const std::vector<quint32> way =
            side.before.empty() ? std::vector { shows } : towards(side.before, shows);
        Ending order { traceThrough(node, side.operations, way), Ending::Kind::Order };
        if (const std::vector<quint32> whole = toTheEnd(way); whole.size() > way.size()) {
            const Trace last = traceThrough(node, side.operations, whole);
            order.lastly = last.operations;
            order.lastResources = last.resources;
        }
        return order;
    }

    bool isEnd(quint32 node) const { return m_search.next(node).empty(); }
    /// Returns a shortest path to a node from those that reached() began with.
    static std::vector<quint32> towards(const std::vector<quint32> &before, quint32 node)
    {
        std::vector<quint32> way { node };
        while (before[way.back()] != way.back())
            way.push_back(before[way.back()]);
        std::ranges::reverse(way);
        return way;
    }
    /// Extends a path, without further submissions, to the nearest node where only submissions are
    /// possible; returns it unchanged if none is known.
    std::vector<quint32> toTheEnd(std::vector<quint32> way) const
    {
        if (!m_result.complete)
            return way;
        std::vector<quint32> met; // in order of distance
        const std::vector<quint32> before = reached({ way.back() }, &met);
        const auto rests = [this](quint32 one) {
            return std::ranges::all_of(
                submissions(one), [](int operation) { return operation >= 0; });
        };
        if (const auto end = std::ranges::find_if(met, rests); end != met.end()) {
            const std::vector<quint32> further = towards(before, *end);
            way.insert(way.end(), further.begin() + 1, further.end());
        }
        return way;
    }

    /// Breadth-first search: returns the predecessor of each node on a shortest path from `from`,
    /// itself for a start node, NoNode if unreachable. With `alone`, follows no submissions, and
    /// stores there the reached nodes by distance.
    std::vector<quint32> reached(const NodeSet &from, std::vector<quint32> *alone = nullptr) const
    {
        std::vector<quint32> before(m_search.visited(), Search::NoNode);
        std::deque<quint32> open;
        for (const quint32 node : from) {
            before[node] = node;
            open.push_back(node);
        }
        while (!open.empty()) {
            const quint32 node = open.front();
            open.pop_front();
            if (alone)
                alone->push_back(node);
            for (size_t way = 0; way < submissions(node).size(); ++way) {
                const quint32 next = m_search.next(node)[way];
                if (before[next] == Search::NoNode && (!alone || submissions(node)[way] < 0)) {
                    before[next] = node;
                    open.push_back(next);
                }
            }
        }
        return before;
    }

    /// Returns the shortest trace to a node, continued by two submissions and through these nodes.
    Trace traceThrough(
        quint32 node, std::pair<int, int> operations, const std::vector<quint32> &then) const
    {
        std::vector<Way> ways = m_search.trace(node);
        const auto go = [&](quint32 from, quint32 to, int operation) {
            const SearchState situation = ways.empty() ? m_space.start : ways.back().next;
            size_t number = 0; // ways come in the same order as in the search
            for (const Event &move : m_space.script.moves(situation)) {
                for (Way &way : waysOn(m_rules, m_space.script, situation, move)) {
                    const size_t here = number++;
                    if (m_search.next(from)[here] == to
                        && (operation < 0 || submissions(from)[here] == operation)) {
                        ways.push_back(std::move(way));
                        return;
                    }
                }
            }
        };
        for (const quint32 middle : after(node, operations.first)) {
            if (!std::ranges::binary_search(after(middle, operations.second), then.front()))
                continue;
            go(node, middle, operations.first);
            go(middle, then.front(), operations.second);
            break;
        }
        for (size_t i = 1; i < then.size(); ++i)
            go(then[i - 1], then[i], -1);
        return m_space.traceOf(ways);
    }

    const Rules &m_rules;
    StateSpace m_space;
    Search &m_search = m_space.search;
    QStringList m_ids;                ///< of the scenario's operations
    std::vector<int> m_submitted;     ///< way -> submitted operation; -1: another event
    std::vector<quint32> m_pictureOf; ///< node -> number of its picture (visible state)
    KeySet m_pictures;
    std::vector<NodeSet> m_endSets;
    std::vector<quint32> m_endsOf; ///< node -> index in m_endSets; empty: not computed yet
    const Budget &m_budget;
    OrderDependence m_result;
};

} // namespace

Result<OrderDependence> orderDependence(
    const Scenario &scenario, const Stage &stage, const Budget &budget, const Premises &premises)
{
    const Result<Scenario> named = explorable(scenario, stage);
    if (!named)
        return Error { named.error() };
    return OrderSearch(*named, stage, budget, premises).found();
}

} // namespace instar
