// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

namespace instar {

// A machine that runs needs more rows than the picture in its documentation shows. In a pack
// "x-picture" of a machine names the sources that are this picture, and "x-ours" marks a source as
// the author's own reading.

/// Whether a row cites none of the machine's pictures or, if the machine names none, only the
/// author's own reading.
bool isAuthorsReading(const Pack &pack, const Machine &machine, const Row &row);
bool isAuthorsReading(const Rules &rules, int machine, const ChartBox &box);
/// Whether all rows of an arrow are the author's reading.
bool isAuthorsReading(const Rules &rules, int machine, const Link &link);

/// Returns the chart as drafted: without the states that were added to make it run, and with
/// composites as frames, even empty ones.
ChartLayout asDrafted(const ChartLayout &layout, const Machine &draft);

} // namespace instar
