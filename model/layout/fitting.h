// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Places all nodes and notes of an input in which some have a position: those stay, the others go
/// near their neighbours. Nothing if the budget is exhausted.
std::optional<Layout> fitted(const LayoutInput &input, const Budget &budget);

} // namespace instar
