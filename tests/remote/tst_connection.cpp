// SPDX-License-Identifier: Apache-2.0
// Requests one by one: answers, redirects, repeats, timeouts; where credentials and certificates go
// and where not, and that no secret is seen in an exchange.

#include "model/remote/masking.h"
#include "tests/remote/party.h"
#include "tests/remote/remoterequests.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestConnection : public QObject
{
    Q_OBJECT

private slots:
    void answers();
    void everyStatusIsAnAnswer_data();
    void everyStatusIsAnAnswer();
    void onlyTheWeb();
    void whereRedirectsLead();
    void apiKey();
    void badOptions_data();
    void badOptions();
    void redirectsAtHome();
    void endlessRedirects();
    void otherRedirects();
    void repeats_data();
    void repeats();
    void retryAfterOnPassingFailure();
    void dribble();
    void tooLarge_data();
    void tooLarge();
    void nobodyThere();
    void otherWays();
    void abandoned();
    void prefix();
    void authorizations_data();
    void authorizations();
    void secure();
    void maskedBodies_data();
    void maskedBodies();
    void maskedHeader_data();
    void maskedHeader();
    void tokenCommand();
    void tokenCommandRunsAgain();
    void tokenCommandFails_data();
    void tokenCommandFails();
};

void TestConnection::answers()
{
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url() });
    QSignalSpy began(connection.get(), &Connection::began);
    QSignalSpy ended(connection.get(), &Connection::ended);
    Connection::RemoteRequest put = remoteRequest("/a?b=%2F", "PUT");
    put.request.body = "{\"x\": 1}";
    put.request.headers = { { "Content-Type", "application/json" }, { "X-Own", "1" } };
    put.purpose = Exchange::Purpose::Fire;
    put.client = u"A"_s;
    put.operation = u"op1"_s;
    QCOMPARE(text(asked(*connection, put)), u"200 PUT /a?b=%2F {\"x\": 1}"_s);
    QCOMPARE(text(asked(*connection, remoteRequest("/gone", "DELETE"))), u"200 DELETE /gone "_s);
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

void TestConnection::everyStatusIsAnAnswer_data()
{
    addColumns<int, HttpHeaders>("status", "headers");
    for (const int status : { 203, 299, 304, 307, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409,
             410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429,
             431, 451, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 599 })
        QTest::addRow("%d", status) << status << HttpHeaders();
    QTest::newRow("401 that challenges")
        << 401 << HttpHeaders { { "WWW-Authenticate", "Basic realm=\"x\"" } };
    QTest::newRow("407 that challenges")
        << 407 << HttpHeaders { { "Proxy-Authenticate", "Basic realm=\"x\"" } };
    QTest::newRow("401 that challenges strangely")
        << 401 << HttpHeaders { { "WWW-Authenticate", "Bearer" } };
}

/// Whatever Qt calls an error; with the body, in which the server says why.
void TestConnection::everyStatusIsAnAnswer()
{
    QFETCH(const int, status);
    QFETCH(const HttpHeaders, headers);
    const QByteArray body = status == 304 ? "" : "{\"error\": {\"code\": \"Why\"}}";
    ScriptedServer server([&](const HttpRequest &, QTcpSocket *socket) {
        ScriptedServer::answer(socket, status, body, headers);
    });
    const auto connection = connected({ .server = server.url() });
    for (const char *method : { "GET", "PUT" })
        QCOMPARE(text(asked(*connection, remoteRequest("/", method))),
            u"%1 %2"_s.arg(status).arg(QString::fromUtf8(body)));
    QCOMPARE(asked(*connection, remoteRequest("/", "HEAD")).isAnswered, true);
    if (status != 400)
        return;
    ScriptedServer broken([&](const HttpRequest &, QTcpSocket *socket) {
        socket->write("HTTP/1.1 400 No\r\nContent-Length: 100\r\n\r\nshort");
        socket->disconnectFromHost();
    });
    const Connection::Answer answer =
        asked(*connected({ .server = broken.url() }), remoteRequest("/"));
    QVERIFY(!answer.isAnswered && !answer.response);
    QVERIFY(begins(answer.problem, broken.url().authority() + u" does not answer: "_s));
}

