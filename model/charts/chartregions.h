// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

namespace instar {

/// The same chart with regions around what its forks lead to, where it is drawn without them: each
/// arrow of the fork begins a region, which ends at a join or final state. Where the regions would
/// overlap the fork stays as it is. An arrow with an event into a join leads to a place beside its
/// source, where it waits for the others.
Statechart withRegions(Statechart chart);

} // namespace instar
