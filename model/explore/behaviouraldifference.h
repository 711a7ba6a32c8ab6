// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/pack/identity.h"
#include "model/result.h"

namespace instar {

/// Fact that is different in two systems after the same moves.
struct Fact
{
    QString what;          ///< "operation op1", "error code of op1", or a resource's path
    QString first, second; ///< value in the first and in the second system; empty: nothing
    bool operator==(const Fact &) const = default;
};
/// Returns a fact as text: "operation op1: Rejected, InProgress".
QString factText(const Fact &fact);

/// Shortest trace after which two systems behave differently.
struct BehaviouralDifference
{
    /// The trace, in the names of the first system; absent if no difference was found. A last step
    /// expects the first system's values of facts whose names both systems know; the trace lacks
    /// this step if there are no such facts.
    std::optional<Scenario> scenario;
    std::optional<Scenario> other; ///< the same trace for the second of two packs, in its names
    QList<Fact> facts;             ///< the differences at the end of the trace
    qint64 worlds = 0;             ///< pairs of states that were visited
    int depth = 0; ///< moves of the trace; without a trace: moves of the longest one searched
    bool complete = false;         ///< every state reachable with these resources was visited
    Limit stoppedBy = Limit::None; ///< the limit that stopped the search without a result
    /// No search was needed: the rules differ only in names and texts for people.
    bool isCertain = false;
};

/// Default limit on the pairs of states that the search visits.
inline constexpr qint64 MostPairs = 60'000;

/// Breadth-first search for a difference in an operation's status or error, or in the state that a
/// resource shows. Both systems make the same moves: any operation that both know is submitted on
/// any resource, or on a resource that can be created; running work ends in each outcome that one
/// of the systems accepts; and time passes until the next event. Both must use the same names.
///
/// Prefers a difference in names known to both systems, even if another has a shorter trace.
/// The search begins with few resources of each type and continues with more while the budget
/// lasts, so a trace is the shortest for the number of resources tried. Etag preconditions, bodies,
/// and times between events are not tried.
BehaviouralDifference behaviouralDifference(const Rules &a, const Rules &b,
    const QList<ResourceSpec> &resources, const Budget &budget = { .states = MostPairs });

/// As above, with the resources of both packs' samples. The error says why a pack cannot run.
Result<BehaviouralDifference> behaviouralDifference(
    const PackComparison &comparison, const Budget &budget = { .states = MostPairs });

/// Returns text for people: the shortest trace to a difference, or why there is none.
QString behaviourText(const Result<BehaviouralDifference> &found);

/// Translates a scenario back into the names before the renamings. `now`: rules with the new names.
Scenario inNamesBefore(const QList<Renaming> &renamings, const Rules &now, Scenario scenario);

} // namespace instar
