// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/sheet.h"

#include "model/foreigntext.h"
#include "views/drawing/paint.h"
#include "views/drawing/text.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QUrl>

#include <cmath>

namespace instar {

namespace {

constexpr double highestTimeline = 12'000; ///< points; exceeded if rows would be unreadable
constexpr double usualRowHeight = 26;

constexpr double margin = sheetMargin, partGap = 36, titleHeight = 34;
constexpr double pixelsPerPoint = 2;
constexpr double leastPixelsPerPoint = 1; ///< text is unreadable below
constexpr double mostSide = 30'000;       ///< pixels of width or height
constexpr double mostPixels = 40e6;       ///< of a picture: 160 MB in memory

QFont titleFont(const ChartFonts &fonts)
{
    QFont font = fonts.state;
    font.setPixelSize(font.pixelSize() + 2);
    return font;
}

QSizeF sizeOf(const QList<SheetPart> &parts, const ChartFonts &fonts)
{
    double width = 1, height = -partGap;
    const QFontMetricsF metrics(titleFont(fonts));
    for (const SheetPart &part : parts) {
        width = std::max({ width, part.bounds().width(), metrics.horizontalAdvance(part.title) });
        height += part.bounds().height() + (part.title.isEmpty() ? 0 : titleHeight) + partGap;
    }
    return { std::ceil(width + 2 * margin), std::ceil(std::max(height, 1.0) + 2 * margin) };
}

/// Prefix of a mark: a text in an SVG that setAttributes() replaces by an attribute of the next
/// shape, because QSvgGenerator cannot write attributes.
constexpr QLatin1StringView attributeMark("instar-attribute:");

/// Draws a mark, so that the next shape gets an attribute. The value is percent-encoded: a text
/// that is not ASCII may need two fonts and would be drawn in pieces.
void markAttribute(QPainter &painter, const QString &key, const QString &value)
{
    drawText(painter, QPointF(),
        attributeMark + key + u'=' + QString::fromLatin1(QUrl::toPercentEncoding(value)));
}

void paintParts(
    QPainter &painter, const QList<SheetPart> &parts, const ChartFonts &fonts, const Theme &theme)
{
    double top = margin;
    for (const SheetPart &part : parts) {
        if (!part.title.isEmpty()) {
            painter.setFont(titleFont(fonts));
            painter.setPen(theme.text);
            drawText(painter, QPointF(margin, top + 18), part.title);
            top += titleHeight;
        }
        const QRectF bounds = part.bounds();
        painter.save();
        painter.translate(margin - bounds.left(), top - bounds.top());
        if (part.layout)
            paintChart(painter, *part.layout, theme, fonts);
        else if (part.timeline) {
            TimelinePicture picture = part.timeline->picture;
            if (painter.paintEngine()->type() == QPaintEngine::SVG)
                picture.mark = markAttribute;
            paintTimeline(painter, picture, part.timeline->treeWidth, theme);
        }
        painter.restore();
        top += bounds.height() + partGap;
    }
}

/// Replaces each mark by an attribute of the shape that follows it.
void setAttributes(QByteArray &svg)
{
    static const QRegularExpression mark(
        u"<text[^>]*>\\s*%1([\\w-]+)=([^<\\s]*)\\s*</text>"
        "((?:\\s|</?g\\b[^>]*>|</\\w+>)*+<(?!text)\\w+)?"_s.arg(attributeMark));
    const QString marked = QString::fromUtf8(svg);
    QString result;
    qsizetype at = 0;
    for (const QRegularExpressionMatch &match : mark.globalMatch(marked)) {
        result += marked.sliced(at, match.capturedStart() - at);
        at = match.capturedEnd();
        if (const QString shape = match.captured(3); !shape.isEmpty())
            result += u"%1 %2=\"%3\""_s.arg(shape, match.captured(1),
                htmlText(QUrl::fromPercentEncoding(match.captured(2).toLatin1())));
    }
    svg = (result + marked.sliced(at)).toUtf8();
}

void drawSvg(QBuffer &buffer, const Drawing &drawing)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(drawing.size.toSize());
    generator.setViewBox(QRectF(QPointF(), drawing.size));
    generator.setTitle(visible(drawing.title));
    QPainter painter(&generator);
    drawing.paint(painter);
    painter.end();
    buffer.close();
    setAttributes(buffer.buffer());
    // Browsers need the font's real name, and fallbacks.
    const auto family = [](const QString &name) {
        return "font-family=\"" + name.toHtmlEscaped().toUtf8();
    };
    buffer.buffer().replace(family(QFont().family()) + '"',
        family(QFontInfo(QFont()).family()) + ", Arial, Helvetica, sans-serif\"");
}

void drawPng(QBuffer &buffer, const Drawing &drawing, double scale)
{
    QImage image((drawing.size * scale).toSize().expandedTo({ 1, 1 }), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(scale, scale);
    drawing.paint(painter);
    painter.end();
    image.save(&buffer, "PNG");
}

void drawPdf(QBuffer &buffer, const Drawing &drawing)
{
    constexpr int resolution = 720;
    QPdfWriter writer(&buffer);
    writer.setCreator(u"instar"_s);
    writer.setTitle(visible(drawing.title));
    writer.setResolution(resolution);
    writer.setPageSize(QPageSize(drawing.size, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    painter.scale(resolution / 72.0, resolution / 72.0);
    drawing.paint(painter);
}

/// Pixels per point of a PNG; an error if the picture is too large for a readable one.
Result<double> pngScale(const QSizeF &size)
{
    const double fits = std::min(mostSide / std::max(size.width(), size.height()),
        std::sqrt(mostPixels / (size.width() * size.height())));
    if (fits < leastPixelsPerPoint)
        return Error {
            u"the picture measures %1 x %2 points, too many for a readable PNG (at most %3 million pixels, %4 a side); write an SVG or PDF instead"_s
                .arg(size.width())
                .arg(size.height())
                .arg(mostPixels / 1e6)
                .arg(mostSide)
        };
    return std::min(pixelsPerPoint, fits);
}

} // namespace

TimelineSheet::TimelineSheet(const Simulator &simulator, double width)
    : rules(simulator.rules()), world(simulator.world())
{
    Timeline timeline = timelineOf(simulator);
    picture.setRules(rules);
    picture.lines = std::make_shared<TimelineLines>(timeline);
    picture.timeline = std::make_shared<Timeline>(std::move(timeline));
    treeWidth = picture.usualTreeWidth();
    picture.timeline->show(simulator.moment());
    picture.setWorld(world, world.now);
    picture.showsCursor = picture.now < picture.end();
    const qint64 end = picture.end() - picture.timeline->begin();
    picture.scale = { .rowHeight = std::clamp(
                          highestTimeline / double(std::max<qsizetype>(1, picture.lines->count())),
                          leastRowHeight, usualRowHeight),
        .pixelsPerMs = width / double(std::max<qint64>(1, end)),
        .begin = picture.timeline->begin() };
}

std::optional<SheetFormat> sheetFormat(const QString &nameOrFile)
{
    static const QStringList suffixes { u"svg"_s, u"png"_s, u"pdf"_s }; // by SheetFormat
    const qsizetype format = suffixes.indexOf(nameOrFile.section(u'.', -1).toLower());
    return format < 0 ? std::nullopt : std::optional(SheetFormat(format));
}

QRectF SheetPart::bounds() const
{
    if (timeline)
        return { QPointF(), timelineSize(timeline->picture, timeline->treeWidth) };
    return layout ? layout->bounds : QRectF();
}

SheetPart sheetPart(const Statechart &chart, bool isOneOfSeveral, const Budget &budget)
{
    return { .title = isOneOfSeveral ? shownTitle(chart) : chart.title,
        .layout = chartLayout(chart, ChartFonts::from(QFont()), budget) };
}

SheetPart sheetPart(const Rules &rules, int machine, bool isOneOfSeveral, const Budget &budget)
{
    return { .title = isOneOfSeveral ? shownTitle(rules.pack().machines[machine]) : QString(),
        .layout = chartLayout(rules, machine, ChartFonts::from(QFont()), budget) };
}

SheetPart sheetPart(const Simulator &simulator, const QString &title)
{
    constexpr double timeWidth = 1000; ///< points
    return { .title = title, .timeline = std::make_shared<TimelineSheet>(simulator, timeWidth) };
}

Result<QByteArray> drawn(const Drawing &drawing, SheetFormat format)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (format == SheetFormat::Png) {
        const Result<double> scale = pngScale(drawing.size.expandedTo({ 1, 1 }));
        if (!scale)
            return Error { scale.error() };
        drawPng(buffer, drawing, *scale);
    } else if (format == SheetFormat::Svg) {
        drawSvg(buffer, drawing);
    } else {
        drawPdf(buffer, drawing);
    }
    return buffer.data();
}

Result<QByteArray> drawn(const Drawing &drawing, const QString &file)
{
    if (const std::optional<SheetFormat> format = sheetFormat(file))
        return drawn(drawing, *format);
    return Error { QCoreApplication::translate(
        "Drawing", "%1: the suffix names no picture format; end the name in .png, .svg or .pdf.")
                       .arg(file) };
}

Result<QByteArray> drawnSheet(
    const QList<SheetPart> &parts, SheetFormat format, const Theme &colours)
{
    Theme theme = colours;
    theme.window = theme.base;
    const ChartFonts fonts = ChartFonts::from(QFont());
    const QSizeF size = sizeOf(parts, fonts);
    const auto paint = [&](QPainter &painter) {
        if (theme.isDark) // a light theme leaves the white paper
            painter.fillRect(QRectF(QPointF(), size), theme.window);
        paintParts(painter, parts, fonts, theme);
    };
    return drawn({ size, paint, parts.isEmpty() ? QString() : parts.first().title }, format);
}

} // namespace instar
