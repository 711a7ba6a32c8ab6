// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QString>
#include <Qt>

class QPainter;
class QPointF;
class QRect;
class QRectF;

namespace instar {

// As QPainter::drawText() does, with visible(): names come from elsewhere.
void drawText(
    QPainter &painter, const QRectF &rect, int flags, const QString &text, QRectF *used = nullptr);
void drawText(QPainter &painter, const QRect &rect, int flags, const QString &text);
void drawText(QPainter &painter, const QPointF &place, const QString &text);

/// One line in a rectangle, as QPainter::drawText() writes it, with Qt::AlignmentFlag's. On pixels
/// what was laid out before is used again: to lay a text out costs several times what painting
/// does.
void paintText(
    QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &foreign);

/// The font of everything that the programs show and draw: Inter, which they carry with them, in
/// the size of the font that is given; that one itself where they were built without Inter.
QFont typeface(QFont like);

} // namespace instar
