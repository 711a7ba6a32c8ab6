// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow.h"

#include "app/network.h"
#include "app/program.h"
#include "model/formats/library.h"
#include "views/diagram/statechart.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/armedpanel.h"
#include "views/panels/firebar.h"
#include "views/panels/guide.h"
#include "views/panels/inspector.h"
#include "views/panels/networkpanel.h"
#include "views/panels/queuepanel.h"
#include "views/panels/recordpanel.h"
#include "views/panels/resourcepanel.h"
#include "views/panels/startstrip.h"
#include "views/panels/transport.h"

#include <QBoxLayout>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

MainWindow::MainWindow(Program &program, Opened content)
    : m_program(program),
      m_source(content.source),
      m_scenario(std::move(content.scenario))
{
    if (content.server)
        m_controller = m_remote = new RemoteController(std::move(content.rules), *content.server, this);
    else
        m_controller = m_simulator = new Simulator(std::move(content.rules), std::move(content.world), this);
    m_network = new Network(m_simulator, m_remote, this);
    setWindowTitle(content.title);
    setAcceptDrops(true);
    setDockOptions(AllowNestedDocks | AllowTabbedDocks | AnimatedDocks | GroupedDragging);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    buildCentre();
    buildBars();
    buildDocks();
    buildMenus();
    connectPanels();
    m_usualDocks = saveState();

    resize(1280, 800);
    restoreGeometry(program.settings().geometry());
    m_sizesDocks = !restoreState(program.settings().docks());
    connect(&program, &Program::themeChanged, this, &MainWindow::applyTheme);
    applyTheme();
    selectSomething();
    playScenario();
    openServer();
}

MainWindow::~MainWindow()
{
    delete m_network; // clients are served as long as there is a simulator, not longer
}

bool MainWindow::isUntouched() const
{
    return m_simulator && !m_network->isServing() && m_simulator->lastMoment() == 0;
}

void MainWindow::buildCentre()
{
    auto *centre = new QWidget;
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(gap::small, gap::small, gap::small, gap::small);
    layout->setSpacing(gap::small);

    m_chart = new StatechartView;
    m_chart->setController(m_controller);
    auto *header = new QHBoxLayout;
    header->setSpacing(gap::small);
    header->setContentsMargins(gap::small, 0, 0, 0);
    m_chartTitle = new QLabel;
    m_chartTitle->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_chartTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    header->addWidget(m_chartTitle, 1);
    const auto button = [&](const QString &name, const QString &text, auto act) {
        auto *tool = new QToolButton;
        tool->setIcon(icon(name));
        tool->setToolTip(text);
        tool->setAccessibleName(text);
        connect(tool, &QToolButton::clicked, m_chart, act);
        header->addWidget(tool);
    };
    button(u"zoom-out"_s, tr("Zoom out"), &StatechartView::zoomOut);
    button(u"fit"_s, tr("Show the whole chart"), &StatechartView::fit);
    button(u"zoom-in"_s, tr("Zoom in"), &StatechartView::zoomIn);

    buildStart();
    layout->addWidget(m_strip);
    layout->addLayout(header);
    layout->addWidget(m_chart, 1);
    setCentralWidget(centre);
}

void MainWindow::buildStart()
{
    const QStringList operations = m_controller->rules().pack().operationNames();
    const bool isAlive = m_controller->world().tree.size() > 0;
    auto *strip = new StartStrip(isAlive ? operations : QStringList(), m_program.systems(), m_controller->rules().pack().id);
    m_strip = strip;
    if (!m_program.settings().showsStrip())
        m_strip->hide();
    connect(strip, &StartStrip::systemAsked, this, [this](const QString &id) { m_program.open(id, this); });
    connect(strip, &StartStrip::guideAsked, this, &MainWindow::showGuide);
    connect(strip, &StartStrip::fileAsked, this, &MainWindow::askForFile);
    connect(strip, &StartStrip::serverAsked, this, [this] { m_program.connectToServer(this); });
    connect(strip, &StartStrip::closed, this, [this] {
        m_strip->hide();
        m_program.settings().setShowsStrip(false);
    });
}

