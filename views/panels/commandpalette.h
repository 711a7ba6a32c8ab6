// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace instar {

/// Every action of a window in one list to be searched by typing.
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
    void offer(const QList<Command> &commands);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void choose();

    QList<Command> m_commands;
    QLineEdit *m_line;
    QListWidget *m_list;
};

} // namespace instar
