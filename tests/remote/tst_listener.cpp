// SPDX-License-Identifier: Apache-2.0
// The listener over real sockets, with clients that are right, wrong, slow, greedy or gone.

#include "model/remote/listener.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <atomic>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

constexpr int Patience = 20'000; ///< ms: for a machine that does a lot else

#ifdef __SANITIZE_ADDRESS__
constexpr bool MeasuresMemory = false; // the sanitizer keeps what is freed
#else
constexpr bool MeasuresMemory = true;
#endif

/// The process's memory in use, KiB.
qint64 memory()
{
    QFile file(u"/proc/self/status"_s);
    if (!file.open(QFile::ReadOnly))
        qFatal("no /proc");
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("VmRSS:"))
            return line.sliced(6).trimmed().split(' ').first().toLongLong();
    }
    qFatal("no VmRSS");
}

/// How much more memory is in use than in the beginning, at most, KiB.
class Growth
{
public:
    Growth()
    {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { measure(); });
        m_timer.start(5);
    }
    qint64 most()
    {
        measure();
        return MeasuresMemory ? m_most - m_begin : 0;
    }

private:
    void measure() { m_most = std::max(m_most, memory()); }

    const qint64 m_begin = memory();
    qint64 m_most = m_begin;
    QTimer m_timer;
};

/// A listener whose handler says what it was asked, at once; what begins with /later is kept.
class Party
{
public:
    explicit Party(const HttpListener::Options &options = {})
        : listener([this](HttpListener::Ticket ticket, const HttpRequest &request,
                       const QString &from) { handle(ticket, request, from); })
    {
        const Result<quint16> port = listener.listen(options);
        if (!port)
            qFatal("%s", qPrintable(port.error()));
    }

    struct Asked
    {
        HttpListener::Ticket ticket = 0;
        HttpRequest request;
    };
    HttpListener listener;
    QList<Asked> later;
    QString peer; ///< of the last request
    int asked = 0;

    void answerLater(qsizetype index)
    {
        listener.answer(later[index].ticket, { .body = later[index].request.target });
    }

private:
    void handle(HttpListener::Ticket ticket, const HttpRequest &request, const QString &from)
    {
        ++asked;
        peer = from;
        if (request.target.startsWith("/later")) {
            later.append({ ticket, request });
            return;
        }
        HttpResponse response { .body = request.method + ' ' + request.target };
        if (!request.body.isEmpty())
            response.body += ' ' + request.body;
        if (request.target.startsWith("/big"))
            response.body = QByteArray(request.target.sliced(4).toInt(), 'x');
        if (request.target == "/none")
            response.status = 204;
        if (request.target == "/last")
            response.keepAlive = false;
        listener.answer(ticket, response);
    }
};

/// A client that sends bytes and keeps what comes.
template<typename Socket = QTcpSocket>
class ClientOf : public Socket
{
public:
    explicit ClientOf(const Party &party) : ClientOf(party.listener.port()) { }
    explicit ClientOf(quint16 port)
    {
        QObject::connect(this, &Socket::readyRead, this, [this] { bytes += this->readAll(); });
        if constexpr (std::is_same_v<Socket, QTcpSocket>) {
            this->connectToHost(QHostAddress::LocalHost, port);
            if (!this->waitForConnected(Patience))
                qFatal("cannot connect");
        }
    }

    void send(const QByteArray &more)
    {
        this->write(more);
        this->flush();
    }
    bool isClosed() const { return this->state() == QTcpSocket::UnconnectedState; }

