// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/timelinepicture.h"

namespace instar {

/// Height of the ruler, in points.
inline constexpr double timelineRuler = 32;
/// Space between the tree and the time axis, in points.
inline constexpr double timelineGap = 24;

/// Paints the resource tree at the moment shown into `area` of the painter; `top`: y of the whole
/// picture at the area's upper edge.
void paintTimelineTree(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double top, const Theme &theme);
/// Paints operations as rectangles of their affected resources. `corner`: point of the whole
/// picture at the area's upper left.
void paintTimelineTime(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    const QPointF &corner, const Theme &theme);
/// Paints the ruler of times, and the cursor down to `cursorBottom`.
void paintTimelineRuler(QPainter &painter, const TimelinePicture &picture, const QRectF &area,
    double left, double cursorBottom, const Theme &theme);
/// Size of the whole picture, as in files; a tree of width 0 is omitted.
QSizeF timelineSize(const TimelinePicture &picture, double treeWidth);
void paintTimeline(
    QPainter &painter, const TimelinePicture &picture, double treeWidth, const Theme &theme);

} // namespace instar
