// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Builds the layout from the coordinates.
Layout routedLayers(const Layers &layers, const LayerCoordinates &coordinates);

} // namespace instar
