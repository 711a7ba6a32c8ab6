// SPDX-License-Identifier: Apache-2.0
// Whether a resource is at a server: there, not there, or not known; and what is written then.

#include "tests/remote/driver.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

using namespace instar;
using namespace instar::place;
using namespace Qt::StringLiterals;

namespace {

class TestExistence : public QObject
{
    Q_OBJECT

private slots:
    void threeValues_data();
    void threeValues();
    void aPutWaitsForTheReading_data();
    void aPutWaitsForTheReading();
    void orderIsKept();
    void ofItsParent();
    void missingListRemovesNothing();
    void listsThatAreNone_data();
    void listsThatAreNone();
    void oneForbiddenList();
    void onlyForbiddenLists();
    void readAsOftenAsAsked_data();
    void readAsOftenAsAsked();
};

using Existence = RemoteController::Existence;

const QByteArray network =
    R"({"resourceId": "ln", "properties": {"x": 1, "provisioningState": "Succeeded"}})";

/// A server of which only the reading of /logicalNetworks/ln says something.
struct Lone
{
    int status = 200;
    QByteArray body = network;
    HttpHeaders headers;
    QMap<QByteArray, int> lists; ///< end of a collection's path -> what it is answered
    ScriptedServer server { [this](const HttpRequest &request, QTcpSocket *socket) {
        for (auto it = lists.cbegin(); it != lists.cend(); ++it) {
            if (request.method == "GET" && request.target.endsWith(it.key()))
                return ScriptedServer::answer(socket, it.value(), "{\"value\": []}");
        }
        if (request.method != "GET")
            ScriptedServer::answer(socket, 200, network);
        else if (request.target.endsWith("/logicalNetworks/ln"))
            ScriptedServer::answer(socket, status, body, headers);
        else
            ScriptedServer::answer(socket, 404);
    } };

    QStringList writes() const
    {
        QStringList found;
        for (const HttpRequest &request : server.requests) {
            if (request.method != "GET")
                found += QString::fromUtf8(request.method + ' ' + request.target.mid(14));
        }
        return found;
    }
};

void TestExistence::threeValues_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("existence");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, int status, const QByteArray &body, Existence existence,
                         const QString &reason = {}) {
        QTest::newRow(name) << status << body << int(existence) << reason;
    };
    row("found", 200, network, Existence::There);
    row("404", 404, {}, Existence::NotThere);
    row("410", 410, {}, Existence::NotThere);
    for (const int status : { 400, 401, 403, 429, 500, 503 })
        row(QByteArray::number(status).constData(), status, {}, Existence::Unknown,
            u"cannot be read: %1"_s.arg(status));
    row("a page", 200, "<html>", Existence::Unknown, u"cannot be read"_s);
    row("no object", 200, "[]", Existence::Unknown, u"expected a resource"_s);
}

void TestExistence::threeValues()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const int, existence);
    QFETCH(const QString, reason);
    Lone lone { .status = status, .body = body };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(int(driver.controller.existence(net)), int(Existence::Unknown));
    driver.controller.find({ net });
    QVERIFY(waited([&] { return !driver.controller.isFinding(); }));
    QCOMPARE(int(driver.controller.existence(net)), existence);
    const QString why = driver.controller.readingProblem(net);
    QVERIFY2(why.contains(reason) && why.isEmpty() == reason.isEmpty(), qPrintable(why));
}

void TestExistence::aPutWaitsForTheReading_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("creates");
    QTest::addColumn<bool>("isSent");
    QTest::newRow("not there") << 404 << false << true;
    QTest::newRow("there") << 200 << false << true;
    QTest::newRow("not known") << 500 << false << false;
    QTest::newRow("not known, and all the same") << 500 << true << true;
}

/// What a request would overwrite is not lost because nobody has read it.
void TestExistence::aPutWaitsForTheReading()
{
    QFETCH(const int, status);
    QFETCH(const bool, creates);
    QFETCH(const bool, isSent);
    Lone lone { .status = status };
    RemoteController::Options options = unhurried(lone.server.url());
    options.createsUnknown = creates;
    Driver driver(options);
    QVERIFY(driver.opened());
    const Operation &asked = driver.ask(u"PUT"_s, net);
    QCOMPARE(lone.writes(), isSent ? QStringList { u"PUT /logicalNetworks/ln"_s } : QStringList());
    if (!isSent) {
        QCOMPARE(asked.status, Status::Rejected);
        QCOMPARE(asked.errorCode, u"NotSent"_s);
        QVERIFY(has(asked.errorMessage, { u"/logicalNetworks/ln may exist"_s }));
    }
    for (const HttpRequest &request : lone.server.requests) {
        if (request.method == "PUT")
            QCOMPARE(request.body.contains("\"x\""), status == 200); // it says again what is there
    }
}

/// What is fired later is not sent before.
void TestExistence::orderIsKept()
{
    Lone lone { .status = 404 };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    driver.controller.submit({ .op = u"PUT"_s, .path = net });
    driver.controller.submit({ .op = u"DELETE"_s, .path = gatewayPool });
    QTRY_COMPARE(lone.writes(),
        (QStringList { u"PUT /logicalNetworks/ln"_s, u"DELETE /GatewayPools/gp"_s }));
}

