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
    qsizetype limit = -1;        ///< of every list, never of a count; -1: none
    bool keepsSchedules = false; ///< beside the words of a trace, what can be played
    Begun begun = Begun::AsPlanned;
    Timers timers = Timers::Fire;
    Scope scope {}; ///< only what happens in these trees
    /// Asked now and then beside the budget, with the worlds and endings found so far; false: stop.
    std::function<bool(qint64 worlds, qint64 endings)> goesOn {};
};

/// A situation that can be reached, and a shortest way to it.
struct Ending
{
    QMap<QString, QString> resources; ///< path -> the word it shows
    QMap<QString, QString>
        operations; ///< the scenario's own, and those that ran before: id -> status
    QStringList trace;
    QStringList stuck;     ///< dead end: the paths that cannot be brought back
    QStringList waits;     ///< where timers stand: the paths on which only they would do something
    QList<Event> schedule; ///< where it is kept: the events of the trace, timeless
    qint64 worlds = 0;     ///< in which it ends so
    QMap<QString, Derived> derived {}; ///< id -> on the way there
    double orders = 0; ///< sequences of events that lead there; endless where something can go on
                       ///< for ever before
};

/// A constraint that some order breaks.
struct Breach
{
    QString path, state, rule;
    QStringList trace;
    QMap<QString, QString> resources, operations; ///< as in an Ending: then
    QList<Event> schedule;                        ///< as in an Ending
    QMap<QString, Derived> derived {};            ///< as in an Ending
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

/// An event of a search as it can be played: what work was going to end in is said.
Event scheduled(const World &before, Event event);

QJsonObject explorationJson(const Exploration &exploration);
/// The same for people.
QString explorationText(const Exploration &exploration);

} // namespace instar
