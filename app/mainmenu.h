// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/mainwindow.h"
#include "views/panels/commandpalette.h"

class QMenu;

namespace instar {

/// Menu bar of a window, and its command palette.
class MainMenu : public QObject
{
    Q_OBJECT
public:
    explicit MainMenu(MainWindow &window);

    /// Lets the user search rows of the pack in the editor, else resources in the timeline.
    void find();

private:
    void buildFileMenu();
    void buildEditMenu();
    void buildRunMenu();
    void buildOperationMenu();
    void offerOperations();
    void buildNetworkMenu();
    void buildViewMenu();
    void buildHelpMenu();
    QAction *add(QMenu *menu, const QString &icon, const QString &text, const QKeySequence &keys,
        std::function<void()> act);
    /// Enables an action while a condition holds; see refreshActions().
    void enableWhen(QAction *action, std::function<bool()> condition);
    void checkWhen(QAction *action, std::function<bool()> condition);
    void refreshActions();
    void addSource(QMenu *menu, const QString &text, const QString &source);
    QList<CommandPalette::Destination> destinations(const QStringList &words);
    QList<CommandPalette::Destination> scenarios(const QStringList &words);

    MainWindow &m_window;
    Program &m_program = m_window.program();
    Controller &m_controller = m_window.controller();
    RemoteController *const m_remote = m_window.remote(); ///< null for a simulator
    Network &m_network = m_window.network();
    Docks &m_docks = m_window.docks();
    StatechartView &m_chart = *m_window.chart();
    Editing *const m_editing = m_window.editing(); ///< null for a real server
    CommandPalette *m_palette;
    QList<QAction *> m_operations;                  ///< each fires one operation
    QAction *m_afterOperations = nullptr;           ///< follows m_operations in the menu
    QList<CommandPalette::Destination> m_scenarios; ///< cache of scenarios()
    struct Condition
    {
        QAction *action;
        void (QAction::*set)(bool);
        std::function<bool()> isMet;
    };
    QList<Condition> m_conditions; ///< refreshActions() applies them
};

} // namespace instar
