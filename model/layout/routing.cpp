// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layers.h"

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

/// Straight part of an edge, at one position across. "Across" is the direction within a layer,
/// "along" the direction from layer to layer.
struct Run
{
    double across = 0;
    double from = 0, to = 0; ///< along
    int firstRank = 0, lastRank = 0;
    double curveBegin = 0; ///< along: where the curve to the next run may begin
    double curveEnd = 0;   ///< along: where the curve from the previous run must have ended
    QPointF foot;          ///< of a first or last run: its end on a round outline
    QPointF out;           ///< direction away from that outline; null: no round outline
};

constexpr double longestCurve = 170; ///< greatest length of a curve, along
constexpr double bendClearance = 5;  ///< from boxes and labels beside the curve

/// Adds a run, or extends the last run if both have the same coordinate.
void append(std::vector<Run> &runs, const Run &next)
{
    if (runs.empty() || std::abs(runs.back().across - next.across) > 0.01) {
        runs.push_back(next);
        return;
    }
    Run &run = runs.back();
    // curveEnd stays before the first label, curveBegin after the last label.
    const bool hasLabel = next.curveBegin > next.curveEnd;
    run.curveEnd = run.curveBegin > run.curveEnd ? run.curveEnd : next.curveEnd;
    run.curveBegin = hasLabel ? next.curveBegin : run.curveBegin;
    run.to = next.to;
    run.lastRank = next.lastRank;
}

/// Spline router: joins runs by curves as wide as the free room allows.
class Bending
{
public:
    Bending(const Layers &layers, const LayerCoordinates &coordinates)
        : m_layers(layers), m_coordinates(coordinates)
    { }

    Curve joined(const std::vector<Run> &runs) const
    {
        Curve result;
        const Run &first = runs.front(), &last = runs.back();
        QPointF at(first.across, first.from);
        if (!first.out.isNull())
            result.pieces += hook(first, at).reversed();
        const auto lineTo = [&](const QPointF &to) {
            if (to.y() - at.y() > 0.01)
                result.pieces += straight(at, to);
            at = to;
        };
        for (size_t i = 0; i + 1 < runs.size(); ++i) {
            const Run &upper = runs[i], &lower = runs[i + 1];
            // A run between two curves gives half of its length to each.
            const double above =
                std::max(0.0, upper.to - std::max(upper.curveBegin, upper.from)) / (i > 0 ? 2 : 1);
            const double below = std::max(0.0, std::min(lower.curveEnd, lower.to) - lower.from)
                / (i + 2 < runs.size() ? 2 : 1);
            const double least = lower.from - upper.to;
            const double wanted = std::clamp(std::abs(lower.across - upper.across), least,
                                      std::max(least, longestCurve))
                - least;
            double up = std::min(above, wanted / 2);
            const double down = std::min(below, wanted - up);
            up = std::min(above, wanted - down);
            Bezier best = swing(upper, lower, 0, 0);
            for (const double share : { 1.0, 0.7, 0.4, 0.2 }) {
                const Bezier curve = swing(upper, lower, up * share, down * share);
                if (isFree(curve, upper, lower)) {
                    best = curve;
                    break;
                }
            }
            lineTo(best.points[0]);
            result.pieces += best;
            at = best.points[3];
        }
        lineTo(QPointF(last.across, last.to));
        if (!last.out.isNull())
            result.pieces += hook(last, at);
        if (result.isEmpty())
            result.pieces += straight(at, QPointF(last.across, last.to));
        return result;
    }

private:
    /// Curve from a run into a round outline, towards its centre.
    static Bezier hook(const Run &run, const QPointF &from)
    {
        const QPointF away = run.foot - from;
        return { { from, from + QPointF(0, away.y() * 0.5),
            run.foot + run.out * (std::abs(away.y()) * 0.5), run.foot } };
    }

    /// Curve from `above` before the end of the upper run to `below` after the begin of the lower.
    Bezier swing(const Run &upper, const Run &lower, double above, double below) const
    {
        const QPointF from(upper.across, upper.to - above), to(lower.across, lower.from + below);
        const QPointF half(0, (to.y() - from.y()) / 2);
        return { { from, from + half, to - half, to } };
    }

    bool isFree(const Bezier &curve, const Run &upper, const Run &lower) const
    {
        for (int rank = upper.lastRank;
             rank >= upper.firstRank && m_coordinates.bandBelow[size_t(rank)] > curve.points[0].y();
             --rank) {
            if (!isFreeIn(rank, curve))
                return false;
        }
        for (int rank = lower.firstRank;
             rank <= lower.lastRank && m_coordinates.bandAbove[size_t(rank)] < curve.points[3].y();
             ++rank) {
            if (!isFreeIn(rank, curve))
                return false;
        }
        return true;
    }

