// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scope.h"
#include "model/engine/search.h"

namespace instar {

/// Answers whether every resource of a world can still be brought to its type's goal or, where
/// there is none, to rest: by any sequence of the pack's operations, with any outcomes. What was
/// found out once is not searched again. What is beside its scope is not asked about.
class GoalSearch
{
public:
    /// `named` are requests whose paths, properties and references are tried for resources that are
    /// not there.
    GoalSearch(const Rules &rules, const World &start, const QList<Request> &named,
        const Budget &budget, Scope scope = {});
    ~GoalSearch();

    /// The paths of the resources that are not there now.
    QStringList unmet(const World &world) const;
    /// The paths of the resources that nothing can bring there.
    QStringList stuck(const World &world);
    /// The limit because of which some answer was given up: what could not be shown to be stuck is
    /// not reported.
    Limit stoppedBy() const { return m_stoppedBy; }

private:
    bool isMet(const World &world, const QString &path) const;
    bool isMet(const World &world, Resource resource) const;
    const Players &players();

    const Rules &m_rules;
    const World m_start;
    const QList<Request> m_named;
    const Scope m_scope;
    std::unique_ptr<Players> m_players; ///< null until something is looked for
    WorldKeyWriter m_writer;
    Budget m_budget; ///< for one answer, and what is left for all
    bool m_hasGoals = false;
    Limit m_stoppedBy = Limit::None;
    QHash<QByteArray, QStringList> m_known; ///< key -> what is stuck
};

} // namespace instar
