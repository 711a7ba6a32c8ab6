// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/search.h"
#include "model/machine/names.h"

namespace instar {

/// Something that is otherwise in two systems after the same has been done to both.
struct Fact
{
    QString what;          ///< "operation op1", "error of op1", or a resource's path
    QString first, second; ///< what is so in the one, and in the other; empty: nothing
    bool operator==(const Fact &) const = default;
};
/// "operation op1: Rejected, InProgress".
QString factText(const Fact &fact);

/// A shortest way to tell two systems apart by using them.
struct BehaviouralDifference
{
    /// Its last step expects what is so in the first system, and not in the other one. Both know
    /// every name in it; where no way was found to say it so, that step expects less, or is not
    /// there. Nothing: no way was found.
    std::optional<Scenario> scenario;
    QList<Fact> facts;     ///< what is otherwise then
    qint64 worlds = 0;     ///< pairs of worlds that were met
    int depth = 0;         ///< all ways of so many moves were tried; of the scenario: its moves
    bool complete = false; ///< everything that can be reached with these resources was met
    Limit stoppedBy = Limit::None; ///< where it is not complete and there is no scenario
    QStringList leftOut;           ///< paths of resources that not both systems can have
};

/// How many pairs of states a search for a divergence meets, where nothing else is said.
inline constexpr qint64 MostPairs = 60'000;

/// Lets both systems go through the same: any operation that both know is asked of any resource,
/// or of one that is not there yet; whatever works hangs, and ends in each outcome that either
/// takes; and time passes until something happens by itself. Breadth first, until an operation's
/// status or error, or the word that a resource shows, is not the same. Both must call things
/// alike.
///
/// What can be said in words that both know goes before what is found sooner. It begins with few
/// resources of each type and goes on with more, as long as the budget lasts: a way that is found
/// is the shortest among the resources that were tried. Not tried are etag preconditions, bodies,
/// and times between those at which something happens by itself.
BehaviouralDifference behaviouralDifference(const Rules &a, const Rules &b,
    const QList<ResourceSpec> &resources, const Budget &budget = { .states = MostPairs });

/// A scenario in the names that things had before they were called as `now` calls them.
Scenario inNamesBefore(const QList<Renaming> &renamings, const Rules &now, Scenario scenario);

} // namespace instar
