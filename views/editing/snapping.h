// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

#include <QLineF>
#include <QList>
#include <QPointF>
#include <QRectF>

namespace instar {

/// How far something that is moved has to go further so that it stands in line with others, and the
/// lines that show it.
struct Snap
{
    QPointF by;
    QList<QLineF> guides;
    bool operator==(const Snap &) const = default;
};

/// `moved`: where it would be. Its edges and middle meet those of `others` where they are at most
/// `reach` points away; the nearest speaks, in each direction by itself.
Snap snapped(const QRectF &moved, const QList<QRectF> &others, double reach);

/// How far what is new keeps from what stands there, in points.
inline constexpr double gapToNew = 28;
/// How far new boxes, which were asked for there in a frame (-1: in none), have to go together so
/// that they keep that gap and no frame around them grows over something. Where nothing near by is
/// so: beside everything else.
QPointF wayToRoom(const ChartLayout &layout, const QList<QRectF> &boxes, int frame = -1);

} // namespace instar
