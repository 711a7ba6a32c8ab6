// SPDX-License-Identifier: Apache-2.0
// Operations at the reference controller, from the request to the end: what is answered at once,
// to polls, at the end, and to a request that comes again.

#include "tests/remote/samplenetwork.h"
#include "tests/support/testclass.h"

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
    void realTime();
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
        QCOMPARE(
            reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}").status, 200);
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
    QCOMPARE(reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}").status, 200);
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

/// With a speed the clock drives it: an operation of a virtual second ends in a real hundredth.
void TestServerOperations::realTime()
{
    Server::Options options;
    options.speed = 100;
    Reference reference(u"network-controller"_s, tree(), options);
    reference.ask("PUT", net, body());
    QTRY_COMPARE(stateAt(reference, net), u"Succeeded"_s);
    reference.ask("DELETE", net);
    QTRY_COMPARE(reference.ask("GET", net).status, 404);
}

} // namespace

const instar::TestClass<TestServerOperations> registered;
#include "tst_serveroperations.moc"
