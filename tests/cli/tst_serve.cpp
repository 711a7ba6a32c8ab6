// SPDX-License-Identifier: Apache-2.0
// `instar-cli serve` as a real process, asked by clients that are not ours.

#include "tests/cli/served.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const QString sources = QStringLiteral(INSTAR_SOURCE_DIR);

/// Plans as a program does that read the lines serve prints.
Answer planned(const Served &served, const QString &plan)
{
    return curl({ u"-H"_s, u"Content-Type: application/json"_s, u"-H"_s,
        u"X-Instar-Token: "_s + served.token, u"-d"_s, plan, served.origin + u"/_instar/plan"_s });
}

class TestServe : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void byHand();
    void stops();
    void servesFiles();
    void theWindowConnects();
    void trusts();
    void hnvClient_data();
    void hnvClient();
    void token();
    void tls();
    void pollsWithCoreLro();
};

void TestServe::initTestCase()
{
    QVERIFY2(QFile::exists(cli()), "INSTAR_CLI does not name the program");
    if (QStandardPaths::findExecutable(u"curl"_s).isEmpty())
        QSKIP("curl is not installed");
}

/// What somebody types first.
void TestServe::byHand()
{
    Served served({ u"network-controller"_s, u"--speed"_s, u"20"_s, u"--retry-after"_s, u"0"_s });
    QVERIFY(!served.origin.isEmpty());
    const QString net = served.origin + u"/networking/v1/logicalNetworks/ln1"_s;
    const Answer put = curl({ u"-X"_s, u"PUT"_s, u"-H"_s, u"Content-Type: application/json"_s,
        u"-d"_s, u"{\"properties\": {}}"_s, net });
    QCOMPARE(put.status, 201);
    const QString operation = put.headers.value(u"azure-asyncoperation"_s);
    QVERIFY(operation.startsWith(served.origin + u"/networking/v1/operations/"_s));
    QTRY_COMPARE(curl({ operation }).json().value("status"_L1).toString(), u"Succeeded"_s);
    QCOMPARE(
        curl({ net }).json()["properties"_L1]["provisioningState"_L1].toString(), u"Succeeded"_s);

    const Answer gone = curl({ u"-X"_s, u"DELETE"_s, net });
    QCOMPARE(gone.status, 202);
    QCOMPARE(gone.headers.value(u"retry-after"_s), u"0"_s);
    QTRY_COMPARE(curl({ gone.headers.value(u"location"_s) }).status, 204);
    QCOMPARE(curl({ net }).status, 404);
    QCOMPARE(curl({ u"-I"_s, served.origin + u"/networking/v1/logicalNetworks"_s }).status, 200);

    // Sent in pieces, and with a word that asks to go on.
    const QString large = u"{\"properties\": {\"text\": \"%1\"}}"_s.arg(QString(5000, u'x'));
    QCOMPARE(curl({ u"-X"_s, u"PUT"_s, u"-H"_s, u"Transfer-Encoding: chunked"_s, u"-H"_s,
                      u"Expect: 100-continue"_s, u"-d"_s, large, net })
                 .status,
        201);
    const Answer world = curl({ served.origin + u"/_instar/world"_s });
    QCOMPARE(world.json().value("operations"_L1).toArray().size(), 3);
    QCOMPARE(served.stopped(SIGTERM), 0);
}

/// Also while clients are connected that have sent nothing, or half of a request.
void TestServe::stops()
{
    for (const int signal : { SIGINT, SIGTERM }) {
        Served served({ u"network-controller"_s });
        QTcpSocket idle, half;
        idle.connectToHost(u"127.0.0.1"_s, served.port());
        half.connectToHost(u"127.0.0.1"_s, served.port());
        QVERIFY(idle.waitForConnected() && half.waitForConnected());
        half.write("GET /networking/disc");
        QVERIFY(half.waitForBytesWritten());
        QCOMPARE(served.stopped(signal), 0);
    }
}

