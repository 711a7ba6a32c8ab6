// SPDX-License-Identifier: Apache-2.0
#include "model/layout/detour.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace instar {

namespace {

constexpr double detourClearance = 9;
constexpr double stub = 16; ///< how far an arrow goes straight out of its box
constexpr double rounding = 22;
constexpr qsizetype mostObstacles = 160;

/// A* search over the visibility graph of the obstacles' corners, which is evaluated lazily.
class DetourSearch
{
public:
    DetourSearch(const Outline &from, const Outline &to, const QList<QRectF> &obstacles)
    {
        for (const QRectF &each : obstacles)
            m_walls.push_back(each.adjusted(
                -detourClearance, -detourClearance, detourClearance, detourClearance));
        addPorts(from);
        m_firstEnd = m_points.size();
        addPorts(to);
        m_firstCorner = m_points.size();
        for (const QRectF &each : obstacles) {
            const QRectF room = each.adjusted(-detourClearance - 1, -detourClearance - 1,
                detourClearance + 1, detourClearance + 1);
            for (const QPointF &corner :
                { room.topLeft(), room.topRight(), room.bottomLeft(), room.bottomRight() })
                addPoint(corner, corner);
        }
    }

    QList<QPointF> found()
    {
        std::vector<size_t> before(m_points.size(), m_points.size());
        std::vector<double> cost(m_points.size(), std::numeric_limits<double>::max());
        std::vector<bool> isDone(m_points.size(), false);
        for (size_t i = 0; i < m_firstEnd; ++i)
            cost[i] = m_points[i].isOpen ? 0 : cost[i];
        while (true) {
            size_t at = m_points.size();
            for (size_t i = 0; i < m_points.size(); ++i) {
                if (!isDone[i] && cost[i] < std::numeric_limits<double>::max()
                    && (at == m_points.size() || cost[i] + rest(i) < cost[at] + rest(at)))
                    at = i;
            }
            if (at == m_points.size())
                return {};
            if (at >= m_firstEnd && at < m_firstCorner)
                return way(at, before);
            isDone[at] = true;
            for (size_t next = m_firstEnd; next < m_points.size(); ++next) {
                if (isDone[next] || !m_points[next].isOpen)
                    continue;
                // A corner costs as much as a detour of some points.
                const double there =
                    cost[at] + QLineF(m_points[at].at, m_points[next].at).length() + 12;
                if (there < cost[next] && isFree(m_points[at].at, m_points[next].at)) {
                    cost[next] = there;
                    before[next] = at;
                }
            }
        }
    }

private:
    struct Point
    {
        QPointF at, foot;
        bool isOpen = true;
    };

    void addPoint(const QPointF &at, const QPointF &foot)
    {
        const bool isOpen = std::ranges::none_of(m_walls, [&](const QRectF &wall) {
            return wall.contains(at);
        }) && isFree(at, foot);
        m_points.push_back({ at, foot, isOpen });
    }

    void addPorts(const Outline &box)
    {
        const QPointF centre = box.rect.center();
        for (const QPointF &out : { QPointF(0, 1), { 0, -1 }, { -1, 0 }, { 1, 0 } }) {
            for (const double slide : { 0.0, -0.5, 0.5 }) {
                const QPointF inside = centre
                    + QPointF(std::abs(out.y()) * box.rect.width(),
                          std::abs(out.x()) * box.rect.height())
                        * (slide / 2);
                const QPointF foot = box.border(inside, out);
                addPoint(foot + out * stub, foot);
            }
        }
    }

    double rest(size_t point) const
    {
        double least = std::numeric_limits<double>::max();
        for (size_t i = m_firstEnd; i < m_firstCorner; ++i)
            least = std::min(least, QLineF(m_points[point].at, m_points[i].at).length());
        return least;
    }

    bool isFree(const QPointF &a, const QPointF &b) const
    {
        return std::ranges::none_of(
            m_walls, [&](const QRectF &wall) { return crosses(wall, a, b); });
    }

    QList<QPointF> way(size_t end, const std::vector<size_t> &before) const
    {
        QList<QPointF> line { m_points[end].foot };
        for (size_t at = end; at < m_points.size(); at = before[at]) {
            line.prepend(m_points[at].at);
            if (at < m_firstEnd)
                line.prepend(m_points[at].foot);
        }
        // The foot of the end was inserted first, so it is last.
        return line;
    }

    std::vector<QRectF> m_walls;
    std::vector<Point> m_points; ///< those around the first box, around the second, corners
    size_t m_firstEnd = 0, m_firstCorner = 0;
};

Curve rounded(const QList<QPointF> &line)
{
    Curve curve;
    QPointF at = line.first();
    for (qsizetype i = 1; i + 1 < line.size(); ++i) {
        const QPointF in = line[i] - line[i - 1], out = line[i + 1] - line[i];
        const double before = std::hypot(in.x(), in.y()), after = std::hypot(out.x(), out.y());
        const double cut = std::min({ rounding, before / 2, after / 2 });
        const QPointF begin = line[i] - unit(in) * cut, end = line[i] + unit(out) * cut;
        if (QLineF(at, begin).length() > 0.01)
            curve.pieces += straight(at, begin);
        curve.pieces += Bezier { { begin, line[i] - unit(in) * (cut * 0.4),
            line[i] + unit(out) * (cut * 0.4), end } };
        at = end;
    }
    curve.pieces += straight(at, line.last());
    return curve;
}

} // namespace

Curve detour(const Outline &from, const Outline &to, const QList<QRectF> &obstacles)
{
    if (obstacles.size() > mostObstacles)
        return {};
    const QList<QPointF> line = DetourSearch(from, to, obstacles).found();
    return line.size() < 2 ? Curve() : rounded(line);
}

} // namespace instar
