// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Linear-time layout without search: boxes stand at their positions if all have one, else in rows
/// in the order of the input. Arrows are straight, with the label in the middle. Arrows and labels
/// may overlap anything.
Layout plainLayout(const LayoutInput &input);

/// Routes an edge between placed nodes: a straight line between two, a small loop at one. An edge
/// without a source or target gets a dot beside its only node.
void routePlainly(const LayoutInput &input, int edge, Layout &layout);

} // namespace instar
