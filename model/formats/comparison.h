// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/divergence.h"
#include "model/formats/difference.h"
#include "model/result.h"

namespace instar {

/// One of two packs that are compared.
struct ComparedPack
{
    QString name;      ///< what a scenario calls it: a built-in one's id, or a file
    Pack pack;         ///< with the rows that do not exist under the switches
    Switches switches; ///< that were asked for; of the others, what is usual
    bool operator==(const ComparedPack &) const = default;
};

/// What two packs say differently.
struct PackComparison
{
    Pack first, second; ///< as they were compared: what the differences lead into
    Likeness likeness;
    QList<Difference> differences;
};

/// If switches were asked for of either, only rows that exist under them are compared; else all.
PackComparison compared(const ComparedPack &a, const ComparedPack &b);

/// What two packs do differently. Its scenario is for the first pack, where what it expects comes
/// true.
struct PackDivergence : Divergence
{
    std::optional<Scenario> other; ///< the same for the second pack, where it does not
    bool isCertain =
        false; ///< they do the same, whatever is done: their rules are equal but for
               ///< names and what is for people; nothing was searched, and it is complete
};

/// Looked for with the resources of both samples. The error: why one of them cannot do anything.
Result<PackDivergence> divergence(const ComparedPack &a, const ComparedPack &b,
    const QList<Renaming> &renamings, const Budget &budget = { .states = MostPairs });

/// One line a difference, then the shortest scenario that shows one; empty: there is none.
QString comparisonText(const QList<Difference> &changes, const Result<PackDivergence> &found);

} // namespace instar
