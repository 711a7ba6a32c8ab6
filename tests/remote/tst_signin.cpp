// SPDX-License-Identifier: Apache-2.0
// Tokens and keys: what is asked, what answers mean, for how long a token is shown, and what of it
// all is seen. Against scripted servers, and a gate in a process of its own.

#include "model/remote/masking.h"
#include "model/remote/remotecontroller.h"
#include "model/remote/signin.h"
#include "model/remote/testimony.h"
#include "tests/remote/errands.h"
#include "tests/remote/gate.h"
#include "tests/remote/reference.h"
#include "tests/support/testclass.h"

#include <QJsonObject>
#include <QSignalSpy>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

using Kind = Credential::Kind;

class TestSignIn : public QObject
{
    Q_OBJECT

private slots:
    void tokens_data();
    void tokens();
    void lifetimes_data();
    void lifetimes();
    void questions_data();
    void questions();
    void placesOfKeystone_data();
    void placesOfKeystone();
    void keysInQueries_data();
    void keysInQueries();
    void hides_data();
    void hides();
    void incomplete_data();
    void incomplete();
    void keyInQuery();
    void letsIn_data();
    void letsIn();
    void troubles_data();
    void troubles();
    void slow();
    void proofs_data();
    void proofs();
    void oneQuestionForAll();
    void renewedBeforeItEnds();
    void renewedOnce();
    void refusedAfterRenewal();
    void elsewhere();
    void abandoned();
    void operations();
    void operationsWithoutToken();
    void refusalIsFinal();
    void witnesses();
    void exchangesHideIt_data();
    void exchangesHideIt();
};

Credential client(const QUrl &issuer)
{
    return { .kind = Kind::ClientCredentials,
        .user = u"me"_s,
        .secret = u"hush-hush-1"_s,
        .issuer = issuer };
}

HttpResponse answered(int status, const QByteArray &body, const HttpHeaders &headers = {})
{
    return { .status = status, .reason = "Words", .headers = headers, .body = body };
}

// ---- What answers mean

void TestSignIn::tokens_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<HttpResponse>("answer");
    QTest::addColumn<QString>("token"); // or what is wrong
    const auto oauth = [](const char *name, int status, const QByteArray &body, const char *token) {
        QTest::newRow(name) << Kind::ClientCredentials << answered(status, body)
                            << QString::fromUtf8(token);
    };
    oauth("a token", 200, R"({"access_token": "t", "token_type": "bearer", "expires_in": 60})",
        "t 60000");
    oauth("seconds as a text", 200, R"({"access_token": "t", "expires_in": "60"})", "t 60000");
    oauth("no end", 200, R"({"access_token": "t"})", "t -1");
    oauth("an end in the past", 200, R"({"access_token": "t", "expires_in": -5})", "t -1");
    oauth("an end beyond all", 200, R"({"access_token": "t", "expires_in": 1e300})",
        "t 1000000000000");
    oauth("an end of words", 200, R"({"access_token": "t", "expires_in": "soon"})", "t -1");
    oauth("another type", 200, R"({"access_token": "t", "token_type": "mac"})",
        "it is of the type \"mac\", and only Bearer can be shown");
    oauth("no JSON", 200, "<html>", "the answer is 200, and no JSON object");
    oauth("a list", 200, "[]", "the answer is 200, and no JSON object");
    oauth("nothing", 200, "", "the answer is 200, and no JSON object");
    oauth("no token", 200, "{}", "the answer is 200, without access_token");
    oauth("a token that is a number", 200, R"({"access_token": 5})",
        "the answer is 200, without access_token");
    oauth("two lines", 200, R"({"access_token": "a\r\nX: y"})",
        "the answer is 200, without access_token");
    oauth("a blank", 200, R"({"access_token": "a b"})", "the answer is 200, without access_token");
    oauth("refused", 401, R"({"error": "invalid_client", "error_description": "who?\nwho?"})",
        "401 invalid_client: who? who?");
    oauth("refused in one word", 400, R"({"error": "invalid_scope"})", "400 invalid_scope");
    oauth("refused without words", 400, "no", "400 Words");
    oauth("moved", 307, "", "307 Words");
    const auto keystone = [](const char *name, int status, const QByteArray &body,
                              const HttpHeaders &headers, const char *token) {
        QTest::newRow(name) << Kind::Keystone << answered(status, body, headers)
                            << QString::fromUtf8(token);
    };
    keystone("a subject", 201,
        R"({"token": {"issued_at": "2001-01-01T10:00:00.500000Z", "expires_at": "2001-01-01T11:00:00.000000Z"}})",
        { { "X-Subject-Token", "s" } }, "s 3599500");
    keystone("a subject without an end", 201, "{}", { { "x-subject-token", "s" } }, "s -1");
    keystone("a subject that has ended", 201,
        R"({"token": {"expires_at": "2001-01-01T11:00:00Z"}})", { { "X-Subject-Token", "s" } },
        "s 0");
    keystone("no subject", 201, "{}", {}, "the answer is 201, without X-Subject-Token");
    keystone("no user", 401,
        R"({"error": {"code": 401, "message": "The request you have made requires authentication.", "title": "Unauthorized"}})",
        {}, "401 The request you have made requires authentication.");
    keystone("no Keystone", 404, "<html>", {}, "404 Words");
}

