// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Coordinates along the layers, once those across are known: how far apart layers are depends on
/// how far edges go aside.
void placeAlong(const Layers &layers, LayerCoordinates &coordinates);

} // namespace instar
