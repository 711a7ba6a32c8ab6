// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/linearizabilitychecker.h"

#include <queue>

#include <array>

namespace instar {

/// Best-first search for a linearization of a complete history: an order of all requests and
/// internal events that explains every answer and observation. Visited configurations are memoized
/// as in Porcupine. A configuration is also pruned if another one with the same key was visited
/// whose remaining read-only calls are a subset of this one's. Rules and history must outlive the
/// search.
class HistorySearch
{
public:
    enum class Outcome {
        Conforms,      ///< an order explains the history
        Violates,      ///< no order explains the history
        Undecided,     ///< the budget ended the search first
        NothingJudged, ///< never returned by run(); verdict: no answer and no observation
    };

    HistorySearch(const Rules &rules, const History &history);

    /// Runs the search within the budget.
    Outcome run(const Budget &budget);
    Limit stoppedBy() const { return m_stoppedBy; } ///< the limit that left run() Undecided
    qint64 worlds() const { return m_worlds; }      ///< configurations that were visited
    /// Largest number of requests and observations that any tried order explains.
    qsizetype explained() const { return m_explained; }

    /// Request or internal event of a linearization.
    struct Moment
    {
        QString words;    ///< "submit r1", "end r1 succeeded", "begin r1", "fire /a/b"
        double after = 0; ///< ms: the event happens after this time
        Event event;      ///< kind Wait: no event happened; an observation bound an etag
        Record record {};
        World before, world;
    };
    using Visit = std::function<void(const Moment &moment)>;
    /// Visits the linearization of a history that conforms; returns the last configuration.
    LinearizabilityChecker::Configuration visitOrder(const Visit &visit) const;
    /// Returns the possible next events after a history that conforms.
    std::vector<Moment> next() const;

private:
    static constexpr quint32 NoNode = ~0u;
    using Configuration = LinearizabilityChecker::Configuration;
    using Successor = LinearizabilityChecker::Successor;
    struct Node // visited configuration, in the tree of the search
    {
        quint32 parent = NoNode;
        quint32 candidate = 0; ///< index of the step among the parent's candidates
        quint32 successor = 0; ///< index among the successors of that candidate
        quint32 detours = 0;   ///< number of better ranked candidates skipped on the way here
    };
    /// Configuration with untried candidates.
    struct Open
    {
        Configuration configuration;
        LinearizabilityChecker::Candidates candidates {};
        size_t next = 0; ///< index of the first untried candidate
    };
    struct Waiting // entry of a queue
    {
        qint64 priority = 0;
        quint32 number = 0; ///< of the node
        size_t next = 0;    ///< index of the candidate to try
        bool operator<(const Waiting &other) const
        {
            return priority != other.priority ? priority < other.priority : number > other.number;
        }
    };

    Moment momentOf(const Configuration &before, const Successor &successor) const;
    void add(Configuration configuration);
    bool isKnown(const Configuration &configuration);
    void push(quint32 node, const Open &open);

    const Rules &m_rules;
    const History &m_history;
    LinearizabilityChecker m_checker;
    std::vector<qsizetype> m_returned; ///< call event -> number of calls that return before it
    KeySet m_keys;
    /// Index of a key in m_keys -> minimal sets of remaining read-only calls, over the visited
    /// configurations with that key.
    std::vector<std::vector<std::vector<int>>> m_minimal;
    qint64 m_minimalBytes = 0;
    std::vector<Node> m_nodes;
    std::array<std::priority_queue<Waiting>, 3> m_queues;
    QHash<quint32, Open> m_open; ///< node -> its untried candidates
    qint64 m_worlds = 0;
    qsizetype m_explained = 0;
    quint32 m_goal = NoNode;
    Limit m_stoppedBy = Limit::None;
};

} // namespace instar
