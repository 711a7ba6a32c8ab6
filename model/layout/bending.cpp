// SPDX-License-Identifier: Apache-2.0
#include "model/layout/bending.h"

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

constexpr double widest = 170;      ///< along: the longest curve
constexpr double bendClearance = 5; ///< from what it passes

} // namespace

void append(std::vector<Run> &runs, const Run &next)
{
    if (runs.empty() || std::abs(runs.back().across - next.across) > 0.01) {
        runs.push_back(next);
        return;
    }
    Run &run = runs.back();
    // freeTo stays before the first label, freeFrom behind the last one.
    const bool hasLabel = next.freeFrom > next.freeTo;
    run.freeTo = run.freeFrom > run.freeTo ? run.freeTo : next.freeTo;
    run.freeFrom = hasLabel ? next.freeFrom : run.freeFrom;
    run.to = next.to;
    run.lastRank = next.lastRank;
}

Bending::Bending(const Layers &layers, const LayerCoordinates &coordinates)
    : m_layers(layers), m_coordinates(coordinates)
{ }

Curve Bending::joined(const std::vector<Run> &runs) const
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
        // Two curves share the run between them.
        const double above =
            std::max(0.0, upper.to - std::max(upper.freeFrom, upper.from)) / (i > 0 ? 2 : 1);
        const double below = std::max(0.0, std::min(lower.freeTo, lower.to) - lower.from)
            / (i + 2 < runs.size() ? 2 : 1);
        const double least = lower.from - upper.to;
        const double wish =
            std::clamp(std::abs(lower.across - upper.across), least, std::max(least, widest))
            - least;
        double up = std::min(above, wish / 2);
        const double down = std::min(below, wish - up);
        up = std::min(above, wish - down);
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

/// Curve from a run into something round, towards its middle.
Bezier Bending::hook(const Run &run, const QPointF &from)
{
    const QPointF away = run.foot - from;
    return { { from, from + QPointF(0, away.y() * 0.5),
        run.foot + run.out * (std::abs(away.y()) * 0.5), run.foot } };
}

Bezier Bending::swing(const Run &upper, const Run &lower, double above, double below) const
{
    const QPointF from(upper.across, upper.to - above), to(lower.across, lower.from + below);
    const QPointF half(0, (to.y() - from.y()) / 2);
    return { { from, from + half, to - half, to } };
}

bool Bending::isFree(const Bezier &curve, const Run &upper, const Run &lower) const
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

bool Bending::isFreeIn(int rank, const Bezier &curve) const
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
        // Borders are passed only between layers.
        if (!isPiece && item.kind != LayerItem::Kind::Label)
            return false;
        const double half = isPiece ? 0 : m_layers.edges[size_t(item.index)].along / 2;
        const double above = isPiece ? m_layers.pieces[size_t(item.index)].above : half;
        const double below = isPiece ? m_layers.pieces[size_t(item.index)].below : half;
        const double centre = m_coordinates.centre[size_t(rank)];
        // Its own ends are no obstacles.
        if (coordinate(*at) - item.before < curve.points[0].x() && endOf(*at) > curve.points[0].x()
            && curve.points[0].y() >= centre)
            continue;
        const QRectF room(
            QPointF(coordinate(*at) - item.before - bendClearance, centre - above - bendClearance),
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

} // namespace instar
