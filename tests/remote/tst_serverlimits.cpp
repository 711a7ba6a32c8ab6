// SPDX-License-Identifier: Apache-2.0
// What the reference controller does not let clients do to it: names that are none, and more than
// it can keep.

#include "tests/remote/party.h"
#include "tests/remote/reference.h"
#include "tests/support/testclass.h"

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const QString base = u"/networking/v1"_s;
const QString net = base + u"/logicalNetworks/ln"_s;

QList<ResourceSpec> tree()
{
    return { { .path = u"/logicalNetworks/ln"_s }, { .path = u"/logicalNetworks/ln/subnets/sn1"_s },
        { .path = u"/GatewayPools/gp"_s } };
}

QByteArray body(const QByteArray &properties = "{}")
{
    return "{\"properties\": " + properties + "}";
}

/// So many children without anything, as a collection.
QByteArray withChildren(const QByteArray &collection, int count)
{
    QByteArray list;
    for (int i = 0; i < count; ++i)
        list += (i ? ",{\"resourceId\":\"" : "{\"resourceId\":\"") + QByteArray::number(i) + "\"}";
    return body("{\"" + collection + "\":[" + list + "]}");
}

/// A server on the clock, whose time stands still all the same.
Server::Options onTheClock()
{
    Server::Options options;
    options.speed = 1e-9;
    return options;
}

class TestServerLimits : public QObject
{
    Q_OBJECT

private slots:
    void names_data();
    void names();
    void namesOfChildren_data();
    void namesOfChildren();
    void requestIds();
    void recordsStaySmall();
    void operationsStaySmall();
    void manyChildren();
};

void TestServerLimits::names_data()
{
    QTest::addColumn<QByteArray>("path"); // below the version
    QTest::addColumn<int>("status");
    const QByteArray nets = "/logicalNetworks/";
    QTest::newRow("as long as may be") << nets + QByteArray(256, 'y') << 201;
    QTest::newRow("too long") << nets + QByteArray(257, 'y') << 400;
    QTest::newRow("far too long") << nets + QByteArray(50'000, 'y') << 400;
    QTest::newRow("characters, not bytes") << nets + QByteArray("%C3%A4").repeated(256) << 201;
    QTest::newRow("a long parent") << nets + QByteArray(257, 'y') + "/subnets/s" << 400;
    QTest::newRow("a long type") << '/' + QByteArray(257, 'y') + "/a" << 400;
    QTest::newRow("a long path") << QByteArray("/a/b").repeated(1000) << 400;
    QTest::newRow("a slash") << nets + "ln%2Fx" << 400;
    QTest::newRow("a path in a name") << nets + "ln%2Fsubnets%2Fsn1" << 400;
    QTest::newRow("a dot") << nets + "." << 400;
    QTest::newRow("two dots") << nets + "%2e%2E" << 400;
    QTest::newRow("three dots") << nets + "..." << 201;
    QTest::newRow("a null") << nets + "a%00" << 400;
    QTest::newRow("a line") << nets + "a%0Ab" << 400;
    QTest::newRow("DEL") << nets + "a%7F" << 400;
    QTest::newRow("a later control character") << nets + "a%C2%85" << 400;
    QTest::newRow("no UTF-8") << nets + "a%FF" << 400;
    QTest::newRow("half a character") << nets + "a%C3" << 400;
    QTest::newRow("a character in many bytes") << nets + "a%C0%AF" << 400;
    QTest::newRow("a replacement that was meant") << nets + "a%EF%BF%BD" << 201;
    QTest::newRow("a percent sign") << nets + "a%25FF" << 201;
}

void TestServerLimits::names()
{
    QFETCH(QByteArray, path);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    const QString target = base + QString::fromLatin1(path);
    for (const QByteArray method : { "PUT", "GET", "DELETE" }) {
        const HttpResponse response =
            reference.ask(method, target, method == "PUT" ? body() : QByteArray());
        QCOMPARE(response.status,
            status == 400         ? 400
                : method == "PUT" ? 201
                : method == "GET" ? 200
                                  : 202);
        if (status != 400)
            continue;
        QCOMPARE(codeIn(response), u"InvalidResourceName"_s);
        const QString message = messageIn(response);
        QVERIFY2(!message.isEmpty() && message.size() < 200, qPrintable(message));
    }
    if (status == 400)
        QVERIFY(reference.simulator().operations().all().isEmpty());
}

void TestServerLimits::namesOfChildren_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    QTest::newRow("as long as may be") << QByteArray(256, 'y') << 200 << QString();
    QTest::newRow("too long") << QByteArray(257, 'y') << 400 << u"InvalidResourceName"_s;
    QTest::newRow("two dots") << QByteArray("..") << 400 << u"InvalidResourceName"_s;
    QTest::newRow("a line") << QByteArray("a\\nb") << 400 << u"InvalidResourceName"_s;
    QTest::newRow("twice") << QByteArray("a\"}, {\"resourceId\": \"a") << 400
                           << u"InvalidRequestFormat"_s;
    QTest::newRow("twice but for the case")
        << QByteArray("a\"}, {\"resourceId\": \"A") << 400 << u"InvalidRequestFormat"_s;
    QTest::newRow("in two lists") << QByteArray("a\"}], \"Subnets\": [{\"resourceId\": \"a") << 400
                                  << u"InvalidRequestFormat"_s;
    QTest::newRow("in two places")
        << QByteArray("a\", \"properties\": {\"ipPools\": [{\"resourceId\": \"p\"}]}}, "
                      "{\"resourceId\": \"b\", \"properties\": {\"ipPools\": [{\"resourceId\": "
                      "\"p\"}]}}, {\"resourceId\": \"c")
        << 200 << QString();
    QTest::newRow("plain properties")
        << QByteArray("a\", \"properties\": \"many") << 400 << u"InvalidRequestFormat"_s;
}

