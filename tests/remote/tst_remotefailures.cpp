// SPDX-License-Identifier: Apache-2.0
// The Controller of a real server where the server goes away, refuses, lies or answers late, or
// does not say if a resource exists.

#include "tests/remote/driver.h"
#include "tests/remote/lonenetwork.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QTest>

using namespace instar;
using namespace instar::place;
using namespace Qt::StringLiterals;

class TestRemoteFailures : public QObject
{
    Q_OBJECT

private slots:
    void restart();
    void notThereYet();
    void connectionNotAccepted();
    void credentialRefused();
    void faults_data();
    void faults();
    void refusedPollIsNoLoss();
    void looksEndWhileThingsRun();
    void sentAgain();
    void pages();
    void brokenCollections();
    void closes();
    void lateAnswers();
    void threeValues_data();
    void threeValues();
    void aPutWaitsForTheReading_data();
    void aPutWaitsForTheReading();
    void orderIsKept();
    void ofItsParent();
    void missingListRemovesNothing();
    void listsThatAreNone();
    void onlyForbiddenLists();
    void readAsOftenAsAsked_data();
    void readAsOftenAsAsked();
};

namespace {

using Existence = RemoteController::Existence;

const QByteArray network =
    R"({"resourceId": "ln", "properties": {"x": 1, "provisioningState": "Succeeded"}})";

/// A server of which only the reading of /logicalNetworks/ln says something.
struct Lone
{
    int status = 200;
    QByteArray body = network;
    HttpHeaders headers;
    struct Listed
    {
        int status = 200;
        QByteArray body = R"({"value": []})";
    };
    QMap<QByteArray, Listed> lists; ///< end of a collection's path -> what it is answered
    ScriptedServer server { [this](const HttpRequest &request, QTcpSocket *socket) {
        for (auto it = lists.cbegin(); it != lists.cend(); ++it) {
            if (request.method == "GET" && request.target.endsWith(it.key()))
                return ScriptedServer::answer(socket, it->status, it->body);
        }
        if (request.method != "GET")
            ScriptedServer::answer(socket, 200, network);
        else if (request.target.endsWith("/logicalNetworks/ln"))
            ScriptedServer::answer(socket, status, body, headers);
        else
            ScriptedServer::answer(socket, 404);
    } };

    QStringList writes() const
    {
        QStringList found;
        for (const HttpRequest &request : server.requests) {
            if (request.method != "GET")
                found += QString::fromUtf8(request.method + ' ' + request.target.mid(14));
        }
        return found;
    }
};

} // namespace

/// The server goes and comes back, and has forgotten its operations.
void TestRemoteFailures::restart()
{
    auto reference = std::make_unique<Reference>(u"network-controller"_s, smallTree(), patient());
    Server::Options again = patient();
    again.http.port = quint16(QUrl(reference->origin()).port());
    RemoteController::Options lively = unhurried(QUrl(reference->origin()));
    lively.refreshMs = 20;
    Driver driver(lively);
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    reference.reset();
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Lost);
    QVERIFY(has(driver.controller.stateText(), { u"does not answer"_s }));
    QVERIFY(driver.controller.nextTry().isValid());
    const Operation &offline = driver.ask({ .op = u"PUT"_s, .path = net, .id = u"b"_s });
    QCOMPARE(offline.status, Status::Rejected);
    QCOMPARE(offline.errorCode, u"NotSent"_s);

    reference = std::make_unique<Reference>(u"network-controller"_s, smallTree(), again);
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Ready);
    QTRY_COMPARE(driver.at(net), u"Succeeded"_s);
    driver.controller.refresh();
    QTRY_COMPARE(driver.status(u"a"_s), u"Failed"_s);
    const Operation *lost = driver.controller.operations().find(u"a"_s);
    QCOMPARE(lost->errorCode, u"Forgotten"_s);
    QVERIFY(begins(lost->errorMessage, u"The operation's outcome is unknown: "_s));
    QCOMPARE(driver.ask(u"PUT"_s, subnet).status, Status::InProgress);
}

