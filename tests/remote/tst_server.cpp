// SPDX-License-Identifier: Apache-2.0
// The reference controller of the network packs over real sockets: paths, envelope, verbs,
// preconditions, errors.

#include "tests/remote/reference.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QUuid>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const QString base = u"/networking/v1"_s;
const QString net = base + u"/logicalNetworks/ln"_s;
const QString subnet = net + u"/subnets/sn1"_s;

QList<ResourceSpec> tree()
{
    return { { .path = u"/logicalNetworks/ln"_s }, { .path = u"/logicalNetworks/ln/subnets/sn1"_s },
        { .path = u"/logicalNetworks/ln/subnets/sn1/ipPools/p1"_s },
        { .path = u"/logicalNetworks/ln/subnets/sn2"_s }, { .path = u"/GatewayPools/gp"_s },
        { .path = u"/gateways/g"_s, .references = { u"/GatewayPools/gp"_s } } };
}

QByteArray body(const QByteArray &properties = "{}")
{
    return "{\"properties\": " + properties + "}";
}

class TestServer : public QObject
{
    Q_OBJECT

private slots:
    void paths_data();
    void paths();
    void envelope();
    void discovery();
    void collections();
    void putFlow();
    void deleteFlow();
    void failedOperation();
    void supersededOperation();
    void conflict();
    void pollingTheResourceOnly();
    void etags_data();
    void etags();
    void replay();
    void echo();
    void errors_data();
    void errors();
    void orderOfChecks();
    void references();
    void bodiesAreStored();
    void contents();
    void contentsReplace();
    void contentsOfContents();
    void replacedInUse();
    void singletons();
    void synchronous();
    void methods();
    void nothingThere();
    void head();
    void world();
    void plan_data();
    void plan();
    void planOfWhatIsRefused();
    void planErrors();
    void faults_data();
    void faults();
    void reset();
    void ring();
    void full();
    void lateAnswers();
    void lateReplay();
    void realTime();
    void sameAsTheEngine();
};

void TestServer::paths_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("status");
    QTest::newRow("resource") << subnet << 200;
    QTest::newRow("other version") << u"/networking/v7.1/logicalNetworks/ln"_s << 200;
    QTest::newRow("case") << u"/Networking/V1/LogicalNetworks/LN/SUBNETS/sn1"_s << 200;
    QTest::newRow("query") << subnet + u"?api-version=1"_s << 200;
    QTest::newRow("escaped") << base + u"/logicalNetworks/l%6E"_s << 200;
    QTest::newRow("unknown version") << u"/networking/v8/logicalNetworks/ln"_s << 404;
    QTest::newRow("missing") << base + u"/logicalNetworks/none"_s << 404;
    QTest::newRow("missing parent") << base + u"/logicalNetworks/none/subnets/sn1"_s << 404;
    QTest::newRow("unknown type") << base + u"/nonsense/ln"_s << 404;
    QTest::newRow("unknown collection") << base + u"/nonsense"_s << 404;
    QTest::newRow("collection of nobody") << base + u"/logicalNetworks/none/subnets"_s << 404;
    QTest::newRow("empty name") << base + u"/logicalNetworks/"_s << 404;
    QTest::newRow("slash in a name") << base + u"/logicalNetworks/ln%2Fsubnets/sn1"_s << 400;
    QTest::newRow("root") << u"/"_s << 404;
    QTest::newRow("without version") << u"/networking/logicalNetworks/ln"_s << 404;
    QTest::newRow("unknown operation") << base + u"/operations/none"_s << 404;
    QTest::newRow("unknown result") << base + u"/operationResults/none"_s << 404;
}

void TestServer::paths()
{
    QFETCH(QString, path);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("GET", path);
    QCOMPARE(response.status, status);
    if (status == 404)
        QCOMPARE(valueIn(response, u"error.code"_s).toString(), u"NotFound"_s);
}

