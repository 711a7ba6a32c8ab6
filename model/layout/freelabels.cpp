// SPDX-License-Identifier: Apache-2.0
#include "model/layout/freelabels.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace instar {

namespace {

constexpr double labelClearance = 5; ///< around labels
constexpr int samples = 28;          ///< points along a curve
constexpr double headSize = 11;      ///< of an arrowhead

/// Candidate places of a label on its curve (from 0 to 1), best first.
constexpr std::array placesAlong { 0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2,
    0.8 };

/// Returns the largest distance of three inner points of a line from another line.
double largestDistance(const QList<QPointF> &line, const QList<QPointF> &other)
{
    double most = 0;
    for (const qsizetype share : { 1, 2, 3 })
        most = std::max(most, distanceTo(other, line[(line.size() - 1) * share / 4]));
    return most;
}

/// Tries points around a centre, nearest first, until `accepts` returns true for one.
template<typename Accepts>
void spiral(const QPointF &centre, const Accepts &accepts)
{
    double away = 8;
    while (away < 1e6) {
        const int directions = std::clamp(int(away / 4), 8, 48);
        for (int i = 0; i < directions; ++i) {
            const double angle = 2 * std::numbers::pi * i / directions;
            if (accepts(centre + QPointF(std::cos(angle), std::sin(angle)) * away))
                return;
        }
        away *= away < 800 ? 1 + 8 / away : 1.05;
    }
}

} // namespace

FreeScene::FreeScene(const LayoutInput &input, Layout &layout)
    : m_input(input), m_layout(layout), m_lines(input.edges.size())
{
    QList<bool> hasChild(input.nodes.size(), false);
    for (const LayoutNode &node : input.nodes) {
        if (node.parent >= 0)
            hasChild[node.parent] = true;
    }
    for (int i = 0; i < input.nodes.size(); ++i) {
        const LayoutNode &node = input.nodes[i];
        Box box { layout.areas[i], {}, node.isComposite() && hasChild[i] };
        if (box.isFrame)
            box.title = QRectF(box.area.topLeft(),
                QSizeF(box.area.width(), node.size.height() + input.padding / 2));
        m_boxes += box;
    }
    for (const PlacedNote &note : std::as_const(layout.notes))
        m_boxes += { note.rect, {}, false };
    for (const LayoutEdge &edge : input.edges) {
        QList<int> own = input.framesAround(edge.from) + input.framesAround(edge.to);
        own += { edge.from, edge.to };
        m_own += own;
    }
}

void FreeScene::add(int edge)
{
    const QList<QPointF> points = m_layout.routes[edge].curve.samples(samples);
    m_lines[edge] = { points, bounds(points), headOf(points), !points.isEmpty() };
}

void FreeScene::remove(int edge)
{
    m_lines[edge].isPlaced = false;
}

QRectF FreeScene::headOf(const QList<QPointF> &line)
{
    if (line.size() < 2)
        return {};
    const QPointF along = unit(line.last() - line[line.size() - 2]);
    const QPointF middle = line.last() - along * (headSize / 2);
    return centred(middle, QSizeF(headSize, headSize));
}

QList<QRectF> FreeScene::obstacles(int edge, double clearance) const
{
    QList<QRectF> result;
    for (int i = 0; i < m_boxes.size(); ++i) {
        if (!m_own[edge].contains(i))
            result += m_boxes[i].area;
        else if (!m_boxes[i].isFrame)
            result += grown(m_boxes[i].area, -clearance * 0.2 - 9);
    }
    return result;
}

FreeScene::Trial::Trial(const LayoutRoute &tried) : route(tried), line(tried.curve.samples(samples))
{ }

