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

/// A table that shows rows to be selected and copied: no grid, no row numbers, columns of the given
/// widths, the widest one as wide as there is room, down to half. `role` holds a row's text.
QTableView *rowTable(QAbstractItemModel *model, int role, const QList<int> &widths);

/// These columns grow with what is in their rows, up to so many pixels.
void growWithContents(QTableView *view, const QList<int> &columns, int most);

/// What a list of what has happened says while there is nothing in it: `otherwise`, or where time
/// was taken back to the beginning, how to see the rest.
std::function<QString()> emptyHistory(const Controller &controller, const QString &otherwise);

/// New rows stay in sight as long as the last row is.
void followTail(QTableView *view);

/// Rows in which some cells are chips and some are bars; everything else is the style's.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    /// The status category of a cell's chip; nothing: it is plain text.
    using Chip = std::function<std::optional<StatusCategory>(const QModelIndex &)>;
    /// How full a cell's bar is, 0 to 1, or -1 for one that waits; nothing: no bar.
    using Bar = std::function<std::optional<double>(const QModelIndex &)>;

    /// Whether a row is painted faint.
    using Faint = std::function<bool(const QModelIndex &)>;
    /// Whether a row is spoken of elsewhere, and stands out.
    using StandsOut = std::function<bool(const QModelIndex &)>;

    RowDelegate(Chip chip, QObject *parent) : QStyledItemDelegate(parent), m_chip(std::move(chip))
    { }
    void setBar(Bar bar) { m_bar = std::move(bar); }
    void setFaint(Faint faint) { m_faint = std::move(faint); }
    void setStandsOut(StandsOut standsOut) { m_standsOut = std::move(standsOut); }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
        const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintBar(
        QPainter &painter, const QRectF &cell, double fraction, const QString &text) const;

    Chip m_chip;
    Bar m_bar = [](const QModelIndex &) { return std::optional<double>(); };
    Faint m_faint = [](const QModelIndex &) { return false; };
    StandsOut m_standsOut = [](const QModelIndex &) { return false; };
};

} // namespace instar