/// The window, started on a server: it fires there, and makes a picture of what it shows.
void TestServe::theWindowConnects()
{
    const QString program = qEnvironmentVariable("INSTAR_SHOTS");
    QVERIFY2(!program.isEmpty(), "run by ctest");
    const Served server({ u"network-controller"_s, u"--speed"_s, u"0.1"_s });
    QVERIFY(!server.origin.isEmpty());
    const QTemporaryDir folder;
    const QString picture = folder.filePath(u"window.png"_s);
    const QString net = u"/logicalNetworks/Transit"_s;
    const Done done = ran(program,
        { u"--connect"_s, server.origin, picture,
            u"wait 1500; write; arm PUT %1/subnets/Rack-1 client A; arm PUT %1/subnets/Rack-2 "
            u"client B; "
            "arm DELETE %1 client C; together; wait 2500"_s.arg(net) });
    QVERIFY2(done.exit == 0, done.error.constData());
    QVERIFY(bytesOf(picture).startsWith("\x89PNG"));
}

void TestServe::servesFiles()
{
    const QString scenario =
        sources + u"/resources/scenarios/network-controller/oracle-01.scenario.json"_s;
    for (const QStringList &arguments :
        { QStringList { scenario }, QStringList { u"network-controller"_s, u"--tree"_s, scenario },
            QStringList { sources + u"/resources/packs/network-controller.json"_s, u"--tree"_s,
                scenario } }) {
        Served served(arguments);
        QVERIFY2(!served.origin.isEmpty(), qPrintable(arguments.join(u' ')));
        const QJsonObject world = curl({ served.origin + u"/_instar/world"_s }).json();
        QCOMPARE(world.value("resources"_L1).toArray().size(), 5);
        QCOMPARE(world.value("operations"_L1).toArray().size(), 0); // its steps are not taken
    }
    // A port that is taken.
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    const Done done = ran(cli(),
        { u"serve"_s, u"network-controller"_s, u"--port"_s, QString::number(taken.serverPort()) });
    QCOMPARE(done.exit, 2);
    QVERIFY2(done.error.contains(QByteArray::number(taken.serverPort())), done.error.constData());
}

/// A host that --allow-host names, and plans with the token that is printed; without one everybody.
void TestServe::trusts()
{
    const Served served({ u"network-controller"_s, u"--allow-host"_s, u"nc.example"_s });
    const Served open({ u"network-controller"_s, u"--no-token"_s });
    QVERIFY(served.token.size() > 20);
    QCOMPARE(open.token, QString());
    const Answer named = curl({ u"-H"_s, u"Host: nc.example:8443"_s, u"-X"_s, u"PUT"_s, u"-d"_s,
        u"{}"_s, served.origin + u"/networking/v1/logicalNetworks/ln1"_s });
    QCOMPARE(named.status, 201);
    QVERIFY(named.headers.value(u"azure-asyncoperation"_s)
                .startsWith(u"http://nc.example:8443/networking/v1/operations/"_s));
    QCOMPARE(curl({ u"-H"_s, u"Host: evil.example"_s, served.origin + u"/_instar/world"_s }).status,
        403);
    const auto reset = [](const Served &of, const QString &token) {
        return curl(
            { u"-X"_s, u"POST"_s, u"-d"_s, u"{}"_s, u"-H"_s, u"Content-Type: application/json"_s,
                u"-H"_s, u"X-Instar-Token: "_s + token, of.origin + u"/_instar/reset"_s })
            .status;
    };
    QCOMPARE(reset(served, u"another"_s), 403);
    QCOMPARE(reset(served, served.token), 200);
    QCOMPARE(reset(open, u"another"_s), 200);
}

