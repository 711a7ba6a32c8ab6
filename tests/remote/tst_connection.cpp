// SPDX-License-Identifier: Apache-2.0
// Everything that is asked one by one: credentials and where they go, redirects, cookies, patience,
// and that no secret is seen in an exchange.

#include "model/remote/connection.h"
#include "model/remote/keychain.h"
#include "model/remote/masking.h"
#include "tests/remote/scriptedserver.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

class TestConnection : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void answers();
    void authorizations_data();
    void authorizations();
    void badOptions_data();
    void badOptions();
    void redirectsAtHome();
    void redirectsElsewhere();
    void endlessRedirects();
    void otherRedirects();
    void repeats();
    void repeatsOnlyWhatIsSafe();
    void retryAfterOnPassingTrouble();
    void timeout();
    void dribble();
    void tooLarge();
    void cutOff();
    void nobodyThere();
    void cookies();
    void twoCookies();
    void secure();
    void clientCertificate();
    void otherWays();
    void abandoned();
    void masks_data();
    void masks();
    void maskedHeaderValues();
    void maskedHeader_data();
    void maskedHeader();
    void prefix();
    void keychain();
};

namespace {

std::unique_ptr<Connection> connected(const Connection::Options &options)
{
    Result<std::unique_ptr<Connection>> made = Connection::make(options);
    if (!made)
        qFatal("%s", qPrintable(made.error()));
    return std::move(*made);
}

Connection::Errand errand(const QByteArray &target, const QByteArray &method = "GET")
{
    Connection::Errand errand;
    errand.request.method = method;
    errand.request.target = target;
    return errand;
}

/// Sends and waits.
Connection::Answer asked(Connection &connection, const Connection::Errand &errand)
{
    std::optional<Connection::Answer> answer;
    connection.send(errand, [&](const Connection::Answer &given) { answer = given; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 20'000))
        qFatal("no answer");
    return *answer;
}

QString text(const Connection::Answer &answer)
{
    return answer.response
        ? u"%1 %2"_s.arg(answer.response->status).arg(QString::fromUtf8(answer.response->body))
        : answer.problem;
}

void echo(const HttpRequest &request, QTcpSocket *socket)
{
    ScriptedServer::answer(socket, 200, request.method + ' ' + request.target + ' ' + request.body);
}

ScriptedServer::Handler answering(int status, const HttpHeaders &headers = {})
{
    return [=](const HttpRequest &, QTcpSocket *socket) {
        ScriptedServer::answer(socket, status, "x", headers);
    };
}

} // namespace

void TestConnection::initTestCase()
{
    // Nobody's real keychain.
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/instar-test-bus");
    qunsetenv("DISPLAY");
}

void TestConnection::answers()
{
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url() });
    QSignalSpy began(connection.get(), &Connection::began);
    QSignalSpy ended(connection.get(), &Connection::ended);
    Connection::Errand put = errand("/a?b=%2F", "PUT");
    put.request.body = "{\"x\": 1}";
    put.request.headers = { { "Content-Type", "application/json" }, { "X-Own", "1" } };
    put.purpose = Exchange::Purpose::Fire;
    put.client = u"A"_s;
    put.operation = u"op1"_s;
    QCOMPARE(text(asked(*connection, put)), u"200 PUT /a?b=%2F {\"x\": 1}"_s);
    QCOMPARE(text(asked(*connection, errand("/gone", "DELETE"))), u"200 DELETE /gone "_s);
    QCOMPARE(header(server.requests.first().headers, "X-Own"), "1");
    QCOMPARE(header(server.requests.first().headers, "User-Agent"), "instar");
    QVERIFY(header(server.requests.first().headers, "Authorization").isEmpty());

