// SPDX-License-Identifier: Apache-2.0
// The real window, driving a server, and serving its own world.

#include "model/items/exchangemodel.h"
#include "model/json/exchanges.h"
#include "tests/app/serverundertest.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/burstpanel.h"
#include "views/panels/connectdialog.h"
#include "views/panels/inspector.h"
#include "views/panels/roundsdialog.h"

#include <QLabel>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTextDocument>
#include <QToolButton>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const QString sibling = net + u"/subnets/Rack-2"_s;

class TestNetwork : public QObject, private ServerUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { serve({ { .path = net }, { .path = subnet }, { .path = sibling } }); }
    void cleanup() { close(); }

    void showsTheServer();
    void readOnlyUntilSwitchedOn();
    void otherClientsAreInTheWay();
    void whatWasNotSent();
    void readsWhileReadOnly();
    void roundsOfReadsWriteNothing();
    void offersWhatTheServerHears();
    void collides();
    void comesBack();
    void disconnects();
    void nobodyThere();
    void anotherSystem();
    void servesUntilStopped();
    void servedExchangesAreShown();
    void connectionsAreRemembered();

private:
};

void TestNetwork::showsTheServer()
{
    QVERIFY(watches());
    QTRY_COMPARE(state(), NetworkState::Kind::Connected);
    QCOMPARE(stateOf(subnet), u"Succeeded"_s);
    settle();
    QVERIFY(tree().picture().timeline->find(subnet) != Timeline::NoRow);
    QVERIFY(m_window->windowTitle().contains(m_reference->origin().section(u"//"_s, 1)));
    // Another client's change is seen.
    m_reference->ask("PUT", u"/networking/v1/logicalNetworks/other"_s, "{}");
    m_window->network().reconnect();
    QTRY_VERIFY(
        m_window->controller().world().tree.find(u"/logicalNetworks/other"_s) != NoResource);
}

void TestNetwork::readOnlyUntilSwitchedOn()
{
    QVERIFY(watches());
    const RemoteController::Options &options =
        qobject_cast<const RemoteController *>(&m_window->controller())->options();
    QVERIFY(options.mostRecords > 0 && options.mostOperations > 0); // it may look on for days
    QTRY_COMPARE(m_window->controller().world().tree.size(), 3);
    m_window->select(subnet);
    QVERIFY2(verdict().startsWith(u"read-only connection: "_s), qPrintable(verdict()));
    QVERIFY(m_window->network().strip()->isHidden());
    m_window->fire(u"PUT"_s);
    QVERIFY2(statusText().contains(u"read-only"_s), qPrintable(statusText()));
    QCOMPARE(operations().size(), 0);
    QCOMPARE(m_reference->simulator().operations().all().size(), 0);
    m_window->network().setReadOnly(false);
    QVERIFY(!verdict().contains(u"read-only"_s));
    // "Writing is on" takes no more room than its words, so that the counts stay beside it.
    ConnectionStrip &strip = *m_window->network().strip();
    m_window->statusBar()->clearMessage();
    QTRY_VERIFY(strip.isVisible() && strip.width() <= strip.sizeHint().width());
    QVERIFY(m_window->timeline().counts()->isVisible());
    m_window->fire(u"PUT"_s);
    QTRY_COMPARE(m_reference->simulator().operations().all().size(), 1);
    QTRY_COMPARE(operations().first().status, Status::Succeeded);
    QTRY_COMPARE(stateOf(subnet), u"Succeeded"_s);
}