void MainWindow::buildBars()
{
    const auto bar = [this](const QString &title, const QString &name, QWidget *content) {
        auto *tools = new QToolBar(title);
        tools->setObjectName(name);
        tools->setAllowedAreas(Qt::TopToolBarArea | Qt::BottomToolBarArea);
        tools->setFloatable(false);
        content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        tools->addWidget(content);
        addToolBar(tools);
        m_bars += tools;
    };
    if (m_simulator) {
        m_transport = new Transport(*m_simulator);
        bar(tr("Transport"), u"transport"_s, m_transport);
        addToolBarBreak();
    }
    m_fireBar = new FireBar(*m_controller);
    m_fireBar->setPlansWork(m_simulator != nullptr);
    m_fireBar->setGuard([this] { return m_network->allowsWriting(); });
    bar(tr("Fire bar"), u"firebar"_s, m_fireBar);
}

void MainWindow::buildDocks()
{
    const auto dock = [this](const QString &title, const QString &name, Qt::DockWidgetArea area,
                          QWidget *content) {
        auto *widget = new QDockWidget(title);
        widget->setObjectName(name);
        widget->setWidget(content);
        addDockWidget(area, widget);
        m_docks += widget;
        connect(widget, &QDockWidget::dockLocationChanged, this, &MainWindow::nameDocksOnce,
            Qt::QueuedConnection);
        connect(widget, &QDockWidget::topLevelChanged, this, &MainWindow::nameDocksOnce,
            Qt::QueuedConnection);
        connect(widget, &QDockWidget::visibilityChanged, this, &MainWindow::nameDocksOnce,
            Qt::QueuedConnection);
        return widget;
    };
    m_resources = new ResourcePanel(*m_controller);
    m_inspector = new Inspector(*m_controller);
    m_queue = new QueuePanel(*m_controller);
    m_records = new RecordPanel(*m_controller);
    auto *inspector = new QWidget;
    auto *inspectorLayout = new QVBoxLayout(inspector);
    inspectorLayout->setContentsMargins(gap::small, gap::small, gap::normal, gap::small);
    inspectorLayout->addWidget(m_inspector);

    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    dock(tr("Resources"), u"resources"_s, Qt::LeftDockWidgetArea, m_resources);
    dock(tr("Inspector"), u"inspector"_s, Qt::RightDockWidgetArea, inspector);
    QDockWidget *queue = dock(tr("Operations"), u"operations"_s, Qt::BottomDockWidgetArea, m_queue);
    QDockWidget *records = dock(tr("Records"), u"records"_s, Qt::BottomDockWidgetArea, m_records);
    QDockWidget *armed = dock(tr("Armed"), u"armed"_s, Qt::BottomDockWidgetArea, m_network->armed());
    QDockWidget *network = dock(tr("Network"), u"network"_s, Qt::BottomDockWidgetArea, m_network->panel());
    tabifyDockWidget(queue, records);
    tabifyDockWidget(records, armed);
    tabifyDockWidget(armed, network);
    queue->raise();
    connect(m_network->armed(), &ArmedPanel::changed, armed, [this, armed] {
        const qsizetype count = m_network->armed()->requests().size();
        armed->setWindowTitle(count ? tr("Armed (%1)").arg(count) : tr("Armed"));
    });
}

void MainWindow::nameDocksOnce()
{
    for (QDockWidget *dock : std::as_const(m_docks)) {
        const auto beside = tabifiedDockWidgets(dock);
        const bool hasTab = !dock->isFloating()
            && std::ranges::any_of(
                beside, [](const QDockWidget *other) { return !other->isHidden(); });
        if (hasTab == (dock->titleBarWidget() != nullptr))
            continue;
        QWidget *old = dock->titleBarWidget();
        dock->setTitleBarWidget(hasTab ? new QWidget(dock) : nullptr);
        delete old;
    }
}

