// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

namespace instar {

// A machine that runs needs more rows than the picture that it was read from shows. A pack says
// with "x-picture" in a machine which of its sources that picture is, and with "x-ours" in a source
// that it is the author's own reading.

/// The row is in no picture of the machine; or, where it names no picture, it rests on nothing but
/// the author's own reading.
bool isAuthorsReading(const Pack &pack, const Machine &machine, const Row &row);
bool isAuthorsReading(const Rules &rules, int machine, const ChartBox &box);
/// All rows of the arrow are ours.
bool isAuthorsReading(const Rules &rules, int machine, const Link &link);

/// The chart without the states that a draft lacks: they are there only so that it can run; and its
/// composites as frames, also those that nothing lies in.
ChartLayout asDrafted(const ChartLayout &layout, const Machine &draft);

} // namespace instar
