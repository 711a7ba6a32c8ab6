// SPDX-License-Identifier: Apache-2.0
// Operations that are called again until they are done: the endpoint that answers, and the client
// that calls, each against something that is not the other.

#include "tests/remote/driver.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestApplicationCalls : public QObject
{
    Q_OBJECT

private slots:
    void machineIsMadeInCalls();
    void containerIsMadeAtOnce();
    void changesAndGoes();
    void answersThatAreNone_data();
    void answersThatAreNone();
    void callsAsThePhasesSay();
    void bothTogether();
    void weakLinks();
};

const QString resources = u"/application/resources"_s;

HttpHeaders phase(const char *name)
{
    return { { "APS-Request-Phase", name }, { "APS-Transaction-ID", "t-1" } };
}

QByteArray machine(const QByteArray &id, const QByteArray &more = {})
{
    return R"({"aps": {"id": ")" + id + R"("}, "hardware": {"VM": true})" + more + "}";
}

/// An endpoint whose attempts take their 100 ms when it is called.
struct Endpoint
{
    Endpoint() : reference(packNamed(u"aps"_s), resourcesFrom(u"/resources/app"_s)) { }

    HttpResponse call(const QByteArray &method, const QString &path, const QByteArray &body,
        const HttpHeaders &headers)
    {
        const qint64 before = reference.server().requests();
        reference.send(method, path, body, headers);
        if (!waited([&] { return reference.server().requests() > before; }))
            qFatal("it was not heard");
        reference.simulator().advance(100);
        return reference.answer();
    }
    QString at(const QString &path)
    {
        return shownAt(reference.simulator().rules(), reference.simulator().world(), path);
    }

    Reference reference;
};

/// The example of the documentation: 202 with what to wait, until the counter is down.
void TestApplicationCalls::machineIsMadeInCalls()
{
    Endpoint endpoint;
    const HttpResponse first = endpoint.call("POST", resources, machine("vm"), phase("sync"));
    QCOMPARE(first.status, 202);
    QCOMPARE(header(first.headers, "APS-Retry-Timeout"), QByteArray("30"));
    QCOMPARE(header(first.headers, "APS-Info"), QByteArray("Creating VPS"));
    QCOMPARE(header(first.headers, "APS-Transaction-ID"), QByteArray("t-1"));
    QCOMPARE(endpoint.at(u"/resources/vm"_s), u"aps:provisioning"_s);
    QList<int> answers;
    for (int i = 0; i < 5; ++i) {
        answers += endpoint.call("POST", resources, machine("vm"), phase("async")).status;
        endpoint.reference.simulator().advance(29'900);
    }
    QCOMPARE(answers, (QList<int> { 202, 202, 202, 202, 200 }));
    QCOMPARE(endpoint.at(u"/resources/vm"_s), u"aps:ready"_s);
    const HttpResponse late = endpoint.call("POST", resources, machine("vm"), phase("async"));
    QCOMPARE(late.status, 200); // it is told as often as somebody asks
    QCOMPARE(valueIn(late, u"aps.status"_s).toString(), u"aps:ready"_s);
    QCOMPARE(endpoint.reference.simulator().operations().all().size(), 1);
}

void TestApplicationCalls::containerIsMadeAtOnce()
{
    Endpoint endpoint;
    const QByteArray container =
        R"({"aps": {"id": "c"}, "name": "small", "links": [{"aps": {"link": "strong", "href": "/resources/app"}}]})";
    const HttpResponse made = endpoint.call("POST", resources, container, phase("sync"));
    QCOMPARE(made.status, 201);
    QCOMPARE(valueIn(made, u"aps.id"_s).toString(), u"c"_s);
    QCOMPARE(valueIn(made, u"aps.status"_s).toString(), u"aps:ready"_s);
    QCOMPARE(valueIn(made, u"name"_s).toString(), u"small"_s);
    QCOMPARE(valueIn(made, u"links.0.aps.href"_s).toString(), u"/resources/app"_s);
    const World &world = endpoint.reference.simulator().world();
    QCOMPARE(world.references.value(world.tree.find(u"/resources/c"_s)),
        QStringList { u"/resources/app"_s });
}

void TestApplicationCalls::changesAndGoes()
{
    Endpoint endpoint;
    const QString app = resources + u"/app"_s;
    const HttpResponse changed =
        endpoint.call("PUT", app, R"({"aps": {"id": "app"}, "name": "new"})", phase("sync"));
    QCOMPARE(changed.status, 200);
    QCOMPARE(valueIn(changed, u"name"_s).toString(), u"new"_s);
    QCOMPARE(endpoint.call("POST", app + u"/upgrade"_s, {}, phase("sync")).status, 200);
    QCOMPARE(
        endpoint.reference.plan(R"({"op": "unprovision", "transientFailures": 2})").status, 200);
    QCOMPARE(endpoint.call("DELETE", app, {}, phase("sync")).status, 202);
    QCOMPARE(endpoint.at(u"/resources/app"_s), u"aps:deleted"_s);
    QCOMPARE(endpoint.call("DELETE", app, {}, phase("async")).status, 202);
    QCOMPARE(endpoint.call("DELETE", app, {}, phase("async")).status, 204);
    QCOMPARE(endpoint.at(u"/resources/app"_s), u"absent"_s);
    QCOMPARE(endpoint.call("DELETE", app, {}, phase("async")).status, 204);
}

void TestApplicationCalls::answersThatAreNone_data()
{
    const Rows<QByteArray, QString, QByteArray, QByteArray, int, QString> row(
        "method", "path", "body", "phase", "status", "type");
    const QString links = resources + u"/app/links"_s, missing = u"NotFound"_s;
    row("nothing runs", "POST", resources, machine("x"), "async", 404, missing);
    row("nothing is there", "PUT", resources + u"/x"_s, "{}", "sync", 404, missing);
    row("not to be read", "POST", resources, "{", "async", 400, u"malformedBody"_s);
    row("a name with a slash", "POST", resources, machine("a/b"), "sync", 400, u"wrongName"_s);
    row("it is there", "POST", resources, machine("app"), "sync", 405, u"NotSupported"_s);
    row("a strong link to nothing", "POST", resources,
        machine("x", R"(, "links": [{"aps": {"href": "/elsewhere"}}])"), "sync", 400,
        u"malformedReference"_s);
    row("a weak link without another end", "POST", links, R"({"aps": {"id": "x"}})", "", 404,
        missing);
    row("a weak link to nothing", "POST", links,
        R"({"aps": {"id": "x"}, "link": {"aps": {"href": "/elsewhere"}}})", "", 404,
        missing); // the table of codes has no 400 for it
    row("a weak link is not configured", "PUT", links + u"/x"_s, "{}", "sync", 405,
        u"wrongMethod"_s);
}

void TestApplicationCalls::answersThatAreNone()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QString, path);
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, phase);
    QFETCH(const int, status);
    QFETCH(const QString, type);
    Endpoint endpoint;
    const HttpResponse answer =
        endpoint.call(method, path, body, { { "APS-Request-Phase", phase } });
    QCOMPARE(answer.status, status);
    QCOMPARE(valueIn(answer, u"code"_s).toInt(), status);
    QCOMPARE(valueIn(answer, u"type"_s).toString(), type);
}