    /// The complete answers, one a line; of those that are no success only the status.
    QByteArray answers(BodyOf body = BodyOf::Get) const
    {
        HttpParser parser(HttpParser::Reads::Responses, { .bodyBytes = 1'000'000'000 });
        if (body == BodyOf::Head)
            parser.expectNoBody();
        parser.feed(bytes);
        QByteArray text;
        while (const std::optional<HttpResponse> response = parser.takeResponse()) {
            text += QByteArray::number(response->status) + (response->keepAlive ? "" : " closes");
            if (response->status < 300 && !response->body.isEmpty())
                text += " '" + response->body + '\'';
            text += '\n';
        }
        return text.trimmed();
    }

    QByteArray bytes;
};
using Client = ClientOf<>;

/// The descriptor of a plain connection, whose calls wait at most so long.
int connected(quint16 port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience { .tv_sec = Patience / 1000 };
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        qFatal("cannot connect");
    return fd;
}

/// A thread that sends pieces as fast as it can, whatever is answered, and reads in the end.
class Flood
{
public:
    Flood(quint16 port, QByteArray begin, QByteArray piece, qint64 bytes)
        : m_thread([this, port, begin = std::move(begin), piece = std::move(piece), bytes] {
              run(port, begin, piece, bytes);
              isDone = true;
          })
    { }
    ~Flood() { m_thread.join(); }

    std::atomic<bool> isDone = false;
    QByteArray answer;
    qint64 sent = 0;

private:
    void run(quint16 port, const QByteArray &begin, const QByteArray &piece, qint64 bytes)
    {
        const int fd = connected(port);
        const auto send = [&](const QByteArray &all) {
            const ssize_t count = ::send(fd, all.constData(), size_t(all.size()), MSG_NOSIGNAL);
            sent += std::max<ssize_t>(count, 0);
            return count == all.size();
        };
        bool goesOn = send(begin);
        while (goesOn && sent < bytes)
            goesOn = send(piece);
        char room[4096];
        for (ssize_t count = 1; count > 0;) {
            count = ::recv(fd, room, sizeof room, 0);
            answer.append(room, std::max<ssize_t>(count, 0));
        }
        ::close(fd);
    }

    std::thread m_thread;
};

class TestListener : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void answers_data();
    void answers();
    void head();
    void halfClosed();
    void details();
    void lateAnswers();
    void goneBeforeAnswer();
    void pipelining();
    void pipeliningWithoutReading();
    void lastAnswer();
    void asksToContinue();
    void hugeMessages_data();
    void hugeMessages();
    void tooLargeIsSaidAtOnce();
    void slowClients();
    void tooMuchUnsent();
    void idleConnections();
    void tooManyConnections();
    void descriptorsRunOut();
    void token_data();
    void token();
    void tokenBeforeBody();
    void cannotListen();
    void faults();
    void closing();
    void closingInTime();
    void endsWithConnections();
    void tls();
    void tlsAndStrangers();
    void curl();

private:
    bool makeCertificate();

    QTemporaryDir m_folder;
    QByteArray m_certificate, m_key;
};

void TestListener::initTestCase()
{
    // 1,200 connections have two ends each, and both are here.
    rlimit files {};
    ::getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 4096) {
        files.rlim_cur = std::min<rlim_t>(4096, files.rlim_max);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &files), 0);
    }
}

