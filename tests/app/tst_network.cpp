// SPDX-License-Identifier: Apache-2.0
// The real window, driving a server, and serving its own world.

#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "model/formats/exchanges.h"
#include "model/formats/library.h"
#include "model/items/exchangemodel.h"
#include "model/items/operationmodel.h"
#include "model/items/resourcemodel.h"
#include "tests/remote/reference.h"
#include "tests/support/bytesof.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "views/panels/armedpanel.h"
#include "views/panels/connectdialog.h"
#include "views/panels/firebar.h"
#include "views/panels/inspector.h"
#include "views/panels/inspectortext.h"
#include "views/panels/networkpanel.h"
#include "views/panels/strips.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const QString net = u"/logicalNetworks/ln"_s;
const QString subnet = net + u"/subnets/sn1"_s;

QList<ResourceSpec> tree()
{
    return { { .path = net }, { .path = subnet }, { .path = net + u"/subnets/sn2"_s } };
}

class TestNetwork : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void showsTheServer();
    void readOnlyUntilSwitchedOn();
    void otherClientsAreInTheWay();
    void whatWasNotSent();
    void readsWhileReadOnly();
    void offersWhatTheServerHears();
    void collides();
    void exchangesAreShown();
    void comesBack();
    void disconnects();
    void nobodyThere();
    void anotherSystem();
    void servesUntilStopped();
    void serves();
    void servedExchangesAreShown();
    void everythingIsRecorded();
    void whatCannotBeRecorded();
    void armsLocally();
    void connectionsAreRemembered();

private:
    MainWindow *connected();
    QString stateOf(const QString &path) const;

    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
    std::unique_ptr<Reference> m_reference;
    QPointer<MainWindow> m_window;
};

void TestNetwork::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"instar-test"_s);
    QCoreApplication::setApplicationName(u"instar-test"_s);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
}

void TestNetwork::init()
{
    QSettings().clear();
    m_program = std::make_unique<Program>();
    Server::Options options;
    options.speed = 20;
    options.retryAfter = 0;
    m_reference = std::make_unique<Reference>(u"network-controller"_s, tree(), options);
}

void TestNetwork::cleanup()
{
    for (const QPointer<MainWindow> &window : m_program->windows())
        delete window.data();
    m_program.reset();
    m_reference.reset();
    QSettings().clear();
}

MainWindow *TestNetwork::connected()
{
    const Result<MainWindow *> window =
        m_program->connectTo({ .url = m_reference->origin(), .pack = u"network-controller"_s });
    m_window = window ? *window : nullptr;
    return m_window;
}

QString TestNetwork::stateOf(const QString &path) const
{
    Controller &controller = m_window->controller();
    const Resource resource = controller.world().tree.find(path);
    return resource == NoResource
        ? QString()
        : controller.rules().shown(controller.world().tree.code(resource));
}

void TestNetwork::showsTheServer()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    QTRY_COMPARE(m_window->network().panel()->state().kind, NetworkState::Kind::Connected);
    QCOMPARE(stateOf(subnet), u"Succeeded"_s);
    auto *view = m_window->findChild<QTreeView *>();
    QVERIFY(view);
    QCOMPARE(view->model()->rowCount(), 1);
    QVERIFY(m_window->windowTitle().contains(m_reference->origin().section(u"//"_s, 1)));
    // Another client's change is seen.
    m_reference->ask("PUT", u"/networking/v1/logicalNetworks/other"_s, "{}");
    m_window->network().reconnect();
    QTRY_VERIFY(
        m_window->controller().world().tree.find(u"/logicalNetworks/other"_s) != NoResource);
}