/// Qt's client would read files, too.
void TestConnection::onlyTheWeb()
{
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url() });
    for (const char *url :
        { "file:///etc/hostname", "data:text/plain,x", "qrc:/instar", "http:///x" }) {
        Connection::RemoteRequest one = remoteRequest("/");
        one.url = QUrl(QString::fromLatin1(url));
        const Connection::Answer answer = asked(*connection, one);
        QVERIFY(!answer.response && answer.isAnswered);
        QVERIFY2(
            answer.problem.endsWith(u"is not an HTTP or HTTPS URL."_s), qPrintable(answer.problem));
    }
}

/// What was asked in secret is not asked again in the open.
void TestConnection::whereRedirectsLead()
{
    const QUrl open(u"http://here/a"_s), secret(u"https://here/a"_s);
    QCOMPARE(redirected(open, "b"), std::optional(QUrl(u"http://here/b"_s)));
    QCOMPARE(redirected(open, "https://there/b"), std::optional(QUrl(u"https://there/b"_s)));
    QCOMPARE(redirected(secret, "//there/b"), std::optional(QUrl(u"https://there/b"_s)));
    for (const char *location : { "http://here/a", "http://there/b" })
        QVERIFY(!redirected(secret, location));
    for (const char *location : { "file:///etc/hosts", "data:,x", "http:" })
        QVERIFY(!redirected(open, location));
}

/// Its value is shown nowhere, whatever the header is called, and goes to the server alone.
void TestConnection::apiKey()
{
    ScriptedServer other(echo);
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target == "/away")
            ScriptedServer::answer(
                socket, 302, {}, { { "Location", other.url(u"/x"_s).toEncoded() } });
        else
            echo(request, socket);
    });
    const auto connection = connected({ .server = server.url(),
        .credential = { Credential::Kind::ApiKey, u"X-Odd"_s, u" k-123\n"_s } });
    QSignalSpy ended(connection.get(), &Connection::ended);
    asked(*connection, remoteRequest("/"));
    asked(*connection, remoteRequest("/away"));
    QCOMPARE(header(server.requests.first().headers, "X-Odd"), "k-123");
    Connection::RemoteRequest direct = remoteRequest("/");
    direct.url = other.url(u"/direct"_s);
    asked(*connection, direct);
    QCOMPARE(other.requests.size(), 2);
    for (const HttpRequest &request : other.requests)
        QVERIFY(!hasHeader(request.headers, "X-Odd"));
    for (const QList<QVariant> &one : ended) {
        const auto exchange = one.first().value<Exchange>();
        for (const Exchange::Header &header : exchange.requestHeaders)
            QVERIFY2(!header.value.contains(u"k-123"_s), qPrintable(header.name));
    }
}

