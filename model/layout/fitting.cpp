// SPDX-License-Identifier: Apache-2.0
#include "model/layout/fitting.h"

#include "model/layout/freerouting.h"
#include "model/layout/notes.h"
#include "model/layout/part.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace instar {

namespace {

constexpr double boxGap = 12; ///< between boxes whose positions are given
constexpr double mostScale = 8;
constexpr double pointGap = 6; ///< between entries, between exits

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
        if (!isSound())
            return {};
        stretchFrames();
        placeNotes(m_input, m_layout, m_scale);
        return m_layout;
    }

private:
    /// Returns true for a composite around boxes; one with points only counts as a box.
    bool isFrame(int node) const
    {
        return m_input.nodes[node].isComposite()
            && std::ranges::any_of(m_children[node], [this](int child) { return !isPoint(child); });
    }

    QSizeF sizeOf(int node) const
    {
        return m_children[node].isEmpty() || isFrame(node)
            ? m_input.nodes[node].size
            : frameAround(node, QRectF(0, 0, 1, 1)).size();
    }

    static QRectF centred(const QPointF &centre, const QSizeF &size)
    {
        return { centre - QPointF(size.width(), size.height()) / 2, size };
    }

    static QRectF grown(const QRectF &rect, double by) { return rect.adjusted(-by, -by, by, by); }

    bool holds() const { return m_input.places == LayoutInput::Places::Hold; }

    /// Scales the given positions up until nothing overlaps, since fonts may make boxes larger than
    /// the person who placed them saw; not if places hold.
    bool placeGiven()
    {
        QList<int> given;
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            if (m_input.nodes[i].position && !isFrame(i) && !isPoint(i)) {
                given += i;
                m_isPlaced[i] = true;
            }
        }
        while (m_scale < mostScale && !isOver()) {
            for (const int i : given)
                m_layout.areas[i] = centred(*m_input.nodes[i].position * m_scale, sizeOf(i));
            wrapFrames();
            if (holds() || isFree(boxGap))
                return true;
            m_scale *= 1.08;
        }
        return false;
    }

    /// Fits every frame around its placed contents; only boxes must keep their positions, so a
    /// frame goes where it must.
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
        // Grows towards free space; but a frame that holds its place does not turn around because
        // something comes near.
        QRectF result;
        for (const double share : { 0.0, 1.0, 0.5 }) {
            result = QRectF(tight.left() - (wide - tight.width()) * share,
                tight.top() - (tall - tight.height()) * share, wide, tall);
            if (holds() || isFreeOfStrangers(frame, result))
                break;
        }
        const LayoutNode &row = m_input.nodes[frame];
        if (holds() && isFrame(frame) && row.position && !row.wanted.isEmpty())
            result |= centred(*row.position, row.wanted);
        return result;
    }

    /// Gives frames the wanted size, or as much of it as there is room for. Those that hold their
    /// places have it from the beginning.
    void stretchFrames()
    {
        if (holds())
            return;
        for (int i = int(m_input.nodes.size()) - 1; i >= 0; --i) {
            const LayoutNode &row = m_input.nodes[i];
            if (!isFrame(i) || row.wanted.isEmpty() || !row.position)
                continue;
            const QRectF tight = m_layout.areas[i];
            const QRectF most = tight | centred(*row.position * m_scale, row.wanted);
            for (int eighths = 8; eighths > 0; --eighths) {
                const double share = eighths / 8.0;
                if (stretched(i,
                        { tight.topLeft() + (most.topLeft() - tight.topLeft()) * share,
                            tight.bottomRight()
                                + (most.bottomRight() - tight.bottomRight()) * share }))
                    break;
            }
        }
        placePoints();
    }

    /// Enlarges a frame and those around it; returns false and changes nothing if it would overlap
    /// something.
    bool stretched(int frame, const QRectF &rect)
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            if (!isPoint(i) && !areRelated(frame, i)
                && grown(rect, boxGap).intersects(m_layout.areas[i]))
                return false;
        }
        const QRectF before = std::exchange(m_layout.areas[frame], rect);
        const int around = m_input.nodes[frame].parent;
        if (around < 0)
            return true;
        QRectF inner;
        for (const int child : std::as_const(m_children[around])) {
            if (!isPoint(child))
                inner |= m_layout.areas[child];
        }
        if (stretched(around, m_layout.areas[around] | frameAround(around, inner)))
            return true;
        m_layout.areas[frame] = before;
        return false;
    }

    bool isFreeOfStrangers(int frame, const QRectF &rect) const
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            if (m_isPlaced[i] && !isFrame(i) && !isPoint(i) && !isAround(frame, i)
                && grown(rect, boxGap).intersects(m_layout.areas[i]))
                return false;
        }
        return true;
    }

    bool isAround(int frame, int node) const
    {
        for (; node >= 0; node = m_input.nodes[node].parent) {
            if (node == frame)
                return true;
        }
        return false;
    }

    bool isRegion(int node) const
    {
        return m_input.nodes[node].kind == LayoutNode::Kind::Region && isFrame(node);
    }

    /// Returns true if a node stands on the border of the frame around it.
    bool isPoint(int node) const
    {
        const LayoutNode &row = m_input.nodes[node];
        return row.parent >= 0
            && (row.kind == LayoutNode::Kind::Entry || row.kind == LayoutNode::Kind::Exit);
    }

    bool isFree(double wanted) const
    {
        for (int a = 0; a < m_input.nodes.size(); ++a) {
            if (isOver())
                return false;
            for (int b = 0; b < a; ++b) {
                if (m_isPlaced[a] && m_isPlaced[b] && !areRelated(a, b)
                    && grown(m_layout.areas[a], gapBetween(a, b, wanted))
                           .intersects(m_layout.areas[b]))
                    return false;
            }
        }
        return true;
    }

    /// Returns true if one contains the other, or stands on the border of what does.
    bool areRelated(int a, int b) const
    {
        return isAround(isPoint(a) ? m_input.nodes[a].parent : a, b)
            || isAround(isPoint(b) ? m_input.nodes[b].parent : b, a);
    }

    /// Regions touch one another, and points on borders may come near to anything.
    double gapBetween(int a, int b, double wanted) const
    {
        if (isPoint(a) || isPoint(b))
            return 0;
        return isRegion(a) && isRegion(b) ? -0.5 : wanted;
    }

    bool isSound() const
    {
        return (holds() || isFree(0))
            && std::ranges::all_of(m_isPlaced, [](bool is) { return is; });
    }

    /// Places one node after the other, first those with the most placed neighbours.
    void placeOthers()
    {
        QList<int> left;
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            if (!m_isPlaced[i] && !isPoint(i) && !hasUnplacedAround(i))
                left += i;
        }
        while (!left.isEmpty() && !isOver()) {
            qsizetype best = 0;
            qsizetype most = -1;
            for (qsizetype i = 0; i < left.size(); ++i) {
                if (const qsizetype known = neighbours(left[i]).size(); known > most) {
                    most = known;
                    best = i;
                }
            }
            placeOne(left.takeAt(best));
        }
    }

    /// A frame without a place is placed with its contents.
    bool hasUnplacedAround(int node) const
    {
        const int parent = m_input.nodes[node].parent;
        return parent >= 0 && !m_isPlaced[parent];
    }

    /// Centres of the placed nodes connected with a node or its contents; true: it comes before the
    /// node.
    QList<std::pair<QPointF, bool>> neighbours(int node) const
    {
        QList<std::pair<QPointF, bool>> result;
        for (const LayoutEdge &edge : m_input.edges) {
            if (edge.from < 0 || edge.to < 0)
                continue;
            const bool leaves = isAround(node, edge.from), comes = isAround(node, edge.to);
            if (leaves == comes)
                continue;
            const int other = leaves ? edge.to : edge.from;
            if (m_isPlaced[other] && !isAround(other, node))
                result += { m_layout.areas[other].center(), comes };
        }
        return result;
    }

    /// Layout of a node with its contents around (0, 0).
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

    void placeOne(int node)
    {
        const QList<std::pair<int, QRectF>> parts = block(node);
        const QRectF whole = parts.first().second;
        const QPointF wish = wishFor(node, whole.size());
        const auto take = [&](const QPointF &at) {
            for (const auto &[part, rect] : parts) {
                m_layout.areas[part] = rect.translated(at);
                m_isPlaced[part] = true;
            }
            wrapFrames();
        };
        // In rings around the wish, nearest first.
        constexpr double step = 12;
        for (int ring = 0; ring < 400; ++ring) {
            const int directions = std::max(1, std::min(ring * 6, 60));
            for (int i = 0; i < directions; ++i) {
                const double angle = 2 * std::numbers::pi * i / directions;
                const QPointF away = QPointF(std::cos(angle), std::sin(angle)) * (ring * step);
                const QPointF at(std::round(wish.x() + away.x()), std::round(wish.y() + away.y()));
                if (fits(node, whole.translated(at)))
                    return take(at);
            }
        }
        if (holds()) // no room among overlapping frames: beyond everything
            take(QPointF(everything().right() + m_input.layerGap, wish.y())
                - QPointF(whole.left(), 0));
    }

    QRectF everything() const
    {
        QRectF all;
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            if (m_isPlaced[i])
                all |= m_layout.areas[i];
        }
        return all;
    }

    QPointF wishFor(int node, const QSizeF &size) const
    {
        if (holds() && m_input.nodes[node].position)
            return *m_input.nodes[node].position; // of a frame without placed contents
        const bool isDown = m_input.direction == LayoutInput::Direction::Down;
        const double step = m_input.layerGap + (isDown ? size.height() : size.width());
        QPointF sum;
        const auto around = neighbours(node);
        for (const auto &[at, isAfter] : around)
            sum += at + (isDown ? QPointF(0, step) : QPointF(step, 0)) * (isAfter ? 1 : -1);
        if (!around.isEmpty())
            return sum / double(around.size());
        QRectF all;
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const int parent = m_input.nodes[node].parent;
            if (m_isPlaced[i] && (parent < 0 || isAround(parent, i)))
                all |= m_layout.areas[i];
        }
        return isDown ? QPointF(all.center().x(), all.bottom() + step)
                      : QPointF(all.right() + step, all.center().y());
    }

    /// Returns true if the place, and the frames around it that grow with it, are free. Overlaps
    /// that existed before are accepted if they do not change.
    bool fits(int node, const QRectF &rect) const
    {
        if (holds() && !isFreeOfStrangers(node, rect))
            return false;
        QList<int> lineage { node };
        lineage += framesAround(m_input, node);
        QRectF at = rect;
        double room = m_input.nodeGap * 0.7;
        for (qsizetype depth = 0; depth < lineage.size(); ++depth) {
            const int around = depth + 1 < lineage.size() ? lineage[depth + 1] : -1;
            QRectF inner = at;
            for (int i = 0; i < m_input.nodes.size(); ++i) {
                if (i == lineage[depth] || !m_isPlaced[i] || isPoint(i)
                    || m_input.nodes[i].parent != around)
                    continue;
                const QRectF covered = grown(at, room) & m_layout.areas[i];
                const bool wasSo = holds() && depth > 0
                    && (grown(m_layout.areas[lineage[depth]], room) & m_layout.areas[i]) == covered;
                if (!covered.isEmpty() && !wasSo)
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

    /// Places entries on the upper border and exits on the lower one, near their positions.
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
        struct Wish
        {
            int node;
            double at;
        };
        const QRectF &around = m_layout.areas[frame];
        const double begin = isDown() ? around.left() : around.top();
        const double end = isDown() ? around.right() : around.bottom();
        QList<Wish> wishes;
        for (const int child : std::as_const(m_children[frame])) {
            const LayoutNode &row = m_input.nodes[child];
            if (row.kind == kind)
                wishes += { child,
                    !row.position  ? begin
                        : isDown() ? row.position->x()
                                   : row.position->y() };
        }
        std::ranges::stable_sort(wishes, {}, &Wish::at);
        double least = begin + m_input.padding / 2;
        for (Wish &wish : wishes) {
            const double size = across(m_input.nodes[wish.node].size);
            wish.at = std::max(wish.at, least + size / 2);
            least = wish.at + size / 2 + pointGap;
        }
        double most = end - m_input.padding / 2;
        for (auto wish = wishes.rbegin(); wish != wishes.rend(); ++wish) {
            const QSizeF size = m_input.nodes[wish->node].size;
            wish->at = std::min(wish->at, most - across(size) / 2);
            most = wish->at - across(size) / 2 - pointGap;
            const bool isEntry = kind == LayoutNode::Kind::Entry;
            const QPointF centre = isDown()
                ? QPointF(wish->at, isEntry ? around.top() : around.bottom())
                : QPointF(isEntry ? around.left() : around.right(), wish->at);
            m_layout.areas[wish->node] = centred(centre, size);
            m_isPlaced[wish->node] = true;
        }
    }

    /// Length that a frame needs for the points on its border.
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
    double m_scale = 1; ///< of the positions that are given
    Layout m_layout;
};

} // namespace

std::optional<Layout> fitted(const LayoutInput &input, const Budget &budget)
{
    return Fitting(input, budget).fit();
}

} // namespace instar
