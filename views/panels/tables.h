// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QList>
#include <QStyledItemDelegate>

#include <functional>
#include <utility>

class QAbstractItemModel;
class QTableView;

namespace instar {

/// Creates a table whose rows can be selected and copied: no grid, no row numbers, columns of the
/// given widths; the widest one takes the remaining room, but at least half of its given width.
/// `role`: item role of the text that copying a row yields.
QTableView *rowTable(QAbstractItemModel *model, int role, const QList<int> &widths);

/// Makes columns grow with their contents, up to `most` pixels.
void growWithContents(QTableView *view, const QList<int> &columns, int most);

/// Scrolls to new rows while the last row is visible.
void followTail(QTableView *view);

/// Look of a cell, apart from its text.
struct CellLook
{
    std::optional<StatusCategory> chip {}; ///< colours of a chip around the text
    std::optional<double> progress {};     ///< fraction of a bar behind the text; -1: waiting
    bool isFaint = false, isHighlighted = false;
};

/// Delegate that paints some cells as chips and some as progress bars.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using LookOf = std::function<CellLook(const QModelIndex &)>;
    RowDelegate(LookOf lookOf, QObject *parent)
        : QStyledItemDelegate(parent), m_lookOf(std::move(lookOf))
    { }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
        const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintLook(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index,
        const CellLook &look) const;

    LookOf m_lookOf;
};

} // namespace instar