void TestListener::answers_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<bool>("closes");

    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &expected,
                         bool closes) { QTest::newRow(name) << bytes << expected << closes; };
    const auto bad = [&](const char *name, const QByteArray &bytes, int status = 400) {
        row(name, bytes, QByteArray::number(status) + " closes", true);
    };
    const auto put = [&](const char *name, const QByteArray &headers, int status = 400) {
        bad(name, "PUT /a HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n\r\nhello", status);
    };

    row("a question", "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "200 'GET /a'", false);
    row("a body", "PUT /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", "200 'PUT /a hello'", false);
    row("chunks",
        "PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        "200 'PUT /a hello'", false);
    row("without content", "GET /none HTTP/1.1\r\n\r\n", "204", false);
    row("closing", "GET /a HTTP/1.1\r\nConnection: close\r\n\r\n", "200 closes 'GET /a'", true);
    row("nothing is read after closing",
        "GET /a HTTP/1.1\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
        "200 closes 'GET /a'", true);
    row("HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n", "200 closes 'GET /a'", true);
    row("HTTP/1.0 that stays", "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "200 'GET /a'",
        false);
    row("several at once",
        "GET /a HTTP/1.1\r\n\r\nPUT /b HTTP/1.1\r\nContent-Length: 2\r\n\r\nhiGET /c "
        "HTTP/1.1\r\n\r\n",
        "200 'GET /a'\n200 'PUT /b hi'\n200 'GET /c'", false);
    row("garbage after a request", "GET /a HTTP/1.1\r\n\r\ngarbage\r\n\r\n",
        "200 'GET /a'\n400 closes", true);

    bad("garbage", "garbage\r\n\r\n");
    bad("binary", QByteArray::fromHex("160301020001000001fc0303ff00"));
    bad("zeros", QByteArray(1000, '\0'));
    bad("HTTP/9.9", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", 505);
    put("a header without colon", "Host");
    put("a negative length", "Content-Length: -5");
    put("a length that is no number", "Content-Length: five");
    put("two lengths", "Content-Length: 5\r\nContent-Length: 6");
    put("length and coding", "Content-Length: 5\r\nTransfer-Encoding: chunked");
    put("coding and length", "Transfer-Encoding: chunked\r\nContent-Length: 5");
    put("an unknown coding", "Transfer-Encoding: gzip", 501);
    const QByteArray chunked = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    bad("no chunk size", chunked + "xyz\r\nabc\r\n0\r\n\r\n");
    bad("a negative chunk size", chunked + "-1\r\nabc\r\n0\r\n\r\n");
    bad("a huge chunk size", chunked + "fffffffffffffffff\r\nabc\r\n");
    bad("a chunk size beyond the limit", chunked + "ffffffff\r\nabc\r\n", 413);
    bad("a chunk that does not end", chunked + "3\r\nabcdef\r\n0\r\n\r\n");
    bad("a length beyond the limit", "PUT / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n", 413);
    bad("too many headers", "GET / HTTP/1.1\r\n" + QByteArray("A: b\r\n").repeated(300) + "\r\n",
        431);
}

void TestListener::answers()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, expected);
    QFETCH(bool, closes);

    Party party;
    Client whole(party);
    whole.send(bytes);
    QTRY_COMPARE_WITH_TIMEOUT(whole.answers(), expected, Patience);

    Client halves(party);
    halves.send(bytes.first(bytes.size() / 2));
    QTRY_VERIFY_WITH_TIMEOUT(
        halves.isClosed() || party.listener.connections() == (closes ? 1 : 2), Patience);
    if (!halves.isClosed())
        halves.send(bytes.sliced(bytes.size() / 2));
    QTRY_COMPARE_WITH_TIMEOUT(halves.answers(), expected, Patience);

    if (closes) {
        QTRY_VERIFY_WITH_TIMEOUT(whole.isClosed() && halves.isClosed(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);
        return;
    }
    whole.send("GET /again HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(whole.answers(), expected + "\n200 'GET /again'", Patience);
    QCOMPARE(party.listener.connections(), 2);
    QVERIFY(!whole.isClosed());
}

void TestListener::head()
{
    Party party;
    Client client(party);
    client.send("HEAD /abc HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(BodyOf::Head), "200\n200 'GET /'", Patience);
    QVERIFY(client.bytes.contains("Content-Length: 9\r\n")); // of "HEAD /abc"
}

/// Who sends no more may still read.
void TestListener::halfClosed()
{
    Party party;
    Client client(party);
    client.send("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
    ::shutdown(int(client.socketDescriptor()), SHUT_WR);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'GET /a'\n200 'GET /b'", Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);
}

void TestListener::details()
{
    Party party;
    Client client(party);
    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'GET /'", Patience);
    QCOMPARE(party.peer, u"127.0.0.1:%1"_s.arg(client.localPort()));
    QVERIFY(client.bytes.contains("Connection: keep-alive\r\n"));
    const QByteArray date = client.bytes.sliced(client.bytes.indexOf("\r\nDate: ") + 8).first(29);
    const QDateTime read = QDateTime::fromString(QString::fromLatin1(date), Qt::RFC2822Date);
    QVERIFY2(date.endsWith(" GMT") && std::abs(read.secsTo(QDateTime::currentDateTime())) < 60,
        date.constData());
    QCOMPARE(party.listener.isSecure(), false);
}

void TestListener::lateAnswers()
{
    Party party;
    Client client(party);
    client.send("GET /later/1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /later/3 HTTP/1.1\r\n\r\n"
                "GET /later/4 HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 3, Patience);
    QVERIFY(party.listener.isWaiting(party.later[0].ticket));
    party.answerLater(2);
    QVERIFY(!party.listener.isWaiting(party.later[2].ticket));
    party.listener.answer(party.later[2].ticket, { .status = 500 }); // comes too late
    QTest::qWait(0);
    QCOMPARE(client.bytes, "");
    party.answerLater(0);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 '/later/1'\n200 'GET /2'", Patience);
    QVERIFY(!party.listener.isWaiting(party.later[0].ticket));
    party.answerLater(1);
    QTRY_COMPARE_WITH_TIMEOUT(
        client.answers(), "200 '/later/1'\n200 'GET /2'\n200 '/later/3'\n200 '/later/4'", Patience);
    party.listener.answer(12345678901234, {}); // no ticket of ours
}

void TestListener::goneBeforeAnswer()
{
    Party party;
    QList<Client *> clients;
    for (int i = 0; i < 20; ++i) {
        clients += new Client(party);
        clients.last()->send("GET /later HTTP/1.1\r\n\r\nGET /later HTTP/1.1\r\n\r\n");
    }
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 40, Patience);
    for (qsizetype i = 0; i < clients.size(); ++i) {
        if (i % 2)
            clients[i]->abort();
    }
    for (qsizetype i = 0; i < 20; ++i) // some before the listener can know that they are gone
        party.answerLater(i);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 10, Patience);
    for (qsizetype i = 20; i < 40; ++i)
        party.answerLater(i);
    for (qsizetype i = 0; i < clients.size(); i += 2)
        QTRY_COMPARE_WITH_TIMEOUT(clients[i]->answers(), "200 '/later'\n200 '/later'", Patience);
    qDeleteAll(clients);
}

void TestListener::pipelining()
{
    Party party({ .mostPipelined = 5 });
    Client client(party);
    QByteArray expected;
    for (int i = 0; i < 500; ++i) {
        const QByteArray target = "/later/" + QByteArray::number(i);
        client.send("GET " + target + " HTTP/1.1\r\n\r\n");
        expected += "200 '" + target + "'\n";
    }
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 5, Patience);
    QTest::qWait(0);
    QCOMPARE(party.later.size(), 5); // as long as nobody answers
    for (qsizetype first = 0; first < 500; first += 5) {
        QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), first + 5, Patience);
        for (qsizetype i = first + 4; i >= first; --i)
            party.answerLater(i);
    }
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), expected.trimmed(), Patience);
}

