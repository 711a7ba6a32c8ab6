// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"
#include "views/drawing/picture.h"
#include "views/drawing/theme.h"

class QPainter;

namespace instar {

/// The colours that a file wishes, as far as they can be seen: text reaches a contrast of 4.5 on
/// what it stands on, lines 3, in both themes. A wish that is no colour is the theme's own.
struct SeenLook
{
    QColor fill, stroke, text;
    Qt::PenStyle style = Qt::SolidLine;
    double width = 1.5;
    bool operator==(const SeenLook &) const = default;
};

/// Of a box that stands on `ground` and is filled, edged and written in the usual colours if the
/// look does not say others.
SeenLook seenBox(const Look &look, const Theme &theme, const QColor &ground, const SeenLook &usual);
/// Of an arrow and its text.
SeenLook seenArrow(const Look &look, const Theme &theme, const QColor &ground);

void paintPicture(
    QPainter &painter, const ChartPicture &picture, const Theme &theme, const ChartFonts &fonts);

} // namespace instar
