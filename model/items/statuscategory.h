// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

namespace instar {

/// Category of a state, which all views show by colour and shape.
enum class StatusCategory {
    Rest,     ///< at rest, without a problem
    Working,  ///< work in progress
    Removing, ///< work in progress that removes the resource
    Failed,   ///< at rest after failed work or another failure
    Absent,   ///< does not exist
    Waiting,  ///< at rest, with something pending
    Gone,     ///< terminal, but the resource is still shown
};

/// Returns the category of a state. A stable state is Waiting ("PENDING") or Gone ("DELETED") by
/// its name. It is Failed if failed work leads there and successful work does not (its later
/// targets do not count), or by its name (isFailureName), because an operation or another
/// resource's event may lead there. The machine's rest state is never Failed.
StatusCategory statusCategoryOf(const Rules &rules, Rules::StateId state);
/// Returns the categories of all states, by state id, at about the cost of a single one.
std::vector<StatusCategory> statusCategoriesOf(const Rules &rules);

/// Returns true if the last word of a state's name means failure: "Failed", "BUILD_ERROR".
bool isFailureName(const QString &name);

/// Returns the category of a word that a resource shows; Rest if no state of the machine has it.
StatusCategory statusCategoryOfWord(const Rules &rules, int machine, const QString &word);

} // namespace instar