/// Facts of the envelope: etag and identity at the top, children inside the properties, each with
/// its own.
void TestServer::envelope()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("GET", net);
    QCOMPARE(valueIn(response, u"resourceRef"_s).toString(), u"/logicalNetworks/ln"_s);
    QCOMPARE(valueIn(response, u"resourceId"_s).toString(), u"ln"_s);
    QCOMPARE(valueIn(response, u"properties.provisioningState"_s).toString(), u"Succeeded"_s);
    static const QRegularExpression tag(u"^W/\"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\"$"_s);
    QVERIFY(tag.match(valueIn(response, u"etag"_s).toString()).hasMatch());
    QCOMPARE(valueIn(response, u"etag"_s).toString().toLatin1(), header(response.headers, "ETag"));
    QVERIFY(!QUuid::fromString(valueIn(response, u"instanceId"_s).toString()).isNull());
    QCOMPARE(valueIn(response, u"properties.subnets.0.resourceId"_s).toString(), u"sn1"_s);
    QCOMPARE(
        valueIn(response, u"properties.subnets.0.properties.ipPools.0.resourceRef"_s).toString(),
        u"/logicalNetworks/ln/subnets/sn1/ipPools/p1"_s);
    QCOMPARE(valueIn(response, u"properties.subnets.1.properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
    QCOMPARE(header(response.headers, "Content-Type"), "application/json; charset=UTF-8");
    QVERIFY(hasHeader(response.headers, "Date"));

    // Who is referred to lists who refers to it.
    const HttpResponse pool = reference.ask("GET", base + u"/gatewaypools/gp"_s);
    QCOMPARE(valueIn(pool, u"properties.gateways.0.resourceRef"_s).toString(), u"/gateways/g"_s);
    const HttpResponse gateway = reference.ask("GET", base + u"/gateways/g"_s);
    QCOMPARE(valueIn(gateway, u"properties.pool.resourceRef"_s).toString(), u"/GatewayPools/gp"_s);
}

void TestServer::discovery()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("GET", u"/networking/discovery"_s);
    QCOMPARE(response.status, 200);
    QCOMPARE(valueIn(response, u"properties.supportedRestVersions.0"_s).toString(), u"v1"_s);
    QCOMPARE(valueIn(response, u"properties.supportedRestVersions"_s).toArray().size(), 12);
    QCOMPARE(valueIn(response, u"properties.currentRestVersion"_s).toString(), u"v7.1"_s);
}

void TestServer::collections()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse nets = reference.ask("GET", base + u"/LOGICALNETWORKS"_s);
    QCOMPARE(nets.status, 200);
    QCOMPARE(valueIn(nets, u"value"_s).toArray().size(), 1);
    QCOMPARE(valueIn(nets, u"value.0.resourceId"_s).toString(), u"ln"_s);
    QCOMPARE(valueIn(nets, u"nextLink"_s), QJsonValue(QString()));
    QCOMPARE(valueIn(reference.ask("GET", net + u"/subnets"_s), u"value"_s).toArray().size(), 2);
    const HttpResponse none = reference.ask("GET", base + u"/credentials"_s);
    QCOMPARE(none.status, 200);
    QCOMPARE(valueIn(none, u"value"_s), QJsonValue(QJsonArray()));
}

