// SPDX-License-Identifier: Apache-2.0
// Operations at the reference controller, from the request to the end; and its endpoints for tests:
// the world, plans, faults and the reset.

#include "tests/remote/samplenetwork.h"
#include "tests/support/testclass.h"

#include <QSignalSpy>

using namespace instar;
using namespace instar::network;
using namespace Qt::StringLiterals;

namespace {

class TestServerOperations : public QObject
{
    Q_OBJECT

private slots:
    void putFlow();
    void deleteFlow();
    void failedOperation();
    void supersededOperation();
    void conflict();
    void replay();
    void synchronous();
    void ring();
    void lateReplay();
    void world();
    void plan_data();
    void plan();
    void planOfWhatIsRefused();
    void planErrors();
    void faults_data();
    void faults();
    void brokenRuleWaits();
    void conflictThatIsMissing();
    void onlyWithItsToken();
};

void TestServerOperations::putFlow()
{
    Reference reference(u"network-controller"_s, tree());
    const QString path = base + u"/logicalNetworks/new"_s;
    const HttpResponse created = reference.ask("PUT", path, body("{\"a\": [1, 2.50]}"));
    QCOMPARE(created.status, 201);
    QVERIFY(!hasHeader(created.headers, "Location"));
    QCOMPARE(stateIn(created), u"Updating"_s);
    QVERIFY(created.body.contains("2.50")); // as it was spelled
    const QString id = idIn(created);
    const QString operation = QString::fromLatin1(header(created.headers, "Azure-AsyncOperation"));
    QCOMPARE(operation, reference.origin() + base + u"/operations/"_s + id);

    const QString local = operation.mid(reference.origin().size());
    HttpResponse poll = reference.ask("GET", local);
    QCOMPARE(poll.status, 200);
    QCOMPARE(poll.body, "{\"status\":\"InProgress\"}");
    QCOMPARE(header(poll.headers, "Retry-After"), "1");
    QCOMPARE(reference.ask("GET", path).status, 200); // it can be read while it is being made
    reference.simulator().advance(1000);
    poll = reference.ask("GET", local);
    QCOMPARE(poll.body, "{\"status\":\"Succeeded\"}");
    QCOMPARE(stateAt(reference, path), u"Succeeded"_s);
    // The result of a PUT is the resource.
    const HttpResponse result = reference.ask("GET", base + u"/operationResults/"_s + id);
    QCOMPARE(result.status, 200);
    QCOMPARE(valueIn(result, u"resourceId"_s).toString(), u"new"_s);

    QCOMPARE(reference.ask("PUT", path, body()).status, 200); // it exists now
}

void TestServerOperations::deleteFlow()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse gone = reference.ask("DELETE", net);
    QCOMPARE(gone.status, 202);
    QCOMPARE(gone.body, QByteArray());
    QCOMPARE(header(gone.headers, "Retry-After"), "1");
    const QString id = idIn(gone);
    QCOMPARE(QString::fromLatin1(header(gone.headers, "Location")),
        reference.origin() + base + u"/operationResults/"_s + id);
    QVERIFY(hasHeader(gone.headers, "Azure-AsyncOperation"));
    QCOMPARE(stateAt(reference, net), u"Deleting"_s);
    const QString result = base + u"/operationResults/"_s + id;
    HttpResponse poll = reference.ask("GET", result);
    QCOMPARE(poll.status, 202);
    QCOMPARE(poll.body, QByteArray());
    QCOMPARE(header(poll.headers, "Retry-After"), "1");
    reference.simulator().advance(1000);
    poll = reference.ask("GET", result);
    QCOMPARE(poll.status, 204);
    QCOMPARE(reference.ask("GET", net).status, 404);
    QCOMPARE(reference.ask("DELETE", net).status, 204);
    QCOMPARE(reference.ask("DELETE", subnet).status, 404); // below nothing
}

void TestServerOperations::failedOperation()
{
    Reference reference(u"network-controller"_s, tree());
    for (const QByteArray method : { "PUT", "DELETE" }) {
        QCOMPARE(reference.plan("{\"outcome\": \"Failed\"}").status, 200);
        const HttpResponse response =
            reference.ask(method, net, method == "PUT" ? body() : QByteArray());
        const QString id = idIn(response);
        reference.simulator().advance(1000);
        const HttpResponse operation = reference.ask("GET", base + u"/operations/"_s + id);
        QCOMPARE(operation.status, 200); // reading it went well
        QCOMPARE(valueIn(operation, u"status"_s).toString(), u"Failed"_s);
        QCOMPARE(codeIn(operation), u"InternalServerError"_s);
        const HttpResponse result = reference.ask("GET", base + u"/operationResults/"_s + id);
        QCOMPARE(result.status, 500);
        QCOMPARE(codeIn(result), u"InternalServerError"_s);
        QCOMPARE(stateAt(reference, net), u"Failed"_s);
    }
}

