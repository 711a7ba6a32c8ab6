// SPDX-License-Identifier: Apache-2.0
#include "model/explore/statespace.h"

#include <deque>
#include <ranges>

namespace instar {

namespace {

/// Applies one event for each combination of answers to the open conditions that it evaluates.
class Branching
{
public:
    Branching(const Rules &rules, const MoveGenerator &generator, const SearchState &before)
        : m_rules(rules), m_generator(generator), m_before(before)
    {
        for (int label = 0; label < int(rules.labels().size()); ++label) {
            if (rules.labels()[label].startsWith(Rules::ElapsedLabel))
                m_elapsedLabels.push_back(label);
        }
    }

    /// Applies an event; for an unanswered condition, applies it again with each answer.
    void play(const World &world, const Event &event)
    {
        Stepped stepped = step(m_rules, world, event);
        for (const int label : stepped.record.unanswered) {
            const std::optional<quint32> serial = operationNeeding(world, event, label);
            if (!serial)
                continue;
            for (const bool answer : { false, true }) {
                m_answers.emplace_back(label, answer);
                play(world, answeredBy(event, *serial, label, answer));
                m_answers.pop_back();
            }
            return;
        }
        // Drops answers to conditions on elapsed time: they may be different later.
        for (const int label : m_elapsedLabels) {
            for (const auto &running : std::as_const(stepped.world.running)) {
                if (running->answers.contains(label))
                    stepped.world.change(running->serial)->answers.remove(label);
            }
        }
        auto memory = m_generator.memoryAfter(m_before, event, stepped.record, stepped.world);
        if (memory)
            edges.push_back({ event, m_answers, std::move(stepped.record),
                { std::move(stepped.world), *std::move(memory) } });
    }

    std::vector<SearchEdge> edges;

private:
    /// In place of a serial: the event's own operation, which may not exist yet.
    static constexpr quint32 Own = 0;

    static Event answeredBy(Event event, quint32 serial, int label, bool answer)
    {
        if (serial == Own)
            event.answers.insert(label, answer);
        else
            event.othersAnswers.push_back({ serial, label, answer });
        return event;
    }

    /// Returns an operation that needs an answer to the condition `label`; absent: none does.
    std::optional<quint32> operationNeeding(const World &world, const Event &event, int label) const
    {
        std::vector<quint32> candidates;
        if (!event.answers.contains(label))
            candidates.push_back(Own);
        const auto isGiven = [&](quint32 serial) {
            return std::ranges::any_of(event.othersAnswers, [&](const auto &given) {
                return given.operation == serial && given.label == label;
            });
        };
        for (const auto &running : world.running) {
            if (running->serial != event.operation && !running->answers.contains(label)
                && !isGiven(running->serial))
                candidates.push_back(running->serial);
        }
        for (const quint32 candidate : candidates) {
            Event others = event;
            for (const quint32 other : candidates) {
                if (other != candidate)
                    others = answeredBy(std::move(others), other, label, false);
            }
            const Stepped stepped = step(m_rules, world, others);
            if (std::ranges::find(stepped.record.unanswered, label)
                != stepped.record.unanswered.end())
                return candidate;
        }
        return {};
    }

