// SPDX-License-Identifier: Apache-2.0
// Requests released together: what is measured, what becomes of each, and that connections are used
// again.

#include "model/engine/exchange.h"
#include "model/remote/burst.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QSignalSpy>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestBurst : public QObject
{
    Q_OBJECT

private slots:
    void together();
    void reuse();
    void closedWhileWarm();
    void openOnesAreTakenFirst();
    void serverThatClosesAfterEach();
    void badAnswers();
    void slowReader();
    void nobodyThere();
    void noAnswer();
    void noHandshake();
    void secure();
    void unknownCertificate();
    void severalAtOnce();
    void givenUp();
    void secondTry();
    void noThirdTry();
};

namespace {

QByteArray request(
    const QByteArray &target, const QByteArray &method = "PUT", const QByteArray &body = "{}")
{
    HttpRequest request;
    request.method = method;
    request.target = target;
    request.headers = { { "Host", "127.0.0.1" } };
    request.body = body;
    return toBytes(request);
}

QList<QByteArray> requests(int count)
{
    QList<QByteArray> list;
    for (int i = 0; i < count; ++i)
        list += request("/r" + QByteArray::number(i));
    return list;
}

void echo(const HttpRequest &request, QTcpSocket *socket)
{
    ScriptedServer::answer(socket, 200, request.target);
}

/// Fires and waits for the end.
BurstReport fired(Burst &burst, const QList<QByteArray> &list)
{
    QSignalSpy finished(&burst, &Burst::finished);
    const quint64 id = burst.fire(list);
    if (!QTest::qWaitFor([&] { return !finished.isEmpty(); }, 20'000))
        qFatal("the volley did not end");
    if (finished.first().first().value<quint64>() != id)
        qFatal("another volley ended");
    return finished.first().at(1).value<BurstReport>();
}

QStringList outcomes(const BurstReport &report)
{
    QStringList lines;
    for (const BurstShot &shot : report.shots)
        lines += shot.response
            ? u"%1 %2"_s.arg(shot.response->status).arg(QString::fromUtf8(shot.response->body))
            : shot.problem;
    return lines;
}

} // namespace

void TestBurst::together()
{
    for (const int count : { 1, 2, 8, 64, 256 }) {
        ScriptedServer server(echo);
        Burst burst(server.url(), {});
        QSignalSpy released(&burst, &Burst::released);
        QSignalSpy answered(&burst, &Burst::answered);
        burst.warm(count);
        QTRY_COMPARE(burst.warmed(), count);
        const qint64 began = microsecondsNow();
        const BurstReport report = fired(burst, requests(count));
        QCOMPARE(released.size(), 1);
        const auto sent = released.first().last().value<QList<qint64>>();
        QCOMPARE(answered.size(), count);
        QCOMPARE(report.shots.size(), count);
        QCOMPARE(server.connections, count);

        qint64 before = -1;
        for (int i = 0; i < count; ++i) {
            const BurstShot &shot = report.shots[i];
            QVERIFY2(shot.response, qPrintable(shot.problem));
            QCOMPARE(shot.response->body, "/r" + QByteArray::number(i));
            QVERIFY(shot.offsetNs > before); // they leave one after the other
            QCOMPARE(shot.sent, sent[i]);
            QVERIFY(sent[i] >= (i == 0 ? began : sent[i - 1]));
            before = shot.offsetNs;
            QVERIFY(shot.waitMs >= 0);
            QVERIFY(shot.durationMs >= shot.waitMs);
        }
        QCOMPARE(report.spreadNs, report.shots.last().offsetNs - report.shots.first().offsetNs);
        qInfo("%d requests left within %.1f us", count, double(report.spreadNs) / 1000);

        // Nothing was sent before every connection was there.
        QCOMPARE(server.log.count(u"connected"_s), count);
        QCOMPARE(server.log.lastIndexOf(u"connected"_s), count - 1);
        QCOMPARE(server.requests.size(), count);
    }
}

void TestBurst::reuse()
{
    ScriptedServer server(echo);
    Burst burst(server.url(), { .mostWarm = 3 });
    QCOMPARE(outcomes(fired(burst, requests(3))).last(), u"200 /r2"_s);
    QCOMPARE(burst.warmed(), 3);
    QCOMPARE(outcomes(fired(burst, requests(2))).last(), u"200 /r1"_s);
    QCOMPARE(server.connections, 3);
    QCOMPARE(outcomes(fired(burst, requests(5))).last(), u"200 /r4"_s);
    QCOMPARE(server.connections, 5);
    QCOMPARE(burst.warmed(), 3);
}

/// The other side closes connections that wait; nobody may notice before the next burst.
void TestBurst::closedWhileWarm()
{
    ScriptedServer server(echo);
    Burst burst(server.url(), {});
    fired(burst, requests(4));
    server.hangUp();
    QCOMPARE(
        outcomes(fired(burst, requests(4))).join(u'\n'), u"200 /r0\n200 /r1\n200 /r2\n200 /r3"_s);
    QCOMPARE(server.connections, 8);
    server.hangUp();
    QTRY_COMPARE(burst.warmed(), 0);
}

/// What is closed is not taken, if only to be replaced, while another one is open.
void TestBurst::openOnesAreTakenFirst()
{
    QTcpServer server;
    QList<QTcpSocket *> sockets; // as they were accepted
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *socket = server.nextPendingConnection();
        sockets += socket;
        connect(socket, &QTcpSocket::readyRead, socket, [socket] {
            socket->readAll();
            ScriptedServer::answer(socket, 200, "{}");
        });
    });
    QVERIFY(server.listen(QHostAddress::LocalHost));
    Burst burst(QUrl(u"http://127.0.0.1:%1"_s.arg(server.serverPort())), {});
    for (int closed = 0; closed < 2; ++closed) {
        burst.warm(2);
        QTRY_COMPARE(burst.warmed(), 2);
        QTRY_COMPARE(sockets.size(), 2 + closed);
        sockets[closed]->abort(); // nobody has been told yet
        QCOMPARE(outcomes(fired(burst, requests(1))).first(), u"200 {}"_s);
        QCOMPARE(sockets.size(), 2 + closed);
        QCOMPARE(burst.warmed(), 1);
    }
}