void TestConnection::badOptions_data()
{
    const Rows<QUrl, Credential, QByteArray, QString> add(
        "server", "credential", "authorities", "problem");
    const QUrl good(u"http://127.0.0.1:1"_s);
    const auto row = [&](const char *name, const QUrl &server, const Credential &credential,
                         const QByteArray &authorities, const QString &problem) {
        add(name, server, credential, authorities, problem);
    };
    row("no url", QUrl(), {}, {},
        u"\"\" is not the URL of a server; use a URL such as https://host:port."_s);
    row("a word", QUrl(u"server"_s), {}, {},
        u"\"server\" is not the URL of a server; use a URL such as https://host:port."_s);
    row("ftp, password unseen", QUrl(u"ftp://me:secret@host"_s), {}, {},
        u"\"ftp://host\" is not the URL of a server; use a URL such as https://host:port."_s);
    row("two lines", good, { Credential::Kind::Bearer, {}, u"a\r\nX: y"_s }, {},
        u"The token holds line breaks or control characters; it must be one line."_s);
    row("no token", good, { Credential::Kind::Bearer, {}, u" "_s }, {}, u"The token is empty."_s);
    row("a colon", good, { Credential::Kind::Basic, u"a:b"_s, {} }, {},
        u"The user's name must not contain a colon."_s);
    row("no key", good, { Credential::Kind::ApiKey, u"X-Api-Key"_s, {} }, {},
        u"The API key is empty."_s);
    row("a key of two lines", good, { Credential::Kind::ApiKey, u"X-Api-Key"_s, u"a\nb"_s }, {},
        u"The API key holds line breaks or control characters; it must be one line."_s);
    row("no header", good, { Credential::Kind::ApiKey, u"Host"_s, u"k"_s }, {},
        u"\"Host\" is not a valid header name for the API key; use a name such as X-Api-Key."_s);
    row("no authority", good, {}, "x",
        u"The file of trusted authorities holds no certificate in PEM."_s);
}

void TestConnection::badOptions()
{
    QFETCH(const QUrl, server);
    QFETCH(const Credential, credential);
    QFETCH(const QByteArray, authorities);
    const Result<std::unique_ptr<Connection>> made = Connection::make(
        { .server = server, .credential = credential, .authorities = authorities });
    QVERIFY(!made);
    QTEST(made.error(), "problem");
}

void TestConnection::redirectsAtHome()
{
    ScriptedServer server([](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target == "/a")
            ScriptedServer::answer(socket, 302, {}, { { "Location", "/b" } });
        else
            echo(request, socket);
    });
    const auto connection = connected(
        { .server = server.url(), .credential = { Credential::Kind::Bearer, {}, u"tok"_s } });
    QSignalSpy ended(connection.get(), &Connection::ended);
    const Connection::Answer answer = asked(*connection, remoteRequest("/a"));
    QCOMPARE(text(answer), u"200 GET /b "_s);
    QCOMPARE(answer.url, server.url(u"/b"_s));
    QCOMPARE(answer.when.exchange, quint64(2));
    const auto last = ended.last().first().value<Exchange>();
    QCOMPARE(answer.when.sent, last.sent);
    QCOMPARE(answer.when.duration, last.duration);
    QCOMPARE(header(server.requests.last().headers, "Authorization"), "Bearer tok");
    QCOMPARE(ended.size(), 2); // each is an exchange
}

void TestConnection::endlessRedirects()
{
    ScriptedServer server(answering(302, { { "Location", "/" } }));
    const auto connection = connected({ .server = server.url(), .mostRedirects = 4 });
    QCOMPARE(text(asked(*connection, remoteRequest("/"))),
        server.url(u"/"_s).toString() + u" redirects in a loop."_s);
    QCOMPARE(server.requests.size(), 5);
}

/// Those of other requests are the asker's business.
void TestConnection::otherRedirects()
{
    ScriptedServer server(answering(307, { { "Location", "/there" } }));
    const auto connection = connected({ .server = server.url() });
    QCOMPARE(text(asked(*connection, remoteRequest("/", "PUT"))), u"307 x"_s);
    ScriptedServer strange(answering(302, { { "Location", "file:///etc/passwd" } }));
    const auto careful = connected({ .server = strange.url() });
    QCOMPARE(text(asked(*careful, remoteRequest("/"))),
        strange.url(u"/"_s).toString()
            + u" redirects to file:///etc/passwd. This program does not follow that redirect."_s);
}

