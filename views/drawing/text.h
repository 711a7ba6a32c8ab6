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

// QPainter::drawText() of visible(text), because names come from packs and servers.
void drawText(
    QPainter &painter, const QRectF &rect, int flags, const QString &text, QRectF *used = nullptr);
void drawText(QPainter &painter, const QRect &rect, int flags, const QString &text);
void drawText(QPainter &painter, const QPointF &place, const QString &text);

/// Font of everything that the programs show and draw: the bundled Inter in the size of `like`;
/// in a build without Inter, `like` itself.
QFont typeface(QFont like);

} // namespace instar
