// SPDX-License-Identifier: Apache-2.0
#include "model/layout/freerouting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace instar {

namespace {

constexpr double boxGap = 12;  ///< least distance of a new box from boxes that stay
constexpr double pointGap = 6; ///< between two entries, or two exits, on a border

constexpr double gapToNote = 24;    ///< between a note and its node
constexpr double noteClearance = 6; ///< least distance of a note from anything else

/// Returns true if a note of a node may be placed in `rect`: overlaps no box and no other note, and
/// crosses the border of no frame.
bool isFree(const LayoutInput &input, const Layout &layout, const QRectF &rect, int of)
{
    const QRectF room = grown(rect, noteClearance);
    const QList<int> frames = input.framesAround(of);
    for (int i = 0; i < input.nodes.size(); ++i) {
        const QRectF inside = layout.areas[i].adjusted(0, input.nodes[i].size.height(), 0, 0);
        if (room.intersects(layout.areas[i]) && !(frames.contains(i) && inside.contains(room)))
            return false;
    }
    return std::ranges::none_of(
        layout.notes, [&](const PlacedNote &other) { return room.intersects(other.rect); });
}

/// Places notes at their positions, and notes without a position beside their nodes.
void placeNotes(const LayoutInput &input, Layout &layout)
{
    static constexpr std::array<QPointF, 5> directionBySide { QPointF(1, 0), { -1, 0 }, { 1, 0 },
        { 0, -1 }, { 0, 1 } };
    const QRectF all = boundsOf(layout.areas);
    for (const LayoutNote &note : input.notes) {
        PlacedNote placed;
        const QRectF beside = note.of >= 0 ? layout.areas[note.of] : all;
        const QPointF out = directionBySide[size_t(note.side)];
        const double x = beside.width() / 2 + note.size.width() / 2 + gapToNote;
        const double y = beside.height() / 2 + note.size.height() / 2 + gapToNote;
        // Tries growing distances; outside all boxes there is always room.
        if (note.position)
            placed.rect = centred(*note.position, note.size);
        for (int tries = 0; placed.rect.isNull(); ++tries) {
            const QPointF away(out.x() * (x + 12 * tries), out.y() * (y + 12 * tries));
            const QRectF rect = centred(beside.center() + away, note.size);
            if (isFree(input, layout, rect, note.of))
                placed.rect = rect;
        }
        if (note.of >= 0 && !placed.rect.intersects(layout.areas[note.of])) {
            const Outline box = layout.outline(input, note.of), paper { placed.rect, 0 };
            const QPointF between = placed.rect.center() - box.rect.center();
            placed.line = { { straight(paper.border(-between), box.border(between)) } };
        }
        layout.notes += placed;
    }
}

/// Returns an input of only a node and its contents, without positions. Sets `nodes` to their
/// indices in `input`.
LayoutInput partOf(const LayoutInput &input, int node, QList<int> &nodes)
{
    LayoutInput part = input;
    part.nodes.clear();
    part.edges.clear();
    part.notes.clear();
    nodes.clear();
    // Parents come before their children.
    QList<int> index(input.nodes.size(), -1);
    for (int i = node; i < input.nodes.size(); ++i) {
        const int parent = input.nodes[i].parent;
        if (i != node && (parent < 0 || index[parent] < 0))
            continue;
        index[i] = int(nodes.size());
        nodes += i;
        LayoutNode copy = input.nodes[i];
        copy.parent = i == node ? -1 : index[parent];
        copy.position.reset();
        part.nodes += copy;
    }
    for (LayoutEdge edge : input.edges) {
        if (edge.from < 0 || edge.to < 0 || index[edge.from] < 0 || index[edge.to] < 0)
            continue;
        edge.from = index[edge.from];
        edge.to = index[edge.to];
        part.edges += edge;
    }
    return part;
}

/// Layout around given positions: places the nodes that have a position, then the others near their
/// neighbours, then entries, exits and notes. A frame is a drawn composite; a point is an entry or
/// exit on a frame's border.
class Fitting
{
public:
    Fitting(const LayoutInput &input, const Budget &budget)
        : m_input(input),
          m_budget(budget),
          m_isPlaced(input.nodes.size(), false),
          m_children(input.nodes.size())
    {
        m_layout.areas.resize(input.nodes.size());
        for (int i = 0; i < input.nodes.size(); ++i) {
            if (input.nodes[i].parent >= 0)
                m_children[input.nodes[i].parent] += i;
        }
    }

