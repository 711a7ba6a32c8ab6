// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/linearizer.h"

#include <queue>

#include <array>

namespace instar {

/// Linearizability check of a history after Wing & Gong with Lowe's just-in-time rule and memoized
/// situations as in Porcupine: a best-first search for an order of all unobserved events (requests
/// taking effect, work going on and ending, timers firing) that explains every answer and
/// observation. Also prunes a situation if a known one has only a subset of its silent intervals
/// left. Rules and history must outlive it.
class HistorySearch
{
public:
    enum class Outcome {
        Conforms,
        Violates,
        Undecided,     ///< within the budget
        NothingJudged, ///< verdicts only: the history has neither answer nor observation
    };

    HistorySearch(const Rules &rules, const History &history);

    /// Runs the search; Undecided: the budget ended it.
    Outcome run(const Budget &budget);
    Limit stoppedBy() const { return m_stoppedBy; }     ///< where it is undecided
    qint64 worlds() const { return m_worlds; }          ///< situations that were visited
    qsizetype explained() const { return m_explained; } ///< requests and observations, at most

    /// Unobserved event of a linearization.
    struct Moment
    {
        QString words;    ///< "submit r1", "end r1 succeeded", "begin r1", "fire /a/b"
        double after = 0; ///< ms
        Event event;      ///< Wait: an observation that binds an etag
        Record record;
        World before, world;
    };
    using Visit = std::function<void(const Moment &moment)>;
    /// Visits the linearization that was found, if it conforms; returns the world at its end.
    World visitOrder(const Visit &visit) const;
    /// Returns the possible next events after a history that conforms.
    std::vector<Moment> next() const;

private:
    static constexpr quint32 NoNode = ~0u;
    using Situation = Linearizer::Situation;
    using Child = Linearizer::Child;
    struct Node
    {
        quint32 parent = NoNode;
        quint32 move = 0, child = 0; ///< indices of the parent's move, and of that move's child
        quint32 detours = 0;         ///< number of better ranked moves skipped on the way here
    };
    /// Situation with untried moves.
    struct Open
    {
        Situation situation;
        Linearizer::Moves moves;
        size_t next = 0;
    };
    struct Waiting
    {
        qint64 priority = 0; ///< as from priority()
        quint32 number = 0;  ///< of the node
        size_t next = 0;     ///< the next move to try
        bool operator<(const Waiting &other) const
        {
            return priority != other.priority ? priority < other.priority : number > other.number;
        }
    };

    Moment momentOf(const Situation &before, const Child &child) const;
    Situation replayed(const Visit &visit) const;
    void add(Situation situation);
    bool isKnown(const Situation &situation);
    void push(quint32 node, const Open &open);

    const Rules &m_rules;
    const History &m_history;
    Linearizer m_linearizer;
    std::vector<qsizetype> m_closed; ///< endpoint -> number of intervals that closed before it
    KeySet m_keys;
    std::vector<std::vector<std::vector<int>>>
        m_fewest; ///< key -> minimal sets of silent intervals
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
