// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/step.h"
#include "model/engine/worldkey.h"

#include <functional>
#include <memory>
#include <span>

namespace instar {

/// What is seen of a world: path -> the word it shows.
QMap<QString, QString> shownWords(const Rules &rules, const World &world);
/// The same for different maps is different.
QByteArray flat(const QMap<QString, QString> &map);

/// A world, and what those who act on it have to remember: how far each client is, for instance.
struct SearchState
{
    World world;
    QByteArray memory; ///< like the world's key a part of what tells situations apart
};

/// One way on from a situation. Open conditions have been answered: where a row asks for one, there
/// are two ways.
struct Way
{
    Event event;
    std::vector<std::pair<int, bool>> answers; ///< (label, answer) given on this way
    Record record;
    SearchState next;
};

/// Who acts in a search, and what each of them may do next.
class Players
{
public:
    virtual ~Players() = default;
    /// What may happen next, always in the same order.
    virtual QList<Event> moves(const SearchState &situation) const = 0;
    /// What is remembered after a move; nothing: the move does not count as one.
    virtual std::optional<QByteArray> memoryAfter(const SearchState &before, const Event &event,
        const Record &record, const World &after) const = 0;
    /// How many bytes of a memory tell situations apart.
    virtual qsizetype keySize(const QByteArray &memory) const { return memory.size(); }
};

/// Every way on by one move.
std::vector<Way> waysOn(
    const Rules &rules, const Players &players, const SearchState &situation, const Event &move);

/// Byte strings that were met, each with a number in the order in which they came.
class KeySet
{
public:
    KeySet() : m_table(1024, 0) { }
    /// The key's number, and whether it is new.
    std::pair<quint32, bool> insert(QByteArrayView key);
    std::optional<quint32> find(QByteArrayView key) const;
    QByteArrayView at(quint32 number) const
    {
        return { m_places[number].first, qsizetype(m_places[number].second) };
    }
    quint32 size() const { return quint32(m_places.size()); }
    qint64 bytes() const; ///< held

private:
    size_t slotOf(QByteArrayView key, quint32 hash) const;
    void grow();

    std::vector<quint32> m_table; ///< open addressing: number + 1; 0: free
    std::vector<quint32> m_hashes;
    std::vector<std::pair<const char *, quint32>> m_places;
    std::vector<std::unique_ptr<char[]>> m_chunks;
    char *m_next = nullptr; ///< in the last chunk, where there is room
    size_t m_room = 0;      ///< bytes
    qint64 m_chunkBytes = 0;
};

/// Everything that can be reached from some situations, breadth first and exactly: situations are
/// kept whole, not as hashes. The nearest way to each is kept, so that it can be told again.
class Search
{
public:
    static constexpr quint32 NoNode = ~0u;

    Search(const Rules &rules, const Players &players, WorldKeyWriter &writer)
        : m_rules(rules), m_players(players), m_writer(writer)
    { }

    /// Told of each node once its ways on are known, where they lead left out; false: that is
    /// enough.
    using Visit = std::function<bool(
        quint32 node, const SearchState &situation, const std::vector<Way> &ways)>;
    /// False: the budget, or `visit`, ended it.
    bool run(const SearchState &start, const Budget &budget, const Visit &visit);
    /// The limit that ended it; None where `visit` did, or where it is complete.
    Limit stoppedBy() const { return m_stoppedBy; }

    /// Nodes, numbered in the order in which they were found.
    quint32 size() const { return m_keys.size(); }
    /// The first nodes, so many, are those whose ways on are known.
    quint32 visited() const { return quint32(m_first.size()) - 1; }
    /// The number of a node's first way on; those of a node follow one another, as nodes do.
    quint32 firstWay(quint32 node) const { return m_first[node]; }
    /// The nodes to which a node's ways on lead, one for each.
    std::span<const quint32> next(quint32 node) const
    {
        return std::span(m_next).subspan(m_first[node], m_first[node + 1] - m_first[node]);
    }
    /// The ways from the start to a node, by the shortest trace.
    std::vector<Way> trace(quint32 node) const;

private:
    struct Node
    {
        quint32 parent = NoNode;
        quint32 move = 0, branch = 0; ///< which way it was
    };
    void key(const SearchState &situation, QByteArray &out) const;

    const Rules &m_rules;
    const Players &m_players;
    WorldKeyWriter &m_writer;
    SearchState m_start;
    KeySet m_keys;
    std::vector<Node> m_nodes;
    std::vector<quint32> m_first { 0 }; ///< node -> its first way; and the end
    std::vector<quint32> m_next;        ///< way -> the node to which it leads
    Limit m_stoppedBy = Limit::None;
};

} // namespace instar
