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

/// Every action of a window, and whatever can be gone to in it, in one list to be searched by
/// typing.
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
    /// Something else that can be gone to.
    struct Place
    {
        QString text;
        std::function<void()> go;
    };
    /// Finds places by words that all stand in their texts: a bounded number of them.
    using Finder = std::function<QList<Place>(const QStringList &words)>;
    void offer(const QList<Command> &commands, Finder finder = {});

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void refresh();
    void choose(const QListWidgetItem *item);

    QList<Command> m_commands;
    Finder m_finder;
    QList<Place> m_places; ///< that are shown
    QLineEdit *m_line;
    QListWidget *m_list;
};

} // namespace instar
