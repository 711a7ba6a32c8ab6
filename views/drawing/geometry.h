// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineF>
#include <QList>
#include <QPainterPath>
#include <QRectF>

#include <array>

namespace instar {

/// A rounded box; with a radius of half its side, a disc.
struct Outline
{
    QRectF rect;
    double radius = 0;
    bool operator==(const Outline &) const = default;

    bool contains(const QPointF &point) const;
    /// How far a point is from the border, from inside or outside.
    double distance(const QPointF &point) const;
    /// Where a ray from the centre leaves it.
    QPointF border(const QPointF &direction) const;
};

/// One cubic Bézier curve: what every arrow runs along.
struct Curve
{
    std::array<QPointF, 4> points;
    bool operator==(const Curve &) const = default;

    QPointF at(double t) const;
    /// Unit vector along the curve.
    QPointF direction(double t) const;
    Curve part(double from, double to) const;
    double length() const;
    QPainterPath path() const;
    /// `count` + 1 points along it, both ends included.
    QList<QPointF> samples(int count) const;
};

QPointF unit(const QPointF &vector);
/// Left of a direction, as seen on a screen whose y axis points down.
QPointF leftOf(const QPointF &direction);

/// From border to border of two boxes, bowed to its left by `bend` points.
Curve bowed(const Outline &from, const Outline &to, double bend);
/// Out of a box and back into it, in a direction.
Curve loop(const Outline &box, const QPointF &direction, double reach);

bool crosses(const QRectF &rect, const QPointF &a, const QPointF &b);
/// The length of a polyline that lies in a rectangle, in points; 0: it stays outside.
double lengthInside(const QRectF &rect, const QList<QPointF> &line);
/// How often two polylines cross.
int crossings(const QList<QPointF> &a, const QList<QPointF> &b);
QRectF bounds(const QList<QPointF> &line);

} // namespace instar
