// SPDX-License-Identifier: Apache-2.0
// What a write brings to the reference controller: preconditions, its body, references, and
// children; what of it is refused, and what is kept.

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
    void etags_data();
    void etags();
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
    void full();
};

void TestServerWrites::etags_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<bool>("exists");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value"); // "=": the resource's own
    QTest::addColumn<int>("status");
    const auto row = [](const char *method, bool exists, const char *name, const char *value,
                         int status) {
        QTest::addRow("%s %s, %s: %s", method, exists ? "existing" : "new", name, value)
            << QByteArray(method) << exists << QByteArray(name) << QByteArray(value) << status;
    };
    row("PUT", false, "X-None", "", 201);
    row("PUT", true, "X-None", "", 200);
    row("PUT", false, "If-Match", "", 201);
    row("PUT", true, "If-Match", "", 200);
    row("PUT", false, "If-Match", "*", 412);
    row("PUT", true, "If-Match", "*", 200);
    row("PUT", false, "If-Match", "W/\"other\"", 412);
    row("PUT", true, "If-Match", "=", 200);
    row("PUT", true, "If-Match", "W/\"other\"", 412);
    row("PUT", true, "If-Match", "W/\"other\", =", 200);
    row("PUT", false, "If-None-Match", "*", 201);
    row("PUT", true, "If-None-Match", "*", 412);
    row("DELETE", false, "X-None", "", 204);
    row("DELETE", true, "X-None", "", 202);
    row("DELETE", false, "If-Match", "*", 204);
    row("DELETE", true, "If-Match", "*", 202);
    row("DELETE", false, "If-Match", "W/\"other\"", 204);
    row("DELETE", true, "If-Match", "=", 202);
    row("DELETE", true, "If-Match", "W/\"other\"", 412);
}

void TestServerWrites::etags()
{
    QFETCH(QByteArray, method);
    QFETCH(bool, exists);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    const QString path = exists ? net : base + u"/logicalNetworks/new"_s;
    if (exists)
        value.replace("=", valueIn(reference.ask("GET", path), u"etag"_s).toString().toLatin1());
    const HttpResponse response =
        reference.ask(method, path, method == "PUT" ? body() : QByteArray(), { { name, value } });
    QCOMPARE(response.status, status);
    if (status == 412)
        QCOMPARE(codeIn(response), u"PreconditionFailed"_s);
}