void TestConnection::repeats_data()
{
    // statuses: in turn, the last for ever; 0: breaks off
    const Rows<QByteArray, bool, QList<int>, QString, int> row(
        "method", "mayRepeat", "statuses", "answer", "requests");
    const QByteArray get = "GET";
    row("passing", get, true, QList<int> { 0, 503, 200 }, u"200 x"_s, 3);
    row("for ever", get, true, QList<int> { 503 }, u"503 x"_s, 3);
    row("broken", get, true, QList<int> { 500 }, u"500 x"_s, 1);
    row("not asked for", get, false, QList<int> { 503 }, u"503 x"_s, 1);
    row("not safe", "PUT"_ba, true, QList<int> { 503 }, u"503 x"_s, 1);
}

void TestConnection::repeats()
{
    QFETCH(const QByteArray, method);
    QFETCH(const bool, mayRepeat);
    QFETCH(QList<int>, statuses);
    QFETCH(const QString, answer);
    QFETCH(const int, requests);
    ScriptedServer server([&](const HttpRequest &, QTcpSocket *socket) {
        const int status = statuses.size() > 1 ? statuses.takeFirst() : statuses.first();
        if (status == 0)
            socket->abort();
        else
            ScriptedServer::answer(socket, status, "x");
    });
    const auto connection = connected({ .server = server.url(), .firstBackoffMs = 1 });
    Connection::RemoteRequest request = remoteRequest("/", method);
    request.mayRepeat = mayRepeat;
    QCOMPARE(text(asked(*connection, request)), answer);
    QCOMPARE(server.requests.size(), requests);
}

void TestConnection::retryAfterOnPassingFailure()
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
    Connection::RemoteRequest patient = remoteRequest("/");
    patient.mayRepeat = true;
    QCOMPARE(text(asked(*connection, patient)), u"200 GET / "_s);
    QVERIFY(times[1] - times[0] >= 190);
    QCOMPARE(ended.first().first().value<Exchange>().retryAfter.value_or(-1), 0.2);
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
    QSignalSpy ended(connection.get(), &Connection::ended);
    QCOMPARE(text(asked(*connection, remoteRequest("/"))),
        u"No answer from %1 within 0.15 s."_s.arg(server.url().authority()));
    const auto exchange = ended.first().first().value<Exchange>();
    QCOMPARE(exchange.status, 0);
    QVERIFY(!exchange.problem.isEmpty());
    QVERIFY(exchange.isOver());
}

void TestConnection::tooLarge_data()
{
    // piece: that comes again and again; empty: nothing does
    const Rows<QByteArray, QByteArray> row("head", "piece");
    const QByteArray some(64 * 1024, 'x');
    row("declared", "Content-Length: 1000000000\r\n\r\n"_ba, {});
    row("declared, and sent", "Content-Length: 1000000000\r\n\r\n"_ba, some);
    row("endless", "Transfer-Encoding: chunked\r\n\r\n"_ba, "10000\r\n" + some + "\r\n");
    row("until it ends", "Connection: close\r\n\r\n"_ba, some);
}