void TestRemoteFailures::notThereYet()
{
    ScriptedServer nobody([](const HttpRequest &, QTcpSocket *) {});
    const QUrl url = nobody.url();
    nobody.stop();
    Driver driver(unhurried(url));
    QVERIFY(driver.controller.open());
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Lost);
    QVERIFY(driver.controller.stateText().contains(u"Connection refused"_s));
    Server::Options there = patient();
    there.http.port = quint16(url.port());
    const Reference reference(u"network-controller"_s, smallTree(), there);
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Ready);
    QCOMPARE(driver.rewinds, 1);
    QCOMPARE(driver.at(net), u"Succeeded"_s);
}

/// A request that waits for its connection is reported within two seconds.
void TestRemoteFailures::connectionNotAccepted()
{
    bool running = false;
    const TestCertificate own = TestCertificate::make();
    const QSslConfiguration tls = own.server();
    ScriptedServer server(loneNetwork(&running), &tls);
    RemoteController::Options options = unhurried(server.url());
    options.connection.authorities = own.certificate;
    Driver driver(options);
    QVERIFY(driver.opened());
    server.pause();
    driver.controller.submit({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QTRY_COMPARE(
        driver.problems.value(0), u"a: the server has not accepted a connection for 1 s."_s);
}

void TestRemoteFailures::credentialRefused()
{
    Server::Options guarded = patient();
    guarded.http.token = "right";
    const Reference reference(u"network-controller"_s, smallTree(), guarded);
    RemoteController::Options wrong = unhurried(QUrl(reference.origin()));
    wrong.connection.credential = { Credential::Kind::Bearer, {}, u"wrong"_s };
    Driver refused(wrong);
    QVERIFY(refused.controller.open());
    QTRY_COMPARE(refused.controller.state(), RemoteController::State::Lost);
    QVERIFY(has(refused.controller.stateText(), { u"401"_s }));
    QVERIFY(!refused.controller.nextTry().isValid());
}

void TestRemoteFailures::faults_data()
{
    const Rows<QString, QString, QString> row("fault", "status", "code");
    row("close", u"close"_s, u"Failed"_s, u"Lost"_s);
    row("truncate", u"truncate"_s, u"Failed"_s, u"Lost"_s);
    row("garbage", u"garbage"_s, u"Failed"_s, u"Lost"_s);
    // What was said in headers is enough.
    row("invalid-json", u"invalid-json"_s, u"Succeeded"_s, {});
    row("empty", u"empty"_s, u"Succeeded"_s, {});
    row("500", u"status:500"_s, u"Failed"_s, u"Http500"_s);
    row("delay", u"delay:50"_s, u"Succeeded"_s, {});
}

void TestRemoteFailures::faults()
{
    QFETCH(const QString, fault);
    QFETCH(const QString, code);
    Driven driven;
    auto &[reference, driver] = driven;
    const QByteArray plan =
        u"{\"path\": \"%1\", \"op\": \"PUT\", \"fault\": \"%2\"}"_s.arg(net, fault).toUtf8();
    QCOMPARE(reference.plan(plan).status, 200);
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    const Operation *operation = driver.controller.operations().find(u"a"_s);
    QTEST(statusName(operation->status), "status");
    QCOMPARE(operation->errorCode, code);
    QCOMPARE(operation->errorMessage.isEmpty(), code.isEmpty());
    QCOMPARE(driver.shown(),
        sorted(shownTree(driver.controller.rules(), reference.simulator().world())));
    QCOMPARE(driver.controller.state(), RemoteController::State::Ready);
}

/// 400 is an answer: the server is there.
void TestRemoteFailures::refusedPollIsNoLoss()
{
    bool running = false;
    int polls = 0;
    ScriptedServer server(loneNetwork(&running, [&](QTcpSocket *socket) {
        if (++polls > 2) {
            running = false;
            return false;
        }
        ScriptedServer::answer(socket, 400, R"({"error": {"code": "BadRequest"}})");
        return true;
    }));
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.opened());
    driver.states.clear();
    driver.controller.submit({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QTRY_COMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    QVERIFY(!driver.states.contains(int(RemoteController::State::Lost)));
}

/// A server that wants to be asked at once, again and again, does not keep a look from its end.
void TestRemoteFailures::looksEndWhileThingsRun()
{
    bool running = false;
    int polls = 0;
    ScriptedServer server(loneNetwork(&running, [&](QTcpSocket *) {
        ++polls;
        return false;
    }));
    RemoteController::Options options = unhurried(server.url());
    options.follow.usualDelay = 2000;
    Driver driver(options);
    QVERIFY(driver.opened());
    driver.controller.submit({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QTRY_VERIFY(polls > 3);
    for (int i = 0; i < 5; ++i) {
        driver.controller.refresh();
        QVERIFY(driver.controller.isRefreshing());
        QVERIFY(waited([&] { return !driver.controller.isRefreshing(); }));
        QCOMPARE(driver.at(net), u"Updating"_s);
        QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    }
    running = false;
    driver.controller.refresh(); // which does not end before the operation's end is told
    QVERIFY(waited([&] { return !driver.controller.isRefreshing(); }));
    QCOMPARE(driver.at(net), u"Succeeded"_s);
    QCOMPARE(driver.status(u"a"_s), u"Succeeded"_s);
}

void TestRemoteFailures::sentAgain()
{
    bool running = false;
    int puts = 0;
    ScriptedServer server(loneNetwork(
        &running, [](QTcpSocket *) { return false; },
        [&](QTcpSocket *socket) {
            if (++puts > 2)
                return false;
            ScriptedServer::answer(socket, puts == 1 ? 429 : 503, {}, { { "Retry-After", "0.1" } });
            return true;
        }));
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.opened());
    driver.controller.submit({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QTRY_COMPARE(puts, 1);
    QVERIFY(driver.controller.isBusy());
    QTRY_COMPARE(puts, 3);
    QVERIFY(driver.quiet());
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    QCOMPARE(driver.problems.size(), 2);
    QVERIFY(begins(driver.problems.first(), u"a: the server answered 429 and asked for a retry"_s));
    running = false;
    QTRY_COMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    int sent = 0;
    for (const Exchange &exchange : driver.exchanges)
        sent += exchange.method == u"PUT" && exchange.operation == u"a";
    QCOMPARE(sent, 3); // each is an exchange
}

void TestRemoteFailures::pages()
{
    bool circles = false;
    int askedElsewhere = 0;
    ScriptedServer elsewhere([&](const HttpRequest &, QTcpSocket *socket) {
        ++askedElsewhere;
        ScriptedServer::answer(socket, 200, "{\"value\": []}");
    });
    QByteArray last;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        const QByteArray path = request.target;
        const auto item = [](const char *name) {
            return QByteArray("{\"resourceId\": \"") + name
                + "\", \"properties\": {\"provisioningState\": \"Succeeded\"}}";
        };
        if (path.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200,
                "{\"value\": [" + item("a")
                    + "], \"nextLink\": \"/networking/v1/logicalNetworks?skip=1\"}");
        else if (path.endsWith("?skip=1"))
            ScriptedServer::answer(socket, 200,
                "{\"value\": [" + item("b") + "], \"nextLink\": \""
                    + (circles ? "/networking/v1/logicalNetworks" : "?skip=2") + "\"}");
        else if (path.endsWith("?skip=2"))
            ScriptedServer::answer(socket, 200,
                "{\"value\": [" + item("c")
                    + (last.isEmpty() ? "]}" : "], \"nextLink\": \"" + last + "\"}"));
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(driver.shown(),
        u"/logicalNetworks/a Succeeded\n/logicalNetworks/b Succeeded\n/logicalNetworks/c Succeeded"_s);
    QCOMPARE(driver.problems, QStringList());
    circles = true;
    driver.controller.reload();
    QVERIFY(driver.quiet());
    QCOMPARE(driver.problems.size(), 1);
    QVERIFY(has(driver.problems.first(), { u"leads back"_s }));
    // Who could be asked for the rest there would be told our credential, or lie.
    circles = false;
    last = elsewhere.url().toString().toUtf8() + "/networking/v1/logicalNetworks?skip=3";
    driver.controller.reload();
    QVERIFY(driver.quiet());
    QCOMPARE(driver.problems.size(), 2);
    QVERIFY(has(driver.problems.last(), { u"or to another server"_s }));
    QCOMPARE(askedElsewhere, 0);
}

void TestRemoteFailures::brokenCollections()
{
    Lone lone {
        .lists = { { "/logicalNetworks",
                       { .body =
                               R"({"value": [{"resourceId": "a", "properties": {"provisioningState": "Succeeded"}}, 17, {"resourceId": true}]})" } },
            { "/gateways", { .body = "{\"value\": [" } }, { "/GatewayPools", { 403 } },
            { "/servers", { 500, R"({"error": {"code": "X", "message": "The disk is full."}})" } } }
    };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(driver.shown(), u"/logicalNetworks/a Succeeded"_s);
    driver.problems.sort();
    const QString base = lone.server.url(u"/networking/v1"_s).toString();
    QCOMPARE(driver.problems.size(), 3);
    QVERIFY(begins(driver.problems[0], u"/gateways cannot be read: "_s));
    QCOMPARE(driver.problems[1], base + u"/GatewayPools cannot be read: 403 Forbidden"_s);
    QCOMPARE(driver.problems[2], base + u"/servers cannot be read: 500 The disk is full."_s);
}

void TestRemoteFailures::closes()
{
    Driven driven;
    auto &[reference, driver] = driven;
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    driver.controller.submit({ .op = u"PUT"_s, .path = u"/GatewayPools/gp"_s, .id = u"b"_s });
    driver.controller.close();
    QCOMPARE(driver.controller.state(), RemoteController::State::Closed);
    QCOMPARE(driver.controller.operations().find(u"a"_s)->errorCode, u"Lost"_s);
    QVERIFY(driver.controller.operations().find(u"b"_s)->isOver());
    QVERIFY(driver.controller.world().running.empty());
    QCOMPARE(driver.ask(u"PUT"_s, net).errorCode, u"NotConnected"_s);
    QCOMPARE(driver.at(net), u"Updating"_s);
    // Closing from inside a signal.
    QVERIFY(driver.opened());
    QObject::connect(&driver.controller, &Controller::recorded, &driver.controller,
        [&] { driver.controller.close(); });
    driver.controller.submit({ .op = u"PUT"_s, .path = net });
    QCOMPARE(driver.controller.state(), RemoteController::State::Closed);
}

/// The look at a resource was asked for before a later answer told better.
void TestRemoteFailures::lateAnswers()
{
    QByteArray state = "Succeeded";
    QList<std::pair<QTcpSocket *, QByteArray>> held;
    bool holds = false;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        const QByteArray document =
            "{\"resourceId\": \"a\", \"properties\": {\"provisioningState\": \"" + state + "\"}}";
        if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200, "{\"value\": [" + document + "]}");
        else if (request.target.endsWith("/logicalNetworks/a") && request.method == "GET" && holds)
            held.append({ socket, document });
        else if ((request.target.endsWith("/logicalNetworks/a") && request.method == "GET")
            || request.method == "PUT")
            ScriptedServer::answer(socket, 200, document);
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.opened());
    holds = true;
    state = "Failed";
    driver.controller.submit({ .op = u"PUT"_s, .path = u"/logicalNetworks/a"_s, .id = u"x"_s });
    QTRY_COMPARE(held.size(), 1); // the look after its end
    QCOMPARE(driver.at(u"/logicalNetworks/a"_s), u"Failed"_s);
    holds = false;
    state = "Succeeded";
    driver.controller.reload();
    QTRY_COMPARE(driver.at(u"/logicalNetworks/a"_s), u"Succeeded"_s);
    ScriptedServer::answer(held.first().first, 200, held.first().second);
    QTRY_VERIFY(driver.controller.operations().find(u"x"_s)->isOver());
    QCOMPARE(driver.at(u"/logicalNetworks/a"_s), u"Succeeded"_s);
    // What came too late is news once it is so again.
    state = "Failed";
    driver.controller.submit({ .op = u"DELETE"_s, .path = u"/logicalNetworks/a"_s, .id = u"y"_s });
    QTRY_COMPARE(driver.at(u"/logicalNetworks/a"_s), u"Failed"_s); // the look after its refusal
}

void TestRemoteFailures::threeValues_data()
{
    const Rows<int, QByteArray, int, QString> add("status", "body", "existence", "reason");
    const auto row = [&](const char *name, int status, const QByteArray &body, Existence existence,
                         const QString &reason = {}) {
        add(name, status, body, int(existence), reason);
    };
    row("found", 200, network, Existence::There);
    row("404", 404, {}, Existence::NotThere);
    row("410", 410, {}, Existence::NotThere);
    for (const int status : { 400, 401, 403, 429, 500, 503 })
        row(QByteArray::number(status).constData(), status, {}, Existence::Unknown,
            u"cannot be read: %1"_s.arg(status));
    row("a page", 200, "<html>", Existence::Unknown, u"cannot be read"_s);
    row("no object", 200, "[]", Existence::Unknown, u"expected a resource"_s);
}

void TestRemoteFailures::threeValues()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const QString, reason);
    Lone lone { .status = status, .body = body };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(int(driver.controller.existence(net)), int(Existence::Unknown));
    driver.controller.find({ net });
    QVERIFY(waited([&] { return !driver.controller.isFinding(); }));
    QTEST(int(driver.controller.existence(net)), "existence");
    const QString why = driver.controller.readingProblem(net);
    QVERIFY2(why.contains(reason) && why.isEmpty() == reason.isEmpty(), qPrintable(why));
}

void TestRemoteFailures::aPutWaitsForTheReading_data()
{
    const Rows<int, bool, bool> row("status", "creates", "isSent");
    row("not there", 404, false, true);
    row("there", 200, false, true);
    row("not known", 500, false, false);
    row("not known, and all the same", 500, true, true);
}

/// What a request would overwrite is not lost because nobody has read it.
void TestRemoteFailures::aPutWaitsForTheReading()
{
    QFETCH(const int, status);
    QFETCH(const bool, creates);
    QFETCH(const bool, isSent);
    Lone lone { .status = status };
    RemoteController::Options options = unhurried(lone.server.url());
    options.createsUnknown = creates;
    Driver driver(options);
    QVERIFY(driver.opened());
    const Operation &asked = driver.ask(u"PUT"_s, net);
    QCOMPARE(lone.writes(), isSent ? QStringList { u"PUT /logicalNetworks/ln"_s } : QStringList());
    if (!isSent) {
        QCOMPARE(asked.status, Status::Rejected);
        QCOMPARE(asked.errorCode, u"NotSent"_s);
        QVERIFY(has(asked.errorMessage, { u"could overwrite /logicalNetworks/ln"_s }));
    }
    for (const HttpRequest &request : lone.server.requests) {
        if (request.method == "PUT")
            QCOMPARE(request.body.contains("\"x\""), status == 200); // it says again what is there
    }
}

/// What is fired later is not sent before.
void TestRemoteFailures::orderIsKept()
{
    Lone lone { .status = 404 };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    driver.controller.submit({ .op = u"PUT"_s, .path = net });
    driver.controller.submit({ .op = u"DELETE"_s, .path = gatewayPool });
    QTRY_COMPARE(lone.writes(),
        (QStringList { u"PUT /logicalNetworks/ln"_s, u"DELETE /GatewayPools/gp"_s }));
}

/// Below what is not there is nothing.
void TestRemoteFailures::ofItsParent()
{
    Lone lone { .status = 404 };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    driver.controller.find({ net });
    QVERIFY(waited([&] { return !driver.controller.isFinding(); }));
    QCOMPARE(int(driver.controller.existence(pool)), int(Existence::NotThere));
    QCOMPARE(int(driver.controller.existence(gatewayPool)), int(Existence::Unknown));
}

/// A server without a list has its resources all the same; a look reads them one by one.
void TestRemoteFailures::missingListRemovesNothing()
{
    for (const int status : { 404, 405, 403, 500 }) {
        Lone lone { .lists = { { "/logicalNetworks", { status } } } };
        Driver driver(unhurried(lone.server.url()));
        QVERIFY(driver.opened());
        driver.controller.find({ net });
        QVERIFY(waited([&] { return !driver.controller.isFinding(); }));
        QCOMPARE(driver.at(net), u"Succeeded"_s);
        lone.body = QByteArray(network).replace("Succeeded", "Failed");
        driver.controller.refresh();
        QVERIFY(waited([&] { return !driver.controller.isRefreshing(); }));
        QCOMPARE(driver.at(net), u"Failed"_s);
        lone.status = 404;
        driver.controller.refresh();
        QVERIFY(waited([&] { return !driver.controller.isRefreshing(); }));
        QCOMPARE(driver.at(net), u"absent"_s);
    }
}

void TestRemoteFailures::listsThatAreNone()
{
    for (const char *body :
        { "<html>Sign in</html>", R"({"login": "please"})", "{}", R"({"value": "none"})" }) {
        Lone lone { .lists = {
                        { "/logicalNetworks", { .body = "{\"value\": [" + network + "]}" } } } };
        Driver driver(unhurried(lone.server.url()));
        QVERIFY(driver.opened());
        QCOMPARE(driver.at(net), u"Succeeded"_s);
        lone.lists["/logicalNetworks"].body = body;
        driver.controller.refresh();
        QVERIFY(waited([&] { return !driver.controller.isRefreshing(); }));
        QVERIFY2(driver.at(net) == u"Succeeded" && driver.problems.size() == 1, body);
    }
}

void TestRemoteFailures::onlyForbiddenLists()
{
    ScriptedServer server(
        [](const HttpRequest &, QTcpSocket *socket) { ScriptedServer::answer(socket, 403); });
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.controller.open());
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Lost);
    QVERIFY(has(driver.controller.stateText(), { u"403"_s }));
}

