// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/placing.h"

#include <algorithm>
#include <numeric>

namespace instar {

namespace {

constexpr double framePadding = 30, frameTitle = 34;
constexpr double gapAcross = 46; ///< between boxes of one layer
constexpr double gapAlong = 76;  ///< between layers, beside what labels need

/// The boxes of one frame (or of the chart), as a graph in layers.
class Layers
{
public:
    enum class Direction { Right, Down };

    Layers(QList<ChartBox> &boxes, const QList<int> &items, Direction direction)
        : m_boxes(boxes),
          m_items(items),
          m_direction(direction),
          m_rank(items.size(), -1),
          m_centre(items.size(), 0),
          m_next(items.size()),
          m_neighbours(items.size())
    { }

    void connect(int from, int to, double labelExtent)
    {
        if (from == to || from < 0 || to < 0)
            return;
        m_next[from] += to;
        m_neighbours[from] += to;
        m_neighbours[to] += from;
        m_labels += { from, to, labelExtent };
    }
    /// Keeps two boxes in one layer, beside one another if possible.
    void join(int item, int with) { m_with += { item, with }; }

    void place()
    {
        rank();
        order();
        settle();
        const QList<double> along = alongs();
        for (int i = 0; i < m_items.size(); ++i) {
            const double layer = along[m_rank[i]];
            moveTo(m_boxes[m_items[i]],
                m_direction == Direction::Right ? QPointF(layer, m_centre[i])
                                                : QPointF(m_centre[i], layer));
        }
    }

private:
    struct Label
    {
        int from, to;
        double extent;
    };

    double across(int item) const
    {
        const QSizeF size = m_boxes[m_items[item]].area.size();
        return m_direction == Direction::Right ? size.height() : size.width();
    }
    double along(int item) const
    {
        const QSizeF size = m_boxes[m_items[item]].area.size();
        return m_direction == Direction::Right ? size.width() : size.height();
    }

    void rank()
    {
        const auto isInitial = [this](
                                   int box) { return m_boxes[box].kind == State::Kind::Initial; };
        QList<int> queue;
        for (int i = 0; i < m_items.size(); ++i) {
            if (isInitial(m_items[i]))
                queue += i;
        }
        int deepest = 0;
        for (int seed = -1; seed < m_items.size(); ++seed) {
            if (seed >= 0) {
                if (m_rank[seed] >= 0
                    || std::ranges::any_of(m_with, [&](auto &pair) { return pair.first == seed; }))
                    continue;
                queue = { seed };
            }
            const int base = seed < 0 || deepest == 0 ? 0 : (deepest + 1) / 2;
            for (const int i : std::as_const(queue))
                m_rank[i] = base;
            while (!queue.isEmpty()) {
                const int at = queue.takeFirst();
                deepest = std::max(deepest, m_rank[at]);
                for (const int to : std::as_const(m_next[at])) {
                    if (m_rank[to] >= 0)
                        continue;
                    m_rank[to] = m_rank[at] + 1;
                    queue += to;
                }
            }
        }
        for (const auto &[item, with] : std::as_const(m_with)) {
            m_rank[item] = std::max(m_rank[with], 0);
            m_neighbours[item] += { with, with, with };
        }
        deepest = 0;
        for (const int rank : std::as_const(m_rank))
            deepest = std::max(deepest, rank);
        m_layers.resize(deepest + 1);
        for (int i = 0; i < m_items.size(); ++i)
            m_layers[m_rank[i]] += i;
    }

    double mean(int item, double otherwise) const
    {
        const QList<int> &around = m_neighbours[item];
        if (around.isEmpty())
            return otherwise;
        return std::accumulate(around.begin(), around.end(), 0.0, [this](double sum, int other) {
            return sum + m_centre[other];
        }) / double(around.size());
    }

    /// Layers are centred on 0 as they are stacked.
    void stack(const QList<int> &layer)
    {
        double height = -gapAcross;
        for (const int item : layer)
            height += across(item) + gapAcross;
        double at = -height / 2;
        for (const int item : layer) {
            m_centre[item] = at + across(item) / 2;
            at += across(item) + gapAcross;
        }
    }

