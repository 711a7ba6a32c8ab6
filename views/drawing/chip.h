// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

class QPainter;

namespace instar {

/// Paints the shape of a status category into a square: disc (rest), open ring (working), triangle
/// pointing down (removing), cross (failed), dashed ring (absent), two bars (waiting), dash (gone).
/// `turn` (0 to 1) rotates the working ring.
void paintMark(QPainter &painter, const QRectF &square, StatusCategory statusCategory,
    const QColor &colour, double turn = 0);

/// Paints a rounded chip with the status category's shape and the word, left aligned in the
/// rectangle; the word is elided to fit.
void paintChip(QPainter &painter, const QRectF &rect, StatusCategory statusCategory,
    const QString &word, const Theme &theme);
/// Paints the sign that a server violates the rules into a square.
void paintViolation(QPainter &painter, const QRectF &square, const Theme &theme);
/// Size of a chip painted with a font.
QSizeF chipSize(const QString &word, const QFont &font);

} // namespace instar
