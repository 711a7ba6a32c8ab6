// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/scenario.h"
#include "model/explore/search.h"

#include <QSet>

namespace instar {

/// Operation -> open conditions that its work asked, which requests may answer.
using OpenConditions = QHash<QString, QSet<QString>>;

/// Breadth-first search through the moves that users can make in one system, or in several with the
/// same names. Moves are: any operation known to all, on any resource or on one that can be
/// created; the end of running work in each outcome that one system accepts and all know; and time
/// passing until the next event.
class TrialSearch
{
public:
    /// State of one system at some moment.
    struct Tried
    {
        World world;
        OperationLog log;
    };
    struct Node
    {
        std::vector<Tried> systems;
        qint64 now = 0;                 ///< virtual ms
        int depth = 0, submissions = 0; ///< number of moves, and of submissions
        quint32 number = 0;
    };

    TrialSearch(std::vector<const Rules *> rules, const QList<ResourceSpec> &resources);

    /// Called for every node as it is reached; returns false to end the search.
    using Visit = std::function<bool(const Node &node)>;
    /// Searches at most `depth` moves deep and at most `most` nodes. Requests answer the conditions
    /// in `known`, to which newly met ones are added. `exercised`, if not null, is set to what the
    /// last move used of the rules.
    void run(int depth, qint64 most, const Budget &budget, OpenConditions *known,
        const Visit &visit, Exercised *exercised = nullptr);

    qint64 size() const { return m_keys.size(); } ///< number of distinct nodes
    int depth() const { return m_depth; }         ///< depth searched completely, in moves
    bool isComplete() const { return m_isComplete; }
    Limit stoppedBy() const { return m_stoppedBy; }
    /// Returns the trace to the node being visited, followed by an expectation.
    Scenario scenarioTo(const Node &node, const Expectation &expected) const;

private:
    /// Move made in all systems, and the node it starts from; kind Expect: time passes.
    struct Origin
    {
        quint32 parent = 0;
        ScenarioStep move;
    };
    Node after(const Node &node, ScenarioStep move, Exercised *exercised);
    void doMove(
        size_t system, Tried &tried, const ScenarioStep &move, qint64 time, Exercised *exercised);
    void happen(size_t system, Tried &tried, const Event &event, Exercised *exercised);
    bool isNew(Node &node);
    std::optional<qint64> nextTime(const Node &node) const;
    QList<ScenarioStep> movesFrom(const Node &node) const;
    void addEnds(const Node &node, QList<ScenarioStep> *moves) const;
    QList<Request> absentRequests(const World &world) const;

    const std::vector<const Rules *> m_rules;
    std::vector<WorldKeyWriter> m_writers;
    const QList<ResourceSpec> m_resources;
    QStringList m_operations;
    QList<Request> m_absent;              ///< resources that can be created
    OpenConditions m_open;                ///< met during the search
    QHash<QString, QStringList> m_labels; ///< operation -> conditions that requests answer
    KeySet m_keys;
    std::vector<Origin> m_origins; ///< by a node's number
    Origin m_last;
    int m_depth = 0;
    bool m_isComplete = false;
    Limit m_stoppedBy = Limit::None;
};

/// Returns some resources of each type and the resources they refer to, up to `most` of a type and
/// state per parent, twice as many per type. No chosen resource's parent is left out.
QList<ResourceSpec> someOf(const QList<ResourceSpec> &resources, int most);

} // namespace instar