void TestServerOperations::supersededOperation()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse first = reference.ask("PUT", subnet, body());
    const HttpResponse second = reference.ask("PUT", net, body());
    QCOMPARE(second.status, 200);
    const QString id = idIn(first);
    const QString by = idIn(second);
    const HttpResponse operation = reference.ask("GET", base + u"/operations/"_s + id);
    QCOMPARE(operation.status, 200);
    QCOMPARE(valueIn(operation, u"status"_s).toString(), u"Canceled"_s);
    QCOMPARE(codeIn(operation), u"Canceled"_s);
    QCOMPARE(valueIn(operation, u"error.details.0.code"_s).toString(),
        u"CanceledAndSupersededDueToAnotherOperation"_s);
    const QString text = valueIn(operation, u"error.details.0.message"_s).toString();
    QVERIFY(text.contains(id) && text.contains(by));
    const HttpResponse result = reference.ask("GET", base + u"/operationResults/"_s + id);
    QCOMPARE(result.status, 409);
    QCOMPARE(codeIn(result), u"Canceled"_s);
}

void TestServerOperations::conflict()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse first = reference.ask("PUT", subnet, body());
    const QByteArray id = header(first.headers, "x-ms-request-id");
    const QString tag =
        valueIn(reference.ask("GET", net + u"/subnets/sn2"_s), u"etag"_s).toString();
    const HttpResponse second = reference.ask("PUT", net + u"/subnets/sn2"_s, body());
    QCOMPARE(second.status, 409);
    QCOMPARE(codeIn(second), u"AnotherOperationInProgress"_s);
    QVERIFY(messageIn(second).endsWith(
        u"/networking/v1/operations/%1."_s.arg(QString::fromLatin1(id))));
    QCOMPARE(valueIn(reference.ask("GET", net + u"/subnets/sn2"_s), u"etag"_s).toString(), tag);
    // By the URL that its own client was given.
    const HttpResponse third =
        reference.ask("PUT", u"/networking/v7.1/logicalNetworks/ln/subnets/sn2"_s, body());
    QVERIFY(
        messageIn(third).contains(QString::fromLatin1(header(first.headers, "Azure-AsyncOperation"))
                                      .replace(u"/v1/"_s, u"/v7.1/"_s)));
    // What was refused was never an operation.
    const QByteArray refused = header(second.headers, "x-ms-request-id");
    QCOMPARE(
        reference.ask("GET", base + u"/operations/"_s + QString::fromLatin1(refused)).status, 404);
}

void TestServerOperations::replay()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpHeaders named { { "x-ms-client-request-id", "7f" } };
    const HttpResponse first = reference.ask("PUT", net, body("{\"a\": 1}"), named);
    QCOMPARE(first.status, 200);
    reference.simulator().advance(1000);
    const HttpResponse again = reference.ask("PUT", net, body("{\"a\": 2}"), named);
    QCOMPARE(again.status, first.status);
    QCOMPARE(again.body, first.body);
    QCOMPARE(header(again.headers, "x-ms-request-id"), header(first.headers, "x-ms-request-id"));
    QCOMPARE(reference.simulator().world().running.size(), size_t(0)); // it did not run again
    QVERIFY(reference.ask("GET", net).body.contains("\"a\":1")
        || reference.ask("GET", net).body.contains("\"a\": 1"));

    // A refusal is repeated, too.
    const HttpHeaders other { { "x-ms-client-request-id", "80" } };
    reference.ask("PUT", subnet, body());
    QCOMPARE(reference.ask("PUT", net + u"/subnets/sn2"_s, body(), other).status, 409);
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("PUT", net + u"/subnets/sn2"_s, body(), other).status, 409);
}