void TestNetwork::readOnlyUntilSwitchedOn()
{
    QVERIFY(connected());
    const RemoteController::Options &options =
        qobject_cast<const RemoteController *>(&m_window->controller())->options();
    QVERIFY(options.mostRecords > 0 && options.mostOperations > 0); // it may look on for days
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->select(subnet);
    QVERIFY2(m_window->fireBar().verdictText().startsWith(u"read only: "_s),
        qPrintable(m_window->fireBar().verdictText()));
    QVERIFY(m_window->network().strip()->isHidden());
    m_window->fire(u"PUT"_s);
    QVERIFY2(m_window->statusBar()->currentMessage().contains(u"read only"_s),
        qPrintable(m_window->statusBar()->currentMessage()));
    QCOMPARE(m_window->controller().operations().all().size(), 0);
    QCOMPARE(m_reference->simulator().operations().all().size(), 0);
    m_window->network().setReadOnly(false);
    QVERIFY(!m_window->fireBar().verdictText().contains(u"read only"_s));
    m_window->fire(u"PUT"_s);
    QTRY_COMPARE(m_reference->simulator().operations().all().size(), 1);
    QTRY_COMPARE(m_window->controller().operations().all().first().status, Status::Succeeded);
    QTRY_COMPARE(stateOf(subnet), u"Succeeded"_s);
}

/// What moves there for somebody else may be in the way; what one has asked for oneself is known.
void TestNetwork::otherClientsAreInTheWay()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->network().setReadOnly(false);
    m_window->select(subnet);
    FireBar &bar = m_window->fireBar();
    bar.setOperation(u"PUT"_s);
    QVERIFY(bar.verdictText().startsWith(u"accepted: moves it to Updating"_s));
    m_reference->simulator().submit({ .op = u"DELETE"_s, .path = subnet, .hang = true });
    m_window->network().reconnect();
    QTRY_COMPARE(stateOf(subnet), u"Deleting"_s);
    m_window->controller().updates().tell();
    QTRY_VERIFY2(bar.verdictText().startsWith(
                     u"may be refused: sn1 is Deleting, for which nobody asked here"_s),
        qPrintable(bar.verdictText()));
    m_window->fire(u"PUT"_s);
    const Operation &put = m_window->controller().operations().all().first();
    QTRY_COMPARE(put.status, Status::Rejected);
    QTextDocument page;
    page.setHtml(operationText(m_window->controller(), put.serial, Theme::light()));
    QVERIFY2(page.toPlainText().contains(u"it was another client's"_s)
            && page.toPlainText().contains(u"R9"_s),
        qPrintable(page.toPlainText()));
}

/// No server tried it and none ended it, so the inspector tells of neither.
void TestNetwork::whatWasNotSent()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->network().setReadOnly(false);
    m_window->select(subnet);
    m_reference.reset();
    m_window->fire(u"PUT"_s); // before anybody has noticed
    const Operation &put = m_window->controller().operations().all().first();
    QTRY_COMPARE(statusText(put), u"Not sent"_s);
    QTextDocument page;
    page.setHtml(operationText(m_window->controller(), put.serial, Theme::light()));
    const QString text = page.toPlainText();
    QVERIFY2(text.contains(u"Asked for"_s), qPrintable(text));
    for (const QString &never : { u"\nSent\n"_s, u"Attempts"_s, u"nded"_s })
        QVERIFY2(!text.contains(never), qPrintable(text));
}

/// A GET changes nothing, so it needs no leave; together with a PUT it does.
void TestNetwork::readsWhileReadOnly()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->select(subnet);
    m_window->fireBar().setOperation(u"GET"_s);
    QVERIFY2(m_window->fireBar().verdictText().startsWith(u"done at once"_s),
        qPrintable(m_window->fireBar().verdictText()));
    QVERIFY(m_window->fireBar().findChild<QPushButton *>(u"primary"_s)->isEnabled());
    m_window->fire(u"GET"_s);
    const OperationLog &operations = m_window->controller().operations();
    QCOMPARE(operations.all().size(), 1);
    QTRY_COMPARE(operations.all().first().status, Status::Succeeded);

    ArmedPanel *armed = m_window->network().armed();
    armed->arm({ .op = u"GET"_s, .path = subnet });
    armed->arm({ .op = u"GET"_s, .path = net });
    armed->fire();
    QTRY_COMPARE(operations.all().size(), 3);
    QTRY_VERIFY(std::ranges::all_of(operations.all(), &Operation::isOver));
    armed->arm({ .op = u"PUT"_s, .path = net });
    armed->fire();
    QVERIFY2(m_window->statusBar()->currentMessage().contains(u"read only"_s),
        qPrintable(m_window->statusBar()->currentMessage()));
    QCOMPARE(operations.all().size(), 3);
    QCOMPARE(m_reference->simulator().operations().all().size(), 0);
}

