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

class Coverage;
struct Drawing;
struct Explanation;
class Editing;
class FireBar;
struct History;
class Inspector;
class LessonList;
class LessonPanel;
class Network;
class NoticeBar;
class OutcomesPanel;
class Presenting;
class Program;
class QueuePanel;
class RecordPanel;
struct Recording;
class RunCoverage;
class TimelinePanel;
class StatechartView;
class Task;
class TaskStrip;
class Transport;

/// Window of one pack and its run: the resources, the live statechart of the selected one, and the
/// timeline.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(Program &program, Opened content);
    ~MainWindow() override;

    Controller &controller() { return *m_controller; }
    /// The local controller. Requires isLocal().
    Simulator &simulator() { return *m_simulator; }
    Network &network() { return *m_network; }
    /// Returns true if another window may replace this one: the user would lose nothing.
    bool isUntouched() const;
    void select(const QString &path);
    void selectKnown(const QString &path); ///< selects the resource if it exists
    /// Fires the request in the fire bar, after changing its operation if one is given.
    void fire(const QString &operation = {});
    void showOperation(quint32 serial);
    /// Explains the resource's state in the inspector and highlights the evidence in every view.
    void explain(const QString &path);
    void explainOperation(quint32 serial);
    void openBeside(const QString &source);
    /// Shows a sentence in the status bar.
    void say(const QString &sentence);
    Program &program() { return m_program; }
    /// Id of the built-in pack, or its file, as scenarios name it.
    const QString &pack() const { return m_pack; }
    bool isLocal() const { return m_simulator != nullptr; }
    /// Source, selection, burst and run of the window, for the next session.
    Settings::Open opened() const;
    /// Adds the requests of a burst in the form of Settings::Open::armed.
    void arm(const QByteArray &burst);
    TimelinePanel &timeline() { return *m_timeline; }
    OutcomesPanel &outcomes() { return *m_outcomes; }
    /// Shows the room Outcomes and searches the outcomes of these operations. `subject`: id of a
    /// choice in the panel; empty: the current choice.
    void askOutcomes(const QString &subject = {});
    StatechartView *chart() { return m_chart; }
    Selection &selection() { return m_selection; }
    Presenting &presenting() { return *m_presenting; }
    Docks &docks() { return *m_docks; }
    FireBar &fireBar() { return *m_fireBar; }
    /// Editor of the pack; null if the controller is a real server.
    Editing *editing() { return m_editing; }
    LessonPanel *lesson() { return m_lesson; } ///< null if the window has no lesson
    const Coverage &coverage();
    void showExercised(bool shown);
    /// Notice that offers to recover unsaved documents of a crashed program.
    NoticeBar &lost() { return *m_lost; }
    /// Shows the progress of a task until it has ended.
    void follow(Task *task);
    void askForFile();

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
    QWidget *buildEdits();
    QWidget *buildTimeline();
    void addToggle(const QString &name, const std::function<qsizetype()> &count = {});
    QList<Docks::Panel> panels();
    void buildDocks(Opened &content);
    void buildLesson(Lesson lesson);
    void showLessons();
    void showInspector();
    void showViolation(qint64 number); ///< of LiveConformance::judgedViolation()
    /// Shows a state in the inspector, and its machine in the chart.
    void showState(const QString &machine, const QString &state);
    void followLesson();
    void buildStatus();
    void connectPanels();
    void selectSomething();
    void showFired(quint32 serial, const QString &path);
    /// Sets the speed at which the fire bar's operation takes some seconds and shows each step.
    void chooseSpeed();
    void showMachine();

    // the run
    void reportScenario(const Opened &content); ///< says how the played scenario ended
    void wake(); ///< lets virtual time pass, to show the effects of a request
    void highlight(const QStringList &paths, const QSet<quint32> &serials);
    void showExplained(const std::optional<Explanation> &why);
    void fireWhenFree(quint32 refused);
    void fireWaiting();
    void end(quint32 serial, const QString &outcome); ///< ends an operation's attempt
    void cancel(quint32 serial);
    /// The operation that the menu's actions affect: the selected one if it is running, else the
    /// newest running one; 0: none.
    quint32 runningOperation() const;

    // in mainmenu.cpp
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildRunMenu();
    void setSwitch(const QString &id, const QString &value);
    void buildOperationMenu();
    void offerOperations();
    void buildViewMenu();
    void buildNetworkMenu();
    void buildHelpMenu();
    QAction *add(QMenu *menu, const QString &icon, const QString &text, const QKeySequence &keys,
        std::function<void()> act);
    /// Enables an action while a condition holds; see refreshActions().
    void enableWhen(QAction *action, std::function<bool()> condition);
    void checkWhen(QAction *action, std::function<bool()> condition);
    void refreshActions();
    void addSource(QMenu *menu, const QString &text, const QString &source);
    QList<CommandPalette::Command> commands() const;
    QList<CommandPalette::Place> places(const QStringList &words);
    void find();
    QList<CommandPalette::Place> scenarios(const QStringList &words);
    void save(const QString &title, const QString &path, const Result<QByteArray> &bytes);
    void savePicture(const QString &usualName, const Drawing &drawing);
    void exportRun();
    void showPage(const QString &name, const QString &title);
    void showShortcuts();
    void showAbout();

    Program &m_program;
    QString m_source;
    QString m_pack; ///< id of a built-in pack, or a file
    Selection m_selection;
    Controller *m_controller = nullptr;
    Simulator *m_simulator = nullptr; ///< null for a real server
    RemoteController *m_remote = nullptr;
    Network *m_network = nullptr;
    Editing *m_editing = nullptr;
    RunCoverage *m_coverage = nullptr; ///< null before the first use
    bool m_showsExercised = false;
    bool m_isEdited = false;  ///< since Edit was left last
    double m_chosenSpeed = 1; ///< by chooseSpeed()
    LessonPanel *m_lesson = nullptr;
    Presenting *m_presenting = nullptr;
    QString m_title; ///< of the window, without file and mark of unsaved changes
    StatechartView *m_chart = nullptr;
    TimelinePanel *m_timeline = nullptr;
    QList<QAction *> m_operations;        ///< of the menu; each fires one operation
    QAction *m_afterOperations = nullptr; ///< follows m_operations in the menu
    OutcomesPanel *m_outcomes = nullptr;
    QLabel *m_chartTitle = nullptr, *m_chartMachine = nullptr;
    TaskStrip *m_tasks = nullptr;
    NoticeBar *m_lost = nullptr;
    Inspector *m_inspector = nullptr;
    QueuePanel *m_queue = nullptr;
    RecordPanel *m_records = nullptr;
    Transport *m_transport = nullptr;
    FireBar *m_fireBar = nullptr;
    CommandPalette *m_palette = nullptr;
    QList<CommandPalette::Place> m_scenarios; ///< cache of scenarios()
    std::optional<Request> m_waiting;         ///< fired when operation m_waitsFor has ended
    QString m_waitsFor;                       ///< id of the operation in conflict
    Docks *m_docks = nullptr;
    QActionGroup *m_rooms = nullptr; ///< one action for each room
    LessonList *m_lessons = nullptr;
    QBoxLayout *m_toggles = nullptr; ///< row with the transport and buttons below the timeline
    QWidget *m_edits = nullptr;      ///< toolbar of Edit; null for a real server
    struct Condition
    {
        QAction *action;
        void (QAction::*set)(bool);
        std::function<bool()> isMet;
    };
    QList<Condition> m_conditions; ///< refreshActions() applies them
};

/// Panel of the room Outcomes, to which the window offers its operations: those of the burst, those
/// selected in the queue, those of its scenario, and the one in the fire bar.
OutcomesPanel *makeOutcomes(MainWindow &window, const QList<ScenarioStep> &scenario);

// Commands of a window, in comparing.cpp and judging.cpp.

/// Compares the edited pack in the background with a built-in pack, a file or, if `source` is
/// empty, with its saved version. Shows the differences as text, and the shortest scenario in which
/// the two behave differently.
void compareWith(MainWindow &window, const QString &source);
void compareWithFile(MainWindow &window); ///< asks for the file

/// Judges a recording of a server in the background, by the rules of the window's pack. Shows the
/// verdicts in a dialog, in which the user can set the switches and judge again.
void judge(MainWindow &window, const Recording &recording);
/// Asks for a file with a history or exchanges, and judges it.
void judgeFile(MainWindow &window);
/// Saves a history to a file that the user chooses. The suggested name has `kind`, the server, or
/// the system if there is none, and the date: "proof-example-org-2026-11-30.ndjson".
void saveHistory(MainWindow &window, const QString &kind, const History &history);

} // namespace instar
