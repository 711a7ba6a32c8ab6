// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "views/canvas.h"
#include "views/drawing/chart.h"

namespace instar {

/// A state of a chart, or one line of an arrow.
using ChartElement = CanvasPart;

/// Elements in reading order: each state, then the lines that leave it; "any state" comes last.
QList<ChartElement> chartElements(const ChartLayout &layout);

/// Element at a point; curves are met within `tolerance` points.
std::optional<ChartElement> elementAt(
    const ChartLayout &layout, const QPointF &point, double tolerance);

/// Rectangle of an element, for its focus ring.
QRectF elementRect(const ChartLayout &layout, const ChartElement &element);

/// Nearest element in a direction (a unit vector).
std::optional<ChartElement> elementTowards(
    const ChartLayout &layout, const ChartElement &from, const QPointF &direction);

/// "Updating to Succeeded: succeeded", or a state's name.
QString elementName(const ChartLayout &layout, const ChartElement &element);

/// Effect of clicking a line of an arrow, for the selected resource at this moment.
struct ArrowMeaning
{
    enum class Kind {
        None,    ///< no effect: the line leaves another state, or cannot be taken now
        Fires,   ///< the operation `trigger` would be accepted and take this line
        Ends,    ///< ending operation `serial` with outcome `trigger` would take this line
        Refused, ///< the operation `trigger` would be refused
    };
    Kind kind = Kind::None;
    QString trigger = {};
    quint32 serial = 0;
    QString text = {}; ///< effect, or why there is none
    QString rule = {};
    bool isOpen() const { return kind == Kind::Fires || kind == Kind::Ends; }
    bool operator==(const ArrowMeaning &) const = default;
};

/// Meanings by arrow and line. A click would send `probe` for the resource at `path`, which may be
/// absent. Computes one admission per operation that leads out of the resource's state.
QList<QList<ArrowMeaning>> arrowMeanings(const Controller &controller, const ChartLayout &layout,
    const QString &path, const Request &probe);

} // namespace instar