/// Failures can be planned here only.
void TestNetwork::offersWhatTheServerHears()
{
    const auto failures = [](MainWindow &window) {
        window.fireBar().findChild<QToolButton *>(u"more"_s)->click();
        for (const QSpinBox *box : window.fireBar().findChildren<QSpinBox *>()) {
            if (box->accessibleName() == u"Transient failures")
                return box->isVisibleTo(&window);
        }
        return false;
    };
    QVERIFY(connected());
    QVERIFY(!failures(*m_window));
    MainWindow *local = m_program->open(u"network-controller"_s);
    QVERIFY(local && failures(*local));
}

/// Two clients at the same time: one of them is canceled or refused, and the window says so.
void TestNetwork::collides()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->network().setReadOnly(false);
    ArmedPanel *armed = m_window->network().armed();
    armed->arm({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    armed->arm({ .op = u"PUT"_s, .path = net + u"/subnets/sn2"_s, .client = u"B"_s });
    m_reference->server().plan({ .duration = 30'000 }); // 1.5 s: the other one comes in time
    QCOMPARE(m_window->findChild<QDockWidget *>(u"armed"_s)->windowTitle(), u"Armed (2)"_s);
    armed->fire();
    QTRY_COMPARE(m_window->controller().operations().all().size(), 2);
    const auto status = [&](int index) {
        return m_window->controller().operations().all()[index].status;
    };
    QTRY_VERIFY(m_window->controller().operations().all()[0].isOver()
        && m_window->controller().operations().all()[1].isOver());
    const int refused = status(0) == Status::Rejected ? 0 : 1;
    QCOMPARE(status(refused), Status::Rejected);
    QCOMPARE(status(1 - refused), Status::Succeeded);
    const Operation &operation = m_window->controller().operations().all()[refused];
    QCOMPARE(operation.errorCode, u"AnotherOperationInProgress"_s);
    QCOMPARE(operation.httpStatus, 409);
    // Whoever looks at what was armed is shown what became of it.
    auto *rows = armed->findChild<QTableView *>();
    m_window->findChild<QDockWidget *>(u"armed"_s)->raise();
    for (const int row : { refused, 1 - refused }) {
        QTest::mouseClick(rows->viewport(), Qt::LeftButton, {},
            rows->visualRect(rows->model()->index(row, 1)).center());
        const QString shown = m_window->findChild<Inspector *>()->toPlainText();
        const QString id = m_window->controller().operations().all()[row].id;
        QVERIFY2(shown.contains(u"Operation "_s + id), qPrintable(shown));
    }
    // What is saved for somebody else to play holds both, on what there was before.
    const Scenario saved = m_window->network().scenarioFor(u"/tmp/run.scenario.json"_s);
    QCOMPARE(saved.steps.size(), 2);
    QCOMPARE(saved.steps.first().request.op, u"PUT"_s);
    QCOMPARE(saved.steps.first().request.client, u"A"_s);
    QCOMPARE(saved.resources.value_or(QList<ResourceSpec>()).size(), 3);
    const Result<Stage> stage = stageOf(saved, *loadPack(u"network-controller"_s));
    QVERIFY2(stage, qPrintable(stage ? QString() : stage.error()));

    // Who reads why it answered so sees both requests, and what came back.
    m_window->showOperation(operation.serial);
    QTemporaryDir folder;
    const QString page = folder.filePath(u"why.html"_s);
    {
        const FileAnswer where(page);
        emit m_window->findChild<Inspector *>()->saveAsked();
    }
    const QString text = QString::fromUtf8(bytesOf(page));
    const qsizetype sent = text.indexOf(u"What was sent and answered"_s);
    QVERIFY2(sent > 0, qPrintable(text));
    QCOMPARE(text.count(u"<pre>PUT /networking/v1"_s), 2);
    QVERIFY(text.indexOf(u"<pre>HTTP/1.1 409 Conflict"_s) > sent);
    QVERIFY2(text.contains(u"<pre>HTTP/1.1 20"_s), qPrintable(text));
    QVERIFY(text.contains(u"AnotherOperationInProgress"_s));

    // The run is written as far as one is known that was only watched.
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window));
    const FileAnswer answer(folder.filePath(u"run"_s));
    QTest::keyClick(m_window, Qt::Key_E, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(!answer.filters().isEmpty());
    QVERIFY(!answer.filters().join(u' ').contains(u"html"_s));
    QFile file(folder.filePath(u"run.puml"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray told = file.readAll();
    QVERIFY(told.startsWith("@startuml"));
    QVERIFY2(told.contains("409"), told.constData());
    QCOMPARE(told.contains("PUT"), true);
}

void TestNetwork::exchangesAreShown()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->network().setReadOnly(false);
    m_window->select(subnet);
    m_window->fire(u"PUT"_s);
    const auto put = [&] {
        const QList<Exchange> all = m_window->network().panel()->exchanges();
        const auto found = std::ranges::find_if(all,
            [](const Exchange &exchange) { return exchange.purpose == Exchange::Purpose::Fire; });
        return found == all.end() ? Exchange() : *found;
    };
    QTRY_COMPARE(put().status, 200);
    QCOMPARE(put().method, u"PUT"_s);
    QVERIFY(put().url.endsWith(u"/networking/v1"_s + subnet));
    QVERIFY(!put().etag.isEmpty());
    QVERIFY(!put().responseBody.isEmpty());
}

void TestNetwork::comesBack()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_reference.reset();
    m_window->network().reconnect();
    QTRY_COMPARE(m_window->network().panel()->state().kind, NetworkState::Kind::Lost);
    QVERIFY(!m_window->network().panel()->state().detail.isEmpty());
    QCOMPARE(m_window->controller().world().tree.size(), 3); // as it was last seen
    const ConnectionStrip *strip = m_window->network().strip();
    QVERIFY(strip->isVisibleTo(m_window));
    QVERIFY2(
        strip->text().startsWith(u"Connection lost: "_s) && strip->text().contains(u"again in"_s),
        qPrintable(strip->text()));
    m_window->network().setReadOnly(false);
    m_window->select(subnet);
    QVERIFY2(
        m_window->fireBar().verdictText().startsWith(u"cannot be sent: the connection is lost"_s),
        qPrintable(m_window->fireBar().verdictText()));
    m_window->fire(u"PUT"_s);
    QVERIFY(m_window->controller().operations().all().isEmpty());
}

/// What was seen stays in sight, and all is seen again after Reconnect.
void TestNetwork::disconnects()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    const auto action = [this](QStringView text) {
        const QList<QAction *> actions = m_window->findChildren<QAction *>();
        const auto found =
            std::ranges::find_if(actions, [&](const QAction *one) { return one->text() == text; });
        return found == actions.end() ? nullptr : *found;
    };
    QAction *leave = action(u"&Disconnect"),
            *reconnect = action(u"&Reconnect, and Read Everything");
    QVERIFY(leave && leave->isEnabled() && reconnect);
    m_window->network().setReadOnly(false);
    m_window->select(subnet);
    m_reference->server().plan({ .duration = 3'600'000 }); // however slow this machine is
    m_window->fire(u"PUT"_s);
    QTRY_COMPARE(stateOf(subnet), u"Updating"_s);
    leave->trigger();
    QCOMPARE(m_window->network().panel()->state().kind, NetworkState::Kind::Closed);
    QVERIFY(!leave->isEnabled());
    QVERIFY(m_window->network().strip()->isVisibleTo(m_window));
    QVERIFY2(m_window->fireBar().verdictText().startsWith(
                 u"cannot be sent: the server is not connected"_s),
        qPrintable(m_window->fireBar().verdictText()));
    QCOMPARE(stateOf(subnet), u"Updating"_s);
    m_reference->simulator().runUntilQuiet();
    reconnect->trigger();
    QTRY_COMPARE(stateOf(subnet), u"Succeeded"_s);
    // Its list has come; the others may still be on their way.
    QTRY_COMPARE(m_window->network().panel()->state().kind, NetworkState::Kind::Connected);
    QVERIFY(leave->isEnabled());
}

void TestNetwork::nobodyThere()
{
    const QString origin = m_reference->origin();
    m_reference.reset();
    const Result<MainWindow *> window =
        m_program->connectTo({ .url = origin, .pack = u"network-controller"_s });
    QVERIFY(window);
    QTRY_COMPARE((*window)->network().panel()->state().kind, NetworkState::Kind::Unreachable);
    QVERIFY((*window)->network().strip()->isVisibleTo(*window));
    QVERIFY2((*window)->network().strip()->text().contains(u"Connection refused"_s),
        qPrintable((*window)->network().strip()->text()));
    const auto *tree = (*window)->findChild<QTreeView *>();
    QCOMPARE(tree->viewport()->findChild<QLabel *>()->text(),
        u"Nothing is known: there is no connection to the server."_s);
    QVERIFY(!m_program->connectTo({ .url = u"not a url"_s, .pack = u"network-controller"_s }));
    QVERIFY(!m_program->connectTo({ .url = origin, .pack = u"nonsense"_s }));
    const Result<MainWindow *> mute = m_program->connectTo({ .url = origin,
        .pack = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/packs/nova-server.json") });
    QVERIFY(!mute);
    QVERIFY2(mute.error().contains(u"no wire rows"_s), qPrintable(mute.error()));
}

/// Something answers, but nothing that it says is of this system.
void TestNetwork::anotherSystem()
{
    const Result<MainWindow *> window = m_program->connectTo(
        { .url = m_reference->origin() + u"/wrong"_s, .pack = u"network-controller"_s });
    QVERIFY(window);
    QTRY_COMPARE((*window)->network().panel()->state().kind, NetworkState::Kind::Doubtful);
    const QString text = (*window)->network().strip()->text();
    QVERIFY((*window)->network().strip()->isVisibleTo(*window));
    QVERIFY2(text.contains(u"answers, but not as "_s)
            && text.contains(u": check the URL or the system"_s),
        qPrintable(text));
}

/// The window says where it is served, for as long as it is.
void TestNetwork::servesUntilStopped()
{
    MainWindow *window = m_program->open(u"network-controller"_s);
    QVERIFY(window);
    QVERIFY(window->network().serving()->isHidden());
    QTimer::singleShot(0, this, [] {
        auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
        if (dialog)
            dialog->accept();
    });
    window->network().serve();
    QVERIFY(window->network().isServing());
    QVERIFY(window->network().serving()->isVisibleTo(window));
    QTRY_VERIFY(!window->network().panel()->visibleRegion().isEmpty());
    const QString url = window->network().serving()->url();
    QVERIFY2(url.startsWith(u"http://127.0.0.1:"_s), qPrintable(url));
    window->network().serve(); // asks nothing
    QVERIFY(window->statusBar()->currentMessage().contains(url));
    QCOMPARE(window->network().serving()->url(), url);
    emit window->network().serving()->stopAsked();
    QVERIFY(!window->network().isServing());
    QVERIFY(window->network().serving()->isHidden());
}

/// Clients of the window's own world: what they do is seen at once.
void TestNetwork::serves()
{
    MainWindow *window = m_program->open(u"network-controller"_s);
    QVERIFY(window);
    Server::Options options;
    options.speed = 0;
    Server server(window->simulator(), options);
    const Result<quint16> port = server.listen();
    QVERIFY(port);
    const Result<MainWindow *> other =
        m_program->connectTo({ .url = server.origin(), .pack = u"network-controller"_s });
    QVERIFY(other);
    QTRY_COMPARE(
        (*other)->controller().world().tree.size(), window->controller().world().tree.size());
    (*other)->network().setReadOnly(false);
    (*other)->select(u"/logicalNetworks/Transit"_s);
    (*other)->fire(u"DELETE"_s);
    QTRY_COMPARE(window->controller().operations().all().size(), 1);
    QCOMPARE(window->controller().world().running.size(), size_t(1));
    window->simulator().advance(5000);
    QTRY_COMPARE((*other)->controller().operations().all().first().status, Status::Succeeded);
    QTRY_VERIFY(
        (*other)->controller().world().tree.find(u"/logicalNetworks/Transit"_s) == NoResource);
    delete *other;
}

/// What clients ask of the world that this window serves is listed as what it asks itself would be.
void TestNetwork::servedExchangesAreShown()
{
    MainWindow *window = m_program->open(u"network-controller"_s);
    QVERIFY(window);
    const auto serve = [&] {
        QTimer::singleShot(0, this, [] {
            if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget()))
                dialog->accept();
        });
        window->network().serve();
        return window->network().serving()->url();
    };
    const auto ask = [](const QString &url, const QByteArray &method) {
        QNetworkAccessManager network;
        QNetworkRequest request { QUrl(url) };
        request.setRawHeader("Authorization", "Bearer s3cret");
        QNetworkReply *reply = network.sendCustomRequest(request, method);
        QSignalSpy finished(reply, &QNetworkReply::finished);
        finished.wait();
        return reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    };
    const NetworkPanel &panel = *window->network().panel();
    const QString path = u"/networking/v1/logicalNetworks/Transit"_s;
    const QString url = serve();
    QCOMPARE(ask(url + path, "GET"), 200);
    QCOMPARE(ask(url + path, "DELETE"), 202);
    QCOMPARE(panel.exchanges().size(), 2);
    const Exchange read = panel.exchanges()[0], removed = panel.exchanges()[1];
    QCOMPARE(read.method, u"GET"_s);
    QCOMPARE(read.url, url + path);
    QCOMPARE(read.status, 200);
    QVERIFY(read.isOver() && read.client.startsWith(u"127.0.0.1:"_s));
    QVERIFY(read.responseBody.contains("Transit"));
    QVERIFY(read.requestHeaders.contains(Exchange::Header { u"Authorization"_s, u"Bearer ***"_s }));
    QCOMPARE(removed.operation, window->controller().operations().all().first().id);
    QCOMPARE(removed.purpose, Exchange::Purpose::Fire);
    const auto *table = [&] {
        for (const QTableView *view : panel.findChildren<QTableView *>()) {
            if (view->accessibleName() == u"Exchanges")
                return view;
        }
        return static_cast<const QTableView *>(nullptr);
    }();
    QVERIFY(table && table->isVisibleTo(&panel));
    QCOMPARE(table->model()->rowCount(), 2);
    QCOMPARE(
        table->model()->index(1, ExchangeModel::StatusWord).data().toString(), u"202 Accepted"_s);

    // Served again: what comes then stands behind what came before.
    emit window->network().serving()->stopAsked();
    QCOMPARE(ask(serve() + path, "GET"), 200);
    QCOMPARE(panel.exchanges().size(), 3);
    QCOMPARE(panel.exchanges()[0], read);
    QVERIFY(panel.exchanges()[2].number > removed.number);
}

namespace {

QAction *recordAction(MainWindow *window)
{
    for (QAction *action : window->findChildren<QAction *>()) {
        if (action->text().remove(u'&').startsWith(u"Record Everything"))
            return action;
    }
    return nullptr;
}

} // namespace

/// What was exchanged before, and whatever is while it goes on, however much the list forgets; and
/// the file can be judged.
void TestNetwork::everythingIsRecorded()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->network().setReadOnly(false);
    const QString file = m_folder.filePath(u"seen.ndjson"_s);
    QAction *record = recordAction(m_window);
    QVERIFY(record && !record->isChecked());
    {
        const FileAnswer answer(file);
        record->trigger();
    }
    QVERIFY(m_window->network().isRecording() && record->isChecked());
    const auto *where = m_window->network().panel()->findChild<QWidget *>(u"networkWhere"_s);
    QVERIFY2(
        where->toolTip().contains(u"recording to seen.ndjson"_s), qPrintable(where->toolTip()));
    const qsizetype before = bytesOf(file).count('\n');
    QVERIFY(before > 0);
    m_window->select(subnet);
    m_window->fire(u"PUT"_s);
    QTRY_VERIFY(m_window->controller().operations().all().last().isOver());
    m_window->network().panel()->clear();
    const Result<QList<Exchange>> read = readExchanges(bytesOf(file), file);
    QVERIFY2(read, qPrintable(read ? QString() : read.error()));
    QVERIFY(read->size() > before);
    QVERIFY(std::ranges::any_of(*read, [](const Exchange &one) { return one.method == u"PUT"_s; }));
    const Result<Recording> recording =
        readRecording(bytesOf(file), file, m_window->controller().rules().pack());
    QVERIFY(recording);
    const auto [history, leftOut] = historyOf(*recording, m_window->controller().rules());
    QVERIFY(leftOut.isEmpty());
    QCOMPARE(history.requests.size(), 1);

    record->trigger();
    QVERIFY(!m_window->network().isRecording() && !record->isChecked());
    QVERIFY(!where->toolTip().contains(u"recording"_s));
    const QByteArray written = bytesOf(file);
    m_window->fire(u"PUT"_s);
    QTRY_VERIFY(m_window->controller().operations().all().last().isOver());
    QCOMPARE(bytesOf(file), written);
}