void TestServer::putFlow()
{
    Reference reference(u"network-controller"_s, tree());
    const QString path = base + u"/logicalNetworks/new"_s;
    const HttpResponse created = reference.ask("PUT", path, body("{\"a\": [1, 2.50]}"));
    QCOMPARE(created.status, 201);
    QVERIFY(!hasHeader(created.headers, "Location"));
    QCOMPARE(valueIn(created, u"properties.provisioningState"_s).toString(), u"Updating"_s);
    QVERIFY(created.body.contains("2.50")); // as it was spelled
    const QString id = QString::fromLatin1(header(created.headers, "x-ms-request-id"));
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
    QCOMPARE(valueIn(reference.ask("GET", path), u"properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
    // The result of a PUT is the resource.
    const HttpResponse result = reference.ask("GET", base + u"/operationResults/"_s + id);
    QCOMPARE(result.status, 200);
    QCOMPARE(valueIn(result, u"resourceId"_s).toString(), u"new"_s);

    QCOMPARE(reference.ask("PUT", path, body()).status, 200); // it exists now
}

void TestServer::deleteFlow()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse gone = reference.ask("DELETE", net);
    QCOMPARE(gone.status, 202);
    QCOMPARE(gone.body, QByteArray());
    QCOMPARE(header(gone.headers, "Retry-After"), "1");
    const QString id = QString::fromLatin1(header(gone.headers, "x-ms-request-id"));
    QCOMPARE(QString::fromLatin1(header(gone.headers, "Location")),
        reference.origin() + base + u"/operationResults/"_s + id);
    QVERIFY(hasHeader(gone.headers, "Azure-AsyncOperation"));
    QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
        u"Deleting"_s);
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

void TestServer::failedOperation()
{
    Reference reference(u"network-controller"_s, tree());
    for (const QByteArray method : { "PUT", "DELETE" }) {
        QCOMPARE(
            reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}").status, 200);
        const HttpResponse response =
            reference.ask(method, net, method == "PUT" ? body() : QByteArray());
        const QString id = QString::fromLatin1(header(response.headers, "x-ms-request-id"));
        reference.simulator().advance(1000);
        const HttpResponse operation = reference.ask("GET", base + u"/operations/"_s + id);
        QCOMPARE(operation.status, 200); // reading it went well
        QCOMPARE(valueIn(operation, u"status"_s).toString(), u"Failed"_s);
        QCOMPARE(valueIn(operation, u"error.code"_s).toString(), u"InternalServerError"_s);
        const HttpResponse result = reference.ask("GET", base + u"/operationResults/"_s + id);
        QCOMPARE(result.status, 500);
        QCOMPARE(valueIn(result, u"error.code"_s).toString(), u"InternalServerError"_s);
        QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
            u"Failed"_s);
    }
}

void TestServer::supersededOperation()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse first = reference.ask("PUT", subnet, body());
    const HttpResponse second = reference.ask("PUT", net, body());
    QCOMPARE(second.status, 200);
    const QString id = QString::fromLatin1(header(first.headers, "x-ms-request-id"));
    const QString by = QString::fromLatin1(header(second.headers, "x-ms-request-id"));
    const HttpResponse operation = reference.ask("GET", base + u"/operations/"_s + id);
    QCOMPARE(operation.status, 200);
    QCOMPARE(valueIn(operation, u"status"_s).toString(), u"Canceled"_s);
    QCOMPARE(valueIn(operation, u"error.code"_s).toString(), u"Canceled"_s);
    QCOMPARE(valueIn(operation, u"error.details.0.code"_s).toString(),
        u"CanceledAndSupersededDueToAnotherOperation"_s);
    const QString text = valueIn(operation, u"error.details.0.message"_s).toString();
    QVERIFY(text.contains(id) && text.contains(by));
    const HttpResponse result = reference.ask("GET", base + u"/operationResults/"_s + id);
    QCOMPARE(result.status, 409);
    QCOMPARE(valueIn(result, u"error.code"_s).toString(), u"Canceled"_s);
}

void TestServer::conflict()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse first = reference.ask("PUT", subnet, body());
    const QByteArray id = header(first.headers, "x-ms-request-id");
    const QString tag =
        valueIn(reference.ask("GET", net + u"/subnets/sn2"_s), u"etag"_s).toString();
    const HttpResponse second = reference.ask("PUT", net + u"/subnets/sn2"_s, body());
    QCOMPARE(second.status, 409);
    QCOMPARE(valueIn(second, u"error.code"_s).toString(), u"AnotherOperationInProgress"_s);
    QVERIFY(valueIn(second, u"error.message"_s)
                .toString()
                .endsWith(u"/networking/v1/operations/%1."_s.arg(QString::fromLatin1(id))));
    QCOMPARE(valueIn(reference.ask("GET", net + u"/subnets/sn2"_s), u"etag"_s).toString(), tag);
    // What was refused was never an operation.
    const QByteArray refused = header(second.headers, "x-ms-request-id");
    QCOMPARE(
        reference.ask("GET", base + u"/operations/"_s + QString::fromLatin1(refused)).status, 404);
}

