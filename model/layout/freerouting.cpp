// SPDX-License-Identifier: Apache-2.0
#include "model/layout/freerouting.h"

#include "model/layout/freelabels.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace instar {

namespace {

constexpr double detourClearance = 9;    ///< of a detour around obstacles
constexpr double stub = 16;              ///< length of a detour's straight part at a box
constexpr double rounding = 22;          ///< of a detour's corners
constexpr qsizetype mostObstacles = 160; ///< with more there is no detour

/// Directions out of a box, the preferred one first: down, or up for loops and arches.
constexpr std::array<QPointF, 4> alongFirst { QPointF(0, 1), { 0, -1 }, { -1, 0 }, { 1, 0 } };
constexpr std::array<QPointF, 4> aboveFirst { QPointF(0, -1), { 0, 1 }, { 1, 0 }, { -1, 0 } };

/// Dijkstra's search over the visibility graph of the obstacles' corners, evaluated lazily.
class DetourSearch
{
public:
    DetourSearch(const Outline &from, const Outline &to, const QList<QRectF> &obstacles)
    {
        for (const QRectF &each : obstacles)
            m_walls.push_back(grown(each, detourClearance));
        addPorts(from);
        m_firstEnd = m_points.size();
        addPorts(to);
        m_firstCorner = m_points.size();
        for (const QRectF &each : obstacles) {
            const QRectF room = grown(each, detourClearance + 1);
            for (const QPointF &corner :
                { room.topLeft(), room.topRight(), room.bottomLeft(), room.bottomRight() })
                addPoint(corner, corner);
        }
    }

    /// Returns the shortest path, from border to border; empty: none.
    QList<QPointF> shortestPath()
    {
        std::vector<size_t> predecessor(m_points.size(), m_points.size());
        std::vector<double> cost(m_points.size(), std::numeric_limits<double>::max());
        std::vector<bool> isDone(m_points.size(), false);
        for (size_t i = 0; i < m_firstEnd; ++i)
            cost[i] = m_points[i].isOpen ? 0 : cost[i];
        while (true) {
            size_t at = m_points.size();
            for (size_t i = 0; i < m_points.size(); ++i) {
                if (!isDone[i] && cost[i] < std::numeric_limits<double>::max()
                    && (at == m_points.size() || cost[i] < cost[at]))
                    at = i;
            }
            if (at == m_points.size())
                return {};
            if (at >= m_firstEnd && at < m_firstCorner)
                return pathTo(at, predecessor);
            isDone[at] = true;
            for (size_t next = m_firstEnd; next < m_points.size(); ++next) {
                if (isDone[next] || !m_points[next].isOpen)
                    continue;
                // A corner costs as much as 12 points of length.
                const double nextCost =
                    cost[at] + QLineF(m_points[at].at, m_points[next].at).length() + 12;
                if (nextCost < cost[next] && isFree(m_points[at].at, m_points[next].at)) {
                    cost[next] = nextCost;
                    predecessor[next] = at;
                }
            }
        }
    }

private:
    struct Point
    {
        QPointF at, foot;   ///< foot: of a port, on the border of its box
        bool isOpen = true; ///< no obstacle covers the point
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
        for (const QPointF &out : alongFirst) {
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

    bool isFree(const QPointF &a, const QPointF &b) const
    {
        return std::ranges::none_of(
            m_walls, [&](const QRectF &wall) { return crosses(wall, a, b); });
    }

    QList<QPointF> pathTo(size_t end, const std::vector<size_t> &predecessor) const
    {
        QList<QPointF> line { m_points[end].foot };
        for (size_t at = end; at < m_points.size(); at = predecessor[at]) {
            line.prepend(m_points[at].at);
            if (at < m_firstEnd)
                line.prepend(m_points[at].foot);
        }
        return line;
    }

    std::vector<QRectF> m_walls;
    std::vector<Point> m_points; ///< ports of the first box, ports of the second, then corners
    size_t m_firstEnd = 0, m_firstCorner = 0;
};

Curve withRoundCorners(const QList<QPointF> &line)
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

/// Shortest path between two boxes around the obstacles, with rounded corners; empty if there is
/// none, or too many obstacles.
Curve detour(const Outline &from, const Outline &to, const QList<QRectF> &obstacles)
{
    if (obstacles.size() > mostObstacles)
        return {};
    const QList<QPointF> line = DetourSearch(from, to, obstacles).shortestPath();
    return line.size() < 2 ? Curve() : withRoundCorners(line);
}

constexpr double oppositeBend = 22;  ///< preferred bend of an arrow that has an opposite one
constexpr double freeLoopReach = 40; ///< of a loop or arch, at least
constexpr double boxClearance = 7;   ///< a fifth of it is how far a detour may enter its own boxes

/// Candidate bends of an arrow, in points.
constexpr std::array bends { 0.0, 22.0, -22.0, 44.0, -44.0, 70.0, -70.0, 105.0, -105.0, 150.0,
    -150.0, 210.0, -210.0, 290.0, -290.0 };

/// Router that improves one arrow after the other, in up to three rounds: chooses the curve and the
/// label's place that cost least beside the other arrows.
class FreeRouter
{
public:
    FreeRouter(
        const LayoutInput &input, const QList<int> &edges, Layout &layout, const Budget &budget)
        : m_input(input), m_edges(edges), m_layout(layout), m_budget(budget), m_scene(input, layout)
    {
        const QSet<int> open(edges.begin(), edges.end());
        for (int i = 0; i < input.edges.size(); ++i) {
            if (!open.contains(i))
                m_scene.add(i);
        }
    }

