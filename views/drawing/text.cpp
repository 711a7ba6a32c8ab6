// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/text.h"

#include "model/foreigntext.h"

#include <QCache>
#include <QDirIterator>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QStaticText>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int mostKept = 8192; ///< texts: several screens full of them

struct Line
{
    QFont font;
    QString text;
    bool operator==(const Line &) const = default;
};

size_t qHash(const Line &line, size_t seed = 0)
{
    return qHashMulti(seed, line.font, line.text);
}

struct LaidOut
{
    QStaticText text;
    QSizeF size;
};

const LaidOut &laidOut(const QFont &font, const QString &text)
{
    thread_local QCache<Line, LaidOut> known(mostKept);
    const Line line { font, text };
    if (const LaidOut *found = known.object(line))
        return *found;
    auto *made = new LaidOut { QStaticText(text), {} };
    made->text.setTextFormat(Qt::PlainText);
    made->text.prepare({}, font);
    made->size = { made->text.size().width(), QFontMetricsF(font).height() };
    known.insert(line, made);
    return *made;
}

} // namespace

void drawText(QPainter &painter, const QRectF &rect, int flags, const QString &text, QRectF *used)
{
    painter.drawText(rect, flags, visible(text), used);
}

void drawText(QPainter &painter, const QRect &rect, int flags, const QString &text)
{
    painter.drawText(rect, flags, visible(text));
}

void drawText(QPainter &painter, const QPointF &place, const QString &text)
{
    painter.drawText(place, visible(text));
}

void paintText(
    QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &foreign)
{
    const QString text = visible(foreign);
    if (text.isEmpty())
        return;
    const QPaintEngine *engine = painter.paintEngine();
    // Left to Qt: what begins on the right, and what is told otherwise in one line than in several.
    const bool isPlain = !text.isRightToLeft() && !text.contains(u'\n') && !text.contains(u'\t');
    if (engine && engine->type() == QPaintEngine::Raster && isPlain) {
        const LaidOut &line = laidOut(painter.font(), text);
        const QSizeF room = rect.size() - line.size;
        if (room.width() >= 0 && room.height() >= 0) { // else it is cut off
            const double x = alignment & Qt::AlignHCenter ? room.width() / 2
                : alignment & Qt::AlignRight              ? room.width()
                                                          : 0;
            const double y = alignment & Qt::AlignVCenter ? room.height() / 2
                : alignment & Qt::AlignBottom             ? room.height()
                                                          : 0;
            painter.drawStaticText(rect.topLeft() + QPointF(x, y), line.text);
            return;
        }
    }
    painter.drawText(rect, int(alignment) | Qt::TextSingleLine, text);
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
