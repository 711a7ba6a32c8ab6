// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/geometry.h"

#include <algorithm>
#include <cmath>

namespace instar {

bool Outline::contains(const QPointF &point) const
{
    if (!rect.contains(point))
        return false;
    const QRectF core = rect.adjusted(radius, radius, -radius, -radius);
    const double dx = std::max({ core.left() - point.x(), 0.0, point.x() - core.right() });
    const double dy = std::max({ core.top() - point.y(), 0.0, point.y() - core.bottom() });
    return dx * dx + dy * dy <= radius * radius + 1e-9;
}

double Outline::distance(const QPointF &point) const
{
    const QRectF core = rect.adjusted(radius, radius, -radius, -radius);
    const QPointF middle = core.center();
    const double dx = std::abs(point.x() - middle.x()) - core.width() / 2;
    const double dy = std::abs(point.y() - middle.y()) - core.height() / 2;
    const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0));
    return std::abs(outside + std::min(std::max(dx, dy), 0.0) - radius);
}

QPointF Outline::border(const QPointF &direction) const
{
    const QPointF step = unit(direction);
    double inside = 0, outside = rect.width() + rect.height();
    for (int i = 0; i < 40; ++i) {
        const double middle = (inside + outside) / 2;
        (contains(rect.center() + step * middle) ? inside : outside) = middle;
    }
    return rect.center() + step * inside;
}

QPointF Curve::at(double t) const
{
    const double u = 1 - t;
    return points[0] * (u * u * u) + points[1] * (3 * u * u * t) + points[2] * (3 * u * t * t)
        + points[3] * (t * t * t);
}

QPointF Curve::direction(double t) const
{
    const double u = 1 - t;
    const QPointF tangent = (points[1] - points[0]) * (u * u)
        + (points[2] - points[1]) * (2 * u * t) + (points[3] - points[2]) * (t * t);
    return unit(tangent.isNull() ? points[3] - points[0] : tangent);
}

Curve Curve::part(double from, double to) const
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

double Curve::length() const
{
    const QList<QPointF> line = samples(24);
    double sum = 0;
    for (qsizetype i = 1; i < line.size(); ++i)
        sum += QLineF(line[i - 1], line[i]).length();
    return sum;
}

QPainterPath Curve::path() const
{
    QPainterPath path(points[0]);
    path.cubicTo(points[1], points[2], points[3]);
    return path;
}

QList<QPointF> Curve::samples(int count) const
{
    QList<QPointF> line;
    line.reserve(count + 1);
    for (int i = 0; i <= count; ++i)
        line += at(double(i) / count);
    return line;
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
    const Curve whole { { a, a + (b - a) * 0.3 + lift, a + (b - a) * 0.7 + lift, b } };

    // The last moment inside the first box, and the first one inside the second after it.
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
    return first < last ? whole.part(first, last) : whole;
}

Curve loop(const Outline &box, const QPointF &direction, double reach)
{
    const QPointF out = unit(direction);
    const QPointF aside = leftOf(out);
    const double gap = std::min(15.0, std::min(box.rect.width(), box.rect.height()) * 0.3);
    // Both ends leave the border in the loop's direction, a gap to either side of the middle.
    const QPointF middle = box.border(out);
    const auto end = [&](double side) {
        const QPointF centre = box.rect.center();
        return box.border(middle + aside * (side * gap) - centre);
    };
    const QPointF begin = end(1), finish = end(-1);
    const QPointF lift = out * (reach * 4 / 3);
    return { { begin, begin + lift + aside * (gap * 0.9), finish + lift - aside * (gap * 0.9),
        finish } };
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
    for (qsizetype i = 1; i < a.size(); ++i) {
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
    const auto [left, right] = std::ranges::minmax(line, {}, &QPointF::x);
    const auto [top, bottom] = std::ranges::minmax(line, {}, &QPointF::y);
    // Never empty, so that straight lines intersect something.
    return QRectF(QPointF(left.x(), top.y()), QPointF(right.x(), bottom.y()))
        .adjusted(-0.5, -0.5, 0.5, 0.5);
}

} // namespace instar
