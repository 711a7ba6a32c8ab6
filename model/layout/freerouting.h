// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Routes edges around boxes at any positions. Places their labels, and the dots at which edges
/// without a source or target begin or end, where there is room. Routes only `edges`; the other
/// routes of the layout stay unchanged. When the budget is exhausted, the remaining edges become
/// straight lines.
void routeFreely(
    const LayoutInput &input, const QList<int> &edges, Layout &layout, const Budget &budget);

/// Indices of the composites that contain a node, innermost first.
QList<int> framesAround(const LayoutInput &input, int node);

} // namespace instar