    QCOMPARE(began.size(), 2);
    QCOMPARE(ended.size(), 2);
    const auto first = began.first().first().value<Exchange>();
    QVERIFY(!first.isOver());
    const auto exchange = ended.first().first().value<Exchange>();
    QCOMPARE(exchange.number, quint64(1));
    QCOMPARE(exchange.purpose, Exchange::Purpose::Fire);
    QCOMPARE(exchange.client, u"A"_s);
    QCOMPARE(exchange.operation, u"op1"_s);
    QCOMPARE(exchange.method, u"PUT"_s);
    QCOMPARE(exchange.url, server.url(u"/a?b=%2F"_s).toString(QUrl::FullyEncoded));
    QCOMPARE(exchange.status, 200);
    QCOMPARE(exchange.requestBody, "{\"x\": 1}");
    QCOMPARE(exchange.responseBody, "PUT /a?b=%2F {\"x\": 1}");
    QVERIFY(exchange.isOver());
    QVERIFY(exchange.wait >= 0 && exchange.wait <= exchange.duration);
    QVERIFY(exchange.sent.isValid());
    QCOMPARE(exchange.sent.timeSpec(), Qt::UTC);
}

void TestConnection::authorizations_data()
{
    QTest::addColumn<Credential>("credential");
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<QString>("shown");
    QTest::newRow("bearer") << Credential { Credential::Kind::Bearer, {}, u" tok-123\n"_s, {}, {} }
                            << QByteArray("Bearer tok-123") << u"Bearer ***"_s;
    QTest::newRow("basic") << Credential { Credential::Kind::Basic, u"me"_s, u"pass:wörd"_s, {},
        {} } << "Basic " + QByteArray("me:pass:w\xc3\xb6rd").toBase64()
                           << u"Basic ***"_s;
    QTest::newRow("none") << Credential() << QByteArray() << QString();
}

void TestConnection::authorizations()
{
    QFETCH(const Credential, credential);
    QFETCH(const QByteArray, sent);
    QFETCH(const QString, shown);
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(), .credential = credential });
    QSignalSpy ended(connection.get(), &Connection::ended);
    asked(*connection, errand("/"));
    QCOMPARE(header(server.requests.first().headers, "Authorization"), sent);
    const auto exchange = ended.first().first().value<Exchange>();
    QString found;
    for (const Exchange::Header &one : exchange.requestHeaders)
        found += one.name == u"Authorization" ? one.value : QString();
    QCOMPARE(found, shown);
}

void TestConnection::badOptions_data()
{
    QTest::addColumn<QUrl>("server");
    QTest::addColumn<Credential>("credential");
    QTest::addColumn<QByteArray>("authorities");
    QTest::addColumn<QString>("problem");
    const QUrl good(u"http://127.0.0.1:1"_s);
    const auto row = [&](const char *name, const QUrl &server, const Credential &credential,
                         const QByteArray &authorities, const QString &problem) {
        QTest::newRow(name) << server << credential << authorities << problem;
    };
    row("no url", QUrl(), {}, {},
        u"\"\" is no address of a server; one looks like https://host:port."_s);
    row("a word", QUrl(u"server"_s), {}, {},
        u"\"server\" is no address of a server; one looks like https://host:port."_s);
    row("ftp, password unseen", QUrl(u"ftp://me:secret@host"_s), {}, {},
        u"\"ftp://host\" is no address of a server; one looks like https://host:port."_s);
    row("two lines", good, { Credential::Kind::Bearer, {}, u"a\r\nX: y"_s, {}, {} }, {},
        u"The token holds line breaks or control characters; it must be one line."_s);
    row("no token", good, { Credential::Kind::Bearer, {}, u" "_s, {}, {} }, {},
        u"The token is empty."_s);
    row("a colon", good, { Credential::Kind::Basic, u"a:b"_s, {}, {}, {} }, {},
        u"The user's name holds a colon, which it must not."_s);
    row("no certificate", good, { Credential::Kind::Certificate, {}, {}, "x", "y" }, {},
        u"The client certificate is no certificate in PEM."_s);
    row("no authority", good, {}, "x",
        u"The file of trusted authorities holds no certificate in PEM."_s);
}

