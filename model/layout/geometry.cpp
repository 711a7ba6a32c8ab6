// SPDX-License-Identifier: Apache-2.0
#include "model/layout/geometry.h"

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

/// Piece of a curve at some `t`, with the parameter along that piece.
struct CurvePosition
{
    int piece = 0;
    double t = 0;
};

CurvePosition positionAt(const QList<Bezier> &pieces, double t)
{
    if (pieces.size() < 2)
        return { 0, std::clamp(t, 0.0, 1.0) };
    QList<double> lengths;
    double sum = 0;
    for (const Bezier &piece : pieces) {
        lengths += piece.length();
        sum += lengths.last();
    }
    double left = std::clamp(t, 0.0, 1.0) * sum;
    for (int i = 0; i < pieces.size(); ++i) {
        if (left <= lengths[i] || i + 1 == pieces.size())
            return { i, lengths[i] > 0 ? std::min(left / lengths[i], 1.0) : 0 };
        left -= lengths[i];
    }
    return {};
}

} // namespace

bool Outline::contains(const QPointF &point) const
{
    if (shape == Shape::Diamond) {
        const QPointF away = point - rect.center();
        return std::abs(away.x()) / (rect.width() / 2) + std::abs(away.y()) / (rect.height() / 2)
            <= 1 + 1e-9;
    }
    if (!rect.contains(point))
        return false;
    const QRectF core = rect.adjusted(radius, radius, -radius, -radius);
    const double dx = std::max({ core.left() - point.x(), 0.0, point.x() - core.right() });
    const double dy = std::max({ core.top() - point.y(), 0.0, point.y() - core.bottom() });
    return dx * dx + dy * dy <= radius * radius + 1e-9;
}

double Outline::distance(const QPointF &point) const
{
    const QPointF middle = rect.center();
    if (shape == Shape::Diamond) {
        const double a = rect.width() / 2, b = rect.height() / 2;
        const QPointF away = point - middle;
        return std::abs(std::abs(away.x()) * b + std::abs(away.y()) * a - a * b) / std::hypot(a, b);
    }
    const QRectF core = rect.adjusted(radius, radius, -radius, -radius);
    const double dx = std::abs(point.x() - middle.x()) - core.width() / 2;
    const double dy = std::abs(point.y() - middle.y()) - core.height() / 2;
    const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0));
    return std::abs(outside + std::min(std::max(dx, dy), 0.0) - radius);
}

QPointF Outline::border(const QPointF &direction) const
{
    return border(rect.center(), direction);
}

QPointF Outline::border(const QPointF &from, const QPointF &direction) const
{
    const QPointF step = unit(direction);
    double inside = 0, outside = rect.width() + rect.height();
    for (int i = 0; i < 48; ++i) {
        const double middle = (inside + outside) / 2;
        (contains(from + step * middle) ? inside : outside) = middle;
    }
    return from + step * inside;
}

QPointF Bezier::at(double t) const
{
    const double u = 1 - t;
    return points[0] * (u * u * u) + points[1] * (3 * u * u * t) + points[2] * (3 * u * t * t)
        + points[3] * (t * t * t);
}

Bezier Bezier::part(double from, double to) const
{
    const auto slope = [this](double t) {
        const double u = 1 - t;
        return ((points[1] - points[0]) * (u * u) + (points[2] - points[1]) * (2 * u * t)
                   + (points[3] - points[2]) * (t * t))
            * 3;
    };
    const double share = (to - from) / 3;
    const QPointF begin = at(from), end = at(to);
    return { { begin, begin + slope(from) * share, end - slope(to) * share, end } };
}

double Bezier::length() const
{
    constexpr int steps = 16;
    double sum = 0;
    QPointF before = points[0];
    for (int i = 1; i <= steps; ++i) {
        const QPointF next = at(double(i) / steps);
        sum += std::hypot(next.x() - before.x(), next.y() - before.y());
        before = next;
    }
    return sum;
}

