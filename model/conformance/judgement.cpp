// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/judgement.h"

#include "model/explore/script.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Priority of a situation in one of three queues: progress in time minus a penalty. 0: hidden
/// events; 1: twice these less overtaken requests; 2: better moves skipped. The queues take turns,
/// because none suits every history.
qint64 priority(const Linearizer::Situation &situation, size_t queue, qint64 next, qint64 detours)
{
    const auto position = qint64(situation.position), hidden = qint64(situation.hidden);
    return 4 * position
        - (queue == 0        ? hidden
                : queue == 1 ? 2 * hidden - 2 * qint64(situation.hasty)
                             : detours + next);
}

/// Memory that a search may always use, and memory per situation of a larger budget (bytes).
constexpr qint64 LeastMemory = qint64(200) << 20, MemoryOfSituation = 2000;

/// Moves per situation in a budget: most moves lead to a known situation, at the same cost.
constexpr quint64 MovesOfSituation = 4;

} // namespace

HistorySearch::HistorySearch(const Rules &rules, const History &history)
    : m_rules(rules), m_history(history), m_linearizer(rules, history), m_closed { 0 }
{
    for (const Linearizer::Endpoint &one : m_linearizer.endpoints())
        m_closed.push_back(m_closed.back() + (one.closes ? 1 : 0));
}

void HistorySearch::add(Situation situation)
{
    const quint32 node = situation.node;
    m_explained = std::max(m_explained, m_closed[situation.position]);
    ++m_worlds;
    if (m_linearizer.isAtEnd(situation)) {
        m_goal = node;
        return;
    }
    Open open { .situation = std::move(situation), .moves = {} };
    open.moves = m_linearizer.moves(open.situation);
    if (open.moves.all.empty())
        return;
    push(node, open);
    m_open.emplace(node, std::move(open));
}

/// Returns true if a situation is known that explains whatever this one explains.
bool HistorySearch::isKnown(const Situation &situation)
{
    QByteArray bytes;
    std::vector<int> silent;
    m_linearizer.key(situation, bytes, &silent);
    const auto [number, isNew] = m_keys.insert(bytes);
    if (isNew)
        m_fewest.emplace_back();
    std::vector<std::vector<int>> &fewest = m_fewest[number];
    const auto isFewer = [](const std::vector<int> &one, const std::vector<int> &other) {
        return std::ranges::includes(other, one);
    };
    if (std::ranges::any_of(fewest, [&](const auto &one) { return isFewer(one, silent); }))
        return true;
    std::erase_if(fewest, [&](const auto &one) { return isFewer(silent, one); });
    m_fewestBytes += qint64(sizeof silent + silent.size() * sizeof(int));
    fewest.push_back(std::move(silent));
    return false;
}

/// Adds a situation to all three queues, with its next untried move.
void HistorySearch::push(quint32 node, const Open &open)
{
    for (size_t i = 0; i < m_queues.size(); ++i)
        m_queues[i].push({ priority(open.situation, i, qint64(open.next), m_nodes[node].detours),
            node, open.next });
}

HistorySearch::Outcome HistorySearch::run(const Budget &budget)
{
    Situation start = m_linearizer.beginning();
    m_linearizer.advance(start);
    isKnown(start);
    m_nodes.push_back({});
    start.node = 0;
    const qint64 situationBytes =
        4096 + 64 * qint64(start.world.tree.size()) + 80 * qint64(m_history.requests.size());
    add(std::move(start));
    m_stoppedBy = budget.interruption();
    for (quint64 round = 0; m_goal == NoNode && !m_open.isEmpty(); ++round) {
        if (m_stoppedBy == Limit::None && round / MovesOfSituation >= quint64(budget.states))
            m_stoppedBy = Limit::States;
        if (m_stoppedBy != Limit::None)
            return Outcome::Undecided;
        auto &queue = m_queues[round % m_queues.size()];
        const auto isPast = [&](const Waiting &waiting) {
            const auto open = m_open.constFind(waiting.number);
            return open == m_open.constEnd() || open->next != waiting.next;
        };
        while (isPast(queue.top()))
            queue.pop(); // taken from another queue already
        const quint32 node = queue.top().number;
        queue.pop();
        Open open = m_open.take(node);
        const auto move = quint32(open.next++);
        std::vector<Child> next = m_linearizer.children(open.situation, open.moves, move);
        if (open.next < open.moves.all.size()) {
            push(node, open);
            m_open.emplace(node, std::move(open));
        }
        for (quint32 i = 0; i < quint32(next.size()) && m_goal == NoNode; ++i) {
            if (isKnown(next[i].situation))
                continue;
            if (m_worlds >= budget.states) {
                m_stoppedBy = Limit::States;
                return Outcome::Undecided;
            }
            next[i].situation.node = quint32(m_nodes.size());
            m_nodes.push_back({ node, move, i, m_nodes[node].detours + move });
            add(std::move(next[i].situation));
        }
        if (round % 256 == 255) {
            const qint64 used = m_keys.bytes() + m_fewestBytes
                + qint64(m_nodes.capacity() * sizeof(Node)) + m_open.size() * situationBytes;
            const qint64 most = std::max(LeastMemory, MemoryOfSituation * budget.states);
            m_stoppedBy = used > most ? Limit::Memory : budget.exceeded(m_worlds, 0, used);
        }
    }
    return m_goal == NoNode ? Outcome::Violates : Outcome::Conforms;
}

HistorySearch::Situation HistorySearch::replayed(const Visit &visit) const
{
    std::vector<Node> chain;
    for (quint32 node = m_goal; node != NoNode && m_nodes[node].parent != NoNode;
         node = m_nodes[node].parent)
        chain.push_back(m_nodes[node]);
    const auto tell = [&](const Linearizer::Silent &silent, const World &world) {
        for (const auto &[request, after] : silent)
            visit({ .words = u"submit "_s + m_history.requests[request].request.id,
                .after = after,
                .event = { .kind = Event::Kind::Submit, .request = m_linearizer.request(request) },
                .record = {},
                .before = world,
                .world = world });
    };
    Situation situation = m_linearizer.beginning();
    Linearizer::Silent first;
    m_linearizer.advance(situation, &first);
    tell(first, situation.world);
    while (!chain.empty()) {
        const auto [parent, move, number, detours] = chain.back();
        Child child = std::move(
            m_linearizer.children(situation, m_linearizer.moves(situation), move)[number]);
        chain.pop_back();
        if (child.interval < 0)
            visit(momentOf(situation, child));
        tell(child.silent, child.situation.world);
        situation = std::move(child.situation);
    }
    return situation;
}

HistorySearch::Moment HistorySearch::momentOf(const Situation &before, const Child &child) const
{
    return { .words = withAnswers(
                 m_rules, eventWords(m_rules, before.world, child.event), child.answers),
        .after = child.after,
        .event = child.event,
        .record = child.record,
        .before = before.world,
        .world = child.situation.world };
}

World HistorySearch::visitOrder(const Visit &visit) const
{
    return replayed(visit).world;
}

std::vector<HistorySearch::Moment> HistorySearch::next() const
{
    const Situation situation = replayed([](const Moment &) {});
    std::vector<Moment> moments;
    for (const Child &child : m_linearizer.children(situation))
        moments.push_back(momentOf(situation, child));
    return moments;
}

} // namespace instar
