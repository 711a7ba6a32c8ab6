// SPDX-License-Identifier: Apache-2.0
// The proxy passes every byte between a client and a server unchanged, and parses exchanges
// however the bytes are cut.

#include "model/remote/proxy.h"
#include "model/remote/servedexchanges.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QRandomGenerator>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// A server that keeps what it gets and sends what it is told to, as bytes.
class RawServer
{
public:
    RawServer()
    {
        if (!m_server.listen(QHostAddress::LocalHost))
            qFatal("no port");
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection()) {
                peers += socket;
                QObject::connect(socket, &QTcpSocket::readyRead, &m_server, [this, socket] {
                    const QByteArray bytes = socket->readAll();
                    got += bytes;
                    if (echoes)
                        socket->write(bytes);
                });
            }
        });
    }
    QUrl url() const { return QUrl(u"http://127.0.0.1:%1"_s.arg(m_server.serverPort())); }

    QByteArray got;
    QList<QTcpSocket *> peers;
    bool echoes = false;

private:
    QTcpServer m_server;
};

/// A client of a proxy of a server.
struct Between
{
    explicit Between(const QUrl &server) : proxy({ .server = server })
    {
        QObject::connect(&proxy, &Proxy::exchanged, &proxy, [this](const Exchange &exchange) {
            if (exchange.isOver())
                exchanges += exchange;
        });
        QObject::connect(
            &proxy, &Proxy::missed, &proxy, [this](const QString &why) { missed += why; });
        port = valueOf(proxy.listen());
        client.connectToHost(QHostAddress::LocalHost, port);
        QObject::connect(
            &client, &QTcpSocket::readyRead, &proxy, [this] { got += client.readAll(); });
    }

    Proxy proxy;
    quint16 port = 0;
    QTcpSocket client;
    QByteArray got;
    QList<Exchange> exchanges;
    QStringList missed;
};

QByteArray randomBytes(qsizetype size, quint32 seed)
{
    QRandomGenerator random(seed);
    QByteArray bytes(size, Qt::Uninitialized);
    for (char &byte : bytes)
        byte = char(random.bounded(256));
    return bytes;
}

} // namespace

class TestProxy : public QObject
{
    Q_OBJECT
private slots:
    void bothWays();
    void anythingPasses();
    void slowReaders();
    void serverEnds();
    void breaksOff();
    void notReached();
    void refuses_data();
    void refuses();
    void closes();
    void overTls();
    void manyAtOnce();
    void hears_data();
    void hears();
    void cutAnywhere();
    void untilTheEnd();
    void endsInTheMiddle();
    void garbageIsSaid();
};

void TestProxy::bothWays()
{
    RawServer server;
    Between between(server.url());
    const QByteArray asked =
        "PUT /a%20b?x=1 HTTP/1.1\r\nhost:  Odd.Example \r\nX-y:\t1\r\ncontent-length: 2\r\n\r\n{}";
    between.client.write(asked);
    QTRY_COMPARE(server.got, asked);
    const QByteArray answered =
        "HTTP/1.1 201  Made so\r\nX-y: 1\r\nx-Y: 2\r\n"
        "Transfer-Encoding: chunked\r\n\r\n3;why=not\r\nyes\r\n0\r\nT: 1\r\n\r\n";
    server.peers.first()->write(answered);
    QTRY_COMPARE(between.got, answered);
    QTRY_COMPARE(between.exchanges.size(), 1);
    const Exchange exchange = between.exchanges.first();
    QCOMPARE(exchange.url, server.url().toString() + u"/a%20b?x=1"_s);
    QCOMPARE(exchange.status, 201);
    QCOMPARE(exchange.responseBody, QByteArray("yes"));
    QVERIFY(exchange.client.startsWith(u"127.0.0.1:"_s));
}

