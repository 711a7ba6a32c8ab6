// SPDX-License-Identifier: Apache-2.0
// Clients of the listener that are slow, greedy or too many.

#include "tests/remote/party.h"
#include "tests/support/testclass.h"

#include <QElapsedTimer>
#include <QTest>

#include <sys/resource.h>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestListenerLimits : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void pipeliningWithoutReading();
    void hugeMessages_data();
    void hugeMessages();
    void slowClients();
    void tooMuchUnsent();
    void idleConnections();
    void tooManyConnections();
    void idleOnesGiveWay();
    void descriptorsRunOut();
};

void TestListenerLimits::initTestCase()
{
    // 1,200 connections have two ends each, and both are here.
    rlimit files {};
    ::getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 4096) {
        files.rlim_cur = std::min<rlim_t>(4096, files.rlim_max);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &files), 0);
    }
}

/// A client that asks and asks, and reads nothing, is not listened to any more, and in the end
/// dropped.
void TestListenerLimits::pipeliningWithoutReading()
{
    Party party({ .answerSeconds = 1 });
    Growth growth;
    const Flood flood(party.listener.port(), "",
        QByteArray("GET /big10000 HTTP/1.1\r\nHost: x\r\n\r\n").repeated(1000), 64 * 1024 * 1024);
    QTRY_VERIFY_WITH_TIMEOUT(flood.isDone, Patience);
    QVERIFY(flood.sent < 64 * 1024 * 1024);
    QVERIFY2(growth.most() < 20'000, qPrintable(u"%1 KiB"_s.arg(growth.most())));
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);
}

void TestListenerLimits::hugeMessages_data()
{
    const Rows<QByteArray, QByteArray, int, int> row("begin", "piece", "megabytes", "status");
    const QByteArray some(64 * 1024, 'x'), put = "PUT / HTTP/1.1\r\nHost: x\r\n";
    row("a header", "GET / HTTP/1.1\r\nHost: x\r\nA: ", some, 64, 431);
    row("headers", "GET / HTTP/1.1\r\nHost: x\r\n", "A: b\r\n"_ba.repeated(10'000), 64, 431);
    row("a body", put + "Content-Length: 104857600\r\n\r\n", some, 100, 413);
    row("a body in chunks", put + "Transfer-Encoding: chunked\r\n\r\n", "10000\r\n" + some + "\r\n",
        100, 413);
    row("garbage", QByteArray(1, '\0'), some, 64, 400);
}

/// The client sends all of it, is not cut off and then finds the answer, and the listener has kept
/// little.
void TestListenerLimits::hugeMessages()
{
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, piece);
    QFETCH(int, megabytes);
    QFETCH(int, status);

    HttpListener::Options options;
    options.limits.bodyBytes = 1024 * 1024;
    Party party(options);
    Client other(party);
    Growth growth;
    const Flood flood(party.listener.port(), begin, piece, megabytes * qint64(1024 * 1024));
    QTRY_VERIFY_WITH_TIMEOUT(flood.isDone, Patience);
    QVERIFY2(flood.answer.startsWith("HTTP/1.1 " + QByteArray::number(status) + ' '),
        flood.answer.left(100).constData());
    QVERIFY2(growth.most() < 12'000, qPrintable(u"%1 KiB"_s.arg(growth.most())));
    QCOMPARE(party.asked, 0);
    other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(other.answers(), "200 'GET /'", Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
}

void TestListenerLimits::slowClients()
{
    Party party({ .headerSeconds = 1, .bodySeconds = 1, .idleSeconds = 2, .answerSeconds = 1 });
    Client idle(party), empty(party), slow(party), stalled(party), used(party), waiting(party),
        deaf(party), busy(party);
    deaf.setReadBufferSize(1);
    empty.send("\r\n");
    slow.send("GET / HTTP/1.1\r\nHost: x\r\n");
    QTimer drip;
    connect(&drip, &QTimer::timeout, &slow, [&slow] { slow.send("A: b\r\n"); });
    drip.start(50);
    QTimer asks;
    connect(&asks, &QTimer::timeout, &busy,
        [&busy] { busy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"); });
    asks.start(100);
    stalled.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel");
    used.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    waiting.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    deaf.send("GET /big30000000 HTTP/1.1\r\nHost: x\r\n\r\n");
    const int stubborn = connected(party.listener.port()); // is told to go, and stays
    QCOMPARE(::send(stubborn, "\r\n", 2, 0), 2);

    // Never all at once on a slow machine: each has its time from when it was accepted.
    QTRY_VERIFY_WITH_TIMEOUT(idle.isClosed() && empty.isClosed() && slow.isClosed()
            && stalled.isClosed() && used.isClosed(),
        Patience);
    // one waits for the handler, who may take longer, and one asks again and again
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 2, Patience);
    ::close(stubborn);
    QCOMPARE(idle.bytes, "");
    QCOMPARE(empty.bytes, "");
    QCOMPARE(slow.answers(), "408 closes");
    QCOMPARE(stalled.answers(), "408 closes");
    QCOMPARE(used.answers(), "200 'GET /'");
    QTRY_VERIFY_WITH_TIMEOUT(busy.answers().count("200 'GET /'") > 10, Patience);
    QVERIFY(!busy.isClosed());
    QVERIFY(party.listener.isWaiting(party.later[0].ticket));
    party.answerLater(0);
    QTRY_COMPARE_WITH_TIMEOUT(waiting.answers(), "200 '/later'", Patience);
}

void TestListenerLimits::tooMuchUnsent()
{
    Party party({ .mostUnsentBytes = 10'000'000 });
    Client client(party);
    client.setReadBufferSize(1);
    client.send(QByteArray("GET /later HTTP/1.1\r\nHost: x\r\n\r\n").repeated(3));
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 3, Patience);
    const HttpResponse large { .body = QByteArray(30'000'000, 'x') };
    party.listener.answer(party.later[0].ticket, large); // a single answer may have any size
    QCOMPARE(party.listener.connections(), 1);
    party.listener.answer(party.later[1].ticket, large);
    QCOMPARE(party.listener.connections(), 0);
    party.listener.answer(party.later[2].ticket, large);
}

void TestListenerLimits::idleConnections()
{
    constexpr int Count = 1'200;
    Party party;
    Client client(party);
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'GET /'", Patience);

    const qint64 before = memory();
    std::vector<int> idle;
    idle.reserve(Count);
    for (int i = 0; i < Count; ++i) {
        idle.push_back(connected(party.listener.port()));
        // half of them have asked something before
        const QByteArray question = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
        if (i % 2)
            QCOMPARE(::send(idle.back(), question.constData(), size_t(question.size()), 0),
                question.size());
    }
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), Count + 1, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.asked, Count / 2 + 1, Patience);
    const qint64 each = (memory() - before) * 1024 / Count;
    QVERIFY2(!MeasuresMemory || each < 16'000, qPrintable(u"%1 bytes a connection"_s.arg(each)));

    client.bytes.clear();
    client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'", Patience);
    Client another(party);
    another.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(another.answers(), "200 'GET /'", Patience);

    for (const int fd : idle)
        ::close(fd);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 2, Patience);
}

void TestListenerLimits::tooManyConnections()
{
    Party party({ .mostConnections = 2, .retryAfter = 7 });
    Client first(party), second(party);
    for (Client *client : { &first, &second })
        client->send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 2, Patience);
    Client third(party);
    third.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(third.answers(), "503 closes", Patience);
    QVERIFY2(third.bytes.contains("\r\nRetry-After: 7\r\n"), third.bytes.constData());
    QTRY_VERIFY_WITH_TIMEOUT(third.isClosed(), Patience);
    QCOMPARE(party.asked, 2);
    first.abort();
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
    Client fourth(party);
    fourth.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(fourth.answers(), "200 'GET /'", Patience);
}

