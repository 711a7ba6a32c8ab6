// SPDX-License-Identifier: Apache-2.0
// Messages as bytes, which are no other messages; their headers, and the token that they bear.

#include "tests/remote/httptext.h"
#include "tests/remote/randombytes.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;

namespace {

class TestHttpBytes : public QObject
{
    Q_OBJECT

private slots:
    void requestBytes_data();
    void requestBytes();
    void responseBytes_data();
    void responseBytes();
    void nothingIsSmuggled();
    void roundTrips();
    void headers();
    void bearer_data();
    void bearer();
};

void TestHttpBytes::requestBytes_data()
{
    QTest::addColumn<HttpRequest>("request");
    QTest::addColumn<QByteArray>("bytes");

    QTest::newRow("a question") << HttpRequest {
        .method = "GET", .target = "/a", .headers = { { "Host", "x:1" } }
    } << QByteArray("GET /a HTTP/1.1\r\nHost: x:1\r\n\r\n");
    QTest::newRow("a body") << HttpRequest { .method = "PUT", .target = "/a", .body = "hi" }
                            << QByteArray("PUT /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi");
    QTest::newRow("a body of nothing") << HttpRequest { .method = "POST",
        .target = "/a" } << QByteArray("POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    QTest::newRow("closing") << HttpRequest {
        .method = "DELETE", .target = "/a", .keepAlive = false
    } << QByteArray("DELETE /a HTTP/1.1\r\nConnection: close\r\n\r\n");
    QTest::newRow("HTTP/1.0 that stays")
        << HttpRequest { .method = "GET", .target = "/", .minor = 0 }
        << QByteArray("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    QTest::newRow("our own headers") << HttpRequest { .method = "GET",
        .target = "/",
        .headers = { { "connection", "upgrade" }, { "CONTENT-LENGTH", "9" },
            { "Transfer-Encoding", "chunked" }, { "A", "b" } } }
                                     << QByteArray("GET / HTTP/1.1\r\nA: b\r\n\r\n");
    QTest::newRow("a request in a target")
        << HttpRequest { .method = "GET", .target = "/a b\r\n\r\nGET /c\t\x7f" }
        << QByteArray("GET /a%20b%0D%0A%0D%0AGET%20/c%09%7F HTTP/1.1\r\n\r\n");
    QTest::newRow("a request in a method") << HttpRequest { .method = "GET /\r\n", .target = "" }
                                           << QByteArray("GET / HTTP/1.1\r\n\r\n");
}

void TestHttpBytes::requestBytes()
{
    QFETCH(HttpRequest, request);
    QFETCH(QByteArray, bytes);
    QCOMPARE(toBytes(request), bytes);
}

void TestHttpBytes::responseBytes_data()
{
    QTest::addColumn<HttpResponse>("response");
    QTest::addColumn<BodyOf>("body");
    QTest::addColumn<int>("minor");
    QTest::addColumn<QByteArray>("bytes");

    const auto row = [](const char *name, const HttpResponse &response, const QByteArray &bytes,
                         BodyOf body = BodyOf::Get, int minor = 1) {
        QTest::newRow(name) << response << body << minor << bytes;
    };
    row("with a body", { .status = 201, .headers = { { "ETag", "\"1\"" } }, .body = "hi" },
        "HTTP/1.1 201 Created\r\nETag: \"1\"\r\nContent-Length: 2\r\n\r\nhi");
    row("without a body", { .status = 404 }, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    row("to HEAD", { .body = "hi" }, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", BodyOf::Head);
    row("without content", { .status = 204, .body = "hi" }, "HTTP/1.1 204 No Content\r\n\r\n");
    row("not modified", { .status = 304, .headers = { { "ETag", "x" } }, .body = "hi" },
        "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n");
    row("not the last", { .status = 100 }, "HTTP/1.1 100 Continue\r\n\r\n");
    row("closing", { .status = 503, .keepAlive = false },
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    row("HTTP/1.0 that stays", {},
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n", BodyOf::Get, 0);
    row("own words", { .status = 299, .reason = "Quite good" },
        "HTTP/1.1 299 Quite good\r\nContent-Length: 0\r\n\r\n");
    row("no words", { .status = 299 }, "HTTP/1.1 299 Unknown\r\nContent-Length: 0\r\n\r\n");
    row("our own headers",
        { .headers = { { "Content-length", "9" }, { "Connection", "close" },
              { "transfer-encoding", "chunked" } } },
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    row("a header in a value", { .headers = { { "A", "b\r\nSet-Cookie: c" } } },
        "HTTP/1.1 200 OK\r\nA: b  Set-Cookie: c\r\nContent-Length: 0\r\n\r\n");
    row("a header in the reason", { .reason = "OK\r\nA: b" },
        "HTTP/1.1 200 OK  A: b\r\nContent-Length: 0\r\n\r\n");
    row("names that are none",
        { .headers = { { "", "x" }, { "A B", "x" }, { "A:", "x" }, { "A\r\nB", "x" } } },
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
}

void TestHttpBytes::responseBytes()
{
    QFETCH(HttpResponse, response);
    QFETCH(BodyOf, body);
    QFETCH(int, minor);
    QFETCH(QByteArray, bytes);
    QCOMPARE(toBytes(response, body, minor), bytes);
}

/// Whatever stands in a message's fields, its bytes are one message with that body.
void TestHttpBytes::nothingIsSmuggled()
{
    QVERIFY(holdsFor(300, 40, [] {
        HttpHeaders headers;
        const int count = *rc::gen::inRange(0, 4);
        for (int i = 0; i < count; ++i)
            headers.append(*rc::gen::oneOf(anyBytes(12),
                               rc::gen::element<QByteArray>(
                                   "Content-Length", "Connection", "transfer-encoding", "A")),
                *anyBytes(40));
        const HttpRequest request { .method = *anyBytes(8),
            .target = *anyBytes(30),
            .headers = headers,
            .body = *anyBytes(20) };
        HttpParser<HttpRequest> requests;
        requests.feed(toBytes(request));
        const std::optional<HttpRequest> read = requests.take();
        RC_ASSERT(read.has_value());
        RC_ASSERT(read->body == request.body);
        RC_ASSERT(requests.isIdle() && !requests.problem());

        const HttpResponse response {
            .status = 200, .reason = *anyBytes(20), .headers = headers, .body = *anyBytes(20)
        };
        HttpParser<HttpResponse> responses;
        responses.feed(toBytes(response));
        const std::optional<HttpResponse> answer = responses.take();
        RC_ASSERT(answer.has_value());
        RC_ASSERT(answer->body == response.body);
        RC_ASSERT(responses.isIdle() && !responses.problem());
    }));
}

void TestHttpBytes::roundTrips()
{
    QVERIFY(holdsFor(300, 40, [] {
        HttpRequest request { .method = *rc::gen::element<QByteArray>("GET", "PUT", "PATCH", "x"),
            .target = '/' + *textOf("abc/?=&%20", 20),
            .body = *anyBytes(50),
            .minor = *rc::gen::inRange(0, 2),
            .keepAlive = *rc::gen::arbitrary<bool>() };
        const int count = *rc::gen::inRange(0, 4);
        for (int i = 0; i < count; ++i)
            request.headers.append(
                "X-" + *textOf("abcXYZ", 8), (*textOf("abc \t;,\"", 20)).trimmed());
        HttpParser<HttpRequest> parser;
        parser.feed(toBytes(request));
        std::optional<HttpRequest> read = parser.take();
        RC_ASSERT(read.has_value());
        HttpHeaders own;
        for (const HttpHeader &header : read->headers) {
            if (header.name.startsWith("X-"))
                own.append(header.name, header.value);
        }
        read->headers = own;
        RC_ASSERT(described(*read) == described(request));
        RC_ASSERT(*read == request);
    }));
}

void TestHttpBytes::headers()
{
    const HttpHeaders headers { { "Host", "a" }, { "If-Match", "" }, { "host", "b" } };
    QCOMPARE(header(headers, "HOST"), "a");
    QCOMPARE(header(headers, "Hos"), "");
    QVERIFY(hasHeader(headers, "if-match"));
    QVERIFY(!hasHeader(headers, "if-matc"));
    QCOMPARE(headers.size(), 3);
    QCOMPARE(described(headers), " {Host=a} {If-Match=} {host=b}");
    QVERIFY(!HttpHeaders::isFraming("Host"));
    QVERIFY(HttpHeaders::isFraming("connection"));
    QVERIFY(HttpHeaders().begin() == HttpHeaders().end());
    QVERIFY((HttpHeaders { { "a b", "1" }, { "", "2" } }).isEmpty());
    QCOMPARE(reasonPhrase(412), "Precondition Failed");
    QCOMPARE(reasonPhrase(-1), "Unknown");
    QCOMPARE(reasonPhrase(600), "Unknown");
}

void TestHttpBytes::bearer_data()
{
    QTest::addColumn<QByteArray>("authorization");
    QTest::addColumn<bool>("bears");
    QTest::newRow("right") << QByteArray("Bearer secret") << true;
    QTest::newRow("another case") << QByteArray("bearer secret") << true;
    QTest::newRow("more blanks") << QByteArray("Bearer   secret") << true;
    QTest::newRow("one letter less") << QByteArray("Bearer secre") << false;
    QTest::newRow("one letter more") << QByteArray("Bearer secrets") << false;
    QTest::newRow("twice") << QByteArray("Bearer secretsecret") << false;
    QTest::newRow("another") << QByteArray("Bearer secreT") << false;
    QTest::newRow("none") << QByteArray("Bearer ") << false;
    QTest::newRow("no scheme") << QByteArray("secret") << false;
    QTest::newRow("another scheme") << QByteArray("Basic secret") << false;
    QTest::newRow("nothing") << QByteArray() << false;
}

void TestHttpBytes::bearer()
{
    QFETCH(QByteArray, authorization);
    QFETCH(bool, bears);
    QCOMPARE(bearsToken({ { "authorization", authorization } }, "secret"), bears);
    QVERIFY(!bearsToken({ { "authorization", authorization } }, ""));
}

} // namespace

const instar::TestClass<TestHttpBytes> registered;
#include "tst_httpbytes.moc"