void MainWindow::connectPanels()
{
    const auto redirect = [this](const QString &path) { select(path); };
    connect(m_resources, &ResourcePanel::selected, this, redirect);
    connect(m_resources, &ResourcePanel::operationAsked, this,
        [this](const QString &operation, const QString &path) {
            select(path);
            fire(operation);
        });
    connect(m_resources, &ResourcePanel::childAsked, m_fireBar, &FireBar::describeNew);
    connect(m_inspector, &Inspector::resourceAsked, this, redirect);
    connect(m_inspector, &Inspector::operationAsked, this, &MainWindow::showOperation);
    connect(m_queue, &QueuePanel::selected, m_inspector, &Inspector::showOperation);
    connect(m_queue, &QueuePanel::cancelAsked, this, &MainWindow::cancel);
    connect(m_queue, &QueuePanel::endAsked, this, &MainWindow::end);
    connect(m_queue, &QueuePanel::targetAsked, this, redirect);
    connect(m_records, &RecordPanel::selected, m_inspector, &Inspector::showOperation);
    connect(m_records, &RecordPanel::targetAsked, this, redirect);
    connect(m_records, &RecordPanel::momentAsked, this, [this](qsizetype moment) {
        if (!m_simulator)
            return;
        m_simulator->pause();
        m_simulator->jump(moment);
    });
    connect(m_fireBar, &FireBar::pathEdited, this, [this](const QString &path) {
        if (m_controller->world().tree.find(path) != NoResource)
            select(path);
    });
    connect(m_fireBar, &FireBar::requestChanged, this,
        [this] { m_chart->setProbe(m_fireBar->request()); });
    connect(m_fireBar, &FireBar::fired, this, [this](quint32 serial, const QString &path) {
        if (m_controller->world().tree.find(path) != NoResource)
            select(path);
        m_queue->select(serial);
        wake();
        m_strip->hide(); // it has been followed
    });
    connect(m_fireBar, &FireBar::armed, m_network->armed(), &ArmedPanel::arm);
    connect(m_fireBar, &FireBar::armed, this, [this](const Request &request) {
        statusBar()->showMessage(tr("Armed %1 on %2; fire it together with others from the Armed panel").arg(request.op, request.path), 8000);
    });
    connect(m_network, &Network::fired, this, [this](quint32 serial, const QString &path) {
        if (m_controller->world().tree.find(path) != NoResource)
            select(path);
        m_queue->select(serial);
        wake();
    });
    connect(m_network, &Network::said, this, [this](const QString &sentence) { statusBar()->showMessage(sentence, 10'000); });
    connect(m_network, &Network::served, this, &MainWindow::wake);
    connect(m_network, &Network::connectAsked, this, [this] { m_program.connectToServer(this); });
    connect(m_network->panel(), &NetworkPanel::operationAsked, this, [this](const QString &id) {
        if (const Operation *operation = m_controller->operations().find(id))
            showOperation(operation->serial);
    });
    connect(m_chart, &StatechartView::fireRequested, this, &MainWindow::fire);
    connect(m_chart, &StatechartView::endRequested, this, &MainWindow::end);
    connect(m_chart, &StatechartView::stateSelected, m_inspector, &Inspector::showState);
    connect(m_chart, &StatechartView::transitionSelected, m_inspector, &Inspector::showTransition);
    m_chart->setProbe(m_fireBar->request());
}

void MainWindow::applyTheme()
{
    const Theme &theme = m_program.theme();
    m_chart->setTheme(theme);
    m_resources->setTheme(theme);
    m_inspector->setTheme(theme);
    m_queue->setTheme(theme);
    m_records->setTheme(theme);
    m_fireBar->setTheme(theme);
    m_network->panel()->setTheme(theme);
    if (m_guide)
        m_guide->setTheme(theme);
}

void MainWindow::select(const QString &path)
{
    if (path.isEmpty())
        return;
    m_resources->select(path);
    m_fireBar->setTarget(path);
    m_chart->setSelectedPath(path);
    m_inspector->showResource(path);
    m_chartTitle->setText(machineText());
}

QString MainWindow::machineText() const
{
    const QString path = m_resources->selectedPath();
    const Tree &tree = m_controller->world().tree;
    const Rules &rules = m_controller->rules();
    const Resource resource = tree.find(path);
    const QString name = u"<b>%1</b>"_s.arg(path.section(u'/', -1).toHtmlEscaped());
    if (resource == NoResource)
        return name;
    const int machine = rules.state(rules.stateOf(tree.code(resource))).machine;
    const Machine &row = rules.pack().machines[machine];
    return tr("%1 · lifecycle of %2")
        .arg(name, (row.title.isEmpty() ? row.id : row.title).toLower().toHtmlEscaped());
}

void MainWindow::selectSomething()
{
    // The most telling resource takes the first operation, and has something above, below and beside it.
    constexpr int takes = 4;
    const QString operation = m_controller->rules().pack().operationNames().value(0);
    const Tree &tree = m_controller->world().tree;
    Resource best = NoResource;
    int most = -1;
    int looked = 0;
    for (const quint32 branch : tree.branches()) {
        for (quint32 position = 0; position < std::min(tree.branchSize(branch), 200u); ++position) {
            const Resource resource = tree.at(branch, position);
            const Resource above = tree.parent(resource);
            const bool hasBelow = tree.subtree(resource).size() > 1;
            const bool hasBeside = above != NoResource
                && tree.subtree(above).size() > tree.subtree(resource).size() + 1;
            int score = (above != NoResource) + hasBelow + hasBeside;
            if (score + takes <= most)
                continue;
            Request request;
            request.op = operation;
            request.path = tree.path(resource);
            if (m_controller->admission(request).verdict == Admission::Verdict::Accepted)
                score += takes;
            if (score > most) {
                most = score;
                best = resource;
            }
        }
        if (most == takes + 3 || ++looked > 100)
            break;
    }
    if (best != NoResource)
        select(tree.path(best));
    m_resources->setFocus();
}

/// What was asked for is to be seen happening.
void MainWindow::wake()
{
    if (m_transport)
        m_transport->wake();
}

void MainWindow::openServer()
{
    if (!m_remote)
        return;
    connect(m_remote, &RemoteController::stateChanged, this, [this] {
        const bool isFirst = m_resources->selectedPath().isEmpty();
        if (m_remote->state() == RemoteController::State::Ready && isFirst) {
            m_resources->openRows();
            selectSomething();
        }
    });
    m_docks.last()->raise();
    m_network->reconnect();
}

void MainWindow::playScenario()
{
    if (!m_scenario)
        return;
    const Played played = play(*m_scenario, *m_simulator);
    m_simulator->jump(0);
    m_resources->openRows();
    QString text = tr("Played, and back at the beginning: press Play, or drag the slider.");
    if (played.failed > 0)
        text =
            tr("Line %1: %2").arg(played.failures.first().line).arg(played.failures.first().text);
    else if (played.passed > 0)
        text += u' ' + tr("Everything that it expects comes true.");
    statusBar()->showMessage(text);
    for (const ScenarioStep &step : std::as_const(m_scenario->steps)) {
        if (step.kind == ScenarioStep::Kind::Submit) {
            select(step.request.path);
            break;
        }
    }
}

void MainWindow::fire(const QString &operation)
{
    if (operation.isEmpty()) {
        m_fireBar->fire();
        return;
    }
    m_fireBar->setOperation(operation);
    m_fireBar->fire();
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

quint32 MainWindow::runningOperation() const
{
    const World &world = m_controller->world();
    if (world.find(m_queue->selectedSerial()))
        return m_queue->selectedSerial();
    return world.running.empty() ? 0 : world.running.back()->serial;
}

void MainWindow::showOperation(quint32 serial)
{
    m_queue->select(serial);
    m_inspector->showOperation(serial);
}

void MainWindow::resetDocks()
{
    restoreState(m_usualDocks);
    sizeDocks();
}

void MainWindow::sizeDocks()
{
    // The chart gets at least half of a small window, and a large window's docks do not grow beyond
    // what they need.
    const int left = std::clamp(width() * 3 / 10, 280, 420);
    const int right = std::clamp(width() / 5, 220, 320);
    resizeDocks({ m_docks[0], m_docks[1] }, { left, right }, Qt::Horizontal);
    resizeDocks({ m_docks[2] }, { std::clamp(height() / 4, 130, 260) }, Qt::Vertical);
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    if (m_sizesDocks)
        sizeDocks();
    m_sizesDocks = false;
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_program.settings().setWindow(saveGeometry(), saveState());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    for (const QUrl &url : event->mimeData()->urls())
        m_program.open(url.toLocalFile(), this);
}

} // namespace instar