/// A client that asks and asks, and reads nothing, is not listened to any more, and in the end
/// dropped.
void TestListener::pipeliningWithoutReading()
{
    Party party({ .answerSeconds = 1 });
    Growth growth;
    const Flood flood(party.listener.port(), "",
        QByteArray("GET /big10000 HTTP/1.1\r\n\r\n").repeated(1000), 64 * 1024 * 1024);
    QTRY_VERIFY_WITH_TIMEOUT(flood.isDone, Patience);
    QVERIFY(flood.sent < 64 * 1024 * 1024);
    QVERIFY2(growth.most() < 20'000, qPrintable(u"%1 KiB"_s.arg(growth.most())));
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);
}

void TestListener::lastAnswer()
{
    Party party;
    Client client(party);
    client.send("GET /later/1 HTTP/1.1\r\n\r\nGET /last HTTP/1.1\r\n\r\n"
                "GET /later/3 HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 2, Patience);
    party.answerLater(0);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
    QCOMPARE(client.answers(), "200 '/later/1'\n200 closes 'GET /last'");
    QVERIFY(!party.listener.isWaiting(party.later[1].ticket));
    party.answerLater(1);
}

void TestListener::asksToContinue()
{
    const QByteArray put = "PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    const QByteArray goOn = "HTTP/1.1 100 Continue\r\n\r\n";
    Party party;
    Client client(party);
    client.send(put);
    QTRY_COMPARE_WITH_TIMEOUT(client.bytes, goOn, Patience);
    client.send("hello");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'", Patience);

    Client hasty(party); // does not wait
    hasty.send(put + "hello");
    QTRY_COMPARE_WITH_TIMEOUT(hasty.answers(), "200 'PUT /a hello'", Patience);
    QVERIFY(!hasty.bytes.contains(goOn));

    Client busy(party); // has another request under way
    busy.send("GET /later HTTP/1.1\r\n\r\n" + put);
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 1, Patience);
    QTest::qWait(0);
    QCOMPARE(busy.bytes, "");
    party.answerLater(0);
    QTRY_VERIFY_WITH_TIMEOUT(busy.bytes.endsWith(goOn), Patience);
    busy.send("hello");
    QTRY_COMPARE_WITH_TIMEOUT(busy.answers(), "200 '/later'\n200 'PUT /a hello'", Patience);

    Client greedy(party);
    greedy.send(QByteArray(put).replace(": 5", ": 500000000"));
    QTRY_VERIFY_WITH_TIMEOUT(greedy.isClosed(), Patience);
    QVERIFY(greedy.bytes.startsWith("HTTP/1.1 413 "));
}