/// The limit is kept while the answer comes, whatever was said of its length.
void TestConnection::tooLarge()
{
    QFETCH(const QByteArray, head);
    QFETCH(const QByteArray, piece);
    qint64 sent = 0;
    ScriptedServer server([&](const HttpRequest &, QTcpSocket *socket) {
        socket->write("HTTP/1.1 200 OK\r\n" + head);
        const auto more = [&sent, socket, piece] {
            if (!piece.isEmpty() && socket->bytesToWrite() < piece.size())
                sent += socket->write(piece);
        };
        QObject::connect(socket, &QTcpSocket::bytesWritten, socket, more);
        more();
    });
    const auto connection = connected({ .server = server.url(), .mostBytes = 8 * 1024 * 1024 });
    Growth growth;
    QCOMPARE(text(asked(*connection, remoteRequest("/"))), u"The answer is larger than 8 MiB."_s);
    QVERIFY2(growth.most() < 40'000, qPrintable(u"%1 KiB"_s.arg(growth.most())));
    QVERIFY2(sent < 32 * 1024 * 1024, qPrintable(QString::number(sent)));
}

void TestConnection::nobodyThere()
{
    ScriptedServer server(echo);
    server.stop();
    const auto connection = connected({ .server = server.url() });
    QCOMPARE(text(asked(*connection, remoteRequest("/"))),
        server.url().authority() + u" does not answer: Connection refused."_s);
}

/// A request that leaves by a burst is an exchange like the others.
void TestConnection::otherWays()
{
    ScriptedServer server(echo);
    const auto connection = connected(
        { .server = server.url(), .credential = { Credential::Kind::Bearer, {}, u"tok"_s } });
    QSignalSpy began(connection.get(), &Connection::began);
    QSignalSpy ended(connection.get(), &Connection::ended);
    const Connection::RemoteRequest put = remoteRequest("/a b", "PUT");
    const HttpRequest prepared =
        connection->prepared(put.request, connection->url(put.request.target));
    QCOMPARE(prepared.target, "/a%20b");
    QCOMPARE(header(prepared.headers, "Host"), server.url().authority().toUtf8());
    QCOMPARE(header(prepared.headers, "Authorization"), "Bearer tok");
    const quint64 number = connection->begin(put, prepared, microsecondsNow());
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
    auto connection = connected({ .server = server.url() });
    QSignalSpy ended(connection.get(), &Connection::ended);
    bool told = false;
    connection->send(remoteRequest("/"), [&](const Connection::Answer &) { told = true; });
    QTRY_COMPARE(server.requests.size(), 1);
    connection->abandon();
    QCOMPARE(ended.size(), 1);
    QCOMPARE(ended.first().first().value<Exchange>().problem, u"The request was canceled."_s);
    QTest::qWait(20);
    QVERIFY(!told);
    // So it is when the connection goes.
    connection->send(remoteRequest("/"), [&](const Connection::Answer &) { told = true; });
    QTRY_COMPARE(server.requests.size(), 2);
    connection.reset();
    QCOMPARE(ended.size(), 2);
    QCOMPARE(ended.last().first().value<Exchange>().problem, u"The request was canceled."_s);
    QVERIFY(!told);
}

void TestConnection::prefix()
{
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(u"/behind/a/proxy/"_s) });
    QCOMPARE(text(asked(*connection, remoteRequest("/racks?x=1"))),
        u"200 GET /behind/a/proxy/racks?x=1 "_s);
}

void TestConnection::authorizations_data()
{
    const Rows<Credential, QByteArray, QString> row("credential", "sent", "shown");
    row("bearer", Credential { Credential::Kind::Bearer, {}, u" tok-123\n"_s }, "Bearer tok-123",
        u"Bearer ***"_s);
    row("basic", Credential { Credential::Kind::Basic, u"me"_s, u"pass:wörd"_s },
        "Basic " + QByteArray("me:pass:w\xc3\xb6rd").toBase64(), u"Basic ***"_s);
    row("none", Credential(), {}, {});
}

void TestConnection::authorizations()
{
    QFETCH(const Credential, credential);
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(), .credential = credential });
    QSignalSpy ended(connection.get(), &Connection::ended);
    asked(*connection, remoteRequest("/"));
    QTEST(header(server.requests.first().headers, "Authorization"), "sent");
    const auto exchange = ended.first().first().value<Exchange>();
    QString found;
    for (const Exchange::Header &one : exchange.requestHeaders)
        found += one.name == u"Authorization" ? one.value : QString();
    QTEST(found, "shown");
}

void TestConnection::secure()
{
    const TestCertificate own = TestCertificate::make();
    QVERIFY(!own.certificate.isEmpty());
    const QSslConfiguration tls = own.server();
    ScriptedServer server(echo, &tls);
    const auto trusting = connected({ .server = server.url(), .authorities = own.certificate });
    QCOMPARE(text(asked(*trusting, remoteRequest("/"))), u"200 GET / "_s);
    const auto careful = connected({ .server = server.url() });
    const QString problem = text(asked(*careful, remoteRequest("/")));
    QVERIFY2(problem.contains(u"self-signed"_s), qPrintable(problem));
    QCOMPARE(server.requests.size(), 1);
}

