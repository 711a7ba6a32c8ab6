// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Fills the layers: long edges and labels get an item in every layer that they pass.
void fillLayers(Layers &layers);

} // namespace instar