void TestSignIn::tokens()
{
    QFETCH(const Kind, kind);
    QFETCH(const HttpResponse, answer);
    QFETCH(const QString, token);
    const Result<Token> read = tokenIn(kind, answer);
    QCOMPARE(read ? u"%1 %2"_s.arg(QString::fromUtf8(read->value)).arg(read->lifetime.value_or(-1))
                  : read.error(),
        token);
}

void TestSignIn::lifetimes_data()
{
    QTest::addColumn<QByteArray>("seconds");
    QTest::addColumn<qint64>("until"); // ms after it was asked for; -1: for good
    QTest::newRow("an hour") << QByteArray("3600") << qint64(3'570'000);
    QTest::newRow("ten minutes") << QByteArray("600") << qint64(570'000);
    QTest::newRow("a minute") << QByteArray("60") << qint64(54'000);
    QTest::newRow("no time") << QByteArray("0") << qint64(0);
    QTest::newRow("not said") << QByteArray("null") << qint64(-1);
}

/// A token is not shown any more shortly before it ends; the answer took some time, too.
void TestSignIn::lifetimes()
{
    QFETCH(const QByteArray, seconds);
    QFETCH(const qint64, until);
    SignIn signIn(client(QUrl(u"http://h/token"_s)), {});
    QVERIFY(!signIn.isReady(0));
    QCOMPARE(
        signIn.take(answered(200, R"({"access_token": "t", "expires_in": )" + seconds + '}'), 5000),
        SignIn::Next::Go);
    QCOMPARE(signIn.header().value, "Bearer t");
    if (until != 0)
        QVERIFY(signIn.isReady(5000 + until - 1) || until < 0);
    QCOMPARE(signIn.isReady(5000 + until), until < 0);
    QCOMPARE(signIn.isReady(qint64(1) << 50), until < 0);
    signIn.forget("Bearer other");
    QCOMPARE(signIn.isReady(5000), until != 0);
    signIn.forget("Bearer t");
    QVERIFY(!signIn.isReady(5000));
}

void TestSignIn::questions_data()
{
    QTest::addColumn<Credential>("credential");
    QTest::addColumn<QString>("sent");
    QTest::addColumn<QString>("shown");
    const Credential one { .kind = Kind::ClientCredentials,
        .user = u"a:b c"_s,
        .secret = u"p+q&r=ö"_s,
        .issuer = QUrl(u"http://h/t"_s) };
    QTest::newRow("a client")
        << one << u"Basic a%3Ab%20c:p%2Bq%26r%3D%C3%B6|grant_type=client_credentials"_s
        << u"grant_type=client_credentials"_s;
    Credential scoped = one;
    scoped.scope = u"a b"_s;
    QTest::newRow("a client with a scope")
        << scoped
        << u"Basic a%3Ab%20c:p%2Bq%26r%3D%C3%B6|grant_type=client_credentials&scope=a%20b"_s
        << u"grant_type=client_credentials&scope=a%20b"_s;
    const Credential user { .kind = Kind::Keystone,
        .user = u"me"_s,
        .secret = u"p\"w"_s,
        .issuer = QUrl(u"http://h"_s),
        .userDomain = u"D"_s };
    QTest::newRow("a user")
        << user
        << uR"(|{"auth":{"identity":{"methods":["password"],"password":{"user":{"domain":{"name":"D"},"name":"me","password":"p\"w"}}}}})"_s
        << uR"({"auth":{"identity":{"methods":["password"],"password":{"user":{"domain":{"name":"D"},"name":"me","password":"***"}}}}})"_s;
    Credential member = user;
    member.project = u"P"_s;
    member.projectDomain = u"E"_s;
    QTest::newRow("a user in a project")
        << member
        << uR"(|{"auth":{"identity":{"methods":["password"],"password":{"user":{"domain":{"name":"D"},"name":"me","password":"p\"w"}}},"scope":{"project":{"domain":{"name":"E"},"name":"P"}}}})"_s
        << uR"({"auth":{"identity":{"methods":["password"],"password":{"user":{"domain":{"name":"D"},"name":"me","password":"***"}}},"scope":{"project":{"domain":{"name":"E"},"name":"P"}}}})"_s;
}

