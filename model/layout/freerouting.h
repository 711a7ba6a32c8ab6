// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Routes edges between boxes at any positions, and places labels and dots where there is room.
/// Only `edges` are routed; all others of the layout stay. Once the budget is exhausted, the rest
/// of the edges are drawn straight.
void routeFreely(
    const LayoutInput &input, const QList<int> &edges, Layout &layout, const Budget &budget);

/// Indices of the composites that contain a node, innermost first.
QList<int> framesAround(const LayoutInput &input, int node);

} // namespace instar
