// SPDX-License-Identifier: Apache-2.0
// The reference controller's door for tests: the world as it is, plans for what comes next, faults,
// and the way back to the beginning.

#include "tests/remote/samplenetwork.h"
#include "tests/support/testclass.h"

#include <QSignalSpy>

using namespace instar;
using namespace instar::network;
using namespace Qt::StringLiterals;

namespace {

class TestServerTestEndpoints : public QObject
{
    Q_OBJECT

private slots:
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

void TestServerTestEndpoints::world()
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

void TestServerTestEndpoints::plan_data()
{
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<qint64>("ends"); // virtual ms; -1: never
    QTest::addColumn<QString>("state");
    QTest::newRow("nothing") << QByteArray("{}") << qint64(1000) << u"Succeeded"_s;
    QTest::newRow("duration") << QByteArray("{\"duration\": 50}") << qint64(50) << u"Succeeded"_s;
    QTest::newRow("outcome") << QByteArray("{\"outcome\": \"Failed\", \"duration\": 0}")
                             << qint64(0) << u"Failed"_s;
    QTest::newRow("hang") << QByteArray("{\"hang\": true}") << qint64(-1) << u"Updating"_s;
    QTest::newRow("another path") << QByteArray(
        "{\"path\": \"/logicalNetworks/other\", \"outcome\": \"Failed\"}")
                                  << qint64(1000) << u"Succeeded"_s;
    QTest::newRow("another operation")
        << QByteArray("{\"op\": \"DELETE\", \"outcome\": \"Failed\"}") << qint64(1000)
        << u"Succeeded"_s;
    QTest::newRow("its path") << QByteArray(
        "{\"path\": \"/LogicalNetworks/LN\", \"op\": \"PUT\", \"outcome\": \"Failed\"}")
                              << qint64(1000) << u"Failed"_s;
    QTest::newRow("transient") << QByteArray("{\"transientFailures\": 1, \"duration\": 100}")
                               << qint64(1200) << u"Succeeded"_s;
}

void TestServerTestEndpoints::plan()
{
    QFETCH(QByteArray, plan);
    QFETCH(qint64, ends);
    QFETCH(QString, state);
    Reference reference(u"network-controller"_s, tree());
    QCOMPARE(reference.ask("POST", u"/_instar/plan"_s, plan).status, 200);
    reference.ask("PUT", net, body());
    if (ends > 0) {
        reference.simulator().advanceTo(ends - 1);
        QCOMPARE(stateAt(reference, net), u"Updating"_s);
    }
    reference.simulator().advanceTo(ends < 0 ? 1'000'000 : ends);
    QCOMPARE(stateAt(reference, net), state);
    // It is used up.
    if (ends < 0)
        return;
    reference.simulator().advanceTo(10'000);
    reference.ask("PUT", net, body());
    reference.simulator().advanceTo(11'000);
    QCOMPARE(stateAt(reference, net), u"Succeeded"_s);
}

/// A plan waits for an operation that starts.
void TestServerTestEndpoints::planOfWhatIsRefused()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpHeaders named { { "x-ms-client-request-id", "first" } };
    QCOMPARE(reference.ask("PUT", net + u"/subnets/sn2"_s, body(), named).status, 200);
    QCOMPARE(
        reference
            .ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\", \"fault\": \"status:503\"}")
            .status,
        200);
    QCOMPARE(reference.ask("PUT", subnet, body()).status, 409);
    QCOMPARE(reference.ask("PUT", subnet, "{").status, 409);
    QCOMPARE(reference.ask("DELETE", base + u"/logicalNetworks/none"_s).status, 204);
    QCOMPARE(reference.ask("PUT", net + u"/subnets/sn2"_s, body(), named).status, 200); // again
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("PUT", subnet, body()).status, 503);
    reference.simulator().advance(1000);
    QCOMPARE(stateAt(reference, subnet), u"Failed"_s);
    // One for the next request, whatever becomes of it.
    QCOMPARE(
        reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\", \"refusedToo\": true}")
            .status,
        200);
    QCOMPARE(reference.ask("DELETE", base + u"/logicalNetworks/none"_s).status, 204);
    QCOMPARE(reference.ask("PUT", subnet, body()).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(stateAt(reference, subnet), u"Succeeded"_s);
}

void TestServerTestEndpoints::planErrors()
{
    Reference reference(u"network-controller"_s, tree());
    for (const char *bad : { "", "{", "[]", "{\"op\": \"PUSH\"}", "{\"outcome\": \"nice\"}",
             "{\"times\": -1}", "{\"fault\": \"fire\"}", "{\"path\": \"/nonsense/x\"}",
             "{\"what\": 1}", "{\"duration\": 1.5}" }) {
        const HttpResponse response = reference.ask("POST", u"/_instar/plan"_s, bad);
        QCOMPARE(response.status, 400);
        QCOMPARE(codeIn(response), u"InvalidRequestFormat"_s);
    }
}

void TestServerTestEndpoints::faults_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<int>("status"); // 0: no answer that could be read
    QTest::addColumn<int>("told");   // status in the exchange
    QTest::addColumn<QString>("problem");
    const QString broken = u"The connection was interrupted."_s;
    QTest::newRow("close") << u"close"_s << 0 << 0 << broken;
    QTest::newRow("truncate") << u"truncate"_s << 0 << 200 << broken;
    QTest::newRow("garbage") << u"garbage"_s << 0 << 0
                             << u"The client sent something other than HTTP."_s;
    QTest::newRow("invalid-json") << u"invalid-json"_s << 200 << 200 << QString();
    QTest::newRow("empty") << u"empty"_s << 200 << 200 << QString();
    QTest::newRow("status") << u"status:503"_s << 503 << 503 << QString();
    QTest::newRow("delay") << u"delay:30"_s << 200 << 200 << QString();
}

