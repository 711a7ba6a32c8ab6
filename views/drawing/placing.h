// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

namespace instar {

/// Puts boxes that have a size, and frames that have none yet, where they belong: at the pack's
/// positions, or, where a machine gives none, in layers away from the initial state. Moves
/// `outline`, `area` and `token` together.
void placeBoxes(const Rules &rules, int machine, const ChartFonts &fonts, const QList<Link> &links,
    QList<ChartBox> &boxes);

/// Moves a box, not what is in it.
void moveTo(ChartBox &box, const QPointF &centre);

} // namespace instar
