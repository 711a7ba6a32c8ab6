// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/geometry.h"

namespace instar {

/// Shortest path between two boxes around the obstacles, with rounded corners; empty if there is
/// none, or too many obstacles.
Curve detour(const Outline &from, const Outline &to, const QList<QRectF> &obstacles);

} // namespace instar
