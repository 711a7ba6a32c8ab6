// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/chartplan.h"
#include "model/machine/conversion.h"

namespace instar {

// The two ways of making a pack from a statechart; what check() minds is still in it.

/// No regions, no history: one state is enough.
bool isPlain(const ChartPlan &plan);
PackMade plainPack(const Statechart &chart, const ChartPlan &plan);

/// Every configuration that can be reached as a state.
Result<PackMade> productPack(const Statechart &chart, const ChartPlan &plan);

} // namespace instar