    void route()
    {
        // Arrows with a fixed bend first, then others between boxes, then those with an open end.
        QList<int> order = m_edges;
        std::ranges::stable_sort(order, {}, [this](int i) {
            const LayoutEdge &edge = m_input.edges[i];
            const bool isFixed = edge.bend != 0 && edge.from != edge.to;
            return edge.from < 0 || edge.to < 0 ? 2 : isFixed ? 0 : 1;
        });
        const int rounds = order.size() > 400 ? 1 : 3;
        for (int round = 0; round < rounds; ++round) {
            for (const int i : std::as_const(order)) {
                if (isOver())
                    return routeRemaining();
                chooseRoute(i);
            }
        }
        for (const int i : std::as_const(order)) {
            if (!isOver())
                m_scene.freeDot(i);
        }
        // Labels of other routes move only if those of the new ones cannot make room.
        const QSet<int> routed(order.cbegin(), order.cend());
        for (int i = 0; i < m_input.edges.size(); ++i) {
            if (!routed.contains(i))
                order += i;
        }
        for (const int i : std::as_const(order)) {
            if (!isOver())
                m_scene.freeLabel(i);
        }
    }

private:
    bool isOver()
    {
        m_layout.simplifiedBy = m_budget.interruption();
        return m_layout.simplifiedBy != Limit::None;
    }

    void routeRemaining()
    {
        for (const int i : m_edges) {
            if (m_layout.routes[i].curve.isEmpty())
                routePlainly(m_input, i, m_layout);
        }
    }

    struct Candidate
    {
        std::function<Curve()> curve; ///< evaluated only if `cost` is below the best total
        QRectF dot;
        double cost = 0; ///< distance from the preferred form; line and label cost extra
    };

    Outline outline(int node) const { return m_layout.outline(m_input, node); }

