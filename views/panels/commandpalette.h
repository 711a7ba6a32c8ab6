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

/// Search dialog of a window's actions and destinations.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    explicit CommandPalette(QWidget *parent);

    struct Command
    {
        QString path; ///< in the menus: "File › Open"
        QAction *action = nullptr;
    };
    struct Destination
    {
        QString text; ///< such as the path of a resource
        std::function<void()> go;
    };
    /// Function that returns a bounded number of destinations whose texts contain all words. If
    /// open() got no commands, the words may be empty.
    using Finder = std::function<QList<Destination>(const QStringList &words)>;
    void open(const QString &placeholder, const QList<Command> &commands, Finder finder = {});

private:
    void refresh();
    void choose(const QListWidgetItem *item);

    QList<Command> m_commands;
    Finder m_finder;
    QList<std::function<void()>> m_acts; ///< of the rows of the list
    QLineEdit *m_line;
    QListWidget *m_list;
};

} // namespace instar
