// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineF>
#include <QList>
#include <QRectF>

#include <array>
#include <functional>
#include <numeric>

namespace instar {

struct Outline
{
    enum class Shape { Rounded, Diamond };

    QRectF rect;
    double radius = 0; ///< of the corners; half a side makes a disc
    Shape shape = Shape::Rounded;
    bool operator==(const Outline &) const = default;

    bool contains(const QPointF &point) const;
    /// Distance of a point to the border, from inside or outside.
    double distance(const QPointF &point) const;
    /// Point where a ray from the centre leaves the box.
    QPointF border(const QPointF &direction) const;
    /// Point where a ray from a point inside leaves the box; for a point outside, that point.
    QPointF border(const QPointF &inside, const QPointF &direction) const;
};

struct Bezier
{
    std::array<QPointF, 4> points;
    bool operator==(const Bezier &) const = default;

    QPointF at(double t) const;
    Bezier part(double from, double to) const;
    double length() const;
    Bezier reversed() const;
};

/// A straight line as a curve.
Bezier straight(const QPointF &from, const QPointF &to);

/// Path of an arrow: a spline of consecutive Bézier curves.
struct Curve
{
    QList<Bezier> pieces;
    bool operator==(const Curve &) const = default;

    bool isEmpty() const { return pieces.isEmpty(); }
    QPointF begin() const { return pieces.isEmpty() ? QPointF() : pieces.first().points[0]; }
    QPointF end() const { return pieces.isEmpty() ? QPointF() : pieces.last().points[3]; }
    /// `t` runs from 0 to 1; each piece takes its share of the length.
    QPointF at(double t) const;
    Curve part(double from, double to) const;
    double length() const;
    Curve reversed() const;
    /// At least `count` + 1 points along the curve, including all ends of pieces.
    QList<QPointF> samples(int count) const;
};

/// Smallest rectangle around boxes.
template<typename Boxes>
QRectF boundsOf(const Boxes &boxes)
{
    return std::accumulate(boxes.begin(), boxes.end(), QRectF(), std::bit_or());
}
QRectF centred(const QPointF &centre, const QSizeF &size);
QRectF grown(const QRectF &rect, double by);

QPointF unit(const QPointF &vector);
/// Left of a direction on a screen whose y axis points down.
QPointF leftOf(const QPointF &direction);

/// Curve from border to border of two boxes, bowed to the left by `bend` points.
Curve bowed(const Outline &from, const Outline &to, double bend);
/// Arch between two boxes that may overlap, or be the same box (a loop). It leaves the first box in
/// a direction and returns to the second, `reach` points further out. `turn`: 1 leaves on the left
/// of the middle, -1 on the right.
Curve arched(
    const Outline &from, const Outline &to, const QPointF &direction, double turn, double reach);

/// Distance of a point from a polyline.
double distanceTo(const QList<QPointF> &line, const QPointF &point);
/// True if the line from `a` to `b` meets a rectangle.
bool crosses(const QRectF &rect, const QPointF &a, const QPointF &b);
/// Returns the length of a polyline inside a rectangle, in points.
double lengthInside(const QRectF &rect, const QList<QPointF> &line);
int crossings(const QList<QPointF> &a, const QList<QPointF> &b);
QRectF bounds(const QList<QPointF> &line);

} // namespace instar
