// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.h"

#include "model/layout/freerouting.h"
#include "model/layout/layers.h"

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

void setBounds(Layout &layout)
{
    layout.bounds = boundsOf(layout.areas);
    for (const LayoutRoute &route : std::as_const(layout.routes))
        layout.bounds |= route.label | route.dot | bounds(route.curve.samples(24));
    for (const PlacedNote &note : std::as_const(layout.notes))
        layout.bounds |= note.rect;
}

/// Routes the edges without a curve, and computes the bounds.
void finish(const LayoutInput &input, const Budget &budget, Layout &layout)
{
    QList<int> unrouted;
    for (int i = 0; i < layout.routes.size(); ++i) {
        if (layout.routes[i].curve.isEmpty())
            unrouted += i;
    }
    routeFreely(input, unrouted, layout, budget);
    setBounds(layout);
}

} // namespace

bool LayoutInput::contains(int outer, int node) const
{
    while (node >= 0 && node != outer)
        node = nodes[node].parent;
    return node >= 0;
}

QList<int> LayoutInput::framesAround(int node) const
{
    QList<int> result;
    for (int at = node < 0 ? -1 : nodes[node].parent; at >= 0; at = nodes[at].parent)
        result += at;
    return result;
}

Outline Layout::outline(const LayoutInput &input, int node) const
{
    const LayoutNode &row = input.nodes[node];
    const QRectF &area = areas[node];
    if (row.outline.isEmpty())
        return { area, row.radius, row.shape };
    return { centred(area.center(), row.outline), row.radius, row.shape };
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
