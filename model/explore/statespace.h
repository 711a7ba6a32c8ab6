// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/step.h"
#include "model/explore/worldkey.h"

#include <functional>
#include <span>

namespace instar {

/// Visible state of a world: path of a resource -> state that clients see.
using ShownWords = QMap<QString, QString>;
ShownWords shownWords(const Rules &rules, const World &world);
QStringList differingPaths(const ShownWords &one, const ShownWords &other);

/// Memory of the clients in a search state: their progress, and observed etags and statuses.
struct ClientMemory
{
    QList<quint16> positions; ///< client -> number of operations submitted
    QList<quint64> stamps;    ///< etag versions that matter to requests; a world's key lacks them
    QList<quint16> statuses;  ///< of operations; part of a key only if MoveGenerator::hasStatuses()
    bool mark = false;        ///< additional bit of the key, computed from the previous state
};

/// State of a state space: the world and what the clients remember.
struct SearchState
{
    World world;
    ClientMemory memory;
};

/// Edge of a state space: a move with answers to open conditions, that is, conditions that the
/// model cannot evaluate. Each open condition gives two edges, one per answer.
struct SearchEdge
{
    Event event;
    std::vector<std::pair<int, bool>> answers; ///< (index in Rules::labels(), answer)
    Record record;
    SearchState next;
};

/// Move generator of a state space; the base class generates no moves.
class MoveGenerator
{
public:
    virtual ~MoveGenerator() = default;
    /// Returns the possible next events, in a deterministic order.
    virtual QList<Event> moves(const SearchState &) const { return {}; }
    /// Returns the memory after a move; nothing if the move has no effect and must be ignored.
    virtual std::optional<ClientMemory> memoryAfter(const SearchState &before, const Event &event,
        const Record &record, const World &after) const;
    /// Returns true if states with different statuses of operations are different.
    virtual bool hasStatuses() const { return false; }
};

/// Returns a move's edges: one per combination of answers to conditions of unknown value.
std::vector<SearchEdge> edgesOf(const Rules &rules, const MoveGenerator &generator,
    const SearchState &state, const Event &move);

/// Set of byte strings, numbered in order of insertion.
class KeySet
{
public:
    /// Returns the key's number, and true if it is new.
    std::pair<quint32, bool> insert(const QByteArray &key);
    std::optional<quint32> find(const QByteArray &key) const;
    quint32 size() const { return quint32(m_numbers.size()); }
    qint64 bytes() const { return m_bytes; } ///< approximate memory

private:
    QHash<QByteArray, quint32> m_numbers;
    qint64 m_bytes = 0;
};

/// State space of a move generator: the states that are reachable from the start, numbered in
/// breadth-first order, their edges, and a shortest trace to each. Compares whole keys, not hashes.
/// Rules, generator and writer must outlive the state space.
class StateSpace
{
public:
    static constexpr quint32 NoNode = ~0u;

    StateSpace(const Rules &rules, const MoveGenerator &generator, WorldKeyWriter &writer,
        SearchState start)
        : m_rules(rules), m_generator(generator), m_writer(writer), m_start(std::move(start))
    { }

    /// Called for each node with its state and edges; false ends the search.
    using Visit =
        std::function<bool(quint32 node, const SearchState &, const std::vector<SearchEdge> &)>;
    /// Finds the states by breadth-first search; returns false if the budget or `visit` ended it.
    bool search(const Budget &budget, const Visit &visit);
    /// The limit that ended the search; None if `visit` ended it or the search is complete.
    Limit stoppedBy() const { return m_stoppedBy; }

    const SearchState &start() const { return m_start; }

    quint32 size() const { return m_keys.size(); }
    /// Number of nodes that were expanded; these have the lowest numbers.
    quint32 visited() const { return quint32(m_firstEdge.size()) - 1; }
    /// Number of a node's first edge; edges are numbered consecutively, node by node.
    quint32 firstEdge(quint32 node) const { return m_firstEdge[node]; }
    std::span<const quint32> next(quint32 node) const
    {
        return std::span(m_targets).subspan(firstEdge(node), firstEdge(node + 1) - firstEdge(node));
    }
    /// Returns the node of a state; absent if the search did not reach the state.
    std::optional<quint32> nodeOf(const SearchState &state) const;
    std::vector<SearchEdge> trace(quint32 node) const;

private:
    struct Node
    {
        quint32 parent = NoNode;
        quint32 move = 0, branch = 0; ///< indices of the parent's move, and of that move's edge
    };
    void key(const SearchState &state, QByteArray &out) const;

    const Rules &m_rules;
    const MoveGenerator &m_generator;
    WorldKeyWriter &m_writer;
    const SearchState m_start;
    KeySet m_keys;
    std::vector<Node> m_nodes;
    std::vector<quint32> m_firstEdge { 0 }; ///< node -> its first edge; last: the number of edges
    std::vector<quint32> m_targets;         ///< edge -> target node
    Limit m_stoppedBy = Limit::None;
};

} // namespace instar
