// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Network simplex for coordinates across the layers: neighbours keep apart, edges are straight.
void placeAcross(const Layers &layers, LayerCoordinates &coordinates);

} // namespace instar