    const Rules &m_rules;
    const MoveGenerator &m_generator;
    const SearchState &m_before;
    std::vector<int> m_elapsedLabels; ///< labels of conditions on elapsed time
    std::vector<std::pair<int, bool>> m_answers;
};

} // namespace

ShownWords shownWords(const Rules &rules, const World &world)
{
    ShownWords shown;
    for (const Resource resource : world.tree.resources()) {
        if (rules.isShown(world.tree.code(resource)))
            shown.insert(world.tree.path(resource), shownWord(rules, world, resource));
    }
    return shown;
}

QStringList differingPaths(const ShownWords &one, const ShownWords &other)
{
    std::vector<std::pair<QString, QString>> entries; // entries that only one of the two has
    std::set_symmetric_difference(one.keyValueBegin(), one.keyValueEnd(), other.keyValueBegin(),
        other.keyValueEnd(), std::back_inserter(entries));
    QStringList paths;
    for (const auto &[path, word] : entries)
        paths += path;
    paths.removeDuplicates();
    return paths;
}

std::vector<SearchEdge> edgesOf(
    const Rules &rules, const MoveGenerator &generator, const SearchState &state, const Event &move)
{
    Branching branching(rules, generator, state);
    Event event = move;
    event.untimed = true;
    branching.play(state.world, event);
    return std::move(branching.edges);
}

std::optional<ClientMemory> MoveGenerator::memoryAfter(
    const SearchState &, const Event &event, const Record &record, const World &) const
{
    const bool isIgnored = record.changes.empty()
        || record.changes.front().kind == Change::Kind::Rejected
        || record.changes.front().kind == Change::Kind::Queued;
    return event.kind == Event::Kind::Fire && isIgnored ? std::nullopt
                                                        : std::optional(ClientMemory());
}

std::optional<quint32> KeySet::find(const QByteArray &key) const
{
    const auto known = m_numbers.constFind(key);
    return known == m_numbers.constEnd() ? std::nullopt : std::optional(*known);
}

std::pair<quint32, bool> KeySet::insert(const QByteArray &key)
{
    if (const auto known = find(key))
        return { *known, false };
    constexpr qint64 overhead = 80; // bytes per key in the table and on the heap
    m_bytes += key.size() + overhead;
    const quint32 number = size();
    // A copy of the key has no unused capacity.
    m_numbers.insert(QByteArray(key.constData(), key.size()), number);
    return { number, true };
}

void StateSpace::key(const SearchState &state, QByteArray &out) const
{
    out.resize(0);
    m_writer.write(state.world, out);
    const auto append = [&out](const auto &list) {
        out.append(reinterpret_cast<const char *>(list.constData()),
            list.size() * qsizetype(sizeof list.front()));
    };
    append(state.memory.positions);
    append(state.memory.stamps);
    if (m_generator.hasStatuses())
        append(state.memory.statuses);
    out.append(char(state.memory.mark));
}

bool StateSpace::search(const Budget &budget, const Visit &visit)
{
    QByteArray bytes;
    key(m_start, bytes);
    m_keys.insert(bytes);
    m_nodes.push_back({});
    std::deque<std::pair<quint32, SearchState>> open;
    open.emplace_back(0, m_start);

    // Checks the budget after a number of edges, not states: in a large tree, one state has
    // thousands of edges.
    constexpr size_t edgesBetween = 512;
    m_stoppedBy = budget.interruption();
    if (m_stoppedBy != Limit::None)
        return false;
    for (size_t nextCheck = edgesBetween; !open.empty();) {
        const auto [node, state] = std::move(open.front());
        open.pop_front();
        std::vector<SearchEdge> edges;
        const QList<Event> moves = m_generator.moves(state);
        for (quint32 move = 0; move < quint32(moves.size()); ++move) {
            quint32 branch = 0;
            for (SearchEdge &edge : edgesOf(m_rules, m_generator, state, moves[move])) {
                key(edge.next, bytes);
                std::optional<quint32> known = m_keys.find(bytes);
                if (!known && size() >= budget.states) {
                    m_stoppedBy = Limit::States;
                    return false;
                }
                if (!known) {
                    known = m_keys.insert(bytes).first;
                    m_nodes.push_back({ .parent = node, .move = move, .branch = branch });
                    open.emplace_back(*known, std::move(edge.next));
                }
                m_targets.push_back(*known);
                ++branch;
                edges.push_back(std::move(edge));
            }
        }
        m_firstEdge.push_back(quint32(m_targets.size()));
        if (!visit(node, state, edges))
            return false;
        if (m_targets.size() >= nextCheck) {
            nextCheck = m_targets.size() + edgesBetween;
            const qint64 stateBytes = 4096 + 64 * state.world.tree.size(); // a rough estimate
            const qint64 queue = qint64(open.size()) * stateBytes;
            const qint64 graph = qint64(m_nodes.capacity() * sizeof(Node)
                + (m_firstEdge.capacity() + m_targets.capacity()) * sizeof(quint32));
            m_stoppedBy = budget.exceeded(size(), 0, m_keys.bytes() + graph + queue);
            if (m_stoppedBy != Limit::None)
                return false;
        }
    }
    return true;
}

std::optional<quint32> StateSpace::nodeOf(const SearchState &state) const
{
    QByteArray bytes;
    key(state, bytes);
    return m_keys.find(bytes);
}

std::vector<SearchEdge> StateSpace::trace(quint32 node) const
{
    std::vector<quint32> chain;
    for (; m_nodes[node].parent != NoNode; node = m_nodes[node].parent)
        chain.push_back(node);
    const SearchState *state = &m_start;
    std::vector<SearchEdge> trace;
    trace.reserve(chain.size());
    for (const quint32 next : chain | std::views::reverse) {
        const Event move = m_generator.moves(*state)[m_nodes[next].move];
        std::vector<SearchEdge> edges = edgesOf(m_rules, m_generator, *state, move);
        trace.push_back(std::move(edges[m_nodes[next].branch]));
        state = &trace.back().next;
    }
    return trace;
}

} // namespace instar
