// SPDX-License-Identifier: Apache-2.0
// The reference controller of the network packs over real sockets: which paths there are, what is
// answered to reads, in which envelope, which methods are allowed, and what is told of exchanges.

#include "tests/remote/samplenetwork.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QUuid>

using namespace instar;
using namespace instar::network;
using namespace Qt::StringLiterals;

namespace {

class TestServer : public QObject
{
    Q_OBJECT

private slots:
    void paths_data();
    void paths();
    void envelope();
    void discovery();
    void collections();
    void echo();
    void singletons();
    void methods();
    void nothingThere();
    void missingIsNotFound_data();
    void missingIsNotFound();
    void patch();
    void exchanges();
    void exchangesThatWait();
    void exchangesOfTheListener();
};

void TestServer::paths_data()
{
    const Rows<QString, int> row("path", "status");
    row("resource", subnet, 200);
    row("other version", u"/networking/v7.1/logicalNetworks/ln"_s, 200);
    row("case", u"/Networking/V1/LogicalNetworks/LN/SUBNETS/sn1"_s, 200);
    row("escaped", base + u"/logicalNetworks/l%6E"_s, 200);
    row("missing", base + u"/logicalNetworks/none"_s, 404);
    row("unknown type", base + u"/nonsense/ln"_s, 404);
    row("unknown collection", base + u"/nonsense"_s, 404);
    row("collection of nobody", base + u"/logicalNetworks/none/subnets"_s, 404);
    row("children with a slash and a query", net + u"/subnets/?a=b"_s, 200);
    row("collection with two slashes", base + u"/logicalNetworks//"_s, 404);
    row("a percent sign", base + u"/logicalNetworks/%"_s, 400);
    row("a percent sign in a collection", base + u"/logicalNetworks/%/subnets"_s, 400);
    row("without version", u"/networking/logicalNetworks/ln"_s, 404);
}

void TestServer::paths()
{
    QFETCH(QString, path);
    QFETCH(int, status);
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("GET", path);
    QCOMPARE(response.status, status);
    if (status >= 400)
        QCOMPARE(codeIn(response), status == 404 ? u"NotFound"_s : u"InvalidResourceName"_s);
}

/// Facts of the envelope: etag and identity at the top, children inside the properties, each with
/// its own.
void TestServer::envelope()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpResponse response = reference.ask("GET", net);
    QCOMPARE(valueIn(response, u"resourceRef"_s).toString(), u"/logicalNetworks/ln"_s);
    QCOMPARE(valueIn(response, u"resourceId"_s).toString(), u"ln"_s);
    QCOMPARE(stateIn(response), u"Succeeded"_s);
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
    QCOMPARE(reference.ask("GET", base + u"/logicalNetworks/"_s).body, nets.body);
    QCOMPARE(reference.ask("PUT", base + u"/logicalNetworks/"_s, body()).status, 405);
    QCOMPARE(valueIn(nets, u"nextLink"_s), QJsonValue(QString()));
    QCOMPARE(valueIn(reference.ask("GET", net + u"/subnets"_s), u"value"_s).toArray().size(), 2);
    const HttpResponse none = reference.ask("GET", base + u"/credentials"_s);
    QCOMPARE(none.status, 200);
    QCOMPARE(valueIn(none, u"value"_s), QJsonValue(QJsonArray()));
}

void TestServer::echo()
{
    Reference reference(u"network-controller"_s, tree());
    const HttpHeader named { "x-ms-client-request-id", "my own" };
    QCOMPARE(header(reference.ask("GET", net, {}, { named }).headers, named.name), named.value);
    const HttpResponse quiet =
        reference.ask("GET", net, {}, { named, { "x-ms-return-client-request-id", "FALSE" } });
    QVERIFY(!hasHeader(quiet.headers, named.name));
    QVERIFY(!hasHeader(reference.ask("GET", net).headers, named.name));
    QCOMPARE(header(quiet.headers, "Server"), "Microsoft-HTTPAPI/2.0");
}