    void order()
    {
        for (const QList<int> &layer : std::as_const(m_layers))
            stack(layer);
        const int count = int(m_layers.size());
        for (int sweep = 0; sweep < 12; ++sweep) {
            for (int step = 0; step < count; ++step) {
                QList<int> &layer = m_layers[sweep % 2 ? count - 1 - step : step];
                QList<std::pair<double, int>> keyed;
                for (const int item : std::as_const(layer))
                    keyed += { mean(item, m_centre[item]), item };
                std::ranges::stable_sort(keyed, {}, &std::pair<double, int>::first);
                for (int i = 0; i < layer.size(); ++i)
                    layer[i] = keyed[i].second;
                stack(layer);
            }
        }
    }

    /// Boxes drift towards their neighbours as far as their layer lets them.
    void settle()
    {
        for (int round = 0; round < 24; ++round) {
            for (const QList<int> &layer : std::as_const(m_layers)) {
                QList<double> wish;
                for (const int item : layer)
                    wish += mean(item, m_centre[item]);
                const auto apart = [&](int i) {
                    return (across(layer[i]) + across(layer[i + 1])) / 2 + gapAcross;
                };
                for (int pass = 0; pass < 2 * layer.size(); ++pass) {
                    for (int i = 0; i + 1 < layer.size(); ++i) {
                        const double missing = apart(i) - (wish[i + 1] - wish[i]);
                        if (missing > 0) {
                            wish[i] -= missing / 2;
                            wish[i + 1] += missing / 2;
                        }
                    }
                }
                for (int i = 0; i + 1 < layer.size(); ++i)
                    wish[i + 1] = std::max(wish[i + 1], wish[i] + apart(i));
                for (int i = 0; i < layer.size(); ++i)
                    m_centre[layer[i]] = wish[i];
            }
        }
    }

    QList<double> alongs() const
    {
        QList<double> gaps(m_layers.size(), gapAlong);
        for (const Label &label : m_labels) {
            const int first = std::min(m_rank[label.from], m_rank[label.to]);
            if (std::abs(m_rank[label.from] - m_rank[label.to]) == 1)
                gaps[first] = std::max(gaps[first], gapAlong * 0.8 + label.extent);
        }
        QList<double> result;
        double at = 0;
        for (int i = 0; i < m_layers.size(); ++i) {
            double extent = 0;
            for (const int item : m_layers[i])
                extent = std::max(extent, along(item));
            result += at + extent / 2;
            at += extent + gaps[i];
        }
        return result;
    }

    QList<ChartBox> &m_boxes;
    const QList<int> &m_items;
    Direction m_direction;
    QList<int> m_rank;
    QList<double> m_centre;
    QList<QList<int>> m_next, m_neighbours, m_layers;
    QList<std::pair<int, int>> m_with;
    QList<Label> m_labels;
};

class Placer
{
public:
    Placer(const Rules &rules, int machine, const ChartFonts &fonts, const QList<Link> &links,
        QList<ChartBox> &boxes)
        : m_rules(rules),
          m_rows(rules.pack().machines[machine]),
          m_fonts(fonts),
          m_links(links),
          m_boxes(boxes)
    { }

    void place()
    {
        for (int i = int(m_boxes.size()) - 1; i >= 0; --i) {
            if (m_boxes[i].isFrame())
                placeIn(i);
        }
        placeIn(-1);
    }

private:
    const State &row(const ChartBox &box) const
    {
        return *m_rows.state(m_rules.state(box.state).id);
    }

    /// The item of a frame in which a state lies; -1: elsewhere.
    int itemOf(const QList<int> &items, Rules::StateId state) const
    {
        int at = -1;
        for (int i = 0; i < m_boxes.size(); ++i) {
            if (m_boxes[i].state == state)
                at = i;
        }
        while (at >= 0 && !items.contains(at))
            at = m_boxes[at].parent;
        return at < 0 ? -1 : int(items.indexOf(at));
    }