void TestListener::hugeMessages_data()
{
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<int>("megabytes");
    QTest::addColumn<int>("status");

    const QByteArray some(64 * 1024, 'x');
    QTest::newRow("a header") << QByteArray("GET / HTTP/1.1\r\nA: ") << some << 64 << 431;
    QTest::newRow("headers") << QByteArray("GET / HTTP/1.1\r\n")
                             << QByteArray("A: b\r\n").repeated(10'000) << 64 << 431;
    QTest::newRow("a target") << QByteArray("GET /") << some << 64 << 431;
    QTest::newRow("a body") << QByteArray("PUT / HTTP/1.1\r\nContent-Length: 104857600\r\n\r\n")
                            << some << 100 << 413;
    QTest::newRow("a body in chunks")
        << QByteArray("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        << "10000\r\n" + some + "\r\n"
        << 100 << 413;
    QTest::newRow("a chunk's extension")
        << QByteArray("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;") << some << 64
        << 431;
    QTest::newRow("garbage") << QByteArray(1, '\0') << some << 64 << 400;
}

/// The client sends all of it and then finds the answer, and the listener has kept little.
void TestListener::hugeMessages()
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
    other.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(other.answers(), "200 'GET /'", Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
}

void TestListener::tooLargeIsSaidAtOnce()
{
    Party party;
    Client client(party);
    client.send("PUT / HTTP/1.1\r\nContent-Length: 104857600\r\n\r\n"); // and no byte of it
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "413 closes", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
}

void TestListener::slowClients()
{
    Party party({ .headerSeconds = 1, .bodySeconds = 1, .idleSeconds = 1, .answerSeconds = 1 });
    Client idle(party), empty(party), slow(party), stalled(party), used(party), waiting(party),
        deaf(party);
    deaf.setReadBufferSize(1);
    empty.send("\r\n");
    slow.send("GET / HTTP/1.1\r\n");
    QTimer drip;
    connect(&drip, &QTimer::timeout, &slow, [&slow] { slow.send("A: b\r\n"); });
    drip.start(50);
    stalled.send("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhel");
    used.send("GET / HTTP/1.1\r\n\r\n");
    waiting.send("GET /later HTTP/1.1\r\n\r\n");
    deaf.send("GET /big30000000 HTTP/1.1\r\n\r\n");
    const int stubborn = connected(party.listener.port()); // is told to go, and stays
    QCOMPARE(::send(stubborn, "\r\n", 2, 0), 2);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 8, Patience);

    // the last one waits for the handler, who may take longer
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(idle.isClosed() && empty.isClosed() && slow.isClosed()
            && stalled.isClosed() && used.isClosed(),
        Patience);
    ::close(stubborn);
    QCOMPARE(idle.bytes, "");
    QCOMPARE(empty.bytes, "");
    QCOMPARE(slow.answers(), "408 closes");
    QCOMPARE(stalled.answers(), "408 closes");
    QCOMPARE(used.answers(), "200 'GET /'");
    QVERIFY(party.listener.isWaiting(party.later[0].ticket));
    party.answerLater(0);
    QTRY_COMPARE_WITH_TIMEOUT(waiting.answers(), "200 '/later'", Patience);
}

void TestListener::tooMuchUnsent()
{
    Party party({ .mostUnsentBytes = 10'000'000 });
    Client client(party);
    client.setReadBufferSize(1);
    client.send(QByteArray("GET /later HTTP/1.1\r\n\r\n").repeated(3));
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 3, Patience);
    const HttpResponse large { .body = QByteArray(30'000'000, 'x') };
    party.listener.answer(party.later[0].ticket, large); // a single answer may have any size
    QCOMPARE(party.listener.connections(), 1);
    party.listener.answer(party.later[1].ticket, large);
    QCOMPARE(party.listener.connections(), 0);
    party.listener.answer(party.later[2].ticket, large);
}

void TestListener::idleConnections()
{
    constexpr int Count = 1'200;
    Party party;
    Client client(party);
    client.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'GET /'", Patience);

    const qint64 before = memory();
    std::vector<int> idle;
    for (int i = 0; i < Count; ++i) {
        idle.push_back(connected(party.listener.port()));
        // half of them have asked something before
        const QByteArray question = "GET /a HTTP/1.1\r\n\r\n";
        if (i % 2)
            QCOMPARE(::send(idle.back(), question.constData(), size_t(question.size()), 0),
                question.size());
    }
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), Count + 1, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.asked, Count / 2 + 1, Patience);
    const qint64 each = (memory() - before) * 1024 / Count;
    QVERIFY2(!MeasuresMemory || each < 16'000, qPrintable(u"%1 bytes a connection"_s.arg(each)));

    for (int i = 0; i < 100; ++i) {
        client.bytes.clear();
        client.send("PUT /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello");
        QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'", Patience);
    }
    Client another(party);
    another.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(another.answers(), "200 'GET /'", Patience);

    for (const int fd : idle)
        ::close(fd);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 2, Patience);
}