/// Clients that know of no operations: PUT, read until it rests; DELETE, read until it is gone.
void TestServer::pollingTheResourceOnly()
{
    Reference reference(u"network-controller"_s, tree());
    reference.ask("PUT", net, body());
    QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
        u"Updating"_s);
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
    reference.ask("DELETE", net);
    QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
        u"Deleting"_s);
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net).status, 404);
}

void TestServer::etags_data()
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

void TestServer::etags()
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
        QCOMPARE(valueIn(response, u"error.code"_s).toString(), u"PreconditionFailed"_s);
}

void TestServer::replay()
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

void TestServer::echo()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpHeader named { "x-ms-client-request-id", "my own" };
    QCOMPARE(header(reference.ask("GET", net, {}, { named }).headers, named.name),
        named.value.toByteArray());
    const HttpResponse quiet =
        reference.ask("GET", net, {}, { named, { "x-ms-return-client-request-id", "FALSE" } });
    QVERIFY(!hasHeader(quiet.headers, named.name));
    QVERIFY(!hasHeader(reference.ask("GET", net).headers, named.name));
    QCOMPARE(header(quiet.headers, "Server"), "Microsoft-HTTPAPI/2.0");
}

void TestServer::errors_data()
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

void TestServer::errors()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, content);
    QFETCH(int, status);
    QFETCH(QString, code);
    QFETCH(QString, detail);
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("PUT", path, content);
    QCOMPARE(response.status, status);
    QCOMPARE(valueIn(response, u"error.code"_s).toString(), code);
    QCOMPARE(valueIn(response, u"error.details.0.code"_s).toString(), detail);
    if (status >= 400) {
        QVERIFY(!valueIn(response, u"error.message"_s).toString().isEmpty());
        QCOMPARE(reference.simulator().world().running.size(), size_t(0));
    }
}

/// Existence, conflict, precondition, body: the first that fails speaks, and nothing is canceled.
void TestServer::orderOfChecks()
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

void TestServer::references()
{
    Reference reference(u"network-controller"_s, tree());
    const QString pool = base + u"/GatewayPools/gp"_s, gateway = base + u"/gateways/g"_s;
    const HttpResponse inUse = reference.ask("DELETE", pool);
    QCOMPARE(inUse.status, 409);
    QCOMPARE(valueIn(inUse, u"error.code"_s).toString(), u"ResourceInUse"_s);
    reference.ask("PUT", pool, body());
    const HttpResponse notReady =
        reference.ask("PUT", gateway, body("{\"pool\": {\"resourceRef\": \"/GatewayPools/gp\"}}"));
    QCOMPARE(notReady.status, 409);
    QCOMPARE(valueIn(notReady, u"error.code"_s).toString(), u"ReferencedResourceNotProvisioned"_s);
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

void TestServer::bodiesAreStored()
{
    Reference reference(u"network-controller"_s, tree());
    const QByteArray sent =
        "{\"resourceId\":\"ln\",\"etag\":\"W/\\\"mine\\\"\",\"tags\":{\"b\":1,\"a\":2},"
        "\"properties\":{\"provisioningState\":\"Failed\",\"vlanID\":\"7\",\"x\":null}}";
    QCOMPARE(reference.ask("PUT", net, sent).status, 200);
    const HttpResponse got = reference.ask("GET", net);
    QVERIFY(got.body.contains("\"tags\":{\"b\":1,\"a\":2}")); // in its order
    QCOMPARE(valueIn(got, u"properties.vlanID"_s).toString(), u"7"_s);
    QCOMPARE(valueIn(got, u"properties.provisioningState"_s).toString(),
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

/// Children in a PUT's body are made with it, and it answers for them.
void TestServer::contents()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse created = reference.ask("PUT", base + u"/logicalNetworks/new"_s,
        body("{\"subnets\": [{\"resourceId\": \"s1\", \"properties\": {\"a\": 1, \"ipPools\": "
             "[{\"resourceId\": \"p\"}]}}, {\"resourceId\": \"s2\"}]}"));
    QCOMPARE(created.status, 201);
    const QString pool = base + u"/logicalNetworks/new/subnets/s1/ipPools/p"_s;
    QCOMPARE(valueIn(reference.ask("GET", pool), u"properties.provisioningState"_s).toString(),
        u"Updating"_s);
    QCOMPARE(valueIn(reference.ask("GET", pool), u"etag"_s).toString(),
        valueIn(created, u"etag"_s).toString());
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", pool), u"properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
    QCOMPARE(valueIn(reference.ask("GET", base + u"/logicalNetworks/new/subnets/s1"_s),
                 u"properties.a"_s)
                 .toInt(),
        1);
    // One that fails leaves them failed.
    reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}");
    reference.ask(
        "PUT", base + u"/logicalNetworks/bad"_s, body("{\"subnets\": [{\"resourceId\": \"s\"}]}"));
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", base + u"/logicalNetworks/bad/subnets/s"_s),
                 u"properties.provisioningState"_s)
                 .toString(),
        u"Failed"_s);
}

