// SPDX-License-Identifier: Apache-2.0
// The listener over real sockets, with clients that are right, wrong or gone.

#include "tests/remote/party.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/testclass.h"

#include <QDateTime>
#include <QSignalSpy>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestListener : public QObject
{
    Q_OBJECT

private slots:
    void answers_data();
    void answers();
    void head();
    void halfClosed();
    void details();
    void lateAnswers();
    void goneBeforeAnswer();
    void pipelining();
    void lastAnswer();
    void asksToContinue();
    void token_data();
    void token();
    void tokenBeforeBody();
    void cannotListen();
    void closing();
    void closingInTime();
    void tellsWhatItAnswersItself();
    void tls();
    void tlsAndStrangers();

private:
    const TestCertificate m_own = TestCertificate::make();
};

void TestListener::answers_data()
{
    const Rows<QByteArray, QByteArray, bool> row("bytes", "expected", "closes");
    const auto bad = [&](const char *name, const QByteArray &bytes, int status = 400) {
        row(name, bytes, QByteArray::number(status) + " closes", true);
    };

    row("a question", "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "200 'GET /a'", false);
    row("a body", "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
        "200 'PUT /a hello'", false);
    row("without content", "GET /none HTTP/1.1\r\nHost: x\r\n\r\n", "204", false);
    row("closing", "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "200 closes 'GET /a'",
        true);
    row("nothing is read after closing",
        "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n",
        "200 closes 'GET /a'", true);
    const auto from = [&](const QByteArray &headers, const QByteArray &expected) {
        row(headers.constData(), "GET /a HTTP/1.1\r\n" + headers + "\r\n\r\n", expected, false);
    };
    for (const char *host :
        { "X:8080", "localhost", "LOCALHOST:65535", "127.0.0.1:80", "127.1.2.3", "[::1]:80", "x:" })
        from("Host: "_ba + host, "200 'GET /a'");
    for (const char *host : { "evil.example", "x.evil.example:80", "127.0.0.1.evil.example",
             "localhost.evil.example", "[fe80::1]:80", "192.0.2.1", "0.0.0.0" })
        from("Host: "_ba + host, "403");
    from("Host: x:8080\r\nOrigin: http://x:8080", "200 'GET /a'");
    from("Host: x\r\nOrigin: https://X", "200 'GET /a'");
    for (const char *origin :
        { "https://evil.example", "http://x:8081", "http://x.evil.example", "null", "file://" })
        from("Host: x:8080\r\nOrigin: "_ba + origin, "403");
    from("Host: x\r\nSec-Fetch-Site: cross-site", "403");
    from("Host: x\r\nSec-Fetch-Site: same-origin", "200 'GET /a'");
    from("Host: x\r\nSec-Fetch-Site: none", "200 'GET /a'");
    row("an empty host", "GET /a HTTP/1.1\r\nHost:\r\n\r\n", "200 'GET /a'", false);
    bad("no host", "GET /a HTTP/1.1\r\nAccept: x\r\n\r\n");
    for (const char *host : { "a b", "a/b", "a\"b", "<a>", "me@a", "a:b", "a:1:2", "a:99999",
             "a:65536", "a:000080", "[::1", "[a/b]", "a\xc3\xa4", "a%41", "?" })
        bad(qPrintable(u"the host %1"_s.arg(QString::fromUtf8(host))),
            QByteArray("GET /a HTTP/1.1\r\nHost: ") + host + "\r\n\r\n");
    row("HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n", "200 closes 'GET /a'", true);
    row("HTTP/1.0 that stays", "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "200 'GET /a'",
        false);
    row("garbage after a request", "GET /a HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n",
        "200 'GET /a'\n400 closes", true);

    bad("a length beyond the limit",
        "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 16777217\r\n\r\n", 413);
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
    whole.send("GET /again HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(whole.answers(), expected + "\n200 'GET /again'", Patience);
    QCOMPARE(party.listener.connections(), 2);
    QVERIFY(!whole.isClosed());
}

void TestListener::head()
{
    Party party;
    Client client(party);
    client.send("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(BodyOf::Head), "200\n200 'GET /'", Patience);
    QVERIFY(client.bytes.contains("Content-Length: 9\r\n")); // of "HEAD /abc"
}

/// Who sends no more may still read.
void TestListener::halfClosed()
{
    Party party;
    Client client(party);
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
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
    client.send("GET /later/1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\nGET "
                "/later/3 HTTP/1.1\r\nHost: x\r\n\r\n"
                "GET /later/4 HTTP/1.1\r\nHost: x\r\n\r\n");
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
        clients.last()->send(
            "GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET /later HTTP/1.1\r\nHost: x\r\n\r\n");
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
        client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
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

void TestListener::lastAnswer()
{
    Party party;
    Client client(party);
    client.send("GET /later/1 HTTP/1.1\r\nHost: x\r\n\r\nGET /last HTTP/1.1\r\nHost: x\r\n\r\n"
                "GET /later/3 HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(party.later.size(), 2, Patience);
    party.answerLater(0);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
    QCOMPARE(client.answers(), "200 '/later/1'\n200 closes 'GET /last'");
    QVERIFY(!party.listener.isWaiting(party.later[1].ticket));
    party.answerLater(1);
}

void TestListener::asksToContinue()
{
    const QByteArray put =
        "PUT /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
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
    busy.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n" + put);
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

void TestListener::token_data()
{
    const Rows<QByteArray, QByteArray> row("header", "expected");
    row("right", "Authorization: Bearer secret\r\n", "200 'GET /'");
    row("wrong", "Authorization: Bearer public\r\n", "401");
    row("missing", {}, "401");
}

void TestListener::token()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, expected);
    Party party({ .token = "secret" });
    Client client(party);
    const QByteArray question = "GET / HTTP/1.1\r\nHost: x\r\n" + header + "\r\n";
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
    client.send(
        "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10000000\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "401 closes", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
    QVERIFY(!client.bytes.contains("100 Continue"));

    Client known(party);
    known.send(
        "PUT / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\nExpect: 100-continue\r\n"
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
    Client client(listener.port());
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "401", Patience);
}

void TestListener::closing()
{
    Party party;
    QSignalSpy closed(&party.listener, &HttpListener::closed);
    Client idle(party), half(party), waiting(party);
    half.send("GET / HTTP/1.1\r\nHost: x\r\nHo");
    waiting.send(
        "GET /later/1 HTTP/1.1\r\nHost: x\r\n\r\nGET /later/2 HTTP/1.1\r\nHost: x\r\n\r\n");
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
}

void TestListener::closingInTime()
{
    Party party;
    QSignalSpy closed(&party.listener, &HttpListener::closed);
    Client waiting(party), deaf(party);
    deaf.setReadBufferSize(1);
    waiting.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    deaf.send("GET /big30000000 HTTP/1.1\r\nHost: x\r\n\r\n");
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

/// What the handler never sees is told of all the same, with what was understood of it.
void TestListener::tellsWhatItAnswersItself()
{
    Party party({ .token = "s3cret" });
    QStringList told;
    connect(&party.listener, &HttpListener::refused, this,
        [&](const HttpRequest &request, const HttpResponse &response, const QString &peer) {
            told += u"%1 %2 %3"_s.arg(QString::fromLatin1(request.method),
                QString::fromLatin1(request.target), QString::number(response.status));
            QVERIFY(peer.startsWith(u"127.0.0.1:"_s));
        });
    Client client(party);
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nPUT /b HTTP/1.1\r\nHost: x\r\n"
                "Content-Length: 5\r\n\r\nhello");
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, Patience);
    client.send("PUT /large HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel");
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 3, Patience);
    Client garbage(party);
    garbage.send("garbage\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 4, Patience);
    QCOMPARE(
        told, QStringList({ u"GET /a 401"_s, u"PUT /b 401"_s, u"PUT /large 401"_s, u"  400"_s }));
    QCOMPARE(party.asked, 0);
}

void TestListener::tls()
{
    Party party({ .certificate = m_own.certificate, .key = m_own.key });
    QVERIFY(party.listener.isSecure());
    ClientOf<QSslSocket> client(party);
    QSslConfiguration configuration = client.sslConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromData(m_own.certificate));
    client.setSslConfiguration(configuration);
    client.connectToHostEncrypted(u"127.0.0.1"_s, party.listener.port());
    QTRY_VERIFY_WITH_TIMEOUT(client.isEncrypted(), Patience);

    client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /later "
                "HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'", Patience);
    party.answerLater(0);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'\n200 '/later'", Patience);

    client.bytes.clear(); // large both ways, and more requests than may wait
    const QByteArray body(5'000'000, 'x');
    client.send("PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" + body
        + QByteArray("GET /big100000 HTTP/1.1\r\nHost: x\r\n\r\n").repeated(200));
    const QByteArray big = "\n200 '" + QByteArray(100'000, 'x') + '\'';
    QTRY_COMPARE_WITH_TIMEOUT(client.bytes.count("HTTP/1.1 200"), 201, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(
        client.answers() == "200 'PUT /b " + body + '\'' + big.repeated(200), Patience);

    client.bytes.clear();
    client.send("PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 500000000\r\n\r\n" + body);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "413 closes", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);
}

void TestListener::tlsAndStrangers()
{
    Party party({ .headerSeconds = 1, .certificate = m_own.certificate, .key = m_own.key });
    Client plain(party), silent(party);
    plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(plain.isClosed() && silent.isClosed(), Patience);
    QCOMPARE(party.asked, 0);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);

    HttpListener listener([](HttpListener::Ticket, const HttpRequest &, const QString &) {});
    const Result<quint16> port = listener.listen({ .certificate = m_own.certificate, .key = "x" });
    QVERIFY(!port && port.error().contains("key"_L1));
}

} // namespace

const instar::TestClass<TestListener> registered;
#include "tst_listener.moc"
