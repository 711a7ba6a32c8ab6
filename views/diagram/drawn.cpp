// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/drawn.h"

#include "views/drawing/sheet.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString drawnWords(const char *text)
{
    return QCoreApplication::translate("Drawing", text);
}

void drawPngOf(QBuffer &buffer, const Drawing &drawing)
{
    constexpr double pixels = 2, most = 20'000; // a side, in pixels
    const double side = std::max(drawing.size.width(), drawing.size.height());
    const double scale = std::min(pixels, most / std::max(side, 1.0));
    QImage image(
        (drawing.size * scale).toSize().expandedTo({ 1, 1 }), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(scale, scale);
    drawing.paint(painter);
    painter.end();
    image.save(&buffer, "PNG");
}

void drawSvgOf(QBuffer &buffer, const Drawing &drawing)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(drawing.size.toSize());
    generator.setViewBox(QRectF(QPointF(), drawing.size));
    QPainter painter(&generator);
    drawing.paint(painter);
}

void drawPdfOf(QBuffer &buffer, const Drawing &drawing)
{
    constexpr int resolution = 720;
    QPdfWriter writer(&buffer);
    writer.setCreator(u"instar"_s);
    writer.setResolution(resolution);
    writer.setPageSize(QPageSize(drawing.size, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    painter.scale(resolution / 72.0, resolution / 72.0);
    drawing.paint(painter);
}

} // namespace

Result<QByteArray> drawn(const Drawing &drawing, const QString &file)
{
    const std::optional<SheetFormat> format = sheetFormat(file);
    if (!format)
        return Error { drawnWords(
            "%1: its name does not say what to draw; end it in .png, .svg or .pdf.")
                           .arg(file) };
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    switch (*format) {
    case SheetFormat::Png:
        drawPngOf(buffer, drawing);
        break;
    case SheetFormat::Svg:
        drawSvgOf(buffer, drawing);
        break;
    case SheetFormat::Pdf:
        drawPdfOf(buffer, drawing);
        break;
    }
    return buffer.data();
}

} // namespace instar
