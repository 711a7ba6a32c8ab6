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

/// Layered layout; without areas if the budget is exceeded.
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

/// Returns the first limit that an input exceeds, checked before any work.
Limit sizeLimit(const LayoutInput &input, const Budget &budget)
{
    if (input.nodes.size() > budget.states)
        return Limit::States;
    return input.edges.size() > budget.arrows ? Limit::Arrows : budget.interruption();
}

/// Bounding-box test: a Bézier curve lies in the box of its control points.
bool mayMeet(const Bezier &piece, const QRectF &rect)
{
    const auto [left, right] = std::ranges::minmax(piece.points, {}, &QPointF::x);
    const auto [top, bottom] = std::ranges::minmax(piece.points, {}, &QPointF::y);
    return left.x() <= rect.right() && right.x() >= rect.left() && top.y() <= rect.bottom()
        && bottom.y() >= rect.top();
}

/// Place of a title between the lines that cross the top of its frame; null if there is none.
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

/// Place of a title in its frame: with a smaller margin if necessary, else across lines.
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

void finish(const LayoutInput &input, const Budget &budget, Layout &layout)
{
    QList<int> open;
    for (int i = 0; i < layout.routes.size(); ++i) {
        if (layout.routes[i].curve.isEmpty())
            open += i;
    }
    routeFreely(input, open, layout, budget);
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
        const bool isGiven = std::ranges::any_of(
            input.nodes, [](const LayoutNode &node) { return node.position.has_value(); });
        std::optional<Layout> layout = isGiven ? fitted(input, budget) : std::nullopt;
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
