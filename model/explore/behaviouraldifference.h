// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/pack/identity.h"
#include "model/result.h"

namespace instar {

/// Difference between two systems after the same moves.
struct Fact
{
    QString what;          ///< "operation op1", "error of op1", or a resource's path
    QString first, second; ///< value in the first and in the second system; empty: nothing
    bool operator==(const Fact &) const = default;
};
/// "operation op1: Rejected, InProgress".
QString factText(const Fact &fact);

/// Shortest trace after which two systems behave differently.
struct BehaviouralDifference
{
    /// In the names of the first system. The last step expects what holds there only; if the
    /// difference cannot be expressed in names known to both, that step expects less or is missing.
    /// Nothing: no difference was found.
    std::optional<Scenario> scenario;
    std::optional<Scenario> other; ///< the same for the second of two packs
    QList<Fact> facts;             ///< the differences at its end
    qint64 worlds = 0;             ///< pairs of states that were visited
    int depth = 0;                 ///< depth searched completely, in moves; or the scenario's moves
    bool complete = false;         ///< every state reachable with these resources was visited
    Limit stoppedBy = Limit::None; ///< where it is not complete and there is no scenario
    bool isCertain = false; ///< the rules differ only in names and texts for people: no search was
                            ///< needed
};

/// Default limit on the pairs of states that the search visits.
inline constexpr qint64 MostPairs = 60'000;

/// Breadth-first search for a difference in an operation's status or error, or in the word that a
/// resource shows. Both systems make the same moves: any operation that both know is submitted on
/// any resource, or on one that can be created; running work ends in each outcome that either
/// accepts; and time passes until the next event. Both must use the same names.
///
/// A difference that can be expressed in names known to both is preferred to one found sooner. The
/// search begins with few resources of each type and goes on with more while the budget lasts, so
/// a trace is the shortest for the resources tried. Etag preconditions, bodies, and times between
/// events are not tried.
BehaviouralDifference behaviouralDifference(const Rules &a, const Rules &b,
    const QList<ResourceSpec> &resources, const Budget &budget = { .states = MostPairs });

/// Searches with the resources of both samples. The error says why one of the packs cannot run.
Result<BehaviouralDifference> behaviouralDifference(
    const PackComparison &comparison, const Budget &budget = { .states = MostPairs });

/// Returns the shortest scenario that shows a difference, or why there is none, as text for people.
QString behaviourText(const Result<BehaviouralDifference> &found);

/// Translates a scenario from the names of `now` into the names before the renamings.
Scenario inNamesBefore(const QList<Renaming> &renamings, const Rules &now, Scenario scenario);

} // namespace instar
