// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/chip.h"

#include "views/drawing/text.h"

#include <QFontMetricsF>
#include <QPainter>

namespace instar {

namespace {

double markSize(const QFontMetricsF &metrics)
{
    return std::round(metrics.capHeight() * 0.95);
}

} // namespace

void paintMark(QPainter &painter, const QRectF &square, StatusCategory statusCategory,
    const QColor &colour, double turn)
{
    const double side = square.width();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    setInk(painter, Qt::NoPen);
    using Category = StatusCategory;
    if (statusCategory == Category::Rest) {
        painter.setBrush(colour);
        painter.drawEllipse(square);
    } else if (statusCategory == Category::Working) {
        const double width = side * 0.24;
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap));
        const QRectF ring = square.adjusted(width / 2, width / 2, -width / 2, -width / 2);
        painter.drawArc(ring, int(16 * (60 - 360 * turn)), 16 * 265);
    } else if (statusCategory == Category::Removing) {
        painter.setBrush(colour);
        const double top = square.top() + side * 0.12;
        painter.drawPolygon(QPolygonF { { square.left(), top }, { square.right(), top },
            { square.center().x(), square.bottom() } });
    } else if (statusCategory == Category::Failed) {
        const double inset = side * 0.16;
        const QRectF cross = square.adjusted(inset, inset, -inset, -inset);
        painter.setPen(QPen(colour, side * 0.26, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(cross.topLeft(), cross.bottomRight());
        painter.drawLine(cross.topRight(), cross.bottomLeft());
    } else if (statusCategory == Category::Absent) {
        const double width = side * 0.16;
        painter.setPen(QPen(colour, width, Qt::DotLine, Qt::FlatCap));
        painter.drawEllipse(square.adjusted(width / 2, width / 2, -width / 2, -width / 2));
    } else if (statusCategory == Category::Waiting) {
        painter.setBrush(colour);
        const QRectF bar(
            square.left() + side * 0.12, square.top() + side * 0.08, side * 0.26, side * 0.84);
        painter.drawRect(bar);
        painter.drawRect(bar.translated(side * 0.5, 0));
    } else { // gone
        painter.setBrush(colour);
        painter.drawRect(
            QRectF(square.left(), square.center().y() - side * 0.13, side, side * 0.26));
    }
    painter.restore();
}

void paintChip(QPainter &painter, const QRectF &rect, StatusCategory statusCategory,
    const QString &word, const Theme &theme)
{
    const QFontMetricsF metrics(painter.font());
    const QSizeF size = chipSize(word, painter.font());
    const QRectF chip(rect.left(), rect.center().y() - size.height() / 2,
        std::min(size.width(), rect.width()), size.height());
    const double mark = markSize(metrics);
    const double padding = size.height() * 0.42;

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    setInk(painter, QPen(theme.statusCategoryLine(statusCategory), 1),
        theme.statusCategoryFill(statusCategory));
    const QRectF outline = chip.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(outline, outline.height() / 2, outline.height() / 2);
    const QRectF square(chip.left() + padding, chip.center().y() - mark / 2, mark, mark);
    paintMark(painter, square, statusCategory, theme.statusCategoryLine(statusCategory));
    painter.setPen(theme.statusCategoryText(statusCategory));
    const QRectF text(square.right() + mark * 0.6, chip.top(),
        chip.right() - padding - square.right() - mark * 0.6 + 1, chip.height());
    drawText(painter, text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        metrics.elidedText(word, Qt::ElideRight, text.width()));
    painter.restore();
}

void paintViolation(QPainter &painter, const QRectF &square, const Theme &theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    setInk(painter, QPen(theme.warning, 1.2), theme.warningFill);
    painter.drawRoundedRect(square, 4, 4);
    QFont font = painter.font();
    font.setPixelSize(int(square.height() * 0.78));
    font.setWeight(QFont::Bold);
    painter.setFont(font);
    drawText(painter, square, Qt::AlignCenter, u"\u2260"_s);
    painter.restore();
}

QSizeF chipSize(const QString &word, const QFont &font)
{
    const QFontMetricsF metrics(font);
    const double height = std::ceil(metrics.height() * 1.2) + 2;
    const double mark = markSize(metrics);
    return { std::ceil(2 * height * 0.42 + mark * 1.6 + metrics.horizontalAdvance(word)) + 1,
        height };
}

} // namespace instar
