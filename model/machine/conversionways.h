// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/chartplan.h"
#include "model/machine/conversion.h"

namespace instar {

// The two ways of making a pack from a statechart; what check() minds is still in it.

/// For a chart without regions and history, where one state is enough.
PackMade plainPack(const Statechart &chart, const ChartPlan &plan);

/// Every configuration that can be reached as a state.
Result<PackMade> productPack(const Statechart &chart, const ChartPlan &plan);

} // namespace instar