    QList<Candidate> candidates(int index) const
    {
        const LayoutEdge &edge = m_input.edges[index];
        // Earlier edges between the same boxes.
        const auto twins = int(std::count_if(m_input.edges.begin(), m_input.edges.begin() + index,
            [&](const LayoutEdge &other) { return edge.isTwin(other); }));
        if (edge.from == edge.to)
            return loops(edge.from, twins);
        if (edge.from < 0 || edge.to < 0)
            return stubs(std::max(edge.from, edge.to), twins, edge.from >= 0);
        if (m_input.framesAround(edge.from).contains(edge.to))
            return inner(edge.from, edge.to, twins, true);
        if (m_input.framesAround(edge.to).contains(edge.from))
            return inner(edge.to, edge.from, twins, false);
        const Outline from = outline(edge.from), to = outline(edge.to);
        if (from.rect.intersects(to.rect))
            return arches(from, to, twins);
        if (edge.bend != 0)
            return { { [=] { return bowed(from, to, edge.bend); }, {}, 0 } };
        QList<Candidate> result;
        // Each edge between the same boxes prefers another bend.
        const bool hasOpposite = std::ranges::any_of(
            m_input.edges, [&](const LayoutEdge &other) { return edge.isOpposite(other); });
        const double best = (hasOpposite ? oppositeBend : 0) + 2 * oppositeBend * twins;
        QList<double> all(bends.begin(), bends.end());
        for (int i = 1; i <= twins; ++i)
            all += { 290 + 44.0 * i, -290 - 44.0 * i };
        for (const double bend : std::as_const(all))
            result += { [=] { return bowed(from, to, bend); }, {}, std::abs(bend - best) * 0.35 };
        return result;
    }

    /// Arches between overlapping boxes: out of one and back to the other's border, preferably with
    /// both ends visible.
    QList<Candidate> arches(const Outline &from, const Outline &to, int twins) const
    {
        QList<Candidate> result;
        for (int step = 0; step <= twins / 4 + 2; ++step) {
            const double reach = freeLoopReach * (1 + 0.7 * step);
            for (const QPointF &side : aboveFirst) {
                for (const double turn : { 1.0, -1.0 }) {
                    const Curve curve = arched(from, to, side, turn, reach);
                    const int covered =
                        int(to.contains(curve.begin())) + int(from.contains(curve.end()));
                    result += { [=] { return curve; }, {}, reach - freeLoopReach + 800 * covered };
                }
            }
        }
        return result;
    }

    QList<Candidate> loops(int node, int twins) const
    {
        QList<Candidate> result;
        for (int step = 0; step <= twins / 4 + 2; ++step) {
            const double reach = freeLoopReach * (1 + 0.7 * step);
            for (size_t i = 0; i < aboveFirst.size(); ++i)
                result += { [=, box = outline(node), side = aboveFirst[i]] {
                               return arched(box, box, side, 1, reach);
                           },
                    {}, double(i) * 6 + (reach - freeLoopReach) };
        }
        return result;
    }

    /// Short straight arrows between a box and a dot beside it.
    QList<Candidate> stubs(int node, int twins, bool isOutward) const
    {
        const double radius = m_input.dotRadius;
        QList<Candidate> result;
        const Outline box = outline(node);
        const auto add = [&](const QPointF &foot, const QPointF &out, double reach, double cost) {
            const QPointF rim = foot + out * reach, centre = rim + out * radius;
            const QRectF dot = centred(centre, { 2 * radius, 2 * radius });
            const Curve line { { isOutward ? straight(foot, rim) : straight(rim, foot) } };
            result += { [=] { return line; }, dot, cost };
        };
        for (const double reach : { 46.0, 34.0, 64.0, 90.0 }) {
            for (const double slide : { 0.0, -0.26, 0.26 }) {
                for (int side = 0; side < 4; ++side) {
                    const QPointF out = alongFirst[size_t(side)];
                    const QPointF aside(std::abs(out.y()) * box.rect.width() * slide,
                        std::abs(out.x()) * box.rect.height() * slide);
                    add(box.border(box.rect.center() + aside, out), out, reach,
                        std::abs(reach - 46) * 0.6 + std::abs(slide) * 20 + side * 4);
                }
            }
        }
        // Rays in any direction, if these places are taken.
        const int rays = 12 + 2 * twins;
        for (int i = 0; i < rays; ++i) {
            const double angle = 2 * std::numbers::pi * (i + 0.5) / rays;
            const QPointF out(std::cos(angle), std::sin(angle));
            add(box.border(out), out, 60.0 + 5 * twins, 90);
        }
        return result;
    }

