// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/layout/geometry.h"
#include "views/drawing/chart.h"

#include <QPainterPath>

class QPainter;

namespace instar {

/// Appearance of a state at a moment.
struct BoxLook
{
    QString detail; ///< below its name: the number of resources in it
    bool isOccupied = true;
    bool isSelected = false, isHovered = false, isFocused = false;
    bool isCurrent = false;     ///< the selected resource is in it
    bool isHighlighted = false; ///< a highlighted resource is in it
    double dash = 0;            ///< offset of a transitional state's dashed edge, in points
    bool operator==(const BoxLook &) const = default;
};

struct ArrowLook
{
    QList<bool> lit; ///< per line: can happen now; missing values are false
    bool isSelected = false;
    int hovered = -1, focused = -1; ///< lines
    bool isFaded = false;           ///< cannot happen to the selected resource
    bool isHeld = false;            ///< a click fires nothing: lit lines are only darker
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
/// Applies a file's style to the usual ink, with enough contrast in the theme: 4.5 for text on its
/// fill, 3 for lines on `ground`. Invalid colours are ignored.
Ink inked(const Look &wish, const Theme &theme, const QColor &ground, const Ink &usual);

void paintBox(QPainter &painter, const ChartBox &box, const BoxLook &look, const Theme &theme,
    const ChartFonts &fonts);
/// Paints the line with its head, without its label.
void paintArrow(
    QPainter &painter, const ChartArrow &arrow, const ArrowLook &look, const Theme &theme);
void paintLabel(QPainter &painter, const ChartArrow &arrow, const ArrowLook &look,
    const Theme &theme, const ChartFonts &fonts);
/// Paints a curve with a head at its end.
void paintLine(QPainter &painter, const Curve &curve, const QColor &colour, double width,
    Qt::PenStyle style = Qt::SolidLine);
/// Paints a note, without the line to its state.
void paintPaper(QPainter &painter, const QRectF &rect, const QStringList &lines, const Theme &theme,
    const ChartFonts &fonts);
/// Paints the line that says why a chart is simplified.
void paintRemark(QPainter &painter, const QString &remark, const QRectF &area, const Theme &theme,
    const ChartFonts &fonts);
void paintNoteLine(QPainter &painter, const Curve &line, const Theme &theme);
/// Paints the disc that marks the selected resource.
void paintToken(QPainter &painter, const QPointF &centre, const Theme &theme);

/// Paints a whole chart, with nothing selected.
void paintChart(
    QPainter &painter, const ChartLayout &layout, const Theme &theme, const ChartFonts &fonts);

/// "12 resources".
QString countText(qint64 count);

/// Converts a curve for QPainter.
QPainterPath pathOf(const Curve &curve);

} // namespace instar