void TestServerOperations::synchronous()
{
    Reference reference(u"network-controller-sync"_s, tree());
    // The answer comes when the work is done.
    const auto done = [&](const QByteArray &method, const QString &path) {
        reference.send(method, path, method == "PUT" ? body() : QByteArray());
        if (!QTest::qWaitFor([&] { return reference.simulator().world().running.size() == 1; }))
            return HttpResponse { .status = 0 };
        reference.simulator().advance(1000);
        return reference.answer();
    };
    const HttpResponse put = done("PUT", net);
    QCOMPARE(put.status, 200);
    QVERIFY(!hasHeader(put.headers, "Azure-AsyncOperation"));
    QCOMPARE(stateIn(put), u"Succeeded"_s);
    QCOMPARE(done("PUT", base + u"/logicalNetworks/new"_s).status, 201);
    QCOMPARE(reference.plan("{\"outcome\": \"Failed\"}").status, 200);
    QCOMPARE(stateIn(done("PUT", net)), u"Failed"_s);
    QCOMPARE(done("DELETE", net).status, 200);
    QCOMPARE(reference.ask("GET", net).status, 404);
    QCOMPARE(reference.ask("DELETE", net).status, 204);
}

/// Operations that are over are forgotten one day; those that run never.
void TestServerOperations::ring()
{
    Server::Options options;
    options.speed = 1e-9;
    options.mostFinished = 100;
    Reference reference(u"network-controller"_s, tree(), options);
    const HttpResponse hangs = reference.ask("PUT", base + u"/GatewayPools/gp"_s, body());
    const HttpResponse first =
        reference.ask("PUT", net, body(), { { "x-ms-client-request-id", "first" } });
    HttpResponse last;
    for (int i = 0; i < 600; ++i)
        last = reference.ask("PUT", net, body());
    const auto poll = [&](const HttpResponse &response) {
        return reference.ask("GET", base + u"/operations/"_s + idIn(response)).status;
    };
    QCOMPARE(poll(hangs), 200);
    QCOMPARE(poll(last), 200);
    QCOMPARE(poll(first), 404);
    QVERIFY(reference.simulator().operations().all().size() <= 100 + 100 / 4 + 64 + 2);
    QVERIFY(reference.simulator().records().size() <= 600);
    QVERIFY(reference.simulator().world().answered.isEmpty());
    QJsonObject world = objectIn(reference.ask("GET", u"/_instar/world"_s));
    QVERIFY(world.value("recordsForgotten"_L1).toInteger() > 0);
    QCOMPARE(
        world.value("recordsForgotten"_L1).toInteger() + reference.simulator().records().size(),
        602);
    reference.ask("POST", u"/_instar/reset"_s);
    world = objectIn(reference.ask("GET", u"/_instar/world"_s));
    QVERIFY(!world.contains("recordsForgotten"_L1));
}

/// A request that is repeated before the first has its answer: both get the same one.
void TestServerOperations::lateReplay()
{
    Reference reference(u"network-controller-sync"_s, tree());
    const HttpHeaders named { { "x-ms-client-request-id", "twice" } };
    reference.send("PUT", net, body(), named);
    reference.send("PUT", net, body(), named);
    QTRY_COMPARE(reference.server().requests(), 2);
    QCOMPARE(reference.simulator().world().running.size(), size_t(1));
    reference.simulator().advance(1000);
    const HttpResponse first = reference.answer(), second = reference.answer();
    QCOMPARE(first.status, 200);
    QCOMPARE(second.status, 200);
    QCOMPARE(second.body, first.body);
    QCOMPARE(header(second.headers, "x-ms-request-id"), header(first.headers, "x-ms-request-id"));
}

void TestServerOperations::world()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse put = reference.ask("PUT", subnet, body());
    const QJsonObject world = objectIn(reference.ask("GET", u"/_instar/world"_s));
    QCOMPARE(world.value("pack"_L1).toString(), u"network-controller"_s);
    QCOMPARE(world.value("quiescent"_L1).toBool(true), false);
    QCOMPARE(world.value("resources"_L1).toArray().size(), 6);
    const QJsonObject operation = world.value("operations"_L1).toArray().at(0).toObject();
    QCOMPARE(
        operation.value("id"_L1).toString().toLatin1(), header(put.headers, "x-ms-request-id"));
    QCOMPARE(operation.value("status"_L1).toString(), u"InProgress"_s);
    QVERIFY(!operation.value("client"_L1).toString().isEmpty());
    for (const char *key : { "time", "records", "violations", "expectations" })
        QVERIFY2(world.contains(QLatin1StringView(key)), key);
}

