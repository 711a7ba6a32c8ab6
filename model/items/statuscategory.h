// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

namespace instar {

/// How a resource in a state fares: the one thing that colours and shapes say everywhere.
enum class StatusCategory {
    Rest,     ///< rests, and all is well
    Working,  ///< work is in progress
    Removing, ///< work is in progress that ends in not being there
    Failed,   ///< rests where failed work, or something else gone wrong, has left it
    Absent,   ///< is not there
    Waiting,  ///< rests, but has yet to begin, or to go
    Gone,     ///< rests, and is over for good though it still shows
};

/// Waiting and Gone are stable states whose word says so (saysWaiting, saysGone). Failed is a
/// stable state that work enters by failing, and that succeeding never aims at first, nor where
/// resources begin. Beside it, one whose word says so (saysFailure): an operation or an event of
/// another resource may lead there.
StatusCategory statusCategoryOf(const Rules &rules, Rules::StateId state);
/// Of each state, by id; together they cost little more than one.
std::vector<StatusCategory> statusCategoriesOf(const Rules &rules);

/// Whether the last word of a state's name is one of failing: "Failed", "BUILD_ERROR",
/// "VolumeLost".
bool saysFailure(const QString &name);

/// Whether a word of a state's name is one of waiting: "PENDING", "pendingReplacement", "Undone".
bool saysWaiting(const QString &name);
/// Whether the last word of a state's name is one of being over: "TERMINATED", "SOFT_DELETED".
bool saysGone(const QString &name);

/// Of a shown word; Rest where no state of the machine has that name.
StatusCategory statusCategoryOfWord(const Rules &rules, int machine, const QString &word);

} // namespace instar
