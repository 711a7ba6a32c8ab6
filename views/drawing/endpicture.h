// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/chart.h"

class QPainter;

namespace instar {

/// A resource in a small picture of where something leads.
struct EndRow
{
    int depth = 0; ///< 0: top-level
    StatusCategory statusCategory = StatusCategory::Rest;
    bool isOther = false; ///< than it was: what stays is faint
    bool operator==(const EndRow &) const = default;
};

/// A tree as blocks, a column a level, a block as high as what is below it; rows in the tree's
/// order. Where there are more rows than pixels, the worst of a pixel's is seen.
void paintEndTree(
    QPainter &painter, const QList<EndRow> &rows, const QRectF &area, const Theme &theme);

/// A chart in which some states hold resources: state -> how many. The others are outlines.
void paintEndChart(QPainter &painter, const ChartLayout &layout,
    const QMap<Rules::StateId, int> &counts, const QRectF &area, const Theme &theme);

} // namespace instar