void TestServerOperations::plan_data()
{
    // ends: virtual ms; -1: never
    const Rows<QByteArray, qint64, QString> row("plan", "ends", "state");
    const QString good = u"Succeeded"_s, bad = u"Failed"_s;
    row("{}", 1000, good);
    row(R"({"duration": 50})", 50, good);
    row(R"({"outcome": "Failed", "duration": 0})", 0, bad);
    row(R"({"hang": true})", -1, u"Updating"_s);
    row(R"({"path": "/logicalNetworks/other", "outcome": "Failed"})", 1000, good);
    row(R"({"op": "DELETE", "outcome": "Failed"})", 1000, good);
    row(R"({"path": "/LogicalNetworks/LN", "op": "PUT", "outcome": "Failed"})", 1000, bad);
    row(R"({"transientFailures": 1, "duration": 100})", 1200, good);
}

void TestServerOperations::plan()
{
    QFETCH(QByteArray, plan);
    QFETCH(qint64, ends);
    Reference reference(u"network-controller"_s, tree());
    QCOMPARE(reference.plan(plan).status, 200);
    reference.ask("PUT", net, body());
    if (ends > 0) {
        reference.simulator().advanceTo(ends - 1);
        QCOMPARE(stateAt(reference, net), u"Updating"_s);
    }
    reference.simulator().advanceTo(ends < 0 ? 1'000'000 : ends);
    QTEST(stateAt(reference, net), "state");
    // It is used up.
    if (ends < 0)
        return;
    reference.simulator().advanceTo(10'000);
    reference.ask("PUT", net, body());
    reference.simulator().advanceTo(11'000);
    QCOMPARE(stateAt(reference, net), u"Succeeded"_s);
}

/// A plan waits for an operation that starts.
void TestServerOperations::planOfWhatIsRefused()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpHeaders named { { "x-ms-client-request-id", "first" } };
    QCOMPARE(reference.ask("PUT", net + u"/subnets/sn2"_s, body(), named).status, 200);
    QCOMPARE(reference.plan("{\"outcome\": \"Failed\", \"fault\": \"status:503\"}").status, 200);
    QCOMPARE(reference.ask("PUT", subnet, body()).status, 409);
    QCOMPARE(reference.ask("PUT", subnet, "{").status, 409);
    QCOMPARE(reference.ask("DELETE", base + u"/logicalNetworks/none"_s).status, 204);
    QCOMPARE(reference.ask("PUT", net + u"/subnets/sn2"_s, body(), named).status, 200); // again
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("PUT", subnet, body()).status, 503);
    reference.simulator().advance(1000);
    QCOMPARE(stateAt(reference, subnet), u"Failed"_s);
    // One for the next request, whatever becomes of it.
    QCOMPARE(reference.plan("{\"outcome\": \"Failed\", \"refusedToo\": true}").status, 200);
    QCOMPARE(reference.ask("DELETE", base + u"/logicalNetworks/none"_s).status, 204);
    QCOMPARE(reference.ask("PUT", subnet, body()).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(stateAt(reference, subnet), u"Succeeded"_s);
}

void TestServerOperations::planErrors()
{
    Reference reference(u"network-controller"_s, tree());
    for (const char *bad : { "", "{", "[]", "{\"op\": \"PUSH\"}", "{\"outcome\": \"nice\"}",
             "{\"times\": -1}", "{\"fault\": \"fire\"}", "{\"path\": \"/nonsense/x\"}",
             "{\"what\": 1}", "{\"duration\": 1.5}" }) {
        const HttpResponse response = reference.plan(bad);
        QCOMPARE(response.status, 400);
        QCOMPARE(codeIn(response), u"InvalidRequestFormat"_s);
    }
}

void TestServerOperations::faults_data()
{
    // status: 0: no answer that could be read
    // told: status in the exchange
    const Rows<QString, int, int, QString> row("fault", "status", "told", "problem");
    const QString broken = u"The connection was interrupted."_s;
    row("close", u"close"_s, 0, 0, broken);
    row("truncate", u"truncate"_s, 0, 200, broken);
    row("garbage", u"garbage"_s, 0, 0, u"The answer was not HTTP."_s);
    row("invalid-json", u"invalid-json"_s, 200, 200, {});
    row("empty", u"empty"_s, 200, 200, {});
    row("status", u"status:503"_s, 503, 503, {});
    row("delay", u"delay:30"_s, 200, 200, {});
}

/// The operation runs all the same; only its answer suffers.
void TestServerOperations::faults()
{
    QFETCH(QString, fault);
    Reference reference(u"network-controller"_s, tree());
    reference.plan("{\"fault\": \"" + fault.toLatin1() + "\"}");
    QSignalSpy exchanges(&reference.server(), &Server::exchanged);
    const HttpResponse response = reference.ask("PUT", net, body());
    QTEST(response.status, "status");
    const auto last = exchanges.last()[0].value<Exchange>();
    QVERIFY(last.isOver());
    QTEST(last.status, "told");
    QTEST(last.problem, "problem");
    if (fault == u"empty")
        QCOMPARE(response.body, QByteArray());
    if (fault == u"invalid-json")
        QVERIFY(QJsonDocument::fromJson(response.body).isNull());
    QCOMPARE(reference.simulator().world().running.size(), size_t(1));
    reference.connectAgain();
    QCOMPARE(reference.ask("PUT", net, body()).status, 200);
}

/// A plan that breaks a rule waits for an operation that gives it a chance to.
void TestServerOperations::brokenRuleWaits()
{
    Reference reference(u"network-controller"_s, tree());
    reference.plan("{\"fault\": \"zombieAfterDelete\", \"duration\": 500}");
    reference.ask("PUT", net, body());
    reference.simulator().advance(1000);
    reference.ask("DELETE", net);
    reference.simulator().advance(500);
    QVERIFY(reference.simulator().world().running.empty());
    QVERIFY(reference.simulator().world().tree.find(u"/logicalNetworks/ln"_s) == NoResource);
    QCOMPARE(reference.ask("GET", net).status, 200);
    QCOMPARE(reference.ask("GET", subnet).status, 404); // only the target
    reference.simulator().stepBack();                   // another moment is another truth
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net).status, 404);
    QCOMPARE(reference.ask("POST", u"/_instar/reset"_s).status, 200);
    reference.ask("DELETE", net);
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net).status, 404);
}

