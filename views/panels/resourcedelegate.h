// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QStyledItemDelegate>

namespace instar {

/// Paints the rows of a ResourceModel: type icon and name, the state as a chip, the running
/// operation.
class ResourceDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme &theme) { m_theme = theme; }
    /// Rows with these paths stand out.
    void setLookedAt(const QSet<QString> &paths) { m_lookedAt = paths; }
    bool isLookedAt(const QString &path) const { return m_lookedAt.contains(path); }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
        const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    void paintBadge(QPainter &painter, const QStyleOptionViewItem &option, double right) const;

    QSet<QString> m_lookedAt;
    Theme m_theme = Theme::light();
};

} // namespace instar