void TestServer::singletons()
{
    Reference reference(u"network-controller"_s);
    const QString path = base + u"/loadBalancerManager/config"_s;
    QVERIFY(reference.ask("PUT", path, body()).status < 300);
    reference.simulator().advance(1000);
    const HttpResponse response = reference.ask("DELETE", path);
    QCOMPARE(response.status, 405);
    QCOMPARE(codeIn(response), u"OperationNotSupported"_s);
    QCOMPARE(reference.ask("PUT", base + u"/loadBalancerManager/other"_s, body()).status, 404);
    // Its name is the pack's: clients send one of their own making.
    const QByteArray named = "{\"resourceId\": \"3f2504e0-4f89-11d3-9a0c-0305e82c3301\"}";
    QCOMPARE(reference.ask("PUT", path, named).status, 200);
    QCOMPARE(valueIn(reference.ask("GET", path), u"resourceId"_s).toString(), u"config"_s);
    QCOMPARE(reference.ask("PUT", base + u"/loadBalancers/lb"_s, named).status, 400);
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
    const QString operation = base + u"/operations/"_s + idIn(put);
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
        for (const QString &query : { u"?a=b"_s, QString() }) {
            const HttpResponse response = reference.ask("GET", path + query);
            QCOMPARE(response.status, 404);
            const QString where = path.startsWith(base)
                ? QString()
                : u" The paths of resources begin with %1."_s.arg(base);
            QCOMPARE(messageIn(response), u"There is no resource at %1."_s.arg(path) + where);
        }
    }
    const QString message = messageIn(reference.ask("GET", u'/' + QString(50'000, u'x')));
    QVERIFY(message.size() < 300);
}

namespace {

/// A pack that is spoken over HTTP and words as little as it can; beside PUT there is PATCH.
const QByteArray Shelves = R"({
  "id": "shelves",
  "types": {"shelves": {"machine": "shelf", "references": [{"property": "room", "to": ["rooms"]}]},
            "rooms": {"machine": "shelf"}},
  "operations": {"store": {"duration": 0}, "change": {"duration": 0, "merge": true}},
  "machines": {"shelf": {"rest": "there", "states": {"none": {"kind": "initial"}, "there": {}}, "transitions": [
    {"from": ["none", "there"], "on": "store", "to": "there"},
    {"from": "there", "on": "change", "to": "there"}
  ]}},
  "wire": {
    "base": "/v1",
    "requests": [
      {"ask": "resource", "method": "GET", "path": "{base}{path}"},
      {"ask": "store", "method": "PUT", "path": "{base}{path}", "body": "resource"},
      {"ask": "change", "method": "PATCH", "path": "{base}{path}", "body": "resource"}
    ],
    "answers": [
      {"to": ["store", "change"], "at": "succeeded", "code": 200, "body": "resource"},
      {"to": "resource", "at": "found", "code": 200, "body": "resource"}
    ],
    "documents": {"resource": {"json": {"name": "{name}", "{body}": "properties"}},
                  "reference": {"json": {"ref": "{path}"}}}
  }
})";

} // namespace

void TestServer::missingIsNotFound_data()
{
    const Rows<Pack, QString> add("pack", "path");
    const auto row = [&](Pack pack) {
        QString path;
        for (const Type &type : pack.types) {
            if (path.isEmpty() && !type.path.contains(u'/') && type.path != u"*")
                path = u"/%1/%2"_s.arg(type.path, type.names.value(0, u"nowhere"_s));
        }
        const bool isOurs = pack.wire.isEmpty(); // then it speaks as the bare one does
        if (isOurs)
            pack.wire = packOf(Shelves).wire;
        if (isOurs)
            pack.wire.requests = pack.wire.requests.first(1);
        pack.sample.clear();
        const QString base =
            QString(pack.wire.base).replace(u"{version}"_s, pack.wire.versions.value(0));
        add(qPrintable(pack.id), pack, base + path);
    };
    row(packOf(Shelves));
    for (const QString &id : builtInPacks())
        row(*loadPack(id));
    Pack worded = packOf(Shelves); // which has words for it, and no code
    worded.id = u"words only"_s;
    worded.refusals.append(Refusal {});
    worded.refusals.last().id = u"missing"_s;
    worded.refusals.last().message = u"Where is {path}?"_s;
    row(worded);
}