double FreeScene::lineCost(int edge, const Trial &trial, double limit) const
{
    const LayoutRoute &route = trial.route;
    const QList<QPointF> &line = trial.line;
    const QRectF extent = bounds(line), head = headOf(line);
    const double length = route.curve.length();
    double cost = length * 0.05 + (length < 14 ? 8000 : 0);
    for (int i = 0; i < m_boxes.size() && cost < limit; ++i) {
        const Box &box = m_boxes[i];
        if (!route.dot.isNull() && !box.isFrame && grown(box.area, 6).intersects(route.dot))
            cost += 4000;
        if (m_own[edge].contains(i)) {
            if (box.isFrame && route.dot.intersects(box.title))
                cost += 3000;
            continue;
        }
        const QRectF room = grown(box.area, 7);
        if (!room.intersects(extent))
            continue;
        if (const double inside = lengthInside(room, line); inside > 0)
            cost += (box.isFrame ? 60 : 1100) + inside * (box.isFrame ? 1 : 16);
    }
    for (int other = 0; other < m_lines.size() && cost < limit; ++other) {
        if (other == edge || !m_lines[other].isPlaced)
            continue;
        const LayoutRoute &placed = m_layout.routes[other];
        if (extent.intersects(m_lines[other].bounds))
            cost += 45 * crossings(line, m_lines[other].points);
        cost += closeEndsCost(line, m_lines[other].points);
        // Edges between the same boxes must not hide one another.
        if (m_input.edges[edge].isTwin(m_input.edges[other])) {
            if (const double distance = largestDistance(line, m_lines[other].points); distance < 9)
                cost += 4000 + (9 - distance) * 600;
        }
        if (extent.intersects(placed.label)) {
            if (const double inside = lengthInside(placed.label, line); inside > 0)
                cost += 160 + inside * 2;
            if (head.intersects(placed.label))
                cost += 2500;
        }
        if (!placed.dot.isNull() && lengthInside(grown(placed.dot, 4), line) > 0)
            cost += 400;
        if (!route.dot.isNull()) {
            if (grown(route.dot, 5).intersects(placed.label)
                || grown(route.dot, 5).intersects(placed.dot))
                cost += 4000;
            const QRectF ring = grown(route.dot, 4);
            if (ring.intersects(m_lines[other].bounds)
                && lengthInside(ring, m_lines[other].points) > 0)
                cost += 400;
        }
    }
    return cost;
}

/// Cost of line ends that are nearly at one point.
double FreeScene::closeEndsCost(const QList<QPointF> &a, const QList<QPointF> &b)
{
    double cost = 0;
    for (const QPointF &end : { a.first(), a.last() }) {
        for (const QPointF &other : { b.first(), b.last() }) {
            const double distance = QLineF(end, other).length();
            if (distance < 14)
                cost += (14 - distance) * 6;
        }
    }
    return cost;
}

bool FreeScene::isBlocked(int edge, const QRectF &rect) const
{
    const QRectF room = grown(rect, labelClearance / 2);
    for (int i = 0; i < m_boxes.size(); ++i) {
        const Box &box = m_boxes[i];
        if (!room.intersects(box.area))
            continue;
        if (!box.isFrame || room.intersects(box.title) || !m_own[edge].contains(i)
            || !box.area.contains(room))
            return true;
    }
    for (int other = 0; other < m_lines.size(); ++other) {
        const LayoutRoute &placed = m_layout.routes[other];
        if (other == edge || !m_lines[other].isPlaced)
            continue;
        if (room.intersects(placed.label) || room.intersects(placed.dot)
            || rect.intersects(m_lines[other].head))
            return true;
    }
    return room.intersects(m_layout.routes[edge].dot);
}

double FreeScene::labelCost(int edge, const QRectF &rect, const Trial &trial, double limit) const
{
    const LayoutRoute &route = trial.route;
    const QList<QPointF> &own = trial.line;
    const QRectF room = grown(rect, labelClearance);
    double cost = 0;
    for (int i = 0; i < m_boxes.size() && cost < limit; ++i) {
        const Box &box = m_boxes[i];
        if (!room.intersects(box.area))
            continue;
        if (!box.isFrame)
            cost += 5000;
        else if (room.intersects(box.title))
            cost += 2500;
        else if (!m_own[edge].contains(i) || !box.area.contains(room))
            cost += 2200;
    }
    if (!route.dot.isNull() && grown(rect, 3).intersects(route.dot))
        cost += 4000;
    // The arrow's own head and the beginning of its line must stay visible.
    if (room.contains(own.last()) || room.contains(own.first()))
        cost += 150;
    for (int other = 0; other < m_lines.size() && cost < limit; ++other) {
        if (other == edge || !m_lines[other].isPlaced)
            continue;
        const LayoutRoute &placed = m_layout.routes[other];
        if (room.intersects(placed.label))
            cost += 5000;
        if (!placed.dot.isNull() && room.intersects(placed.dot))
            cost += 4000;
        if (room.intersects(m_lines[other].head))
            cost += 2000;
        const QRectF pad = grown(rect, 2);
        if (!pad.intersects(m_lines[other].bounds))
            continue;
        if (const double inside = lengthInside(pad, m_lines[other].points); inside > 0)
            cost += 180 + inside * 2;
    }
    return cost;
}

