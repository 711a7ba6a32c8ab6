// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow.h"

#include "app/editing.h"
#include "app/judging.h"
#include "app/mainmenu.h"
#include "app/network.h"
#include "app/outcomesroom.h"
#include "app/presenting.h"
#include "app/program.h"
#include "model/engine/explanation.h"
#include "model/engine/scenario.h"
#include "model/items/runcoverage.h"
#include "model/json/jsontext.h"
#include "model/json/scenariofile.h"
#include "views/diagram/statechartview.h"
#include "views/editing/matrixpanel.h"
#include "views/editing/problemspanel.h"
#include "views/lessons/lessonlist.h"
#include "views/lessons/lessonpanel.h"
#include "views/look.h"
#include "views/outcomes/outcomespanel.h"
#include "views/panels/burstpanel.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/firebar.h"
#include "views/panels/inspector.h"
#include "views/panels/networkpanel.h"
#include "views/panels/notice.h"
#include "views/panels/queuepanel.h"
#include "views/panels/transport.h"
#include "views/timeline/timelinepanel.h"

#include <QAccessible>
#include <QActionGroup>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollBar>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <limits>
#include <utility>

namespace instar {

namespace {

constexpr qsizetype mostKept = 2000; ///< the session stores no run with more events or resources

ElidedLabel *dimElided(const QString &text)
{
    auto *label = new ElidedLabel;
    label->setText(text);
    label->setProperty("dim", true);
    label->setMinimumWidth(1); // a long text would widen the window
    return label;
}

} // namespace

MainWindow::MainWindow(Program &program, Opened content)
    : m_program(program), m_source(content.source), m_pack(content.pack), m_title(content.title)
{
    if (content.server)
        m_controller = m_remote =
            new RemoteController(std::move(content.rules), *content.server, this);
    else if (content.simulator)
        m_controller = m_simulator = content.simulator.release();
    else
        m_controller = m_simulator =
            new Simulator(std::move(content.rules), std::move(content.world));
    m_controller->setParent(this);
    m_network = new Network(m_simulator, m_remote, m_pack, this);
    setAcceptDrops(true);
    m_chart = new StatechartView(*m_controller, m_selection);
    m_docks = new Docks(*this);
    buildEditing(content);
    showTitle();
    buildCentre();
    buildBar();
    buildDocks(content);
    m_presenting = new Presenting(*this);
    m_menu = new MainMenu(*this);
    buildStatus();
    connectPanels();

    resize(QSize(1280, 800).boundedTo(screen()->availableSize()));
    restoreGeometry(program.settings().geometry());
    m_docks->restore(program.settings().rooms());
    const bool isNew = m_source.startsWith(u":/instar/templates"_s);
    m_docks->enter(m_lesson ? Room::Learn
            : m_remote      ? Room::Server
            : isNew         ? Room::Edit
                            : Room::Explore);
    showRoom();
    selectSomething();
    chooseSpeed();
    followLesson();
    reportScenario(content);
    for (const auto signal : { &Updates::changed, &Updates::timePassed })
        connect(&m_controller->updates(), signal, &program, &Program::keepSessionSoon);
    if (!m_remote)
        return;
    connect(m_remote, &RemoteController::stateChanged, this, [this] {
        if (m_remote->state() == RemoteController::State::Ready && m_selection.resource().isEmpty())
            selectSomething();
    });
    m_network->reconnect();
}

MainWindow::~MainWindow()
{
    delete m_menu; // refers to the objects below
    hide();        // docks emit visibilityChanged() while their receivers exist
    disconnect(m_chart, nullptr, this, nullptr);
    delete m_presenting; // holds the timeline
    delete m_editing;    // edits the chart
    delete m_network;    // serves the simulator
}

/// Adapts the views to the entered room (mode of the window), and lists the lessons in Learn.
void MainWindow::showRoom()
{
    const Room room = m_docks->room();
    m_rooms->actions()[int(room)]->setChecked(true);
    if (m_editing)
        m_editing->setOn(room == Room::Edit);
    const bool hasFireBar = room != Room::Edit && room != Room::Outcomes;
    if (m_edits)
        m_edits->hide(); // beside the fire bar it would widen the window
    m_fireBar->setVisible(hasFireBar);
    m_fireBar->preview()->setVisible(hasFireBar);
    m_timeline->view()->setSplit(room == Room::Server);
    if (m_edits)
        m_edits->setVisible(room == Room::Edit);
    if (room == Room::Learn)
        showLessons();
}

/// Lists the lessons, and marks those that the user has finished.
void MainWindow::showLessons()
{
    const QStringList done = m_program.settings().doneLessons();
    QList<LessonList::Lesson> lessons;
    for (const LessonInfo &lesson : builtInLessons()) {
        const auto system =
            std::ranges::find(m_program.systems(), lesson.pack, &StartPage::Start::id);
        lessons +=
            { lesson.file, system->title, lesson.title, lesson.rules, done.contains(lesson.file) };
    }
    m_lessons->setLessons(lessons);
    m_lessons->showLesson(m_source, m_controller->rules().pack().title);
}

bool MainWindow::isUntouched() const
{
    const bool isEdited =
        m_editing && (m_editing->isOn() || m_editing->document().history().count() > 0);
    return m_simulator && !isEdited && !m_network->isServing()
        && m_network->burst()->requests().isEmpty() && (m_lesson || m_simulator->lastMoment() == 0);
}

void MainWindow::buildCentre()
{
    m_chart->setMinimumHeight(180); // a lower chart is unreadable
    m_chartTitle = new ElidedLabel(Qt::ElideMiddle);
    m_chartTitle->setMinimumWidth(24);
    m_chartTitle->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    setBold(m_chartTitle);
    m_chartMachine = new ElidedLabel;
    m_chartMachine->setMinimumWidth(1); // hidden first in a narrow window
    auto *header = filled(new QHBoxLayout, { { m_chartTitle, 3 }, { m_chartMachine, 1 } },
        gap::small, { gap::small, 0, 0, 0 });
    if (m_editing) {
        ElidedLabel *keys =
            dimElided(tr("Double-click: state · drag from an edge: arrow · right-click: menu"));
        keys->setSeparator(u" · "_s);
        keys->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        keys->hide();
        header->addWidget(keys, 4);
        connect(m_editing, &Editing::modeChanged, this, [this, keys](bool on) {
            keys->setVisible(on); // in place of the machine; both would widen the window
            m_chartMachine->setVisible(!on);
        });
    }
    QWidget *chart = boxed(filled(new QVBoxLayout, { header, { m_chart, 1 } }, gap::small,
        { gap::small, gap::small, gap::small, gap::small }));
    chart->setFocusProxy(m_chart);
    m_docks->addCentre(chart, { Room::Explore, Room::Edit, Room::Learn });
    m_docks->addCentre(m_network->panel(), { Room::Server });
}

void MainWindow::buildEditing(const Opened &content)
{
    if (!m_simulator)
        return; // a server's rules cannot be edited
    const bool hasFile = !content.text.isEmpty() && !content.source.startsWith(u":/"_s);
    const Document::Snapshot fresh { .first = content.draft,
        .firstText = content.text,
        .saved = 0,
        .file = hasFile ? content.source : QString(),
        .text = content.text };
    m_editing = new Editing(
        *m_chart, *m_simulator, m_selection, content.past.value_or(fresh), *m_docks, this);
    if (!content.asPack.isEmpty())
        m_editing->explainSavedAsPack(content.source, content.asPack);
    connect(m_editing, &Editing::modeChanged, this, [this](bool on) {
        if (on != (m_docks->room() == Room::Edit))
            m_docks->enter(on ? Room::Edit : Room::Explore);
        if (on)
            return;
        if (m_controller->world().tree.find(m_selection.resource()) == NoResource)
            selectSomething();
        if (std::exchange(m_isEdited, false))
            chooseSpeed();
    });
    connect(&m_editing->document().history(), &QUndoStack::indexChanged, this,
        [this] { m_isEdited = true; });
    connect(m_editing, &Editing::titleChanged, this, &MainWindow::showTitle);
    connect(m_editing, &Editing::said, this, &MainWindow::say);
}

void MainWindow::showTitle()
{
    const QString file = m_editing ? m_editing->document().file() : QString();
    const QString name = QFileInfo(file).fileName();
    setWindowTitle((name.isEmpty() ? m_title : tr("%1 – %2").arg(m_title, name)) + u"[*]"_s);
    setWindowModified(m_editing && m_editing->document().isModified());
    setWindowFilePath(file);
    if (!file.isEmpty())
        m_network->setPack(m_pack = file);
}

void MainWindow::buildBar()
{
    m_fireBar = new FireBar(*m_controller, m_selection);
    m_fireBar->setGuard([this](const Request &request) { return m_network->allows({ request }); });
    m_fireBar->setWhyBlocked(
        [this](const Request &request) { return m_network->blocked({ request }); });
    m_fireBar->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    auto *rooms = new QWidget;
    rooms->setObjectName(u"rooms"_s);
    auto *buttons = filled(new QHBoxLayout(rooms), {}, 2);
    m_rooms = new QActionGroup(this);
    const auto add = [&](Room room, const QString &name, const QString &text) {
        QAction *action = m_rooms->addAction(text);
        action->setObjectName(name);
        action->setCheckable(true);
        action->setShortcut(Qt::CTRL | Qt::Key(Qt::Key_1 + int(room)));
        connect(action, &QAction::triggered, this, [this, room] { m_docks->enter(room); });
        QToolButton *button = commandButton(action);
        button->setProperty("mode", true); // the style fills the checked one
        buttons->addWidget(button);
        return action;
    };
    add(Room::Explore, u"explore"_s, tr("Explore"));
    QAction *edit = add(Room::Edit, u"edit"_s, tr("Edit"));
    add(Room::Outcomes, u"outcomes"_s, tr("Outcomes"));
    add(Room::Server, u"server"_s, tr("Server"));
    add(Room::Learn, u"learn"_s, tr("Learn"));
    if (!m_editing) {
        edit->setEnabled(false);
        edit->setToolTip(tr("A server's rules cannot be edited. Open the server's system from the "
                            "File menu to edit a copy"));
    }
    connect(m_docks, &Docks::roomChanged, this, &MainWindow::showRoom);

    auto *row = filled(new QHBoxLayout, { rooms, { m_fireBar, 1 } }, gap::large);
    if (m_editing)
        row->addWidget(m_edits = buildEdits(), 1);
    row->addStretch();
    QToolBar *toolBar = addToolBar(tr("Rooms and Next Operation"));
    toolBar->setObjectName(u"bar"_s);
    toolBar->setMovable(false);
    toolBar->addWidget(boxed(filled(new QVBoxLayout, { row, m_fireBar->preview() }, gap::small,
        { gap::small, 0, gap::small, 0 })));
    m_tasks = new TaskStrip;
    m_lost = new NoticeBar;
    auto *notices = new NoticeArea(*toolBar, *this);
    notices->add(m_tasks);
    notices->add(m_lost);
    if (m_editing)
        notices->add(m_editing->notice());
}

/// Toolbar of the room Edit: undo, redo, "Find" and "Try in Explore".
QWidget *MainWindow::buildEdits()
{
    QToolButton *search =
        wordButton(u"search"_s, tr("Find…"), tr("Find in chart, forms and text (Ctrl+F)"));
    connect(search, &QToolButton::clicked, this, [this] { m_menu->find(); });
    QToolButton *play = wordButton(u"play"_s, tr("Try in Explore"),
        tr("Opens the Explore room, where the simulation uses the edited rules"));
    connect(play, &QToolButton::clicked, this, [this] { m_docks->enter(Room::Explore); });
    return boxed(filled(new QHBoxLayout,
        { commandButton(m_editing->undo()), commandButton(m_editing->redo()), Part::rest(1), search,
            play }));
}

/// Timeline; below it playback controls (only of a simulator) and buttons that toggle panels.
QWidget *MainWindow::buildTimeline()
{
    m_timeline = new TimelinePanel(*m_controller, m_selection);
    if (!m_simulator) // a server's record grows without end
        m_timeline->view()->setMostSeen(20'000);
    m_timeline->view()->setConformance(m_remote ? m_remote->conformance() : nullptr);
    m_toggles = filled(new QHBoxLayout, {}, gap::small, { gap::small, 0, gap::small, 0 });
    if (m_simulator) {
        m_transport = new Transport(*m_simulator);
        connect(m_transport, &Transport::said, this, &MainWindow::say);
        connect(m_transport, &Transport::returned, m_timeline->view(), &TimelineView::hideLater);
        m_toggles->addWidget(m_transport, 1);
    } else {
        ElidedLabel *legend =
            dimElided(tr("Upper half: what the server showed · lower half: what the rules allow"));
        legend->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        connect(m_docks, &Docks::roomChanged, legend,
            [legend](Room room) { legend->setVisible(room == Room::Server); });
        m_toggles->addWidget(legend);
        m_toggles->addStretch(1);
    }
    QWidget *panel = boxed(
        filled(new QVBoxLayout, { { m_timeline, 1 }, m_toggles }, 0, { 0, 0, 0, gap::small }));
    panel->setFocusProxy(m_timeline);
    return panel;
}

/// Adds a button below the timeline that toggles a panel and may show its number of entries.
void MainWindow::addToggle(const QString &name, const std::function<qsizetype()> &count)
{
    QDockWidget *dock = m_docks->named(name);
    QToolButton *button = wordButton({}, dock->windowTitle(), tr("Open or close this panel"));
    button->setCheckable(true);
    const auto show = [button, dock, count] {
        button->setText(
            count ? u"%1 %2"_s.arg(dock->windowTitle()).arg(count()) : dock->windowTitle());
        button->setChecked(!dock->isHidden());
    };
    connect(button, &QToolButton::clicked, dock, [this, dock, show] {
        m_docks->toggle(dock);
        show();
    });
    connect(dock, &QDockWidget::visibilityChanged, button, show);
    connect(&m_controller->updates(), &Updates::changed, button, show);
    connect(m_network->burst(), &BurstPanel::changed, button, show);
    m_toggles->addWidget(button);
    show();
}

QList<Docks::Panel> MainWindow::panels()
{
    constexpr auto left = Qt::LeftDockWidgetArea, top = Qt::TopDockWidgetArea,
                   right = Qt::RightDockWidgetArea, bottom = Qt::BottomDockWidgetArea;
    const QList<Docks::Placement> tab { { Room::Explore, bottom, false },
        { Room::Learn, bottom, false } };
    const QList<Docks::Placement> beside { { Room::Explore, bottom, false, Docks::Way::Beside },
        { Room::Learn, bottom, false, Docks::Way::Beside } };
    QWidget *inspector = boxed(filled(
        new QVBoxLayout, { m_inspector }, 0, { gap::small, gap::small, gap::normal, gap::small }));
    inspector->setFocusProxy(m_inspector);
    QList<Docks::Panel> rows;
    if (m_lesson)
        rows += Docks::Panel { .title = tr("Lesson"),
            .name = u"lesson"_s,
            .content = m_lesson,
            .placements = { { Room::Learn, right } },
            .widthPercent = 28 };
    rows += {
        { tr("Details"), u"inspector"_s, inspector,
            { { Room::Explore, right }, { Room::Server, right }, { Room::Outcomes, right, false },
                { Room::Learn, right, bool(m_lesson) } } },
        { tr("Timeline"), u"timeline"_s, buildTimeline(),
            { { Room::Explore, bottom }, { Room::Server, top }, { Room::Learn, bottom } }, true },
        { tr("Operations"), u"operations"_s, m_queue,
            beside + QList<Docks::Placement> { { Room::Server, bottom, false } } },
        { tr("Log"), u"records"_s, m_records,
            tab + QList<Docks::Placement> { { Room::Server, bottom, false } } },
        { tr("Burst"), u"armed"_s, m_network->burst(),
            tab + QList<Docks::Placement> { { Room::Server, left } } },
        { tr("Lessons"), u"lessons"_s, m_lessons, { { Room::Learn, left, !m_lesson } } },
    };
    return m_editing ? rows + m_editing->panels() : rows;
}

void MainWindow::buildDocks(Opened &content)
{
    m_inspector = new Inspector(*m_controller, m_selection);
    if (const LiveConformance *conformance = m_remote ? m_remote->conformance() : nullptr) {
        m_inspector->setConformance(conformance);
        m_chart->setConformance(conformance);
    }
    m_queue = new QueuePanel(*m_controller, m_selection);
    m_records = new RecordPanel(*m_controller, m_selection);
    m_lessons = new LessonList;
    connect(m_lessons, &LessonList::chosen, this, &MainWindow::openBeside);
    if (content.lesson)
        buildLesson(*std::move(content.lesson));
    const QList<Docks::Panel> table = panels();
    for (const Docks::Panel &panel : table)
        m_docks->add(panel);
    addToggle(u"operations"_s, [this] { return m_controller->operations().all().size(); });
    addToggle(u"records"_s);
    addToggle(u"armed"_s, [this] { return m_network->burst()->requests().size(); });
    m_outcomes =
        makeOutcomes(*this, content.scenario ? content.scenario->steps : QList<ScenarioStep>());
    m_docks->addCentre(m_outcomes, { Room::Outcomes });
    connect(m_outcomes, &OutcomesPanel::sourceAsked, this, &MainWindow::showSource);
    if (m_editing)
        connect(&m_editing->problems(), &ProblemsPanel::titleChanged, m_docks->named(u"problems"_s),
            &QDockWidget::setWindowTitle);
    // A crash must not lose the burst.
    connect(m_network->burst(), &BurstPanel::changed, this, [this] { m_program.keepSession(); });
}

void MainWindow::buildLesson(Lesson lesson)
{
    m_lesson = new LessonPanel(std::move(lesson), *m_simulator);
    const LessonInfo next = lessonAfter(m_source);
    m_lesson->setNextTitle(next.title);
    connect(m_lesson, &LessonPanel::sourceAsked, m_inspector, &Inspector::showSource);
    connect(m_lesson, &LessonPanel::performed, this,
        [this](const QString &path) { selectKnown(path); });
    connect(m_lesson, &LessonPanel::finished, this, [this] {
        m_program.settings().addDoneLesson(m_source);
        for (const QPointer<MainWindow> &window : m_program.windows()) {
            if (window)
                window->showLessons();
        }
    });
    connect(
        m_lesson, &LessonPanel::nextAsked, this, [this, file = next.file] { openBeside(file); });
    connect(m_lesson, &LessonPanel::lessonsAsked, this,
        [this] { m_docks->raiseAndFocus(m_docks->named(u"lessons"_s)); });
}

/// Fills the fire bar with each request that the lesson awaits; firing a similar one submits it.
void MainWindow::followLesson()
{
    if (!m_lesson)
        return;
    m_fireBar->setCompletion([this](const Request &fired) { return m_lesson->completed(fired); });
    connect(m_fireBar, &FireBar::fired, m_lesson, &LessonPanel::requestSubmitted);
    const auto prepare = [this](const Request &request) {
        selectKnown(request.path);
        m_fireBar->describe(request);
    };
    connect(m_lesson, &LessonPanel::awaited, this, prepare);
    if (const Request *request = m_lesson->nextRequest())
        prepare(*request);
}

void MainWindow::askOutcomes(const QString &subject)
{
    m_docks->enter(Room::Outcomes);
    if (!subject.isEmpty())
        m_outcomes->choose(subject);
    m_outcomes->search();
}

/// Draws faint what the run has not exercised, on the chart and in the conflict matrix.
void MainWindow::showExercised(bool shown)
{
    m_showsExercised = shown;
    const Coverage *coverage = shown ? &this->coverage() : nullptr;
    m_chart->setExercised(coverage);
    m_editing->matrix().setExercised(coverage);
    if (!coverage)
        return;
    const Coverage::Part rows = coverage->rows(), met = coverage->meetings();
    say(tr("The run has exercised %1 of %2 transitions and %3 of %4 conflicts; the others are "
           "drawn faint")
            .arg(rows.exercised)
            .arg(rows.of)
            .arg(met.exercised)
            .arg(met.of));
}

const Coverage &MainWindow::coverage()
{
    if (!m_coverage) {
        m_coverage = new RunCoverage(*m_simulator, this);
        connect(m_coverage, &RunCoverage::changed, this, [this] {
            if (!m_showsExercised)
                return;
            m_chart->setExercised(&m_coverage->coverage());
            m_editing->matrix().setExercised(&m_coverage->coverage());
        });
    }
    return m_coverage->coverage();
}

void MainWindow::buildStatus()
{
    QWidget *counts = m_timeline->counts();
    counts->setContentsMargins(gap::small, 0, 0, 0);
    counts->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred); // long notices shrink it
    statusBar()->addWidget(counts, 1); // gets the space beside the notices
    // A message that comes before the window is shown would be drawn over the counts.
    connect(
        statusBar(), &QStatusBar::messageChanged, counts, [this, counts](const QString &message) {
            counts->setVisible(message.isEmpty());
            statusBar()->setAccessibleName(message); // for screen readers
            if (!message.isEmpty()) {
                QAccessibleEvent event(statusBar(), QAccessible::Alert);
                QAccessible::updateAccessibility(&event);
            }
        });
    statusBar()->addPermanentWidget(m_network->strip());
    statusBar()->addPermanentWidget(m_network->serving());
}

void MainWindow::connectPanels()
{
    connect(m_chart, &StatechartView::laidOut, this, &MainWindow::showMachine);
    connect(m_docks, &Docks::roomChanged, this, &MainWindow::showMachine);
    // A new selection ends the highlighting of the last explanation.
    connect(&m_selection, &Selection::resourceChosen, this, [this] {
        highlight({}, {});
        showMachine();
    });
    connect(&m_selection, &Selection::operationsChosen, this, [this] { highlight({}, {}); });
    connect(m_inspector, &Inspector::switchAsked, this, [this](const QString &name) {
        if (auto *values = menuBar()->findChild<QMenu *>(name)) // of the menu Run
            values->popup(QCursor::pos());
    });
    connect(m_queue, &QueuePanel::outcomesAsked, this, [this] { askOutcomes(u"selected"_s); });
    connect(
        m_network->burst(), &BurstPanel::outcomesAsked, this, [this] { askOutcomes(u"armed"_s); });
    connect(m_queue, &QueuePanel::whyAsked, this, &MainWindow::explainOperation);
    connect(m_records, &RecordPanel::whyAsked, this, [this](quint32 serial, const QString &path) {
        serial ? explainOperation(serial) : explain(path);
    });
    connect(m_chart, &StatechartView::whyAsked, this, &MainWindow::explain);
    connect(m_timeline->view(), &TimelineView::whyAsked, this, &MainWindow::explain);
    connect(
        m_timeline->view(), &TimelineView::whyOperationAsked, this, &MainWindow::explainOperation);
    // The shortest history with a violation can be played on a simulator, or saved.
    connect(m_inspector, &Inspector::traceAsked, this, [this](qint64 number) {
        const JudgedViolation *found = m_remote->conformance()->judgedViolation(number);
        if (found && found->shortest())
            m_program.openTrace(m_controller->rules().pack(), m_pack,
                shortestReplay(found->unexplained.history, *found->verdict), this);
    });
    connect(m_inspector, &Inspector::proofAsked, this, [this](qint64 number) {
        const JudgedViolation *found = m_remote->conformance()->judgedViolation(number);
        if (found && found->shortest())
            saveHistory(*this, u"proof"_s, *found->shortest());
    });
    connect(m_inspector, &Inspector::violationAsked, this, &MainWindow::showViolation);
    connect(m_inspector, &Inspector::cancelAsked, this, &MainWindow::cancel);
    connect(m_inspector, &Inspector::fireAgainAsked, this, &MainWindow::fireWhenFree);
    connect(&m_controller->updates(), &Updates::happened, this, &MainWindow::fireWaiting);
    connect(&m_controller->updates(), &Updates::rewound, this, [this] {
        if (std::exchange(m_waiting, {}))
            statusBar()->clearMessage(); // the message "will be fired again"
    });
    connect(m_fireBar, &FireBar::sourceAsked, m_inspector, &Inspector::showSource);
    connect(m_queue, &QueuePanel::cancelAsked, this, &MainWindow::cancel);
    connect(m_queue, &QueuePanel::endAsked, this, &MainWindow::end);
    connect(m_queue, &QueuePanel::targetAsked, this, &MainWindow::select);
    connect(m_records, &RecordPanel::targetAsked, this, &MainWindow::select);
    connect(m_records, &RecordPanel::momentAsked, this, [this](qsizetype moment) {
        if (!m_simulator)
            return;
        m_simulator->pause();
        m_simulator->jump(moment);
    });
    connect(m_fireBar, &FireBar::requestChanged, this,
        [this] { m_chart->setProbe(m_fireBar->request()); });
    connect(m_fireBar, &FireBar::fired, this, &MainWindow::showFired);
    connect(m_fireBar, &FireBar::addedToBurst, m_network->burst(), &BurstPanel::add);
    connect(m_fireBar, &FireBar::addedToBurst, this, [this](const Request &request) {
        say(tr("Added %1 on %2 to the burst").arg(request.op, request.path));
    });
    connect(
        m_network->burst(), &BurstPanel::chosen, this, [this](quint32 serial, const QString &path) {
            selectKnown(path);
            if (m_controller->operations().find(serial))
                showOperation(serial);
        });
    connect(m_network, &Network::fired, this, &MainWindow::showFired);
    if (m_simulator)
        connect(m_simulator, &Simulator::branched, this,
            [this] { say(tr("A new branch begins here; the old one is kept.")); });
    connect(m_network, &Network::said, this, &MainWindow::say);
    connect(m_network->panel(), &NetworkPanel::verdictAsked, this,
        [this] { showViolation(m_remote->conformance()->violationCount() - 1); });
    const auto showNetwork = [this](const NetworkState &state) {
        m_fireBar->refreshBlocked();
        m_timeline->view()->setPlaceholder(emptyTreeText(state));
    };
    connect(m_network, &Network::shown, this, showNetwork);
    showNetwork(m_network->state());
    connect(m_network, &Network::served, this, &MainWindow::wake);
    connect(m_network, &Network::servingChanged, this, [this] {
        m_transport->setShortensIdle(!m_network->isServing()); // clients have clocks of their own
        if (m_network->isServing())
            m_docks->enter(Room::Server); // shows the clients' requests
    });
    connect(m_network->panel(), &NetworkPanel::connectAsked, this,
        [this] { m_program.connectToServer(this); });
    connect(m_network->panel(), &NetworkPanel::operationAsked, this, [this](const QString &id) {
        if (const Operation *operation = m_controller->operations().find(id))
            showOperation(operation->serial);
    });
    connect(m_network->panel(), &NetworkPanel::whyAsked, this, [this](const QString &id) {
        if (const Operation *operation = m_controller->operations().find(id))
            explainOperation(operation->serial);
    });
    TimelineView *timeline = m_timeline->view();
    const auto fireOn = [this](const QString &operation, const QString &path) {
        select(path);
        m_fireBar->showTarget(path); // the resource itself, not a new child of it
        fire(operation);
    };
    connect(timeline, &TimelineView::operationAsked, this, fireOn);
    connect(timeline, &TimelineView::fireAsked, this, std::bind_front(fireOn, QString()));
    connect(timeline, &TimelineView::childAsked, m_fireBar, &FireBar::describeNew);
    connect(m_chart, &StatechartView::fireRequested, this, [this](const QString &operation) {
        m_fireBar->showTarget(m_selection.resource());
        fire(operation);
    });
    connect(m_chart, &StatechartView::endRequested, this, &MainWindow::end);
    connect(m_chart, &StatechartView::working, this, &MainWindow::follow);
    m_chart->setProbe(m_fireBar->request());
    const auto applyMotion = [this] {
        const Motion motion = m_program.isStill() ? Motion::Reduced : Motion::Full;
        m_chart->setMotion(motion);
        m_timeline->view()->setMotion(motion);
    };
    connect(&m_program, &Program::motionChanged, this, applyMotion);
    applyMotion();
}

void MainWindow::follow(Task *task)
{
    m_tasks->follow(task);
}

void MainWindow::explain(const QString &path)
{
    select(path);
    showExplained(whyResource(*m_controller, path));
}

void MainWindow::explainOperation(quint32 serial)
{
    showOperation(serial);
    showExplained(whyOperation(*m_controller, serial));
}

void MainWindow::showExplained(const std::optional<Explanation> &why)
{
    highlight(why ? why->examined : QStringList(),
        why ? QSet<quint32> { why->operation, why->other } : QSet<quint32>());
    showInspector();
    m_inspector->verticalScrollBar()->setValue(0);
}

void MainWindow::highlight(const QStringList &paths, const QSet<quint32> &serials)
{
    m_chart->setHighlighted(paths);
    m_timeline->view()->setHighlighted(paths);
    m_queue->setHighlighted(serials);
}

void MainWindow::select(const QString &path)
{
    if (!path.isEmpty())
        m_selection.choose(path);
}

void MainWindow::selectKnown(const QString &path)
{
    if (m_controller->world().tree.find(path) != NoResource)
        select(path);
}

void MainWindow::showMachine()
{
    const QString path = m_selection.resource();
    const Rules &rules = m_controller->rules();
    m_chartTitle->setText(path.section(u'/', -1));
    m_chartTitle->setToolTip(path);
    m_chartMachine->clear();
    if (m_docks->room() == Room::Edit) {
        const Machine *edited = rules.pack().machine(m_chart->machine());
        m_chartTitle->setText(edited ? shownTitle(*edited) : QString());
        m_chartTitle->setToolTip(m_chart->machine());
        m_chartMachine->setText(tr("· machine"));
        return;
    }
    const Tree &tree = m_controller->world().tree;
    const Resource resource = tree.find(path);
    if (resource == NoResource)
        return;
    const int machine = rules.state(rules.stateOf(tree.code(resource))).machine;
    const QString title = shownTitle(rules.pack().machines[machine]);
    //: after the name of a resource
    QStringList parts { tr("· lifecycle of %1").arg(title.toLower()), m_chart->legend() };
    parts.removeAll(QString());
    m_chartMachine->setText(parts.join(u" · "_s));
    m_chartMachine->setToolTip(m_chartMachine->text());
}

void MainWindow::selectSomething()
{
    // Ranks a resource by two criteria. First: it accepts the pack's first operation, another one
    // or none. Second: the number of kinds of relatives (parent, children, siblings) that it has.
    constexpr int accepts = 4, mostLookedAt = 2000;
    const QStringList operations = m_controller->rules().pack().operationNames();
    const Tree &tree = m_controller->world().tree;
    Resource best = NoResource;
    int most = -1;
    for (const Resource resource : tree.resources().mid(0, mostLookedAt)) {
        const Resource above = tree.parent(resource);
        if (above != NoResource && m_controller->rules().semantics())
            continue; // a region: exists only while its state is active
        const quint32 own = tree.subtree(resource).size();
        int rank = (above != NoResource) + (own > 1)
            + (above != NoResource && tree.subtree(above).size() > own + 1);
        if (rank + 2 * accepts <= most)
            continue;
        const auto isAccepted = [&](const QString &operation) {
            const Request request { .op = operation, .path = tree.path(resource) };
            return m_controller->admission(request).verdict == Admission::Verdict::Accepted;
        };
        const auto accepted = std::ranges::find_if(operations, isAccepted);
        rank += accepted == operations.end() ? 0
            : accepted == operations.begin() ? 2 * accepts
                                             : accepts;
        if (rank > most) {
            most = rank;
            best = resource;
        }
    }
    if (best != NoResource) {
        select(tree.path(best));
        m_fireBar->preselect(); // an operation that is not refused
    }
    m_timeline->setFocus();
}

void MainWindow::showOperation(quint32 serial)
{
    m_selection.choose(serial);
}

Settings::Open MainWindow::opened() const
{
    const QString file = m_editing ? m_editing->document().file() : QString();
    Settings::Open open { file.isEmpty() ? m_source : file, m_selection.resource() };
    Scenario burst { .pack = m_controller->rules().pack().id };
    burst.steps = mapped<QList<ScenarioStep>>(m_network->burst()->requests(), submitStep);
    if (!burst.steps.isEmpty())
        open.burst = writeScenario(burst);
    // A lesson restarts at its beginning; a long run would make the settings too large.
    if (!m_simulator || m_lesson || m_simulator->lastMoment() > mostKept
        || m_simulator->world().tree.size() > mostKept)
        return open;
    QList<Simulator::Branch> branches = m_simulator->branches();
    qsizetype events = 0;
    for (const Simulator::Branch &branch : std::as_const(branches))
        events += branch.fork + branch.records.size();
    if (events == 0)
        return open;
    const quint32 shown = m_simulator->branch();
    if (events > mostKept) // stores the branch shown as the first one
        branches = { { .shown = m_simulator->moment() } };
    else
        open.branch = shown;
    for (const Simulator::Branch &branch : std::as_const(branches)) {
        const bool isShown = branch.id == open.branch;
        const QList<Record> records = m_simulator->recordsOf(isShown ? shown : branch.id);
        Scenario requests = scenarioOf(*m_simulator, records);
        requests.pack = burst.pack; // the session replays the run on the pack of `open.source`
        const qint64 end = records.isEmpty() ? m_simulator->timeOf(0) : records.last().event.time,
                     now = isShown ? m_simulator->world().now : end;
        open.branches += { writeScenario(requests), std::max(now, end), branch.shown, branch.name,
            branch.id, branch.trunk, branch.fork };
    }
    return open;
}

void MainWindow::addToBurst(const QByteArray &burst)
{
    const Result<JsonText> json = JsonText::parse(burst, {});
    const Result<Scenario> read =
        json ? readScenario(*json, m_controller->rules().pack()) : Error { json.error() };
    if (!read) // the pack may have been edited meanwhile
        return say(tr("The burst cannot be restored: %1").arg(read.error()));
    for (const ScenarioStep &step : read->steps) {
        Request request = step.request;
        request.id.clear(); // readScenario() gave it one
        m_network->burst()->add(request);
    }
}

void MainWindow::showState(const QString &machine, const QString &state)
{
    m_chart->setMachine(machine);
    m_selection.choose(SelectedRows { .machine = machine, .states = { state } });
    if (m_docks->room() != Room::Edit) // Edit shows it in the row form
        showInspector();
}

void MainWindow::showInspector()
{
    m_docks->raise(m_docks->named(u"inspector"_s));
}

void MainWindow::showSource(const QString &key)
{
    m_inspector->showSource(key);
    showInspector();
}

/// Shows a violation in every view; if there is none, shows what was checked.
void MainWindow::showViolation(qint64 number)
{
    showInspector();
    const LiveConformance &conformance = *m_remote->conformance();
    const JudgedViolation *violation = conformance.judgedViolation(number);
    if (!violation)
        return m_inspector->showVerdict();
    m_timeline->view()->showMoment(violation->unexplained.path, violation->time);
    m_inspector->showViolation(number);
    m_network->panel()->choose(conformance.sentAt(*violation));
}

void MainWindow::openBeside(const QString &source)
{
    if (isRecording(source))
        return judgeFile(*this, source);
    m_program.openBeside(source, this);
}

void MainWindow::askForFile()
{
    for (const QString &file :
        QFileDialog::getOpenFileNames(this, tr("Open"), QString(), openingFilter()))
        openBeside(file);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_editing && !m_editing->mayClose())
        return event->ignore();
    m_presenting->setOn(false); // the session stores the normal layout
    m_program.keepSession(this);
    m_program.settings().setWindow(saveGeometry(), m_docks->saved());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    for (const QUrl &url : event->mimeData()->urls())
        openBeside(url.toLocalFile());
}

