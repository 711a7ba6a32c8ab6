// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layers.h"

namespace instar {

/// Assigns ranks by network simplex: edges lead down, and are short.
void rankLayers(Layers &layers);

} // namespace instar
