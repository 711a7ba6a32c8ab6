// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/diagram/element.h"

namespace instar {

class StatechartView;

// A graphics view shows nothing to a screen reader. These make its states and transitions
// accessible children with names, descriptions and an action.

void installChartAccess();
/// The chart has other elements now.
void chartElementsChanged(StatechartView *view);
/// The keyboard stands on an element.
void chartElementFocused(StatechartView *view, const ChartElement &element);

} // namespace instar
