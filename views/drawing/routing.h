// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

namespace instar {

/// Runs an arrow along every link and puts its label where it is free.
QList<ChartArrow> routedArrows(
    const QList<Link> &links, const QList<ChartBox> &boxes, const ChartFonts &fonts);

} // namespace instar
