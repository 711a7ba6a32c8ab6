// SPDX-License-Identifier: Apache-2.0
#include "views/panels/rowdelegate.h"

#include "views/drawing/chip.h"
#include "views/drawing/text.h"
#include "views/look.h"

#include <QApplication>
#include <QPainter>

namespace instar {

namespace {

constexpr double faintOpacity = 0.5;

} // namespace

void RowDelegate::paint(
    QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    const std::optional<Mood> mood = m_chip(index);
    const std::optional<double> bar = m_bar(index);
    if (m_standsOut(index))
        painter->fillRect(given.rect, m_theme.accentFill);
    painter->setOpacity(m_faint(index) ? faintOpacity : 1);
    if (!mood && !bar) {
        QStyledItemDelegate::paint(painter, given, index);
        painter->setOpacity(1);
        return;
    }
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QString text = option.text;
    option.text.clear();
    const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
    if (text.isEmpty()) {
        painter->setOpacity(1);
        return;
    }

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(option.font);
    const QRectF cell = QRectF(option.rect).adjusted(gap::small, 0, -gap::small, 0);
    if (mood) {
        const QSizeF size = chipSize(text, option.font);
        const double width = std::min(size.width(), cell.width());
        paintChip(*painter,
            QRectF(cell.x(), cell.center().y() - size.height() / 2, width, size.height()), *mood,
            text, m_theme);
    } else {
        paintBar(*painter, cell, *bar, text);
    }
    painter->restore();
    painter->setOpacity(1);
}

void RowDelegate::paintBar(
    QPainter &painter, const QRectF &cell, double fraction, const QString &text) const
{
    const double height = painter.fontMetrics().height() + 2;
    const QRectF frame(cell.x(), cell.center().y() - height / 2, cell.width(), height);
    const Theme::Tone &tone = m_theme.tones[size_t(Mood::Working)];
    painter.setPen(QPen(m_theme.quietLine, 1));
    painter.setBrush(m_theme.base);
    painter.drawRoundedRect(frame, 3, 3);
    if (fraction > 0) {
        painter.save();
        painter.setClipRect(
            QRectF(frame.topLeft(), QSizeF(frame.width() * fraction, frame.height())));
        painter.setPen(Qt::NoPen);
        painter.setBrush(tone.fill);
        painter.drawRoundedRect(frame, 3, 3);
        painter.restore();
    }
    if (fraction < 0) {
        painter.setPen(QPen(tone.line, 1.5, Qt::DashLine));
        painter.setBrush(tone.fill);
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
    painter.setPen(fraction < 0 ? tone.text : m_theme.text);
    drawText(painter, frame.adjusted(gap::small, 0, -gap::small, 0), Qt::AlignCenter,
        painter.fontMetrics().elidedText(
            text, Qt::ElideRight, int(frame.width()) - 2 * gap::small));
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (m_chip(index))
        size.setWidth(
            int(chipSize(index.data().toString(), option.font).width()) + 2 * gap::normal);
    size.setHeight(std::max(size.height(), option.fontMetrics.height() + 10));
    return size;
}

} // namespace instar
