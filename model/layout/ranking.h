// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Gives every piece and cluster its rank: edges lead down, and are short.
void rankLayers(Layers &layers);

} // namespace instar
