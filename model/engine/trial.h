// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/scenario.h"
#include "model/engine/search.h"

#include <QSet>

namespace instar {

/// By operation: the conditions that were looked at on its way, and that requests may answer.
using OpenConditions = QHash<QString, QSet<QString>>;

/// Breadth-first search through what users can do to a system, or the same to several that call
/// things alike: any operation that all know is asked of any resource, or of one that is not there
/// yet; whatever works hangs, and ends in each outcome that one of them takes and all know; and
/// time passes until something happens by itself.
class TrialSearch
{
public:
    /// A system at some moment.
    struct Tried
    {
        World world;
        OperationLog log;
    };
    struct Node
    {
        std::vector<Tried> systems;
        qint64 now = 0;           ///< virtual ms
        int depth = 0, asked = 0; ///< moves; operations asked for
        quint32 number = 0;
    };

    TrialSearch(std::vector<const Rules *> rules, const QList<ResourceSpec> &resources);

    /// Is shown every node as it is met; false: that is enough.
    using Visit = std::function<bool(const Node &node)>;
    /// Not deeper than `depth` moves, nor further than `most` nodes. Requests answer the conditions
    /// that are known, and others become known. What the last move used of the rules is put into
    /// `exercised`, if there is one.
    void run(int depth, qint64 most, const Budget &budget, OpenConditions *known,
        const Visit &visit, Exercised *exercised = nullptr);

    qint64 size() const { return m_keys.size(); } ///< nodes that were met
    int depth() const { return m_depth; }         ///< all ways of so many moves were tried
    bool isComplete() const { return m_isComplete; }
    Limit stoppedBy() const { return m_stoppedBy; }
    /// What led to the node that is being visited, and that this is expected then.
    Scenario scenarioTo(const Node &node, const Expectation &expected) const;

private:
    /// What is done in all systems, told in names; an expectation of nothing: time passes.
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
    QList<Request> m_absent;              ///< what may be made
    OpenConditions m_open;                ///< became known
    QHash<QString, QStringList> m_labels; ///< by operation: those that are answered
    KeySet m_keys;
    std::vector<Origin> m_origins; ///< by a node's number
    Origin m_last;
    int m_depth = 0;
    bool m_isComplete = false;
    Limit m_stoppedBy = Limit::None;
};

/// So many of each type that have nothing left out above them, and what those refer to.
QList<ResourceSpec> someOf(const QList<ResourceSpec> &resources, int most);

} // namespace instar
