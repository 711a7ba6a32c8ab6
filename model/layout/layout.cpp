// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.h"

#include "model/layout/across.h"
#include "model/layout/along.h"
#include "model/layout/filling.h"
#include "model/layout/fitting.h"
#include "model/layout/freerouting.h"
#include "model/layout/layers.h"
#include "model/layout/ordering.h"
#include "model/layout/plain.h"
#include "model/layout/ranking.h"
#include "model/layout/routing.h"

#include <algorithm>

namespace instar {

namespace {

/// Layered layout. If the budget is exceeded, returns a layout with only `simplifiedBy` set.
Layout layered(const LayoutInput &input, const Budget &budget)
{
    Layers layers = layersOf(input, budget);
    for (const auto phase : { rankLayers, fillLayers, orderLayers }) {
        phase(layers);
        if (layers.isOver())
            return { .simplifiedBy = layers.limit() };
    }
    LayerCoordinates coordinates;
    placeAcross(layers, coordinates);
    if (layers.isOver())
        return { .simplifiedBy = layers.limit() };
    placeAlong(layers, coordinates);
    return routedLayers(layers, coordinates);
}

/// Returns the limit that an input exceeds by its size, before any work; None if it exceeds none.
Limit sizeLimit(const LayoutInput &input, const Budget &budget)
{
    if (input.nodes.size() > budget.states)
        return Limit::States;
    return input.edges.size() > budget.arrows ? Limit::Arrows : budget.interruption();
}

/// Returns false if a curve cannot meet a rectangle: a Bézier curve lies in the bounding box of its
/// control points.
bool mayMeet(const Bezier &piece, const QRectF &rect)
{
    const auto [left, right] = std::ranges::minmax(piece.points, {}, &QPointF::x);
    const auto [top, bottom] = std::ranges::minmax(piece.points, {}, &QPointF::y);
    return left.x() <= rect.right() && right.x() >= rect.left() && top.y() <= rect.bottom()
        && bottom.y() >= rect.top();
}

/// Returns a place for a composite's title at the top of its frame, beside the lines that cross
/// there; null if there is no room.
QRectF titleIn(const LayoutInput &input, const Layout &layout, int node, double margin)
{
    const LayoutNode &row = input.nodes[node];
    const QRectF &frame = layout.areas[node];
    const QRectF strip(frame.left() + margin, frame.top() + input.padding * 0.35,
        frame.width() - 2 * margin, row.size.height());
    constexpr double clearance = 5;
    QList<std::pair<double, double>> taken;
    for (const LayoutRoute &route : layout.routes) {
        for (const Bezier &piece : route.curve.pieces) {
            if (!mayMeet(piece, strip))
                continue;
            const QList<QPointF> line = Curve { { piece } }.samples(16);
            for (qsizetype i = 1; i < line.size(); ++i) {
                const double a = line[i - 1].x(), b = line[i].x();
                if (crosses(strip, line[i - 1], line[i]))
                    taken += { std::min(a, b) - clearance, std::max(a, b) + clearance };
            }
        }
    }
    std::ranges::sort(taken);
    double at = strip.left();
    for (const auto &[left, right] : std::as_const(taken)) {
        if (left - at >= row.size.width())
            break;
        at = std::max(at, right);
    }
    if (at + row.size.width() > strip.right() + 1)
        return {};
    return { QPointF(at, strip.top()), row.size };
}

/// Returns the place of a composite's title. Halves the margin if there is no room; then puts the
/// title across lines.
QRectF titleIn(const LayoutInput &input, const Layout &layout, int node)
{
    for (const double margin : { input.padding, input.padding / 2 }) {
        if (const QRectF title = titleIn(input, layout, node, margin); !title.isNull())
            return title;
    }
    return { layout.areas[node].topLeft() + QPointF(input.padding, input.padding * 0.35),
        input.nodes[node].size };
}

void setBounds(Layout &layout)
{
    for (const QRectF &area : std::as_const(layout.areas))
        layout.bounds |= area;
    for (const LayoutRoute &route : std::as_const(layout.routes))
        layout.bounds |= route.label | route.dot | bounds(route.curve.samples(24));
    for (const PlacedNote &note : std::as_const(layout.notes))
        layout.bounds |= note.rect;
}

/// Routes the edges without a curve, places titles, and computes the bounds.
void finish(const LayoutInput &input, const Budget &budget, Layout &layout)
{
    QList<int> unrouted;
    for (int i = 0; i < layout.routes.size(); ++i) {
        if (layout.routes[i].curve.isEmpty())
            unrouted += i;
    }
    routeFreely(input, unrouted, layout, budget);
    QList<bool> isFrame(input.nodes.size(), false);
    for (const LayoutNode &node : input.nodes) {
        if (node.parent >= 0)
            isFrame[node.parent] = true;
    }
    for (int i = 0; i < input.nodes.size(); ++i)
        layout.titles += isFrame[i] ? titleIn(input, layout, i) : QRectF();
    setBounds(layout);
}

} // namespace

Outline Layout::outline(const LayoutInput &input, int node) const
{
    const LayoutNode &row = input.nodes[node];
    const QRectF &area = areas[node];
    if (row.outline.isEmpty())
        return { area, row.radius, row.shape };
    return { QRectF(area.center() - QPointF(row.outline.width(), row.outline.height()) / 2,
                 row.outline),
        row.radius, row.shape };
}

Layout layoutOf(const LayoutInput &input, const Budget &budget)
{
    Limit limit = sizeLimit(input, budget);
    if (limit == Limit::None) {
        const bool hasPositions = std::ranges::any_of(
            input.nodes, [](const LayoutNode &node) { return node.position.has_value(); });
        std::optional<Layout> layout = hasPositions ? fitted(input, budget) : std::nullopt;
        if (layout)
            layout->routes.resize(input.edges.size());
        else
            layout = layered(input, budget);
        limit = layout->simplifiedBy;
        if (limit == Limit::None) {
            finish(input, budget, *layout);
            return *layout;
        }
    }
    Layout plain = plainLayout(input);
    plain.simplifiedBy = limit;
    setBounds(plain);
    return plain;
}

} // namespace instar
