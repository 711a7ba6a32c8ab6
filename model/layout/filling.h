// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Normalizes the layers: splits long edges and labels into one item per layer.
void fillLayers(Layers &layers);

} // namespace instar