void TestServerWrites::errors_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("detail");
    const QString gateway = base + u"/gateways/new"_s;
    QTest::newRow("empty body") << net << QByteArray() << 400 << u"InvalidRequestFormat"_s
                                << u"InvalidJson"_s;
    QTest::newRow("broken body") << net << QByteArray("{\"a\":") << 400 << u"InvalidRequestFormat"_s
                                 << u"InvalidJson"_s;
    QTest::newRow("no object") << net << QByteArray("[1]") << 400 << u"InvalidRequestFormat"_s
                               << u"InvalidJson"_s;
    QTest::newRow("not UTF-8") << net << QByteArray("{\"a\": \"\xff\"}") << 400
                               << u"InvalidRequestFormat"_s << u"InvalidJson"_s;
    QTest::newRow("deep") << net << QByteArray(100'000, '[') << 400 << u"InvalidRequestFormat"_s
                          << u"InvalidJson"_s;
    QTest::newRow("another name") << net << QByteArray("{\"resourceId\": \"other\"}") << 400
                                  << u"InvalidResourceName"_s << QString();
    QTest::newRow("the same name")
        << net << QByteArray("{\"resourceId\": \"LN\"}") << 200 << QString() << QString();
    QTest::newRow("children that are no list")
        << net << body("{\"subnets\": {}}") << 400 << u"InvalidRequestFormat"_s << u"InvalidJson"_s;
    QTest::newRow("a child without a name") << net << body("{\"subnets\": [{}]}") << 400
                                            << u"InvalidRequestFormat"_s << u"InvalidJson"_s;
    QTest::newRow("a child twice")
        << net << body("{\"subnets\": [{\"resourceId\": \"a\"}, {\"resourceId\": \"A\"}]}") << 400
        << u"InvalidRequestFormat"_s << u"InvalidJson"_s;
    QTest::newRow("properties that are no object")
        << net << QByteArray("{\"properties\": 7}") << 400 << u"InvalidRequestFormat"_s
        << u"InvalidJson"_s;
    QTest::newRow("no properties")
        << net << QByteArray("{\"properties\": null}") << 200 << QString() << QString();
    QTest::newRow("no reference") << gateway << body("{\"pool\": 7}") << 400
                                  << u"InvalidRequestFormat"_s << u"InvalidJsonReferenceFormat"_s;
    QTest::newRow("odd reference")
        << gateway << body("{\"pool\": {\"resourceRef\": \"gp\"}}") << 400
        << u"InvalidRequestFormat"_s << u"InvalidJsonReferenceFormat"_s;
    QTest::newRow("wrong type") << gateway
                                << body("{\"pool\": {\"resourceRef\": \"/logicalNetworks/ln\"}}")
                                << 400 << u"InvalidRequestFormat"_s
                                << u"InvalidJsonReferenceWrongType"_s;
    QTest::newRow("missing") << gateway
                             << body("{\"pool\": {\"resourceRef\": \"/GatewayPools/none\"}}") << 400
                             << u"InvalidResourceReference"_s << u"InvalidResourceReference"_s;
    QTest::newRow("good") << gateway << body("{\"pool\": {\"resourceRef\": \"/gatewayPools/GP\"}}")
                          << 201 << QString() << QString();
    QTest::newRow("with its base")
        << gateway << body("{\"pool\": {\"resourceRef\": \"/networking/v1/GatewayPools/gp\"}}")
        << 201 << QString() << QString();
    QTest::newRow("below nothing") << base + u"/logicalNetworks/none/subnets/s"_s << body() << 404
                                   << u"NotFound"_s << QString();
    QTest::newRow("unknown type") << base + u"/nonsense/n"_s << body() << 404 << u"NotFound"_s
                                  << QString();
}

void TestServerWrites::errors()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, content);
    QFETCH(int, status);
    QFETCH(QString, code);
    QFETCH(QString, detail);
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("PUT", path, content);
    QCOMPARE(response.status, status);
    QCOMPARE(codeIn(response), code);
    QCOMPARE(valueIn(response, u"error.details.0.code"_s).toString(), detail);
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
    reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}");
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
    reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}");
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

void TestServerWrites::full()
{
    Server::Options options = Reference::still();
    options.mostResources = 8;
    options.http.limits.bodyBytes = 1000;
    options.mostStoredBytes = 2000;
    Reference reference(u"network-controller"_s, tree(), options);
    QCOMPARE(reference.ask("PUT", base + u"/logicalNetworks/a"_s, body()).status, 201);
    QCOMPARE(reference.ask("PUT", base + u"/logicalNetworks/b"_s, body()).status, 201);
    QCOMPARE(reference.ask("PUT", base + u"/logicalNetworks/c"_s, body()).status, 503);
    const QByteArray large =
        body('"' + QByteArray(900, 'x') + '"').replace("\"properties\"", "\"tags\"");
    QCOMPARE(reference.ask("PUT", base + u"/logicalNetworks/a"_s, large).status, 200);
    QCOMPARE(reference.ask("PUT", base + u"/logicalNetworks/b"_s, large).status, 200);
    QCOMPARE(reference.ask("PUT", net, large).status, 503);
    QCOMPARE(reference.ask("PUT", net, body(QByteArray(2000, ' ') + "{}")).status, 413);
}

} // namespace

const instar::TestClass<TestServerWrites> registered;
#include "tst_serverwrites.moc"
