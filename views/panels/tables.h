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

/// Delegate that paints some cells as chips and some as progress bars.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    /// The status category of a cell's chip; nothing: it is plain text.
    using Chip = std::function<std::optional<StatusCategory>(const QModelIndex &)>;
    /// Progress of a cell's bar, 0 to 1, or -1 if it waits; nothing: no bar.
    using Bar = std::function<std::optional<double>(const QModelIndex &)>;

    /// True if a row is painted faint.
    using Faint = std::function<bool(const QModelIndex &)>;
    /// True if a row is highlighted.
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