void TestSignIn::questions()
{
    QFETCH(const Credential, credential);
    QFETCH(const QString, sent);
    QFETCH(const QString, shown);
    const SignIn signIn(credential, {});
    const HttpRequest question = signIn.question();
    QCOMPARE(question.method, "POST");
    const QByteArray proof = header(question.headers, "Authorization");
    QCOMPARE((proof.isEmpty() ? QByteArray() : "Basic " + QByteArray::fromBase64(proof.mid(6)))
            + '|' + question.body,
        sent.toUtf8());
    QCOMPARE(signIn.maskedQuestion().body, shown.toUtf8());
}

void TestSignIn::placesOfKeystone_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("asked");
    const auto row = [](const char *url, const char *asked) {
        QTest::newRow(url) << QString::fromUtf8(url) << QString::fromUtf8(asked);
    };
    row("http://h:5000", "http://h:5000/v3/auth/tokens");
    row("http://h:5000/", "http://h:5000/v3/auth/tokens");
    row("http://h:5000/v3", "http://h:5000/v3/auth/tokens");
    row("http://h:5000/v3/", "http://h:5000/v3/auth/tokens");
    row("https://h/identity", "https://h/identity/v3/auth/tokens");
    row("https://h/identity/v3/auth/tokens", "https://h/identity/v3/auth/tokens");
}

void TestSignIn::placesOfKeystone()
{
    QFETCH(const QString, url);
    QFETCH(const QString, asked);
    const SignIn signIn({ .kind = Kind::Keystone, .issuer = QUrl(url) }, {});
    QCOMPARE(signIn.url().toString(), asked);
}

// ---- Keys in queries

void TestSignIn::keysInQueries_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("own"); // as it is asked of the server itself
    QTest::addColumn<QString>("other");
    const auto row = [](const char *url, const char *own, const char *other) {
        QTest::newRow(url) << QString::fromUtf8(url) << QString::fromUtf8(own)
                           << QString::fromUtf8(other);
    };
    row("http://h/a", "http://h/a?k%C3%A9y=p%2Bq%26r", "http://h/a");
    row("http://h/a?x=1", "http://h/a?x=1&k%C3%A9y=p%2Bq%26r", "http://h/a?x=1");
    row("http://h/a?x=%2F&k%C3%A9y=old", "http://h/a?x=%2F&k%C3%A9y=p%2Bq%26r",
        "http://h/a?x=%2F&k%C3%A9y=old"); // not ours
    row("http://h/a?k%C3%A9y=p%2Bq%26r&x", "http://h/a?x&k%C3%A9y=p%2Bq%26r", "http://h/a?x");
}

void TestSignIn::keysInQueries()
{
    QFETCH(const QString, url);
    QFETCH(const QString, own);
    QFETCH(const QString, other);
    const SignIn signIn({ .kind = Kind::QueryKey, .user = u"kéy"_s, .secret = u"p+q&r"_s }, {});
    QCOMPARE(signIn.address(QUrl(url)).toString(QUrl::FullyEncoded), own);
    QCOMPARE(signIn.withoutKey(QUrl(url)).toString(QUrl::FullyEncoded), other);
    QVERIFY(signIn.shown(QUrl(url)).toString(QUrl::FullyEncoded).endsWith(u"k%C3%A9y=****"_s));
    const SignIn others({ .kind = Kind::Bearer, .user = u"x"_s, .secret = u"1"_s }, {});
    QCOMPARE(others.address(QUrl(url)), QUrl(url));
}

void TestSignIn::hides_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("none") << QByteArray("nothing") << QByteArray("nothing");
    QTest::newRow("as it is") << QByteArray("not with se/cret+1.") << QByteArray("not with ***.");
    QTest::newRow("in a URL") << QByteArray("?x=se%2Fcret%2B1&y") << QByteArray("?x=***&y");
    QTest::newRow("twice") << QByteArray("se/cret+1se/cret+1") << QByteArray("******");
    QTest::newRow("a short word") << QByteArray("tiny") << QByteArray("tiny");
}

void TestSignIn::hides()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, shown);
    QCOMPARE(withoutSecrets(text, { "se/cret+1", "tiny", "" }), shown);
}