void TestConnection::badOptions()
{
    QFETCH(const QUrl, server);
    QFETCH(const Credential, credential);
    QFETCH(const QByteArray, authorities);
    QFETCH(const QString, problem);
    const Result<std::unique_ptr<Connection>> made = Connection::make(
        { .server = server, .credential = credential, .authorities = authorities });
    QVERIFY(!made);
    QCOMPARE(made.error(), problem);
}

void TestConnection::redirectsAtHome()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target == "/a")
            ScriptedServer::answer(socket, 302, {}, { { "Location", "/b" } });
        else
            echo(request, socket);
    });
    const auto connection = connected({ .server = server.url(),
        .credential = { Credential::Kind::Bearer, {}, u"tok"_s, {}, {} } });
    QSignalSpy ended(connection.get(), &Connection::ended);
    const Connection::Answer answer = asked(*connection, errand("/a"));
    QCOMPARE(text(answer), u"200 GET /b "_s);
    QCOMPARE(answer.url, server.url(u"/b"_s));
    QCOMPARE(answer.number, quint64(2));
    QCOMPARE(header(server.requests.last().headers, "Authorization"), "Bearer tok");
    QCOMPARE(ended.size(), 2); // each is an exchange
}

void TestConnection::redirectsElsewhere()
{
    ScriptedServer other(echo);
    ScriptedServer server(answering(307, { { "Location", other.url(u"/there"_s).toEncoded() } }));
    const auto connection = connected({ .server = server.url(),
        .credential = { Credential::Kind::Bearer, {}, u"tok"_s, {}, {} } });
    QCOMPARE(text(asked(*connection, errand("/a"))), u"200 GET /there "_s);
    QVERIFY(!hasHeader(other.requests.first().headers, "Authorization"));

    // Asked there directly it is the same.
    Connection::Errand direct = errand("/");
    direct.url = other.url(u"/direct"_s);
    asked(*connection, direct);
    QVERIFY(!hasHeader(other.requests.last().headers, "Authorization"));
}

void TestConnection::endlessRedirects()
{
    ScriptedServer server(answering(302, { { "Location", "/" } }));
    const auto connection = connected({ .server = server.url(), .mostRedirects = 4 });
    QCOMPARE(text(asked(*connection, errand("/"))),
        server.url(u"/"_s).toString() + u" redirects without end."_s);
    QCOMPARE(server.requests.size(), 5);
}

/// Those of other requests are the asker's business.
void TestConnection::otherRedirects()
{
    ScriptedServer server(answering(307, { { "Location", "/there" } }));
    const auto connection = connected({ .server = server.url() });
    QCOMPARE(text(asked(*connection, errand("/", "PUT"))), u"307 x"_s);
    ScriptedServer strange(answering(302, { { "Location", "file:///etc/passwd" } }));
    const auto careful = connected({ .server = strange.url() });
    QCOMPARE(text(asked(*careful, errand("/"))),
        strange.url(u"/"_s).toString()
            + u" redirects to file:///etc/passwd, which is not followed."_s);
}

void TestConnection::repeats()
{
    int count = 0;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (++count == 1)
            socket->abort();
        else if (count == 2)
            ScriptedServer::answer(socket, 503);
        else
            echo(request, socket);
    });
    const auto connection = connected({ .server = server.url(), .firstBackoffMs = 1 });
    Connection::Errand patient = errand("/");
    patient.mayRepeat = true;
    QCOMPARE(text(asked(*connection, patient)), u"200 GET / "_s);

    ScriptedServer busy(answering(503));
    const auto other = connected({ .server = busy.url(), .firstBackoffMs = 1 });
    QCOMPARE(text(asked(*other, patient)), u"503 x"_s);
    QCOMPARE(busy.requests.size(), 3);
    ScriptedServer broken(answering(500));
    const auto third = connected({ .server = broken.url(), .firstBackoffMs = 1 });
    QCOMPARE(text(asked(*third, patient)), u"500 x"_s);
    QCOMPARE(broken.requests.size(), 1);
}

