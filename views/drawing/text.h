// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <Qt>

class QPainter;
class QRectF;

namespace instar {

/// One line in a rectangle, as QPainter::drawText() writes it, with Qt::AlignmentFlag's. On pixels
/// what was laid out before is used again: to lay a text out costs several times what painting does.
void paintText(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text);

} // namespace instar
