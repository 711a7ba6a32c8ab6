// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// A node with all that is in it, as a chart of its own in which nothing has a position. `nodes`
/// becomes what its nodes are in the input.
LayoutInput partOf(const LayoutInput &input, int node, QList<int> &nodes);

} // namespace instar
