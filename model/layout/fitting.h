// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Places all nodes and notes of an input of which some have a position: those stay, the others go
/// where they are near what they are connected with. Empty: it cannot be done without overlaps,
/// or not within the budget.
std::optional<Layout> fitted(const LayoutInput &input, const Budget &budget);

} // namespace instar
