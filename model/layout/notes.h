// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Notes beside nodes that have their places; or, where nodes have theirs from the input, with
/// `scale` between, where they are to be themselves.
void placeNotes(
    const LayoutInput &input, Layout &layout, std::optional<double> scale = std::nullopt);

} // namespace instar
