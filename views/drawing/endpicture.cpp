// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/endpicture.h"

#include "views/drawing/chip.h"
#include "views/drawing/paint.h"
#include "views/drawing/text.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double highestRow = 12, leastBlockHeight = 3; ///< pixels
constexpr double widestColumn = 34;
constexpr double leastMarked = 10; ///< a block of this height has its status category's mark
constexpr double quietShare = 0.4; ///< of its colour, for what stays as it was

/// What is to be seen first where several share a pixel.
int urgency(const EndRow &row)
{
    constexpr std::array<int, 7> byStatusCategory { 0, 4, 4, 6, 3, 2, 1 };
    return 2 * byStatusCategory[size_t(row.statusCategory)] + (row.isOther ? 20 : 0);
}

QColor fillOf(const EndRow &row, const Theme &theme)
{
    return mixed(
        theme.base, theme.statusCategoryFill(row.statusCategory), row.isOther ? 1 : quietShare);
}

void paintBlock(QPainter &painter, const EndRow &row, const QRectF &block, const Theme &theme)
{
    const QColor line =
        row.isOther ? theme.statusCategoryLine(row.statusCategory) : theme.quietLine;
    painter.setPen(
        QPen(line, 1, row.statusCategory == StatusCategory::Absent ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(
        row.statusCategory == StatusCategory::Absent ? theme.base : fillOf(row, theme));
    painter.drawRect(block.adjusted(0.5, 0.5, -0.5, -0.5));
    constexpr double side = 6;
    if (row.isOther && block.height() >= leastMarked && block.width() >= leastMarked)
        paintMark(painter, QRectF(block.center() - QPointF(side, side) / 2, QSizeF(side, side)),
            row.statusCategory, theme.statusCategoryLine(row.statusCategory));
}

} // namespace

void paintEndTree(
    QPainter &painter, const QList<EndRow> &rows, const QRectF &area, const Theme &theme)
{
    if (rows.isEmpty())
        return;
    int levels = 0;
    for (const EndRow &row : rows)
        levels = std::max(levels, row.depth + 1);
    const double column = std::min(widestColumn, std::floor(area.width() / levels));
    const double height = std::min(highestRow, area.height() / double(rows.size()));
    // What is thinner than a block, by level and pixel.
    std::vector<const EndRow *> thin(size_t(levels) * size_t(std::ceil(area.height())), nullptr);
    painter.save();
    for (qsizetype i = 0, end = 0; i < rows.size(); ++i) {
        const EndRow &row = rows[i];
        for (end = i + 1; end < rows.size() && rows[end].depth > row.depth;)
            ++end;
        const double top = std::round(double(i) * height),
                     bottom = std::round(double(end) * height);
        if (bottom - top >= leastBlockHeight) {
            paintBlock(painter, row,
                { area.x() + row.depth * column, area.y() + top, column - 1, bottom - top - 1 },
                theme);
            continue;
        }
        const auto pixel = std::min(size_t(double(i) * height), size_t(area.height()) - 1);
        const EndRow *&seen = thin[pixel * size_t(levels) + size_t(row.depth)];
        if (!seen || urgency(row) > urgency(*seen))
            seen = &row;
    }
    for (size_t i = 0; i < thin.size(); ++i) {
        const size_t level = i % size_t(levels), pixel = i / size_t(levels);
        if (thin[i])
            painter.fillRect(
                QRectF(area.x() + double(level) * column, area.y() + double(pixel), column - 1, 1),
                thin[i]->isOther ? theme.statusCategoryLine(thin[i]->statusCategory)
                                 : fillOf(*thin[i], theme));
    }
    painter.restore();
}

void paintEndChart(QPainter &painter, const ChartLayout &layout,
    const QMap<Rules::StateId, int> &counts, const QRectF &area, const Theme &theme)
{
    if (layout.boxes.isEmpty() || layout.bounds.isEmpty())
        return;
    const double scale =
        std::min(area.width() / layout.bounds.width(), area.height() / layout.bounds.height());
    const auto small = [&](const QRectF &part) {
        return QRectF(area.topLeft() + (part.topLeft() - layout.bounds.topLeft()) * scale,
            part.size() * scale);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.quietLine, 1));
    const QTransform shrink = QTransform::fromTranslate(area.x(), area.y())
                                  .scale(scale, scale)
                                  .translate(-layout.bounds.x(), -layout.bounds.y());
    for (const ChartArrow &arrow : layout.arrows)
        painter.drawPath(shrink.map(pathOf(arrow.curve)));
    QFont font = painter.font();
    font.setPixelSize(9);
    painter.setFont(font);
    for (const ChartBox &box : layout.boxes) {
        const int count = counts.value(box.state);
        QRectF rect = small(box.outline.rect);
        constexpr double least = 11; // what holds something is seen, however small the chart is
        if (count && (rect.width() < least || rect.height() < least))
            rect = QRectF(rect.center() - QPointF(least, least) / 2, QSizeF(least, least));
        const double radius = std::min(box.outline.radius * scale, rect.height() / 2);
        painter.setPen(QPen(
            count ? theme.statusCategoryLine(box.statusCategory) : theme.line, count ? 1.5 : 1));
        painter.setBrush(box.isFrame() ? QBrush(Qt::NoBrush)
                : count                ? QBrush(theme.statusCategoryFill(box.statusCategory))
                                       : QBrush(theme.base));
        painter.drawRoundedRect(rect, radius, radius);
        painter.setPen(theme.statusCategoryText(box.statusCategory));
        const QString text = QString::number(count);
        if (count && painter.fontMetrics().horizontalAdvance(text) <= rect.width())
            drawText(painter, rect, Qt::AlignCenter, text);
    }
    painter.restore();
}

} // namespace instar
