// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Boxes and lines where the coordinates say.
Layout routedLayers(const Layers &layers, const LayerCoordinates &coordinates);

} // namespace instar
