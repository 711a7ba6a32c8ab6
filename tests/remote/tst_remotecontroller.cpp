// SPDX-License-Identifier: Apache-2.0
// What is special to the Controller of a real server: what goes over the wire and when, driving the
// reference controller of this process, whose virtual time the test lets pass. What it shares with
// the local one is in tst_conformance.cpp.

#include "model/engine/explanation.h"
#include "model/engine/timeline.h"
#include "model/engine/world.h"
#include "tests/remote/driver.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace instar;
using namespace instar::place;
using namespace Qt::StringLiterals;

class TestRemoteController : public QObject
{
    Q_OBJECT

private slots:
    void loads();
    void anotherSystem();
    void badOptions();
    void readOnly();
    void put();
    void saysAllAgain_data();
    void saysAllAgain();
    void askedWhenAtRest();
    void together();
    void changesAreAsOldAsTheLastLook();
    void refusedForAnotherClient();
    void pause();
    void headersOfRows();
    void byteOrderMark();
    void refusalThatNamesAnAddress();
    void whyIsNotGuessed();
    void theOldestIsForgotten();
};

/// Of a server that is watched for long the newest is kept, in blocks; nothing has another one's
/// name.
void TestRemoteController::theOldestIsForgotten()
{
    Reference reference(u"network-controller"_s, smallTree(), patient());
    RemoteController::Options few = unhurried(QUrl(reference.origin()));
    few.mostRecords = 40;
    few.mostOperations = 12;
    Driver driver(few);
    QVERIFY(driver.opened());
    const RemoteController &controller = driver.controller;
    QSignalSpy told(&controller, &Controller::recorded);
    QSet<qsizetype> blocks { 0 };
    QSet<QString> ids;
    const quint32 running =
        driver.ask({ .op = u"PUT"_s, .path = subnet, .id = u"runs"_s, .requestId = u"r"_s }).serial;
    const auto askOnce = [&] {
        const Operation asked = driver.ask(u"GET"_s, other);
        ids += asked.id;
        blocks += controller.forgotten();
        QCOMPARE(asked.status, Status::Succeeded); // the newest is there
        QVERIFY(controller.records().size() <= few.mostRecords);
        QVERIFY(controller.operations().all().size() <= few.mostOperations + 1);
        QCOMPARE(controller.forgotten() + controller.records().size(), told.size());
        QCOMPARE(controller.operations().forgotten() + controller.operations().all().size(),
            ids.size() + 1);
        QCOMPARE(controller.records().last().changes.front().operation, asked.serial);
    };
    for (int i = 0; i < 60; ++i)
        askOnce();
    QCOMPARE(ids.size(), 60);
    QVERIFY(controller.forgotten() > 0 && controller.operations().forgotten() > 0);
    QVERIFY(qsizetype(blocks.size()) - 1 <= controller.forgotten() / (few.mostRecords / 4));
    QVERIFY(controller.records().size() >= few.mostRecords * 3 / 4);
    QVERIFY(controller.operations().all().size() >= few.mostOperations * 3 / 4 + 1);
    QCOMPARE(driver.status(u"runs"_s), u"InProgress"_s);
    QVERIFY(controller.world().answered.contains(u"r"_s));

    reference.simulator().advance(1000);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"runs"_s), u"Succeeded"_s);
    QVERIFY(whyOperation(controller, running)); // though its beginning is not known any more
    // It is not running any more, and goes.
    for (int i = 0; i < 20; ++i)
        askOnce();
    QVERIFY(!controller.operations().find(running));
    QVERIFY(!controller.world().answered.contains(u"r"_s));
}