void TestBurst::serverThatClosesAfterEach()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        HttpResponse response;
        response.body = request.target;
        response.keepAlive = false;
        socket->write(toBytes(response));
        socket->disconnectFromHost();
    });
    Burst burst(server.url(), {});
    fired(burst, requests(2));
    QCOMPARE(burst.warmed(), 0);
    QCOMPARE(outcomes(fired(burst, requests(2))).join(u'\n'), u"200 /r0\n200 /r1"_s);
    QCOMPARE(server.connections, 4);
}

void TestBurst::badAnswers()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        const auto raw = [&](const QByteArray &bytes) {
            socket->write(bytes);
            socket->disconnectFromHost();
        };
        if (request.target == "/silent")
            socket->disconnectFromHost();
        else if (request.target == "/reset")
            socket->abort();
        else if (request.target == "/garbage")
            raw("hello, this is no HTTP\r\n\r\n");
        else if (request.target == "/cut")
            raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly so much");
        else if (request.target == "/head")
            raw("HTTP/1.1 200 OK\r\nContent-Le");
        else if (request.target == "/until-closed")
            raw("HTTP/1.1 200 OK\r\n\r\nall of it");
        else if (request.target == "/continue")
            raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: "
                "4\r\n\r\nmade");
        else if (request.target == "/chunked")
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n");
        else if (request.method == "HEAD")
            raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
        else if (request.target == "/slowly")
            ScriptedServer::answer(socket, 409, "{}");
    });
    Burst burst(server.url(), {});
    const QStringList found = outcomes(fired(burst,
        { request("/silent"), request("/reset"), request("/garbage"), request("/cut"),
            request("/head"), request("/until-closed"), request("/continue"), request("/chunked"),
            request("/", "HEAD", ""), request("/slowly") }));
    const QString lost =
        u"The connection was closed without an answer. The request may or may not have taken effect."_s;
    const QString broken =
        u"The connection was closed in the middle of the answer. The request may or may not have taken effect."_s;
    QCOMPARE(found[0], lost);
    QCOMPARE(found[1], lost);
    QVERIFY2(found[2].startsWith(u"The answer is not HTTP: "_s), qPrintable(found[2]));
    QCOMPARE(found[3], broken);
    QCOMPARE(found[4], broken);
    QCOMPARE(found.mid(5).join(u'\n'), u"200 all of it\n201 made\n200 four\n200 \n409 {}"_s);
}

/// More than the system takes at once: the rest follows as the other side reads.
void TestBurst::slowReader()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        ScriptedServer::answer(socket, 200, QByteArray::number(request.body.size()));
    });
    Burst burst(server.url(), {});
    const QByteArray body(30 * 1024 * 1024, 'x');
    const BurstReport report = fired(burst, { request("/big", "PUT", body), request("/small") });
    QCOMPARE(outcomes(report).join(u'\n'), u"200 31457280\n200 2"_s);
    QVERIFY(report.shots[1].offsetNs < report.shots[0].offsetNs);
    QCOMPARE(report.spreadNs, report.shots[0].offsetNs - report.shots[1].offsetNs);
}

void TestBurst::nobodyThere()
{
    ScriptedServer server(echo);
    server.stop();
    Burst burst(server.url(), {});
    const BurstReport report = fired(burst, requests(3));
    for (const BurstShot &shot : report.shots) {
        QVERIFY(!shot.response);
        QVERIFY2(shot.problem.contains(u"Connection refused"_s), qPrintable(shot.problem));
        QCOMPARE(shot.offsetNs, -1);
    }
    QCOMPARE(report.spreadNs, 0);
    server.restart();
    QCOMPARE(outcomes(fired(burst, requests(1))).first(), u"200 /r0"_s);
}

