// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Places all nodes and notes of an input in which some have a position: those stay, the others go
/// near what they are connected with. Empty if that needs overlaps, or exceeds the budget.
std::optional<Layout> fitted(const LayoutInput &input, const Budget &budget);

} // namespace instar