/// A server does not tell what it moves: an older move does not explain the state that is seen now.
void TestRemoteController::whyIsNotGuessed()
{
    Driven driven;
    auto &[reference, driver] = driven;
    driver.ask({ .op = u"PUT"_s, .path = subnet, .id = u"a"_s });
    driver.controller.refresh();
    QTRY_COMPARE(driver.at(subnet), u"Updating"_s);
    const quint32 removal = driver.ask({ .op = u"DELETE"_s, .path = net, .id = u"b"_s }).serial;
    QVERIFY(!whyOperation(driver.controller, removal)); // its answer shows no resource
    driver.controller.refresh();
    QTRY_COMPARE(driver.at(subnet), u"Deleting"_s);
    QVERIFY(!whyOperation(driver.controller, removal));
    for (const QString &path : { net, subnet, pool }) {
        const std::optional<Explanation> why = whyResource(driver.controller, path);
        QVERIFY2(!why || why->after == driver.at(path), qPrintable(why ? why->after : path));
    }
}

void TestRemoteController::loads()
{
    Reference reference(u"network-controller"_s, smallTree(), patient());
    Driver driver(unhurried(QUrl(reference.origin())));
    QSignalSpy progress(&driver.controller, &RemoteController::progressed);
    QVERIFY(driver.opened());
    QCOMPARE(driver.states,
        (QList<int> {
            int(RemoteController::State::Loading), int(RemoteController::State::Ready) }));
    QCOMPARE(driver.rewinds, 1);
    QCOMPARE(driver.shown().split(u'\n').size(), smallTree().size());
    QVERIFY(driver.controller.records().isEmpty());
    QCOMPARE(driver.problems, QStringList());
    QCOMPARE(progress.last().at(0), progress.last().at(1));
    QVERIFY(progress.size() > 5);

    const World &there = reference.simulator().world();
    const World &here = driver.controller.world();
    for (const ResourceSpec &spec : smallTree()) {
        QCOMPARE(driver.at(spec.path), u"Succeeded"_s);
        QCOMPARE(driver.controller.etag(here.tree.find(spec.path)),
            etag(there, there.tree.find(spec.path)));
        QCOMPARE(here.references.value(here.tree.find(spec.path)), spec.references);
    }
    QVERIFY(!driver.controller.isLocal());
    driver.controller.close();
    QCOMPARE(driver.controller.state(), RemoteController::State::Closed);
    QCOMPARE(here.tree.size(), smallTree().size()); // as it was last seen
    QVERIFY(driver.opened());
}

