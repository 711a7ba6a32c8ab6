// SPDX-License-Identifier: Apache-2.0
#include "views/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString fileOf(const QString &name)
{
    const QString file = u":/instar/icons/%1.svg"_s.arg(name);
    return QFile::exists(file) ? file : u":/instar/icons/generic.svg"_s;
}

/// Icon engine that reads the palette's colour at each paint, so that it follows the theme.
class LineIcon : public QIconEngine
{
public:
    explicit LineIcon(QString name) : m_name(std::move(name)) { }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const int size = std::min(rect.width(), rect.height());
        const QRect square(rect.x() + (rect.width() - size) / 2,
            rect.y() + (rect.height() - size) / 2, size, size);
        painter->drawPixmap(
            square, tinted(m_name, colour(mode), size, painter->device()->devicePixelRatioF()));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        return tinted(m_name, colour(mode), std::min(size.width(), size.height()), 1);
    }

    QIconEngine *clone() const override { return new LineIcon(m_name); }

private:
    static QColor colour(QIcon::Mode mode)
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::WindowText);
        return palette.color(QPalette::WindowText); // also in selected rows, which are only tinted
    }

    QString m_name;
};

} // namespace

QPixmap tinted(const QString &name, const QColor &colour, int size, double pixelRatio)
{
    const int pixels = std::max(qRound(size * pixelRatio), 1);
    const QString key =
        u"instar/%1/%2/%3"_s.arg(name, colour.name(QColor::HexArgb), QString::number(pixels));
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = QPixmap(pixels, pixels);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer(fileOf(name)).render(&painter);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), colour);
        painter.end();
        QPixmapCache::insert(key, pixmap);
    }
    pixmap.setDevicePixelRatio(pixelRatio);
    return pixmap;
}

QIcon icon(const QString &name)
{
    return QIcon(new LineIcon(name));
}

} // namespace instar