void TestConnection::maskedBodies_data()
{
    const Rows<QByteArray, QByteArray> add("body", "shown");
    const auto row = [&](const QByteArray &body, const QByteArray &shown) {
        add(body.left(40).constData(), body, shown);
    };
    row("", "");
    row("{\"userName\": \"me\", \"password\" : \"a\\\"b\"}",
        "{\"userName\": \"me\", \"password\" : \"***\"}");
    row("{\"Access_Token\":\"x\",\"clientSecret\":\"y\",\"sshPassphrase\":\"z\"}",
        "{\"Access_Token\":\"***\",\"clientSecret\":\"***\",\"sshPassphrase\":\"***\"}");
    row("{\"error\":{\"code\":\"NotFound\",\"key\":\"k\"}}",
        "{\"error\":{\"code\":\"NotFound\",\"key\":\"k\"}}");
    row("{\"password\":null,\"secret\":{\"resourceRef\":\"/a/b\"},\"token\":\"\"}",
        "{\"password\":null,\"secret\":{\"resourceRef\":\"/a/b\"},\"token\":\"\"}");
    row("[\"password\", \"token\"]", "[\"password\", \"token\"]");
    row("{\"password\": \"caf\xc3\xa9\", \"x\": \"caf\xc3\xa9\"}",
        "{\"password\": \"***\", \"x\": \"caf\xc3\xa9\"}");
    row("{\"password\": \"cut", "{\"password\": \"cut"); // no text yet
    row("{\"password\": \"x\", oops", "{\"password\": \"***\", oops");
    row("grant_type=client_credentials&client_id=me&client_secret=a%2Bb&scope=x+y",
        "grant_type=client_credentials&client_id=me&client_secret=***&scope=x+y");
    row("password=\xff\xfe", "password=***");
}

void TestConnection::maskedBodies()
{
    QFETCH(const QByteArray, body);
    QTEST(maskedBody(body), "shown");
}

void TestConnection::maskedHeader_data()
{
    addColumns<QString, QString, QString>("name", "value", "shown");
    const auto row = [](const char *name, const char *value, const char *shown) {
        QTest::addRow("%s: %s", name, value)
            << QString::fromUtf8(name) << QString::fromUtf8(value) << QString::fromUtf8(shown);
    };
    row("Authorization", "Bearer abc", "Bearer ***");
    row("Proxy-Authorization", "abc", "***");
    row("X-Auth-Token", "abc", "***");
    row("Cookie", "a=b", "***");
    row("Content-Type", "text/plain", "text/plain");
    row("Location", "/op/2?t=%2F&SIG=a%2Bb&api-version=1#x", "/op/2?t=%2F&SIG=***&api-version=1#x");
    row("Location", "op?a;sig=b;c=d", "op?a;sig=***;c=d");
    row("Location", "?%73ig=b", "?%73ig=***");
    row("Location", "HTTPS://me:pw@h/op", "https://h/op");
    row("Location", "/op/2", "/op/2");
    row("Link", "</op?token=x&page=2>; rel=\"next\", </op?sig=y>",
        "</op?token=***&page=2>; rel=\"next\", </op?sig=***>");
    row("X-Auth-Key", "k", "***");
    row("X-Amz-Signature", "k", "***");
    row("x-ms-client-request-id", "key-token", "key-token");
    row("Idempotency-Key", "1", "1");
    row("X-Keyboard", "de", "de");
    row("WWW-Authenticate", "Bearer realm=\"x\"", "Bearer realm=\"x\"");
    row("X-Url", "http://h/a?token=abc&x=1", "http://h/a?token=***&x=1");
    row("X-Url", "http://h/a?API-Key=abc", "http://h/a?API-Key=***");
    row("X-Url", "http://h/a?token=", "http://h/a?token=");
    row("X-Url", "http://me:pw@h/a", "http://h/a");
}

