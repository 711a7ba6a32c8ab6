// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.h"

#include "model/layout/freerouting.h"
#include "model/layout/layers.h"

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

/// Packs the children of each composite into rows, innermost first.
class Grid
{
public:
    explicit Grid(const LayoutInput &input) : m_input(input), m_children(input.nodes.size() + 1)
    {
        for (int i = 0; i < input.nodes.size(); ++i)
            m_children[input.nodes[i].parent + 1] += i;
    }

    Layout placed()
    {
        const bool haveAllPositions = !m_input.nodes.isEmpty()
            && std::ranges::all_of(m_input.nodes,
                [](const LayoutNode &node) { return node.isComposite() || node.position; });
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const LayoutNode &node = m_input.nodes[i];
            m_layout.areas += centred(node.position.value_or(QPointF()), node.size);
        }
        // Parents come before their children, so the last composite is innermost.
        for (int i = int(m_input.nodes.size()) - 1; i >= 0; --i) {
            if (m_children[i + 1].isEmpty())
                continue;
            haveAllPositions ? surround(i) : pack(i);
        }
        if (!haveAllPositions) {
            pack(-1);
            for (int i = 0; i < m_input.nodes.size(); ++i) {
                if (const int parent = m_input.nodes[i].parent; parent >= 0)
                    m_layout.areas[i].translate(m_layout.areas[parent].topLeft());
            }
        }
        placeNotes();
        return std::move(m_layout);
    }

private:
    /// Fits a composite around its children.
    void surround(int node)
    {
        QRectF all;
        for (const int child : std::as_const(m_children[node + 1]))
            all |= m_layout.areas[child];
        const double room = m_input.padding;
        m_layout.areas[node] =
            all.adjusted(-room, -room - m_input.nodes[node].size.height(), room, room);
    }

    /// Places the children of a node from its top left corner on, and sets the node's size.
    void pack(int node)
    {
        const QList<int> &children = m_children[node + 1];
        const double gap = m_input.nodeGap;
        const double room = node < 0 ? 0 : m_input.padding;
        const double top = node < 0 ? 0 : room + m_input.nodes[node].size.height();
        double surface = 0, widest = node < 0 ? 0 : m_input.nodes[node].size.width();
        for (const int child : children) {
            const QSizeF size = m_layout.areas[child].size();
            surface += (size.width() + gap) * (size.height() + gap);
            widest = std::max(widest, size.width());
        }
        const double width = std::max(widest, std::sqrt(surface * 1.5)); // wider than tall
        double x = 0, y = 0, row = 0, right = widest;
        for (const int child : children) {
            const QSizeF size = m_layout.areas[child].size();
            if (x > 0 && x + size.width() > width) {
                x = 0;
                y += row + gap;
                row = 0;
            }
            m_layout.areas[child].moveTo(room + x, top + y);
            right = std::max(right, x + size.width());
            x += size.width() + gap;
            row = std::max(row, size.height());
        }
        if (node >= 0)
            m_layout.areas[node] = QRectF(0, 0, right + 2 * room, top + y + row + room);
    }

    /// Stacks the notes to the right of everything.
    void placeNotes()
    {
        const QRectF all = boundsOf(m_layout.areas);
        double y = all.top();
        for (const LayoutNote &note : m_input.notes) {
            m_layout.notes +=
                PlacedNote { QRectF(QPointF(all.right() + m_input.nodeGap, y), note.size), {} };
            y += note.size.height() + m_input.padding / 2;
        }
    }

    const LayoutInput &m_input;
    QList<QList<int>> m_children; ///< by node + 1; the first entry: nodes without a parent
    Layout m_layout;
};

/// Linear-time layout without search: boxes stand at their positions if all have one, else in rows
/// in the order of the input. Arrows are straight, with the label in the middle. Arrows and labels
/// may overlap anything.
Layout plainLayout(const LayoutInput &input)
{
    Layout layout = Grid(input).placed();
    layout.routes.resize(input.edges.size());
    for (int i = 0; i < input.edges.size(); ++i)
        routePlainly(input, i, layout);
    return layout;
}

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
    Limit limit = input.nodes.size() > budget.states ? Limit::States
        : input.edges.size() > budget.arrows         ? Limit::Arrows
                                                     : budget.interruption();
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
