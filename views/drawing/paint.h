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
    QString detail; ///< text below the state's name: the number of resources in the state
    bool isOccupied = true;
    bool isSelected = false, isHovered = false, isFocused = false;
    bool isCurrent = false;     ///< the selected resource is in the state
    bool isHighlighted = false; ///< a highlighted resource is in the state
    double dash = 0;            ///< offset of a transitional state's dashed edge, in points
    bool operator==(const BoxLook &) const = default;
};

/// Appearance of an arrow at a moment.
struct ArrowLook
{
    QList<bool> lit; ///< per line of the label: its transition can happen now; missing: false
    bool isSelected = false;
    int hovered = -1, focused = -1; ///< lines of the label; -1: none
    bool isFaded = false;           ///< no line can happen to the selected resource
    bool isHeld = false;            ///< clicks fire nothing: lit lines lack the accent colour
    bool isFaint = false;           ///< half transparent
    bool hidesLabel = false;
    bool operator==(const ArrowLook &) const = default;

    /// Lit and hovered arrows lie above others.
    bool isLifted() const { return lit.contains(true) || hovered >= 0; }
};

/// Appearance of a chart at a moment. Boxes and arrows without a look: as in an exported file.
struct ChartLooks
{
    QList<BoxLook> boxes;
    QList<ArrowLook> arrows;
    std::optional<QPointF> token = {};    ///< disc that marks the selected resource
    std::optional<ChartFonts> fonts = {}; ///< of boxes and labels; absent: those of the layout
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
/// fill, 3 for lines on the window. Ignores invalid colours.
Ink inked(const ChartStyle &style, const Theme &theme, const Ink &usual);

/// Paints an arrow along a curve.
void paintLine(QPainter &painter, const Curve &curve, const QColor &colour, double width,
    Qt::PenStyle style = Qt::SolidLine);
/// Rectangles that contain all that is painted of a box or an arrow.
QRectF paintedRect(const ChartBox &box);
QRectF paintedRect(const ChartArrow &arrow);
/// Rectangle of an arrow's label, whose texts may be wider in these fonts than in the layout's.
QRectF labelRect(const ChartArrow &arrow, const ChartFonts &fonts);
QRectF tokenRect(const QPointF &centre);
/// Returns the centre of the token of a resource in a state: beside the texts, or on the box's
/// corner if texts in these fonts would be under it.
QPointF tokenCentre(const ChartBox &box, const ChartFonts &fonts);

/// Paints a chart. Boxes and arrows outside of `exposed` are omitted; null: none are.
void paintChart(QPainter &painter, const ChartLayout &layout, const Theme &theme,
    const ChartFonts &fonts, const ChartLooks &looks = {}, const QRectF &exposed = {});

/// "12 resources".
QString countText(qint64 count);

QPainterPath pathOf(const Curve &curve);

} // namespace instar