    std::optional<Layout> fit()
    {
        if (!placeGiven())
            return {};
        placeOthers();
        if (!std::ranges::all_of(m_isPlaced, [](bool is) { return is; }))
            return {};
        placeNotes(m_input, m_layout);
        return m_layout;
    }

private:
    /// Returns true for a composite that contains boxes. A composite with only points is a box.
    bool isFrame(int node) const
    {
        return m_input.nodes[node].isComposite()
            && std::ranges::any_of(m_children[node], [this](int child) { return !isPoint(child); });
    }

    /// Size of a node. A composite with only points is large enough for its points.
    QSizeF sizeOf(int node) const
    {
        return m_children[node].isEmpty() || isFrame(node)
            ? m_input.nodes[node].size
            : frameAround(node, QRectF(0, 0, 1, 1)).size();
    }

    /// Places nodes with a position, and the frames around these nodes. Returns false if the budget
    /// is exhausted.
    bool placeGiven()
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const LayoutNode &node = m_input.nodes[i];
            if (!node.position || isFrame(i) || isPoint(i))
                continue;
            m_layout.areas[i] = centred(*node.position, sizeOf(i));
            m_isPlaced[i] = true;
        }
        wrapFrames();
        return !isOver();
    }

    /// Fits every frame around its placed contents. Frames may move: only boxes keep their
    /// positions.
    void wrapFrames()
    {
        for (int i = int(m_input.nodes.size()) - 1; i >= 0; --i) {
            if (!isFrame(i))
                continue;
            QRectF inner;
            for (const int child : std::as_const(m_children[i])) {
                if (m_isPlaced[child] && !isPoint(child))
                    inner |= m_layout.areas[child];
            }
            m_isPlaced[i] = !inner.isNull();
            if (m_isPlaced[i])
                m_layout.areas[i] = frameAround(i, inner);
        }
        placePoints();
    }

    /// Area of a frame around its contents `inner`, with padding, title and room for its points.
    /// The area also includes the size that the input requests for the frame, at its position.
    QRectF frameAround(int frame, const QRectF &inner) const
    {
        const bool isRegion = m_input.nodes[frame].kind == LayoutNode::Kind::Region;
        const double room = m_input.padding / (isRegion ? 2 : 1);
        const QSizeF title = m_input.nodes[frame].size;
        const QRectF tight = inner.adjusted(-room, -room - title.height(), room, room);
        const double points = roomForPoints(frame);
        const double wide =
            std::max({ title.width() + 2 * room, isDown() ? points : 0, tight.width() });
        const double tall = std::max(isDown() ? 0 : points, tight.height());
        // Room for the title and the points is added at the right and below.
        QRectF result(tight.left(), tight.top(), wide, tall);
        const LayoutNode &row = m_input.nodes[frame];
        if (isFrame(frame) && row.position && !row.wanted.isEmpty())
            result |= centred(*row.position, row.wanted);
        return result;
    }

    /// Returns true for an entry or exit, which stands on the border of its frame.
    bool isPoint(int node) const
    {
        const LayoutNode &row = m_input.nodes[node];
        return row.parent >= 0
            && (row.kind == LayoutNode::Kind::Entry || row.kind == LayoutNode::Kind::Exit);
    }

    /// Places the remaining nodes, always the one with the most placed neighbours next.
    void placeOthers()
    {
        QList<int> remaining;
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            // A node in a frame without a place is placed together with the frame.
            const int parent = m_input.nodes[i].parent;
            if (!m_isPlaced[i] && !isPoint(i) && (parent < 0 || m_isPlaced[parent]))
                remaining += i;
        }
        while (!remaining.isEmpty() && !isOver()) {
            qsizetype best = 0;
            qsizetype most = -1;
            for (qsizetype i = 0; i < remaining.size(); ++i) {
                if (const qsizetype known = neighbours(remaining[i]).size(); known > most) {
                    most = known;
                    best = i;
                }
            }
            placeOne(remaining.takeAt(best));
        }
    }

    /// Placed neighbours of a node or its contents: their centres, and true if the arrow leads from
    /// the neighbour to the node.
    QList<std::pair<QPointF, bool>> neighbours(int node) const
    {
        QList<std::pair<QPointF, bool>> result;
        for (const LayoutEdge &edge : m_input.edges) {
            if (edge.from < 0 || edge.to < 0)
                continue;
            const bool leaves = m_input.contains(node, edge.from),
                       enters = m_input.contains(node, edge.to);
            if (leaves == enters)
                continue;
            const int other = leaves ? edge.to : edge.from;
            if (m_isPlaced[other] && !m_input.contains(other, node))
                result += { m_layout.areas[other].center(), enters };
        }
        return result;
    }

    /// Layout of a node and its contents, centred at (0, 0): nodes and their areas.
    QList<std::pair<int, QRectF>> block(int node) const
    {
        if (!isFrame(node))
            return { { node, centred({}, sizeOf(node)) } };
        QList<int> nodes;
        const LayoutInput inner = partOf(m_input, node, nodes);
        const Layout layout = layoutOf(inner, m_budget);
        QList<std::pair<int, QRectF>> result;
        const QPointF centre = layout.areas.first().center();
        for (int i = 0; i < nodes.size(); ++i)
            result += { nodes[i], layout.areas[i].translated(-centre) };
        return result;
    }

    /// Places a node and its contents at the free place nearest to the preferred one.
    void placeOne(int node)
    {
        const QList<std::pair<int, QRectF>> parts = block(node);
        const QRectF whole = parts.first().second;
        const QPointF preferred = preferredCentre(node, whole.size());
        const auto placeAt = [&](const QPointF &at) {
            for (const auto &[part, rect] : parts) {
                m_layout.areas[part] = rect.translated(at);
                m_isPlaced[part] = true;
            }
            wrapFrames();
        };
        // Tries rings of growing radius around the preferred centre.
        constexpr double step = 12;
        for (int ring = 0; ring < 400; ++ring) {
            const int directions = std::max(1, std::min(ring * 6, 60));
            for (int i = 0; i < directions; ++i) {
                const double angle = 2 * std::numbers::pi * i / directions;
                const QPointF away = QPointF(std::cos(angle), std::sin(angle)) * (ring * step);
                const QPointF at(
                    std::round(preferred.x() + away.x()), std::round(preferred.y() + away.y()));
                if (fits(node, whole.translated(at)))
                    return placeAt(at);
            }
        }
        // No place is free: the node goes to the right of everything.
        placeAt(QPointF(boundsOf(m_layout.areas).right() + m_input.layerGap, preferred.y())
            - QPointF(whole.left(), 0));
    }

    /// Returns the preferred centre of a node: one layer after its predecessors and before its
    /// successors.
    QPointF preferredCentre(int node, const QSizeF &size) const
    {
        if (m_input.nodes[node].position)
            return *m_input.nodes[node].position; // a frame without placed contents
        const double step = m_input.layerGap + (isDown() ? size.height() : size.width());
        QPointF sum;
        const auto around = neighbours(node);
        for (const auto &[at, isAfter] : around)
            sum += at + (isDown() ? QPointF(0, step) : QPointF(step, 0)) * (isAfter ? 1 : -1);
        if (!around.isEmpty())
            return sum / double(around.size());
        QRectF all;
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const int parent = m_input.nodes[node].parent;
            if (m_isPlaced[i] && (parent < 0 || m_input.contains(parent, i)))
                all |= m_layout.areas[i];
        }
        return isDown() ? QPointF(all.center().x(), all.bottom() + step)
                        : QPointF(all.right() + step, all.center().y());
    }

    /// Returns true if a node can be placed in `rect`: no placed box is near, and neither the node,
    /// nor a frame that grows to contain the node, overlaps a sibling. A frame may keep an existing
    /// overlap that does not change.
    bool fits(int node, const QRectF &rect) const
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const bool isBox = m_isPlaced[i] && !isFrame(i) && !isPoint(i);
            if (isBox && !m_input.contains(node, i)
                && grown(rect, boxGap).intersects(m_layout.areas[i]))
                return false;
        }
        QList<int> lineage { node }; // innermost first
        lineage += m_input.framesAround(node);
        QRectF at = rect;
        double room = m_input.nodeGap * 0.7;
        for (qsizetype depth = 0; depth < lineage.size(); ++depth) {
            const int around = depth + 1 < lineage.size() ? lineage[depth + 1] : -1;
            QRectF inner = at;
            for (int i = 0; i < m_input.nodes.size(); ++i) {
                const bool isSibling = i != lineage[depth] && m_input.nodes[i].parent == around;
                if (!isSibling || !m_isPlaced[i] || isPoint(i))
                    continue;
                const QRectF covered = grown(at, room) & m_layout.areas[i];
                const bool overlappedBefore = depth > 0
                    && (grown(m_layout.areas[lineage[depth]], room) & m_layout.areas[i]) == covered;
                if (!covered.isEmpty() && !overlappedBefore)
                    return false;
                inner |= m_layout.areas[i];
            }
            if (around >= 0) {
                at = frameAround(around, inner);
                room = at == m_layout.areas[around] ? 0 : boxGap;
            }
        }
        return true;
    }

    /// Places entries on the border where layers begin (top or left), and exits on the opposite
    /// border, as near to their positions as possible.
    void placePoints()
    {
        for (int frame = 0; frame < m_input.nodes.size(); ++frame) {
            if (m_children[frame].isEmpty() || !m_isPlaced[frame])
                continue;
            for (const auto kind : { LayoutNode::Kind::Entry, LayoutNode::Kind::Exit })
                placePointsOn(frame, kind);
        }
    }

    double across(const QSizeF &size) const { return isDown() ? size.width() : size.height(); }
    bool isDown() const { return m_input.direction == LayoutInput::Direction::Down; }

    void placePointsOn(int frame, LayoutNode::Kind kind)
    {
        struct Point
        {
            int node;
            double at;
        };
        const QRectF &around = m_layout.areas[frame];
        const double begin = isDown() ? around.left() : around.top();
        const double end = isDown() ? around.right() : around.bottom();
        QList<Point> points;
        for (const int child : std::as_const(m_children[frame])) {
            const LayoutNode &row = m_input.nodes[child];
            if (row.kind == kind)
                points += { child,
                    !row.position  ? begin
                        : isDown() ? row.position->x()
                                   : row.position->y() };
        }
        std::ranges::stable_sort(points, {}, &Point::at);
        double least = begin + m_input.padding / 2;
        for (Point &point : points) {
            const double size = across(m_input.nodes[point.node].size);
            point.at = std::max(point.at, least + size / 2);
            least = point.at + size / 2 + pointGap;
        }
        double most = end - m_input.padding / 2;
        for (auto point = points.rbegin(); point != points.rend(); ++point) {
            const QSizeF size = m_input.nodes[point->node].size;
            point->at = std::min(point->at, most - across(size) / 2);
            most = point->at - across(size) / 2 - pointGap;
            const bool isEntry = kind == LayoutNode::Kind::Entry;
            const QPointF centre = isDown()
                ? QPointF(point->at, isEntry ? around.top() : around.bottom())
                : QPointF(isEntry ? around.left() : around.right(), point->at);
            m_layout.areas[point->node] = centred(centre, size);
            m_isPlaced[point->node] = true;
        }
    }

    double roomForPoints(int frame) const
    {
        double most = 0;
        for (const auto kind : { LayoutNode::Kind::Entry, LayoutNode::Kind::Exit }) {
            double sum = m_input.padding;
            for (const int child : std::as_const(m_children[frame]))
                sum += m_input.nodes[child].kind == kind
                    ? across(m_input.nodes[child].size) + pointGap
                    : 0;
            most = std::max(most, sum);
        }
        return most;
    }

    bool isOver() const { return m_budget.interruption() != Limit::None; }

    const LayoutInput &m_input;
    const Budget &m_budget;
    QList<bool> m_isPlaced;
    QList<QList<int>> m_children;
    Layout m_layout;
};

} // namespace

std::optional<Layout> fitted(const LayoutInput &input, const Budget &budget)
{
    return Fitting(input, budget).fit();
}

} // namespace instar
