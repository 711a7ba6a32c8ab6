// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "model/result.h"
#include "views/drawing/chart.h"
#include "views/drawing/timelinepicture.h"

#include <QByteArray>

#include <functional>
#include <memory>
#include <optional>

class QPainter;

namespace instar {

/// Snapshot of a run: everything that a picture of its timeline needs.
struct TimelineSheet
{
    Rules rules;
    World world;
    TimelinePicture picture;
    double treeWidth = 0; ///< 0: without the tree

    /// All known events of a run, and the state at the moment shown. `width`: of the time axis.
    TimelineSheet(const Simulator &simulator, double width);
    TimelineSheet(const TimelineSheet &) = delete; ///< the picture points to rules and world
    TimelineSheet &operator=(const TimelineSheet &) = delete;
};

/// Drawing with its size, in points, and the function that paints it.
struct Drawing
{
    QSizeF size;
    std::function<void(QPainter &)> paint;
    QString title = {}; ///< of the file, for formats that have one
};

enum class SheetFormat { Svg, Png, Pdf };

/// Format of "svg", ".svg" or a file's name; absent: unknown.
std::optional<SheetFormat> sheetFormat(const QString &nameOrFile);

/// Part of a sheet: a statechart, a machine of a pack, or the timeline of a run.
struct SheetPart
{
    QString title; ///< above it; empty: none
    std::optional<ChartLayout> layout;
    std::shared_ptr<const TimelineSheet> timeline;
    QRectF bounds() const;
    /// Why the chart is simplified; empty if it is not.
    QString remark() const { return layout ? layout->remark : QString(); }
};

/// Margin around all parts, in points.
inline constexpr double sheetMargin = 20;

/// Makes a part, with a title if there are several on the sheet.
SheetPart sheetPart(
    const Statechart &chart, bool isOneOfSeveral, const Budget &budget = drawingBudget());
SheetPart sheetPart(
    const Rules &rules, int machine, bool isOneOfSeveral, const Budget &budget = drawingBudget());
/// Makes a part of a run, with the state of the moment shown.
SheetPart sheetPart(const Simulator &simulator, const QString &title);

/// Returns a drawing as a file's contents. SVG and PDF keep text as text; PNG has two pixels a
/// point, down to one for large drawings. Fails if a PNG would still be too large.
Result<QByteArray> drawn(const Drawing &drawing, SheetFormat format);
/// Returns a drawing in the format of a file's name; also fails if the name has no known format.
Result<QByteArray> drawn(const Drawing &drawing, const QString &file);

/// Returns a picture with the parts one below the other, in a theme's colours, on white if light.
Result<QByteArray> drawnSheet(
    const QList<SheetPart> &parts, SheetFormat format, const Theme &theme = Theme::light());

/// Returns a run as one self-contained HTML file: its timeline with a cursor that can be dragged,
/// resources and charts at that time, and the log. Fails if the file would be too large.
Result<QByteArray> runPage(const Simulator &simulator, const QString &title, const Theme &theme);

} // namespace instar
