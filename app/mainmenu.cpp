// SPDX-License-Identifier: Apache-2.0
#include "app/mainmenu.h"

#include "app/comparing.h"
#include "app/editing.h"
#include "app/filedialogs.h"
#include "app/judging.h"
#include "app/network.h"
#include "app/presenting.h"
#include "app/program.h"
#include "model/items/words.h"
#include "model/json/fields.h"
#include "model/json/filebytes.h"
#include "model/pack/rows.h"
#include "views/diagram/statechartview.h"
#include "views/drawing/sheet.h"
#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/burstpanel.h"
#include "views/panels/firebar.h"
#include "views/panels/networkpanel.h"
#include "views/panels/notice.h"
#include "views/panels/transport.h"
#include "views/timeline/timelinepanel.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMenuBar>
#include <QMessageBox>

#include <utility>

namespace instar {

namespace {

/// Appends the visible commands of a menu and its submenus. `path`: of the menu, such as "File".
void collect(const QMenu *menu, const QString &path, QList<CommandPalette::Command> &commands)
{
    for (QAction *action : menu->actions()) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        const QString text = path + u" › "_s + action->text().remove(u'&');
        if (action->menu()) {
            emit action->menu()->aboutToShow();
            collect(action->menu(), text, commands);
        } else {
            commands += { text, action };
        }
    }
}

/// Replays the run under another value of a switch.
void setSwitch(MainWindow &window, const QString &id, const QString &value)
{
    const Controller &controller = window.controller();
    Switches switches = controller.rules().switches();
    switches.insert(id, value);
    Result<Rules> rules = Rules::make(controller.rules().pack(), switches);
    const QString problem =
        rules ? window.editing()->live().replay().play(*std::move(rules)) : rules.error();
    const Switch *row = controller.rules().pack().findSwitch(id);
    window.say(problem.isEmpty() ? MainMenu::tr("The same run with the switch “%1” set to “%2”.")
                                       .arg(displayName(id), switchValueText(*row, value))
                                 : problem);
}

void savePicture(MainWindow &window, const QString &usualName, const Canvas &canvas)
{
    const Drawing drawing { canvas.pictureSize(),
        [&canvas](QPainter &painter) { canvas.paintAll(painter); } };
    window.say(savedAs(&window, MainMenu::tr("Save Picture"), usualName,
        MainMenu::tr("Pictures (*.png *.svg *.pdf);;PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"),
        [&](const QString &file) { return drawn(drawing, file); }));
}

/// Exports the whole run, also the part after the moment shown.
void exportRun(MainWindow &window)
{
    window.say(savedAs(&window, MainMenu::tr("Export the Run"), u"run.html"_s,
        MainMenu::tr("Interactive page (*.html *.htm)"),
        [&](const QString &) { return runPage(window.simulator(), window.title(), theme()); }));
}

void showPage(MainWindow &window, const QString &name, const QString &title)
{
    auto *text = new HtmlView;
    text->document()->setDocumentMargin(16);
    text->setMarkdown(QString::fromUtf8(*fileBytes(u":/instar/help/%1.md"_s.arg(name))));
    textDialog(&window, text, title, { 680, 720 })->show();
}

void showAbout(MainWindow &window)
{
    const Pack &pack = window.controller().rules().pack();
    QMessageBox::about(&window, MainMenu::tr("About Instar"),
        MainMenu::tr("Instar %1\nAn explorer for the lifecycle state machines of resources.\n\n"
                     "Shown: %2\n%3\n\nApache License 2.0")
            .arg(QApplication::applicationVersion(), pack.title, pack.origin));
}

} // namespace

QAction *MainMenu::add(QMenu *menu, const QString &iconName, const QString &text,
    const QKeySequence &keys, std::function<void()> act)
{
    QAction *action = menu->addAction(text);
    if (!iconName.isEmpty())
        action->setIcon(icon(iconName));
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, [this, act = std::move(act)] {
        act();
        refreshActions();
    });
    return action;
}

void MainMenu::enableWhen(QAction *action, std::function<bool()> condition)
{
    m_conditions += { action, &QAction::setEnabled, std::move(condition) };
}

void MainMenu::checkWhen(QAction *action, std::function<bool()> condition)
{
    action->setCheckable(true);
    m_conditions += { action, &QAction::setChecked, std::move(condition) };
}