    bool isFreeIn(int rank, const Bezier &curve) const
    {
        constexpr int steps = 20;
        const double left = std::min(curve.points[0].x(), curve.points[3].x()) - bendClearance;
        const double right = std::max(curve.points[0].x(), curve.points[3].x()) + bendClearance;
        const std::vector<int> &layer = m_layers.order[size_t(rank)];
        const auto coordinate = [this](int item) { return m_coordinates.item[size_t(item)]; };
        const auto endOf = [this](int item) {
            return m_coordinates.item[size_t(item)] + m_layers.items[size_t(item)].after;
        };
        // Items stand in the order of their coordinates, without overlaps.
        auto at = std::ranges::partition_point(layer, [&](int item) { return endOf(item) < left; });
        for (; at != layer.end(); ++at) {
            const LayerItem &item = m_layers.items[size_t(*at)];
            if (coordinate(*at) - item.before > right)
                return true;
            if (item.kind == LayerItem::Kind::Bend)
                continue;
            const bool isPiece = item.kind == LayerItem::Kind::Piece;
            // Curves cross the borders of clusters only between layers.
            if (!isPiece && item.kind != LayerItem::Kind::Label)
                return false;
            const double half = isPiece ? 0 : m_layers.edges[size_t(item.index)].along / 2;
            const double above = isPiece ? m_layers.pieces[size_t(item.index)].above : half;
            const double below = isPiece ? m_layers.pieces[size_t(item.index)].below : half;
            const double centre = m_coordinates.centre[size_t(rank)];
            // The curve's own ends are no obstacles.
            if (coordinate(*at) - item.before < curve.points[0].x()
                && endOf(*at) > curve.points[0].x() && curve.points[0].y() >= centre)
                continue;
            const QRectF room(QPointF(coordinate(*at) - item.before - bendClearance,
                                  centre - above - bendClearance),
                QPointF(endOf(*at) + bendClearance, centre + below + bendClearance));
            if (room.contains(curve.points[3]) || room.contains(curve.points[0]))
                continue;
            for (int i = 0; i <= steps; ++i) {
                if (room.contains(curve.at(double(i) / steps)))
                    return false;
            }
        }
        return true;
    }

    const Layers &m_layers;
    const LayerCoordinates &m_coordinates;
};

constexpr double headRoom = 12;   ///< length of an arrow's straight end
constexpr double portGap = 15;    ///< between ports
constexpr double cornerGap = 5;   ///< between a port and the corner of a box
constexpr double steepest = 1.15; ///< greatest angle of arrows on a round outline, in radians

/// Builds a layout from coordinates across and along.
class LayerRouter
{
public:
    LayerRouter(const Layers &layers, const LayerCoordinates &coordinates)
        : m_layers(layers),
          m_input(*layers.input),
          m_coordinates(coordinates),
          m_bending(layers, coordinates),
          m_isLower(layers.items.size(), false)
    {
        for (const LayerLink &link : layers.links)
            m_isLower[size_t(link.lower)] = true;
    }

    Layout routed()
    {
        placeAreas();
        m_result.routes.resize(m_input.edges.size());
        m_result.notes.resize(m_input.notes.size());
        choosePorts();
        for (size_t i = 0; i < m_layers.edges.size(); ++i) {
            if (m_layers.edges[i].isLayered)
                route(i);
        }
        for (int i = 0; i < m_input.nodes.size(); ++i)
            addBeside(i);
        placePieces();
        return std::move(m_result);
    }

private:
    QPointF point(const QPointF &at) const
    {
        return m_layers.isDown() ? at : QPointF(at.y(), at.x());
    }
    QRectF rect(const QRectF &at) const
    {
        return m_layers.isDown() ? at : QRectF(at.y(), at.x(), at.height(), at.width());
    }
    Curve curve(Curve at) const
    {
        for (Bezier &piece : at.pieces) {
            for (QPointF &each : piece.points)
                each = point(each);
        }
        return at;
    }
    /// Size in coordinates across and along.
    QSizeF turned(const QSizeF &size) const
    {
        return { m_layers.across(size), m_layers.along(size) };
    }

    QPointF centreOf(int piece) const
    {
        const LayerPiece &each = m_layers.pieces[size_t(piece)];
        const double at = m_coordinates.item[size_t(piece)];
        const bool isNode = each.kind == LayerPiece::Kind::Node;
        const LayoutNode::Kind kind =
            isNode ? m_input.nodes[each.index].kind : LayoutNode::Kind::Box;
        if (each.cluster > 0 && kind == LayoutNode::Kind::Entry)
            return { at, m_coordinates.top[size_t(each.cluster)] };
        if (each.cluster > 0 && kind == LayoutNode::Kind::Exit)
            return { at, m_coordinates.bottom[size_t(each.cluster)] };
        return { at, m_coordinates.centre[size_t(each.rank)] };
    }

