// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/resourcemodel.h"
#include "views/panels/tables.h"
#include "views/selection.h"

#include <QSet>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QTreeView;

namespace instar {

/// Rows of a ResourceModel: type icon and name, the state as a chip, the running operation.
class ResourceDelegate : public RowDelegate
{
    Q_OBJECT
public:
    explicit ResourceDelegate(QObject *parent);

    /// Highlights the rows of these paths.
    void setLookedAt(const QSet<QString> &paths) { m_lookedAt = paths; }
    bool isLookedAt(const QString &path) const { return m_lookedAt.contains(path); }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
    bool hasBadge(const QModelIndex &index) const override;

private:
    QSet<QString> m_lookedAt;
};

/// The resource tree with a line to filter it.
class ResourcePanel : public QWidget
{
    Q_OBJECT
public:
    ResourcePanel(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Shows what the rules allow beside what a server shows.
    void setConformance(const LiveConformance *conformance);
    void focusFilter();
    /// URL that a dragged resource has for other programs.
    void setAddress(ResourceModel::Address address) { m_model->setAddress(std::move(address)); }
    /// Text of an empty tree; empty: the usual one.
    void setPlaceholder(const QString &sentence);
    /// Expands the rows; of many only the first level.
    void openRows();
    /// Highlights the rows of these resources and scrolls to the first one.
    void setLookedAt(const QStringList &paths);
    /// Label with the number of resources in each state, to be shown elsewhere.
    QWidget *counts() const;
    /// Fills the context menu of the selected resource.
    void fillMenu(QMenu &menu);

signals:
    void operationAsked(const QString &operation, const QString &path);
    void childAsked(const QString &parentPath);
    void whyAsked(const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    int widestChip() const; ///< pixels, over all states
    void sizeColumns();
    /// Columns that are hidden at first, in the header's menu.
    void offerColumns();
    void reopen(const QModelIndex &row); ///< it and what is below it, as far as they were open
    void applyFilter();
    void goToMatch();
    void openMatches();
    void showSelection();
    void showCounts();
    void copy(int role) const;

    const Controller &m_controller;
    Selection &m_selection;
    ResourceModel *m_model;
    ResourceDelegate *m_delegate;
    QTreeView *m_view;
    QLineEdit *m_filter;
    QLabel *m_counts;
    QTimer m_typing;
    QSet<QString> m_open; ///< paths of the rows that are open while nothing is filtered
    bool m_hasConformance = false;
    bool m_sizesColumns = true; ///< until the user does
    bool m_followsUser = true;  ///< false: the view moves the current row by itself
};

} // namespace instar
