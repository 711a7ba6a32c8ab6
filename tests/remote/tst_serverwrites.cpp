// SPDX-License-Identifier: Apache-2.0
// Writes to the reference controller: preconditions, bodies, references and children; refused
// requests, invalid names and limits.

#include "tests/remote/party.h"
#include "tests/remote/reference.h"
#include "tests/remote/samplenetwork.h"
#include "tests/support/testclass.h"

using namespace instar;
using namespace instar::network;
using namespace Qt::StringLiterals;

namespace {

class TestServerWrites : public QObject
{
    Q_OBJECT

private slots:
    void errors_data();
    void errors();
    void orderOfChecks();
    void references();
    void bodiesAreStored();
    void nulls();
    void contents();
    void contentsReplace();
    void contentsOfContents();
    void replacedInUse();
    void names_data();
    void names();
    void namesOfChildren_data();
    void namesOfChildren();
    void requestIds();
    void recordsStaySmall();
};

void TestServerWrites::errors_data()
{
    const Rows<QString, QByteArray, int, QString, QString> add(
        "path", "content", "status", "code", "detail");
    const QString gateway = base + u"/gateways/new"_s;
    const auto row = [&](const char *name, const QString &path, const QByteArray &content,
                         int status, const QString &code = {}, const QString &detail = {}) {
        add(name, path, content, status, code, detail);
    };
    const auto bad = [&](const char *name, const QByteArray &content) {
        row(name, net, content, 400, u"InvalidRequestFormat"_s, u"InvalidJson"_s);
    };
    const auto refers = [&](const char *name, const QByteArray &pool, const QString &code = {},
                            const QString &detail = {}) {
        row(name, gateway, body("{\"pool\": " + pool + "}"), code.isEmpty() ? 201 : 400, code,
            detail);
    };
    bad("empty body", "");
    bad("broken body", "{\"a\":");
    bad("no object", "[1]");
    bad("not UTF-8", "{\"a\": \"\xff\"}");
    bad("deep", QByteArray(100'000, '['));
    bad("children that are no list", body("{\"subnets\": {}}"));
    bad("a child without a name", body("{\"subnets\": [{}]}"));
    bad("properties that are no object", "{\"properties\": 7}");
    row("another name", net, "{\"resourceId\": \"other\"}", 400, u"InvalidResourceName"_s);
    row("the same name", net, "{\"resourceId\": \"LN\"}", 200);
    row("no properties", net, "{\"properties\": null}", 200);
    const QString malformed = u"InvalidRequestFormat"_s;
    refers("no reference", "7", malformed, u"InvalidJsonReferenceFormat"_s);
    refers(
        "odd reference", "{\"resourceRef\": \"gp\"}", malformed, u"InvalidJsonReferenceFormat"_s);
    refers("wrong type", "{\"resourceRef\": \"/logicalNetworks/ln\"}", malformed,
        u"InvalidJsonReferenceWrongType"_s);
    refers("missing", "{\"resourceRef\": \"/GatewayPools/none\"}", u"InvalidResourceReference"_s,
        u"InvalidResourceReference"_s);
    refers("good", "{\"resourceRef\": \"/gatewayPools/GP\"}");
    refers("with its base", "{\"resourceRef\": \"/networking/v1/GatewayPools/gp\"}");
    row("below nothing", base + u"/logicalNetworks/none/subnets/s"_s, body(), 404, u"NotFound"_s);
    row("unknown type", base + u"/nonsense/n"_s, body(), 404, u"NotFound"_s);
}

void TestServerWrites::errors()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, content);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("PUT", path, content);
    QCOMPARE(response.status, status);
    QTEST(codeIn(response), "code");
    QTEST(valueIn(response, u"error.details.0.code"_s).toString(), "detail");
    if (status >= 400) {
        QVERIFY(!messageIn(response).isEmpty());
        QCOMPARE(reference.simulator().world().running.size(), size_t(0));
    }
}

/// Existence, conflict, precondition, body: the first that fails speaks, and nothing is canceled.
void TestServerWrites::orderOfChecks()
{
    Reference reference(u"network-controller"_s, tree());
    QCOMPARE(reference.ask("PUT", base + u"/logicalNetworks/none/subnets/s"_s, "{").status, 404);
    reference.ask("PUT", subnet, body());
    const QString sibling = net + u"/subnets/sn2"_s;
    QCOMPARE(reference.ask("PUT", sibling, "{", { { "If-Match", "W/\"x\"" } }).status, 409);
    QCOMPARE(reference.ask("PUT", net, "{", { { "If-Match", "W/\"x\"" } }).status, 412);
    QCOMPARE(reference.ask("PUT", net, "{").status, 400);
    QCOMPARE(reference.simulator().world().running.size(), size_t(1));
    QCOMPARE(
        reference.simulator().world().running.front()->path, u"/logicalNetworks/ln/subnets/sn1"_s);
}

void TestServerWrites::references()
{
    Reference reference(u"network-controller"_s, tree());
    const QString pool = base + u"/GatewayPools/gp"_s, gateway = base + u"/gateways/g"_s;
    const HttpResponse inUse = reference.ask("DELETE", pool);
    QCOMPARE(inUse.status, 409);
    QCOMPARE(codeIn(inUse), u"ResourceInUse"_s);
    reference.ask("PUT", pool, body());
    const HttpResponse notReady =
        reference.ask("PUT", gateway, body("{\"pool\": {\"resourceRef\": \"/GatewayPools/gp\"}}"));
    QCOMPARE(notReady.status, 409);
    QCOMPARE(codeIn(notReady), u"ReferencedResourceNotProvisioned"_s);
    QCOMPARE(valueIn(notReady, u"error.details.0.code"_s).toString(),
        u"ReferencedResourceNotProvisioned"_s);
    QCOMPARE(valueIn(notReady, u"error.details.0.message"_s).toString(), u"/GatewayPools/gp"_s);
    QCOMPARE(valueIn(inUse, u"error.details.0.message"_s).toString(), u"/gateways/g"_s);
    reference.simulator().advance(1000);
    // A PUT without the reference lets go of the pool.
    QCOMPARE(reference.ask("PUT", gateway, body()).status, 200);
    reference.simulator().advance(1000);
    QVERIFY(!reference.ask("GET", gateway).body.contains("resourceRef\":\"/GatewayPools"));
    QCOMPARE(reference.ask("DELETE", pool).status, 202);
}

void TestServerWrites::bodiesAreStored()
{
    Reference reference(u"network-controller"_s, tree());
    const QByteArray sent =
        "{\"resourceId\":\"ln\",\"etag\":\"W/\\\"mine\\\"\",\"tags\":{\"b\":1,\"a\":2},"
        "\"properties\":{\"provisioningState\":\"Failed\",\"vlanID\":\"7\",\"x\":null}}";
    QCOMPARE(reference.ask("PUT", net, sent).status, 200);
    const HttpResponse got = reference.ask("GET", net);
    QVERIFY(got.body.contains("\"tags\":{\"b\":1,\"a\":2}")); // in its order
    QVERIFY(!got.body.contains("null"));
    QCOMPARE(valueIn(got, u"properties.vlanID"_s).toString(), u"7"_s);
    QCOMPARE(stateIn(got),
        u"Updating"_s); // not the client's to set
    QVERIFY(valueIn(got, u"etag"_s).toString() != u"W/\"mine\""_s);
    QCOMPARE(got.body.count("\"provisioningState\""), 4); // itself, two subnets, a pool
    QCOMPARE(got.body.count("\"vlanID\""), 1);

    // What was read can be written back, and nothing is lost or doubled.
    reference.simulator().advance(1000);
    const QByteArray read = reference.ask("GET", net).body;
    QCOMPARE(reference.ask("PUT", net, read).status, 200);
    reference.simulator().advance(1000);
    const QJsonObject before = QJsonDocument::fromJson(read).object();
    QJsonObject after = objectIn(reference.ask("GET", net));
    QCOMPARE(after.value("properties"_L1).toObject().keys(),
        before.value("properties"_L1).toObject().keys());
    QCOMPARE(reference.simulator().world().tree.size(), 6);
}

/// Null is a client's way to say that nothing is set: it is no list, no reference and no value, and
/// comes back nowhere.
void TestServerWrites::nulls()
{
    Reference reference(u"network-controller"_s, tree());
    QCOMPARE(reference
                 .ask("PUT", net,
                     "{\"tags\": null, \"resourceId\": null, \"properties\": {\"subnets\": null, "
                     "\"a\": null, \"b\": {\"c\": null, \"d\": [null, {\"e\": null}, 1.50], "
                     "\"f\": \"null\"}, \"g\": {\"h\": null}}}")
                 .status,
        200);
    reference.simulator().advance(1000);
    const HttpResponse got = reference.ask("GET", net);
    QVERIFY2(got.body.contains("\"b\":{\"d\":[null,{},1.50],\"f\":\"null\"},\"g\":{}"),
        got.body.constData());
    QVERIFY(!objectIn(got).contains("tags"_L1));
    QVERIFY(!valueIn(got, u"properties"_s).toObject().contains(u"a"_s));
    QCOMPARE(valueIn(got, u"properties.subnets"_s).toArray().size(), 2); // left as they were
    QCOMPARE(valueIn(got, u"resourceId"_s).toString(), u"ln"_s);
    QCOMPARE(
        reference.simulator()
            .world()
            .properties.value(reference.simulator().world().tree.find(u"/logicalNetworks/ln"_s))
            .object()
            .keys(),
        QStringList({ u"b"_s, u"g"_s }));
    // A child's are the same, and so is a reference.
    QCOMPARE(reference
                 .ask("PUT", base + u"/logicalNetworks/new"_s,
                     body("{\"subnets\": [{\"resourceId\": \"s\", \"properties\": {\"ipPools\": "
                          "null, \"x\": null}}]}"))
                 .status,
        201);
    QVERIFY(!reference.ask("GET", base + u"/logicalNetworks/new"_s).body.contains("null"));
    QCOMPARE(reference.ask("PUT", base + u"/gateways/new"_s, body("{\"pool\": null}")).status, 201);
    QVERIFY(!reference.ask("GET", base + u"/gateways/new"_s).body.contains("null"));
}

/// Children in a PUT's body are made with it, and it answers for them.
void TestServerWrites::contents()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse created = reference.ask("PUT", base + u"/logicalNetworks/new"_s,
        body("{\"subnets\": [{\"resourceId\": \"s1\", \"properties\": {\"a\": 1, \"ipPools\": "
             "[{\"resourceId\": \"p\"}]}}, {\"resourceId\": \"s2\"}]}"));
    QCOMPARE(created.status, 201);
    const World &world = reference.simulator().world();
    const Resource network = world.tree.find(u"/logicalNetworks/new"_s);
    QCOMPARE(world.properties.value(network).object(), QJsonObject());
    const QString pool = base + u"/logicalNetworks/new/subnets/s1/ipPools/p"_s;
    QCOMPARE(stateAt(reference, pool), u"Updating"_s);
    QCOMPARE(valueIn(reference.ask("GET", pool), u"etag"_s).toString(),
        valueIn(created, u"etag"_s).toString());
    reference.simulator().advance(1000);
    QCOMPARE(stateAt(reference, pool), u"Succeeded"_s);
    QCOMPARE(valueIn(reference.ask("GET", base + u"/logicalNetworks/new/subnets/s1"_s),
                 u"properties.a"_s)
                 .toInt(),
        1);
    // One that fails leaves them failed.
    reference.plan("{\"outcome\": \"Failed\"}");
    reference.ask(
        "PUT", base + u"/logicalNetworks/bad"_s, body("{\"subnets\": [{\"resourceId\": \"s\"}]}"));
    reference.simulator().advance(1000);
    QCOMPARE(stateAt(reference, base + u"/logicalNetworks/bad/subnets/s"_s), u"Failed"_s);
}

/// A collection in the body is that collection from then on; one left out stays.
void TestServerWrites::contentsReplace()
{
    Reference reference(u"network-controller"_s, tree());
    QCOMPARE(reference.ask("PUT", net, body("{\"x\": 1}")).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(reference.simulator().world().tree.size(), 6);
    QCOMPARE(reference
                 .ask("PUT", net,
                     body("{\"subnets\": [{\"resourceId\": \"sn2\"}, {\"resourceId\": \"sn3\"}]}"))
                 .status,
        200);
    QCOMPARE(reference.ask("GET", subnet).status, 200); // until it has succeeded
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", subnet).status, 404);
    QCOMPARE(reference.ask("GET", net + u"/subnets/sn2"_s).status, 200);
    QCOMPARE(stateAt(reference, net + u"/subnets/sn3"_s), u"Succeeded"_s);
    // A failure removes nothing.
    reference.plan("{\"outcome\": \"Failed\"}");
    QCOMPARE(reference.ask("PUT", net, body("{\"subnets\": []}")).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net + u"/subnets/sn2"_s).status, 200);
    QCOMPARE(reference.ask("PUT", net, body("{\"subnets\": []}")).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", net + u"/subnets"_s), u"value"_s).toArray().size(), 0);
}

void TestServerWrites::contentsOfContents()
{
    Reference reference(u"network-controller"_s, tree());
    // A child's own references are asked about like the target's.
    const HttpResponse missing = reference.ask("PUT", base + u"/networkInterfaces/n"_s,
        body("{\"ipConfigurations\": [{\"resourceId\": \"c\", \"properties\": {\"subnet\": "
             "{\"resourceRef\": \"/logicalNetworks/ln/subnets/none\"}}}]}"));
    QCOMPARE(missing.status, 400);
    QCOMPARE(codeIn(missing), u"InvalidResourceReference"_s);
    QCOMPARE(reference.ask("GET", base + u"/networkInterfaces/n"_s).status, 404);
    const HttpResponse good = reference.ask("PUT", base + u"/networkInterfaces/n"_s,
        body("{\"ipConfigurations\": [{\"resourceId\": \"c\", \"properties\": {\"subnet\": "
             "{\"resourceRef\": \"/logicalNetworks/ln/subnets/sn1\"}}}]}"));
    QCOMPARE(good.status, 201);
    reference.simulator().advance(1000);
    const HttpResponse inUse = reference.ask("DELETE", subnet);
    QCOMPARE(inUse.status, 409);
    QCOMPARE(codeIn(inUse), u"InUseSubnetCannotBeDeleted"_s);
}

/// What a PUT leaves out of a collection is refused as its own DELETE would be, and so is all of
/// the PUT.
void TestServerWrites::replacedInUse()
{
    QList<ResourceSpec> resources = tree();
    resources += { .path = u"/networkInterfaces/n"_s };
    resources += { .path = u"/networkInterfaces/n/ipConfigurations/c"_s,
        .references = { u"/logicalNetworks/ln/subnets/sn1"_s } };
    resources += { .path = u"/loadBalancers/lb"_s };
    resources += { .path = u"/loadBalancers/lb/probes/p"_s };
    resources += { .path = u"/loadBalancers/lb/loadBalancingRules/r"_s,
        .references = { u"/loadBalancers/lb/probes/p"_s } };
    Reference reference(u"network-controller"_s, resources);
    const HttpResponse removal = reference.ask("DELETE", subnet);
    QCOMPARE(removal.status, 409);
    for (const char *subnets : { "[]", "[{\"resourceId\": \"sn2\"}]" }) {
        const HttpResponse refused =
            reference.ask("PUT", net, body("{\"subnets\": " + QByteArray(subnets) + "}"));
        QCOMPARE(refused.status, 409);
        QCOMPARE(refused.body, removal.body);
    }
    QVERIFY(reference.simulator().world().running.empty());
    QCOMPARE(reference.ask("PUT", net, body("{\"subnets\": [{\"resourceId\": \"SN1\"}]}")).status,
        200); // that one stays
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net + u"/subnets/sn2"_s).status, 404);