void TestConnection::repeatsOnlyWhatIsSafe()
{
    ScriptedServer busy(answering(503));
    const auto connection = connected({ .server = busy.url(), .firstBackoffMs = 1 });
    Connection::Errand put = errand("/", "PUT");
    put.mayRepeat = true;
    QCOMPARE(text(asked(*connection, put)), u"503 x"_s);
    QCOMPARE(text(asked(*connection, errand("/"))), u"503 x"_s); // and only where it may
    QCOMPARE(busy.requests.size(), 2);
}

void TestConnection::retryAfterOnPassingTrouble()
{
    QList<qint64> times;
    QElapsedTimer clock;
    clock.start();
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        times += clock.elapsed();
        if (times.size() == 1)
            ScriptedServer::answer(socket, 429, {}, { { "Retry-After", "0.2" } });
        else
            echo(request, socket);
    });
    const auto connection = connected({ .server = server.url(), .firstBackoffMs = 60'000 });
    QSignalSpy ended(connection.get(), &Connection::ended);
    Connection::Errand patient = errand("/");
    patient.mayRepeat = true;
    QCOMPARE(text(asked(*connection, patient)), u"200 GET / "_s);
    QVERIFY(times[1] - times[0] >= 190);
    QCOMPARE(ended.first().first().value<Exchange>().retryAfter.value_or(-1), 0.2);
}

void TestConnection::timeout()
{
    ScriptedServer server([](const HttpRequest &, QTcpSocket *) {});
    const auto connection = connected({ .server = server.url(), .timeoutMs = 50 });
    QSignalSpy ended(connection.get(), &Connection::ended);
    QCOMPARE(text(asked(*connection, errand("/"))),
        u"No answer from %1 within 0.05 s."_s.arg(server.url().authority()));
    const auto exchange = ended.first().first().value<Exchange>();
    QCOMPARE(exchange.status, 0);
    QVERIFY(!exchange.problem.isEmpty());
    QVERIFY(exchange.isOver());
}

/// A byte now and then is no progress.
void TestConnection::dribble()
{
    ScriptedServer server([](const HttpRequest &, QTcpSocket *socket) {
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
        auto *timer = new QTimer(socket);
        QObject::connect(timer, &QTimer::timeout, socket, [socket] { socket->write("x"); });
        timer->start(5);
    });
    const auto connection = connected({ .server = server.url(), .timeoutMs = 150 });
    QVERIFY(text(asked(*connection, errand("/"))).startsWith(u"No answer from "_s));
}

void TestConnection::tooLarge()
{
    ScriptedServer server([](const HttpRequest &, QTcpSocket *socket) {
        ScriptedServer::answer(socket, 200, QByteArray(5 * 1024 * 1024, 'x'));
    });
    const auto connection = connected({ .server = server.url(), .mostBytes = 1024 * 1024 });
    QCOMPARE(text(asked(*connection, errand("/"))), u"The answer is larger than 1 MiB."_s);
}

void TestConnection::cutOff()
{
    ScriptedServer server([](const HttpRequest &, QTcpSocket *socket) {
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        socket->disconnectFromHost();
    });
    const auto connection = connected({ .server = server.url() });
    const Connection::Answer answer = asked(*connection, errand("/"));
    QVERIFY(!answer.response);
    QVERIFY2(answer.problem.startsWith(server.url().authority() + u" does not answer: "_s),
        qPrintable(answer.problem));
}

void TestConnection::nobodyThere()
{
    ScriptedServer server(echo);
    server.stop();
    const auto connection = connected({ .server = server.url() });
    QCOMPARE(text(asked(*connection, errand("/"))),
        server.url().authority() + u" does not answer: Connection refused."_s);
}

void TestConnection::cookies()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target == "/login")
            ScriptedServer::answer(socket, 200, {}, { { "Set-Cookie", "session=s3cret; Path=/" } });
        else
            echo(request, socket);
    });
    const auto connection = connected({ .server = server.url() });
    QSignalSpy ended(connection.get(), &Connection::ended);
    asked(*connection, errand("/login"));
    asked(*connection, errand("/next"));
    QCOMPARE(header(server.requests.last().headers, "Cookie"), "session=s3cret");
    QCOMPARE(
        header(connection->prepared({}, server.url(u"/x"_s)).headers, "Cookie"), "session=s3cret");
    for (const QList<QVariant> &signal : ended) {
        const auto exchange = signal.first().value<Exchange>();
        for (const Exchange::Header &one : exchange.requestHeaders + exchange.responseHeaders)
            QVERIFY(!one.value.contains(u"s3cret"_s));
    }
}