void TestConnection::maskedHeader()
{
    QFETCH(const QString, name);
    QFETCH(const QString, value);
    QTEST(maskedHeaders({ { name.toLatin1(), value.toUtf8() } }).first().value, "shown");
}

namespace {

Credential printing(const QString &command)
{
    return { .kind = Credential::Kind::Command, .parameter = command };
}

} // namespace

/// It is run when the first request needs it, once for all, and what it prints is seen nowhere.
void TestConnection::tokenCommand()
{
    const QTemporaryDir folder;
    const QString runs = folder.filePath(u"runs"_s);
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(),
        .credential = printing(u"echo run >> '%1'; printf '  tok-123456\\n\\n'"_s.arg(runs)) });
    QSignalSpy ended(connection.get(), &Connection::ended);
    int answers = 0;
    for (int i = 0; i < 3; ++i)
        connection->send(
            remoteRequest("/tok-123456"), [&](const Connection::Answer &) { ++answers; });
    QTRY_COMPARE(answers, 3);
    for (const HttpRequest &request : server.requests)
        QCOMPARE(header(request.headers, "Authorization"), "Bearer tok-123456");
    QFile file(runs);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "run\n");
    for (const QList<QVariant> &signal : ended) {
        const auto exchange = signal.first().value<Exchange>();
        QVERIFY(!exchange.url.contains(u"tok-123456"_s));
        QVERIFY(!exchange.responseBody.contains("tok-123456"));
    }
}

/// Once more for a request that is answered 401, and not for ever.
void TestConnection::tokenCommandRunsAgain()
{
    const QTemporaryDir folder;
    QByteArray good = "Bearer token-2";
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        const bool isGood = header(request.headers, "Authorization") == good;
        ScriptedServer::answer(socket, isGood ? 200 : 401);
    });
    const QString counting =
        u"cd '%1'; echo >> n; echo token-$(wc -l < n | tr -d ' ')"_s.arg(folder.path());
    const auto connection = connected({ .server = server.url(), .credential = printing(counting) });
    QCOMPARE(asked(*connection, remoteRequest("/")).response->status, 200);
    QCOMPARE(server.requests.size(), 2);
    QCOMPARE(asked(*connection, remoteRequest("/")).response->status, 200);
    QCOMPARE(server.requests.size(), 3);
    good = "none";
    QCOMPARE(asked(*connection, remoteRequest("/")).response->status, 401);
    QCOMPARE(server.requests.size(), 5);
}

void TestConnection::tokenCommandFails_data()
{
    const Rows<QString, QString> row("command", "reason");
    row("it fails", u"echo no login >&2; exit 3"_s,
        u"the command ended with exit code 3: no login."_s);
    row("no such command", u"no-such-command-here"_s, u"the command ended with exit code 127"_s);
    row("nothing", u"true"_s, u"the command printed nothing."_s);
    row("words", u"echo Please sign in"_s, u"the command printed more than one word."_s);
    row("too long", u"exec sleep 100"_s, u"it took too long"_s);
    row("without end", u"exec cat /dev/zero"_s, u"printed too much"_s);
}

/// Nothing is sent then, and the reason is told.
void TestConnection::tokenCommandFails()
{
    QFETCH(const QString, command);
    QFETCH(const QString, reason);
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(),
        .credential = printing(command),
        .timeoutMs = command.contains(u"sleep"_s) ? 300 : 20'000 });
    const Connection::Answer answer = asked(*connection, remoteRequest("/"));
    QVERIFY(!answer.response && answer.isRefused);
    QVERIFY2(answer.problem.contains(reason), qPrintable(answer.problem));
    QCOMPARE(server.requests.size(), 0);
}

} // namespace

const instar::TestClass<TestConnection> registered;
#include "tst_connection.moc"
