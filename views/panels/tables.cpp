// SPDX-License-Identifier: Apache-2.0
#include "views/panels/tables.h"

#include "views/look.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include <memory>

namespace instar {

QTableView *rowTable(QAbstractItemModel *model, int role, const QList<int> &widths)
{
    auto *view = new QTableView;
    view->setModel(model);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setAlternatingRowColors(true);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTabKeyNavigation(false);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    view->setTextElideMode(Qt::ElideMiddle);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 10);
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view->horizontalHeader()->setStretchLastSection(true);
    for (int column = 0; column < widths.size(); ++column)
        view->horizontalHeader()->resizeSection(column, widths[column]);
    makeRowsCopyable(view, role);
    return view;
}

void followTail(QTableView *view)
{
    const auto atEnd = std::make_shared<bool>(true);
    QObject::connect(
        view->model(), &QAbstractItemModel::rowsAboutToBeInserted, view, [view, atEnd] {
            const QScrollBar *bar = view->verticalScrollBar();
            *atEnd = bar->value() >= bar->maximum();
        });
    QObject::connect(view->model(), &QAbstractItemModel::rowsInserted, view, [view, atEnd] {
        if (*atEnd)
            view->scrollToBottom();
    });
}

} // namespace instar