/// A collection in the body is that collection from then on; one left out stays.
void TestServer::contentsReplace()
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
    QCOMPARE(
        valueIn(reference.ask("GET", net + u"/subnets/sn3"_s), u"properties.provisioningState"_s)
            .toString(),
        u"Succeeded"_s);
    // A failure removes nothing.
    reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}");
    QCOMPARE(reference.ask("PUT", net, body("{\"subnets\": []}")).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(reference.ask("GET", net + u"/subnets/sn2"_s).status, 200);
    QCOMPARE(reference.ask("PUT", net, body("{\"subnets\": []}")).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", net + u"/subnets"_s), u"value"_s).toArray().size(), 0);
}

void TestServer::contentsOfContents()
{
    Reference reference(u"network-controller"_s, tree());
    // A child's own references are asked about like the target's.
    const HttpResponse missing = reference.ask("PUT", base + u"/networkInterfaces/n"_s,
        body("{\"ipConfigurations\": [{\"resourceId\": \"c\", \"properties\": {\"subnet\": "
             "{\"resourceRef\": \"/logicalNetworks/ln/subnets/none\"}}}]}"));
    QCOMPARE(missing.status, 400);
    QCOMPARE(valueIn(missing, u"error.code"_s).toString(), u"InvalidResourceReference"_s);
    QCOMPARE(reference.ask("GET", base + u"/networkInterfaces/n"_s).status, 404);
    const HttpResponse good = reference.ask("PUT", base + u"/networkInterfaces/n"_s,
        body("{\"ipConfigurations\": [{\"resourceId\": \"c\", \"properties\": {\"subnet\": "
             "{\"resourceRef\": \"/logicalNetworks/ln/subnets/sn1\"}}}]}"));
    QCOMPARE(good.status, 201);
    reference.simulator().advance(1000);
    const HttpResponse inUse = reference.ask("DELETE", subnet);
    QCOMPARE(inUse.status, 409);
    QCOMPARE(valueIn(inUse, u"error.code"_s).toString(), u"InUseSubnetCannotBeDeleted"_s);
}

/// What a PUT leaves out of a collection is refused as its own DELETE would be, and so is all of
/// the PUT.
void TestServer::replacedInUse()
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

void TestServer::singletons()
{
    Reference reference(u"network-controller"_s);
    const QString path = base + u"/loadBalancerManager/config"_s;
    QVERIFY(reference.ask("PUT", path, body()).status < 300);
    reference.simulator().advance(1000);
    const HttpResponse response = reference.ask("DELETE", path);
    QCOMPARE(response.status, 405);
    QCOMPARE(valueIn(response, u"error.code"_s).toString(), u"OperationNotSupported"_s);
    QCOMPARE(reference.ask("PUT", base + u"/loadBalancerManager/other"_s, body()).status, 404);
}

void TestServer::synchronous()
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
    QCOMPARE(valueIn(put, u"properties.provisioningState"_s).toString(), u"Succeeded"_s);
    QCOMPARE(done("PUT", base + u"/logicalNetworks/new"_s).status, 201);
    QCOMPARE(reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}").status, 200);
    QCOMPARE(valueIn(done("PUT", net), u"properties.provisioningState"_s).toString(), u"Failed"_s);
    QCOMPARE(done("DELETE", net).status, 200);
    QCOMPARE(reference.ask("GET", net).status, 404);
    QCOMPARE(reference.ask("DELETE", net).status, 204);
}