/// It answers, and nothing that it says belongs to the pack: that is said, and taken back as soon
/// as something does.
void TestRemoteController::anotherSystem()
{
    Reference reference(u"network-controller"_s, smallTree(), patient());
    Driver elsewhere(unhurried(QUrl(reference.origin() + u"/wrong"_s)));
    QVERIFY(elsewhere.opened());
    QVERIFY(!elsewhere.controller.isUnderstood());
    QCOMPARE(elsewhere.controller.stateText(),
        u"%1/wrong answers, but its answers do not fit %2. Check the URL and the system."_s.arg(
            reference.origin(), elsewhere.controller.rules().pack().title));

    bool isThere = false;
    ScriptedServer server([&](const HttpRequest &, QTcpSocket *socket) {
        if (isThere)
            ScriptedServer::answer(socket, 200, R"({"value": []})");
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.opened());
    QVERIFY(!driver.controller.stateText().isEmpty());
    isThere = true;
    driver.controller.reload();
    QTRY_VERIFY(driver.controller.isUnderstood());
    QCOMPARE(driver.controller.stateText(), QString());
    QCOMPARE(driver.controller.state(), RemoteController::State::Ready);
}

void TestRemoteController::badOptions()
{
    Driver nowhere(unhurried(QUrl(u"nonsense"_s)));
    QVERIFY(!nowhere.controller.open());
    Pack silent = packNamed(u"network-controller"_s);
    silent.wire = {};
    RemoteController unspoken(rulesOf(silent), unhurried(QUrl(u"http://127.0.0.1:1"_s)));
    QCOMPARE(unspoken.open().error(),
        u"The pack network-controller does not define HTTP requests; add the section \"wire\" to it."_s);

    const quint32 serial = unspoken.submit({ .op = u"PUT"_s, .path = net });
    QCOMPARE(unspoken.operations().find(serial)->errorCode, u"NotConnected"_s);
}

void TestRemoteController::readOnly()
{
    Reference reference(u"network-controller"_s, smallTree(), patient());
    RemoteController::Options careful = unhurried(QUrl(reference.origin()));
    careful.readOnly = RemoteController::Options().readOnly;
    Driver driver(careful);
    QVERIFY(driver.opened());
    const qint64 requests = reference.server().requests();
    const Operation &put = driver.ask(u"PUT"_s, net);
    QCOMPARE(put.status, Status::Rejected);
    QCOMPARE(put.errorCode, u"ReadOnly"_s);
    QVERIFY(!put.errorMessage.isEmpty());
    QCOMPARE(driver.trace(), u"rejected /logicalNetworks/ln: - -> -"_s);
    QCOMPARE(reference.server().requests(), requests);
    const quint32 look = driver.controller.submit({ .op = u"GET"_s, .path = net });
    QTRY_COMPARE(driver.controller.operations().find(look)->status, Status::Succeeded);
    driver.controller.setReadOnly(false);
    QCOMPARE(driver.ask(u"PUT"_s, net).status, Status::InProgress);
    for (const QString &operation : { u"PUT"_s, u"DELETE"_s, u"POST"_s, u"nonsense"_s, QString() })
        QVERIFY2(!driver.controller.onlyReads(operation), qPrintable(operation));
    QVERIFY(driver.controller.onlyReads(u"GET"_s));
}

/// It ended between the question that it was last at work for and the moment at which that was
/// seen.
void TestRemoteController::put()
{
    Driven driven;
    auto &[reference, driver] = driven;
    const quint32 serial = driver.controller.submit(
        { .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .client = u"A"_s });
    QVERIFY(!driver.controller.operations().find(serial)->started);
    QCOMPARE(driver.trace(), u"sent /logicalNetworks/ln/subnets/sn1: - -> -"_s);
    QVERIFY(driver.quiet());
    QVERIFY(driver.controller.operations().find(serial)->started);
    reference.simulator().advance(500);
    QTest::qWait(30);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    QTest::qWait(30);
    reference.simulator().advance(500);
    QVERIFY(driver.looked());
    QCOMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    Timeline timeline;
    for (const Record &record : driver.controller.records())
        timeline.add(driver.controller.rules(), record);
    const Timeline::Bar bar = *timeline.bar(serial);
    QVERIFY(bar.ended >= bar.started + 60);
    QCOMPARE(driver.problems, QStringList());
}

void TestRemoteController::saysAllAgain_data()
{
    const Rows<QString, QByteArray, Request, QByteArray> row("path", "stored", "request", "sent");
    const QByteArray whole =
        R"({"tags": {"a": "b"}, "resourceMetadata": {"tenant": 12345678901234567890}, "properties": {"big": 1.00, "x": 12345678901234567890}})";
    row("all of it", gatewayPool, whole, Request {},
        R"({"resourceId":"gp","tags":{"a": "b"},"resourceMetadata":{"tenant": 12345678901234567890},"properties":{"big":1.00,"x":12345678901234567890}})");
    row("laid over", gatewayPool, whole,
        Request { .properties = { { u"big"_s, 2 }, { u"new"_s, true } } },
        R"({"resourceId":"gp","tags":{"a": "b"},"resourceMetadata":{"tenant": 12345678901234567890},"properties":{"x":12345678901234567890,"big":2,"new":true}})");
    row("nothing but a name", gatewayPool, "{}", Request {},
        R"({"resourceId":"gp","properties":{}})");
    row("without children", net, R"({"tags": ["{"], "properties": {"z": {"subnets": []}}})",
        Request {}, R"({"resourceId":"ln","tags":["{"],"properties":{"z":{"subnets": []}}})");
    row("with references", gateway,
        R"({"properties": {"pool": {"resourceRef": "/GatewayPools/gp"}, "x": 1}})", Request {},
        R"({"resourceId":"g","properties":{"pool":{"resourceRef": "/GatewayPools/gp"},"x":1}})");
    row("with another reference", gateway,
        R"({"properties": {"pool": {"resourceRef": "/GatewayPools/gp"}, "x": 1}})",
        Request { .references = { u"/GatewayPools/other"_s } },
        R"({"resourceId":"g","properties":{"x":1,"pool":{"resourceRef":"/GatewayPools/other"}}})");
    row("its own body", gatewayPool, whole, Request { .body = "{ }" }, "{ }");
}

/// Nothing that a server keeps is lost or rounded by asking once more, and what is its own is not
/// said.
void TestRemoteController::saysAllAgain()
{
    QFETCH(const QString, path);
    QFETCH(const QByteArray, stored);
    QFETCH(Request, request);
    QFETCH(const QByteArray, sent);
    Reference reference(u"network-controller"_s,
        smallTree() << ResourceSpec { .path = u"/GatewayPools/other"_s }, patient());
    QCOMPARE(reference.ask("PUT", u"/networking/v1"_s + path, stored).status, 200);
    reference.simulator().advance(1000);
    Driver driver(unhurried(QUrl(reference.origin())));
    QVERIFY(driver.opened());
    request.op = u"PUT"_s;
    request.path = path;
    QCOMPARE(driver.ask(request).status, Status::InProgress);
    const auto fired =
        std::ranges::find(driver.exchanges, Exchange::Purpose::Fire, &Exchange::purpose);
    QCOMPARE(fired->requestBody, sent);
    reference.simulator().advance(1000);
    const World &world = reference.simulator().world();
    QCOMPARE(world.bodies.value(world.tree.find(path)), sent);
}

/// Where the server does not say when to ask, what its resources show does.
void TestRemoteController::askedWhenAtRest()
{
    Reference reference(u"network-controller"_s, smallTree(), patient());
    RemoteController::Options lively = unhurried(QUrl(reference.origin()));
    lively.transitionalRefreshMs = 10;
    Driver driver(lively);
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    reference.simulator().advance(1000);
    QTRY_COMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    // A DELETE is answered with Retry-After, which is kept.
    driver.ask({ .op = u"DELETE"_s, .path = net, .id = u"b"_s });
    reference.simulator().advance(1000);
    QTRY_COMPARE(driver.at(net), u"absent"_s);
    QCOMPARE(driver.status(u"b"_s), u"InProgress"_s);
    driver.controller.pollNow();
    QTRY_COMPARE(driver.status(u"b"_s), u"Succeeded"_s);
}

void TestRemoteController::together()
{
    Driven driven;
    auto &[reference, driver] = driven;
    const QList<quint32> serials = driver.controller.fireTogether(
        { { .op = u"PUT"_s, .path = subnet, .id = u"a"_s, .client = u"A"_s },
            { .op = u"PUT"_s, .path = other, .id = u"b"_s, .client = u"B"_s },
            { .op = u"PUT"_s, .path = u"/GatewayPools/gp"_s, .id = u"c"_s, .client = u"C"_s } });
    QCOMPARE(serials.size(), 3);
    QVERIFY(driver.quiet());
    QTRY_COMPARE(driver.bursts.size(), 1);
    const BurstReport report = driver.bursts.first();
    QCOMPARE(report.shots.size(), 3);
    QVERIFY(report.spreadNs > 0);
    QStringList statuses { driver.status(u"a"_s), driver.status(u"b"_s) };
    statuses.sort();
    QCOMPARE(statuses.join(u' '), u"InProgress Rejected"_s); // who comes first is the race
    // Nothing stood in its way when it was sent; whichever answer came first, the rule is known.
    const QString refused = driver.status(u"a"_s) == u"Rejected"_s ? u"a"_s : u"b"_s;
    const Operation *late = driver.controller.operations().find(refused);
    QCOMPARE(late->conflictsWith, refused == u"a"_s ? u"b"_s : u"a"_s);
    const std::optional<Explanation> why = whyOperation(driver.controller, late->serial);
    QVERIFY(why && why->row);
    QVERIFY2(why->rule.contains(u"R9"_s), qPrintable(why->rule));
    QCOMPARE(driver.status(u"c"_s), u"InProgress"_s);
    QStringList clients;
    for (const Exchange &exchange : driver.exchanges) {
        if (exchange.purpose == Exchange::Purpose::Fire)
            clients += exchange.client + exchange.operation;
    }
    QCOMPARE(clients.join(u' '), u"Aa Bb Cc"_s);
    QVERIFY(driver.controller.fireTogether({}).isEmpty());
}

/// Also where that look has shown the same again, byte for byte.
void TestRemoteController::changesAreAsOldAsTheLastLook()
{
    Driven driven;
    auto &[reference, driver] = driven;
    QTest::qWait(300);
    QElapsedTimer sinceAsked;
    sinceAsked.start();
    QVERIFY(driver.looked());
    QTest::qWait(100);
    reference.ask("PUT", u"/networking/v1/logicalNetworks/ln"_s, "{\"properties\": {}}");
    QVERIFY(driver.looked());
    const Record &record = driver.controller.records().last();
    const Change &seen = record.changes.front();
    QCOMPARE(seen.kind, Change::Kind::Reported);
    QCOMPARE(seen.path, u"/logicalNetworks/ln"_s);
    const qint64 unsure = record.event.time - record.since;
    QVERIFY2(
        unsure >= 100 && unsure <= sinceAsked.elapsed() + 2, qPrintable(QString::number(unsure)));
}

/// What stands in the way was never asked for here; the rules say all the same why.
void TestRemoteController::refusedForAnotherClient()
{
    Driven driven;
    auto &[reference, driver] = driven;
    const QString there = u"/networking/v1/logicalNetworks/ln/subnets/sn1"_s;
    QCOMPARE(reference.ask("DELETE", there).status, 202);
    QVERIFY(driver.looked());
    QCOMPARE(driver.at(subnet), u"Deleting"_s);
    for (const QString &path : { subnet, pool, otherPool, net }) {
        const Operation &asked = driver.ask(u"PUT"_s, path);
        if (path == net) { // the top may cancel what runs below it
            QCOMPARE(asked.status, Status::InProgress);
            continue;
        }
        QCOMPARE(asked.status, Status::Rejected);
        QCOMPARE(asked.errorCode, u"AnotherOperationInProgress"_s);
        QVERIFY2(asked.rule.contains(u"R9"_s), qPrintable(asked.rule));
        const std::optional<Explanation> why = whyOperation(driver.controller, asked.serial);
        QVERIFY(why && why->row && !why->other);
        QVERIFY(asked.conflictsWith.isEmpty());
        for (const Change &change : changesIn(driver.controller))
            QCOMPARE(change.other, 0u); // it has no number here
    }
    // It may also be at work on what is above all that moves.
    Reference going(u"network-controller"_s, smallTree(), patient());
    Driver aside(unhurried(QUrl(going.origin())));
    QVERIFY(aside.opened());
    QCOMPARE(going.ask("DELETE", u"/networking/v1/logicalNetworks/ln"_s).status, 202);
    QVERIFY(aside.looked());
    const Operation &saving = aside.ask(u"PUT"_s, net);
    QCOMPARE(saving.status, Status::Rejected);
    QVERIFY2(saving.rule.contains(u"R9"_s), qPrintable(saving.rule));
    // What is refused for no reason that is known gets none.
    Reference resting(u"network-controller"_s, smallTree(), patient());
    Driver beside(unhurried(QUrl(resting.origin())));
    QVERIFY(beside.opened());
    QCOMPARE(resting.ask("DELETE", there).status, 202); // not looked at since
    const Operation &asked = beside.ask(u"PUT"_s, pool);
    QCOMPARE(asked.status, Status::Rejected);
    QCOMPARE(asked.rule, QString());
}

void TestRemoteController::pause()
{
    Server::Options hasty = Reference::still();
    hasty.http.retryAfter = 0;
    Reference reference(u"network-controller"_s, smallTree(), hasty);
    RemoteController::Options lively = unhurried(QUrl(reference.origin()));
    lively.refreshMs = 10;
    lively.transitionalRefreshMs = 10;
    lively.follow.usualDelay = 0;
    Driver driver(lively);
    QVERIFY(driver.opened());
    driver.controller.setPolling(false);
    QVERIFY(driver.quiet());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    reference.simulator().advance(1000);
    const qint64 requests = reference.server().requests();
    QTest::qWait(150); // more than ten times what it takes otherwise
    QCOMPARE(reference.server().requests(), requests);
    QCOMPARE(driver.status(u"a"_s), u"InProgress"_s);
    driver.controller.setPolling(true);
    QTRY_COMPARE(driver.status(u"a"_s), u"Succeeded"_s);
    QTRY_COMPARE(driver.at(pool), u"Succeeded"_s);
}

/// Clients send them; what has a hole that nothing fills is left out, and a request's own win.
void TestRemoteController::headersOfRows()
{
    Pack pack = packNamed(u"network-controller"_s);
    for (WireRequest &row : pack.wire.requests)
        row.headers = { { u"X-Phase"_s, u"{op} of {name}"_s }, { u"X-Version"_s, u"{version}"_s },
            { u"X-Who"_s, u"{request id}"_s }, { u"Accept"_s, u"text/json"_s } };
    const Rules rules = rulesOf(pack);
    const WireRules messages(rules);
    const auto shown = [](const Result<HttpRequest> &request) {
        QStringList lines;
        for (const HttpHeader &header : request->headers)
            lines += QString::fromUtf8(header.name + ": " + header.value);
        lines.sort();
        return lines.join(u'\n');
    };
    QCOMPARE(shown(messages.request({ .op = u"DELETE"_s, .path = subnet, .requestId = u"r1"_s })),
        u"Accept: text/json\nX-Phase: DELETE of sn1\nX-Version: v1\nX-Who: r1\nx-ms-client-request-id: r1"_s);
    QCOMPARE(
        shown(messages.request(
            { .op = u"DELETE"_s, .path = subnet, .headers = { { u"x-phase"_s, u"mine"_s } } })),
        u"Accept: text/json\nX-Version: v1\nx-phase: mine"_s);
    QCOMPARE(shown(messages.requestToRead(u"resource"_s, subnet)),
        u"Accept: text/json\nX-Version: v1"_s);
}

/// RFC 8259: one before an answer may be passed over.
void TestRemoteController::byteOrderMark()
{
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    const QByteArray document = R"({"properties": {"provisioningState": "Failed"}})";
    const Result<ResourceMessage> read = WireRules(rules).resource("\xEF\xBB\xBF" + document, net);
    QCOMPARE(read->state, u"Failed"_s);
    QCOMPARE(read->body, document);
}

/// The absolute address of the operation that is in the way says which one it is.
void TestRemoteController::refusalThatNamesAnAddress()
{
    int puts = 0;
    QUrl url;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        const QByteArray operation = url.toEncoded() + "/networking/v1/operations/0a1b2c3d";
        if (request.method == "PUT" && ++puts == 1)
            ScriptedServer::answer(socket, 201,
                R"({"properties": {"provisioningState": "Updating"}})",
                { { "Azure-AsyncOperation", operation } });
        else if (request.method == "PUT")
            ScriptedServer::answer(socket, 409,
                R"({"error": {"code": "AnotherOperationInProgress", "message": "In the way: )"
                    + operation + "\"}}");
        else if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200, R"({"value": []})");
        else
            ScriptedServer::answer(socket, 404);
    });
    url = server.url();
    Driver driver(unhurried(url));
    QVERIFY(driver.opened());
    driver.ask({ .op = u"PUT"_s, .path = net, .id = u"a"_s });
    const Operation &refused = driver.ask({ .op = u"PUT"_s, .path = subnet, .id = u"b"_s });
    QCOMPARE(refused.status, Status::Rejected);
    QCOMPARE(refused.conflictsWith, u"a"_s);
}

const instar::TestClass<TestRemoteController> registered;
#include "tst_remotecontroller.moc"