/// What moves there for somebody else may be in the way; what one has asked for oneself is known.
void TestNetwork::otherClientsAreInTheWay()
{
    QVERIFY(writes());
    FireBar &bar = m_window->fireBar();
    bar.setOperation(u"PUT"_s);
    QVERIFY(bar.verdictText().startsWith(u"accepted. Moves Rack-1 to Updating"_s));
    m_reference->simulator().submit({ .op = u"DELETE"_s, .path = subnet, .hang = true });
    m_window->network().reconnect();
    QTRY_COMPARE(stateOf(subnet), u"Deleting"_s);
    settle();
    QTRY_VERIFY2(
        bar.verdictText().startsWith(
            u"may be refused, because another client's operation has moved Rack-1 to Deleting"_s),
        qPrintable(bar.verdictText()));
    m_window->fire(u"PUT"_s);
    const Operation &put = operations().first();
    QTRY_COMPARE(put.status, Status::Rejected);
    QTextDocument page;
    page.setHtml(operationText(m_window->controller(), put.serial));
    QVERIFY(has(page.toPlainText(), { u"suggest an operation of another client"_s, u"R9"_s }));
}

/// No server tried it and none ended it, so the inspector tells of neither.
void TestNetwork::whatWasNotSent()
{
    QVERIFY(writes());
    m_reference.reset();
    m_window->fire(u"PUT"_s); // before anybody has noticed
    const Operation &put = operations().first();
    QTRY_COMPARE(instar::statusText(put), u"Not sent"_s);
    QTextDocument page;
    page.setHtml(operationText(m_window->controller(), put.serial));
    const QString text = page.toPlainText();
    QVERIFY2(text.contains(u"Requested"_s), qPrintable(text));
    for (const QString &never : { u"\nSent\n"_s, u"Work steps"_s, u"nded"_s })
        QVERIFY2(!text.contains(never), qPrintable(text));
}

/// A GET changes nothing, so it needs no leave; together with a PUT it does.
void TestNetwork::readsWhileReadOnly()
{
    QVERIFY(watches());
    m_window->select(subnet);
    m_window->fireBar().setOperation(u"GET"_s);
    QVERIFY2(verdict().startsWith(u"done at once"_s), qPrintable(verdict()));
    QVERIFY(m_window->fireBar().findChild<QPushButton *>(u"primary"_s)->isEnabled());
    m_window->fire(u"GET"_s);
    QCOMPARE(operations().size(), 1);
    QTRY_COMPARE(operations().first().status, Status::Succeeded);

    BurstPanel *burst = m_window->network().burst();
    burst->add({ .op = u"GET"_s, .path = subnet });
    burst->add({ .op = u"GET"_s, .path = net });
    burst->fire();
    QTRY_COMPARE(operations().size(), 3);
    QTRY_VERIFY(std::ranges::all_of(operations(), &Operation::isOver));
    burst->add({ .op = u"PUT"_s, .path = net });
    burst->fire();
    QVERIFY2(statusText().contains(u"read-only"_s), qPrintable(statusText()));
    QCOMPARE(operations().size(), 3);
    QCOMPARE(m_reference->simulator().operations().all().size(), 0);
}

/// A resource that others remove between rounds of reads is not created again.
void TestNetwork::roundsOfReadsWriteNothing()
{
    QVERIFY(watches());
    m_window->network().fireManyTimes();
    auto *dialog = m_window->findChild<RoundsDialog *>();
    emit dialog->startAsked({ .requests = { { .op = u"GET"_s, .path = sibling } },
        .rounds = 1000,
        .stopsAtViolation = false });
    QVERIFY(dialog->isGoingOn());
    QTRY_VERIFY(operations().size() > 0);
    m_reference->ask("DELETE", u"/networking/v1"_s + sibling);
    const World &world = m_reference->simulator().world();
    QTRY_VERIFY(world.tree.find(sibling) == NoResource);
    const qsizetype before = operations().size();
    QTRY_VERIFY(operations().size() > before + 1);
    emit dialog->stopAsked();
    QTRY_VERIFY(!dialog->isGoingOn());
    QCOMPARE(m_reference->simulator().operations().all().size(), 1);
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
    QVERIFY(watches());
    QVERIFY(!failures(*m_window));
    MainWindow *local = m_program->open(u"network-controller"_s);
    QVERIFY(local && failures(*local));
}

