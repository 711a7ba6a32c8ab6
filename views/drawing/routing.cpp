// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/routing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace instar {

namespace {

constexpr double opposite = 22; ///< how far two arrows between the same boxes bow apart
constexpr double loopReach = 40;
constexpr double dotRadius = 10;
constexpr double clearance = 5; ///< around labels

constexpr std::array bends { 0.0, 22.0, -22.0, 44.0, -44.0, 70.0, -70.0, 105.0, -105.0, 150.0,
    -150.0, 210.0, -210.0, 290.0, -290.0 };
constexpr std::array places { 0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2,
    0.8 };

struct Label
{
    QRectF rect;
    double cost = 0;
};

/// Chooses, arrow by arrow and several times over, the curve and the label's place that cost least
/// beside the others.
class Router
{
public:
    Router(const QList<Link> &links, const QList<ChartBox> &boxes, const ChartFonts &fonts)
        : m_boxes(boxes)
    {
        for (const Link &link : links) {
            m_arrows += ChartArrow { .link = link, .curve = {}, .label = {}, .dot = {} };
            m_sizes += labelSize(link, fonts);
        }
        m_lines.resize(links.size());
        m_bounds.resize(links.size());
        m_placed.resize(links.size(), false);
    }

    QList<ChartArrow> routed()
    {
        // What has no choice first, then what connects boxes, then what only needs one.
        QList<int> turns;
        for (const int wanted : { 0, 1, 2 }) {
            for (int i = 0; i < m_arrows.size(); ++i) {
                const Link &link = m_arrows[i].link;
                const bool isFixed = link.bend != 0 && !link.isLoop();
                const bool hasDot = link.from == Link::Any || link.to == Link::Last;
                if ((hasDot ? 2 : isFixed ? 0 : 1) == wanted)
                    turns += i;
            }
        }
        for (int round = 0; round < 3; ++round) {
            for (const int i : std::as_const(turns))
                choose(i);
        }
        for (int round = 0; round < 2; ++round) {
            for (const int i : std::as_const(turns))
                setFree(i);
        }
        return m_arrows;
    }

private:
    const ChartBox *box(Rules::StateId state) const
    {
        const auto found = std::ranges::find(m_boxes, state, &ChartBox::state);
        return found == m_boxes.end() ? nullptr : &*found;
    }

    bool hasOpposite(const Link &link) const
    {
        return std::ranges::any_of(m_arrows, [&](const ChartArrow &other) {
            return other.link.from == link.to && other.link.to == link.from;
        });
    }

    struct Candidate
    {
        Curve curve;
        QRectF dot;
        double cost = 0;
    };

    QList<Candidate> candidates(const Link &link) const
    {
        const ChartBox *from = box(link.from), *to = box(link.to);
        QList<Candidate> result;
        if (link.isLoop())
            return loops(*from);
        if (!from || !to)
            return stubs(from ? *from : *to, from ? Way::Out : Way::In);
        if (link.bend != 0)
            return { { bowed(from->outline, to->outline, link.bend), {}, 0 } };
        const double wish = hasOpposite(link) ? opposite : 0;
        for (const double bend : bends)
            result += { bowed(from->outline, to->outline, bend), {}, std::abs(bend - wish) * 0.35 };
        return result;
    }

    QList<Candidate> loops(const ChartBox &box) const
    {
        QList<Candidate> result;
        const std::array<QPointF, 4> sides { QPointF(0, -1), { 0, 1 }, { 1, 0 }, { -1, 0 } };
        for (size_t i = 0; i < sides.size(); ++i)
            result += { loop(box.outline, sides[i], loopReach), {}, double(i) * 6 };
        return result;
    }

    enum class Way { In, Out };

    /// A short straight arrow between a box and a dot beside it.
    QList<Candidate> stubs(const ChartBox &box, Way way) const
    {
        QList<Candidate> result;
        const QRectF &rect = box.outline.rect;
        for (const double reach : { 46.0, 34.0, 64.0, 90.0 }) {
            for (const double slide : { 0.0, -0.26, 0.26 }) {
                for (int side = 0; side < 4; ++side) {
                    const QPointF out = std::array<QPointF, 4> { QPointF(0, 1), { 0, -1 },
                        { -1, 0 }, { 1, 0 } }[size_t(side)];
                    const QPointF aside(std::abs(out.y()) * rect.width() * slide,
                        std::abs(out.x()) * rect.height() * slide);
                    const QPointF far = rect.center() + aside
                        + QPointF(out.x() * rect.width(), out.y() * rect.height());
                    QPointF foot = rect.center() + aside;
                    for (double inside = 0, outside = 1; outside - inside > 1e-6;) {
                        const double middle = (inside + outside) / 2;
                        foot = rect.center() + aside + (far - rect.center() - aside) * inside;
                        (box.outline.contains(
                             rect.center() + aside + (far - rect.center() - aside) * middle)
                                ? inside
                                : outside) = middle;
                    }
                    const QPointF centre = foot + out * (reach + dotRadius);
                    const QPointF rim = foot + out * reach;
                    const QRectF dot(centre - QPointF(dotRadius, dotRadius),
                        QSizeF(2 * dotRadius, 2 * dotRadius));
                    const QPointF step = (rim - foot) / 3;
                    const Curve outward { { foot, foot + step, rim - step, rim } };
                    const Curve inward { { rim, rim - step, foot + step, foot } };
                    result += { way == Way::Out ? outward : inward, dot,
                        std::abs(reach - 46) * 0.6 + std::abs(slide) * 20 + side * 4 };
                }
            }
        }
        return result;
    }