void TestSignIn::incomplete_data()
{
    QTest::addColumn<Credential>("credential");
    QTest::addColumn<QString>("problem");
    const QUrl good(u"http://h/token"_s);
    const auto row = [](const char *name, const Credential &credential, const char *problem) {
        QTest::newRow(name) << credential << QString::fromUtf8(problem);
    };
    row("no parameter", { .kind = Kind::QueryKey, .user = {}, .secret = u"k"_s },
        "The parameter of the query");
    row("no key", { .kind = Kind::QueryKey, .user = u"k"_s }, "The API key is empty.");
    row("a key of two lines", { .kind = Kind::QueryKey, .user = u"k"_s, .secret = u"a\nb"_s },
        "The API key holds line breaks");
    Credential one = client(QUrl(u"ftp://me:hush-hush-1@h/token"_s));
    row("no web address", one, "\"ftp://h/token\" is no address of a server that gives tokens");
    one.issuer = QUrl();
    row("no address", one, "\"\" is no address of a server that gives tokens");
    one.issuer = QUrl(u"file:///etc/passwd"_s);
    row("a file", one, "\"file:///etc/passwd\" is no address");
    one.issuer = QUrl(u"http://me:hush-hush-1@h/token"_s);
    row("a user in the address", one, "The address of http://h/token must not hold a user.");
    one.issuer = good;
    one.user.clear();
    row("no client", one, "The client's id is empty.");
    one = client(good);
    one.secret.clear();
    row("no client's secret", one, "The client's secret is empty.");
    one = { .kind = Kind::Keystone, .user = {}, .secret = u"p"_s, .issuer = good };
    row("no user", one, "The user's name is empty.");
    one.user = u"me"_s;
    one.secret.clear();
    row("no password", one, "The password is empty.");
}

void TestSignIn::incomplete()
{
    QFETCH(const Credential, credential);
    QFETCH(const QString, problem);
    const Result<std::unique_ptr<Connection>> made =
        Connection::make({ .server = QUrl(u"http://127.0.0.1:1"_s), .credential = credential });
    QVERIFY(!made);
    QVERIFY2(made.error().startsWith(problem), qPrintable(made.error()));
    QVERIFY(!made.error().contains(u"hush"_s));
}

/// With questions, in redirects and beside the queries that servers give; elsewhere never.
void TestSignIn::keyInQuery()
{
    ScriptedServer other(echo);
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        const QByteArray query = request.target.mid(request.target.indexOf('?'));
        if (request.target.startsWith("/away"))
            ScriptedServer::answer(
                socket, 302, {}, { { "Location", other.url(u"/x"_s).toEncoded() + query } });
        else if (request.target.startsWith("/home"))
            ScriptedServer::answer(socket, 302, {}, { { "Location", "/there" + query } });
        else
            echo(request, socket);
    });
    const auto connection = connected({ .server = server.url(),
        .credential = { .kind = Kind::QueryKey, .user = u"k"_s, .secret = u"key/1 2+3"_s } });
    QSignalSpy began(connection.get(), &Connection::began),
        ended(connection.get(), &Connection::ended);
    QCOMPARE(text(asked(*connection, errand("/a"))), u"200 GET /a?k=key%2F1%202%2B3 "_s);
    QCOMPARE(text(asked(*connection, errand("/a?x=1"))), u"200 GET /a?x=1&k=key%2F1%202%2B3 "_s);
    QCOMPARE(text(asked(*connection, errand("/home"))), u"200 GET /there?k=key%2F1%202%2B3 "_s);
    QCOMPARE(text(asked(*connection, errand("/away?y=2"))), u"200 GET /x?y=2 "_s);
    QCOMPARE(connection->prepared({ .method = "PUT", .target = "/a" }, server.url(u"/a"_s)).target,
        "/a?k=key%2F1%202%2B3");
    QStringList seen;
    for (const QList<QVariant> &signal : began + ended) {
        const auto exchange = signal.first().value<Exchange>();
        seen += exchange.url;
        QByteArray all = exchange.url.toUtf8() + exchange.responseBody;
        for (const Exchange::Header &one : exchange.requestHeaders + exchange.responseHeaders)
            all += one.value.toUtf8();
        QVERIFY2(!all.contains("key/1") && !all.contains("key%2F1"), all.constData());
    }
    QCOMPARE(seen.first(), server.url(u"/a?k=****"_s).toString());
    QCOMPARE(seen[1], server.url(u"/a?x=1&k=****"_s).toString());
}

// ---- Against a gate

void TestSignIn::letsIn_data()
{
    QTest::addColumn<QString>("wants");
    QTest::newRow("bearer") << u"bearer"_s;
    QTest::newRow("subject") << u"subject"_s;
    QTest::newRow("header") << u"header X-Odd"_s;
    QTest::newRow("query") << u"query odd"_s;
}

