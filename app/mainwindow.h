// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks.h"
#include "app/opening.h"
#include "app/settings.h"
#include "views/selection.h"

#include <QMainWindow>

class QActionGroup;
class QBoxLayout;
class QLabel;

namespace instar {

class Coverage;
struct Explanation;
class Editing;
class FireBar;
class Inspector;
class LessonList;
class LessonPanel;
class MainMenu;
class Network;
class NoticeBar;
class OutcomesPanel;
class Presenting;
class Program;
class QueuePanel;
class RecordPanel;
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
    /// Returns true if nothing was run or edited, so that another window may replace this one.
    bool isUntouched() const;
    void select(const QString &path);
    void selectKnown(const QString &path); ///< selects the resource if it exists
    /// Fires the request of the fire bar, with this operation; empty: with the one chosen there.
    void fire(const QString &operation = {});
    void showOperation(quint32 serial);
    /// Explains the resource's state in the inspector and highlights the evidence in every view.
    void explain(const QString &path);
    void explainOperation(quint32 serial);
    /// Shows a state in the inspector, and its machine in the chart.
    void showState(const QString &machine, const QString &state);
    void showSource(const QString &key);              ///< shows a source that the pack cites
    void end(quint32 serial, const QString &outcome); ///< ends a running operation
    void cancel(quint32 serial);
    /// Returns the selected operation if it is running, else the newest running one; 0 if none is.
    quint32 runningOperation() const;
    void openBeside(const QString &source);
    void say(const QString &sentence);
    Program &program() { return m_program; }
    /// Pack as scenarios name it: the id of a built-in pack, or the path of a file.
    const QString &pack() const { return m_pack; }
    bool isLocal() const { return m_simulator != nullptr; }
    RemoteController *remote() { return m_remote; } ///< null for a simulator
    /// Title without the mark of unsaved changes.
    const QString &title() const { return m_title; }
    QActionGroup &rooms() { return *m_rooms; }
    Transport *transport() { return m_transport; } ///< null for a real server
    Settings::Open opened() const;                 ///< the content to restore in the next session
    /// Adds requests to the burst. `burst`: a scenario (JSON) whose steps are the requests.
    void addToBurst(const QByteArray &burst);
    TimelinePanel &timeline() { return *m_timeline; }
    OutcomesPanel &outcomes() { return *m_outcomes; }
    /// Opens the arrangement of panels for outcomes, and searches outcomes. `subject`: id of the
    /// set of operations to search, a choice of the panel; empty: the current choice.
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
    bool showsExercised() const { return m_showsExercised; }
    /// Notice that offers to recover unsaved documents of a crashed program.
    NoticeBar &lost() { return *m_lost; }
    void follow(Task *task); ///< shows its progress
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
    void showViolation(qint64 number); ///< by its number, from 0
    void followLesson();
    void buildStatus();
    void connectPanels();
    void selectSomething();
    void showFired(quint32 serial, const QString &path);
    /// Sets the speed at which the fire bar's operation takes about two seconds.
    void chooseSpeed();
    void showMachine();

    // the run
    void reportScenario(const Opened &content); ///< says how the played scenario ended
    void wake();                                ///< lets virtual time pass
    void highlight(const QStringList &paths, const QSet<quint32> &serials);
    void showExplained(const std::optional<Explanation> &why);
    void fireWhenFree(quint32 refused);
    void fireWaiting();

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
    bool m_isEdited = false;  ///< the pack was edited since the user last left Edit
    double m_chosenSpeed = 1; ///< by chooseSpeed()
    LessonPanel *m_lesson = nullptr;
    Presenting *m_presenting = nullptr;
    QString m_title; ///< of the window, without file and mark of unsaved changes
    StatechartView *m_chart = nullptr;
    TimelinePanel *m_timeline = nullptr;
    OutcomesPanel *m_outcomes = nullptr;
    QLabel *m_chartTitle = nullptr, *m_chartMachine = nullptr;
    TaskStrip *m_tasks = nullptr;
    NoticeBar *m_lost = nullptr;
    Inspector *m_inspector = nullptr;
    QueuePanel *m_queue = nullptr;
    RecordPanel *m_records = nullptr;
    Transport *m_transport = nullptr;
    FireBar *m_fireBar = nullptr;
    MainMenu *m_menu = nullptr;
    std::optional<Request> m_waiting; ///< fired when operation m_waitsFor has ended
    QString m_waitsFor;               ///< id of the operation in conflict
    Docks *m_docks = nullptr;
    QActionGroup *m_rooms = nullptr; ///< one action for each room
    LessonList *m_lessons = nullptr;
    QBoxLayout *m_toggles = nullptr; ///< row with the transport and buttons below the timeline
    QWidget *m_edits = nullptr;      ///< toolbar of Edit; null for a real server
};

} // namespace instar