    void placeIn(int frame)
    {
        QList<int> items, given, open;
        for (int i = 0; i < m_boxes.size(); ++i) {
            if (m_boxes[i].parent != frame)
                continue;
            items += i;
            (row(m_boxes[i]).position ? given : open) += i;
        }
        if (!given.isEmpty())
            placeGiven(given);
        if (!open.isEmpty())
            placeLayers(open, frame);
        if (!given.isEmpty() && !open.isEmpty()) {
            const QRectF above = united(given), below = united(open);
            shift(open, QPointF(above.left() - below.left(), above.bottom() + 80 - below.top()));
        }
        if (frame >= 0)
            wrap(m_boxes[frame], items);
    }

    /// Where the fonts make boxes larger than the hand that placed them thought, everything moves
    /// apart.
    void placeGiven(const QList<int> &items)
    {
        for (double scale = 1; scale < 20; scale *= 1.08) {
            for (const int i : items)
                shift({ i }, *row(m_boxes[i]).position * scale - m_boxes[i].outline.rect.center());
            const bool isFree = std::ranges::none_of(items, [&](int a) {
                return std::ranges::any_of(items, [&](int b) {
                    return a < b
                        && m_boxes[a].area.adjusted(-12, -12, 12, 12).intersects(m_boxes[b].area);
                });
            });
            if (isFree)
                return;
        }
    }

    void placeLayers(const QList<int> &items, int frame)
    {
        const auto direction = frame < 0 ? Layers::Direction::Right : Layers::Direction::Down;
        QList<QRectF> before;
        for (const int i : items)
            before += m_boxes[i].outline.rect;
        Layers layers(m_boxes, items, direction);
        for (const Link &link : m_links) {
            if (link.from == Link::Any || link.to == Link::Last || link.isQuiet())
                continue;
            const QSizeF size = labelSize(link, m_fonts);
            layers.connect(itemOf(items, link.from), itemOf(items, link.to),
                direction == Layers::Direction::Right ? size.width() : size.height());
        }
        for (int i = 0; i < items.size(); ++i) {
            const Rules::StateId passesFor = m_rules.stateNamed(
                m_rules.state(m_boxes[items[i]].state).machine, row(m_boxes[items[i]]).as);
            const int with = itemOf(items, passesFor);
            if (m_boxes[items[i]].isHidden && with >= 0 && with != i
                && !m_boxes[items[with]].isHidden)
                layers.join(i, with);
        }
        layers.place();
        for (int i = 0; i < items.size(); ++i)
            shiftInner(items[i], m_boxes[items[i]].outline.rect.topLeft() - before[i].topLeft());
    }

    QRectF united(const QList<int> &items) const
    {
        QRectF all;
        for (const int i : items)
            all |= m_boxes[i].area;
        return all;
    }

    void shift(const QList<int> &items, const QPointF &by)
    {
        for (const int i : items) {
            moveTo(m_boxes[i], m_boxes[i].outline.rect.center() + by);
            shiftInner(i, by);
        }
    }

    void shiftInner(int frame, const QPointF &by)
    {
        for (int i = 0; i < m_boxes.size(); ++i) {
            if (m_boxes[i].parent == frame)
                shift({ i }, by);
        }
    }

    void wrap(ChartBox &frame, const QList<int> &items)
    {
        const double width = frame.area.width(); // of its title
        QRectF inner = united(items).adjusted(
            -framePadding, -framePadding - frameTitle, framePadding, framePadding);
        if (inner.width() < width)
            inner.adjust(0, 0, width - inner.width(), 0);
        frame.outline = { inner, 16 };
        frame.area = inner;
        frame.token = frame.title().center();
    }

    const Rules &m_rules;
    const Machine &m_rows;
    const ChartFonts &m_fonts;
    const QList<Link> &m_links;
    QList<ChartBox> &m_boxes;
};

} // namespace

void placeBoxes(const Rules &rules, int machine, const ChartFonts &fonts, const QList<Link> &links,
    QList<ChartBox> &boxes)
{
    Placer(rules, machine, fonts, links, boxes).place();
}

void moveTo(ChartBox &box, const QPointF &centre)
{
    const QPointF by = centre - box.outline.rect.center();
    box.outline.rect.translate(by);
    box.area.translate(by);
    box.token += by;
}

} // namespace instar
