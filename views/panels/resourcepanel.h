// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/resourcemodel.h"
#include "views/drawing/theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QTreeView;

namespace instar {

class ResourceDelegate;

/// The resource tree with a line to filter it. What is selected is a path: it stays when the
/// resource goes.
class ResourcePanel : public QWidget
{
    Q_OBJECT
public:
    explicit ResourcePanel(const Controller &controller, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    const QString &selectedPath() const { return m_path; }
    void select(const QString &path);
    void focusFilter();
    /// Opens rows, as far as there are not too many.
    void openRows();
    /// The context menu of the selected resource, for whoever wants to show it.
    void fillMenu(QMenu &menu);

signals:
    void selected(const QString &path);
    void operationAsked(const QString &operation, const QString &path);
    void childAsked(const QString &parentPath);

private:
    void showMenu(const QPoint &position);
    void applyFilter();
    void showSelection();
    void showCounts();
    void copy(int role) const;

    const Controller &m_controller;
    ResourceModel *m_model;
    ResourceDelegate *m_delegate;
    QTreeView *m_view;
    QLineEdit *m_filter;
    QLabel *m_counts;
    QTimer m_typing;
    QString m_path;
    bool m_followsUser = true; ///< false: the view moves the current row by itself
};

} // namespace instar