/// Two clients at the same time: one of them is canceled or refused, and the window says so.
void TestNetwork::collides()
{
    QVERIFY(writes());
    BurstPanel *burst = m_window->network().burst();
    burst->add({ .op = u"PUT"_s, .path = subnet, .client = u"A"_s });
    burst->add({ .op = u"PUT"_s, .path = sibling, .client = u"B"_s });
    m_reference->server().plan({ .duration = 30'000 }); // 1.5 s: the other one comes in time
    burst->fire();
    QTRY_COMPARE(operations().size(), 2);
    const auto status = [&](int index) { return operations()[index].status; };
    QTRY_VERIFY(operations()[0].isOver() && operations()[1].isOver());
    const int refused = status(0) == Status::Rejected ? 0 : 1;
    QCOMPARE(status(refused), Status::Rejected);
    QCOMPARE(status(1 - refused), Status::Succeeded);
    const Operation &operation = operations()[refused];
    QCOMPARE(operation.errorCode, u"AnotherOperationInProgress"_s);
    QCOMPARE(operation.httpStatus, 409);
    // Whoever looks at what was armed is shown what became of it.
    auto *rows = burst->findChild<QTableView *>();
    dock(u"armed"_s)->raise();
    for (const int row : { refused, 1 - refused }) {
        QTest::mouseClick(rows->viewport(), Qt::LeftButton, {},
            rows->visualRect(rows->model()->index(row, 1)).center());
        const QString shown = inspected();
        const QString id = operations()[row].id;
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
}

void TestNetwork::comesBack()
{
    QVERIFY(watches());
    m_reference.reset();
    m_window->network().reconnect();
    QTRY_COMPARE(state(), NetworkState::Kind::Lost);
    QVERIFY(!m_window->network().panel()->state().detail.isEmpty());
    QCOMPARE(m_window->controller().world().tree.size(), 3); // as it was last seen
    const ConnectionStrip *strip = m_window->network().strip();
    QVERIFY(strip->isVisibleTo(m_window));
    QVERIFY(
        begins(strip->text(), u"Connection lost: "_s) && has(strip->text(), { u"retrying in"_s }));
    m_window->network().setReadOnly(false);
    m_window->select(subnet);
    QVERIFY(begins(verdict(), u"cannot be sent: the connection is lost"_s));
    m_window->fire(u"PUT"_s);
    QVERIFY(operations().isEmpty());
}

/// What was seen stays in sight, and all is seen again after Reconnect.
void TestNetwork::disconnects()
{
    QVERIFY(writes());
    QAction &leave = action(u"Disconnect"_s);
    QVERIFY(leave.isEnabled());
    m_reference->server().plan({ .duration = 3'600'000 }); // however slow this machine is
    m_window->fire(u"PUT"_s);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(subnet), u"Updating"_s, 30'000);
    leave.trigger();
    QCOMPARE(state(), NetworkState::Kind::Closed);
    QVERIFY(!leave.isEnabled());
    QVERIFY(m_window->network().strip()->isVisibleTo(m_window));
    QVERIFY(begins(verdict(), u"cannot be sent: the server is not connected"_s));
    QCOMPARE(stateOf(subnet), u"Updating"_s);
    m_reference->simulator().runUntilQuiet();
    action(u"Reconnect, and Read Everything"_s).trigger();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(subnet), u"Succeeded"_s, 30'000);
    // Its list has come; the others may still be on their way.
    QTRY_COMPARE_WITH_TIMEOUT(state(), NetworkState::Kind::Connected, 30'000);
    QVERIFY(leave.isEnabled());
}

void TestNetwork::nobodyThere()
{
    const QString origin = m_reference->origin();
    m_reference.reset();
    const Result<MainWindow *> window = connectTo(origin.section(u"//"_s, 1)); // as one types it
    QVERIFY(window);
    QTRY_COMPARE((*window)->network().panel()->state().kind, NetworkState::Kind::Unreachable);
    QVERIFY((*window)->network().strip()->isVisibleTo(*window));
    QVERIFY(has((*window)->network().strip()->text(), { u"Connection refused"_s }));
    QCOMPARE(emptyTreeText((*window)->network().panel()->state()),
        u"No resources to show, because there is no connection to the server."_s);
    QVERIFY(!connectTo(u"not a url"_s));
    QVERIFY(!m_program->connectTo({ .url = origin, .pack = u"nonsense"_s }));
    const Result<MainWindow *> mute = m_program->connectTo({ .url = origin,
        .pack = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/packs/nova-server.json") });
    QVERIFY(!mute);
    QVERIFY2(mute.error().contains(u"does not define HTTP requests"_s), qPrintable(mute.error()));
}

/// Something answers, but nothing that it says is of this system.
void TestNetwork::anotherSystem()
{
    const Result<MainWindow *> window = connectTo(m_reference->origin() + u"/wrong"_s);
    QVERIFY(window);
    QTRY_COMPARE((*window)->network().panel()->state().kind, NetworkState::Kind::Unrecognized);
    const QString text = (*window)->network().strip()->text();
    QVERIFY((*window)->network().strip()->isVisibleTo(*window));
    QVERIFY(has(
        text, { u"answers, but its answers do not fit "_s, u". Check the URL and the system"_s }));
}

/// The window says where it is served, for as long as it is.
void TestNetwork::servesUntilStopped()
{
    MainWindow *window = m_program->open(u"network-controller"_s);
    QVERIFY(window);
    QVERIFY(window->network().serving()->isHidden());
    serve(*window);
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

/// What clients ask of the world that this window serves is listed as what it asks itself would be.
void TestNetwork::servedExchangesAreShown()
{
    MainWindow *window = m_program->open(u"network-controller"_s);
    QVERIFY(window);
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
    const QString url = serve(*window);
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
    const auto *table = panels::named<QTableView>(panel, u"Exchanges"_s);
    QVERIFY(table->isVisibleTo(&panel));
    QCOMPARE(table->model()->rowCount(), 2);
    QCOMPARE(table->model()->index(1, ExchangeModel::Answer).data().toString(), u"202 Accepted"_s);

    // Served again: what comes then stands behind what came before.
    emit window->network().serving()->stopAsked();
    QCOMPARE(ask(serve(*window) + path, "GET"), 200);
    QCOMPARE(panel.exchanges().size(), 3);
    QCOMPARE(panel.exchanges()[0], read);
    QVERIFY(panel.exchanges()[2].number > removed.number);
}

void TestNetwork::connectionsAreRemembered()
{
    Settings settings;
    QCOMPARE(settings.connections().size(), 0);
    ConnectChoice choice { .url = u"https://host:8443"_s,
        .pack = u"network-controller"_s,
        .credentials = CredentialKind::Command,
        .user = u"me"_s,
        .secret = u"s3cret"_s,
        .readOnly = false };
    settings.setConnections({ choice, { .url = u"http://127.0.0.1:1"_s, .pack = u"x"_s } });
    const QList<ConnectChoice> read = Settings().connections();
    QCOMPARE(read.size(), 2);
    choice.secret.clear();
    QVERIFY(read[0] == choice);
    const QByteArray kept = bytesOf(Settings::file());
    QVERIFY(kept.contains("host:8443"));
    QVERIFY(!kept.contains("s3cret"));

    // Unknown credentials are none, and never a command.
    for (const int unknown : { 6, -1 }) {
        written(Settings::file(),
            u"{\"connections\": [{\"credentials\": %1}]}"_s.arg(unknown).toUtf8());
        QVERIFY(Settings().connections().first().credentials == CredentialKind::None);
    }
    // A broken file is not overwritten: the message names it.
    written(Settings::file(), "{\"connections\":");
    QString problem;
    settings.reportProblems([&](const QString &text) { problem = text; });
    settings.setConnections({ choice });
    QVERIFY(problem.contains(Settings::file()));
    QCOMPARE(bytesOf(Settings::file()), QByteArray("{\"connections\":"));
}

} // namespace

const instar::TestClass<TestNetwork, QApplication> registered;
#include "tst_network.moc"
