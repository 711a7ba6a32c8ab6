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

class Controller;

/// Creates a table whose rows can be selected and copied: no grid, no row numbers, columns of the
/// given widths; the widest one stretches, down to half. `role`: text that a row is copied as.
QTableView *rowTable(QAbstractItemModel *model, int role, const QList<int> &widths);

/// Makes columns grow with their contents, up to `most` pixels.
void growWithContents(QTableView *view, const QList<int> &columns, int most);

/// Returns a function for the text of an empty history list: `otherwise` or, if the time shown is
/// the beginning, how to see later events.
std::function<QString()> emptyHistory(const Controller &controller, const QString &otherwise);

/// Scrolls to new rows while the last row is visible.
void followTail(QTableView *view);

/// Look of a cell, beside its text.
struct CellLook
{
    std::optional<StatusCategory> chip {}; ///< colours of a chip around the text
    std::optional<double> progress {};     ///< length of a bar behind the text, or -1 if it waits
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
    void paintBar(
        QPainter &painter, const QRectF &cell, double fraction, const QString &text) const;

    LookOf m_lookOf;
};

} // namespace instar