void MainMenu::refreshActions()
{
    for (const Condition &row : std::as_const(m_conditions))
        (row.action->*row.set)(row.isMet());
}

/// Adds an action that opens a file or built-in id in a window.
void MainMenu::addSource(QMenu *menu, const QString &text, const QString &source)
{
    add(menu, {}, QString(text).replace(u'&', u"&&"_s), {},
        [this, source] { m_window.openBeside(source); });
}

MainMenu::MainMenu(MainWindow &window)
    : QObject(&window), m_window(window), m_palette(new CommandPalette(&window))
{
    buildFileMenu();
    buildEditMenu();
    if (!m_remote) // a real server runs by itself
        buildRunMenu();
    buildOperationMenu();
    buildNetworkMenu();
    buildViewMenu();
    buildHelpMenu();
    connect(&m_controller.updates(), &Updates::changed, this, &MainMenu::refreshActions);
    connect(&m_program, &Program::themeChanged, this, &MainMenu::refreshActions);
    connect(&m_program, &Program::motionChanged, this, &MainMenu::refreshActions);
    connect(&m_window.presenting(), &Presenting::changed, this, &MainMenu::refreshActions);
    connect(&m_network, &Network::shown, this, &MainMenu::refreshActions);
    connect(&m_network, &Network::servingChanged, this, &MainMenu::refreshActions);
    connect(&m_docks, &Docks::roomChanged, this, &MainMenu::refreshActions);
    refreshActions();
}

