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

/// Returns the category of a state. Waiting and Gone: stable states whose name says so. Failed:
/// stable states that are entered by failed work and never as the first target of successful work,
/// except the machine's rest state; also stable states whose name says so (isFailureName), because
/// an operation or an event from another resource may lead there.
StatusCategory statusCategoryOf(const Rules &rules, Rules::StateId state);
/// Returns the categories of all states, by state id, at about the cost of a single one.
std::vector<StatusCategory> statusCategoriesOf(const Rules &rules);

/// Returns true if the last word of a state's name means failure: "Failed", "BUILD_ERROR".
bool isFailureName(const QString &name);

/// Returns the category of a word that a resource shows; Rest if no state of the machine has it.
StatusCategory statusCategoryOfWord(const Rules &rules, int machine, const QString &word);

} // namespace instar