Bezier Bezier::reversed() const
{
    return { { points[3], points[2], points[1], points[0] } };
}

Bezier straight(const QPointF &from, const QPointF &to)
{
    return { { from, from + (to - from) / 3, to - (to - from) / 3, to } };
}

QPointF Curve::at(double t) const
{
    if (pieces.isEmpty())
        return {};
    const CurvePosition place = positionAt(pieces, t);
    return pieces[place.piece].at(place.t);
}

Curve Curve::part(double from, double to) const
{
    if (pieces.isEmpty())
        return {};
    const CurvePosition first = positionAt(pieces, from), last = positionAt(pieces, to);
    if (first.piece == last.piece)
        return { { pieces[first.piece].part(first.t, last.t) } };
    Curve result { { pieces[first.piece].part(first.t, 1) } };
    for (int i = first.piece + 1; i < last.piece; ++i)
        result.pieces += pieces[i];
    result.pieces += pieces[last.piece].part(0, last.t);
    return result;
}

double Curve::length() const
{
    double sum = 0;
    for (const Bezier &piece : pieces)
        sum += piece.length();
    return sum;
}

Curve Curve::reversed() const
{
    Curve result;
    for (auto piece = pieces.crbegin(); piece != pieces.crend(); ++piece)
        result.pieces += piece->reversed();
    return result;
}

QList<QPointF> Curve::samples(int count) const
{
    if (pieces.isEmpty())
        return {};
    const int each = std::max(1, int((count + pieces.size() - 1) / pieces.size()));
    QList<QPointF> line { pieces.first().points[0] };
    line.reserve(each * pieces.size() + 1);
    for (const Bezier &piece : pieces) {
        for (int i = 1; i <= each; ++i)
            line += piece.at(double(i) / each);
    }
    return line;
}

QRectF centred(const QPointF &centre, const QSizeF &size)
{
    return { centre - QPointF(size.width(), size.height()) / 2, size };
}

QRectF grown(const QRectF &rect, double by)
{
    return rect.adjusted(-by, -by, by, by);
}

QPointF unit(const QPointF &vector)
{
    const double length = std::hypot(vector.x(), vector.y());
    return length > 0 ? vector / length : QPointF(1, 0);
}

QPointF leftOf(const QPointF &direction)
{
    return { direction.y(), -direction.x() };
}

Curve bowed(const Outline &from, const Outline &to, double bend)
{
    const QPointF a = from.rect.center(), b = to.rect.center();
    const QPointF left = leftOf(unit(b - a));
    // A cubic whose inner points are lifted by h rises 3/4 h above its chord.
    const QPointF lift = left * (bend * 4 / 3);
    const Bezier whole { { a, a + (b - a) * 0.3 + lift, a + (b - a) * 0.7 + lift, b } };

    // The last sample inside the first box, and the first later sample inside the second box.
    constexpr int steps = 96;
    double begin = 0, end = 1;
    for (int i = 0; i <= steps; ++i) {
        if (from.contains(whole.at(double(i) / steps)))
            begin = double(i) / steps;
    }
    for (int i = steps; i >= 0 && double(i) / steps > begin; --i) {
        if (to.contains(whole.at(double(i) / steps)))
            end = double(i) / steps;
    }
    const auto refined = [&](double inside, double outside, const Outline &box) {
        for (int i = 0; i < 30; ++i) {
            const double middle = (inside + outside) / 2;
            (box.contains(whole.at(middle)) ? inside : outside) = middle;
        }
        return inside;
    };
    const double first = refined(begin, std::min(begin + 1.0 / steps, 1.0), from);
    const double last = refined(end, std::max(end - 1.0 / steps, 0.0), to);
    return { { first < last ? whole.part(first, last) : whole } };
}

