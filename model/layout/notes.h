// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Notes beside nodes that have their places.
void placeNotes(const LayoutInput &input, Layout &layout);

} // namespace instar
