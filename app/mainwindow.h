// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks.h"
#include "app/opening.h"
#include "app/settings.h"
#include "views/panels/commandpalette.h"
#include "views/selection.h"

#include <QMainWindow>

class QActionGroup;
class QBoxLayout;
class QLabel;
class QMenu;

namespace instar {

class ArmedPanel;
class Coverage;
struct ComparedPack;
struct Drawing;
class Comparing;
class Editing;
class EditingDocks;
class Judging;
class FireBar;
class Inspector;
class LessonList;
class LessonPanel;
class Network;
class NoticeBar;
class OutcomesRoom;
class Presenting;
class Program;
class QueuePanel;
class RecordPanel;
class RunCoverage;
class Timeline;
class TimelinePanel;
class StatechartView;
class Task;
class TaskStrip;
class Transport;

/// A pack at work: its resources, the live statechart of the selected one, and everything that
/// happens.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(Program &program, Opened content);
    ~MainWindow() override;

    Controller &controller() { return *m_controller; }
    /// The controller where it is a local one.
    Simulator &simulator() { return *m_simulator; }
    Network &network() { return *m_network; }
    /// Nothing has happened in it yet.
    bool isUntouched() const;
    void select(const QString &path);
    /// Fires what the fire bar describes, as another operation if one is named.
    void fire(const QString &operation = {});
    void showOperation(quint32 serial);
    /// Why is it so? The inspector tells, and what decided stands out in every view.
    void explain(const QString &path);
    void explainOperation(quint32 serial);
    /// Runs what was asked again under another value of a switch, and says what is otherwise now.
    void flip(const QString &name, const QString &value);
    void openBeside(const QString &source);
    bool isLocal() const { return m_simulator != nullptr; }
    /// What it shows, to be opened again.
    Settings::Open opened() const;
    /// Arms what another one of its kind had armed.
    void arm(const QByteArray &armed);
    TimelinePanel &timeline() { return *m_timeline; }
    OutcomesRoom &outcomesRoom() { return *m_outcomesRoom; }
    StatechartView *chart() { return m_chart; }
    Selection &selection() { return m_selection; }
    Presenting &presenting() { return *m_presenting; }
    /// The rooms and their panels.
    Docks &docks() { return *m_docks; }
    FireBar &fireBar() { return *m_fireBar; }
    /// What changes the pack; null where the controller is a real server.
    Editing *editing() { return m_editing; }
    Comparing *comparing() { return m_comparing; } ///< null: there is nothing to edit
    Judging &judging() { return *m_judging; }
    EditingDocks *editingDocks() { return m_editingDocks; } ///< null: there is nothing to edit
    LessonPanel *lesson() { return m_lesson; }              ///< null: none is followed here
    /// Which rules the local run has exercised until now.
    const Coverage &coverage();
    void showExercised(bool shown);
    /// What is said of documents that were lost.
    NoticeBar &lost() { return *m_lost; }
    /// Shows how far long work is until it has ended.
    void follow(Task *task);
    void askForFile();
    /// Enters a room by its name: "explore", "edit", "outcomes", "server", "learn".
    void enter(const QString &room);

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildCentre();
    void buildEditing(const Opened &content);
    void showTitle();
    void buildBar();
    void showRoom();
    void showLessons();
    QWidget *buildEdits();
    QWidget *buildTimeline();
    void addToggle(QDockWidget *dock, const std::function<qsizetype()> &count);
    void buildDocks(Opened &content);
    void playViolation(const QString &path);
    void buildLesson(Lesson lesson);
    void showInspector();
    /// In the inspector; the state's machine is the chart, too.
    void showState(int machine, const QString &state);
    void showRule(const QString &source);
    void followLesson();
    void buildStatus();
    void connectPanels();
    void applyMotion();
    void selectSomething();
    void selectKnown(const QString &path); ///< if there is such a resource
    /// In the status bar.
    void say(const QString &sentence, int ms = 5000);
    std::function<void(const QString &)> saying(int ms);
    void openTrace(const ComparedPack &pack, const Scenario &trace);
    void showFired(quint32 serial, const QString &path);
    void place();
    /// A speed at which what can be tried takes some seconds, and each piece of it can be seen.
    void chooseSpeed();
    void openServer();
    void showMachine();

