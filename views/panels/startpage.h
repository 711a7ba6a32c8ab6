// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QTreeWidget;
class QTreeWidgetItem;

namespace instar {

/// Dialog of everything that can be opened: systems, recent files, a server. The window behind it
/// stays active.
class StartPage : public QDialog
{
    Q_OBJECT
public:
    /// System that can be opened, by its id or file.
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
};

} // namespace instar
