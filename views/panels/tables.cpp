// SPDX-License-Identifier: Apache-2.0
#include "views/panels/tables.h"

#include "views/drawing/chip.h"
#include "views/drawing/text.h"
#include "views/look.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <memory>

namespace instar {

namespace {

/// Event filter that gives one column the remaining width, down to a minimum.
class StretchColumn : public QObject
{
public:
    StretchColumn(QTableView *view, int column, int least)
        : QObject(view), m_view(view), m_column(column), m_least(least)
    {
        view->viewport()->installEventFilter(this);
        connect(view->horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int resized) { stretch(resized); });
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize)
            stretch(-1);
        return QObject::eventFilter(watched, event);
    }

private:
    void stretch(int resized)
    {
        QHeaderView *header = m_view->horizontalHeader();
        if (resized == m_column) // the user or this function resized it
            return;
        const int others = header->length() - header->sectionSize(m_column);
        header->resizeSection(m_column, std::max(m_view->viewport()->width() - others, m_least));
    }

    QTableView *m_view;
    int m_column, m_least;
};

constexpr double faintOpacity = 0.65; ///< keeps a contrast of 4.5 of the text

void paintBar(QPainter &painter, const QRectF &cell, double fraction, const QString &text)
{
    const double height = painter.fontMetrics().height() + 2;
    const QRectF frame(cell.x(), cell.center().y() - height / 2, cell.width(), height);
    const Theme::Tone &tone = theme().tones[size_t(StatusCategory::Working)];
    painter.setPen(QPen(theme().quietLine, 1));
    painter.setBrush(theme().base);
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
    painter.setPen(fraction < 0 ? tone.text : theme().text);
    drawText(painter, frame.adjusted(gap::small, 0, -gap::small, 0), Qt::AlignCenter,
        painter.fontMetrics().elidedText(
            text, Qt::ElideRight, int(frame.width()) - 2 * gap::small));
}

} // namespace

QTableView *rowTable(QAbstractItemModel *model, int role, const QList<int> &widths)
{
    auto *view = new QTableView;
    // Prevents scrolling to the row that becomes current when the current one is removed. Connected
    // before setModel(), so that it runs before the selection's own slot.
    QObject::connect(model, &QAbstractItemModel::rowsAboutToBeRemoved, view,
        [view] { view->setAutoScroll(false); });
    view->setModel(model);
    QObject::connect(
        model, &QAbstractItemModel::rowsRemoved, view, [view] { view->setAutoScroll(true); });
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setAlternatingRowColors(true);
    view->setMinimumHeight(36); // a dock may be low
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTabKeyNavigation(false);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setTextElideMode(Qt::ElideMiddle);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 10);
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 0; column < widths.size(); ++column)
        view->horizontalHeader()->resizeSection(
            column, std::max(widths[column], view->horizontalHeader()->sectionSizeHint(column)));
    const auto widest = std::ranges::max_element(widths);
    new StretchColumn(view, int(widest - widths.begin()), *widest / 2);
    makeRowsCopyable(view, role);
    return view;
}

void growWithContents(QTableView *view, const QList<int> &columns, int most)
{
    constexpr int mostMeasured = 200; ///< most rows to measure: the last of the new ones
    const auto grow = [=](const QModelIndex &, int first, int last) {
        QHeaderView *header = view->horizontalHeader();
        for (int row = std::max(first, last - mostMeasured); row <= last; ++row) {
            for (const int column : columns) {
                const QString text = view->model()->index(row, column).data().toString();
                const int wanted = view->fontMetrics().horizontalAdvance(text) + 2 * gap::normal;
                if (header->sectionSize(column) < std::min(wanted, most))
                    header->resizeSection(column, std::min(wanted, most));
            }
        }
    };
    QObject::connect(view->model(), &QAbstractItemModel::rowsInserted, view, grow);
    QObject::connect(view->model(), &QAbstractItemModel::dataChanged, view,
        [=](const QModelIndex &first, const QModelIndex &last) {
            const bool isListed = std::ranges::any_of(columns,
                [&](int column) { return first.column() <= column && column <= last.column(); });
            if (isListed)
                grow({}, first.row(), last.row());
        });
    grow({}, 0, view->model()->rowCount() - 1);
}

void followTail(QTableView *view)
{
    QScrollBar *bar = view->verticalScrollBar();
    const auto follows = std::make_shared<bool>(true);
    // Only scrolling by the user stops following, not new rows or a view that gets less high.
    QObject::connect(bar, &QScrollBar::valueChanged, view,
        [=](int value) { *follows = value >= bar->maximum(); });
    QObject::connect(bar, &QScrollBar::rangeChanged, view, [=](int, int maximum) {
        if (*follows)
            bar->setValue(maximum);
    });
    QObject::connect(view->model(), &QAbstractItemModel::rowsInserted, view, [=] {
        if (*follows)
            view->scrollToBottom();
    });
    // Keeps the visible rows in place when rows above them are removed.
    QObject::connect(view->model(), &QAbstractItemModel::rowsRemoved, view,
        [=](const QModelIndex &, int first, int last) {
            if (!*follows && first < bar->value())
                bar->setValue(first + std::max(bar->value() - last - 1, 0));
        });
}

void RowDelegate::paint(
    QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    const CellLook look = m_lookOf(index);
    painter->save();
    if (look.isHighlighted)
        painter->fillRect(given.rect, theme().accentFill);
    painter->setOpacity(look.isFaint && !look.chip ? faintOpacity : 1);
    if (look.chip || look.progress)
        paintLook(*painter, given, index, look);
    else
        QStyledItemDelegate::paint(painter, given, index);
    painter->restore();
}

void RowDelegate::paintLook(QPainter &painter, const QStyleOptionViewItem &given,
    const QModelIndex &index, const CellLook &look) const
{
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QString text = option.text;
    option.text.clear();
    const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &option, &painter, option.widget);
    if (text.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(option.font);
    const QRectF cell = QRectF(option.rect).adjusted(gap::small, 0, -gap::small, 0);
    if (!look.chip)
        return paintBar(painter, cell, *look.progress, text);
    const QSizeF size = chipSize(text, option.font);
    const double width = std::min(size.width(), cell.width());
    paintChip(painter,
        QRectF(cell.x(), cell.center().y() - size.height() / 2, width, size.height()), *look.chip,
        text, theme());
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (m_lookOf(index).chip)
        size.setWidth(int(chipSize(index.data().toString(), option.font).width()) + gap::normal);
    return size;
}

} // namespace instar
