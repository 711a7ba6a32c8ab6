// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Extracts a node with its contents as an input without positions. `nodes` receives the indexes
/// that its nodes have in `input`.
LayoutInput partOf(const LayoutInput &input, int node, QList<int> &nodes);

} // namespace instar
