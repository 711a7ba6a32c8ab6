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

void drawPngOf(QBuffer &buffer, const Drawing &drawing, double scale)
{
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
    case SheetFormat::Png: {
        const Result<double> scale = pngScale(drawing.size.expandedTo({ 1, 1 }));
        if (!scale)
            return Error { scale.error() };
        drawPngOf(buffer, drawing, *scale);
        break;
    }
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
