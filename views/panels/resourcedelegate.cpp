// SPDX-License-Identifier: Apache-2.0
#include "views/panels/resourcedelegate.h"

#include "model/items/resourcemodel.h"
#include "views/drawing/chip.h"
#include "views/drawing/text.h"
#include "views/icons.h"
#include "views/look.h"

#include <QApplication>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace instar {

void ResourceDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideRight;
    if (!m_lookedAt.isEmpty() && m_lookedAt.contains(index.data(ResourceModel::Path).toString()))
        option->backgroundBrush = m_theme.accentFill;
    if (index.column() == ResourceModel::Name) {
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icon(index.data(ResourceModel::Icon).toString());
        option->decorationSize = QSize(16, 16);
        option->textElideMode = Qt::ElideMiddle;
    }
    if (index.column() != ResourceModel::Name)
        option->palette.setColor(QPalette::Text, m_theme.dimText);
}

void ResourceDelegate::paint(
    QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    if (index.column() != ResourceModel::StateWord) {
        QStyledItemDelegate::paint(painter, given, index);
        return;
    }
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QString word = option.text;
    option.text.clear();
    const QWidget *widget = option.widget;
    (widget ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &option, painter, widget);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(option.font);
    const QSizeF size = chipSize(word, option.font);
    const QRectF cell = QRectF(option.rect).adjusted(gap::small, 0, -gap::small, 0);
    const bool isDeviating = index.data(ResourceModel::Deviates).toBool();
    const double badge = isDeviating ? option.fontMetrics.height() + gap::small : 0;
    const double width = std::min(size.width(), cell.width() - badge);
    paintChip(*painter,
        QRectF(cell.x(), cell.center().y() - size.height() / 2, width, size.height()),
        Mood(index.data(ResourceModel::MoodOf).toInt()), word, m_theme);
    if (isDeviating)
        paintBadge(*painter, option, cell.x() + width);
    painter->restore();
}

/// A sign behind the chip: something was seen that the rules do not allow.
void ResourceDelegate::paintBadge(
    QPainter &painter, const QStyleOptionViewItem &option, double right) const
{
    const double size = option.fontMetrics.height();
    const double left = std::min(right + gap::small, double(option.rect.right()) - size);
    const QRectF badge(left, option.rect.center().y() - size / 2, size, size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.warningFill);
    painter.drawRoundedRect(badge, 3, 3);
    QFont bold = option.font;
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(m_theme.warning);
    drawText(painter, badge, Qt::AlignCenter, u"\u2260"_s);
}

QSize ResourceDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() == ResourceModel::StateWord)
        size.setWidth(int(chipSize(index.data().toString(), option.font).width()) + 2 * gap::normal
            + (index.data(ResourceModel::Deviates).toBool() ? option.fontMetrics.height() : 0));
    size.setHeight(std::max(size.height(), option.fontMetrics.height() + 10));
    return size;
}

} // namespace instar
