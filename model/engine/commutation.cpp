// SPDX-License-Identifier: Apache-2.0
#include "model/engine/commutation.h"

#include "model/engine/madenames.h"

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

/// All orders of a scenario as one graph, in which pairs of operations are looked for whose order
/// is seen.
class OrderSearch
{
public:
    OrderSearch(const Scenario &scenario, const Stage &stage, const Budget &budget,
        const Premises &premises)
        : m_rules(stage.rules),
          m_script(m_rules, scenario, Script::Memory::Statuses, stage.world, premises),
          m_writer(m_rules, WorldKeyWriter::Names::Numbered),
          m_search(m_rules, m_script, m_writer),
          m_start { stage.world, m_script.memoryBefore(stage.world) },
          m_budget(budget)
    {
        m_script.mark(m_writer);
        for (const ScenarioStep &step : scenario.steps) {
            if (step.kind == ScenarioStep::Kind::Submit)
                m_ids += step.request.id;
        }
    }

    Commutation found()
    {
        m_result.complete = m_search.run(m_start, m_budget,
            [this](quint32, const SearchState &situation, const std::vector<Way> &ways) {
                visit(situation, ways);
                return true;
            });
        m_result.worlds = m_search.size();
        constexpr quint32 nodesBetween = 256;
        for (quint32 node = 0; node < m_first.size(); ++node) {
            if (node % nodesBetween == nodesBetween - 1
                && m_budget.interruption(m_result.worlds) != Limit::None)
                m_result.complete = false; // what is seen at once is cheap, and still told
            compareAt(node);
        }
        return std::move(m_result);
    }

private:
    void visit(const SearchState &situation, const std::vector<Way> &ways)
    {
        m_first.push_back(quint32(m_asked.size()));
        for (const Way &way : ways)
            m_asked.push_back(way.event.kind == Event::Kind::Submit
                    ? int(m_ids.indexOf(way.event.request->id))
                    : -1);
        QByteArray seen;
        for (const Resource resource : situation.world.tree.resources()) {
            const Code code = situation.world.tree.code(resource);
            if (m_rules.isShown(code))
                seen += situation.world.tree.path(resource).toUtf8() + '\n'
                    + m_rules.shown(code).toUtf8() + '\n';
        }
        const auto statuses = m_script.statuses(situation);
        for (auto it = statuses.cbegin(); it != statuses.cend(); ++it)
            seen += it.key().toUtf8() + '\n' + it->toUtf8() + '\n';
        m_seen.push_back(m_pictures.insert(seen).first);
    }

    bool isKnown(quint32 node) const { return node < m_first.size(); } ///< and so are its ways on
    std::pair<quint32, quint32> links(quint32 node) const
    {
        const auto end = node + 1 < m_first.size() ? m_first[node + 1] : quint32(m_asked.size());
        return { m_first[node], end };
    }
    /// Where an operation that comes leads.
    NodeSet after(quint32 node, int operation) const
    {
        NodeSet nodes;
        const auto [begin, end] = links(node);
        for (quint32 i = begin; i < end; ++i) {
            if (m_asked[i] == operation)
                nodes.push_back(m_search.links()[i].second);
        }
        return sortedSet(std::move(nodes));
    }
    /// Where two lead that come one after the other; nothing: the search ended before.
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
        const auto [begin, end] = links(node);
        for (quint32 i = begin; i < end; ++i) {
            if (m_asked[i] >= 0 && std::ranges::find(next, m_asked[i]) == next.end())
                next.push_back(m_asked[i]);
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
        const bool isTold = std::ranges::any_of(m_result.clashes, [&](const OrderClash &clash) {
            return pair == std::pair { clash.first, clash.second };
        });
        if (isTold)
            return;
        const auto one = after(node, a, b), other = after(node, b, a);
        if (!one || !other || *one == *other)
            return;
        if (tellAtOnce(node, a, b, *one, *other) || !m_result.complete)
            return;
        if (endPictures(*one) != endPictures(*other))
            tellAtEnd(node, a, b, *one, *other);
    }