    QRectF frame(int cluster) const
    {
        const auto i = size_t(cluster);
        return { QPointF(m_coordinates.begin[i], m_coordinates.top[i]),
            QPointF(m_coordinates.end[i], m_coordinates.bottom[i]) };
    }

    void placeAreas()
    {
        for (int i = 0; i < m_input.nodes.size(); ++i) {
            const int cluster = m_layers.clusterOf[size_t(i)];
            const QSizeF &size = m_input.nodes[i].size;
            m_result.areas +=
                rect(cluster >= 0 ? frame(cluster)
                                  : centred(centreOf(m_layers.pieceOf[size_t(i)]), turned(size)));
        }
    }

    /// Outline that an edge meets at a piece, in coordinates across and along.
    Outline outlineOf(int piece) const
    {
        const LayerPiece &each = m_layers.pieces[size_t(piece)];
        if (each.kind == LayerPiece::Kind::Anchor)
            return { frame(each.index),
                m_input.nodes[m_layers.clusters[size_t(each.index)].node].radius };
        const QPointF centre = centreOf(piece);
        if (each.kind != LayerPiece::Kind::Node)
            return { centred(centre, { each.before + each.after, each.above + each.below }),
                each.kind == LayerPiece::Kind::Dot ? m_input.dotRadius : 0 };
        const LayoutNode &node = m_input.nodes[each.index];
        const QSizeF size = node.outline.isEmpty() ? node.size : node.outline;
        return { centred(centre, turned(size)), node.radius, node.shape };
    }

    struct Port
    {
        size_t edge;
        double across;
    };

    /// Chooses the port of each edge on a box: straight towards the edge's other end, as far as the
    /// box and the other edges allow.
    void choosePorts()
    {
        m_upperPort.assign(m_layers.edges.size(), 0);
        m_lowerPort.assign(m_layers.edges.size(), 0);
        std::vector<std::vector<Port>> below(m_layers.pieces.size()), above(below);
        for (size_t i = 0; i < m_layers.edges.size(); ++i) {
            const std::vector<int> &chain = m_layers.edges[i].chain;
            if (chain.empty())
                continue;
            below[size_t(chain.front())].push_back({ i, wantedPort(chain.front(), chain[1]) });
            above[size_t(chain.back())].push_back(
                { i, wantedPort(chain.back(), chain[chain.size() - 2]) });
        }
        const std::vector<int> place = m_layers.places();
        for (size_t i = 0; i < m_layers.pieces.size(); ++i) {
            const auto sortPorts = [&](std::vector<Port> &ports, bool isBelow) {
                std::ranges::stable_sort(ports, {}, [&](const Port &port) {
                    const std::vector<int> &chain = m_layers.edges[port.edge].chain;
                    return place[size_t(isBelow ? chain[1] : chain[chain.size() - 2])];
                });
                spread(int(i), ports);
                for (const Port &port : ports)
                    (isBelow ? m_upperPort : m_lowerPort)[port.edge] = port.across;
            };
            sortPorts(below[i], true);
            sortPorts(above[i], false);
        }
    }

    /// Coordinate across of the wanted port. Between boxes in adjacent layers: the middle of their
    /// overlap, so that the edge is straight.
    double wantedPort(int piece, int next) const
    {
        const double nextAcross = m_coordinates.item[size_t(next)];
        if (m_layers.items[size_t(next)].kind != LayerItem::Kind::Piece
            || m_layers.pieces[size_t(next)].kind == LayerPiece::Kind::Anchor)
            return nextAcross;
        const QRectF mine = outlineOf(piece).rect, other = outlineOf(next).rect;
        const double left = std::max(mine.left(), other.left()),
                     right = std::min(mine.right(), other.right());
        return left < right ? (left + right) / 2 : other.center().x();
    }