/// The operation runs all the same; only its answer suffers.
void TestServerTestEndpoints::faults()
{
    QFETCH(QString, fault);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    reference.ask("POST", u"/_instar/plan"_s, "{\"fault\": \"" + fault.toLatin1() + "\"}");
    QSignalSpy exchanges(&reference.server(), &Server::exchanged);
    const HttpResponse response = reference.ask("PUT", net, body());
    QCOMPARE(response.status, status);
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
void TestServerTestEndpoints::brokenRuleWaits()
{
    Reference reference(u"network-controller"_s, tree());
    reference.ask(
        "POST", u"/_instar/plan"_s, "{\"fault\": \"zombieAfterDelete\", \"duration\": 500}");
    reference.ask("PUT", net, body());
    reference.simulator().advance(1000);
    reference.ask("DELETE", net);
    reference.simulator().advance(500);
    QVERIFY(reference.simulator().world().running.empty());
    QVERIFY(reference.simulator().world().tree.find(u"/logicalNetworks/ln"_s) == NoResource);
    QCOMPARE(reference.ask("GET", net).status, 200);
    QCOMPARE(reference.ask("GET", subnet).status, 404); // only the target
    reference.simulator().stepBack(); // another moment is another truth
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net).status, 404);
    QCOMPARE(reference.ask("POST", u"/_instar/reset"_s).status, 200);
    reference.ask("DELETE", net);
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net).status, 404);
}

/// Where answers are held back, too, a request that should have been refused is answered.
void TestServerTestEndpoints::conflictThatIsMissing()
{
    for (const QString &pack : { u"network-controller"_s, u"network-controller-sync"_s }) {
        Reference reference(pack, tree());
        reference.ask("POST", u"/_instar/plan"_s, "{\"fault\": \"missingConflict\"}");
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
void TestServerTestEndpoints::onlyWithItsToken()
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

const instar::TestClass<TestServerTestEndpoints> registered;
#include "tst_servertestendpoints.moc"
