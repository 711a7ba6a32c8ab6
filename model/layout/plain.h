// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Linear-time layout: boxes in rows in the order of the input, or at their positions if all have
/// one; straight arrows with the label in their middle. Arrows and labels may overlap anything.
Layout plainLayout(const LayoutInput &input);

/// Routes an edge straight between placed nodes, as a small loop, or to a dot beside its node.
void routePlainly(const LayoutInput &input, int edge, Layout &layout);

} // namespace instar
