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

/// The font of everything that the programs show and draw: Inter, which they carry with them, in
/// the size of the font that is given; that one itself where they were built without Inter.
QFont typeface(QFont like);

} // namespace instar
