// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Runs edges between boxes that stand wherever they stand, and puts labels and dots where there is
/// room. `edges` names those to route; all others of the layout stay as they are. Beyond the budget
/// the rest runs straight.
void routeFreely(
    const LayoutInput &input, const QList<int> &edges, Layout &layout, const Budget &budget);

/// The frames around a node, from within outwards.
QList<int> framesAround(const LayoutInput &input, int node);

} // namespace instar