void TestServer::missingIsNotFound()
{
    QFETCH(Pack, pack);
    QFETCH(QString, path);
    Reference reference(pack, {});
    const HttpResponse response = reference.ask("GET", path);
    QCOMPARE(response.status, 404);
    const Rules rules = rulesOf(pack);
    const OperationMessage own = WireRules(rules).error(response.body, 404); // in the pack's words
    const auto said = [&](const QString &told, const QString &bare) {
        return told.isEmpty() ? valueIn(response, bare).toString() : told;
    };
    QCOMPARE(said(own.code, u"error.code"_s), u"NotFound"_s);
    QVERIFY(!said(own.message, u"error.message"_s).isEmpty());
}

/// What a PATCH brings is laid over what is there; null takes away.
void TestServer::patch()
{
    Reference reference(packOf(Shelves), { { .path = u"/rooms/r"_s }, { .path = u"/rooms/s"_s } });
    const QString shelf = u"/v1/shelves/a"_s;
    const QByteArray first =
        R"({"name": "a", "colour": "red", "size": {"w": 1, "h": 2}, "boards": [1, 2]})";
    QCOMPARE(reference.ask("PATCH", shelf, first).status, 404);
    QCOMPARE(reference.ask("PUT", shelf, first).status, 200);
    const HttpResponse answer = reference.ask("PATCH", shelf,
        R"({"colour": null, "size": {"h": null, "d": 3}, "boards": [7], "room": {"ref": "/rooms/r"}})");
    QCOMPARE(answer.status, 200);
    const HttpResponse response = reference.ask("GET", shelf);
    QCOMPARE(valueIn(response, u"colour"_s), QJsonValue(QJsonValue::Undefined));
    QCOMPARE(valueIn(response, u"size"_s), (QJsonObject { { u"w"_s, 1 }, { u"d"_s, 3 } }));
    QCOMPARE(valueIn(response, u"boards"_s), QJsonArray({ 7 }));
    QCOMPARE(valueIn(response, u"name"_s).toString(), u"a"_s);
    const World &world = reference.simulator().world();
    QCOMPARE(
        world.references.value(world.tree.find(u"/shelves/a"_s)), QStringList { u"/rooms/r"_s });
    // A PUT replaces what it does not name.
    QCOMPARE(reference.ask("PUT", shelf, R"({"name": "a", "colour": "blue"})").status, 200);
    QCOMPARE(valueIn(reference.ask("GET", shelf), u"size"_s), QJsonValue(QJsonValue::Undefined));
}

/// What clients ask and are answered is told, without what must not be seen.
void TestServer::exchanges()
{
    Reference reference(u"network-controller"_s, tree());
    reference.ask("GET", net); // nobody listens yet
    QSignalSpy told(&reference.server(), &Server::exchanged);
    const auto next = [&] { return told.takeFirst()[0].value<Exchange>(); };

    const HttpResponse read = reference.ask(
        "GET", net + u"?token=s3cret"_s, {}, { { "Authorization", "Bearer s3cret" } });
    QCOMPARE(told.size(), 1);
    const Exchange first = next();
    QCOMPARE(first.number, 1u);
    QCOMPARE(first.method, u"GET"_s);
    QCOMPARE(first.url, reference.origin() + net + u"?token=***"_s);
    QVERIFY(
        first.requestHeaders.contains(Exchange::Header { u"Authorization"_s, u"Bearer ***"_s }));
    QVERIFY2(first.client.startsWith(u"127.0.0.1:"_s), qPrintable(first.client));
    QCOMPARE(first.status, 200);
    QCOMPARE(first.reason, u"OK"_s);
    QCOMPARE(first.responseBody, read.body);
    QCOMPARE(first.etag.toUtf8(), header(read.headers, "ETag"));
    QVERIFY(first.isOver() && first.sent.isValid());
    QCOMPARE(first.problem, QString());

    const HttpResponse head = reference.ask("HEAD", net);
    QCOMPARE(head.status, 200);
    QCOMPARE(next().responseBody, QByteArray());

    reference.ask("PUT", net, body("{\"a\": 1}"));
    const Exchange put = next();
    QCOMPARE(put.requestBody, body("{\"a\": 1}"));
    QCOMPARE(put.purpose, Exchange::Purpose::Fire);
    const Operation &operation = reference.simulator().operations().all().last();
    QCOMPARE(put.operation, operation.id);
    reference.ask("GET", base + u"/operations/"_s + operation.id);
    const Exchange poll = next();
    QCOMPARE(poll.purpose, Exchange::Purpose::Poll);
    QCOMPARE(poll.operation, operation.id);
    QCOMPARE(poll.retryAfter, 1.0);

    reference.ask("GET", u"/a%zz?token=s3cret"_s);
    QCOMPARE(next().url, u"/a%zz"_s);
    reference.ask("PUT", net, "{"_ba);
    const Exchange refused = next();
    QCOMPARE(refused.status, 400);
    QCOMPARE(refused.operation, QString());
    QCOMPARE(refused.number, 6u);

    reference.ask("PUT", net, body("{\"password\": \"s3cret\"}"));
    const Exchange secret = next();
    QCOMPARE(secret.requestBody, body("{\"password\": \"***\"}"));
    QVERIFY(secret.responseBody.contains("\"password\":\"***\""));
    QVERIFY(reference.ask("GET", net).body.contains("s3cret")); // what is stored is as it came
}