void TestBurst::noAnswer()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target != "/r1")
            echo(request, socket);
        else
            socket->write("HTTP/1.1 200 OK\r\nContent-Le");
    });
    Burst burst(server.url(), { .answerMs = 100 });
    const BurstReport report = fired(burst, requests(3));
    QCOMPARE(outcomes(report).join(u'\n'),
        u"200 /r0\nNo answer within 0.1 s. The request may or may not have taken effect.\n200 /r2"_s);
    QVERIFY(report.shots[1].durationMs >= 90);
    QVERIFY(report.shots[1].waitMs >= 0);
}

/// A connection that never becomes one holds the others up for a while, not for ever.
void TestBurst::noHandshake()
{
    ScriptedServer server([](const HttpRequest &, QTcpSocket *) {});
    QUrl url = server.url();
    url.setScheme(u"https"_s);
    Burst burst(url, { .connectMs = 100 });
    const BurstReport report = fired(burst, requests(2));
    for (const BurstShot &shot : report.shots)
        QCOMPARE(shot.problem, u"No connection to %1 within 0.1 s."_s.arg(url.authority()));
}

void TestBurst::secure()
{
    const TestCertificate own = TestCertificate::make();
    QVERIFY(!own.certificate.isEmpty());
    const QSslConfiguration tls = own.server();
    ScriptedServer server(echo, &tls);
    Burst::Options options;
    options.tls.setCaCertificates({ QSslCertificate(own.certificate) });
    Burst burst(server.url(), options);
    burst.warm(4);
    QTRY_COMPARE(burst.warmed(), 4);
    const BurstReport report = fired(burst, requests(4));
    QCOMPARE(outcomes(report).join(u'\n'), u"200 /r0\n200 /r1\n200 /r2\n200 /r3"_s);
    for (const BurstShot &shot : report.shots)
        QVERIFY(shot.offsetNs >= 0);
    fired(burst, requests(4));
    QCOMPARE(server.connections, 4);
    const BurstReport big =
        fired(burst, { request("/big", "PUT", QByteArray(8 * 1024 * 1024, 'x')) });
    QCOMPARE(outcomes(big).first(), u"200 /big"_s);
    QVERIFY(big.shots.first().offsetNs > 0);
}

void TestBurst::unknownCertificate()
{
    const TestCertificate own = TestCertificate::make();
    QVERIFY(!own.certificate.isEmpty());
    const QSslConfiguration tls = own.server();
    ScriptedServer server(echo, &tls);
    Burst burst(server.url(), {});
    const BurstReport report = fired(burst, requests(1));
    QVERIFY(has(report.shots.first().problem, { u"self-signed"_s }));
    QVERIFY(server.requests.isEmpty());
}

void TestBurst::severalAtOnce()
{
    ScriptedServer server(echo);
    Burst burst(server.url(), {});
    QSignalSpy finished(&burst, &Burst::finished);
    const quint64 first = burst.fire(requests(3));
    const quint64 second = burst.fire(requests(2));
    QVERIFY(first != second);
    QTRY_COMPARE(finished.size(), 2);
    QCOMPARE(server.connections, 5);
    QCOMPARE(server.requests.size(), 5);
}

void TestBurst::givenUp()
{
    ScriptedServer server([](const HttpRequest &, QTcpSocket *) {});
    Burst burst(server.url(), {});
    QSignalSpy finished(&burst, &Burst::finished);
    burst.fire(requests(2));
    QTRY_COMPARE(server.requests.size(), 2);
    burst.close();
    QCOMPARE(finished.size(), 1);
    QCOMPARE(outcomes(finished.first().at(1).value<BurstReport>()).first(),
        u"The connection was closed before the answer arrived."_s);
    burst.fire(requests(2));
    burst.close(); // before anything was sent
    QCOMPARE(finished.size(), 2);
}

/// A server that closes connections on which nothing is sent at once.
void TestBurst::secondTry()
{
    ScriptedServer server(echo);
    Burst burst(server.url(), {});
    burst.warm(2);
    QTRY_COMPARE(burst.warmed(), 2);
    QTRY_COMPARE(server.connections, 2);
    QSignalSpy finished(&burst, &Burst::finished);
    burst.fire(requests(2));
    server.hangUp(); // after they were chosen, before they are used
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(
        outcomes(finished.first().at(1).value<BurstReport>()).join(u'\n'), u"200 /r0\n200 /r1"_s);
    QCOMPARE(server.connections, 4);
}

/// A connection that was opened instead of another one, and is closed as well, ends its request.
void TestBurst::noThirdTry()
{
    QTcpServer server;
    int made = 0;
    connect(&server, &QTcpServer::newConnection, this, [&] {
        ++made;
        server.nextPendingConnection()->abort();
    });
    QVERIFY(server.listen(QHostAddress::LocalHost));
    Burst burst(QUrl(u"http://127.0.0.1:%1"_s.arg(server.serverPort())), {});
    const BurstReport report = fired(burst, requests(1));
    QVERIFY(!report.shots.first().response && !report.shots.first().problem.isEmpty());
    QVERIFY2(made <= 2, qPrintable(QString::number(made)));
}

const instar::TestClass<TestBurst> registered;
#include "tst_burst.moc"
