// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/text.h"

#include "model/foreigntext.h"

#include <QDirIterator>
#include <QFontDatabase>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace instar {

void drawText(QPainter &painter, const QRectF &rect, int flags, const QString &text)
{
    painter.drawText(rect, flags, visible(text));
}

void drawText(QPainter &painter, const QPointF &place, const QString &text)
{
    painter.drawText(place, visible(text));
}

void setInk(QPainter &painter, const QPen &pen, const QBrush &brush)
{
    painter.setPen(pen);
    painter.setBrush(brush);
}

QFont typeface(QFont like)
{
    static const QString family = [] {
        QString result;
        QDirIterator files(u":/instar/fonts"_s);
        while (files.hasNext()) {
            const int id = QFontDatabase::addApplicationFont(files.next());
            if (result.isEmpty())
                result = QFontDatabase::applicationFontFamilies(id).value(0);
        }
        return result;
    }();
    if (!family.isEmpty())
        like.setFamily(family);
    return like;
}

} // namespace instar
