// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QStyledItemDelegate>

#include <functional>
#include <utility>

namespace instar {

/// Table rows in which some cells are chips and some are bars; everything else is the style's.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    /// The mood of a cell's chip; nothing: it is plain text.
    using Chip = std::function<std::optional<Mood>(const QModelIndex &)>;
    /// How full a cell's bar is, 0 to 1, or -1 for one that waits; nothing: no bar.
    using Bar = std::function<std::optional<double>(const QModelIndex &)>;

    /// Whether a row is painted faint.
    using Faint = std::function<bool(const QModelIndex &)>;
    /// Whether a row is spoken of elsewhere, and stands out.
    using StandsOut = std::function<bool(const QModelIndex &)>;

    RowDelegate(Chip chip, Bar bar, QObject *parent)
        : QStyledItemDelegate(parent), m_chip(std::move(chip)), m_bar(std::move(bar))
    { }
    void setTheme(const Theme &theme) { m_theme = theme; }
    void setFaint(Faint faint) { m_faint = std::move(faint); }
    void setStandsOut(StandsOut standsOut) { m_standsOut = std::move(standsOut); }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
        const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintBar(
        QPainter &painter, const QRectF &cell, double fraction, const QString &text) const;

    Chip m_chip;
    Bar m_bar;
    Faint m_faint = [](const QModelIndex &) { return false; };
    StandsOut m_standsOut = [](const QModelIndex &) { return false; };
    Theme m_theme = Theme::light();
};

} // namespace instar
