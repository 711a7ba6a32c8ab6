// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

class QPainter;

namespace instar {

/// What must happen in a state, as a small list beside its box.
struct WorkList
{
    int box = -1;
    QStringList lines; ///< as many as are shown
    QRectF rect;
    bool operator==(const WorkList &) const = default;

    /// The line at a point in it.
    int lineAt(const QPointF &point) const;
};

/// Of each state whose work is written down, where nothing else of the chart stands; where there is
/// no room for the list, how long it is, or nothing at all.
QList<WorkList> workLists(const Rules &rules, const ChartLayout &layout, const ChartFonts &fonts);
/// The whole list of one state, on whatever is there.
std::optional<WorkList> wholeWorkList(
    const Rules &rules, const ChartLayout &layout, int box, const ChartFonts &fonts);

void paintWorkList(
    QPainter &painter, const WorkList &list, const Theme &theme, const ChartFonts &fonts);

} // namespace instar