void MainMenu::buildFileMenu()
{
    QMenu *file = m_window.menuBar()->addMenu(tr("&File"));
    QMenu *templates = file->addMenu(tr("&New Pack"));
    for (const StartPage::Start &start : newPacks())
        addSource(templates, start.title, start.id);
    add(file, {}, tr("S&tart Page…"), Qt::CTRL | Qt::SHIFT | Qt::Key_N,
        [this] { m_program.showStart(&m_window); });
    add(file, u"open"_s, tr("&Open…"), QKeySequence::Open, [this] { m_window.askForFile(); });
    QMenu *recent = file->addMenu(tr("Open &Recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] {
        recent->clear();
        for (const QString &path : m_program.settings().recentFiles())
            addSource(recent, path, path);
        if (recent->isEmpty())
            recent->addAction(tr("No file has been opened yet"))->setEnabled(false);
    });
    QMenu *packs = file->addMenu(tr("Built-in &Systems"));
    for (const StartPage::Start &system : m_program.systems())
        addSource(packs, system.title, system.id);
    QAction *all = add(file, {}, tr("S&cenarios…"), {}, [this] {
        m_palette->open(tr("Type a part of a scenario's title"), {},
            [this](const QStringList &words) { return scenarios(words); });
    });
    all->setEnabled(!builtInScenarios(m_controller.rules().pack().id).isEmpty());
    file->addSeparator();
    if (m_editing) {
        add(file, {}, tr("&Save the Pack"), QKeySequence::Save, [this] { m_editing->save(); });
        add(file, {}, tr("Save the Pack &As…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
            [this] { m_editing->saveAs(); });
    }
    add(file, {}, tr("Save as S&cenario…"), Qt::CTRL | Qt::ALT | Qt::Key_R,
        [this] { m_network.saveScenario(); });
    add(file, u"picture"_s, tr("Save &Picture of the Chart…"), Qt::CTRL | Qt::ALT | Qt::Key_S,
        [this] { savePicture(m_window, u"chart.png"_s, m_chart); });
    add(file, u"picture"_s, tr("Save Picture of the Time&line…"), {},
        [this] { savePicture(m_window, u"timeline.png"_s, *m_window.timeline().view()); });
    add(file, u"copy"_s, tr("Copy Picture of the Chart"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
        [this] { QApplication::clipboard()->setImage(m_chart.image()); });
    if (!m_remote) // a server does not show every state of the run
        add(file, u"export"_s, tr("E&xport the Run…"), Qt::CTRL | Qt::ALT | Qt::Key_E,
            [this] { exportRun(m_window); });
    file->addSeparator();
    add(file, {}, tr("&Close Window"), QKeySequence::Close, [this] { m_window.close(); });
    add(file, {}, tr("&Quit"), QKeySequence::Quit, [this] { m_program.quit(); });
}

void MainMenu::buildEditMenu()
{
    QMenu *edit = m_window.menuBar()->addMenu(tr("&Edit"));
    const auto addFind = [this, edit] {
        add(edit, u"search"_s, tr("&Find…"), QKeySequence::Find, [this] { find(); });
    };
    if (!m_editing)
        return addFind();
    edit->addActions({ m_editing->undo(), m_editing->redo() });
    edit->addSeparator();
    addFind();
    checkWhen(add(edit, {}, tr("&Edit the Chart"), Qt::CTRL | Qt::Key_E,
                  [this] {
                      m_editing->setOn(!m_editing->isOn());
                      if (m_editing->isOn() && m_chart.isVisible())
                          m_chart.setFocus(Qt::ShortcutFocusReason);
                  }),
        [this] { return m_editing->isOn(); });
    edit->addSeparator();
    QMenu *arrange = nullptr;
    for (QAction *action : m_editing->hands().actions()) {
        const bool arranges = action->objectName() == u"arrange";
        if (arranges && !arrange)
            arrange = edit->addMenu(tr("&Arrange"));
        (arranges ? arrange : edit)->addAction(action);
    }
    edit->addSeparator();
    add(edit, {}, tr("Compare &with the Saved Version"), Qt::CTRL | Qt::SHIFT | Qt::Key_D,
        [this] { compareWithSaved(m_window); });
}

void MainMenu::buildRunMenu()
{
    QMenu *run = m_window.menuBar()->addMenu(tr("&Run"));
    run->addActions(m_window.transport()->actions());

    QMenu *switches = run->addMenu(tr("S&witches of the Rules"));
    switches->setToolTipsVisible(true);
    for (const Switch &row : m_controller.rules().pack().switches) {
        QMenu *values = switches->addMenu(displayName(row.id));
        values->setObjectName(row.id);
        values->menuAction()->setToolTip(row.about);
        for (const QString &value : row.values) {
            checkWhen(add(values, {}, switchValueText(row, value), {},
                          [this, id = row.id, value] { setSwitch(m_window, id, value); }),
                [this, id = row.id, value] {
                    return m_controller.rules().switches().value(id) == value;
                });
        }
    }
    switches->setEnabled(!switches->isEmpty());
}

void MainMenu::buildOperationMenu()
{
    QMenu *menu = m_window.menuBar()->addMenu(tr("&Operation"));
    add(menu, u"fire"_s, tr("&Fire"), Qt::CTRL | Qt::Key_Return, [this] { m_window.fire(); });
    m_afterOperations = add(menu, u"arm"_s, tr("&Add to the Burst"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_Return, [this] { m_window.fireBar().addToBurst(); });
    offerOperations();
    connect(&m_controller.updates(), &Updates::rewound, this, &MainMenu::offerOperations);
    add(menu, {}, tr("Fire &Together"), Qt::CTRL | Qt::ALT | Qt::Key_Return,
        [this] { m_network.burst()->fire(); });
    QAction *repeat = add(menu, {}, tr("Fire &Many Times…"), Qt::CTRL | Qt::SHIFT | Qt::Key_M,
        [this] { m_network.fireManyTimes(); });
    repeat->setEnabled(m_remote);
    if (!m_remote)
        repeat->setToolTip(
            tr("Connect to a server first. Without a server, “What Can Happen?” tries every "
               "order"));
    menu->addSeparator();
    add(menu, u"search"_s, tr("&What Can Happen?"), Qt::CTRL | Qt::SHIFT | Qt::Key_H,
        [this] { m_window.askOutcomes(); });
    menu->addSeparator();
    add(menu, u"add"_s, tr("&New Resource…"), QKeySequence::New,
        [this] { m_window.fireBar().describeNew(m_window.selection().resource()); });
    menu->addSeparator();
    const auto running = [this] { return m_window.runningOperation(); };
    enableWhen(add(menu, u"cancel"_s, tr("&Cancel the Running Operation"),
                   Qt::CTRL | Qt::Key_Backspace, [=, this] { m_window.cancel(running()); }),
        running);
    const Rules &rules = m_controller.rules();
    const auto addEnd = [&](const QString &icon, const QString &outcome, const QKeySequence &keys) {
        enableWhen(add(menu, icon, tr("End the Operation with %1").arg(outcome), keys,
                       [=, this] { m_window.end(running(), outcome); }),
            running);
    };
    addEnd(u"good"_s, rules.triggerName(rules.succeeded), Qt::CTRL | Qt::Key_G);
    addEnd(u"warn"_s, rules.triggerName(rules.failed), Qt::CTRL | Qt::SHIFT | Qt::Key_G);
}

/// Makes one action for each operation; again if an edit of the pack has changed them.
void MainMenu::offerOperations()
{
    const QStringList names = m_controller.rules().pack().operationNames();
    const auto nameOf = [](const QAction *action) { return action->data().toString(); };
    if (mapped<QStringList>(m_operations, nameOf) == names)
        return;
    qDeleteAll(std::exchange(m_operations, {}));
    auto *menu = qobject_cast<QMenu *>(m_afterOperations->parent());
    for (const QString &name : names) {
        auto *action = new QAction(tr("Fire %1").arg(name), this);
        if (const int digit = int(m_operations.size()) + 1; digit <= 9)
            action->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key(Qt::Key_0 + digit));
        action->setData(name);
        connect(action, &QAction::triggered, this, [this, name] { m_window.fire(name); });
        menu->insertAction(m_afterOperations, action);
        m_operations += action;
    }
}

void MainMenu::buildNetworkMenu()
{
    QMenu *menu = m_window.menuBar()->addMenu(tr("&Network"));
    add(menu, u"plug"_s, tr("&Connect to a Server…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O,
        [this] { m_program.connectToServer(&m_window); });
    if (!m_remote) {
        QAction *serve = add(menu, {}, tr("&Serve This Simulation"),
            Qt::CTRL | Qt::SHIFT | Qt::Key_L, [this] { m_network.serve(); });
        enableWhen(add(menu, {}, tr("S&top Serving"), {}, [this] { m_network.stopServing(); }),
            [this] { return m_network.isServing(); });
        if (m_controller.rules().pack().wire.isEmpty()) {
            serve->setEnabled(false);
            serve->setToolTip(
                tr("The pack %1 does not define HTTP requests; add the section \"wire\" to it")
                    .arg(m_controller.rules().pack().title));
            serve->setStatusTip(serve->toolTip());
            menu->setToolTipsVisible(true);
        }
    } else {
        add(menu, {}, tr("&Reconnect, and Read Everything"), QKeySequence::Refresh,
            [this] { m_network.reconnect(); });
        enableWhen(add(menu, {}, tr("&Disconnect"), {}, [this] { m_remote->close(); }),
            [this] { return m_network.state().kind != NetworkState::Kind::Closed; });
        checkWhen(add(menu, u"lock"_s, tr("Read &Only"), {},
                      [this] { m_network.setReadOnly(!m_remote->isReadOnly()); }),
            [this] { return m_remote->isReadOnly(); });
        checkWhen(add(menu, {}, tr("&Pause Polling"), {},
                      [this] { m_remote->setPolling(!m_remote->isPolling()); }),
            [this] { return !m_remote->isPolling(); });
    }
    menu->addSeparator();
    if (m_remote)
        add(menu, u"rule"_s, tr("&Judge the Recorded Exchanges…"), Qt::CTRL | Qt::SHIFT | Qt::Key_J,
            [this] { judge(m_window, m_network.recording()); });
    add(menu, u"export"_s, tr("E&xport Exchanges…"), {}, [this] { m_network.saveExchanges(); });
}

void MainMenu::buildViewMenu()
{
    QMenu *view = m_window.menuBar()->addMenu(tr("&View"));
    view->addActions(m_window.rooms().actions());
    view->addSeparator();
    QMenu *panels = view->addMenu(tr("P&anels")); // one menu would be too high for small screens
    int digit = 1;
    for (QDockWidget *dock : m_docks.all()) {
        QKeySequence keys =
            dock->objectName() == u"text" ? QKeySequence(Qt::CTRL | Qt::Key_T) : QKeySequence();
        if (keys.isEmpty() && digit <= 9)
            keys = Qt::ALT | Qt::Key(Qt::Key_0 + digit++);
        QAction *toggle =
            add(panels, {}, dock->windowTitle(), keys, [this, dock] { m_docks.toggle(dock); });
        checkWhen(toggle, [dock] { return !dock->isHidden(); }); // also behind a tab
        connect(dock, &QDockWidget::windowTitleChanged, toggle, &QAction::setText);
    }
    connect(panels, &QMenu::aboutToShow, this, &MainMenu::refreshActions);
    panels->addSeparator();
    add(panels, {}, tr("&Next Panel"), Qt::Key_F6, [this] { m_docks.focusNext(1); });
    add(panels, {}, tr("&Previous Panel"), Qt::SHIFT | Qt::Key_F6,
        [this] { m_docks.focusNext(-1); });
    add(view, {}, tr("&Reset Layout"), {}, [this] { m_docks.reset(); });
    view->addSeparator();
    add(view, u"zoom-in"_s, tr("Zoom &In"), QKeySequence::ZoomIn, [this] { m_chart.zoomIn(); });
    add(view, u"zoom-out"_s, tr("Zoom &Out"), QKeySequence::ZoomOut, [this] { m_chart.zoomOut(); });
    add(view, u"fit"_s, tr("&Whole Chart"), Qt::CTRL | Qt::Key_0, [this] { m_chart.fit(); });
    if (!m_remote)
        checkWhen(add(view, {}, tr("&Rule Coverage of the Run"), {},
                      [this] { m_window.showExercised(!m_window.showsExercised()); }),
            [this] { return m_window.showsExercised(); });
    view->addSeparator();
    QMenu *theme = view->addMenu(tr("&Theme"));
    const std::pair<QString, QString> themes[] { { u"system"_s, tr("Same as the &System") },
        { u"light"_s, tr("&Light") }, { u"dark"_s, tr("&Dark") },
        { u"contrast"_s, tr("High &Contrast") }, { u"colour-blind"_s, tr("Colour-&Blind") } };
    for (const auto &[id, text] : themes) {
        const auto choose = [this, name = id] {
            m_program.settings().setTheme(name);
            m_program.setTheme(name);
        };
        checkWhen(add(theme, {}, text, {}, choose),
            [this, name = id] { return m_program.themeName() == name; });
    }
    const auto toggleMotion = [this] {
        const bool still = !m_program.isStill();
        m_program.settings().setStill(still);
        m_program.setStill(still);
    };
    checkWhen(add(view, {}, tr("No Ani&mations"), {}, toggleMotion),
        [this] { return m_program.isStill(); });
    add(view, {}, tr("Go to the &Notice"), Qt::CTRL | Qt::Key_F6, [this] {
        for (NoticeBar *notice : m_window.findChildren<NoticeBar *>()) {
            if (notice->isAsking())
                return notice->setFocus(Qt::ShortcutFocusReason);
        }
        m_window.say(tr("No notice is waiting for an answer."));
    });
    QAction *present = add(view, {}, tr("&Presenter Mode"), Qt::CTRL | Qt::Key_F11,
        [this] { m_window.presenting().setOn(!m_window.presenting().isOn()); });
    m_window.addAction(present); // also where there is no menu bar
    checkWhen(present, [this] { return m_window.presenting().isOn(); });
    add(view, {}, tr("F&ull Screen"), Qt::Key_F11,
        [this] { m_window.setWindowState(m_window.windowState() ^ Qt::WindowFullScreen); });
}

void MainMenu::buildHelpMenu()
{
    QMenu *help = m_window.menuBar()->addMenu(tr("&Help"));
    add(help, u"command"_s, tr("&Commands…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P, [this] {
        QList<CommandPalette::Command> commands;
        for (const QAction *top : m_window.menuBar()->actions())
            collect(top->menu(), top->text().remove(u'&'), commands);
        m_palette->open(tr("Type a part of a command, or of the name of a resource, state, "
                           "operation, rule or lesson"),
            commands, [this](const QStringList &words) { return destinations(words); });
    });
    QMenu *manual = help->addMenu(tr("&Manual"));
    const auto page = [this, manual](const QString &name, const QString &title,
                          const QKeySequence &keys = {}) {
        add(manual, {}, title, keys, [this, name, title] { showPage(m_window, name, title); });
    };
    page(u"explore"_s, tr("Explore"), QKeySequence::HelpContents);
    page(u"edit"_s, tr("Edit"), Qt::SHIFT | Qt::Key_F1);
    page(u"outcomes"_s, tr("Outcomes"));
    page(u"server"_s, tr("Server"));
    page(u"learn"_s, tr("Learn"));
    page(u"changes"_s, tr("Changes"));
    help->addSeparator();
    add(help, {}, tr("&About Instar"), {}, [this] { showAbout(m_window); });
}

void MainMenu::find()
{
    if (m_docks.room() == Room::Edit)
        return m_palette->open(tr("Type a part of a name, or of a text in a form"), {},
            [this](const QStringList &words) { return destinations(words); });
    m_docks.raise(m_docks.named(u"timeline"_s)); // it may be behind another tab
    m_window.timeline().focusFilter();
}

/// Returns the system's built-in scenarios whose titles contain all words.
QList<CommandPalette::Destination> MainMenu::scenarios(const QStringList &words)
{
    if (m_scenarios.isEmpty()) {
        for (const QString &file : builtInScenarios(m_controller.rules().pack().id))
            m_scenarios += { scenarioTitle(file), [this, file] { m_window.openBeside(file); } };
    }
    QList<CommandPalette::Destination> found = m_scenarios;
    found.removeIf([&](const CommandPalette::Destination &scenario) {
        return !containsAll(scenario.text, words);
    });
    return found;
}

/// Returns the first destinations of each kind whose names contain all words: resources,
/// operations, states, rules, lessons and scenarios. In Edit, rows of the pack come first, in place
/// of states and rules. The name of a row includes the texts of its form.
QList<CommandPalette::Destination> MainMenu::destinations(const QStringList &words)
{
    constexpr int mostOfAKind = 40;
    constexpr quint32 mostExamined = 100'000; ///< searching a million paths would delay each key
    QList<CommandPalette::Destination> found;
    int remaining = mostOfAKind;
    const auto add = [&](const QString &text, const std::function<void()> &go,
                         const QString &inForm = {}) {
        if (remaining == 0 || !containsAll(text + inForm, words))
            return;
        --remaining;
        found += { text, go };
    };
    const bool isEditing = m_docks.room() == Room::Edit;
    const auto addRow = [&](const QString &text, const std::function<void()> &go) {
        if (!isEditing) // else the row is found in the document
            add(text, go);
    };
    quint32 examined = 0;
    if (isEditing) {
        const Pack &edited = m_editing->document().pack();
        visitRows(edited, [&](const auto &row, const RowLocation &location) {
            if (remaining == 0 || ++examined > mostExamined / 10)
                return;
            const QString at = pointerTo(location.keys);
            QString inForm;
            for (const Field &field : fieldsAt(edited, at).fields)
                inForm += u' ' + field.text;
            add(
                u"%1 · %2"_s.arg(headingOf(row).name, locationText(edited, at)),
                [this, at] { m_editing->showRow(at); }, inForm);
        });
        examined = 0;
        remaining = mostOfAKind;
    }
    const Tree &tree = m_controller.world().tree;
    for (const quint32 branch : tree.branches()) {
        for (quint32 position = 0;
             position < tree.branchSize(branch) && remaining > 0 && ++examined <= mostExamined;
             ++position) {
            const QString path = tree.path(tree.at(branch, position));
            add(tr("Go to %1").arg(path), [this, path] { m_window.select(path); });
        }
    }
    remaining = mostOfAKind;
    const PersistentList<Operation> &operations = m_controller.operations().all();
    for (qsizetype i = operations.size() - 1; i >= 0 && remaining > 0; --i) {
        const Operation &one = operations[i];
        //: an operation: its id, type, target and status
        add(tr("Operation %1: %2 %3, %4").arg(one.id, one.op, one.path, statusName(one.status)),
            [this, serial = one.serial] { m_window.showOperation(serial); });
    }
    remaining = mostOfAKind;
    const Pack &pack = m_controller.rules().pack();
    for (const Machine &machine : pack.machines) {
        for (const State &state : machine.states)
            addRow(tr("State %1 of %2").arg(state.id, shownTitle(machine)),
                [this, machine = machine.id, id = state.id] { m_window.showState(machine, id); });
    }
    remaining = mostOfAKind;
    for (const Source &source : pack.sourceList)
        addRow(tr("Rule %1: %2").arg(source.id, source.about),
            [this, id = source.id] { m_window.showSource(id); });
    remaining = mostOfAKind;
    for (const LessonInfo &lesson : builtInLessons()) {
        if (lesson.pack == pack.id)
            add(tr("Lesson: %1").arg(lesson.title),
                [this, file = lesson.file] { m_window.openBeside(file); });
    }
    return found + scenarios(words);
}

} // namespace instar
