// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBrush>
#include <QFont>
#include <QPen>
#include <QString>

class QPainter;
class QPointF;
class QRectF;

namespace instar {

// Draw a text with escapes for control characters, which names from packs and servers may have.
void drawText(QPainter &painter, const QRectF &rect, int flags, const QString &text);
void drawText(QPainter &painter, const QPointF &place, const QString &text);

/// Sets the pen and the brush of a painter.
void setInk(QPainter &painter, const QPen &pen, const QBrush &brush = Qt::NoBrush);

/// Font of everything that the programs show and draw: the bundled Inter in the size of `like`;
/// in a build without Inter, `like` itself.
QFont typeface(QFont like);

} // namespace instar