/// Two in one answer are two headers, though Qt hands them over in one.
void TestConnection::twoCookies()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target == "/login")
            ScriptedServer::answer(socket, 200, {},
                { { "Set-Cookie", "a=1; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT" },
                    { "Set-Cookie", "b=2; Path=/" } });
        else
            echo(request, socket);
    });
    const auto connection = connected({ .server = server.url() });
    const Connection::Answer login = asked(*connection, errand("/login"));
    QVERIFY(login.response);
    QByteArrayList told;
    for (const HttpHeader &one : login.response->headers) {
        if (one.name.compare("Set-Cookie", Qt::CaseInsensitive) == 0)
            told += one.value.toByteArray();
    }
    QCOMPARE(told.join('|'), "a=1; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT|b=2; Path=/");
    asked(*connection, errand("/next"));
    QByteArrayList back = header(server.requests.last().headers, "Cookie").split(';');
    for (QByteArray &one : back)
        one = one.trimmed();
    std::ranges::sort(back);
    QCOMPARE(back.join('|'), "a=1|b=2");
}

void TestConnection::secure()
{
    const TestCertificate own = TestCertificate::make();
    QVERIFY(!own.certificate.isEmpty());
    const QSslConfiguration tls = own.server();
    ScriptedServer server(echo, &tls);
    const auto trusting = connected({ .server = server.url(), .authorities = own.certificate });
    QCOMPARE(text(asked(*trusting, errand("/"))), u"200 GET / "_s);
    const auto careful = connected({ .server = server.url() });
    const QString problem = text(asked(*careful, errand("/")));
    QVERIFY2(problem.contains(u"self-signed"_s), qPrintable(problem));
    QCOMPARE(server.requests.size(), 1);
}

void TestConnection::clientCertificate()
{
    const TestCertificate own = TestCertificate::make();
    const TestCertificate client = TestCertificate::make(u"a client"_s);
    QVERIFY(!own.certificate.isEmpty() && !client.certificate.isEmpty());
    QSslConfiguration tls = own.server();
    tls.setPeerVerifyMode(QSslSocket::QueryPeer);
    QString seen;
    ScriptedServer server(
        [&](const HttpRequest &request, QTcpSocket *socket) {
            seen = static_cast<QSslSocket *>(socket)
                       ->peerCertificate()
                       .subjectInfo(QSslCertificate::CommonName)
                       .value(0);
            echo(request, socket);
        },
        &tls);
    const auto connection = connected({ .server = server.url(),
        .credential = { Credential::Kind::Certificate, {}, {}, client.certificate, client.key },
        .authorities = own.certificate });
    QCOMPARE(text(asked(*connection, errand("/"))), u"200 GET / "_s);
    QCOMPARE(seen, u"a client"_s);
    QCOMPARE(connection->tls().localCertificate().subjectInfo(QSslCertificate::CommonName).value(0),
        u"a client"_s);
}

