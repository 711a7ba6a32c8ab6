// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/geometry.h"

namespace instar {

/// The shortest way between two boxes that keeps off the obstacles, with rounded corners; empty:
/// there is none, or there are too many obstacles to look.
Curve detour(const Outline &from, const Outline &to, const QList<QRectF> &obstacles);

} // namespace instar