QList<QPointF> FreeScene::labelCentres(int edge, const LayoutRoute &route) const
{
    const QSizeF size = m_input.edges[edge].label;
    const double half = size.width() / 2, tall = size.height() / 2;
    if (!route.dot.isNull()) {
        const QPointF centre = route.dot.center();
        const double x = half + m_input.dotRadius + 5, y = tall + m_input.dotRadius + 3;
        return { centre + QPointF(x, 0), centre - QPointF(x, 0), centre + QPointF(0, y),
            centre - QPointF(0, y) };
    }
    QList<QPointF> result;
    if (m_input.edges[edge].from != m_input.edges[edge].to) {
        for (const double place : placesAlong)
            result += route.curve.at(place);
        return result;
    }
    const QPointF top = route.curve.at(0.5);
    const QPointF out = unit(top - m_layout.areas[m_input.edges[edge].from].center());
    const bool isUpright = std::abs(out.y()) > 0.9;
    const QPointF beyond =
        isUpright ? QPointF(0, out.y() > 0 ? tall : -tall) : QPointF(out.x() > 0 ? half : -half, 0);
    result += top + beyond + out * 2;
    for (const double side : { 1.0, -1.0 })
        result +=
            top + (isUpright ? QPointF(side * (half + 18), 0) : QPointF(0, side * (tall + 18)));
    return result;
}

double FreeScene::placeLabel(int edge, Trial &trial, double limit) const
{
    const QSizeF size = m_input.edges[edge].label;
    if (size.isEmpty())
        return 0;
    LayoutRoute &route = trial.route;
    const bool isLine = route.dot.isNull() && m_input.edges[edge].from != m_input.edges[edge].to;
    double best = limit;
    const QList<QPointF> centres = labelCentres(edge, route);
    for (qsizetype i = 0; i < centres.size(); ++i) {
        const QRectF rect = centred(centres[i], size);
        // On a line, the two candidates at the same distance from the middle cost the same.
        const qsizetype pair = (i + 1) / 2;
        const double placeCost = double(isLine ? 2 * pair : i);
        if (placeCost >= best)
            break;
        const double cost = placeCost + labelCost(edge, rect, trial, best - placeCost);
        if (cost < best) {
            best = cost;
            route.label = rect;
        }
    }
    return best;
}

void FreeScene::freeLabel(int edge)
{
    LayoutRoute &route = m_layout.routes[edge];
    if (route.label.isNull() || !isBlocked(edge, route.label))
        return;
    const QPointF centre = route.dot.isNull() ? route.curve.at(0.5) : route.dot.center();
    const QSizeF size = route.label.size();
    spiral(centre, [&](const QPointF &at) {
        const QRectF rect = centred(at, size);
        if (isBlocked(edge, rect))
            return false;
        route.label = rect;
        return true;
    });
}

void FreeScene::freeDot(int edge)
{
    LayoutRoute &route = m_layout.routes[edge];
    const QRectF now = std::exchange(route.dot, QRectF());
    if (now.isNull() || !isBlocked(edge, grown(now, -labelClearance / 2))) {
        route.dot = now;
        return;
    }
    const LayoutEdge &row = m_input.edges[edge];
    const Outline box = m_layout.outline(m_input, std::max(row.from, row.to));
    const QSizeF size = now.size();
    const QPointF centre = box.rect.center();
    spiral(centre, [&](const QPointF &at) {
        const QRectF rect = centred(at, size);
        if (isBlocked(edge, rect))
            return false;
        const QPointF foot = box.border(at - centre),
                      rim = at - unit(at - centre) * (size.width() / 2);
        route.dot = rect;
        route.curve = { { row.from >= 0 ? straight(foot, rim) : straight(rim, foot) } };
        return QLineF(foot, rim).length() > 14 && !hidesTwin(edge);
    });
    add(edge);
}

bool FreeScene::hidesTwin(int edge) const
{
    const QList<QPointF> line = m_layout.routes[edge].curve.samples(samples);
    for (int other = 0; other < m_lines.size(); ++other) {
        if (other != edge && m_lines[other].isPlaced
            && m_input.edges[edge].isTwin(m_input.edges[other])
            && largestDistance(line, m_lines[other].points) < 3)
            return true;
    }
    return false;
}

} // namespace instar