/// A request that leaves by a volley is an exchange like the others.
void TestConnection::otherWays()
{
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(),
        .credential = { Credential::Kind::Bearer, {}, u"tok"_s, {}, {} } });
    QSignalSpy began(connection.get(), &Connection::began);
    QSignalSpy ended(connection.get(), &Connection::ended);
    const Connection::Errand put = errand("/a b", "PUT");
    const HttpRequest prepared =
        connection->prepared(put.request, connection->url(put.request.target));
    QCOMPARE(prepared.target, "/a%20b");
    QCOMPARE(header(prepared.headers, "Host"), server.url().authority().toUtf8());
    QCOMPARE(header(prepared.headers, "Authorization"), "Bearer tok");
    const quint64 number = connection->begin(put, prepared);
    QCOMPARE(began.size(), 1);
    HttpResponse response;
    response.status = 201;
    response.headers = { { "ETag", "\"1\"" }, { "Set-Cookie", "a=b" } };
    connection->end(number, response, {}, 1, 2);
    QCOMPARE(ended.size(), 1);
    const auto exchange = ended.first().first().value<Exchange>();
    QCOMPARE(exchange.number, number);
    QCOMPARE(exchange.etag, u"\"1\""_s);
    QCOMPARE(exchange.duration, 2.0);
    QCOMPARE(exchange.responseHeaders.last().value, u"***"_s);
    connection->end(number, response, {}, 1, 2); // only once
    QCOMPARE(ended.size(), 1);
}

void TestConnection::abandoned()
{
    ScriptedServer server([](const HttpRequest &, QTcpSocket *) {});
    const auto connection = connected({ .server = server.url() });
    QSignalSpy ended(connection.get(), &Connection::ended);
    bool told = false;
    connection->send(errand("/"), [&](const Connection::Answer &) { told = true; });
    QTRY_COMPARE(server.requests.size(), 1);
    connection->abandon();
    QCOMPARE(ended.size(), 1);
    QCOMPARE(ended.first().first().value<Exchange>().problem, u"Given up."_s);
    QTest::qWait(20);
    QVERIFY(!told);
}

void TestConnection::masks_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char *url, const char *shown) {
        QTest::newRow(url) << QString::fromUtf8(url) << QString::fromUtf8(shown);
    };
    row("http://h/a?x=1", "http://h/a?x=1");
    row("http://h/a?token=abc&x=1", "http://h/a?token=***&x=1");
    row("http://h/a?access_token=abc", "http://h/a?access_token=***");
    row("http://h/a?sig=a%2Bb&x=%2F", "http://h/a?sig=***&x=%2F");
    row("http://h/a?API-Key=abc", "http://h/a?API-Key=***");
    row("http://h/a?token=", "http://h/a?token=");
    row("http://me:pw@h/a", "http://h/a");
    row("http://h/a%20b", "http://h/a%20b");
}

void TestConnection::masks()
{
    QFETCH(const QString, url);
    QFETCH(const QString, shown);
    QCOMPARE(maskedUrl(QUrl(url)), shown);
}

void TestConnection::maskedHeaderValues()
{
    QStringList shown;
    for (const Exchange::Header &one :
        maskedHeaders({ { "Authorization", "Bearer abc" }, { "Proxy-Authorization", "abc" },
            { "X-Auth-Token", "abc" }, { "Cookie", "a=b" }, { "set-cookie", "a=b" },
            { "Location", "https://h/op?t=1&sig=abc" }, { "Content-Type", "text/plain" } }))
        shown += one.name + u": "_s + one.value;
    QCOMPARE(shown.join(u'\n'),
        u"Authorization: Bearer ***\nProxy-Authorization: ***\nX-Auth-Token: ***\nCookie: ***\nset-cookie: ***\nLocation: https://h/op?t=1&sig=***\nContent-Type: text/plain"_s);
}