/// Where it cannot be written, that is said, and it is not shown as if it were.
void TestNetwork::whatCannotBeRecorded()
{
    QVERIFY(connected());
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    QAction *record = recordAction(m_window);
    {
        QTimer::singleShot(0, this, [] { QApplication::activeModalWidget()->close(); });
        record->trigger(); // and thought better of it
    }
    QVERIFY(!m_window->network().isRecording() && !record->isChecked());
    const QString full = m_folder.filePath(u"full.ndjson"_s);
    QVERIFY(QFile::link(u"/dev/full"_s, full));
    QString told;
    QTimer watch;
    connect(&watch, &QTimer::timeout, this, [&] {
        if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
            if (qobject_cast<QFileDialog *>(box->parentWidget())) // is to be replaced
                return box->button(QMessageBox::Yes)->click();
            told = box->text();
            box->close();
        }
    });
    watch.start(20);
    const FileAnswer answer(full);
    record->trigger();
    QVERIFY2(told.contains(u"full.ndjson: cannot be written"_s), qPrintable(told));
    QVERIFY(!m_window->network().isRecording() && !record->isChecked());
}

void TestNetwork::armsLocally()
{
    MainWindow *window = m_program->open(u"network-controller"_s);
    QVERIFY(window);
    window->select(u"/logicalNetworks/Transit"_s);
    window->fireBar().arm();
    window->fireBar().arm();
    QCOMPARE(window->network().armed()->requests().size(), 2);
    window->network().armed()->fire();
    QCOMPARE(window->controller().operations().all().size(), 2);
    QCOMPARE(window->controller().operations().all()[0].submitted,
        window->controller().operations().all()[1].submitted);
    QCOMPARE(window->controller().operations().all()[0].status, Status::Canceled);
}