void TestListener::tooManyConnections()
{
    Party party({ .mostConnections = 2 });
    Client first(party), second(party), third(party);
    third.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(third.answers(), "503 closes", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(third.isClosed(), Patience);
    QCOMPARE(party.asked, 0);
    second.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(second.answers(), "200 'GET /'", Patience);
    first.abort();
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
    Client fourth(party);
    fourth.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(fourth.answers(), "200 'GET /'", Patience);
}

/// Connections that cannot be accepted now are accepted as soon as there are descriptors again.
void TestListener::descriptorsRunOut()
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

void TestListener::token_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("right") << QByteArray("Authorization: Bearer secret\r\n")
                           << QByteArray("200 'GET /'");
    QTest::newRow("wrong") << QByteArray("Authorization: Bearer public\r\n") << QByteArray("401");
    QTest::newRow("missing") << QByteArray() << QByteArray("401");
}

void TestListener::token()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, expected);
    Party party({ .token = "secret" });
    Client client(party);
    const QByteArray question = "GET / HTTP/1.1\r\n" + header + "\r\n";
    client.send(question + question);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), expected + '\n' + expected, Patience);
    QCOMPARE(client.bytes.contains("WWW-Authenticate: Bearer\r\n"), expected == "401");
    QCOMPARE(party.asked, expected == "401" ? 0 : 2);
}

/// Strangers need not send their bodies, nor are they asked to.
void TestListener::tokenBeforeBody()
{
    Party party({ .token = "secret" });
    Client client(party);
    client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 10000000\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "401 closes", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
    QVERIFY(!client.bytes.contains("100 Continue"));

    Client known(party);
    known.send("PUT / HTTP/1.1\r\nAuthorization: Bearer secret\r\nExpect: 100-continue\r\n"
               "Content-Length: 2\r\n\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(known.bytes.contains("100 Continue"), Patience);
    known.send("hi");
    QTRY_COMPARE_WITH_TIMEOUT(known.answers(), "200 'PUT / hi'", Patience);
}

void TestListener::cannotListen()
{
    HttpListener listener([](HttpListener::Ticket, const HttpRequest &, const QString &) {});
    const auto problem = [&](const HttpListener::Options &options) {
        const Result<quint16> port = listener.listen(options);
        return port ? u"listens"_s : port.error();
    };
    QVERIFY(problem({ .address = QHostAddress::Any }).contains("token"_L1));
    QVERIFY(problem({ .address = QHostAddress(u"192.0.2.1"_s) }).contains("token"_L1));
    QVERIFY(problem({ .certificate = "x", .key = "y" }).contains("certificate"_L1));
    QVERIFY(problem({ .key = "y" }).contains("certificate"_L1));
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    QVERIFY(
        problem({ .port = other.serverPort() }).contains(u"port %1: "_s.arg(other.serverPort())));
    QVERIFY(!listener.isSecure());

    QCOMPARE(problem({ .address = QHostAddress::Any, .token = "secret" }), u"listens"_s);
    QVERIFY(listener.port() != 0);
    QVERIFY(problem({}).contains("lready"_L1));
    Client client(listener.port());
    client.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "401", Patience);
}

void TestListener::faults()
{
    Party party;
    Client half(party), nothing(party), raw(party), behind(party);
    for (Client *client : { &half, &nothing, &raw }) {
        client->send("GET /later HTTP/1.1\r\n\r\n");
        const qsizetype before = party.later.size();
        QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), before + 1, Patience);
    }
    behind.send("GET /later HTTP/1.1\r\n\r\nGET /later HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 5, Patience);

    const HttpResponse response { .body = "hello" };
    const QByteArray bytes = toBytes(response);
    party.listener.breakOff(party.later[0].ticket, response, bytes.size() - 2);
    party.listener.breakOff(party.later[1].ticket, response, 0);
    party.listener.sendRaw(party.later[2].ticket, QByteArray("\0not HTTP", 9));
    party.listener.breakOff(party.later[4].ticket, response, 5);
    QTRY_VERIFY_WITH_TIMEOUT(half.isClosed() && nothing.isClosed() && raw.isClosed(), Patience);
    QCOMPARE(half.bytes, bytes.chopped(2));
    QCOMPARE(nothing.bytes, "");
    QCOMPARE(raw.bytes, QByteArray("\0not HTTP", 9));
    QCOMPARE(behind.bytes, "");
    party.answerLater(3);
    QTRY_VERIFY_WITH_TIMEOUT(behind.isClosed(), Patience);
    QCOMPARE(behind.answers(), "200 '/later'");
    QVERIFY(behind.bytes.endsWith("HTTP/"));
}

