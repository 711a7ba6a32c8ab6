// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/linearizer.h"

#include <queue>

#include <array>

namespace instar {

/// Looks for an order of everything that nobody saw (when requests took effect, work went on and
/// ended, timers fired) in which every answer and observation of a history is right: the search of
/// Wing and Gong, just in time, with a memory of situations as in Porcupine; a situation is also
/// left out where another one has the same still to explain but for what changes nothing. Rules
/// and history must outlive it.
class HistorySearch
{
public:
    enum class Outcome {
        Conforms,
        Violates,
        Undecided,     ///< within the budget
        NothingJudged, ///< of a verdict only: the history holds neither answer nor observation
    };
    enum class Memory { Kept, None }; ///< None: situations are tried again, for comparison only

    HistorySearch(const Rules &rules, const History &history, Memory memory = Memory::Kept);

    /// Undecided: the budget ended it.
    Outcome run(const Budget &budget);
    Limit stoppedBy() const { return m_stoppedBy; }     ///< where it is undecided
    qint64 worlds() const { return m_worlds; }          ///< situations that were met
    qsizetype explained() const { return m_explained; } ///< requests and observations, at most

    /// One thing that happened, unseen.
    struct Moment
    {
        QString words;    ///< "submit r1", "end r1 succeeded", "begin r1", "fire /a/b"
        double after = 0; ///< ms
        Event event;      ///< Wait: an observation was made, which binds an etag
        Record record;
        World before, world;
    };
    using Visit = std::function<void(const Moment &moment)>;
    /// Tells the order that was found, where it conforms; returns the world at its end.
    World retell(const Visit &visit) const;
    /// What could happen next, where everything that the history has was explained.
    std::vector<Moment> next() const;

private:
    static constexpr quint32 NoNode = ~0u;
    using Situation = Linearizer::Situation;
    using Child = Linearizer::Child;
    struct Node
    {
        quint32 parent = NoNode;
        quint32 move = 0, child = 0; ///< which of the parent's moves, and where it leads
        quint32 detours = 0;         ///< moves that were more promising, here and on the way here
    };
    /// A situation of which not every move was tried.
    struct Open
    {
        Situation situation;
        Linearizer::Moves moves;
        size_t next = 0;
    };
    struct Waiting
    {
        qint64 timeline = 0;
        quint32 number = 0;
        size_t next = 0; ///< the move that is to be tried
        bool operator<(const Waiting &other) const
        {
            return timeline != other.timeline ? timeline < other.timeline : number > other.number;
        }
    };

    Moment momentOf(const Situation &before, const Child &child) const;
    Situation replayed(const Visit &visit) const;
    void add(Situation situation);
    bool isKnown(const Situation &situation);
    void push(quint32 node, const Open &open);

    const History &m_history;
    Memory m_memory;
    Linearizer m_ways;
    std::vector<qsizetype> m_closed; ///< endpoint -> how many intervals closed before it
    KeySet m_keys;
    std::vector<std::vector<std::vector<int>>> m_fewest; ///< key -> silent intervals left with it
    qint64 m_fewestBytes = 0;
    std::vector<Node> m_nodes;
    std::array<std::priority_queue<Waiting>, 3> m_queues;
    QHash<quint32, Open> m_open; ///< by node
    qint64 m_worlds = 0;
    qsizetype m_explained = 0;
    quint32 m_goal = NoNode;
    Limit m_stoppedBy = Limit::None;
};

} // namespace instar
