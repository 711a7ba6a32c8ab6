// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

namespace instar {

/// Category of a state, shown everywhere by colour and shape.
enum class StatusCategory {
    Rest,     ///< at rest, without a problem
    Working,  ///< work in progress
    Removing, ///< work in progress that removes it
    Failed,   ///< at rest after failed work, or another failure
    Absent,   ///< does not exist
    Waiting,  ///< at rest, with something pending
    Gone,     ///< terminal, though still shown
};

/// Waiting and Gone are stable states named so (saysWaiting, saysGone). Failed is a stable state
/// that work enters by failing, that is never the first target of success, and that is not where
/// resources begin; or one named so (saysFailure), since an operation or an event of another
/// resource may lead there.
StatusCategory statusCategoryOf(const Rules &rules, Rules::StateId state);
/// Categories by state id; all of them cost little more than one.
std::vector<StatusCategory> statusCategoriesOf(const Rules &rules);

/// Returns true if the last word of a state's name means failure: "Failed", "BUILD_ERROR",
/// "VolumeLost".
bool saysFailure(const QString &name);

/// Returns true if a state's name has a word of waiting: "PENDING", "pendingReplacement", "Undone".
bool saysWaiting(const QString &name);
/// Returns true if the last word of a state's name means an end: "TERMINATED", "SOFT_DELETED".
bool saysGone(const QString &name);

/// Category of a shown word; Rest if no state of the machine has that name.
StatusCategory statusCategoryOfWord(const Rules &rules, int machine, const QString &word);

} // namespace instar