void MainWindow::say(const QString &sentence)
{
    statusBar()->showMessage(sentence, 15'000);
}

void MainWindow::showFired(quint32 serial, const QString &path)
{
    selectKnown(path);
    m_selection.selectFired(serial);
    wake();
}

void MainWindow::wake()
{
    if (m_transport)
        m_transport->wake();
}

void MainWindow::reportScenario(const Opened &content)
{
    if (!content.scenario || content.scenario->steps.isEmpty() || m_simulator->moment() > 0)
        return; // nothing to play, or a restored run
    QString text =
        tr("The scenario was played and is back at the beginning. Press Play, or drag the "
           "timeline's cursor.");
    if (content.played.failed > 0)
        text = tr("Line %1: %2")
                   .arg(content.played.failures.first().line)
                   .arg(content.played.failures.first().text);
    else if (content.played.passed > 0)
        text += u' ' + tr("All its expectations were met.");
    statusBar()->showMessage(text);
    const auto clear = [this, text] {
        if (statusBar()->currentMessage() == text)
            statusBar()->clearMessage(); // the user went on
    };
    connect(&m_simulator->updates(), &Updates::changed, this, clear);
    connect(m_simulator, &Simulator::playingChanged, this, clear);
    const QList<ScenarioStep> &steps = content.scenario->steps;
    const auto first = std::ranges::find(steps, ScenarioStep::Kind::Submit, &ScenarioStep::kind);
    if (first != steps.end())
        select(first->request.path);
}

void MainWindow::fire(const QString &operation)
{
    if (!operation.isEmpty())
        m_fireBar->setOperation(operation);
    m_fireBar->fire();
}

/// Fires a refused request again as soon as the operation in its way has ended.
void MainWindow::fireWhenFree(quint32 refused)
{
    const Operation *operation = m_controller->operations().find(refused);
    m_waiting = requestToRepeat(*m_controller, refused);
    if (!operation || !m_waiting)
        return;
    m_waitsFor = operation->conflictsWith;
    say(tr("%1 will be fired again when the conflicting operation has ended")
            .arg(titleOf(*operation)));
    fireWaiting();
}

void MainWindow::fireWaiting()
{
    if (!m_waiting)
        return;
    const Operation *other = m_controller->operations().find(m_waitsFor);
    if (other && !other->isOver())
        return;
    statusBar()->clearMessage(); // the message "will be fired again"
    const Request request = *std::exchange(m_waiting, {});
    if (m_network->allows({ request }))
        showFired(m_controller->submit(request), request.path);
}

void MainWindow::end(quint32 serial, const QString &outcome)
{
    m_controller->end(serial, m_controller->rules().trigger(outcome));
    wake();
}

void MainWindow::cancel(quint32 serial)
{
    m_controller->cancel(serial);
    wake();
}

void MainWindow::chooseSpeed()
{
    if (!m_simulator || !m_transport || m_simulator->speed() != m_chosenSpeed)
        return; // the user has chosen one
    constexpr double wantedMs = 2000,
                     leastMs = 400; // real time of the operation, and of its shortest step
    constexpr int mostEvents = 2000;
    const Rules &rules = m_controller->rules();
    const QStringList operations =
        QStringList(m_fireBar->operation()) + rules.pack().operationNames();
    for (const QString &operation : operations) { // the first one that takes time
        Request request = m_fireBar->request(operation);
        if (operation != m_fireBar->operation())
            request.duration.reset();
        Simulator trial(rules, m_simulator->beginning());
        const qint64 begin = trial.world().now;
        qint64 before = begin, shortest = std::numeric_limits<qint64>::max();
        trial.submit(request);
        for (int i = 0; i < mostEvents && !trial.world().running.empty() && trial.step(); ++i) {
            const qint64 now = trial.world().now;
            if (now > before)
                shortest = std::min(shortest, now - std::exchange(before, now));
        }
        if (before == begin)
            continue;
        const double speed =
            std::min(double(before - begin) / wantedMs, double(shortest) / leastMs);
        // The fastest one that is at most 30 % faster than wanted.
        const QList<double> &speeds = Transport::speeds();
        const auto faster = std::ranges::upper_bound(speeds, speed * 1.3);
        m_chosenSpeed = faster == speeds.begin() ? speeds.first() : *std::prev(faster);
        return m_simulator->setSpeed(m_chosenSpeed);
    }
}

quint32 MainWindow::runningOperation() const
{
    const World &world = m_controller->world();
    if (world.find(m_selection.operation()))
        return m_selection.operation();
    return world.running.empty() ? 0 : world.running.back()->serial;
}

} // namespace instar
