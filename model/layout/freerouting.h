// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

// Parts of the layout that need no layers.

namespace instar {

/// Layout around given positions: nodes with a position stay, the others go near their neighbours.
/// Absent if the budget is exhausted.
std::optional<Layout> fitted(const LayoutInput &input, const Budget &budget);

/// Routes edges around boxes at any positions. Places their labels, and the dots at which edges
/// without a source or target begin or end, where there is room. Routes only `edges`; the other
/// routes of the layout stay unchanged. When the budget is exhausted, the remaining edges become
/// straight lines.
void routeFreely(
    const LayoutInput &input, const QList<int> &edges, Layout &layout, const Budget &budget);

/// Routes an edge between placed nodes: a straight line between two, a small loop at one. An edge
/// without a source or target gets a dot beside its only node.
void routePlainly(const LayoutInput &input, int edge, Layout &layout);

} // namespace instar