    NodeSet pictures(const NodeSet &nodes) const
    {
        NodeSet seen;
        for (const quint32 node : nodes)
            seen.push_back(m_seen[node]);
        return sortedSet(std::move(seen));
    }
    /// The first of them that shows one of these; else the first.
    quint32 showing(const NodeSet &nodes, const NodeSet &wanted) const
    {
        const auto found = std::ranges::find_if(
            nodes, [&](quint32 node) { return std::ranges::binary_search(wanted, m_seen[node]); });
        return found == nodes.end() ? nodes.front() : *found;
    }

    bool tellAtOnce(quint32 node, int a, int b, const NodeSet &one, const NodeSet &other)
    {
        const NodeSet seen = pictures(one), seenOther = pictures(other);
        if (seen == seenOther || one.empty() || other.empty())
            return false;
        OrderClash clash { .first = m_ids[a], .second = m_ids[b] };
        const quint32 shows = showing(one, without(seen, seenOther)),
                      showsOther = showing(other, without(seenOther, seen));
        clash.one = toldToTheEnd(node, { a, b }, shows);
        clash.other = toldToTheEnd(node, { b, a }, showsOther);
        m_result.clashes += clash;
        return true;
    }

    /// Everything that can be seen in the end from some nodes on. What one node leads to is found
    /// once for all, and equal sets are kept once.
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
        m_endsOf.assign(m_first.size(), numberOf({}));
        // Nodes that are found later lie nearer to the ends; only rings need more than one round.
        for (bool isOther = true; isOther;) {
            isOther = false;
            for (quint32 node = quint32(m_first.size()); node-- > 0;) {
                const auto [begin, end] = links(node);
                NodeSet ends;
                if (begin == end)
                    ends.push_back(m_seen[node]);
                NodeSet sets;
                for (quint32 i = begin; i < end; ++i)
                    sets.push_back(m_endsOf[m_search.links()[i].second]);
                for (const quint32 set : sortedSet(std::move(sets)))
                    ends.insert(ends.end(), m_endSets[set].begin(), m_endSets[set].end());
                const quint32 number = numberOf(sortedSet(std::move(ends)));
                isOther = std::exchange(m_endsOf[node], number) != number || isOther;
            }
        }
    }

    /// What is remembered differs, and nothing is seen of it yet.
    void tellAtEnd(quint32 node, int a, int b, const NodeSet &one, const NodeSet &other)
    {
        const std::vector<quint32> parents = reached(one), otherParents = reached(other);
        const auto ends = [this](const std::vector<quint32> &from) {
            NodeSet nodes;
            for (quint32 end = 0; end < from.size(); ++end) {
                if (from[end] != Search::NoNode && isEnd(end))
                    nodes.push_back(end);
            }
            return nodes;
        };
        const NodeSet all = ends(parents), others = ends(otherParents);
        const NodeSet seen = pictures(all), seenOther = pictures(others);
        if (seen == seenOther || all.empty() || others.empty())
            return;
        const auto way = towards(parents, showing(all, without(seen, seenOther)));
        const auto otherWay = towards(otherParents, showing(others, without(seenOther, seen)));
        OrderClash clash { .first = m_ids[a], .second = m_ids[b], .seen = OrderClash::Seen::AtEnd };
        clash.one = told(node, { a, b }, way.front(), { way.begin() + 1, way.end() });
        clash.other =
            told(node, { b, a }, otherWay.front(), { otherWay.begin() + 1, otherWay.end() });
        m_result.clashes += clash;
    }

    EventOrder toldToTheEnd(quint32 node, std::pair<int, int> operations, quint32 both) const
    {
        EventOrder order = told(node, operations, both, {});
        if (const std::vector<quint32> further = wayOut(both); !further.empty()) {
            const EventOrder whole = told(node, operations, both, further);
            order.lastly = whole.operations;
            order.lastResources = whole.resources;
        }
        return order;
    }

    bool isEnd(quint32 node) const { return links(node).first == links(node).second; }
    /// The shortest way to a node from those that reached() began with.
    static std::vector<quint32> towards(const std::vector<quint32> &before, quint32 node)
    {
        std::vector<quint32> way { node };
        while (before[way.back()] != way.back())
            way.push_back(before[way.back()]);
        std::ranges::reverse(way);
        return way;
    }
    /// What comes after a node on the shortest way to where nothing happens any more by itself,
    /// without anything else being asked for; empty: it is there, or no way is known.
    std::vector<quint32> wayOut(quint32 node) const
    {
        if (!m_result.complete)
            return {};
        std::vector<quint32> met; // the nearest first
        const std::vector<quint32> before = reached({ node }, &met);
        const auto rests = [this](quint32 one) {
            const auto [begin, end] = links(one);
            return std::all_of(m_asked.begin() + begin, m_asked.begin() + end,
                [](int operation) { return operation >= 0; });
        };
        const auto end = std::ranges::find_if(met, rests);
        if (end == met.end())
            return {};
        const std::vector<quint32> way = towards(before, *end);
        return { way.begin() + 1, way.end() };
    }

    /// Node -> the one before it on a shortest way from these, itself where it is one of them;
    /// NoNode: no way leads there. `alone`: without anything being asked for, and gets those that
    /// are reached, the nearest first.
    std::vector<quint32> reached(const NodeSet &from, std::vector<quint32> *alone = nullptr) const
    {
        std::vector<quint32> before(m_first.size(), Search::NoNode);
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
            const auto [begin, end] = links(node);
            for (quint32 i = begin; i < end; ++i) {
                const quint32 next = m_search.links()[i].second;
                if (before[next] == Search::NoNode && (!alone || m_asked[i] < 0)) {
                    before[next] = node;
                    open.push_back(next);
                }
            }
        }
        return before;
    }

    /// The nearest way to a node, then these operations, to `both`, and through more nodes.
    EventOrder told(quint32 node, std::pair<int, int> operations, quint32 both,
        const std::vector<quint32> &then) const
    {
        std::vector<Way> ways = m_search.trace(node);
        SearchState situation = ways.empty() ? m_start : ways.back().next;
        const auto go = [&](quint32 from, quint32 to, int operation) {
            // The ways of a node are in the order of its links.
            quint32 link = links(from).first;
            for (const Event &move : m_script.moves(situation)) {
                for (Way &way : waysOn(m_rules, m_script, situation, move)) {
                    const quint32 here = link++;
                    if (m_search.links()[here].second == to
                        && (operation < 0 || m_asked[here] == operation)) {
                        situation = way.next;
                        ways.push_back(std::move(way));
                        return;
                    }
                }
            }
        };
        for (const quint32 middle : after(node, operations.first)) {
            const NodeSet lasts = after(middle, operations.second);
            if (!std::ranges::binary_search(lasts, both))
                continue;
            go(node, middle, operations.first);
            go(middle, both, operations.second);
            break;
        }
        quint32 from = both;
        for (const quint32 next : then)
            go(std::exchange(from, next), next, -1);
        return orderOf(ways);
    }

    EventOrder orderOf(const std::vector<Way> &ways) const
    {
        EventOrder order;
        const World *before = &m_start.world;
        for (const Way &way : ways) {
            order.trace += m_script.words(*before, way);
            order.schedule += scheduled(*before, way.event);
            before = &way.next.world;
        }
        order.derived = derivedIn(m_start.world, ways);
        order.resources = shownWords(m_rules, *before);
        order.operations = m_script.statuses(ways.empty() ? m_start : ways.back().next);
        return order;
    }

    const Rules &m_rules;
    Script m_script;
    WorldKeyWriter m_writer;
    Search m_search;
    SearchState m_start;
    QStringList m_ids;            ///< of the scenario's operations
    std::vector<quint32> m_first; ///< node -> its first link; of those whose ways on are known
    std::vector<int> m_asked;     ///< link -> which operation comes; -1: something else happens
    std::vector<quint32> m_seen;  ///< node -> number of what is seen there
    KeySet m_pictures;
    std::vector<NodeSet> m_endSets;
    std::vector<quint32> m_endsOf; ///< node -> which of them it leads to; empty: not looked at yet
    const Budget &m_budget;
    Commutation m_result;
};

} // namespace

Result<Commutation> commutation(
    const Scenario &scenario, const Stage &stage, const Budget &budget, const Premises &premises)
{
    const QString problem = Script::problem(scenario);
    if (!problem.isEmpty())
        return Error { problem };
    const MadeNames names = madeNames(scenario, stage.world.tree);
    return OrderSearch(named(scenario, names), stage, budget, premises).found();
}

} // namespace instar