void TestSignIn::letsIn()
{
    QFETCH(const QString, wants);
    const Reference reference(u"network-controller"_s, { { .path = u"/logicalNetworks/ln"_s } });
    const Gate gate({ { u"upstream"_s, reference.origin() }, { u"wants"_s, wants } });
    Credential credential;
    if (wants == u"bearer"_s)
        credential = gate.client();
    else if (wants == u"subject"_s)
        credential = gate.user();
    else
        credential = { .kind = wants.startsWith(u"query"_s) ? Kind::QueryKey : Kind::ApiKey,
            .user = wants.section(u' ', 1, 1),
            .secret = Gate::key() };
    const auto connection = connected({ .server = gate.url(), .credential = credential });
    QCOMPARE(asked(*connection, errand("/networking/v1/logicalNetworks/ln")).response->status, 200);
    QCOMPARE(gate.counted("refused"), 0);

    credential.secret += u"x"_s;
    const auto wrong = connected({ .server = gate.url(), .credential = credential });
    const Connection::Answer answer = asked(*wrong, errand("/networking/v1/logicalNetworks/ln"));
    const bool isToken = wants == u"bearer"_s || wants == u"subject"_s;
    QCOMPARE(answer.isRefused, isToken);
    QCOMPARE(answer.response.has_value(), !isToken);
    QVERIFY2(text(answer).contains(u"401"_s), qPrintable(text(answer)));
    if (isToken) {
        QCOMPARE(gate.counted("requests"), 1); // nothing is asked without a token
        QVERIFY2(!answer.problem.contains(credential.secret), qPrintable(answer.problem));
    }
}

void TestSignIn::troubles_data()
{
    QTest::addColumn<QString>("trouble");
    QTest::addColumn<QString>("problem");
    QTest::addColumn<bool>("refused");
    const auto row = [](const char *trouble, const char *problem, bool refused) {
        QTest::newRow(trouble) << QString::fromUtf8(trouble) << QString::fromUtf8(problem)
                               << refused;
    };
    row("down", "does not answer", false);
    row("busy", "503 Service Unavailable.", false);
    row("huge", "The answer is larger than 1 MiB.", false);
    row("html", "the answer is 200, and no JSON object.", true);
    row("list", "the answer is 200, and no JSON object.", true);
    row("empty", "the answer is 200, without access_token.", true);
    row("two lines", "the answer is 200, without access_token.", true);
    row("mac", "it is of the type \"mac\", and only Bearer can be shown.", true);
    row("moved", "307 Temporary Redirect.", true);
    row("echo", "400 invalid_scope: not for *** or pass word of alice.", true);
}

void TestSignIn::troubles()
{
    QFETCH(const QString, trouble);
    QFETCH(const QString, problem);
    QFETCH(const bool, refused);
    ScriptedServer other(echo);
    const Gate gate({ { u"trouble"_s, trouble }, { u"origin"_s, other.url().toString() } });
    const auto connection = connected({ .server = gate.url(), .credential = gate.client() });
    const Connection::Answer answer = asked(*connection, errand("/a"));
    QVERIFY(!answer.response);
    QVERIFY2(answer.problem.startsWith(u"There is no token from %1/token: "_s.arg(gate.origin)),
        qPrintable(answer.problem));
    QVERIFY2(answer.problem.contains(problem), qPrintable(answer.problem));
    QCOMPARE(answer.isRefused, refused);
    QCOMPARE(answer.isAnswered, refused);
    QCOMPARE(gate.counted("requests"), 0);
    QVERIFY(other.requests.isEmpty()); // a redirect takes no secret along
    // The next one tries again.
    const int before = gate.counted("questions");
    asked(*connection, errand("/a"));
    QVERIFY(gate.counted("questions") > before);
}

void TestSignIn::slow()
{
    const Gate gate({ { u"trouble"_s, u"slow"_s } });
    const auto connection =
        connected({ .server = gate.url(), .credential = gate.user(), .timeoutMs = 300 });
    const Connection::Answer answer = asked(*connection, errand("/a"));
    QVERIFY2(answer.problem.contains(u"No answer from 127.0.0.1"_s), qPrintable(answer.problem));
    QVERIFY(!answer.isAnswered);
    QCOMPARE(gate.counted("requests"), 0);
}

void TestSignIn::proofs_data()
{
    QTest::addColumn<QString>("taken");
    QTest::addColumn<QString>("secret");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("problem");
    const QString right = u"s3cret:of+the client/1"_s;
    QTest::newRow("anywhere") << u"both"_s << right << u"header"_s << QString();
    QTest::newRow("in a header") << u"header"_s << right << u"header"_s << QString();
    QTest::newRow("in the body") << u"body"_s << right << u"header body"_s << QString();
    QTest::newRow("wrong anywhere") << u"both"_s << u"wrong"_s << u"header body"_s
                                    << u"token: 401 invalid_client: no such client."_s;
    QTest::newRow("wrong in the body")
        << u"body"_s << u"wrong"_s << u"header body"_s
        << u"token: 400 invalid_request: the client's secret belongs in the body; with the "
           "client's secret in the body: 401 invalid_client: no such client."_s;
}