    // what runs
    void playScenario();
    void wake();
    void lookAt(const QStringList &paths, const QSet<quint32> &serials);
    void showExplained();
    void offerSwitch(const QString &name);
    void fireWhenFree(quint32 refused);
    void fireWaiting();
    void end(quint32 serial, const QString &outcome);
    void cancel(quint32 serial);
    /// The operation that actions are about: the selected one if it runs, else the newest that
    /// runs; 0: none.
    quint32 runningOperation() const;

    // in mainmenu.cpp
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildRunMenu();
    void buildOperationMenu();
    void offerOperations();
    void buildViewMenu();
    void buildNetworkMenu();
    void buildHelpMenu();
    QAction *add(QMenu *menu, const QString &icon, const QString &text, const QKeySequence &keys,
        std::function<void()> act);
    QAction *addCheck(QMenu *menu, const QString &text, const QString &tip = {});
    QAction *addSource(QMenu *menu, const QString &text, const QString &source);
    QList<CommandPalette::Command> commands() const;
    QList<CommandPalette::Place> places(const QStringList &words);
    void save(const QString &title, const QString &path, const Result<QByteArray> &bytes);
    void savePicture(const QString &usualName, const Drawing &drawing);
    void exportRun();
    void showPage(const QString &name, const QString &title);
    void showShortcuts();
    void showAbout();

    Program &m_program;
    QString m_source;
    QString m_pack; ///< a built-in one's id, or a file
    Selection m_selection;
    std::optional<Scenario> m_scenario;
    Played m_played; ///< of it
    Controller *m_controller = nullptr;
    Simulator *m_simulator = nullptr; ///< null where the controller is a real server
    RemoteController *m_remote = nullptr;
    Network *m_network = nullptr;
    Editing *m_editing = nullptr;
    EditingDocks *m_editingDocks = nullptr;
    Comparing *m_comparing = nullptr;
    Judging *m_judging = nullptr;
    RunCoverage *m_coverage = nullptr; ///< null until it is asked for
    bool m_showsExercised = false;
    LessonPanel *m_lesson = nullptr;
    Presenting *m_presenting = nullptr;
    QString m_title; ///< of the window, but for what is not saved
    StatechartView *m_chart = nullptr;
    TimelinePanel *m_timeline = nullptr;
    QList<QAction *> m_operations; ///< in the menu, to fire one each
    QAction *m_afterOperations = nullptr;
    OutcomesRoom *m_outcomesRoom = nullptr;
    QLabel *m_chartTitle = nullptr, *m_chartMachine = nullptr;
    TaskStrip *m_tasks = nullptr;
    NoticeBar *m_lost = nullptr;
    NoticeBar *m_flipped = nullptr; ///< what another value of a switch has changed
    Inspector *m_inspector = nullptr;
    QueuePanel *m_queue = nullptr;
    RecordPanel *m_records = nullptr;
    Transport *m_transport = nullptr;
    FireBar *m_fireBar = nullptr;
    CommandPalette *m_palette = nullptr;
    std::optional<Request> m_waiting; ///< is fired when m_waitsFor has ended
    QString m_waitsFor;               ///< id
    Docks *m_docks = nullptr;
    QActionGroup *m_rooms = nullptr; ///< one action a room
    LessonList *m_lessons = nullptr;
    QBoxLayout *m_toggles = nullptr; ///< below the timeline
    QWidget *m_edits = nullptr;      ///< in the bar of Edit; null: there is nothing to edit
    QToolBar *m_bar = nullptr;       ///< rooms, and what is fired
};

} // namespace instar
