// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/search.h"

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
};

/// A situation that can be reached, and a shortest way to it.
struct Ending
{
    QMap<QString, QString> resources;  ///< path -> the word it shows
    QMap<QString, QString> operations; ///< the scenario's own: id -> status
    QStringList trace;
    QStringList stuck; ///< dead end: the paths that cannot be brought back
    bool operator==(const Ending &) const = default;
};

/// A constraint that some order breaks.
struct Breach
{
    QString path, state, rule;
    QStringList trace;
    bool operator==(const Breach &) const = default;
};

/// What every order of a scenario's operations can lead to.
struct Exploration
{
    qint64 worlds = 0;
    bool complete = true; ///< false: the budget ended it, and this is what was found so far
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

QJsonObject explorationJson(const Exploration &exploration);
/// The same for people.
QString explorationText(const Exploration &exploration);

} // namespace instar