// ---- The other side: an endpoint of a test's own, and our client as the task manager

/// What came in, and when.
struct Call
{
    QByteArray method, target, phase, transaction, body;
    qint64 at = 0;
};

/// Answers calls one after another, and questions with a resource.
struct Script
{
    explicit Script(const QList<HttpResponse> &answers)
        : server([this, answers](const HttpRequest &request, QTcpSocket *socket) {
              if (request.method == "GET") {
                  ScriptedServer::answer(socket, request.target.endsWith("/resources") ? 404 : 200,
                      R"({"aps": {"id": "vm", "status": "aps:ready"}})");
                  return;
              }
              calls += Call { request.method, request.target,
                  header(request.headers, "APS-Request-Phase"),
                  header(request.headers, "APS-Transaction-ID"), request.body, clock.elapsed() };
              const HttpResponse answer = answers.value(calls.size() - 1);
              if (answer.status == 0)
                  socket->abort();
              else
                  ScriptedServer::answer(socket, answer.status, answer.body, answer.headers);
          }),
          driver(unhurried(server.url()), rulesOf(packNamed(u"aps"_s)))
    {
        clock.start();
        if (!driver.opened())
            qFatal("no connection");
    }
    const Operation &provisioned()
    {
        Request request { .op = u"provision"_s, .path = u"/resources/vm"_s, .id = u"a"_s };
        request.properties.insert(u"name"_s, u"big"_s);
        const quint32 serial = driver.controller.submit(request);
        if (!waited([&] { return driver.controller.operations().find(serial)->isOver(); }))
            qFatal("no end");
        return *driver.controller.operations().find(serial);
    }
    QStringList phases() const
    {
        QStringList phases;
        for (const Call &call : calls)
            phases += QString::fromLatin1(call.phase);
        return phases;
    }

    QList<Call> calls;
    QElapsedTimer clock;
    ScriptedServer server;
    Driver driver;
};

HttpResponse later(const char *seconds)
{
    return { .status = 202,
        .headers = { { "APS-Info", "Creating" }, { "APS-Retry-Timeout", seconds } } };
}