void TestProxy::anythingPasses()
{
    RawServer server;
    server.echoes = true;
    Between between(server.url());
    const QByteArray bytes = randomBytes(3'000'000, 7);
    between.client.write(bytes);
    QTRY_COMPARE_WITH_TIMEOUT(between.got.size(), bytes.size(), 60'000);
    QVERIFY(between.got == bytes);
    QVERIFY(server.got == bytes);
    QCOMPARE(between.missed.size(), 1);
}

/// The faster side waits for the slower one, and the proxy holds little meanwhile.
void TestProxy::slowReaders()
{
    RawServer server;
    Between between(server.url());
    between.client.setReadBufferSize(64 * 1024);
    between.client.disconnect();
    QTRY_COMPARE(server.peers.size(), 1);
    const QByteArray bytes =
        "HTTP/1.1 200 OK\r\nContent-Length: 60000000\r\n\r\n" + QByteArray(60'000'000, 'x');
    server.peers.first()->write(bytes);
    qint64 before = -1;
    QTRY_VERIFY_WITH_TIMEOUT( // nothing moves any more
        std::exchange(before, server.peers.first()->bytesToWrite())
            == server.peers.first()->bytesToWrite(),
        60'000);
    QTest::qWait(50);
    QVERIFY(server.peers.first()->bytesToWrite() > 20'000'000);
    between.client.setReadBufferSize(0);
    QObject::connect(&between.client, &QTcpSocket::readyRead, &between.proxy,
        [&] { between.got += between.client.readAll(); });
    between.got += between.client.readAll();
    QTRY_COMPARE_WITH_TIMEOUT(between.got.size(), bytes.size(), 60'000);
    QVERIFY(between.got == bytes);
}

void TestProxy::serverEnds()
{
    RawServer server;
    Between between(server.url());
    between.client.write("GET / HTTP/1.0\r\n\r\n");
    QTRY_COMPARE(server.got.size(), 18);
    server.peers.first()->write("HTTP/1.0 200 OK\r\n\r\nall of it");
    server.peers.first()->disconnectFromHost();
    QTRY_COMPARE(between.client.state(), QTcpSocket::UnconnectedState);
    QCOMPARE(between.got, QByteArray("HTTP/1.0 200 OK\r\n\r\nall of it"));
    QTRY_COMPARE(between.exchanges.size(), 1);
    QCOMPARE(between.exchanges.first().responseBody, QByteArray("all of it"));
}

/// The other side ends, too; the exchange has no answer.
void TestProxy::breaksOff()
{
    for (const bool byServer : { true, false }) {
        RawServer server;
        Between between(server.url());
        between.client.write("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
        QTRY_VERIFY(!server.got.isEmpty());
        QTcpSocket *peer = server.peers.first();
        (byServer ? *peer : between.client).abort();
        QTRY_COMPARE((byServer ? between.client : *peer).state(), QTcpSocket::UnconnectedState);
        peer->abort();
        QTRY_COMPARE(between.exchanges.size(), 1);
        QCOMPARE(between.exchanges.first().status, 0);
        QVERIFY(!between.exchanges.first().problem.isEmpty());
    }
}

void TestProxy::notReached()
{
    quint16 free = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        free = server.serverPort();
    }
    Between between(QUrl(u"http://127.0.0.1:%1"_s.arg(free)));
    between.client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    QTRY_VERIFY(between.got.contains("\r\n\r\n"));
    QVERIFY2(between.got.startsWith("HTTP/1.1 502 "), between.got.constData());
    QVERIFY(between.got.contains("cannot be reached"));
}

void TestProxy::refuses_data()
{
    const Rows<QString, QString> row("url", "says");
    row("no URL", u"somewhere"_s, u"expected an http or https URL"_s);
    row("other scheme", u"ftp://a"_s, u"expected an http or https URL"_s);
    row("a path", u"http://a/b"_s, u"no path"_s);
    row("a user", u"http://me:secret@a"_s, u"without a user"_s);
}

void TestProxy::refuses()
{
    QFETCH(QString, url);
    QFETCH(QString, says);
    Proxy proxy({ .server = QUrl(url) });
    const QString port = errorIn(proxy.listen());
    QVERIFY2(port.contains(says), qPrintable(port));
    QVERIFY(!port.contains(u"secret"_s));
    Proxy open({ .server = QUrl(u"http://a"_s), .address = QHostAddress::AnyIPv4 });
    QVERIFY(!open.listen());
}

/// Who waits for an answer gets it; who is idle is let go.
void TestProxy::closes()
{
    RawServer server;
    Between between(server.url());
    QTcpSocket idle;
    idle.connectToHost(QHostAddress::LocalHost, between.port);
    between.client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    QTRY_VERIFY(!server.got.isEmpty() && server.peers.size() == 2);
    bool hasClosed = false;
    QObject::connect(&between.proxy, &Proxy::closed, &between.proxy, [&] { hasClosed = true; });
    between.proxy.close(600'000);
    QTRY_COMPARE(idle.state(), QTcpSocket::UnconnectedState);
    QVERIFY(!hasClosed);
    for (QTcpSocket *peer : std::as_const(server.peers)) {
        if (peer->state() != QTcpSocket::ConnectedState)
            continue;
        peer->write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        peer->disconnectFromHost();
    }
    QTRY_VERIFY(between.got.startsWith("HTTP/1.1 200"));
    QTRY_VERIFY(hasClosed);
}

void TestProxy::overTls()
{
    const TestCertificate made = TestCertificate::make();
    if (made.certificate.isEmpty())
        QSKIP("openssl is not installed");
    const QSslConfiguration tls = made.server();
    ScriptedServer server(
        [](const HttpRequest &request, QTcpSocket *socket) {
            ScriptedServer::answer(socket, 200, request.body + request.target);
        },
        &tls);
    Proxy trusting({ .server = server.url(), .authorities = made.certificate });
    Proxy strict({ .server = server.url() });
    for (Proxy *proxy : { &trusting, &strict }) {
        const quint16 port = valueOf(proxy->listen());
        QTcpSocket client;
        client.connectToHost(QHostAddress::LocalHost, port);
        QByteArray got;
        QObject::connect(
            &client, &QTcpSocket::readyRead, &client, [&] { got += client.readAll(); });
        client.write("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
        if (proxy == &trusting)
            QTRY_VERIFY(got.endsWith("hi/x"));
        else
            QTRY_VERIFY(got.startsWith("HTTP/1.1 502 "));
    }
}

void TestProxy::manyAtOnce()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        ScriptedServer::answer(socket, 200, request.target);
    });
    Between between(server.url());
    constexpr int Clients = 40, Each = 25;
    std::vector<std::unique_ptr<QTcpSocket>> clients;
    QList<QByteArray> got(Clients);
    const auto answers = [&] {
        qsizetype count = 0;
        for (const QByteArray &bytes : std::as_const(got))
            count += bytes.count("HTTP/1.1 200");
        return count;
    };
    for (int i = 0; i < Clients; ++i) {
        clients.push_back(std::make_unique<QTcpSocket>());
        QTcpSocket *client = clients.back().get();
        client->connectToHost(QHostAddress::LocalHost, between.port);
        QObject::connect(client, &QTcpSocket::readyRead, client,
            [&got, i, client] { got[i] += client->readAll(); });
        for (int j = 0; j < Each; ++j)
            client->write("GET /" + QByteArray::number(i) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    QTRY_COMPARE_WITH_TIMEOUT(answers(), Clients * Each, 60'000);
    QTRY_COMPARE(between.exchanges.size(), Clients * Each);
    for (const Exchange &exchange : std::as_const(between.exchanges))
        QCOMPARE(exchange.responseBody, QUrl(exchange.url).path().toUtf8());
}

namespace {

/// What a tap tells, a line an exchange that is over: "PUT /a 201 body | sent body".
class Ear
{
public:
    Ear()
        : exchanges([this](const Exchange &exchange) {
              if (exchange.isOver())
                  heard += u"%1 %2 %3 %4%5"_s.arg(exchange.method, QUrl(exchange.url).path())
                               .arg(exchange.status)
                               .arg(QString::fromUtf8(exchange.responseBody),
                                   exchange.requestBody.isEmpty()
                                       ? QString()
                                       : u" | "_s + QString::fromUtf8(exchange.requestBody));
          }),
          tap(std::make_unique<Wiretap>(
              exchanges, [this](const QString &why) { missed += why; }, u"http://s"_s, u"c:1"_s))
    { }

    QStringList heard, missed;
    ServedExchanges exchanges;
    std::unique_ptr<Wiretap> tap;
};

const QByteArray get = "GET /a HTTP/1.1\r\nHost: s\r\n\r\n";
const QByteArray head = "HEAD /h HTTP/1.1\r\nHost: s\r\n\r\n";
const QByteArray put = "PUT /b HTTP/1.1\r\nHost: s\r\nContent-Length: 2\r\n\r\n{}";
const QByteArray chunkedPut = "PUT /c HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "1\r\n[\r\n1\r\n]\r\n0\r\n\r\n";
const QByteArray ok = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes";
const QByteArray headOk = "HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n";
const QByteArray chunkedOk = "HTTP/1.1 201 Made\r\nTransfer-Encoding: chunked\r\n\r\n"
                             "4\r\nmade\r\n0\r\n\r\n";
const QByteArray more = "HTTP/1.1 100 Continue\r\n\r\n";
const QByteArray untilEnd = "HTTP/1.1 200 OK\r\n\r\nall of it";

} // namespace

void TestProxy::hears_data()
{
    const Rows<QByteArray, QByteArray, QStringList> row("asked", "answered", "heard");
    row("one", get, ok, QStringList { u"GET /a 200 yes"_s });
    row("one after the other", get + put, ok + chunkedOk,
        QStringList { u"GET /a 200 yes"_s, u"PUT /b 201 made | {}"_s });
    row("chunks", chunkedPut, chunkedOk, QStringList { u"PUT /c 201 made | []"_s });
    row("HEAD has no body", head + get, headOk + ok,
        QStringList { u"HEAD /h 200 "_s, u"GET /a 200 yes"_s });
    row("two HEADs", head + head + get, headOk + headOk + ok,
        QStringList { u"HEAD /h 200 "_s, u"HEAD /h 200 "_s, u"GET /a 200 yes"_s });
    row("100 is no answer", put, more + ok, QStringList { u"PUT /b 200 yes | {}"_s });
    row("nobody asked", {}, ok, QStringList());
}

void TestProxy::hears()
{
    QFETCH(QByteArray, asked);
    QFETCH(QByteArray, answered);
    Ear ear;
    ear.tap->fromClient(asked);
    ear.tap->fromServer(answered);
    QTEST(ear.heard, "heard");
    QVERIFY(!ear.tap->isWaiting());
    QVERIFY(ear.missed.isEmpty());
}

void TestProxy::cutAnywhere()
{
    QVERIFY(holdsFor(300, 100, [] {
        const QByteArray asked = get + chunkedPut + head + put,
                         answered = ok + more + chunkedOk + headOk + ok;
        Ear ear;
        ear.tap->fromClient(asked.left(get.size()));
        const auto feed = [&](const QByteArray &bytes, void (Wiretap::*to)(QByteArrayView)) {
            for (qsizetype at = 0; at < bytes.size();) {
                const qsizetype size = *rc::gen::inRange<qsizetype>(1, 40);
                (ear.tap.get()->*to)(
                    QByteArrayView(bytes).sliced(at).first(std::min(size, bytes.size() - at)));
                at += size;
            }
        };
        feed(asked.mid(get.size()), &Wiretap::fromClient);
        feed(answered, &Wiretap::fromServer);
        RC_ASSERT(ear.heard
            == (QStringList { u"GET /a 200 yes"_s, u"PUT /c 201 made | []"_s, u"HEAD /h 200 "_s,
                u"PUT /b 200 yes | {}"_s }));
    }));
}

void TestProxy::untilTheEnd()
{
    Ear ear;
    ear.tap->fromClient(get);
    ear.tap->fromServer(untilEnd);
    QVERIFY(ear.tap->isWaiting());
    ear.tap->serverEnded();
    QCOMPARE(ear.heard, QStringList { u"GET /a 200 all of it"_s });
}

void TestProxy::endsInTheMiddle()
{
    Ear ear;
    ear.tap->fromClient(put + get);
    ear.tap->fromServer(ok.left(20));
    ear.tap->serverEnded();
    // It may have happened: that is an exchange without an answer.
    QCOMPARE(ear.heard, (QStringList { u"PUT /b 0  | {}"_s, u"GET /a 0 "_s }));
    Ear other;
    other.tap->fromClient(put);
    other.tap.reset();
    QCOMPARE(other.heard, QStringList { u"PUT /b 0  | {}"_s });
}

/// What follows it is not read, and somebody is told so.
void TestProxy::garbageIsSaid()
{
    Ear ear;
    ear.tap->fromClient(get + QByteArray("\x16\x03\x01\0\x01 no HTTP\r\n\r\n", 18) + put);
    ear.tap->fromServer(ok);
    ear.tap->fromClient(put);
    QCOMPARE(ear.heard, QStringList { u"GET /a 200 yes"_s });
    QCOMPARE(ear.missed.size(), 1);
    QVERIFY(ear.missed.first().contains(u"c:1"_s));
    Ear garbled;
    garbled.tap->fromClient(put);
    garbled.tap->fromServer("SSH-2.0\r\n\r\n");
    QCOMPARE(garbled.heard, QStringList { u"PUT /b 0  | {}"_s });
    QVERIFY(garbled.missed.isEmpty()); // an answer that is none leaves open what happened
}

const instar::TestClass<TestProxy> registered;
#include "tst_proxy.moc"
