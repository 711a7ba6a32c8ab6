// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

namespace instar {

/// Whether the chosen switches leave out rows of the machine that a chart shows.
bool hasRowsLeftOut(const Rules &rules, int machine);

/// The chart that a hand edits: with what the chosen switches leave out, marked so. States that the
/// rules do not have are numbered below Link::Any; the others stand where they stand without them.
ChartLayout editedChart(
    const Rules &rules, int machine, const ChartFonts &fonts, const Budget &budget);

/// The chart without the states that a draft lacks: they are there only so that it can run; and its
/// composites as frames, also those that nothing lies in.
ChartLayout asDrafted(const ChartLayout &layout, const Machine &draft);

} // namespace instar