void TestServe::hnvClient_data()
{
    // The endpoints of python-hnvclient; {id} is a uuid of its own making, each its own.
    QTest::addColumn<QStringList>("parents"); // made before, from above
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("body"); // beside resourceRef and resourceId
    const auto row = [](const QString &path, const QString &properties = u"{}"_s) {
        const QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
        QStringList parents;
        for (qsizetype count = 2; count < parts.size(); count += 2)
            parents += u'/' + parts.first(count).join(u'/');
        QTest::newRow(qPrintable(path)) << parents << path << properties;
    };
    row(u"/logicalNetworks/{id}"_s, u"{\"subnets\": [], \"networkVirtualizationEnabled\": null}"_s);
    row(u"/logicalNetworks/p1/subnets/{id}"_s,
        u"{\"vlanID\": 0, \"dnsServers\": [], \"addressPrefix\": null, \"ipPools\": null}"_s);
    row(u"/logicalNetworks/p1/subnets/p2/ipPools/{id}"_s,
        u"{\"startIpAddress\": null, \"endIpAddress\": null}"_s);
    row(u"/networkInterfaces/{id}"_s,
        u"{\"ipConfigurations\": null, \"dnsSettings\": null, \"portSettings\": null}"_s);
    row(u"/networkInterfaces/p1/ipConfigurations/{id}"_s, u"{\"subnet\": null}"_s);
    row(u"/virtualNetworks/{id}"_s,
        u"{\"addressSpace\": {\"addressPrefixes\": null}, \"logicalNetwork\": null, "
        "\"subnets\": []}"_s);
    row(u"/virtualNetworks/p1/subnets/{id}"_s, u"{\"addressPrefix\": null}"_s);
    row(u"/accessControlLists/{id}"_s, u"{\"aclRules\": null}"_s);
    row(u"/accessControlLists/p1/aclRules/{id}"_s);
    row(u"/routeTables/{id}"_s);
    row(u"/routeTables/p1/routes/{id}"_s, u"{\"addressPrefix\": null, \"nextHopType\": null}"_s);
    row(u"/virtualGateways/p1/networkConnections/{id}"_s);
    row(u"/virtualGateways/p1/bgpRouters/{id}"_s,
        u"{\"requireIgpSync\": null, \"isEnabled\": null}"_s);
    row(u"/virtualGateways/p1/bgpRouters/p2/bgpPeers/{id}"_s);
    row(u"/publicIPAddresses/{id}"_s);
    row(u"/loadBalancers/{id}"_s, u"{\"frontendIPConfigurations\": null}"_s);
    row(u"/loadBalancers/p1/backendAddressPools/{id}"_s);
    row(u"/loadBalancers/p1/frontendIpConfigurations/{id}"_s);
    row(u"/loadBalancers/p1/inboundNatRules/{id}"_s,
        u"{\"frontendIPConfigurations\": null, \"protocol\": null}"_s);
    row(u"/loadBalancers/p1/loadBalancingRules/{id}"_s, u"{\"backendAddressPool\": null}"_s);
    row(u"/loadBalancers/p1/outboundNatRules/{id}"_s, u"{\"backendAddressPool\": null}"_s);
    row(u"/loadBalancers/p1/probes/{id}"_s, u"{\"port\": null, \"requestPath\": null}"_s);
    row(u"/loadBalancerMuxes/{id}"_s,
        u"{\"routerConfiguration\": {\"localASN\": null, \"peerRouterConfigurations\": null}, "
        "\"virtualServer\": null}"_s);
    row(u"/virtualSwitchManager/configuration"_s, u"{\"qosSettings\": {\"linkSpeed\": null}}"_s);
    row(u"/loadBalancerManager/config"_s,
        u"{\"loadBalancerManagerIPAddress\": null, \"outboundNatIPExemptions\": null, "
        "\"vipIpPools\": null}"_s);
}

