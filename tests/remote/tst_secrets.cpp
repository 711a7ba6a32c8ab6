// SPDX-License-Identifier: Apache-2.0
// Credentials, cookies and certificates: where they go and where not, and that none is seen in an
// exchange.

#include "model/remote/masking.h"
#include "tests/remote/remoterequests.h"
#include "tests/support/testclass.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestSecrets : public QObject
{
    Q_OBJECT

private slots:
    void authorizations_data();
    void authorizations();
    void twoCookies();
    void secure();
    void clientCertificate();
    void masks_data();
    void masks();
    void maskedBodies_data();
    void maskedBodies();
    void maskedHeader_data();
    void maskedHeader();
    void tokenCommand();
    void tokenCommandRunsAgain();
    void tokenCommandFails_data();
    void tokenCommandFails();
};

void TestSecrets::authorizations_data()
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

void TestSecrets::authorizations()
{
    QFETCH(const Credential, credential);
    QFETCH(const QByteArray, sent);
    QFETCH(const QString, shown);
    ScriptedServer server(echo);
    const auto connection = connected({ .server = server.url(), .credential = credential });
    QSignalSpy ended(connection.get(), &Connection::ended);
    asked(*connection, remoteRequest("/"));
    QCOMPARE(header(server.requests.first().headers, "Authorization"), sent);
    const auto exchange = ended.first().first().value<Exchange>();
    QString found;
    for (const Exchange::Header &one : exchange.requestHeaders)
        found += one.name == u"Authorization" ? one.value : QString();
    QCOMPARE(found, shown);
}

/// Two in one answer are two headers, though Qt hands them over in one; both come back, also with
/// what leaves by a burst.
void TestSecrets::twoCookies()
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
    const Connection::Answer login = asked(*connection, remoteRequest("/login"));
    QVERIFY(login.response);
    QByteArrayList told;
    for (const HttpHeader &one : login.response->headers) {
        if (one.name.compare("Set-Cookie", Qt::CaseInsensitive) == 0)
            told += one.value.toByteArray();
    }
    QCOMPARE(told.join('|'), "a=1; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT|b=2; Path=/");
    asked(*connection, remoteRequest("/next"));
    for (const HttpHeaders &headers :
        { server.requests.last().headers, connection->prepared({}, server.url(u"/x"_s)).headers }) {
        QByteArrayList back = header(headers, "Cookie").split(';');
        for (QByteArray &one : back)
            one = one.trimmed();
        std::ranges::sort(back);
        QCOMPARE(back.join('|'), "a=1|b=2");
    }
}

void TestSecrets::secure()
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

void TestSecrets::clientCertificate()
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
    QCOMPARE(text(asked(*connection, remoteRequest("/"))), u"200 GET / "_s);
    QCOMPARE(seen, u"a client"_s);
    QCOMPARE(connection->tls().localCertificate().subjectInfo(QSslCertificate::CommonName).value(0),
        u"a client"_s);
}

void TestSecrets::masks_data()
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

void TestSecrets::masks()
{
    QFETCH(const QString, url);
    QFETCH(const QString, shown);
    QCOMPARE(maskedUrl(QUrl(url)), shown);
}

void TestSecrets::maskedBodies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const QByteArray &body, const QByteArray &shown) {
        QTest::newRow(body.left(40).constData()) << body << shown;
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
    row("\xff\xfe no JSON", "\xff\xfe no JSON");
    row("grant_type=client_credentials&client_id=me&client_secret=a%2Bb&scope=x+y",
        "grant_type=client_credentials&client_id=me&client_secret=***&scope=x+y");
    row("password=\xff\xfe", "password=***");
    row("password=", "password=");
    row("password = x, and no form", "password = x, and no form");
    row("a=b", "a=b");
}

void TestSecrets::maskedBodies()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, shown);
    QCOMPARE(maskedBody(body), shown);
}

void TestSecrets::maskedHeader_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char *name, const char *value, const char *shown) {
        QTest::addRow("%s: %s", name, value)
            << QString::fromUtf8(name) << QString::fromUtf8(value) << QString::fromUtf8(shown);
    };
    row("Authorization", "Bearer abc", "Bearer ***");
    row("Proxy-Authorization", "abc", "***");
    row("X-Auth-Token", "abc", "***");
    row("Cookie", "a=b", "***");
    row("set-cookie", "a=b", "***");
    row("Content-Type", "text/plain", "text/plain");
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

void TestSecrets::maskedHeader()
{
    QFETCH(const QString, name);
    QFETCH(const QString, value);
    QFETCH(const QString, shown);
    QCOMPARE(maskedHeaders({ { name.toLatin1(), value.toUtf8() } }).first().value, shown);
}

namespace {

Credential printing(const QString &command)
{
    return { .kind = Credential::Kind::Command, .user = command };
}

} // namespace

/// It is run when the first request needs it, once for all, and what it prints is seen nowhere.
void TestSecrets::tokenCommand()
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
void TestSecrets::tokenCommandRunsAgain()
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

void TestSecrets::tokenCommandFails_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("reason");
    QTest::newRow("it fails") << u"echo no login >&2; exit 3"_s << u"it ended with 3: no login."_s;
    QTest::newRow("no such command") << u"no-such-command-here"_s << u"it ended with 127"_s;
    QTest::newRow("nothing") << u"true"_s << u"it prints nothing."_s;
    QTest::newRow("words") << u"echo Please sign in"_s << u"it does not print a single word."_s;
    QTest::newRow("too long") << u"exec sleep 100"_s << u"it took too long"_s;
    QTest::newRow("without end") << u"exec cat /dev/zero"_s << u"printed too much"_s;
}

/// Nothing is sent then, and the reason is told.
void TestSecrets::tokenCommandFails()
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

const instar::TestClass<TestSecrets> registered;
#include "tst_secrets.moc"
