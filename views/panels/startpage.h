// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QTreeWidget;
class QTreeWidgetItem;

namespace instar {

/// What can be opened, over a window that goes on living: systems, files that were open lately, a
/// server.
class StartPage : public QDialog
{
    Q_OBJECT
public:
    /// A system, by its id or file.
    struct Start
    {
        QString id, title;
    };
    StartPage(const QList<Start> &systems, const QStringList &recent, QWidget *parent = nullptr);

signals:
    /// A system's id, or a file.
    void sourceAsked(const QString &source);
    void fileAsked();
    void serverAsked();

private:
    QTreeWidget *list(const QString &name);
    void openEntry(const QTreeWidgetItem *item);

    QTreeWidget *m_systems, *m_recent;
};

} // namespace instar