/// The first asynchronous call at once, later ones never before the time is over that the last
/// answer has told; always the same request.
void TestApplicationCalls::callsAsThePhasesSay()
{
    Script script({ later("60"), later("1"), later("2"), { .status = 200 } });
    const Operation &made = script.provisioned();
    QCOMPARE(statusName(made.status), u"Succeeded"_s);
    QCOMPARE(script.phases(), QStringList({ u"sync"_s, u"async"_s, u"async"_s, u"async"_s }));
    for (const Call &call : std::as_const(script.calls)) {
        QCOMPARE(call.method, QByteArray("POST"));
        QCOMPARE(call.target, QByteArray("/application/resources"));
        QCOMPARE(call.body, script.calls.first().body);
        QCOMPARE(call.transaction, script.calls.first().transaction);
    }
    const QJsonObject body = QJsonDocument::fromJson(script.calls.first().body).object();
    QCOMPARE(body["aps"_L1]["id"_L1].toString(), u"vm"_s);
    QCOMPARE(body["name"_L1].toString(), u"big"_s);
    QVERIFY(!script.calls.first().transaction.isEmpty());
    // 60 s were told for what comes after the first asynchronous call only.
    QVERIFY(script.calls[1].at - script.calls[0].at < 30'000);
    QVERIFY(script.calls[2].at - script.calls[1].at >= 1000);
    QVERIFY(script.calls[3].at - script.calls[2].at >= 2000);
}

/// Our client at our endpoint, whose times are short.
void TestApplicationCalls::bothTogether()
{
    Reference reference(packNamed(u"aps"_s), resourcesFrom(u"/resources/app"_s), patient());
    RemoteController::Options options = unhurried(QUrl(reference.origin()));
    options.follow.mostDelay = 1;
    Driver driver(options, rulesOf(packNamed(u"aps"_s)));
    QVERIFY(driver.opened());
    QCOMPARE(driver.shown(), u"/resources/app aps:ready"_s);
    Request request { .op = u"provision"_s, .path = u"/resources/vm"_s, .id = u"a"_s };
    request.properties.insert(u"hardware"_s, QJsonObject { { u"VM"_s, true } });
    request.references = { u"/resources/app"_s };
    const quint32 serial = driver.controller.submit(request);
    const Operation &operation = *driver.controller.operations().find(serial);
    QVERIFY(waited([&] {
        if (!reference.simulator().world().running.empty())
            reference.simulator().advance(100);
        return operation.isOver();
    }));
    QCOMPARE(statusName(operation.status), u"Succeeded"_s);
    QVERIFY(driver.looked());
    QCOMPARE(driver.shown(), u"/resources/app aps:ready\n/resources/vm aps:ready"_s);
    const World &here = driver.controller.world();
    QCOMPARE(here.references.value(here.tree.find(u"/resources/vm"_s)),
        QStringList { u"/resources/app"_s });
    QVERIFY(reference.simulator().world().now < 30'000); // calls let it go on, not the clock
}

const QByteArray backup =
    R"({"aps": {"id": "backup"}, "link": {"aps": {"link": "weak", "href": "/application/resources/app"}}})";

/// A weak link is made and cut at once, below the resource that it belongs to.
void TestApplicationCalls::weakLinks()
{
    Endpoint endpoint;
    const QString links = resources + u"/app/links"_s;
    const HttpResponse tied = endpoint.call("POST", links, backup, {});
    QCOMPARE(tied.status, 200);
    QCOMPARE(valueIn(tied, u"aps.status"_s).toString(), u"linked"_s);
    const World &world = endpoint.reference.simulator().world();
    QCOMPARE(world.references.value(world.tree.find(u"/resources/app/links/backup"_s)),
        QStringList { u"/resources/app"_s });
    const HttpResponse seen = endpoint.call("GET", links + u"/backup"_s, {}, {});
    QCOMPARE(seen.body, tied.body);
    QCOMPARE(valueIn(seen, u"link.aps"_s).toObject(),
        (QJsonObject { { u"link"_s, u"weak"_s }, { u"href"_s, u"/application/resources/app"_s } }));
    const QJsonArray all =
        QJsonDocument::fromJson(endpoint.call("GET", links, {}, {}).body).array();
    QCOMPARE(all.size(), 1);
    QCOMPARE(all[0]["aps"_L1]["id"_L1].toString(), u"backup"_s);
    QCOMPARE(endpoint.call("DELETE", links + u"/backup"_s, {}, {}).status, 204);
    QCOMPARE(endpoint.at(u"/resources/app/links/backup"_s), u"absent"_s);
    QCOMPARE(endpoint.call("GET", links + u"/backup"_s, {}, {}).status, 404);
}

const instar::TestClass<TestApplicationCalls> registered;
} // namespace

#include "tst_applicationcalls.moc"