void TestConnection::maskedHeader_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char *name, const char *value, const char *shown) {
        QTest::addRow("%s: %s", name, value)
            << QString::fromUtf8(name) << QString::fromUtf8(value) << QString::fromUtf8(shown);
    };
    row("Location", "/op/2?sig=SECRET2", "/op/2?sig=***");
    row("Location", "/op/2?t=%2F&SIG=a%2Bb&api-version=1#x", "/op/2?t=%2F&SIG=***&api-version=1#x");
    row("Location", "op?a;sig=b;c=d", "op?a;sig=***;c=d");
    row("Location", "?%73ig=b", "?%73ig=***");
    row("Location", "HTTPS://me:pw@h/op", "https://h/op");
    row("Location", "/op/2", "/op/2");
    row("Location", "/what?", "/what?");
    row("Azure-AsyncOperation", "/op/1?sig=x", "/op/1?sig=***");
    row("Link", "</op?token=x&page=2>; rel=\"next\", </op?sig=y>",
        "</op?token=***&page=2>; rel=\"next\", </op?sig=***>");
    row("X-Note", "sig=x is no query", "sig=x is no query");
    row("X-Auth-Key", "k", "***");
    row("X-API-Key", "k", "***");
    row("Ocp-Apim-Subscription-Key", "k", "***");
    row("X-Amz-Signature", "k", "***");
    row("x-ms-client-request-id", "key-token", "key-token");
    row("Idempotency-Key", "1", "1");
    row("X-Keyboard", "de", "de");
    row("WWW-Authenticate", "Bearer realm=\"x\"", "Bearer realm=\"x\"");
    row("X-Author", "me", "me");
}

void TestConnection::maskedHeader()
{
    QFETCH(const QString, name);
    QFETCH(const QString, value);
    QFETCH(const QString, shown);
    QCOMPARE(maskedHeaders({ { name.toLatin1(), value.toUtf8() } }).first().value, shown);
}

void TestConnection::prefix()
{
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(u"/behind/a/proxy/"_s) });
    QCOMPARE(
        text(asked(*connection, errand("/racks?x=1"))), u"200 GET /behind/a/proxy/racks?x=1 "_s);
}

/// Without a keychain the credential lives for this run, and that is said.
void TestConnection::keychain()
{
    Keychain keychain;
    const Account account { QUrl(u"https://host:1/x"_s), u"racks"_s, Credential::Kind::Basic,
        u"me"_s };
    const auto at = [&](const QString &url) {
        Account other = account;
        other.server = QUrl(url);
        return other;
    };
    const Credential credential { Credential::Kind::Basic, u"me"_s, u"secret"_s, "c", "k" };
    std::optional<QString> problem;
    keychain.write(account, credential, [&](const QString &text) { problem = text; });
    QVERIFY(!problem); // later
    QTRY_VERIFY(problem);
    QVERIFY2(problem->contains(u"until the program ends"_s), qPrintable(*problem));
    QVERIFY(!problem->contains(u"secret"_s));

    std::optional<Keychain::Found> found;
    keychain.read(account, [&](const Keychain::Found &one) { found = one; });
    QVERIFY(!found);
    QTRY_VERIFY(found);
    QVERIFY(found->credential == credential);

    for (const QString &url : { u"https://host:2/x"_s, u"https://host:1/elsewhere"_s }) {
        found.reset();
        keychain.read(at(url), [&](const Keychain::Found &one) { found = one; });
        QTRY_VERIFY(found);
        QVERIFY2(!found->credential, qPrintable(url));
        QVERIFY(!found->problem.isEmpty());
    }

    problem.reset();
    keychain.forget(account, [&](const QString &text) { problem = text; });
    QTRY_VERIFY(problem);
    found.reset();
    keychain.read(account, [&](const Keychain::Found &one) { found = one; });
    QTRY_VERIFY(found);
    QVERIFY(!found->credential);
}

QTEST_GUILESS_MAIN(TestConnection)
#include "tst_connection.moc"
