// SPDX-License-Identifier: Apache-2.0
#include "model/layout/freerouting.h"

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
        const bool isGiven = !m_input.nodes.isEmpty()
            && std::ranges::all_of(m_input.nodes,
                [](const LayoutNode &node) { return node.isComposite() || node.position; });
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const LayoutNode &node = m_input.nodes[i];
            m_layout.areas += centred(node.position.value_or(QPointF()), node.size);
        }
        // Parents stand before their children, so that the last one is innermost.
        for (int i = int(m_input.nodes.size()) - 1; i >= 0; --i) {
            if (m_children[i + 1].isEmpty())
                continue;
            isGiven ? surround(i) : pack(i);
        }
        if (!isGiven) {
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
        const double width = std::max(widest, std::sqrt(surface * 1.5));
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
    QList<QList<int>> m_children; ///< by node + 1; first those in no node
    Layout m_layout;
};

} // namespace

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

Layout plainLayout(const LayoutInput &input)
{
    Layout layout = Grid(input).placed();
    layout.routes.resize(input.edges.size());
    for (int i = 0; i < input.edges.size(); ++i)
        routePlainly(input, i, layout);
    return layout;
}

} // namespace instar
