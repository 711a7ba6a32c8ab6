// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Builds the pieces, clusters and edges of an input, without ranks.
Layers layersOf(const LayoutInput &input, const Budget &budget);

} // namespace instar