void TestServer::methods()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse post = reference.ask("POST", net, body());
    QCOMPARE(post.status, 405);
    QCOMPARE(header(post.headers, "Allow"), "GET, HEAD, PUT, DELETE");
    const HttpResponse collection = reference.ask("DELETE", base + u"/logicalNetworks"_s);
    QCOMPARE(collection.status, 405);
    QCOMPARE(header(collection.headers, "Allow"), "GET, HEAD");
    QCOMPARE(header(reference.ask("PUT", u"/networking/discovery"_s, body()).headers, "Allow"),
        "GET, HEAD");
    QCOMPARE(header(reference.ask("POST", u"/_instar/world"_s).headers, "Allow"), "GET, HEAD");
    QCOMPARE(header(reference.ask("GET", u"/_instar/plan"_s).headers, "Allow"), "POST");
    QCOMPARE(reference.ask("GET", u"/_instar/other"_s).status, 404);

    // What the operation's own rows refuse has them too.
    const QString singleton = base + u"/loadBalancerManager/config"_s;
    const HttpResponse never = reference.ask("DELETE", singleton);
    QCOMPARE(never.status, 405);
    QCOMPARE(header(never.headers, "Allow"), "GET, HEAD, PUT");
    // An operation is no resource, whatever the method.
    const HttpResponse put = reference.ask("PUT", net, body());
    const QString operation =
        base + u"/operations/"_s + QString::fromLatin1(header(put.headers, "x-ms-request-id"));
    for (const char *method : { "PUT", "DELETE", "POST" }) {
        const HttpResponse response = reference.ask(method, operation, body());
        QCOMPARE(response.status, 405);
        QCOMPARE(header(response.headers, "Allow"), "GET, HEAD");
    }
    QCOMPARE(reference.ask("GET", operation).status, 200);
}

