// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/geometry.h"

#include <QPainterPath>

namespace instar {

/// A curve as a painter takes it.
QPainterPath pathOf(const Curve &curve);

} // namespace instar