    /// Straight arrows between a box and a frame around it.
    QList<Candidate> inner(int node, int frame, int twins, bool isOutward) const
    {
        QList<Candidate> result;
        const Outline box = outline(node), around = outline(frame);
        const int steps = 1 + (twins + 3) / 4;
        for (int step = -steps; step <= steps; ++step) {
            const double slide = 0.42 * step / steps;
            for (const QPointF &out : alongFirst) {
                const QPointF aside(std::abs(out.y()) * box.rect.width() * slide,
                    std::abs(out.x()) * box.rect.height() * slide);
                const QPointF foot = box.border(box.rect.center() + aside, out);
                const QPointF end = around.border(box.rect.center() + aside, out);
                const Curve line { { isOutward ? straight(foot, end) : straight(end, foot) } };
                result += { [=] { return line; }, {}, std::abs(slide) * 20 };
            }
        }
        return result;
    }

    void chooseRoute(int index)
    {
        m_scene.remove(index);
        double best = std::numeric_limits<double>::max();
        LayoutRoute chosen;
        const auto consider = [&](const Candidate &candidate) {
            if (candidate.cost >= best)
                return;
            FreeScene::Trial trial({ candidate.curve(), {}, candidate.dot });
            const double lineLimit = best - candidate.cost;
            const double line = m_scene.lineCost(index, trial, lineLimit);
            const double labelLimit = lineLimit - line;
            if (line >= lineLimit)
                return;
            const double label = m_scene.placeLabel(index, trial, labelLimit);
            if (label >= labelLimit)
                return;
            best = candidate.cost + line + label;
            chosen = trial.route;
        };
        const QList<Candidate> all = candidates(index);
        for (const Candidate &candidate : all)
            consider(candidate);
        const LayoutEdge &edge = m_input.edges[index];
        constexpr double poor = 400; // cost from which a detour is tried
        const bool isBetweenBoxes = edge.from >= 0 && edge.to >= 0 && edge.from != edge.to;
        if (best > poor && isBetweenBoxes && edge.bend == 0) {
            const Curve around = detour(
                outline(edge.from), outline(edge.to), m_scene.obstacles(index, boxClearance));
            if (!around.isEmpty())
                consider({ [&] { return around; }, {}, 60 });
        }
        m_layout.routes[index] = chosen;
        m_scene.add(index);
    }

    const LayoutInput &m_input;
    const QList<int> &m_edges;
    Layout &m_layout;
    const Budget &m_budget;
    FreeScene m_scene;
};

} // namespace

void routeFreely(
    const LayoutInput &input, const QList<int> &edges, Layout &layout, const Budget &budget)
{
    if (!edges.isEmpty())
        FreeRouter(input, edges, layout, budget).route();
}

void routePlainly(const LayoutInput &input, int edge, Layout &layout)
{
    constexpr double reach = 40;
    const LayoutEdge &row = input.edges[edge];
    LayoutRoute &route = layout.routes[edge];
    const int from = row.from >= 0 ? row.from : row.to, to = row.to >= 0 ? row.to : row.from;
    if (from < 0)
        return;
    const Outline begin = layout.outline(input, from), end = layout.outline(input, to);
    if (row.from < 0 || row.to < 0) {
        const double radius = input.dotRadius;
        const QPointF centre(begin.rect.center().x(), begin.rect.top() - reach);
        route.dot = centred(centre, { 2 * radius, 2 * radius });
        route.curve = bowed({ route.dot, radius }, begin, 0);
        if (row.to < 0)
            route.curve = route.curve.reversed();
    } else if (from == to) {
        route.curve = arched(begin, begin, { 1, 0 }, 1, reach);
    } else {
        route.curve = bowed(begin, end, 0);
    }
    // Overlapping boxes have nothing between their borders.
    if (route.curve.isEmpty())
        route.curve = { { straight(begin.rect.center(), end.rect.center()) } };
    if (!row.label.isEmpty())
        route.label = centred(route.curve.at(0.5), row.label);
}

} // namespace instar