/// What is not there is named.
void TestServer::nothingThere()
{
    Reference reference(u"network-controller"_s, tree());
    for (const QString &path : { u"/"_s, base + u"/operations/none"_s,
             u"/networking/v8/logicalNetworks/ln"_s, net + u'/' }) {
        const HttpResponse response = reference.ask("GET", path + u"?a=b"_s);
        QCOMPARE(response.status, 404);
        QCOMPARE(valueIn(response, u"error.message"_s).toString(),
            u"There is nothing at %1."_s.arg(path));
    }
    const QString message =
        valueIn(reference.ask("GET", u'/' + QString(50'000, u'x')), u"error.message"_s).toString();
    QVERIFY(message.size() < 300);
}

void TestServer::head()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("HEAD", net);
    QCOMPARE(response.status, 200);
    QCOMPARE(response.body, QByteArray());
    QVERIFY(hasHeader(response.headers, "ETag"));
    QCOMPARE(reference.ask("GET", net).status, 200); // the connection is still in order
}

void TestServer::world()
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

void TestServer::plan_data()
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

void TestServer::plan()
{
    QFETCH(QByteArray, plan);
    QFETCH(qint64, ends);
    QFETCH(QString, state);
    Reference reference(u"network-controller"_s, tree());
    QCOMPARE(reference.ask("POST", u"/_instar/plan"_s, plan).status, 200);
    reference.ask("PUT", net, body());
    if (ends > 0) {
        reference.simulator().advanceTo(ends - 1);
        QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
            u"Updating"_s);
    }
    reference.simulator().advanceTo(ends < 0 ? 1'000'000 : ends);
    QCOMPARE(
        valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(), state);
    // It is used up.
    if (ends < 0)
        return;
    reference.simulator().advanceTo(10'000);
    reference.ask("PUT", net, body());
    reference.simulator().advanceTo(11'000);
    QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
}

/// A plan waits for an operation that starts.
void TestServer::planOfWhatIsRefused()
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
    QCOMPARE(valueIn(reference.ask("GET", subnet), u"properties.provisioningState"_s).toString(),
        u"Failed"_s);
    // One for the next request, whatever becomes of it.
    QCOMPARE(
        reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\", \"refusedToo\": true}")
            .status,
        200);
    QCOMPARE(reference.ask("DELETE", base + u"/logicalNetworks/none"_s).status, 204);
    QCOMPARE(reference.ask("PUT", subnet, body()).status, 200);
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", subnet), u"properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
}

void TestServer::planErrors()
{
    Reference reference(u"network-controller"_s, tree());
    for (const char *bad : { "", "{", "[]", "{\"op\": \"PUSH\"}", "{\"outcome\": \"nice\"}",
             "{\"times\": -1}", "{\"fault\": \"fire\"}", "{\"path\": \"/nonsense/x\"}",
             "{\"what\": 1}", "{\"duration\": 1.5}" }) {
        const HttpResponse response = reference.ask("POST", u"/_instar/plan"_s, bad);
        QCOMPARE(response.status, 400);
        QCOMPARE(valueIn(response, u"error.code"_s).toString(), u"InvalidRequestFormat"_s);
    }
}

void TestServer::faults_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<int>("status"); // 0: no answer that could be read
    QTest::newRow("close") << u"close"_s << 0;
    QTest::newRow("truncate") << u"truncate"_s << 0;
    QTest::newRow("garbage") << u"garbage"_s << 0;
    QTest::newRow("invalid-json") << u"invalid-json"_s << 200;
    QTest::newRow("empty") << u"empty"_s << 200;
    QTest::newRow("status") << u"status:503"_s << 503;
    QTest::newRow("delay") << u"delay:30"_s << 200;
}

/// The operation runs all the same; only its answer suffers.
void TestServer::faults()
{
    QFETCH(QString, fault);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    reference.ask("POST", u"/_instar/plan"_s, "{\"fault\": \"" + fault.toLatin1() + "\"}");
    const HttpResponse response = reference.ask("PUT", net, body());
    QCOMPARE(response.status, status);
    if (fault == u"empty")
        QCOMPARE(response.body, QByteArray());
    if (fault == u"invalid-json")
        QVERIFY(QJsonDocument::fromJson(response.body).isNull());
    QCOMPARE(reference.simulator().world().running.size(), size_t(1));
    reference.connectAgain();
    QCOMPARE(reference.ask("PUT", net, body()).status, 200);
}

void TestServer::reset()
{
    Reference reference(u"network-controller"_s, tree());
    reference.ask("DELETE", net);
    reference.simulator().advance(1000);
    reference.ask("POST", u"/_instar/plan"_s, "{\"outcome\": \"Failed\"}");
    QCOMPARE(reference.ask("POST", u"/_instar/reset"_s).status, 200);
    QCOMPARE(reference.ask("GET", net).status, 200);
    reference.ask("PUT", net, body());
    reference.simulator().advance(1000);
    QCOMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
}

/// Operations that are over are forgotten one day; those that run never.
void TestServer::ring()
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
        return reference
            .ask("GET",
                base + u"/operations/"_s
                    + QString::fromLatin1(header(response.headers, "x-ms-request-id")))
            .status;
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

void TestServer::full()
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