void TestServerLimits::namesOfChildren()
{
    QFETCH(QByteArray, name);
    QFETCH(int, status);
    QFETCH(QString, code);
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response =
        reference.ask("PUT", net, body("{\"subnets\": [{\"resourceId\": \"" + name + "\"}]}"));
    QCOMPARE(response.status, status);
    QCOMPARE(codeIn(response), code);
    if (status == 400)
        QCOMPARE(reference.simulator().world().tree.size(), 3);
}

void TestServerLimits::requestIds()
{
    Reference reference(u"network-controller"_s, tree());
    const auto status = [&](const QByteArray &id) {
        return reference
            .ask("DELETE", base + u"/logicalNetworks/none"_s, {},
                { { "x-ms-client-request-id", id } })
            .status;
    };
    QCOMPARE(status(QByteArray(256, 'i')), 204);
    QCOMPARE(status(QByteArray(257, 'i')), 400);
    QCOMPARE(status(QByteArray(50'000, 'i')), 400);
    QCOMPARE(status("a\xff"), 400); // else it would be the same as the next one
    QCOMPARE(status("a\xfe"), 400);
    QCOMPARE(reference.simulator().world().answered.size(), 1);
    QCOMPARE(reference.ask("GET", net, {}, { { "x-ms-client-request-id", QByteArray(257, 'i') } })
                 .status,
        200); // nobody keeps it
}

/// Records of large requests tell who asked for what, and hold nothing of it.
void TestServerLimits::recordsStaySmall()
{
    Reference reference(u"network-controller"_s, tree(), onTheClock());
    const QByteArray large = withChildren("ipPools", 30'000);
    const QString nowhere = base + u"/logicalNetworks/none/subnets/s"_s;
    QCOMPARE(reference.ask("PUT", nowhere, large).status, 404);
    const qint64 before = memory();
    for (int i = 0; i < 20; ++i)
        QCOMPARE(reference.ask("PUT", nowhere, large).status, 404);
    QVERIFY2(!MeasuresMemory || memory() - before < 60'000,
        qPrintable(u"%1 KiB"_s.arg(memory() - before)));

    QCOMPARE(
        reference.ask("PUT", net, body("{\"text\": \"" + QByteArray(10'000, 'x') + "\"}")).status,
        200);
    QCOMPARE(reference.ask("PUT", base + u"/GatewayPools/gp"_s, body("{\"a\": 1}")).status, 200);
    const QList<Record> &records = reference.simulator().records();
    const Request &heavy = *records[records.size() - 2].event.request,
                  &light = *records.last().event.request;
    QCOMPARE(heavy.path, u"/logicalNetworks/ln"_s);
    QVERIFY(!heavy.id.isEmpty() && !heavy.client.isEmpty() && heavy.body.isEmpty()
        && heavy.properties.isEmpty());
    QVERIFY(!light.body.isEmpty());
    for (const Record &record : records) {
        for (const Change &change : record.changes)
            QVERIFY(!change.request
                || (change.request->contents.empty() && change.request->body.size() < 5000));
    }
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", net), u"properties.text"_s).toString().size(),
        10'000); // what runs keeps its own
}

/// The longest paths make fewer operations that can be asked about, not more memory.
void TestServerLimits::operationsStaySmall()
{
    Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    World world = makeWorld(rules, tree()).world;
    Simulator simulator(std::move(rules), std::move(world));
    simulator.keepRecent(16, 1'000'000);
    const QString longest = u"/logicalNetworks/"_s + QString(2000, u'y');
    for (int i = 0; i < 60'000; ++i)
        simulator.submit(
            { .op = u"DELETE"_s, .path = longest + QString::number(i), .id = QString::number(i) });
    QVERIFY(simulator.operations().bytes() <= 256 * 1024 * 1024);
    QVERIFY(simulator.operations().all().size() > 5000);
    QCOMPARE(simulator.operations().all().last().id, u"59999"_s);
}

/// Children that come together or go together; bench_engine holds that none is as dear as all.
void TestServerLimits::manyChildren()
{
    Reference reference(u"network-controller"_s, tree());
    QCOMPARE(reference.ask("PUT", net, withChildren("subnets", 70'000)).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(reference.simulator().world().tree.size(), 70'002); // sn1 is not among them
    QCOMPARE(reference.ask("PUT", net, body("{\"subnets\": []}")).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(reference.simulator().world().tree.size(), 2);
}

} // namespace

const instar::TestClass<TestServerLimits> registered;
#include "tst_serverlimits.moc"
