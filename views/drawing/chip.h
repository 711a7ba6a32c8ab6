// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

class QPainter;

namespace instar {

/// The status category's shape, filling a square: disc (rest), open ring (working), triangle
/// pointing down (removing), cross (failed), empty dashed ring (absent), two bars (waiting), a dash
/// (gone). `turn` (0 to 1) moves the working ring.
void paintMark(QPainter &painter, const QRectF &square, StatusCategory statusCategory,
    const QColor &colour, double turn = 0);

/// A rounded chip with the status category's shape and the word, left aligned in the rectangle; the
/// word is elided to fit.
void paintChip(QPainter &painter, const QRectF &rect, StatusCategory statusCategory,
    const QString &word, const Theme &theme);
/// What a chip needs when painted with a font.
QSizeF chipSize(const QString &word, const QFont &font);

} // namespace instar