void TestListener::closing()
{
    Party party;
    QSignalSpy closed(&party.listener, &HttpListener::closed);
    Client idle(party), half(party), waiting(party);
    half.send("GET / HTTP/1.1\r\nHo");
    waiting.send("GET /later/1 HTTP/1.1\r\n\r\nGET /later/2 HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 2, Patience);
    QCOMPARE(party.listener.connections(), 3);
    const quint16 port = party.listener.port();

    party.listener.close(Patience);
    QTRY_VERIFY_WITH_TIMEOUT(idle.isClosed() && half.isClosed(), Patience);
    QTcpSocket late;
    late.connectToHost(QHostAddress::LocalHost, port);
    QTRY_COMPARE_WITH_TIMEOUT(late.error(), QTcpSocket::ConnectionRefusedError, Patience);
    QCOMPARE(closed.size(), 0);
    party.answerLater(0);
    party.answerLater(1);
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, Patience);
    QTRY_COMPARE_WITH_TIMEOUT(waiting.answers(), "200 '/later/1'\n200 closes '/later/2'", Patience);
    QCOMPARE(party.listener.connections(), 0);

    QVERIFY(party.listener.listen({}));
    Client again(party);
    again.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(again.answers(), "200 'GET /'", Patience);
    QCOMPARE(closed.size(), 1);
}