    void choose(int index)
    {
        ChartArrow &arrow = m_arrows[index];
        double best = -1;
        ChartArrow chosen = arrow;
        const QList<Candidate> all = candidates(arrow.link);
        for (const Candidate &candidate : all) {
            const QList<QPointF> line = candidate.curve.samples(28);
            double cost = candidate.cost + curveCost(index, candidate, line);
            if (best >= 0 && cost >= best)
                continue;
            const Label label = bestLabel(index, candidate, line);
            cost += label.cost;
            if (best >= 0 && cost >= best)
                continue;
            best = cost;
            chosen.curve = candidate.curve;
            chosen.dot = candidate.dot;
            chosen.label = label.rect;
        }
        arrow = chosen;
        m_lines[index] = arrow.curve.samples(28);
        m_bounds[index] = bounds(m_lines[index]);
        m_placed[index] = true;
    }

    /// Whether a box is one of the arrow's own, or a frame around one of them.
    bool belongs(const ChartBox &box, const Link &link) const
    {
        for (const Rules::StateId end : { link.from, link.to }) {
            const ChartBox *at = this->box(end);
            while (at) {
                if (at == &box)
                    return true;
                at = at->parent < 0 ? nullptr : &m_boxes[at->parent];
            }
        }
        return false;
    }

    double curveCost(int index, const Candidate &candidate, const QList<QPointF> &line) const
    {
        const Link &link = m_arrows[index].link;
        const QRectF extent = bounds(line);
        double cost = candidate.curve.length() * 0.05;
        for (const ChartBox &box : m_boxes) {
            if (!candidate.dot.isNull() && !box.isFrame()
                && box.area.adjusted(-6, -6, 6, 6).intersects(candidate.dot))
                cost += 4000;
            if (belongs(box, link)) {
                if (box.isFrame() && candidate.dot.intersects(box.title()))
                    cost += 3000;
                continue;
            }
            const QRectF room = box.area.adjusted(-7, -7, 7, 7);
            if (!room.intersects(extent))
                continue;
            if (const double inside = lengthInside(room, line); inside > 0)
                cost += (box.isFrame() ? 60 : 500) + inside * (box.isFrame() ? 1 : 12);
        }
        for (int other = 0; other < m_arrows.size(); ++other) {
            if (other == index || !m_placed[other])
                continue;
            const ChartArrow &arrow = m_arrows[other];
            if (extent.intersects(m_bounds[other]))
                cost += 45 * crossings(line, m_lines[other]);
            cost += closeness(line, m_lines[other]);
            if (const double inside =
                    extent.intersects(arrow.label) ? lengthInside(arrow.label, line) : 0;
                inside > 0)
                cost += 160 + inside * 2;
            if (!arrow.dot.isNull() && lengthInside(arrow.dot.adjusted(-4, -4, 4, 4), line) > 0)
                cost += 400;
            if (!candidate.dot.isNull()) {
                if (candidate.dot.adjusted(-5, -5, 5, 5).intersects(arrow.label)
                    || candidate.dot.adjusted(-5, -5, 5, 5).intersects(arrow.dot))
                    cost += 4000;
                const QRectF ring = candidate.dot.adjusted(-4, -4, 4, 4);
                if (ring.intersects(m_bounds[other]) && lengthInside(ring, m_lines[other]) > 0)
                    cost += 400;
            }
        }
        return cost;
    }

    /// Arrows that begin or end on almost the same spot cannot be told apart.
    static double closeness(const QList<QPointF> &a, const QList<QPointF> &b)
    {
        double cost = 0;
        for (const QPointF &end : { a.first(), a.last() }) {
            for (const QPointF &other : { b.first(), b.last() }) {
                const double distance = QLineF(end, other).length();
                if (distance < 14)
                    cost += (14 - distance) * 6;
            }
        }
        return cost;
    }