/// The client's secret stands where the server wants it, and there again when the token is renewed.
void TestSignIn::proofs()
{
    QFETCH(const QString, taken);
    QFETCH(const QString, secret);
    QFETCH(const QString, shown);
    QFETCH(const QString, problem);
    const Reference reference(u"network-controller"_s);
    const Gate gate(
        { { u"upstream"_s, reference.origin() }, { u"proof"_s, taken }, { u"uses"_s, 1 } });
    Credential credential = gate.client();
    credential.secret = secret;
    credential.scope = u"read write"_s;
    const auto connection = connected({ .server = gate.url(), .credential = credential });
    const Connection::Answer answer = asked(*connection, errand("/x"));
    QCOMPARE(answer.problem.section(u'/', -1), problem);
    const auto proofs = [&] {
        QStringList places;
        for (const QJsonValue place : gate.seen().value(u"proofs"_s).toArray())
            places += place.toString();
        return places.join(u' ');
    };
    QCOMPARE(proofs(), shown);
    if (!problem.isEmpty())
        return;
    QCOMPARE(gate.seen().value(u"scopes"_s).toArray().first().toString(), u"read write"_s);
    asked(*connection, errand("/x"));
    QCOMPARE(proofs(), shown + u' ' + shown.section(u' ', -1));
}

void TestSignIn::oneQuestionForAll()
{
    const Reference reference(u"network-controller"_s);
    const Gate gate({ { u"upstream"_s, reference.origin() } });
    const auto connection = connected({ .server = gate.url(), .credential = gate.client() });
    int answers = 0;
    for (int i = 0; i < 8; ++i) {
        connection->send(errand("/networking/v1/logicalNetworks"),
            [&](const Connection::Answer &answer) { answers += answer.response->status == 200; });
    }
    QCOMPARE(answers, 0);
    QTRY_COMPARE(answers, 8);
    QCOMPARE(gate.counted("questions"), 1);
    QCOMPARE(gate.counted("refused"), 0);
}

/// A token that is said to live for no time is good for those who waited, and no longer.
void TestSignIn::renewedBeforeItEnds()
{
    const Reference reference(u"network-controller"_s);
    for (const QString &wants : { u"bearer"_s, u"subject"_s }) {
        const Gate gate({ { u"upstream"_s, reference.origin() }, { u"wants"_s, wants },
            { u"lifetime"_s, 0 }, { u"ahead"_s, 5 } });
        const auto connection = connected({ .server = gate.url(),
            .credential = wants == u"bearer"_s ? gate.client() : gate.user() });
        for (int i = 1; i <= 3; ++i) {
            QCOMPARE(
                asked(*connection, errand("/networking/v1/logicalNetworks")).response->status, 200);
            QCOMPARE(gate.counted("tokens"), i);
        }
        QCOMPARE(gate.counted("refused"), 0);
        QCOMPARE(gate.counted("leaks"), 0);
    }
}

/// By a 401, which eight requests get at once: one more question for all of them.
void TestSignIn::renewedOnce()
{
    const Reference reference(u"network-controller"_s);
    for (const QString &wants : { u"bearer"_s, u"subject"_s }) {
        const Gate gate(
            { { u"upstream"_s, reference.origin() }, { u"wants"_s, wants }, { u"uses"_s, 8 } });
        const auto connection = connected({ .server = gate.url(),
            .credential = wants == u"bearer"_s ? gate.client() : gate.user() });
        int answers = 0;
        for (int round = 1; round <= 2; ++round) {
            for (int i = 0; i < 8; ++i) {
                connection->send(errand("/networking/v1/logicalNetworks"),
                    [&](const Connection::Answer &answer) {
                        answers += answer.response->status == 200;
                    });
            }
            QTRY_COMPARE(answers, 8 * round);
        }
        QCOMPARE(gate.counted("questions"), 2);
        QCOMPARE(gate.counted("refused"), 8);
        QCOMPARE(gate.counted("leaks"), 0);
    }
}

void TestSignIn::refusedAfterRenewal()
{
    const Gate gate({ { u"uses"_s, 0 } });
    const auto connection = connected({ .server = gate.url(), .credential = gate.user() });
    const Connection::Answer answer = asked(*connection, errand("/x"));
    QCOMPARE(answer.response->status, 401);
    QVERIFY(!answer.isRefused);
    QCOMPARE(gate.counted("requests"), 2);
    QCOMPARE(gate.counted("questions"), 2);
}

/// Neither a token nor a key goes along to another server, which needs none to be asked.
void TestSignIn::elsewhere()
{
    ScriptedServer other(echo);
    for (const QString &wants : { u"bearer"_s, u"subject"_s, u"header X-Odd"_s, u"query k"_s }) {
        const Gate gate({ { u"wants"_s, wants }, { u"origin"_s, other.url().toString() } });
        Credential credential = wants == u"bearer"_s ? gate.client() : gate.user();
        if (wants.contains(u' '))
            credential = { .kind = wants.startsWith(u"query"_s) ? Kind::QueryKey : Kind::ApiKey,
                .user = wants.section(u' ', 1),
                .secret = Gate::key() };
        const auto connection = connected({ .server = gate.url(), .credential = credential });
        QCOMPARE(asked(*connection, errand("/away/x")).response->status, 200);
        const HttpRequest last = other.requests.last();
        QVERIFY2(last.target.startsWith("/x"), last.target.constData());
        for (const char *name : { "Authorization", "X-Auth-Token", "X-Odd" })
            QVERIFY2(!hasHeader(last.headers, name), name);
        QVERIFY2(!last.target.contains("key-0123"), last.target.constData());
    }
    const Gate gate(QJsonObject {});
    const auto connection = connected({ .server = gate.url(), .credential = gate.client() });
    Connection::Errand direct = errand("/");
    direct.url = other.url(u"/direct"_s);
    asked(*connection, direct);
    QCOMPARE(gate.counted("questions"), 0);
}