void TestListener::closingInTime()
{
    Party party;
    QSignalSpy closed(&party.listener, &HttpListener::closed);
    Client waiting(party), deaf(party);
    deaf.setReadBufferSize(1);
    waiting.send("GET /later HTTP/1.1\r\n\r\n");
    deaf.send("GET /big30000000 HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.asked, 2, Patience);
    party.listener.close(100);
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, Patience);
    QCOMPARE(party.listener.connections(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(waiting.isClosed(), Patience);
    QCOMPARE(waiting.bytes, "");
    party.answerLater(0);

    party.listener.close(100); // there is nothing left to close
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 2, Patience);
}

void TestListener::endsWithConnections()
{
    auto party = std::make_unique<Party>();
    Client idle(*party), waiting(*party), deaf(*party);
    deaf.setReadBufferSize(1);
    waiting.send("GET /later HTTP/1.1\r\n\r\n");
    deaf.send("GET /big30000000 HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party->asked, 2, Patience);
    party.reset();
    QTRY_VERIFY_WITH_TIMEOUT(idle.isClosed() && waiting.isClosed(), Patience);
}

// ---- TLS

bool TestListener::makeCertificate()
{
    if (!m_key.isEmpty())
        return true;
    const QString openssl = QStandardPaths::findExecutable(u"openssl"_s);
    if (openssl.isEmpty() || !QSslSocket::supportsSsl())
        return false;
    const QString key = m_folder.filePath(u"key.pem"_s);
    const QString certificate = m_folder.filePath(u"certificate.pem"_s);
    QProcess process;
    process.start(openssl,
        { u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s, u"-days"_s, u"2"_s,
            u"-subj"_s, u"/CN=localhost"_s, u"-addext"_s,
            u"subjectAltName=DNS:localhost,IP:127.0.0.1"_s, u"-keyout"_s, key, u"-out"_s,
            certificate });
    if (!process.waitForFinished(Patience) || process.exitCode() != 0)
        qFatal("openssl: %s", process.readAllStandardError().constData());
    QFile keyFile(key), certificateFile(certificate);
    if (!keyFile.open(QFile::ReadOnly) || !certificateFile.open(QFile::ReadOnly))
        qFatal("openssl wrote nothing");
    m_key = keyFile.readAll();
    m_certificate = certificateFile.readAll();
    return true;
}

void TestListener::tls()
{
    if (!makeCertificate())
        QSKIP("needs openssl, and Qt with TLS");
    Party party({ .certificate = m_certificate, .key = m_key });
    QVERIFY(party.listener.isSecure());
    ClientOf<QSslSocket> client(party);
    QSslConfiguration configuration = client.sslConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromData(m_certificate));
    client.setSslConfiguration(configuration);
    client.connectToHostEncrypted(u"127.0.0.1"_s, party.listener.port());
    QTRY_VERIFY_WITH_TIMEOUT(client.isEncrypted(), Patience);

    client.send("PUT /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloGET /later HTTP/1.1\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'", Patience);
    party.answerLater(0);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'\n200 '/later'", Patience);

    client.bytes.clear(); // large both ways, and more requests than may wait
    const QByteArray body(5'000'000, 'x');
    client.send("PUT /b HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n" + body
        + QByteArray("GET /big100000 HTTP/1.1\r\n\r\n").repeated(200));
    const QByteArray big = "\n200 '" + QByteArray(100'000, 'x') + '\'';
    QTRY_COMPARE_WITH_TIMEOUT(client.bytes.count("HTTP/1.1 200"), 201, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(
        client.answers() == "200 'PUT /b " + body + '\'' + big.repeated(200), Patience);

    client.bytes.clear();
    client.send("PUT /b HTTP/1.1\r\nContent-Length: 500000000\r\n\r\n" + body);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "413 closes", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);
}

void TestListener::tlsAndStrangers()
{
    if (!makeCertificate())
        QSKIP("needs openssl, and Qt with TLS");
    Party party({ .headerSeconds = 1, .certificate = m_certificate, .key = m_key });
    Client plain(party), silent(party);
    plain.send("GET / HTTP/1.1\r\n\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(plain.isClosed() && silent.isClosed(), Patience);
    QCOMPARE(party.asked, 0);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);

    HttpListener listener([](HttpListener::Ticket, const HttpRequest &, const QString &) {});
    const Result<quint16> port = listener.listen({ .certificate = m_certificate, .key = "x" });
    QVERIFY(!port && port.error().contains("key"_L1));
}

// ---- An independent client

void TestListener::curl()
{
    const QString program = QStandardPaths::findExecutable(u"curl"_s);
    if (program.isEmpty())
        QSKIP("needs curl");
    Party party;
    const QString url = u"http://127.0.0.1:%1"_s.arg(party.listener.port());
    QByteArray out, err;
    const auto run = [&](const QStringList &arguments) {
        QProcess process;
        process.start(program, QStringList { u"-sSv"_s, u"--max-time"_s, u"20"_s } + arguments);
        QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, Patience + 5000);
        out = process.readAllStandardOutput();
        err = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, err.constData());
    };
    run({ url + u"/1"_s, url + u"/2"_s });
    QCOMPARE(out, "GET /1GET /2");
    QVERIFY2(err.contains("Re-using existing connection"), err.constData());

    QFile file(m_folder.filePath(u"body"_s));
    QVERIFY(file.open(QFile::WriteOnly));
    const QByteArray body = QByteArray("0123456789").repeated(200'000);
    file.write(body);
    file.close();
    run({ u"-T"_s, file.fileName(), u"-H"_s, u"Transfer-Encoding: chunked"_s, url + u"/up"_s });
    QVERIFY(out == "PUT /up " + body);
    run({ u"-T"_s, file.fileName(), url + u"/up"_s });
    QVERIFY(out == "PUT /up " + body);

    run({ u"-I"_s, url + u"/abcdef"_s, url + u"/x"_s });
    QCOMPARE(out.count("HTTP/1.1 200 OK"), 2);
    QVERIFY2(out.contains("Content-Length: 12\r\n"), out.constData());

    run({ u"-H"_s, u"Expect: 100-continue"_s, u"-d"_s, u"hello"_s, url + u"/e"_s });
    QCOMPARE(out, "POST /e hello");
    QVERIFY2(err.contains("HTTP/1.1 100 Continue"), err.constData());

    run({ u"-0"_s, url + u"/old"_s });
    QCOMPARE(out, "GET /old");
    QVERIFY2(err.contains("Closing connection"), err.constData());

    if (!makeCertificate())
        return;
    Party secure({ .certificate = m_certificate, .key = m_key });
    run({ u"--cacert"_s, m_folder.filePath(u"certificate.pem"_s),
        u"https://127.0.0.1:%1/s"_s.arg(secure.listener.port()) });
    QCOMPARE(out, "GET /s");
}

} // namespace

QTEST_GUILESS_MAIN(TestListener)
#include "tst_listener.moc"
