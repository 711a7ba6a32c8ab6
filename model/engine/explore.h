// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/script.h"

namespace instar {

struct ExploreOptions
{
    enum class By {
        Trees,      ///< one ending per final tree
        Operations, ///< one per final tree and how the operations ended
    };
    By by = By::Trees;
    Budget budget;
    qsizetype limit = -1; ///< of every list, never of a count; -1: none
    Begun begun = Begun::AsPlanned;
    Timers timers = Timers::Fire;
    Scope scope {}; ///< only what happens in these trees
    /// Asked now and then beside the budget, with the worlds and endings found so far; false: stop.
    std::function<bool(qint64 worlds, qint64 endings)> goesOn {};
};

/// A situation that can be reached, and a shortest way to it.
struct Ending : Trace
{
    QStringList stuck; ///< dead end: the paths that cannot be brought back
    QStringList waits; ///< where timers stand: the paths on which only they would do something
    qint64 worlds = 0; ///< in which it ends so
    double orders = 0; ///< sequences of events that lead there; endless where something can go on
                       ///< for ever before
};

/// A constraint that some order breaks, and what is so then.
struct Breach : Trace
{
    QString path, state, rule;
};

/// What every order of a scenario's operations can lead to.
struct Exploration
{
    qint64 worlds = 0;
    bool complete = true; ///< false: the budget ended it, and this is what was found so far
    Limit stoppedBy = Limit::None; ///< where it is not complete
    qint64 finalTrees = 0;
    qint64 endingCount = 0, deadEndCount = 0, breachCount = 0;
    QList<Ending>
        endings; ///< when nothing can happen any more; those that are reached soonest first
    QList<Ending> deadEnds;
    QList<Breach> breaches;
};

/// Explores a scenario on its stage. Fails where the scenario ends work by hand.
Result<Exploration> explore(
    const Scenario &scenario, const Stage &stage, const ExploreOptions &options = {});

/// One order in which a scenario's operations come and end, and what is seen then.
struct EventOrder : Trace
{
    QMap<QString, QString> lastly; ///< its `operations` when what is under way has ended, on the
                                   ///< shortest way to that; empty: it has, or none is known
    QMap<QString, QString> lastResources; ///< path -> the word it shows there
};

/// Two operations that do not commute: somewhere both may come next, and which comes first is seen,
/// at once or by how all can end. One of the two orders shows what no order of the other kind does.
struct OrderClash
{
    QString first, second;             ///< ids; in `one` the first comes before the second
    EventOrder one, other;             ///< the shortest
    enum class Seen { AtOnce, AtEnd }; ///< when both are there, or when nothing can happen any more
    Seen seen = Seen::AtOnce;
};

/// Which operations of a scenario must not change places.
struct OrderDependence
{
    QList<OrderClash> clashes; ///< of each pair the one that is reached soonest; in that order
    QList<std::pair<QString, QString>> pairs; ///< all that can change places somewhere
    qint64 worlds = 0;
    bool complete = true; ///< false: a budget ended it, and pairs without a clash may have one
};

/// Looks at every order of a scenario on its stage, as explore() does. Operations of one client,
/// and those that ran before, never change places. Fails where the scenario ends work by hand.
Result<OrderDependence> orderDependence(const Scenario &scenario, const Stage &stage,
    const Budget &budget = {}, const Premises &premises = {});

QJsonObject explorationJson(const Exploration &exploration);
/// The same for people.
QString explorationText(const Exploration &exploration);

} // namespace instar