    /// Moves ports onto the border of a piece, and apart from one another.
    void spread(int piece, std::vector<Port> &ports) const
    {
        if (ports.empty())
            return;
        const LayerPiece &each = m_layers.pieces[size_t(piece)];
        if (each.kind == LayerPiece::Kind::Anchor) {
            for (Port &port : ports)
                port.across = m_coordinates.item[size_t(piece)];
            return;
        }
        const Outline outline = outlineOf(piece);
        const double half = outline.rect.width() / 2, centre = outline.rect.center().x();
        const bool isSmall = isRound(outline);
        const double count = double(ports.size());
        const double room = isSmall
            ? half * std::min(0.8, 0.3 * count)
            : std::max(0.0, half - std::max(outline.radius * 0.6, cornerGap));
        const double gap = count > 1 ? std::min(portGap, 2 * room / (count - 1)) : 0;
        double least = centre - room;
        for (Port &port : ports) {
            // A single arrow meets a small piece in its middle.
            port.across = std::max(isSmall && ports.size() == 1 ? centre : port.across, least);
            least = port.across + gap;
        }
        double most = centre + room;
        for (auto port = ports.rbegin(); port != ports.rend(); ++port) {
            port->across = std::min(port->across, most);
            most = port->across - gap;
        }
    }

    /// Returns the coordinate along at which an edge leaves (`isUpper`) or meets a piece.
    double borderOf(int piece, double at, bool isUpper) const
    {
        const Outline outline = outlineOf(piece);
        const LayerPiece &each = m_layers.pieces[size_t(piece)];
        if (each.kind == LayerPiece::Kind::Anchor) {
            // In a cluster of one layer, arrows from outside enter at the top and leave at the
            // bottom.
            const LayerCluster &cluster = m_layers.clusters[size_t(each.index)];
            const bool isAtTop = each.rank == cluster.first
                && (each.rank != cluster.last || m_isLower[size_t(piece)]);
            return isAtTop ? outline.rect.top() : outline.rect.bottom();
        }
        return outline.border(QPointF(at, outline.rect.center().y()), { 0, isUpper ? 1.0 : -1.0 })
            .y();
    }

    void route(size_t index)
    {
        const LayerEdge &edge = m_layers.edges[index];
        const std::vector<int> &chain = edge.chain;
        std::vector<Run> runs;
        for (size_t i = 0; i < chain.size(); ++i) {
            const bool isFirst = i == 0, isLast = i + 1 == chain.size();
            const auto rank = size_t(m_layers.items[size_t(chain[i])].rank);
            Run run { .firstRank = int(rank), .lastRank = int(rank) };
            run.across = isFirst ? m_upperPort[index]
                : isLast         ? m_lowerPort[index]
                                 : m_coordinates.item[size_t(chain[i])];
            run.from =
                isFirst ? borderOf(chain[i], run.across, true) : m_coordinates.bandAbove[rank];
            run.to = isLast ? borderOf(chain[i], run.across, false) : m_coordinates.bandBelow[rank];
            // A piece on a border may reach into the gap between the layers.
            run.to = isFirst ? std::max(run.to, run.from) : run.to;
            run.from = isLast ? std::min(run.from, run.to) : run.from;
            run.curveBegin = run.from + (isFirst && !edge.isDown ? headRoom : 0);
            run.curveEnd = run.to - (isLast && edge.isDown ? headRoom : 0);
            if (edge.isDown ? isLast : isFirst)
                aim(run, chain[i], isFirst);
            if (m_layers.items[size_t(chain[i])].kind == LayerItem::Kind::Label) {
                // The line goes straight through the label.
                run.curveEnd = m_coordinates.centre[rank] - edge.along / 2;
                run.curveBegin = m_coordinates.centre[rank] + edge.along / 2;
                const QPointF centre(
                    m_coordinates.item[size_t(chain[i])], m_coordinates.centre[rank]);
                m_result.routes[edge.edge].label =
                    rect(centred(centre, { edge.across, edge.along }));
            }
            append(runs, run);
        }
        Curve line = curve(m_bending.joined(runs));
        if (!edge.isDown)
            line = line.reversed();
        if (edge.edge >= 0)
            m_result.routes[edge.edge].curve = line;
        else
            m_result.notes[edge.note].line = line;
    }

    /// Aims a run at a round outline, so that several arrows meet it from different directions.
    void aim(Run &run, int piece, bool isFirst) const
    {
        const Outline outline = outlineOf(piece);
        const double radius = outline.rect.width() / 2,
                     away = run.across - outline.rect.center().x();
        if (!isRound(outline) || outline.shape == Outline::Shape::Diamond || std::abs(away) < 0.5)
            return;
        const double angle = away / radius * steepest;
        const double side = isFirst ? 1 : -1;
        run.out = QPointF(std::sin(angle), side * std::cos(angle));
        run.foot = outline.rect.center() + run.out * radius;
        run.across = outline.rect.center().x() + run.out.x() * (radius + 9);
        double &end = isFirst ? run.from : run.to;
        end = outline.rect.center().y() + side * (radius + headRoom);
        // The outline may reach into the gap between the layers.
        (isFirst ? run.to : run.from) =
            isFirst ? std::max(run.to, run.from) : std::min(run.from, run.to);
        run.curveBegin = std::max(run.curveBegin, run.from);
        run.curveEnd = std::min(run.curveEnd, run.to);
    }