void TestRemoteFailures::readAsOftenAsAsked_data()
{
    // isAsked: again and again
    const Rows<int, QByteArray, bool> row("status", "retryAfter", "isAsked");
    row("nothing is said", 200, {}, true);
    row("at once", 200, "0", true);
    row("later", 200, "100", false);
    row("too often", 429, "100", false);
    row("busy", 503, "100", false);
}

/// What is in motion is looked at by itself, but not before the server wants to be asked.
void TestRemoteFailures::readAsOftenAsAsked()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, retryAfter);
    QFETCH(const bool, isAsked);
    const QByteArray moving = QByteArray(network).replace("Succeeded", "Updating");
    Lone lone { .status = status,
        .body = status == 200 ? moving : QByteArray(),
        .lists = { { "/logicalNetworks", { .body = "{\"value\": [" + moving + "]}" } } } };
    if (!retryAfter.isEmpty())
        lone.headers.append("Retry-After", retryAfter);
    const auto readings = [&] {
        return std::ranges::count_if(lone.server.requests,
            [](const HttpRequest &one) { return one.target.endsWith("/logicalNetworks/ln"); });
    };
    RemoteController::Options options = unhurried(lone.server.url());
    options.transitionalRefreshMs = 1;
    Driver driver(options);
    QVERIFY(driver.opened());
    QTRY_VERIFY(readings() > 0);
    if (isAsked) {
        QTRY_VERIFY(readings() > 3);
        return;
    }
    const qint64 begin = driver.controller.world().now;
    QTRY_VERIFY(driver.controller.world().now > begin + 600); // six ticks
    QCOMPARE(readings(), 1);
}

const instar::TestClass<TestRemoteFailures> registered;
#include "tst_remotefailures.moc"