    double labelCost(
        int index, const QRectF &rect, const QList<QPointF> &own, const QRectF &ownDot) const
    {
        const QRectF room = rect.adjusted(-clearance, -clearance, clearance, clearance);
        double cost = 0;
        for (const ChartBox &box : m_boxes) {
            if (!box.isFrame()) {
                if (room.intersects(box.area))
                    cost += 5000;
                continue;
            }
            if (room.intersects(box.title()))
                cost += 2500;
            if (room.intersects(box.area) && !box.area.contains(room))
                cost += 120;
        }
        if (!ownDot.isNull() && rect.adjusted(-3, -3, 3, 3).intersects(ownDot))
            cost += 4000;
        // Its own arrowhead and the beginning of its line must stay in sight.
        if (room.contains(own.last()) || room.contains(own.first()))
            cost += 150;
        for (int other = 0; other < m_arrows.size(); ++other) {
            if (other == index || !m_placed[other])
                continue;
            const ChartArrow &arrow = m_arrows[other];
            if (room.intersects(arrow.label))
                cost += 5000;
            if (!arrow.dot.isNull() && room.intersects(arrow.dot))
                cost += 4000;
            if (room.contains(m_lines[other].last()))
                cost += 2000;
            const QRectF pad = rect.adjusted(-2, -2, 2, 2);
            if (const double inside =
                    pad.intersects(m_bounds[other]) ? lengthInside(pad, m_lines[other]) : 0;
                inside > 0)
                cost += 180 + inside * 2;
        }
        return cost;
    }

    Label bestLabel(int index, const Candidate &candidate, const QList<QPointF> &line) const
    {
        const QSizeF size = m_sizes[index];
        Label best { {}, -1 };
        const auto consider = [&](const QPointF &centre, double cost) {
            if (best.cost >= 0 && cost >= best.cost)
                return;
            const QRectF rect(centre - QPointF(size.width(), size.height()) / 2, size);
            const double total = cost + labelCost(index, rect, line, candidate.dot);
            if (best.cost < 0 || total < best.cost)
                best = { rect, total };
        };
        if (!candidate.dot.isNull()) {
            const QPointF centre = candidate.dot.center();
            const double x = size.width() / 2 + dotRadius + 5,
                         y = size.height() / 2 + dotRadius + 3;
            consider(centre + QPointF(x, 0), 0);
            consider(centre - QPointF(x, 0), 1);
            consider(centre + QPointF(0, y), 2);
            consider(centre - QPointF(0, y), 2);
            return best;
        }
        if (m_arrows[index].link.isLoop()) {
            const QPointF top = candidate.curve.at(0.5);
            const QPointF out = unit(top - box(m_arrows[index].link.from)->outline.rect.center());
            const bool isUpright = std::abs(out.y()) > 0.9;
            const QPointF beyond = isUpright
                ? QPointF(0, out.y() > 0 ? size.height() / 2 : -size.height() / 2)
                : QPointF(out.x() > 0 ? size.width() / 2 : -size.width() / 2, 0);
            consider(top + beyond + out * 2, 0);
            for (const double side : { 1.0, -1.0 })
                consider(top
                        + (isUpright ? QPointF(side * (size.width() / 2 + 18), 0)
                                     : QPointF(0, side * (size.height() / 2 + 18))),
                    8);
            return best;
        }
        for (const double place : places)
            consider(candidate.curve.at(place), std::abs(place - 0.5) * 40);
        return best;
    }

    /// Whatever the curves look like: no label stays on a box or on another label.
    void setFree(int index)
    {
        ChartArrow &arrow = m_arrows[index];
        const double now = labelCost(index, arrow.label, m_lines[index], arrow.dot);
        if (now < 2000)
            return;
        Label best { arrow.label, now };
        const QPointF centre = arrow.dot.isNull() ? arrow.curve.at(0.5) : arrow.dot.center();
        const QPointF half(arrow.label.width() / 2, arrow.label.height() / 2);
        for (double away = 8; away < 2000 && best.cost >= 2000; away += 8) {
            const int directions = std::clamp(int(away / 4), 8, 48);
            for (int i = 0; i < directions; ++i) {
                const double angle = 2 * std::numbers::pi * i / directions;
                const QPointF at = centre + QPointF(std::cos(angle), std::sin(angle)) * away - half;
                const QRectF rect(at, arrow.label.size());
                const double cost = labelCost(index, rect, m_lines[index], arrow.dot);
                if (cost < best.cost)
                    best = { rect, cost };
            }
        }
        arrow.label = best.rect;
    }

    const QList<ChartBox> &m_boxes;
    QList<ChartArrow> m_arrows;
    QList<QSizeF> m_sizes;
    QList<QList<QPointF>> m_lines; ///< the curves, sampled
    QList<QRectF> m_bounds;        ///< of the lines
    QList<bool> m_placed;
};

} // namespace

QList<ChartArrow> routedArrows(
    const QList<Link> &links, const QList<ChartBox> &boxes, const ChartFonts &fonts)
{
    return Router(links, boxes, fonts).routed();
}

} // namespace instar