/// A pack whose rows answer only when the operation has ended.
void TestServer::lateAnswers()
{
    const Result<Document> document =
        loadDocument(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/packs/print-job.json"));
    QVERIFY(document);
    QTemporaryDir folder;
    QByteArray json = document->bytes().trimmed();
    json.chop(1);
    json += R"(, "wire": {
        "requests": [{"ask": "print", "method": "POST", "path": "{path}"}, {"ask": "resource", "method": "GET", "path": "{path}"}],
        "answers": [{"to": "print", "at": "succeeded", "code": 200, "body": "resource"}, {"to": "print", "at": ["failed", "jammed"], "code": 503},
            {"to": "resource", "at": "found", "code": 200, "body": "resource"}, {"code": "{http}"}],
        "documents": {"resource": {"json": {"name": "{name}", "word": "{state}"}}}}})";
    QFile file(folder.filePath(u"late.pack.json"_s));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(json);
    file.close();
    Reference reference(file.fileName());
    const Tree &resources = reference.simulator().world().tree;
    const QString job =
        resources.path(resources.at(resources.branches().first(), 0)) + u"/jobs/new"_s;
    reference.send("POST", job);
    QTRY_COMPARE(reference.simulator().world().running.size(), size_t(1));
    QVERIFY(reference.simulator().runUntilQuiet(1000));
    const HttpResponse response = reference.answer();
    QCOMPARE(response.status, 200);
    QCOMPARE(valueIn(response, u"name"_s).toString(), job.section(u'/', -1));
}

/// A request that is repeated before the first has its answer: both get the same one.
void TestServer::lateReplay()
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
void TestServer::realTime()
{
    Server::Options options;
    options.speed = 100;
    Reference reference(u"network-controller"_s, tree(), options);
    reference.ask("PUT", net, body());
    QTRY_COMPARE(valueIn(reference.ask("GET", net), u"properties.provisioningState"_s).toString(),
        u"Succeeded"_s);
    reference.ask("DELETE", net);
    QTRY_COMPARE(reference.ask("GET", net).status, 404);
}

/// Random requests over HTTP and the same ones given to an engine of one's own: every answer is one
/// that it gives.
void TestServer::sameAsTheEngine()
{
    Reference reference(u"network-controller"_s, tree());
    Result<Rules> rules = Rules::make(*loadPack(u"network-controller"_s));
    Simulator own(*rules, makeWorld(*rules, tree()).world);
    QRandomGenerator random(4711);
    const QStringList targets { u"/logicalNetworks/ln"_s, u"/logicalNetworks/ln/subnets/sn1"_s,
        u"/logicalNetworks/ln/subnets/sn2"_s, u"/logicalNetworks/ln/subnets/sn1/ipPools/p1"_s,
        u"/logicalNetworks/new"_s, u"/GatewayPools/gp"_s };
    for (int i = 0; i < 300; ++i) {
        const QString &path = targets[random.bounded(targets.size())];
        const bool puts = random.bounded(3) > 0;
        const qint64 pause = random.bounded(3) * 400;
        reference.simulator().advance(pause);
        own.advance(pause);
        Request request { .op = puts ? u"PUT"_s : u"DELETE"_s, .path = path };
        const quint32 serial = own.submit(request);
        const Operation &expected = *own.operations().find(serial);
        const HttpResponse response =
            reference.ask(request.op.toLatin1(), base + path, puts ? body() : QByteArray());
        if (expected.status == Status::Rejected) {
            QCOMPARE(response.status, expected.httpStatus);
            QCOMPARE(valueIn(response, u"error.code"_s).toString(), expected.errorCode);
        } else {
            QVERIFY(response.status < 300);
        }
        const World &theirs = reference.simulator().world();
        QCOMPARE(theirs.tree.size(), own.world().tree.size());
        for (const Resource resource : own.world().tree.resources()) {
            const QString at = own.world().tree.path(resource);
            QCOMPARE(valueIn(reference.ask("GET", base + at), u"properties.provisioningState"_s)
                         .toString(),
                own.rules().shown(own.world().tree.code(resource)));
        }
    }
}

} // namespace

QTEST_GUILESS_MAIN(TestServer)
#include "tst_server.moc"
