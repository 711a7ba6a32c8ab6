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

    /// Rows with these paths stand out.
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
    /// What the rules allow beside what a server shows.
    void setForecast(const Forecast *forecast);
    void focusFilter();
    /// Where other programs find a resource that is dragged to them.
    void setAddress(ResourceModel::Address address) { m_model->setAddress(std::move(address)); }
    /// What an empty tree says; empty: as usual.
    void setPlaceholder(const QString &sentence);
    /// Opens rows, as far as there are not too many.
    void openRows();
    /// Rows of resources that are spoken of stand out, and the first one comes into sight.
    void setLookedAt(const QStringList &paths);
    /// How many resources are in which state, a label that may be shown elsewhere.
    QWidget *counts() const;
    /// The context menu of the selected resource, for whoever wants to show it.
    void fillMenu(QMenu &menu);

signals:
    void operationAsked(const QString &operation, const QString &path);
    void childAsked(const QString &parentPath);
    void whyAsked(const QString &path); ///< is it in its state

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    int widestChip() const; ///< pixels, of every state that a resource may show
    void sizeColumns();
    /// Columns that are hidden at first, in the header's menu.
    void offerColumns();
    void reopen(const QModelIndex &row); ///< it and what is below it, as far as they were open
    void showMenu(const QPoint &position);
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
    bool m_hasForecast = false;
    bool m_sizesColumns = true; ///< until the user does
    bool m_followsUser = true;  ///< false: the view moves the current row by itself
};

} // namespace instar
