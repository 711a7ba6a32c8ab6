// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

#include <QLineF>
#include <QList>
#include <QMap>
#include <QPointF>
#include <QRectF>
#include <QString>

namespace instar {

/// Correction that aligns a moved rectangle with others, and the guide lines that show it.
struct Snap
{
    QPointF by;
    QList<QLineF> guides;
    bool operator==(const Snap &) const = default;
};

/// Snaps the edges and centre of `moved` to the nearest ones of `others` within `reach` points, in
/// each direction separately.
Snap snapped(const QRectF &moved, const QList<QRectF> &others, double reach);

/// New centres of boxes, by name, that align the boxes in one direction: `part` 0 aligns their
/// beginnings, 0.5 their middles, 1 their ends.
QMap<QString, QPointF> aligned(
    const QMap<QString, QRectF> &boxes, Qt::Orientation along, double part);
/// New centres with equal gaps between neighbours; the first and the last box stay.
QMap<QString, QPointF> distributed(const QMap<QString, QRectF> &boxes, Qt::Orientation along);

/// Least distance of new boxes from existing ones, in points.
inline constexpr double gapToNew = 28;
/// Offset that moves new boxes to a free place in their frame: gapToNew away from other boxes, and
/// where the frame, which grows around them, covers no others. Without a free place near by, the
/// boxes go beside the whole chart. `frame`: index of the frame; -1: no frame.
QPointF offsetToRoom(const ChartLayout &layout, const QList<QRectF> &boxes, int frame = -1);

} // namespace instar