Curve arched(
    const Outline &from, const Outline &to, const QPointF &direction, double turn, double reach)
{
    const QPointF out = unit(direction);
    const QPointF aside = leftOf(out) * turn;
    // Both ends leave the border in the arch's direction, a gap to either side of the middle.
    const auto gap = [](const Outline &box) {
        return std::min(15.0, std::min(box.rect.width(), box.rect.height()) * 0.3);
    };
    const auto end = [&](const Outline &box, double side) {
        return box.border(box.border(out) + aside * (side * gap(box)) - box.rect.center());
    };
    const QPointF begin = end(from, 1), finish = end(to, -1);
    const double first = QPointF::dotProduct(begin, out), last = QPointF::dotProduct(finish, out);
    const auto lift = [&](double foot) {
        return out * (reach * 4 / 3 + std::max(first, last) - foot);
    };
    return { { { { begin, begin + lift(first) + aside * (gap(from) * 0.9),
        finish + lift(last) - aside * (gap(to) * 0.9), finish } } } };
}

double distanceTo(const QList<QPointF> &line, const QPointF &point)
{
    double least = 1e9;
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QPointF along = line[i] - line[i - 1], to = point - line[i - 1];
        const double length = QPointF::dotProduct(along, along);
        const double t =
            length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0;
        least = std::min(least, QLineF(line[i - 1] + along * t, point).length());
    }
    return least;
}

bool crosses(const QRectF &rect, const QPointF &a, const QPointF &b)
{
    const QPointF d = b - a;
    double enter = 0, leave = 1;
    const auto clip = [&](double p, double q) {
        if (p == 0)
            return q >= 0;
        const double t = q / p;
        (p < 0 ? enter : leave) = p < 0 ? std::max(enter, t) : std::min(leave, t);
        return enter <= leave;
    };
    return clip(-d.x(), a.x() - rect.left()) && clip(d.x(), rect.right() - a.x())
        && clip(-d.y(), a.y() - rect.top()) && clip(d.y(), rect.bottom() - a.y());
}

double lengthInside(const QRectF &rect, const QList<QPointF> &line)
{
    double sum = 0;
    for (qsizetype i = 1; i < line.size(); ++i) {
        if (!crosses(rect, line[i - 1], line[i]))
            continue;
        const bool whole = rect.contains(line[i - 1]) && rect.contains(line[i]);
        sum += QLineF(line[i - 1], line[i]).length() * (whole ? 1 : 0.5) + 0.01;
    }
    return sum;
}

int crossings(const QList<QPointF> &a, const QList<QPointF> &b)
{
    const auto side = [](const QPointF &from, const QPointF &to, const QPointF &point) {
        return (to.x() - from.x()) * (point.y() - from.y())
            - (to.y() - from.y()) * (point.x() - from.x())
            > 0;
    };
    int count = 0;
    const QRectF boundsOfB = bounds(b);
    for (qsizetype i = 1; i < a.size(); ++i) {
        if (!bounds({ a[i - 1], a[i] }).intersects(boundsOfB))
            continue;
        bool before = side(a[i - 1], a[i], b.first());
        for (qsizetype j = 1; j < b.size(); ++j) {
            const bool after = side(a[i - 1], a[i], b[j]);
            if (before != after && side(b[j - 1], b[j], a[i - 1]) != side(b[j - 1], b[j], a[i]))
                ++count;
            before = after;
        }
    }
    return count;
}

QRectF bounds(const QList<QPointF> &line)
{
    if (line.isEmpty())
        return {};
    QPointF least = line.first();
    QPointF most = least;
    for (const QPointF &each : line) {
        least = QPointF(std::min(least.x(), each.x()), std::min(least.y(), each.y()));
        most = QPointF(std::max(most.x(), each.x()), std::max(most.y(), each.y()));
    }
    // Never empty, so that straight lines intersect something.
    return QRectF(least, most).adjusted(-0.5, -0.5, 0.5, 0.5);
}

} // namespace instar