    static bool isRound(const Outline &outline)
    {
        return outline.shape == Outline::Shape::Diamond
            || 2 * outline.radius > 0.9 * std::max(outline.rect.width(), outline.rect.height());
    }

    void placePieces()
    {
        for (int i = 0; i < int(m_layers.pieces.size()); ++i) {
            const LayerPiece &piece = m_layers.pieces[size_t(i)];
            if (piece.kind == LayerPiece::Kind::Dot)
                m_result.routes[piece.index].dot = rect(outlineOf(i).rect);
            else if (piece.kind == LayerPiece::Kind::Note)
                m_result.notes[piece.index].rect = rect(outlineOf(i).rect);
        }
    }

    void addBeside(int node)
    {
        if (m_layers.loopsOf[size_t(node)].empty() && m_layers.notesOf[size_t(node)].empty())
            return;
        const Beside beside = besideOf(m_layers, node);
        const LayoutNode &row = m_input.nodes[node];
        const int piece = m_layers.pieceOf[size_t(node)];
        const Outline outline = piece >= 0
            ? outlineOf(piece)
            : Outline { frame(m_layers.clusterOf[size_t(node)]), row.radius };
        const QRectF area =
            piece >= 0 ? centred(outline.rect.center(), turned(row.size)) : outline.rect;
        double room = 0;
        for (const Beside::Loop &loop : beside.loops)
            room = std::max(room, std::abs(loop.at) + 7);
        for (const Beside::Loop &loop : beside.loops)
            addLoop(outline, area, loop, room);
        for (const Beside::Note &note : beside.notes)
            addNote(outline, area, note);
    }

    /// Routes a self-loop like a petal. All loops leave the straight part of the border, and spread
    /// as far as their labels need.
    void addLoop(const Outline &outline, const QRectF &area, const Beside::Loop &loop, double room)
    {
        const double straightPart =
            std::max(outline.rect.height() / 2 - std::max(outline.radius * 0.7, 3.0), 2.0);
        const double squeeze = std::min(1.0, straightPart / room);
        const QPointF centre = outline.rect.center();
        const double side = loop.isAfter ? 1 : -1;
        const auto foot = [&](double offset) {
            const double at = centre.y() + (loop.at + offset) * squeeze;
            return outline.border(QPointF(centre.x(), at), { side, 0 });
        };
        const QPointF from = foot(-6), to = foot(6);
        const double edge = loop.isAfter ? area.right() : area.left();
        const double far = edge + side * loopReach * 4 / 3;
        const double at = centre.y() + loop.at;
        LayoutRoute &route = m_result.routes[loop.edge];
        route.curve = curve({ { { { from, { far, at - 11 }, { far, at + 11 }, to } } } });
        const QSizeF &label = m_input.edges[loop.edge].label;
        if (label.isEmpty())
            return;
        const double width = m_layers.across(label), near = edge + side * loopReach;
        route.label = rect(centred({ near + side * (width / 2 + 1), at }, turned(label)));
    }

    void addNote(const Outline &outline, const QRectF &area, const Beside::Note &note)
    {
        const QSizeF &size = m_input.notes[note.note].size;
        const double side = note.isAfter ? 1 : -1;
        const double near = (note.isAfter ? area.right() : area.left()) + side * note.away;
        const QPointF centre(
            near + side * m_layers.across(size) / 2, outline.rect.center().y() + note.at);
        const double most = std::max(outline.rect.height() / 2 - outline.radius, 0.0);
        const double at = outline.rect.center().y() + std::clamp(note.at, -most, most);
        const QPointF foot = outline.border(QPointF(outline.rect.center().x(), at), { side, 0 });
        PlacedNote &placed = m_result.notes[note.note];
        placed.rect = rect(centred(centre, turned(size)));
        placed.line = curve({ { straight(QPointF(near, centre.y()), foot) } });
    }

    const Layers &m_layers;
    const LayoutInput &m_input;
    const LayerCoordinates &m_coordinates;
    Bending m_bending;
    std::vector<bool> m_isLower; ///< by item: a link enters the item from above
    Layout m_result;
    std::vector<double> m_upperPort, m_lowerPort; ///< by edge
};

} // namespace

Layout routedLayers(const Layers &layers, const LayerCoordinates &coordinates)
{
    return LayerRouter(layers, coordinates).routed();
}

} // namespace instar
