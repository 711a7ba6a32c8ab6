// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Assigns coordinates across the layers by network simplex: neighbours keep their distance, edges
/// become straight and short.
void placeAcross(const Layers &layers, LayerCoordinates &coordinates);

} // namespace instar
