// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/property.h"
#include "model/explore/script.h"

namespace instar {

struct ExploreOptions
{
    enum class By {
        Trees,      ///< one ending per final tree
        Operations, ///< one per final tree and ends of the operations
    };
    By by = By::Trees;
    Budget budget;
    qsizetype limit = -1; ///< maximal length of each list, counts are complete; -1: no limit
    Begun begun = Begun::AsPlanned;
    Timers timers = Timers::Fire;
    Scope scope {};                   ///< trees to explore
    std::optional<Property> never {}; ///< property to search for; nothing: none
    /// As Budget::goesOn, but it also gets the number of endings found so far.
    std::function<bool(qint64 worlds, qint64 endings)> goesOn {};
};

/// Reachable situation, with a shortest trace to it.
struct Ending : Trace
{
    enum class Kind { DeadEnd, BrokenConstraint, Ending, HasProperty };
    Kind kind = Kind::Ending;
    QStringList words;         ///< set by Outcomes: word shown in each of its rows; empty: absent
    qint64 worlds = 0;         ///< Ending: final states that show it
    double orders = 0;         ///< Ending: sequences of events that lead there; infinite if a
                               ///< cycle does
    QStringList stuck;         ///< DeadEnd: paths that can no longer reach their goal or rest
    QStringList waits;         ///< Ending, Timers::Stand: paths on which the clock would act
    QString path, state, rule; ///< BrokenConstraint: the resource, its state, and the constraint
                               ///< that some order breaks
                               ///< HasProperty: its text
};

/// Result of exploring every order of a scenario's operations.
struct Exploration
{
    qint64 worlds = 0;
    bool complete = true;          ///< false: the budget ended it; results so far
    Limit stoppedBy = Limit::None; ///< the limit that ended it; None if complete
    qint64 finalTrees = 0;
    qint64 endingCount = 0, deadEndCount = 0, brokenConstraintCount = 0;
    QList<Ending> endings; ///< situations without a next event, the nearest first
    QList<Ending> deadEnds, brokenConstraints;
    std::optional<Ending> hasProperty; ///< nearest situation with ExploreOptions::never
};

/// Explores every order of a scenario on its stage. Fails where the scenario ends work by hand.
Result<Exploration> explore(
    const Scenario &scenario, const Stage &stage, const ExploreOptions &options = {});

QJsonObject explorationJson(const Exploration &exploration);
/// Returns the exploration as text for people.
QString explorationText(const Exploration &exploration);

} // namespace instar