void TestSignIn::abandoned()
{
    const Gate gate({ { u"trouble"_s, u"slow"_s } });
    const auto connection = connected({ .server = gate.url(), .credential = gate.client() });
    bool isTold = false;
    connection->send(errand("/x"), [&](const Connection::Answer &) { isTold = true; });
    connection->whenSignedIn([&](const SignIn &) { isTold = true; });
    QTRY_COMPARE(gate.counted("questions"), 1);
    connection->abandon();
    connection->send(errand("/x"), [&](const Connection::Answer &) { isTold = true; });
    QTRY_COMPARE(gate.counted("questions"), 2); // somebody asks anew
    connection->abandon();
    QVERIFY(!isTold);
}

// ---- Operations, which leave in volleys

RemoteController::Options optionsFor(const Gate &gate, const Credential &credential)
{
    RemoteController::Options options;
    options.connection.server = gate.url();
    options.connection.credential = credential;
    options.readOnly = false;
    options.refreshMs = options.motionMs = 0;
    return options;
}

Request put(const QString &path, const QString &id)
{
    return { .op = u"PUT"_s, .path = path, .id = id, .client = u"me"_s };
}

/// Eight at once find their token refused: each is sent again, and one token is asked for.
void TestSignIn::operations()
{
    const Reference reference(u"network-controller"_s, { { .path = u"/logicalNetworks/ln"_s } });
    const Gate gate({ { u"upstream"_s, reference.origin() }, { u"wants"_s, u"subject"_s } });
    RemoteController controller(
        *Rules::make(*loadPack(u"network-controller"_s)), optionsFor(gate, gate.user()));
    controller.setPolling(false);
    QVERIFY(controller.open());
    QTRY_COMPARE(controller.state(), RemoteController::State::Ready);
    QTRY_VERIFY(!controller.isAsking());
    QCOMPARE(gate.counted("tokens"), 1);
    gate.revoke();
    QList<Request> requests;
    for (int i = 0; i < 8; ++i)
        requests += put(u"/GatewayPools/p%1"_s.arg(i), u"o%1"_s.arg(i));
    const QList<quint32> serials = controller.fireTogether(requests);
    const auto areTaken = [&] {
        return std::ranges::none_of(
            serials, [&](quint32 serial) { return controller.serverId(serial).isEmpty(); });
    };
    QTRY_VERIFY(areTaken());
    QCOMPARE(gate.counted("refused"), 8);
    QCOMPARE(gate.counted("tokens"), 2);
}

/// One that cannot be signed in for is not sent, and that is said.
void TestSignIn::operationsWithoutToken()
{
    const Reference reference(u"network-controller"_s, { { .path = u"/logicalNetworks/ln"_s } });
    for (const bool isDown : { true, false }) {
        QJsonObject settings { { u"upstream"_s, reference.origin() } };
        settings.insert(u"lifetime"_s, 0);
        settings.insert(u"trouble"_s, isDown ? u"down later"_s : QString());
        settings.insert(u"tokens"_s, 1);
        const Gate gate(settings);
        RemoteController controller(
            *Rules::make(*loadPack(u"network-controller"_s)), optionsFor(gate, gate.client()));
        QVERIFY(controller.open());
        QTRY_COMPARE(controller.state(), RemoteController::State::Ready);
        const int before = gate.counted("requests");
        controller.submit(put(u"/GatewayPools/p"_s, u"o"_s));
        const Operation *operation = controller.operations().find(u"o"_s);
        QTRY_COMPARE(operation->status, Status::Rejected);
        QCOMPARE(operation->errorCode, u"NotSent"_s);
        QCOMPARE(controller.state(), RemoteController::State::Lost);
        QCOMPARE(controller.nextTry().isValid(), isDown); // else it is of no use
        QVERIFY2(controller.stateText().startsWith(u"There is no token from "_s),
            qPrintable(controller.stateText()));
        QCOMPARE(gate.counted("requests"), before);
    }
}