/// Whoever is silent locks nobody out; whoever waits for an answer is left alone.
void TestListenerLimits::idleOnesGiveWay()
{
    Party party({ .mostConnections = 3, .leastIdleMs = 0 });
    Client busy(party);
    busy.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 1, Patience);
    Client used(party), silent(party);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 3, Patience);
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY_WITH_TIMEOUT(clock.hasExpired(5), Patience);
    used.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"); // was silent less long than the other
    QTRY_COMPARE_WITH_TIMEOUT(used.answers(), "200 'GET /'", Patience);
    Client late(party);
    late.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(late.answers(), "200 'GET /a'", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(silent.isClosed(), Patience);
    QVERIFY(!used.isClosed() && !busy.isClosed());
    party.answerLater(0);
    QTRY_COMPARE_WITH_TIMEOUT(busy.answers(), "200 '/later'", Patience);
}

/// Connections that cannot be accepted now are accepted as soon as there are descriptors again.
void TestListenerLimits::descriptorsRunOut()
{
    Party party;
    std::vector<std::unique_ptr<QTcpSocket>> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<QTcpSocket>());
        clients.back()->bind(QHostAddress::LocalHost); // has its descriptor
    }
    rlimit files {};
    ::getrlimit(RLIMIT_NOFILE, &files);
    const rlimit before = files;
    std::vector<int> taken;
    taken.reserve(8);
    int highest = 0;
    for (int i = 0; i < 8; ++i)
        taken.push_back(highest = ::dup(0));
    files.rlim_cur = rlim_t(highest) + 1;
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &files), 0);
    for (int fd = ::dup(0); fd >= 0; fd = ::dup(0))
        taken.push_back(fd);
    ::close(taken.back()); // leaves room for one
    taken.pop_back();

    for (const auto &client : clients)
        client->connectToHost(QHostAddress::LocalHost, party.listener.port());
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY_WITH_TIMEOUT(clock.hasExpired(400), Patience); // a check has come and gone
    QCOMPARE(party.listener.connections(), 1);

    for (const int fd : taken)
        ::close(fd);
    ::setrlimit(RLIMIT_NOFILE, &before);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 3, Patience);
}

} // namespace

const instar::TestClass<TestListenerLimits> registered;
#include "tst_listenerlimits.moc"
