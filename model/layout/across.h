// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Coordinates across the layers: neighbours keep apart, edges become straight and short.
void placeAcross(const Layers &layers, LayerCoordinates &coordinates);

} // namespace instar
