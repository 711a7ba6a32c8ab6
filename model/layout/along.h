// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Assigns coordinates along the layers, after those across: the distance between layers depends on
/// how far edges go sideways.
void placeAlong(const Layers &layers, LayerCoordinates &coordinates);

} // namespace instar