void TestNetwork::connectionsAreRemembered()
{
    Settings settings;
    QCOMPARE(settings.connections().size(), 0);
    ConnectChoice choice { .url = u"https://host:8443"_s,
        .pack = u"network-controller"_s,
        .credentials = CredentialsKind::TokenCommand,
        .user = u"me"_s,
        .secret = u"s3cret"_s,
        .readOnly = false };
    settings.setConnections({ choice, { .url = u"http://127.0.0.1:1"_s, .pack = u"x"_s } });
    const QList<ConnectChoice> read = Settings().connections();
    QCOMPARE(read.size(), 2);
    QVERIFY(read[0] == withoutSecret(choice));
    QVERIFY(read[0].secret.isEmpty());
    QFile file(QSettings().fileName());
    QSettings().sync();
    QVERIFY(file.open(QFile::ReadOnly));
    const QByteArray kept = file.readAll();
    QVERIFY(kept.contains("host:8443"));
    QVERIFY(!kept.contains("s3cret"));

    // Ways to sign in that older versions had are none now, and never a command.
    for (const int gone : { 6, 7, 9, -1 }) {
        QSettings stored;
        stored.beginWriteArray(u"connections"_s);
        stored.setArrayIndex(0);
        stored.setValue("credentials", gone);
        stored.endArray();
        QVERIFY(Settings().connections().first().credentials == CredentialsKind::None);
    }
}

} // namespace

const instar::TestClass<TestNetwork, QApplication> registered;
#include "tst_network.moc"
