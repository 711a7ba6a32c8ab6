// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/windowundertest.h"
#include "views/editing/wordedits.h"

namespace instar {

/// The real window in Edit, whose chart is changed by hand.
struct HandsUnderTest : WindowUnderTest
{
    ChartEditor &hands() { return editing().hands(); }
    const SelectedRows &selected() { return editing().selection().rows(); }

    int boxOf(const QString &state)
    {
        const QList<ChartBox> &boxes = chart().layout().boxes;
        for (int i = 0; i < boxes.size(); ++i) {
            if (chart().stateId(boxes[i].state) == state)
                return i;
        }
        return -1;
    }
    const ChartBox &boxAt(const QString &state) { return chart().layout().boxes[boxOf(state)]; }
    QRectF rectOf(const QString &state) { return boxAt(state).outline.rect; }
    QPoint middleOf(const QString &state) { return chart().mapFromScene(rectOf(state).center()); }

    /// A point of the border that no label covers.
    QPoint borderOf(const QString &state)
    {
        const QRectF box = rectOf(state);
        for (const double along : { 0.5, 0.35, 0.65, 0.25, 0.75 }) {
            const QPointF places[] { { box.left() + along * box.width(), box.bottom() },
                { box.left() + along * box.width(), box.top() } };
            for (const QPointF &place : places) {
                const bool isFree = std::ranges::none_of(chart().layout().arrows,
                    [&](const ChartArrow &arrow) { return arrow.label.contains(place); });
                if (isFree)
                    return chart().mapFromScene(place);
            }
        }
        return middleOf(state);
    }

    /// A point of the viewport with nothing around it, as near as there is one.
    QPoint emptyPlace(const QPointF &near)
    {
        const QRect room = chart().viewport()->rect().adjusted(60, 40, -60, -40);
        const QPointF wished = chart().mapFromScene(near);
        QPoint found(-1, -1);
        double least = 1e9;
        for (int y = room.top(); y <= room.bottom(); y += 20) {
            for (int x = room.left(); x <= room.right(); x += 20) {
                const QRectF around =
                    chart().mapToScene(QRect(x - 50, y - 35, 100, 70)).boundingRect();
                const double away = QLineF(wished, QPointF(x, y)).length();
                const bool isFree = away < least
                    && std::ranges::none_of(chart().layout().boxes,
                        [&](const ChartBox &box) { return box.area.intersects(around); })
                    && !chart().partAt({ x, y });
                if (isFree) {
                    found = { x, y };
                    least = away;
                }
            }
        }
        return found;
    }

    void click(const QPoint &at) { QTest::mouseClick(chart().viewport(), Qt::LeftButton, {}, at); }
    void doubleClick(const QPoint &at)
    {
        QTest::mouseDClick(chart().viewport(), Qt::LeftButton, {}, at);
    }
    void drag(const QPoint &from, const QPoint &to)
    {
        QWidget *view = chart().viewport();
        QTest::mousePress(view, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 5; ++i)
            QTest::mouseMove(view, from + (to - from) * i / 5);
        QTest::mouseRelease(view, Qt::LeftButton, {}, to);
        settle();
    }
};

} // namespace instar