    // Within one body what refers may go together with what it refers to, or let go of it.
    const QString balancer = base + u"/loadBalancers/lb"_s;
    QCOMPARE(reference.ask("PUT", balancer, body("{\"probes\": []}")).status, 409);
    QCOMPARE(reference
                 .ask("PUT", balancer,
                     body("{\"probes\": [], \"loadBalancingRules\": [{\"resourceId\": \"other\","
                          " \"properties\": {\"probe\": {\"resourceRef\": "
                          "\"/loadBalancers/lb/probes/p\"}}}]}"))
                 .status,
        409);
    QCOMPARE(reference
                 .ask("PUT", balancer,
                     body("{\"probes\": [], \"loadBalancingRules\": [{\"resourceId\": \"r\"}]}"))
                 .status,
        200);
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", balancer + u"/probes/p"_s).status, 404);
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

void TestServerWrites::names_data()
{
    QTest::addColumn<QByteArray>("path"); // below the version
    QTest::addColumn<int>("status");
    const QByteArray nets = "/logicalNetworks/";
    QTest::newRow("as long as may be") << nets + QByteArray(256, 'y') << 201;
    QTest::newRow("too long") << nets + QByteArray(257, 'y') << 400;
    QTest::newRow("characters, not bytes") << nets + QByteArray("%C3%A4").repeated(256) << 201;
    QTest::newRow("a long parent") << nets + QByteArray(257, 'y') + "/subnets/s" << 400;
    QTest::newRow("a long type") << '/' + QByteArray(257, 'y') + "/a" << 400;
    QTest::newRow("a long path") << QByteArray("/a/b").repeated(1000) << 400;
    QTest::newRow("a slash") << nets + "ln%2Fx" << 400;
    QTest::newRow("a dot") << nets + "." << 400;
    QTest::newRow("two dots") << nets + "%2e%2E" << 400;
    QTest::newRow("three dots") << nets + "..." << 201;
    QTest::newRow("a null") << nets + "a%00" << 400;
    QTest::newRow("a line") << nets + "a%0Ab" << 400;
    QTest::newRow("no UTF-8") << nets + "a%FF" << 400;
    QTest::newRow("a character in many bytes") << nets + "a%C0%AF" << 400;
    QTest::newRow("a replacement that was meant") << nets + "a%EF%BF%BD" << 201;
    QTest::newRow("a percent sign") << nets + "a%25FF" << 201;
}

void TestServerWrites::names()
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

void TestServerWrites::namesOfChildren_data()
{
    const Rows<QByteArray, int, QString> add("name", "status", "code");
    const auto row = [&](const char *name, const QByteArray &text, const QString &code = {}) {
        add(name, text, code.isEmpty() ? 200 : 400, code);
    };
    const QString wrong = u"InvalidResourceName"_s, broken = u"InvalidRequestFormat"_s;
    row("as long as may be", QByteArray(256, 'y'));
    row("too long", QByteArray(257, 'y'), wrong);
    row("two dots", "..", wrong);
    row("a line", "a\\nb", wrong);
    row("twice", "a\"}, {\"resourceId\": \"a", broken);
    row("twice but for the case", "a\"}, {\"resourceId\": \"A", broken);
    row("in two lists", "a\"}], \"Subnets\": [{\"resourceId\": \"a", broken);
    row("in two places",
        "a\", \"properties\": {\"ipPools\": [{\"resourceId\": \"p\"}]}}, {\"resourceId\": \"b\","
        " \"properties\": {\"ipPools\": [{\"resourceId\": \"p\"}]}}, {\"resourceId\": \"c");
    row("plain properties", "a\", \"properties\": \"many", broken);
}

void TestServerWrites::namesOfChildren()
{
    QFETCH(QByteArray, name);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response =
        reference.ask("PUT", net, body("{\"subnets\": [{\"resourceId\": \"" + name + "\"}]}"));
    QCOMPARE(response.status, status);
    QTEST(codeIn(response), "code");
    if (status == 400)
        QCOMPARE(reference.simulator().world().tree.size(), 6);
}

void TestServerWrites::requestIds()
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
void TestServerWrites::recordsStaySmall()
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

} // namespace

const instar::TestClass<TestServerWrites> registered;
#include "tst_serverwrites.moc"
