// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.h"

#include "model/layout/freerouting.h"
#include "model/layout/layers.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

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

/// Wraps a layered layout, whose layers form one long row, into several rows, like a text. Removes
/// the routes between rows.
class Wrapping
{
public:
    Wrapping(const LayoutInput &input, Layout &layout)
        : m_input(input), m_layout(layout), m_rowOf(input.nodes.size() + input.notes.size(), 0)
    { }

    void wrap()
    {
        setBounds(m_layout);
        const double length = lengthOf(m_layout.bounds);
        const double thick = breadthOf(m_layout.bounds) + m_input.layerGap + m_input.nodeGap;
        const double shape = isDown() ? 1 / screen : screen; // length to breadth
        const int rows = qRound(std::sqrt(length / (shape * thick)));
        if (length <= m_input.wrapsBeyond || rows < 2)
            return;
        findRows(length / rows);
        QList<int> between; // edges between rows
        for (int i = 0; i < m_input.edges.size(); ++i) {
            const LayoutEdge &edge = m_input.edges[i];
            if (edge.from >= 0 && edge.to >= 0 && m_rowOf[edge.from] != m_rowOf[edge.to])
                between += i;
        }
        if (between.size() > std::min<qsizetype>(mostBetween, m_input.edges.size() / 2))
            return;
        const auto offset = [&](int item) {
            const int row = m_rowOf[item];
            const double back = m_begins[0] - m_begins[row], aside = thick * row;
            return isDown() ? QPointF(aside, back) : QPointF(back, aside);
        };
        for (int i = 0; i < m_input.nodes.size(); ++i)
            m_layout.areas[i].translate(offset(i));
        for (int i = 0; i < m_input.notes.size(); ++i) {
            const int item = int(m_input.nodes.size()) + i;
            m_layout.notes[i].rect.translate(offset(item));
            move(m_layout.notes[i].line, offset(item));
        }
        for (int i = 0; i < m_input.edges.size(); ++i) {
            const LayoutEdge &edge = m_input.edges[i];
            const int end = std::max(edge.from, edge.to);
            if (end < 0)
                continue;
            LayoutRoute &route = m_layout.routes[i];
            move(route.curve, offset(end));
            route.label.translate(offset(end));
            route.dot.translate(offset(end));
        }
        for (const int edge : std::as_const(between))
            m_layout.routes[edge] = {};
    }

private:
    static constexpr double screen = 1.6;         ///< width to height
    static constexpr qsizetype mostBetween = 400; ///< limit for edges that join two rows

    bool isDown() const { return m_input.direction == LayoutInput::Direction::Down; }
    double beginOf(const QRectF &rect) const { return isDown() ? rect.top() : rect.left(); }
    double lengthOf(const QRectF &rect) const { return isDown() ? rect.height() : rect.width(); }
    double breadthOf(const QRectF &rect) const { return isDown() ? rect.width() : rect.height(); }

    static void move(Curve &curve, const QPointF &by)
    {
        for (Bezier &piece : curve.pieces) {
            for (QPointF &point : piece.points)
                point += by;
        }
    }

    /// Divides the layout into rows of at least `length`, except the last. A row begins only at a
    /// gap that no node or note spans; a note stays with its node.
    void findRows(double length)
    {
        QList<QRectF> areas = m_layout.areas;
        for (int i = 0; i < m_input.notes.size(); ++i)
            areas += m_layout.notes[i].rect | m_layout.areas.value(m_input.notes[i].of);
        QList<int> order(areas.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](int item) { return beginOf(areas[item]); });
        double end = std::numeric_limits<double>::lowest(); // of the items so far
        for (const int item : std::as_const(order)) {
            const double begin = beginOf(areas[item]);
            if (m_begins.isEmpty() || (begin >= end && begin - m_begins.last() >= length))
                m_begins += begin;
            m_rowOf[item] = int(m_begins.size()) - 1;
            end = std::max(end, begin + lengthOf(areas[item]));
        }
    }

    const LayoutInput &m_input;
    Layout &m_layout;
    QList<int> m_rowOf;     ///< by node, then by note
    QList<double> m_begins; ///< by row: where it begins along the layers
};

/// Copies routes from the layout before an edit: those whose ends stayed and that nothing covers.
void keepRoutes(const LayoutInput &input, const Layout &before, Layout &layout)
{
    constexpr double clearance = 7; // of a line from boxes
    const auto stays = [](const QRectF &was, const QRectF &is) {
        const QPointF first = is.topLeft() - was.topLeft();
        const QPointF corners[] { first, is.bottomRight() - was.bottomRight() };
        return !was.isNull() && std::ranges::all_of(corners, [](const QPointF &by) {
            return std::max(std::abs(by.x()), std::abs(by.y())) < 0.51; // tolerance for rounding
        });
    };
    QSet<int> moved, frames;
    for (int i = 0; i < input.nodes.size(); ++i) {
        frames += input.nodes[i].parent;
        if (!stays(before.areas[i], layout.areas[i]))
            moved += i;
    }
    for (int i = 0; i < input.edges.size(); ++i) {
        const LayoutEdge &edge = input.edges[i];
        const LayoutRoute &route = before.routes[i];
        const bool hasLabel =
            edge.label.isEmpty() ? route.label.isNull() : route.label.size() == edge.label;
        // Small moves add up over several edits.
        const auto isOff = [&](int node, const QPointF &end) {
            return node >= 0
                && (moved.contains(node) || layout.outline(input, node).distance(end) > 0.55);
        };
        if (route.curve.isEmpty() || !hasLabel || isOff(edge.from, route.curve.begin())
            || isOff(edge.to, route.curve.end()))
            continue;
        const QList<QPointF> line = route.curve.samples(28);
        const QRectF extent = bounds(line) | route.label | route.dot;
        const auto isCovered = [&](const QRectF &area) {
            const QRectF room = grown(area, clearance);
            return !area.isNull() && room.intersects(extent)
                && (room.intersects(route.label) || room.intersects(route.dot)
                    || lengthInside(room, line) > 0);
        };
        const QList<int> around = input.framesAround(edge.from) + input.framesAround(edge.to);
        const auto blocks = [&](int node) { // a line may cross a frame, if it did so before
            return !around.contains(node) && isCovered(layout.areas[node])
                && !(frames.contains(node) && isCovered(before.areas[node]));
        };
        bool isKept = std::none_of(moved.cbegin(), moved.cend(), blocks);
        for (int note = 0; note < layout.notes.size() && isKept; ++note)
            isKept = stays(before.notes[note].rect, layout.notes[note].rect)
                || !isCovered(layout.notes[note].rect);
        if (isKept)
            layout.routes[i] = route;
    }
}

/// Routes the edges that have no curve yet, and computes the bounds.
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

Layout layoutOf(const LayoutInput &input, const Budget &budget, const Layout &before)
{
    Limit limit = input.nodes.size() > budget.states ? Limit::States
        : input.edges.size() > budget.arrows         ? Limit::Arrows
                                                     : budget.interruption();
    if (limit == Limit::None) {
        const bool hasPositions = std::ranges::any_of(
            input.nodes, [](const LayoutNode &node) { return node.position.has_value(); });
        std::optional<Layout> layout = hasPositions ? fitted(input, budget) : std::nullopt;
        if (layout) {
            layout->routes.resize(input.edges.size());
            if (!before.areas.isEmpty())
                keepRoutes(input, before, *layout);
        } else {
            layout = layered(input, budget);
            if (layout->simplifiedBy == Limit::None && input.wrapsBeyond > 0)
                Wrapping(input, *layout).wrap();
        }
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
