// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "model/result.h"
#include "views/drawing/chart.h"
#include "views/drawing/timelinepainter.h"

#include <QByteArray>

#include <functional>
#include <memory>
#include <optional>

class QPainter;

namespace instar {

/// A run as it stood when it was drawn: everything that a picture of its timeline needs.
struct TimelineSheet
{
    Rules rules;
    World world;
    TimelinePicture picture;
    double treeWidth = 0; ///< 0: it is left out

    /// What is known of a run, as it stands at the moment shown; `width` is that of the time.
    TimelineSheet(const Simulator &simulator, double width);
    TimelineSheet(const TimelineSheet &) = delete; ///< the picture looks at rules and world
    TimelineSheet &operator=(const TimelineSheet &) = delete;
};

/// Something that can be painted: how large it is, in points, and what paints it.
struct Drawing
{
    QSizeF size;
    std::function<void(QPainter &)> paint;
    QString title = {}; ///< of the file, for formats that have one
};

enum class SheetFormat { Svg, Png, Pdf };

/// "svg", ".svg" or a file's name; none: another one.
std::optional<SheetFormat> sheetFormat(const QString &nameOrFile);

/// A statechart, a machine of a pack, or the timeline of a run, on a sheet of paper.
struct SheetPart
{
    QString title; ///< above it; empty: none
    std::optional<ChartLayout> layout;
    std::shared_ptr<const TimelineSheet> timeline;
    QRectF bounds() const;
    QString remark() const; ///< why it is drawn simply; empty: it is not
};

/// Around all parts, in points.
inline constexpr double sheetMargin = 20;

/// With their title if there are several on the sheet.
SheetPart sheetPart(
    const Statechart &chart, bool isOneOfSeveral, const Budget &budget = drawingBudget());
SheetPart sheetPart(
    const Rules &rules, int machine, bool isOneOfSeveral, const Budget &budget = drawingBudget());
/// What is known of a run, as it stands at the moment shown.
SheetPart sheetPart(const Simulator &simulator, const QString &title);

/// Text stays text but in PNG, which has two pixels a point, or down to one for what is large. An
/// error: it would be larger still, and is better written in another format.
Result<QByteArray> drawn(const Drawing &drawing, SheetFormat format);
/// The same in the format that a file's name says. An error, too, if it says none.
Result<QByteArray> drawn(const Drawing &drawing, const QString &file);

/// The parts one below the other, in a theme's colours, the light ones on white.
Result<QByteArray> drawnSheet(
    const QList<SheetPart> &parts, SheetFormat format, const Theme &theme = Theme::light());

} // namespace instar
