// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/chartplan.h"
#include "model/charts/conversion.h"
#include "model/charts/conversionoutcomes.h"

namespace instar {

// The two ways of making a pack from a statechart; what check() minds is still in it.

/// A pack, and of which lines its machine's transitions are.
struct ConvertedDraft
{
    PackMade made;
    QList<int> lines; ///< of the arrows behind the transitions, in their order; 0: of none
};

/// For a chart without regions and history, where one state is enough.
ConvertedDraft plainPack(const OutcomesNamed &named, const ChartPlan &plan);

/// Every configuration that can be reached as a state.
Result<ConvertedDraft> productPack(const OutcomesNamed &named, const ChartPlan &plan);

/// Leaves out what check() calls an error: states that nothing leads to, rows that never speak. An
/// error where that does not help. `chart`: what the pack was made of.
Result<PackMade> mended(ConvertedDraft draft, const Statechart &chart);

} // namespace instar
