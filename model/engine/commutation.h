// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explore.h"

namespace instar {

/// One order in which a scenario's operations come and end, and what is seen then.
struct EventOrder
{
    QStringList trace;                 ///< as in an Ending
    QMap<QString, QString> resources;  ///< path -> the word it shows
    QMap<QString, QString> operations; ///< id -> status, of those that were asked for
    QMap<QString, QString> lastly; ///< the same when what is under way has ended, on the shortest
                                   ///< way to that; empty: it has, or none is known
    QMap<QString, QString> lastResources; ///< path -> the word it shows there
    QList<Event> schedule;                ///< as in an Ending
    QMap<QString, Derived> derived;       ///< as in an Ending
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
struct Commutation
{
    QList<OrderClash> clashes; ///< of each pair the one that is reached soonest; in that order
    QList<std::pair<QString, QString>> pairs; ///< all that can change places somewhere
    qint64 worlds = 0;
    bool complete = true; ///< false: a budget ended it, and pairs without a clash may have one
};

/// Looks at every order of a scenario on its stage, as explore() does. Operations of one client,
/// and those that ran before, never change places. Fails where the scenario ends work by hand.
Result<Commutation> commutation(const Scenario &scenario, const Stage &stage,
    const Budget &budget = {}, const Premises &premises = {});

} // namespace instar