/// Where answers are held back, too, a request that should have been refused is answered.
void TestServerOperations::conflictThatIsMissing()
{
    for (const QString &pack : { u"network-controller"_s, u"network-controller-sync"_s }) {
        Reference reference(pack, tree());
        reference.plan("{\"fault\": \"missingConflict\"}");
        reference.send("DELETE", net);
        QTRY_COMPARE(reference.simulator().world().running.size(), size_t(1));
        if (pack == u"network-controller"_s)
            reference.answer();
        else
            reference.connectAgain();
        const HttpResponse accepted = reference.ask("PUT", subnet, body());
        QVERIFY2(accepted.status >= 200 && accepted.status < 300,
            qPrintable(QString::number(accepted.status)));
        QCOMPARE(reference.ask("PUT", subnet, body()).status, 409); // it is used up
        QCOMPARE(reference.simulator().world().running.size(), size_t(1));
    }
}

/// A web page can send none of what is asked for.
void TestServerOperations::onlyWithItsToken()
{
    Server::Options options = Reference::still();
    options.testToken = "secret";
    Reference reference(u"network-controller"_s, tree(), options);
    const HttpHeaders json { { "Content-Type", "application/json; charset=utf-8" } },
        text { { "Content-Type", "text/plain" }, { "X-Instar-Token", "secret" } },
        form { { "Content-Type", "application/x-www-form-urlencoded" },
            { "X-Instar-Token", "secret" } },
        wrong { { "Content-Type", "application/json" }, { "X-Instar-Token", "secreT" } },
        right { { "Content-Type", "Application/JSON" }, { "X-Instar-Token", "secret" } };
    reference.ask("DELETE", net);
    reference.simulator().advance(1000);
    for (const QString &path : { u"/_instar/plan"_s, u"/_instar/reset"_s }) {
        QCOMPARE(reference.ask("POST", path, "{}", json).status, 403);
        QCOMPARE(reference.ask("POST", path, "{}", wrong).status, 403);
        QCOMPARE(reference.ask("POST", path, "{}", text).status, 415);
        QCOMPARE(reference.ask("POST", path, "{}", form).status, 415);
    }
    QCOMPARE(reference.ask("GET", net).status, 404); // nothing came of them
    QCOMPARE(reference.ask("GET", u"/_instar/world"_s).status, 200);
    QCOMPARE(reference.ask("POST", u"/_instar/plan"_s, "{}", right).status, 200);
    QCOMPARE(reference.ask("POST", u"/_instar/reset"_s, "{}", right).status, 200);
    QCOMPARE(reference.ask("GET", net).status, 200);
}

} // namespace

const instar::TestClass<TestServerOperations> registered;
#include "tst_serveroperations.moc"
