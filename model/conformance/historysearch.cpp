// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/historysearch.h"

#include "model/explore/script.h"

namespace instar {

namespace {

/// Returns the priority of a configuration in one of three queues: its progress (4 for each call
/// event) minus a penalty. The queues take turns, because no penalty suits every history:
/// - queue 0: the number of steps since the last call event;
/// - queue 1: twice that number, reduced by the overtaken requests;
/// - queue 2: the number of better candidates skipped: `detours` to get there, then `next`.
qint64 priority(
    const LinearizabilityChecker::Configuration &one, size_t queue, qint64 next, qint64 detours)
{
    const auto position = qint64(one.position), steps = qint64(one.steps);
    return 4 * position
        - (queue == 0        ? steps
                : queue == 1 ? 2 * steps - 2 * qint64(one.overtaken)
                             : detours + next);
}

/// Memory limit of a search, bytes: at least LeastMemory, else by configuration.
constexpr qint64 LeastMemory = qint64(200) << 20, MemoryOfConfiguration = 2000;

/// Limit of steps for each configuration in the budget. Most steps lead to a visited configuration,
/// and cost as much as a step to a new one.
constexpr quint64 StepsOfConfiguration = 4;

} // namespace

HistorySearch::HistorySearch(const Rules &rules, const History &history)
    : m_rules(rules), m_history(history), m_checker(rules, history), m_returned { 0 }
{
    for (const LinearizabilityChecker::CallEvent &one : m_checker.callEvents())
        m_returned.push_back(m_returned.back() + (one.isReturn ? 1 : 0));
}

void HistorySearch::add(Configuration configuration)
{
    const quint32 node = configuration.node;
    m_explained = std::max(m_explained, m_returned[configuration.position]);
    ++m_worlds;
    if (m_checker.isComplete(configuration)) {
        m_goal = node;
        return;
    }
    Open open { .configuration = std::move(configuration) };
    open.candidates = m_checker.candidates(open.configuration);
    if (open.candidates.empty())
        return;
    push(node, open);
    m_open.emplace(node, std::move(open));
}

/// Marks a configuration as visited, unless a visited one makes it superfluous: returns true then.
bool HistorySearch::isKnown(const Configuration &configuration)
{
    QByteArray bytes;
    std::vector<int> readOnly;
    m_checker.key(configuration, bytes, &readOnly);
    const auto [number, isNew] = m_keys.insert(bytes);
    if (isNew)
        m_minimal.emplace_back();
    std::vector<std::vector<int>> &minimal = m_minimal[number];
    const auto isSubset = [](const std::vector<int> &one, const std::vector<int> &other) {
        return std::ranges::includes(other, one);
    };
    if (std::ranges::any_of(minimal, [&](const auto &one) { return isSubset(one, readOnly); }))
        return true;
    std::erase_if(minimal, [&](const auto &one) { return isSubset(readOnly, one); });
    m_minimalBytes += qint64(sizeof readOnly + readOnly.size() * sizeof(int));
    minimal.push_back(std::move(readOnly));
    return false;
}

void HistorySearch::push(quint32 node, const Open &open)
{
    for (size_t i = 0; i < m_queues.size(); ++i)
        m_queues[i].push(
            { priority(open.configuration, i, qint64(open.next), m_nodes[node].detours), node,
                open.next });
}

HistorySearch::Outcome HistorySearch::run(const Budget &budget)
{
    Configuration start = m_checker.initial();
    m_checker.advance(start);
    isKnown(start);
    m_nodes.push_back({});
    start.node = 0;
    const qint64 configurationBytes = // estimate for an open configuration
        4096 + 64 * qint64(start.world.tree.size()) + 80 * qint64(m_history.requests.size());
    add(std::move(start));
    m_stoppedBy = budget.interruption();
    for (quint64 round = 0; m_goal == NoNode && !m_open.isEmpty(); ++round) {
        if (m_stoppedBy == Limit::None && round / StepsOfConfiguration >= quint64(budget.states))
            m_stoppedBy = Limit::States;
        if (m_stoppedBy != Limit::None)
            return Outcome::Undecided;
        auto &queue = m_queues[round % m_queues.size()];
        const auto isTried = [&](const Waiting &waiting) {
            const auto open = m_open.constFind(waiting.number);
            return open == m_open.constEnd() || open->next != waiting.next;
        };
        while (isTried(queue.top()))
            queue.pop(); // another queue has tried this candidate
        const quint32 node = queue.top().number;
        queue.pop();
        Open open = m_open.take(node);
        const auto candidate = quint32(open.next++);
        std::vector<Successor> next =
            m_checker.successors(open.configuration, open.candidates, candidate);
        if (open.next < open.candidates.size()) {
            push(node, open);
            m_open.emplace(node, std::move(open));
        }
        for (quint32 i = 0; i < quint32(next.size()) && m_goal == NoNode; ++i) {
            if (isKnown(next[i].configuration))
                continue;
            if (m_worlds >= budget.states) {
                m_stoppedBy = Limit::States;
                return Outcome::Undecided;
            }
            next[i].configuration.node = quint32(m_nodes.size());
            m_nodes.push_back({ node, candidate, i, m_nodes[node].detours + candidate });
            add(std::move(next[i].configuration));
        }
        if (round % 256 == 255) {
            const qint64 used = m_keys.bytes() + m_minimalBytes
                + qint64(m_nodes.capacity() * sizeof(Node)) + m_open.size() * configurationBytes;
            const qint64 most = std::max(LeastMemory, MemoryOfConfiguration * budget.states);
            m_stoppedBy = used > most ? Limit::Memory : budget.exceeded(m_worlds, 0, used);
        }
    }
    return m_goal == NoNode ? Outcome::Violates : Outcome::Conforms;
}

HistorySearch::Configuration HistorySearch::visitOrder(const Visit &visit) const
{
    std::vector<Node> chain;
    for (quint32 node = m_goal; node != NoNode && m_nodes[node].parent != NoNode;
         node = m_nodes[node].parent)
        chain.push_back(m_nodes[node]);
    const auto visitLinearized = [&](const LinearizabilityChecker::Linearized &requests,
                                     const World &world) {
        for (const auto &[request, after] : requests)
            visit({ .words = u"submit "_s + m_history.requests[request].request.id,
                .after = after,
                .event = { .kind = Event::Kind::Submit, .request = m_checker.request(request) },
                .before = world,
                .world = world });
    };
    Configuration configuration = m_checker.initial();
    LinearizabilityChecker::Linearized first;
    m_checker.advance(configuration, &first);
    visitLinearized(first, configuration.world);
    while (!chain.empty()) {
        const Node node = chain.back();
        chain.pop_back();
        const auto candidates = m_checker.candidates(configuration);
        Successor successor = std::move(
            m_checker.successors(configuration, candidates, node.candidate)[node.successor]);
        if (successor.event.kind != Event::Kind::Wait)
            visit(momentOf(configuration, successor));
        visitLinearized(successor.linearized, successor.configuration.world);
        configuration = std::move(successor.configuration);
    }
    return configuration;
}

HistorySearch::Moment HistorySearch::momentOf(
    const Configuration &before, const Successor &successor) const
{
    return { .words = withAnswers(
                 m_rules, eventWords(m_rules, before.world, successor.event), successor.answers),
        .after = successor.after,
        .event = successor.event,
        .record = successor.record,
        .before = before.world,
        .world = successor.configuration.world };
}

std::vector<HistorySearch::Moment> HistorySearch::next() const
{
    const Configuration configuration = visitOrder([](const Moment &) {});
    std::vector<Moment> moments;
    for (const Successor &successor : m_checker.successors(configuration))
        moments.push_back(momentOf(configuration, successor));
    return moments;
}

} // namespace instar
