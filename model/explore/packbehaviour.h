// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/behaviouraldifference.h"
#include "model/pack/identity.h"
#include "model/result.h"

namespace instar {

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

/// The shortest scenario that shows a difference, or why there is none.
QString behaviourText(const Result<PackBehaviouralDifference> &found);

} // namespace instar