/// Told when they have to wait, and again when they end, however that comes.
void TestServer::exchangesThatWait()
{
    auto reference = std::make_unique<Reference>(u"network-controller-sync"_s, tree());
    QList<Exchange> told;
    connect(&reference->server(), &Server::exchanged, this,
        [&](const Exchange &exchange) { told += exchange; });
    reference->send("PUT", net, body());
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(!told[0].isOver() && told[0].status == 0);
    reference->simulator().advance(1000);
    QCOMPARE(reference->answer().status, 200);
    QCOMPARE(told.size(), 2);
    QCOMPARE(told[1].number, told[0].number);
    QVERIFY(told[1].isOver());
    QCOMPARE(told[1].status, 200);

    reference->send("PUT", net, body());
    QTRY_COMPARE(told.size(), 3);
    reference->connectAgain(); // its client goes
    QTRY_COMPARE(reference->server().connections(), 1);
    reference->simulator().advance(1000);
    QTRY_COMPARE(told.size(), 4);
    QCOMPARE(told[3].problem, u"The client disconnected first."_s);

    reference->send("PUT", net, body());
    QTRY_COMPARE(told.size(), 5);
    reference.reset(); // the server goes
    QCOMPARE(told.size(), 6);
    QCOMPARE(told[5].number, told[4].number);
    QVERIFY(told[5].isOver() && !told[5].problem.isEmpty());
}

/// What never came to a question is listed as well.
void TestServer::exchangesOfTheListener()
{
    Server::Options options = Reference::still();
    options.http.token = "s3cret";
    Reference reference(u"network-controller"_s, tree(), options);
    QSignalSpy told(&reference.server(), &Server::exchanged);
    QSignalSpy served(&reference.server(), &Server::served);
    const auto next = [&] { return told.takeFirst()[0].value<Exchange>(); };
    QCOMPARE(reference.ask("PUT", net, "{}", { { "Authorization", "Bearer guess" } }).status, 401);
    const Exchange stranger = next();
    QCOMPARE(stranger.method, u"PUT"_s);
    QCOMPARE(stranger.url, reference.origin() + net);
    QCOMPARE(stranger.status, 401);
    QVERIFY(
        stranger.requestHeaders.contains(Exchange::Header { u"Authorization"_s, u"Bearer ***"_s }));
    QVERIFY(stranger.isOver() && stranger.client.startsWith(u"127.0.0.1:"_s));

    QTcpSocket socket;
    socket.connectToHost(
        QHostAddress::LocalHost, quint16(reference.origin().section(u':', -1).toUInt()));
    QVERIFY(socket.waitForConnected());
    socket.write("no HTTP at all\r\n\r\n");
    QTRY_COMPARE(told.size(), 1);
    const Exchange garbage = next();
    QCOMPARE(garbage.status, 400);
    QCOMPARE(garbage.url, reference.origin());
    QVERIFY(garbage.number > stranger.number);
    QVERIFY(served.size() >= 2);
}

} // namespace

const instar::TestClass<TestServer> registered;
#include "tst_server.moc"