/// As python-hnvclient goes about: PUT, ask for the resource until it is ready, list, write again
/// on the condition that nobody else has, DELETE, ask until it is gone.
void TestServe::hnvClient()
{
    QFETCH(const QStringList, parents);
    QFETCH(QString, path);
    QFETCH(const QString, body);
    Served served({ u"network-controller"_s, u"--speed"_s, u"50"_s });
    const QString base = served.origin + u"/networking/v1"_s;
    const QString id = u"5bb4d79e-5c8a-11ee-8c99-0242ac120002"_s;
    const bool isSingleton = !path.contains(u"{id}");
    path.replace(u"{id}"_s, id);
    const auto ask = [&](const QString &method, const QString &at, const QString &json = {},
                         const QString &etag = {}) {
        QStringList arguments { u"-X"_s, method, u"-H"_s, u"Accept: application/json"_s, u"-H"_s,
            u"Content-Type: application/json; charset=UTF-8"_s, u"-H"_s,
            u"Connection: keep-alive"_s };
        if (!json.isEmpty())
            arguments << u"-d"_s << json;
        if (!etag.isEmpty())
            arguments << u"-H"_s << u"If-Match: "_s + etag;
        return curl(arguments << base + at);
    };
    const auto isReady = [&](const QString &at) {
        const Answer got = ask(u"GET"_s, at);
        return got.status == 200
            && got.json().value("properties"_L1).toObject().value("provisioningState"_L1).toString()
            == u"Succeeded";
    };
    for (const QString &parent : parents) {
        QCOMPARE(ask(u"PUT"_s, parent, u"{\"properties\": {}}"_s).status, 201);
        QTRY_VERIFY_WITH_TIMEOUT(isReady(parent), 60'000);
    }
    const QString json =
        u"{\"resourceRef\": \"%1\", \"resourceId\": \"%2\", \"properties\": %3}"_s.arg(
            path, id, body);
    const Answer put = ask(u"PUT"_s, path, json);
    QVERIFY2(put.status == 201 || put.status == 200, put.body.constData());
    QVERIFY2(put.json().contains("properties"_L1), put.body.constData());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(path), 60'000);
    const Answer got = ask(u"GET"_s, path);
    QVERIFY2(!got.body.contains("null"), got.body.constData());
    QCOMPARE(got.json().value("resourceId"_L1).toString(), path.section(u'/', -1));
    const QString etag = got.json().value("etag"_L1).toString();
    QVERIFY(!etag.isEmpty());
    QCOMPARE(ask(u"PUT"_s, path, json, etag).status, 200);
    QCOMPARE(ask(u"PUT"_s, path, json, etag).status, 412); // another one has written
    QTRY_VERIFY_WITH_TIMEOUT(isReady(path), 60'000);

    if (isSingleton)
        return;                                                 // it has no list, and stays
    const Answer list = ask(u"GET"_s, path.chopped(id.size())); // which leaves the slash
    QCOMPARE(list.status, 200);
    QVERIFY(list.json().value("nextLink"_L1).toString().isEmpty());
    const QJsonArray all = list.json().value("value"_L1).toArray();
    QCOMPARE(std::ranges::count_if(all,
                 [&](const QJsonValue &one) {
                     return one.toObject().value("resourceId"_L1).toString() == id;
                 }),
        1);
    QVERIFY(ask(u"DELETE"_s, path).status < 300);
    QTRY_COMPARE_WITH_TIMEOUT(ask(u"GET"_s, path).status, 404, 60'000);
}

void TestServe::token()
{
    QTemporaryDir folder;
    const QString file = written(folder.filePath(u"token"_s), "s3cret\n");
    Served served({ u"network-controller"_s, u"--token-file"_s, file });
    const QString url = served.origin + u"/networking/discovery"_s;
    const Answer none = curl({ url });
    QCOMPARE(none.status, 401);
    QVERIFY(none.headers.value(u"www-authenticate"_s).startsWith(u"Bearer"_s));
    QCOMPARE(curl({ u"-H"_s, u"Authorization: Bearer s3cre"_s, url }).status, 401);
    QCOMPARE(curl({ u"-H"_s, u"Authorization: Bearer s3cret"_s, url }).status, 200);
}

void TestServe::tls()
{
    const QString openssl = QStandardPaths::findExecutable(u"openssl"_s);
    if (openssl.isEmpty())
        QSKIP("openssl is not installed");
    QTemporaryDir folder;
    const Done made = ran(openssl,
        { u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s, u"-keyout"_s,
            u"key.pem"_s, u"-out"_s, u"cert.pem"_s, u"-days"_s, u"2"_s, u"-subj"_s,
            u"/CN=127.0.0.1"_s, u"-addext"_s, u"subjectAltName=IP:127.0.0.1"_s },
        folder.path());
    QCOMPARE(made.exit, 0);
    Served served({ u"network-controller"_s, u"--cert"_s, folder.filePath(u"cert.pem"_s),
        u"--key"_s, folder.filePath(u"key.pem"_s) });
    QVERIFY(served.origin.startsWith(u"https://"_s));
    const Answer put = curl({ u"--cacert"_s, folder.filePath(u"cert.pem"_s), u"-X"_s, u"PUT"_s,
        u"-d"_s, u"{}"_s, served.origin + u"/networking/v1/credentials/c"_s });
    QCOMPARE(put.status, 201);
    QVERIFY(put.headers.value(u"azure-asyncoperation"_s).startsWith(served.origin));
    QCOMPARE(
        curl({ served.origin + u"/networking/discovery"_s }).status, 0); // nobody vouches for it
}

/// The library that clients of the public protocol use follows our operations to the end.
void TestServe::pollsWithCoreLro()
{
    const QString npm = QStandardPaths::findExecutable(u"npm"_s),
                  node = QStandardPaths::findExecutable(u"node"_s);
    if (npm.isEmpty() || node.isEmpty())
        QSKIP("npm or node is not installed");
    QTemporaryDir folder;
    for (const QString &name : { u"package.json"_s, u"poll.mjs"_s })
        QVERIFY(QFile::copy(sources + u"/tests/data/core-lro/"_s + name, folder.filePath(name)));
    const Done installed =
        ran(npm, { u"install"_s, u"--no-audit"_s, u"--no-fund"_s, u"--prefer-offline"_s },
            folder.path(), 120'000);
    if (installed.exit != 0)
        QSKIP("npm cannot install @azure/core-lro");

    Served served({ u"network-controller"_s, u"--speed"_s, u"10"_s, u"--retry-after"_s, u"0"_s });
    const QString net = served.origin + u"/networking/v1/logicalNetworks/ln1"_s;
    const auto polled = [&](const QStringList &arguments) {
        const Done done = ran(node, QStringList { u"poll.mjs"_s } + arguments, folder.path());
        return QJsonDocument::fromJson(done.out).object();
    };
    const QJsonObject put = polled({ u"PUT"_s, net, u"{\"properties\": {\"a\": 1}}"_s });
    QCOMPARE(put.value("status"_L1).toString(), u"succeeded"_s);
    QVERIFY(put.value("polls"_L1).toInt() > 1);
    const QJsonObject properties =
        put.value("result"_L1).toObject().value("properties"_L1).toObject();
    QCOMPARE(properties.value("provisioningState"_L1).toString(), u"Succeeded"_s);
    QCOMPARE(properties.value("a"_L1).toInt(), 1);

    QCOMPARE(planned(served, u"{\"outcome\": \"Failed\"}"_s).status, 200);
    const QJsonObject failed = polled({ u"PUT"_s, net, u"{}"_s });
    QCOMPARE(failed.value("status"_L1).toString(), u"failed"_s);
    QVERIFY(failed.value("error"_L1).toString().contains(u"InternalServerError"_s));

    QCOMPARE(polled({ u"DELETE"_s, net }).value("status"_L1).toString(), u"succeeded"_s);
    QCOMPARE(curl({ net }).status, 404);
    QCOMPARE(polled({ u"DELETE"_s, net }).value("status"_L1).toString(),
        u"succeeded"_s); // nothing to delete
}

} // namespace

const instar::TestClass<TestServe> registered;
#include "tst_serve.moc"