/// Who is not let in is not asked for again and again: passwords get locked that way.
void TestSignIn::refusalIsFinal()
{
    const Gate gate({ { u"wants"_s, u"subject"_s } });
    Credential wrong = gate.user();
    wrong.secret = u"not the password"_s;
    RemoteController controller(
        *Rules::make(*loadPack(u"network-controller"_s)), optionsFor(gate, wrong));
    QVERIFY(controller.open());
    QTRY_COMPARE(controller.state(), RemoteController::State::Lost);
    QVERIFY(!controller.nextTry().isValid());
    QVERIFY2(controller.stateText().contains(
                 u"401 The request you have made requires authentication."_s),
        qPrintable(controller.stateText()));
    QCOMPARE(gate.counted("questions"), 1);
    controller.reload();
    QTRY_COMPARE(gate.counted("questions"), 2);
    QTRY_COMPARE(controller.state(), RemoteController::State::Lost);
    QVERIFY(!controller.nextTry().isValid());
}

/// A question for a token says nothing of the tree, wherever it is asked; and a collection is whole
/// although a key is hidden in its URL.
void TestSignIn::witnesses()
{
    const Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    TestimonyReader reader(rules);
    Exchange exchange { .number = 1, .sent = QDateTime::currentDateTimeUtc(), .duration = 1 };
    exchange.method = u"GET"_s;
    exchange.url = u"http://h/networking/v1/logicalNetworks"_s;
    exchange.status = 200;
    exchange.responseBody = "{\"value\": []}";
    const auto told = [&](const QString &query, Exchange::Purpose purpose) {
        Exchange one = exchange;
        one.url += query;
        one.purpose = purpose;
        const std::optional<Testimony> testimony = reader.testimony(one);
        return testimony ? testimony->collection : u"nothing"_s;
    };
    QCOMPARE(told({}, Exchange::Purpose::Load), u"/logicalnetworks"_s); // as names are compared
    QCOMPARE(told({}, Exchange::Purpose::SignIn), u"nothing"_s);
    QCOMPARE(told(u"?k=****"_s, Exchange::Purpose::Load), u"/logicalnetworks"_s);
    QCOMPARE(told(u"?k=****&top=1"_s, Exchange::Purpose::Load), QString());
    // A page's name is hidden, too, where it is called as secrets are.
    QCOMPARE(told(u"?$skipToken=***"_s, Exchange::Purpose::Load), QString());
    QCOMPARE(told(u"?k=****&$skipToken=***"_s, Exchange::Purpose::Load), QString());
}

void TestSignIn::exchangesHideIt_data()
{
    QTest::addColumn<QString>("wants");
    for (const char *wants : { "bearer", "subject", "header X-Odd", "query odd" })
        QTest::newRow(wants) << QString::fromUtf8(wants);
}

/// Whatever a server says back of it; and the questions for tokens are exchanges, too.
void TestSignIn::exchangesHideIt()
{
    QFETCH(const QString, wants);
    const Gate gate({ { u"wants"_s, wants }, { u"uses"_s, 0 }, { u"proof"_s, u"body"_s } });
    Credential credential = wants == u"bearer"_s ? gate.client() : gate.user();
    if (wants.contains(u' '))
        credential = { .kind = wants.startsWith(u"query"_s) ? Kind::QueryKey : Kind::ApiKey,
            .user = wants.section(u' ', 1),
            .secret = Gate::key() + u'x' };
    const auto connection = connected({ .server = gate.url(), .credential = credential });
    QSignalSpy ended(connection.get(), &Connection::ended);
    const Connection::Answer answer = asked(*connection, errand("/x"));
    QCOMPARE(answer.response->status, 401);
    int questions = 0;
    for (const QList<QVariant> &signal : ended) {
        const auto exchange = signal.first().value<Exchange>();
        questions += exchange.purpose == Exchange::Purpose::SignIn;
        QByteArray all = exchange.url.toUtf8() + exchange.requestBody + exchange.responseBody;
        for (const Exchange::Header &one : exchange.requestHeaders + exchange.responseHeaders)
            all += one.name.toUtf8() + ": " + one.value.toUtf8() + '\n';
        for (const QByteArray &secret : { QByteArray("s3cret"), QByteArray("pass word"),
                 QByteArray("key-0123"), QByteArray("-of-the-gate") })
            QVERIFY2(!all.contains(secret), all.constData());
        QVERIFY2(exchange.status != 401 || all.contains("***"), all.constData());
    }
    QCOMPARE(questions, wants.contains(u' ') ? 0 : wants == u"bearer"_s ? 3 : 2);
    // What is said of it elsewhere.
    QVERIFY(!connection->shown(QString::fromUtf8(answer.response->body)).contains(u"-of-the-"_s));
    QVERIFY(!connection->shown(gate.url(u"/x?odd="_s + Gate::key() + u'x')).contains(u"key-0123"_s)
        || !wants.startsWith(u"query"_s));
}

} // namespace

const instar::TestClass<TestSignIn> registered;
#include "tst_signin.moc"
