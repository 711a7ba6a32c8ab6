// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>

#include <functional>

class QAction;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace instar {

/// Every action of a window, and every resource, in one list to be searched by typing.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    explicit CommandPalette(QWidget *parent);

    /// Where an action is found: "File › Open".
    struct Command
    {
        QString place;
        QAction *action = nullptr;
    };
    /// Finds resources by words that all stand in their paths: a bounded number of paths.
    using Finder = std::function<QStringList(const QStringList &words)>;
    void offer(const QList<Command> &commands, Finder finder = {});

signals:
    void resourceAsked(const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void choose(const QListWidgetItem *item);

    QList<Command> m_commands;
    Finder m_finder;
    QLineEdit *m_line;
    QListWidget *m_list;
};

} // namespace instar
