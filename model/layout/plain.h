// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Layout in time proportional to its input: boxes in rows in the order of the input, or where all
/// have a position, there; straight arrows with the label in their middle. Arrows and labels may
/// cover anything.
Layout plainLayout(const LayoutInput &input);

/// A straight arrow between two placed nodes, a small loop, or from or to a dot beside the node.
void routePlainly(const LayoutInput &input, int edge, Layout &layout);

} // namespace instar
