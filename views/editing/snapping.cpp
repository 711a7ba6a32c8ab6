// SPDX-License-Identifier: Apache-2.0
#include "views/editing/snapping.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace instar {

namespace {

/// Begin, middle and end of a box in one direction.
std::array<double, 3> linesOf(const QRectF &box, Qt::Orientation along)
{
    if (along == Qt::Horizontal)
        return { box.left(), box.center().x(), box.right() };
    return { box.top(), box.center().y(), box.bottom() };
}

/// Guide line through two boxes, at a coordinate.
QLineF guide(const QRectF &a, const QRectF &b, Qt::Orientation along, double at)
{
    const QRectF both = a | b;
    return along == Qt::Horizontal ? QLineF(at, both.top(), at, both.bottom())
                                   : QLineF(both.left(), at, both.right(), at);
}

/// Calls `callback(other, at, by)` for each pair of lines (edges or centres): the line of the box
/// has the coordinate `at`, the line of the other box `at + by`.
void eachDistance(
    const QRectF &box, const QList<QRectF> &others, Qt::Orientation along, const auto &callback)
{
    for (const QRectF &other : others) {
        for (const double from : linesOf(box, along)) {
            for (const double to : linesOf(other, along))
                callback(other, from, to - from);
        }
    }
}

/// Smallest offset that aligns a box with another one; 0 if none is within `reach`.
double nearestOffset(
    const QRectF &moved, const QList<QRectF> &others, Qt::Orientation along, double reach)
{
    double best = reach + 1;
    eachDistance(moved, others, along, [&](const QRectF &, double, double by) {
        if (std::abs(by) < std::abs(best))
            best = by;
    });
    return std::abs(best) <= reach ? best : 0;
}

/// Search for room for new boxes in a chart.
class RoomSearch
{
public:
    RoomSearch(const ChartLayout &layout, const QList<QRectF> &boxes, int frame)
        : m_layout(layout), m_boxes(boxes)
    {
        for (; frame >= 0; frame = layout.boxes[frame].parent)
            m_around += frame;
    }

    bool hasRoom(const QPointF &by) const
    {
        return std::ranges::all_of(m_boxes, [&](const QRectF &box) {
            return isFree(box.translated(by));
        }) && framesHaveRoom(by);
    }

private:
    bool isFree(const QRectF &box) const
    {
        const QRectF room = grown(box, gapToNew);
        for (int i = 0; i < m_layout.boxes.size(); ++i) {
            if (!m_around.contains(i) && room.intersects(m_layout.boxes[i].area))
                return false;
        }
        return std::ranges::none_of(
            m_layout.notes, [&](const NoteBox &noteBox) { return noteBox.rect.intersects(box); });
    }

    /// True if the frames around the new boxes can grow to enclose them without coming too near to
    /// other boxes. Boxes that are too near already must not become nearer.
    bool framesHaveRoom(const QPointF &by) const
    {
        constexpr double gap = 12; // least gap between boxes in an automatic layout
        QRectF inside = boundsOf(m_boxes).translated(by);
        for (const int frame : m_around) {
            const QRectF &before = m_layout.boxes[frame].area;
            inside = before | grown(inside, framePadding).adjusted(0, -frameTitle, 0, 0);
            for (int i = 0; i < m_layout.boxes.size(); ++i) {
                const QRectF &other = m_layout.boxes[i].area;
                if (!m_around.contains(i) && !liesIn(i, frame)
                    && (grown(inside, gap) & other) != (grown(before, gap) & other))
                    return false;
            }
        }
        return true;
    }

    bool liesIn(int box, int frame) const
    {
        while (box >= 0 && box != frame)
            box = m_layout.boxes[box].parent;
        return box >= 0;
    }

    const ChartLayout &m_layout;
    const QList<QRectF> &m_boxes;
    QList<int> m_around; ///< indexes of the frames around the new boxes, innermost first
};

} // namespace

Snap snapped(const QRectF &moved, const QList<QRectF> &others, double reach)
{
    Snap snap;
    snap.by = { nearestOffset(moved, others, Qt::Horizontal, reach),
        nearestOffset(moved, others, Qt::Vertical, reach) };
    const QRectF there = moved.translated(snap.by);
    for (const Qt::Orientation along : { Qt::Horizontal, Qt::Vertical }) {
        eachDistance(there, others, along, [&](const QRectF &other, double at, double by) {
            if (std::abs(by) < 0.01)
                snap.guides += guide(there, other, along, at);
        });
    }
    return snap;
}

QMap<QString, QPointF> aligned(
    const QMap<QString, QRectF> &boxes, Qt::Orientation along, double part)
{
    const QRectF all = boundsOf(boxes);
    QMap<QString, QPointF> centres;
    for (const auto &[name, box] : boxes.asKeyValueRange()) {
        QPointF by(all.left() - box.left() + part * (all.width() - box.width()),
            all.top() - box.top() + part * (all.height() - box.height()));
        along == Qt::Horizontal ? by.setY(0) : by.setX(0);
        centres.insert(name, box.center() + by);
    }
    return centres;
}

QMap<QString, QPointF> distributed(const QMap<QString, QRectF> &boxes, Qt::Orientation along)
{
    if (boxes.size() < 2)
        return {};
    QStringList names = boxes.keys();
    const auto begin = [&](const QString &name) { return linesOf(boxes[name], along).front(); };
    const auto end = [&](const QString &name) { return linesOf(boxes[name], along).back(); };
    std::ranges::stable_sort(names, {}, begin);
    double room = end(names.last()) - begin(names.first());
    for (const QString &name : std::as_const(names))
        room -= end(name) - begin(name);
    double at = begin(names.first());
    QMap<QString, QPointF> centres;
    for (const QString &name : std::as_const(names)) {
        const double by = at - begin(name);
        centres.insert(name,
            boxes[name].center() + (along == Qt::Horizontal ? QPointF(by, 0) : QPointF(0, by)));
        at = end(name) + by + room / double(names.size() - 1);
    }
    return centres;
}

QPointF offsetToRoom(const ChartLayout &layout, const QList<QRectF> &boxes, int frame)
{
    constexpr double step = 10;
    constexpr int farthest = 1000; // in steps
    const RoomSearch search(layout, boxes, frame);
    for (int ring = 0; ring < farthest; ++ring) {
        for (const QPointF &direction : { QPointF(1, 0), QPointF(0, 1), QPointF(-1, 0),
                 QPointF(0, -1), QPointF(1, 1), QPointF(-1, 1), QPointF(1, -1), QPointF(-1, -1) }) {
            if (search.hasRoom(direction * (ring * step)))
                return direction * (ring * step);
        }
    }
    // No room near by: the boxes go beside everything else, and their frame grows.
    return { layout.bounds.right() + gapToNew - boundsOf(boxes).left(), 0 };
}

} // namespace instar
