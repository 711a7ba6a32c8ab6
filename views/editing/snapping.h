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

/// Centres of boxes, by name, that are moved in one direction until the same part of each is in
/// line: 0 its beginning, 0.5 its middle, 1 its end.
QMap<QString, QPointF> aligned(
    const QMap<QString, QRectF> &boxes, Qt::Orientation along, double part);
/// With equal gaps between neighbours; the first and the last one stay.
QMap<QString, QPointF> distributed(const QMap<QString, QRectF> &boxes, Qt::Orientation along);

/// How far what is new keeps from what stands there, in points.
inline constexpr double gapToNew = 28;
/// How far new boxes, which were asked for there in a frame (-1: in none), have to go together so
/// that they keep that gap and no frame around them grows over something. Where nothing near by is
/// so: beside everything else.
QPointF wayToRoom(const ChartLayout &layout, const QList<QRectF> &boxes, int frame = -1);

} // namespace instar
