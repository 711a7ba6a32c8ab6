// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

#include <optional>

namespace instar {

/// One thing in a chart that can be pointed at, walked to and read out: a state, or one line of an
/// arrow.
struct ChartElement
{
    enum class Kind { State, Line };
    Kind kind = Kind::State;
    int index = -1; ///< of the box, or of the arrow
    int line = 0;
    bool operator==(const ChartElement &) const = default;
};

/// Every element in reading order: each state is followed by what leads out of it; "any state"
/// comes last.
QList<ChartElement> chartElements(const ChartLayout &layout);

/// What lies at a point; curves are met within `tolerance` points.
std::optional<ChartElement> elementAt(
    const ChartLayout &layout, const QPointF &point, double tolerance);

/// Where a focus ring is drawn around it.
QRectF elementRect(const ChartLayout &layout, const ChartElement &element);

/// The nearest element in a direction (a unit vector).
std::optional<ChartElement> elementTowards(
    const ChartLayout &layout, const ChartElement &from, const QPointF &direction);

/// "Updating to Succeeded: succeeded", or a state's name.
QString elementName(const ChartLayout &layout, const ChartElement &element);

} // namespace instar