/// Below what is not there is nothing.
void TestExistence::ofItsParent()
{
    Lone lone { .status = 404 };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    driver.controller.find({ net });
    QVERIFY(waited([&] { return !driver.controller.isFinding(); }));
    QCOMPARE(int(driver.controller.existence(pool)), int(Existence::NotThere));
    QCOMPARE(int(driver.controller.existence(gatewayPool)), int(Existence::Unknown));
}

/// A server without a list has its resources all the same; a look reads them one by one.
void TestExistence::missingListRemovesNothing()
{
    for (const int status : { 404, 405, 403, 500 }) {
        Lone lone { .lists = { { "/logicalNetworks", status } } };
        Driver driver(unhurried(lone.server.url()));
        QVERIFY(driver.opened());
        driver.controller.find({ net });
        QVERIFY(waited([&] { return !driver.controller.isFinding(); }));
        QCOMPARE(driver.at(net), u"Succeeded"_s);
        lone.body = QByteArray(network).replace("Succeeded", "Failed");
        driver.controller.look();
        QVERIFY(waited([&] { return !driver.controller.isLooking(); }));
        QCOMPARE(driver.at(net), u"Failed"_s);
        lone.status = 404;
        driver.controller.look();
        QVERIFY(waited([&] { return !driver.controller.isLooking(); }));
        QCOMPARE(driver.at(net), u"absent"_s);
    }
}

void TestExistence::listsThatAreNone_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("a page") << "<html>Sign in</html>"_ba;
    QTest::newRow("another object") << R"({"login": "please"})"_ba;
    QTest::newRow("an empty object") << "{}"_ba;
    QTest::newRow("a list of nothing known") << R"({"value": "none"})"_ba;
}

void TestExistence::listsThatAreNone()
{
    QFETCH(const QByteArray, body);
    QByteArray list = "{\"value\": [" + network + "]}";
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200, list);
        else if (request.target.endsWith("/logicalNetworks/ln"))
            ScriptedServer::answer(socket, 200, network);
        else
            ScriptedServer::answer(socket, 404);
    });
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(driver.at(net), u"Succeeded"_s);
    list = body;
    driver.controller.look();
    QVERIFY(waited([&] { return !driver.controller.isLooking(); }));
    QCOMPARE(driver.at(net), u"Succeeded"_s);
    QCOMPARE(driver.problems.size(), 1);
}

void TestExistence::oneForbiddenList()
{
    Lone lone { .lists = { { "/gateways", 403 }, { "/logicalNetworks", 200 } } };
    Driver driver(unhurried(lone.server.url()));
    QVERIFY(driver.opened());
    QCOMPARE(driver.problems,
        QStringList { lone.server.url(u"/networking/v1/gateways"_s).toString()
            + u" cannot be read: 403 Forbidden"_s });
}

void TestExistence::onlyForbiddenLists()
{
    ScriptedServer server(
        [](const HttpRequest &, QTcpSocket *socket) { ScriptedServer::answer(socket, 403); });
    Driver driver(unhurried(server.url()));
    QVERIFY(driver.controller.open());
    QTRY_COMPARE(driver.controller.state(), RemoteController::State::Lost);
    QVERIFY(has(driver.controller.stateText(), { u"403"_s }));
}

void TestExistence::readAsOftenAsAsked_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("retryAfter");
    QTest::addColumn<bool>("isAsked"); // again and again
    QTest::newRow("nothing is said") << 200 << QByteArray() << true;
    QTest::newRow("at once") << 200 << QByteArray("0") << true;
    QTest::newRow("later") << 200 << QByteArray("100") << false;
    QTest::newRow("too often") << 429 << QByteArray("100") << false;
    QTest::newRow("busy") << 503 << QByteArray("100") << false;
}

/// What is in motion is looked at by itself, but not before the server wants to be asked.
void TestExistence::readAsOftenAsAsked()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, retryAfter);
    QFETCH(const bool, isAsked);
    const QByteArray moving = QByteArray(network).replace("Succeeded", "Updating");
    int readings = 0;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        HttpHeaders headers;
        if (!retryAfter.isEmpty())
            headers.append("Retry-After", retryAfter);
        if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200, "{\"value\": [" + moving + "]}");
        else if (request.target.endsWith("/logicalNetworks/ln") && ++readings)
            ScriptedServer::answer(socket, status, status == 200 ? moving : QByteArray(), headers);
        else
            ScriptedServer::answer(socket, 404);
    });
    RemoteController::Options options = unhurried(server.url());
    options.motionMs = 1;
    Driver driver(options);
    QVERIFY(driver.opened());
    QTRY_VERIFY(readings > 0);
    if (isAsked) {
        QTRY_VERIFY(readings > 3);
        return;
    }
    const qint64 begin = driver.controller.world().now;
    QTRY_VERIFY(driver.controller.world().now > begin + 600); // six ticks
    QCOMPARE(readings, 1);
}

} // namespace

const instar::TestClass<TestExistence> registered;
#include "tst_existence.moc"
