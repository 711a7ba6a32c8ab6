// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/layout.h"

namespace instar {

/// Places notes beside their nodes; with `scale`, notes with a position go there instead, scaled as
/// those of nodes.
void placeNotes(
    const LayoutInput &input, Layout &layout, std::optional<double> scale = std::nullopt);

} // namespace instar
