// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/behaviouraldifference.h"
#include "model/json/difference.h"
#include "model/pack/names.h"
#include "model/result.h"

namespace instar {

/// One of two packs that are compared.
struct ComparedPack
{
    QString name;      ///< as scenarios name it: a built-in pack's id, or a file
    Pack pack;         ///< including rows that do not exist under the switches
    Switches switches; ///< that were asked for; the others have their usual values
    bool operator==(const ComparedPack &) const = default;
};

/// Two packs and their differences.
struct PackComparison
{
    ComparedPack a, b;
    QList<Renaming> renamings; ///< from the first pack's names to the second's
    QList<Difference> differences;
};

/// Compares rows with ids by id, rows in lists by what they are about. Of versions of one document
/// the rows' numbers tell which were renamed; of others, that as many new rows stand in the place
/// of rows that are gone. How things are drawn does not count. If switches were asked for of
/// either, only rows that exist under them are compared.
PackComparison compared(ComparedPack a, ComparedPack b);

/// How the behaviour of two packs differs. Its scenario is for the first pack, where its
/// expectations hold.
struct PackBehaviouralDifference : BehaviouralDifference
{
    std::optional<Scenario> other; ///< the same for the second pack, where they do not hold
    bool isCertain = false; ///< the rules are equal but for names and what is for people, so that
                            ///< nothing was searched
};

/// Searches with the resources of both samples. The error says why one of the packs cannot run.
Result<PackBehaviouralDifference> behaviouralDifference(
    const PackComparison &comparison, const Budget &budget = { .states = MostPairs });

/// One line a difference, then the shortest scenario that shows one; empty if there is none.
QString comparisonText(
    const QList<Difference> &changes, const Result<PackBehaviouralDifference> &found);

} // namespace instar
