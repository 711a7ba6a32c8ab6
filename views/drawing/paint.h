// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/geometry.h"
#include "views/drawing/chart.h"

#include <QPainterPath>

class QPainter;

namespace instar {

/// What a state looks like at a moment.
struct BoxLook
{
    QString detail; ///< below its name: how many resources are in it
    bool isOccupied = true;
    bool isSelected = false, isHovered = false, isFocused = false;
    bool isCurrent = false;     ///< the selected resource is in it
    bool isHighlighted = false; ///< a resource that is spoken of elsewhere is in it
    double dash = 0;            ///< how far a transitional state's edge has moved, in points
    bool operator==(const BoxLook &) const = default;
};

struct ArrowLook
{
    QList<bool> lit; ///< per line: may happen now; shorter: not
    bool isSelected = false;
    int hovered = -1, focused = -1; ///< lines
    bool isFaded = false;           ///< cannot happen to the selected resource
    bool isHeld = false;            ///< a click fires nothing: what is lit is only darker
    bool operator==(const ArrowLook &) const = default;
};

/// Fill, line and text of a shape.
struct Ink
{
    QColor fill, stroke, text;
    Qt::PenStyle style = Qt::SolidLine;
    double width = 1.5;
    bool operator==(const Ink &) const = default;
};
/// The usual ink, changed as a file wishes, as far as it can be seen on `ground` in a theme: text
/// reaches a contrast of 4.5 on what it stands on, lines 3. A wish that is no colour is ignored.
Ink inked(const Look &wish, const Theme &theme, const QColor &ground, const Ink &usual);

void paintBox(QPainter &painter, const ChartBox &box, const BoxLook &look, const Theme &theme,
    const ChartFonts &fonts);
/// The line with its head, without its label.
void paintArrow(
    QPainter &painter, const ChartArrow &arrow, const ArrowLook &look, const Theme &theme);
void paintLabel(QPainter &painter, const ChartArrow &arrow, const ArrowLook &look,
    const Theme &theme, const ChartFonts &fonts);
/// A curve with a head at its end.
void paintLine(QPainter &painter, const Curve &curve, const QColor &colour, double width,
    Qt::PenStyle style = Qt::SolidLine);
/// A note, and what joins it to what it is about.
void paintPaper(QPainter &painter, const QRectF &rect, const QStringList &lines, const Theme &theme,
    const ChartFonts &fonts);
/// Why a chart is drawn simply, in one line.
void paintRemark(QPainter &painter, const QString &remark, const QRectF &area, const Theme &theme,
    const ChartFonts &fonts);
void paintNoteLine(QPainter &painter, const Curve &line, const Theme &theme);
/// The disc that stands for the selected resource.
void paintToken(QPainter &painter, const QPointF &centre, const Theme &theme);

/// A whole chart as a picture, nothing selected.
void paintChart(
    QPainter &painter, const ChartLayout &layout, const Theme &theme, const ChartFonts &fonts);

/// "12 resources".
QString countText(qint64 count);

/// A curve as a painter takes it.
QPainterPath pathOf(const Curve &curve);

} // namespace instar
