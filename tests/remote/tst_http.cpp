// SPDX-License-Identifier: Apache-2.0
// HTTP messages parsed and serialized: valid, invalid, too large, cut anywhere and damaged.

#include "model/http/httpparser.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QByteArray>
#include <QList>
#include <QTest>

#include <rapidcheck.h>

#include <algorithm>

using namespace instar;

namespace {

enum class Reads { Requests, Responses };

QByteArray described(const HttpHeaders &headers)
{
    QByteArray text;
    for (const HttpHeader &header : headers)
        text.append(" {").append(header.name).append('=').append(header.value).append('}');
    return text;
}

QByteArray described(const HttpRequest &request)
{
    return request.method + ' ' + request.target + " 1." + QByteArray::number(request.minor)
        + (request.keepAlive ? " keeps" : " closes") + described(request.headers) + " '"
        + request.body + '\'';
}

QByteArray described(const HttpResponse &response)
{
    return QByteArray::number(response.status) + ' ' + response.reason
        + (response.keepAlive ? " keeps" : " closes") + described(response.headers) + " '"
        + response.body + '\'';
}

/// The messages that are complete, one a line.
template<typename Message>
QByteArray taken(HttpParser<Message> &parser)
{
    QByteArray text;
    while (const std::optional<Message> message = parser.take())
        text += described(*message) + '\n';
    return text;
}

/// All messages in pieces of a connection that is closed in the end, and the problem's status.
template<typename Message>
QByteArray read(const QList<QByteArray> &pieces, HttpLimits limits)
{
    HttpParser<Message> parser(limits);
    QByteArray text;
    for (const QByteArray &piece : pieces) {
        parser.feed(piece);
        text += taken(parser);
    }
    parser.end();
    text += taken(parser);
    if (parser.problem())
        text += QByteArray::number(parser.problem()->status);
    return text.trimmed();
}

QByteArray read(Reads reads, const QList<QByteArray> &pieces, HttpLimits limits = {})
{
    return reads == Reads::Requests ? read<HttpRequest>(pieces, limits)
                                    : read<HttpResponse>(pieces, limits);
}

/// Pieces of so many bytes.
QList<QByteArray> cut(const QByteArray &bytes, qsizetype size)
{
    QList<QByteArray> pieces;
    for (qsizetype i = 0; i < bytes.size(); i += size)
        pieces += bytes.sliced(i, std::min(size, bytes.size() - i));
    return pieces;
}

/// At most so many of these letters.
rc::Gen<QByteArray> textOf(const std::string &letters, int most)
{
    return rc::gen::map(
        rc::gen::resize(most, rc::gen::container<std::string>(rc::gen::elementOf(letters))),
        [](const std::string &text) { return QByteArray::fromStdString(text); });
}

rc::Gen<QByteArray> anyBytes(int most)
{
    return rc::gen::map(
        rc::gen::resize(most, rc::gen::container<std::string>(rc::gen::arbitrary<char>())),
        [](const std::string &text) { return QByteArray::fromStdString(text); });
}

class TestHttp : public QObject
{
    Q_OBJECT

private slots:
    void messages_data();
    void messages();
    void headWithoutBody();
    void stages();
    void requestBytes_data();
    void requestBytes();
    void responseBytes_data();
    void responseBytes();
    void nothingIsSmuggled();
    void headers();
    void bearer();
    void limits_data();
    void limits();
    void endlessHeaders_data();
    void endlessHeaders();
    void cutting();
    void damage();
};

void TestHttp::messages_data()
{
    addColumns<Reads, QByteArray, QByteArray>("reads", "bytes", "messages");

    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &messages) {
        QTest::newRow(name) << Reads::Requests << bytes << messages;
    };
    const auto response = [](const char *name, const QByteArray &bytes,
                              const QByteArray &messages) {
        QTest::addRow("response: %s", name) << Reads::Responses << bytes << messages;
    };
    const auto put = [&](const char *name, const QByteArray &headers, const QByteArray &messages) {
        row(name, "PUT /a HTTP/1.1\r\n" + headers + "\r\n\r\nhello", messages);
    };
    const auto chunked = [&](const char *name, const QByteArray &body, const QByteArray &messages) {
        row(name, "PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body, messages);
    };

    row("nothing", "", "");
    row("a question", "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a?b=c 1.1 keeps {Host=x} ''");
    row("other methods", "M-SEARCH * HTTP/1.1\r\n\r\nget / HTTP/1.1\r\n\r\n",
        "M-SEARCH * 1.1 keeps ''\nget / 1.1 keeps ''");
    row("empty lines before", "\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\n", "GET / 1.1 keeps ''");
    row("blanks around values", "GET / HTTP/1.1\r\nA:1\r\nB: \t two words \t\r\nC:\r\n\r\n",
        "GET / 1.1 keeps {A=1} {B=two words} {C=} ''");
    row("a folded value", "GET / HTTP/1.1\r\nA: one\r\n  two\r\nB: 3\r\n\r\n",
        "GET / 1.1 keeps {A=one two} {B=3} ''");
    row("bytes beyond ASCII", "GET /\xc3\xa9 HTTP/1.1\r\nA: \xc3\xa9\xff\r\n\r\n",
        "GET /\xc3\xa9 1.1 keeps {A=\xc3\xa9\xff} ''");
    row("closing", "GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n",
        "GET / 1.1 closes {Connection=x, Close} ''");
    row("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0 closes ''");
    row("HTTP/1.0 that stays", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET / 1.0 keeps {Connection=keep-alive} ''");
    put("a body", "content-length: 5", "PUT /a 1.1 keeps {content-length=5} 'hello'");
    put("one length twice", "Content-Length: 5\r\nContent-Length: 5",
        "PUT /a 1.1 keeps {Content-Length=5} {Content-Length=5} 'hello'");
    row("one after the other",
        "PUT /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nGETGET /b HTTP/1.1\r\n\r\n",
        "PUT /a 1.1 keeps {Content-Length=3} 'GET'\nGET /b 1.1 keeps ''");
    chunked("chunks", "3\r\nabc\r\nA;x=\"y;z\"\r\n0123456789\r\n0\r\n\r\n",
        "PUT /a 1.1 keeps {Transfer-Encoding=chunked} 'abc0123456789'");
    chunked("no chunk", "0\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
        "PUT /a 1.1 keeps {Transfer-Encoding=chunked} ''\nGET /b 1.1 keeps ''");
    chunked("trailers are no headers", "1\r\nx\r\n0\r\nHost: evil\r\nX: y\r\n\r\n",
        "PUT /a 1.1 keeps {Transfer-Encoding=chunked} 'x'");

    row("garbage", "\x16\x03\x01\x02\r\n\r\n", "400");
    row("HTTP/0.9", "GET /\r\n", "400");
    row("no target", "GET  HTTP/1.1\r\n\r\n", "400");
    row("HTTP/9.9", "GET / HTTP/9.9\r\n\r\n", "505");
    row("another protocol", "GET / RTSP/1.0\r\n\r\n", "400");
    row("lines without CR", "GET / HTTP/1.1\nA: b\n\n", "400");
    row("a header's line without CR", "GET / HTTP/1.1\r\nA: b\nContent-Length: 5\r\n\r\n", "400");
    row("CR within a value", "GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", "400");
    row("zero within a value", QByteArray("GET / HTTP/1.1\r\nA: b\0c\r\n\r\n", 27), "400");
    put("a header without colon", "Host", "400");
    put("a blank before the colon", "Content-Length : 5", "400");
    put("a blank before the first header", " A: b\r\nContent-Length: 5", "400");
    put("two hosts", "Host: a\r\nHost: b", "400");
    put("no number", "Content-Length: five", "400");
    put("no length", "Content-Length:", "400");
    put("a length of more than 64 bits", "Content-Length: 18446744073709551621", "400");
    put("the largest length", "Content-Length: 18446744073709551615", "413");
    put("two lengths", "Content-Length: 5\r\nContent-Length: 6", "400");
    put("two lengths in one", "Content-Length: 5, 6", "400");
    put("length and coding", "Content-Length: 5\r\nTransfer-Encoding: chunked", "400");
    put("coding and length", "Transfer-Encoding: chunked\r\nContent-Length: 5", "400");
    put("an unknown coding", "Transfer-Encoding: gzip", "501");
    put("nearly chunked", "Transfer-Encoding: xchunked", "501");
    put("chunked with more", "Transfer-Encoding: chunked;q=1", "501");
    put("one more coding", "Transfer-Encoding: gzip, chunked", "501");
    put("one more coding in a line of its own",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "501");
    put("chunked twice in two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "400");
    row("a coding in HTTP/1.0", "PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "400");
    chunked("no chunk size", "xyz\r\nabc\r\n0\r\n\r\n", "400");
    chunked("an empty chunk size", "\r\nabc\r\n0\r\n\r\n", "400");
    chunked("a chunk size of more than 64 bits", "10000000000000003\r\nabc\r\n0\r\n\r\n", "400");
    chunked("the largest chunk size", "ffffffffffffffff\r\nabc\r\n0\r\n\r\n", "413");
    chunked("a chunk that is longer than its size", "3\r\nabcd\r\n0\r\n\r\n", "400");
    chunked("a chunk that is shorter than its size", "5\r\nabc\r\n0\r\n\r\n", "400");
    chunked("a chunk size's line without CR", "3\nabc\n0\n\n", "400");
    row("the end in the middle of the headers", "GET / HTTP/1.1\r\nHost: x", "400");
    row("the end in the middle of a body", "PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhel", "400");
    row("the end in the middle of chunks",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "400");

    response("with a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "200 OK keeps {Content-Length=2} 'hi'");
    response("without reason", "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
        "404  keeps {Content-Length=0} ''");
    response("up to the end", "HTTP/1.1 200 Very well\r\nA: b\r\n\r\nhi\r\n\r\nthere",
        "200 Very well closes {A=b} 'hi\r\n\r\nthere'");
    response("nothing up to the end", "HTTP/1.0 200 OK\r\n\r\n", "200 OK closes ''");
    response("chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        "200 OK keeps {Transfer-Encoding=chunked} 'hi'");
    response("without content",
        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\n"
        "Content-Length: 9\r\n\r\n",
        "204 No Content keeps ''\n304 Not Modified keeps {Content-Length=9} ''");
    response("those before the last",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        "HTTP/1.1 201 Created\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
        "201 Created closes {Content-Length=1} {Connection=close} 'x'");
    response("a request", "GET / HTTP/1.1\r\n\r\n", "400");
    response("no status", "HTTP/1.1 two OK\r\n\r\n", "400");
    response("another version", "HTTP/3.0 200 OK\r\n\r\n", "505");
    response("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!",
        "400");
    response("an unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhi", "501");
    response("the end in the middle of chunks",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi", "400");
}

void TestHttp::messages()
{
    QFETCH(Reads, reads);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, messages);
    QCOMPARE(read(reads, { bytes }), messages);
    for (qsizetype size = 1; size <= 7; ++size)
        QCOMPARE(read(reads, cut(bytes, size)), messages);
}

void TestHttp::headWithoutBody()
{
    HttpParser<HttpResponse> parser;
    parser.expectNoBody();
    parser.feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    QCOMPARE(taken(parser),
        "200 OK keeps {Content-Length=5} ''\n200 OK keeps {Content-Length=2} 'hi'\n");

    parser.expectNoBody(); // a body of no known length is none either
    parser.feed("HTTP/1.1 404 Not Found\r\n\r\n");
    QCOMPARE(taken(parser), "404 Not Found keeps ''\n");
    QVERIFY(parser.isIdle());
}

void TestHttp::stages()
{
    HttpParser<HttpRequest> parser;
    QVERIFY(parser.isIdle());
    parser.feed("\r\n");
    QVERIFY(parser.isIdle());
    parser.feed("PUT / HTTP/1.1\r\nExpect: 100-Cont");
    QVERIFY(!parser.isIdle());
    QVERIFY(!parser.begun());
    QVERIFY(!parser.wantsContinue());
    parser.feed("inue\r\nContent-Length: 5\r\n\r\n");
    QVERIFY(parser.begun());
    QCOMPARE(header(parser.begun()->headers, "expect"), "100-Continue");
    QVERIFY(parser.wantsContinue());
    QVERIFY(!parser.wantsContinue()); // only once
    parser.feed("hel");
    QCOMPARE(parser.heldBytes(), 3);
    QVERIFY(!parser.take());
    parser.feed("lo");
    const std::optional<HttpRequest> request = parser.take();
    QVERIFY(request);
    QCOMPARE(request->body, "hello");
    QVERIFY(parser.isIdle());
    QVERIFY(!parser.begun());

    // nobody waits whose body has come, who sends none, or who speaks HTTP/1.0
    parser.feed("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nh");
    QVERIFY(!parser.wantsContinue());
    parser.feed("elloGET / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n");
    QCOMPARE(taken(parser).count('\n'), 2);
    QVERIFY(!parser.wantsContinue());
    parser.feed("PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    QVERIFY(parser.begun());
    QVERIFY(!parser.wantsContinue());
}

void TestHttp::requestBytes_data()
{
    const Rows<HttpRequest, QByteArray> row("request", "bytes");
    row("a question", { .method = "GET", .target = "/a", .headers = { { "Host", "x:1" } } },
        "GET /a HTTP/1.1\r\nHost: x:1\r\n\r\n");
    row("a body", { .method = "PUT", .target = "/a", .body = "hi" },
        "PUT /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi");
    row("a body of nothing", { .method = "POST", .target = "/a" },
        "POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    row("closing", { .method = "DELETE", .target = "/a", .keepAlive = false },
        "DELETE /a HTTP/1.1\r\nConnection: close\r\n\r\n");
    row("HTTP/1.0 that stays", { .method = "GET", .target = "/", .minor = 0 },
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    row("our own headers",
        { .method = "GET",
            .target = "/",
            .headers = { { "connection", "upgrade" }, { "CONTENT-LENGTH", "9" },
                { "Transfer-Encoding", "chunked" }, { "A", "b" } } },
        "GET / HTTP/1.1\r\nA: b\r\n\r\n");
    row("a request in a target", { .method = "GET", .target = "/a b\r\n\r\nGET /c\t\x7f" },
        "GET /a%20b%0D%0A%0D%0AGET%20/c%09%7F HTTP/1.1\r\n\r\n");
    row("a request in a method", { .method = "GET /\r\n", .target = "" }, "GET / HTTP/1.1\r\n\r\n");
}

void TestHttp::requestBytes()
{
    QFETCH(HttpRequest, request);
    QTEST(toBytes(request), "bytes");
}

void TestHttp::responseBytes_data()
{
    const Rows<HttpResponse, BodyOf, int, QByteArray> add("response", "body", "minor", "bytes");

    const auto row = [&](const char *name, const HttpResponse &response, const QByteArray &bytes,
                         BodyOf body = BodyOf::Get,
                         int minor = 1) { add(name, response, body, minor, bytes); };
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

void TestHttp::responseBytes()
{
    QFETCH(HttpResponse, response);
    QFETCH(BodyOf, body);
    QFETCH(int, minor);
    QTEST(toBytes(response, body, minor), "bytes");
}

/// Whatever stands in a message's fields, its bytes are one message with that body.
void TestHttp::nothingIsSmuggled()
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

void TestHttp::headers()
{
    const HttpHeaders headers { { "Host", "a" }, { "If-Match", "" }, { "host", "b" } };
    QCOMPARE(header(headers, "HOST"), "a");
    QCOMPARE(header(headers, "Hos"), "");
    QVERIFY(hasHeader(headers, "if-match"));
    QVERIFY(!hasHeader(headers, "if-matc"));
    QCOMPARE(headers.size(), 3);
    QCOMPARE(described(headers), " {Host=a} {If-Match=} {host=b}");
    QVERIFY(HttpHeaders().begin() == HttpHeaders().end());
    QVERIFY((HttpHeaders { { "a b", "1" }, { "", "2" } }).isEmpty());
    QCOMPARE(reasonPhrase(412), "Precondition Failed");
    QCOMPARE(reasonPhrase(-1), "Unknown");
    QCOMPARE(reasonPhrase(600), "Unknown");
}

void TestHttp::bearer()
{
    for (const char *right : { "Bearer secret", "bearer secret", "Bearer   secret" })
        QVERIFY2(bearsToken({ { "authorization", right } }, "secret"), right);
    for (const char *wrong : { "Bearer secre", "Bearer secrets", "Bearer secretsecret",
             "Bearer secreT", "Bearer ", "secret", "Basic secret", "" })
        QVERIFY2(!bearsToken({ { "authorization", wrong } }, "secret"), wrong);
    QVERIFY(!bearsToken({ { "authorization", "Bearer " } }, ""));
}

/// A body in chunks of random sizes.
QByteArray inChunks(const QByteArray &body)
{
    QByteArray bytes;
    for (qsizetype i = 0; i < body.size();) {
        const qsizetype size = *rc::gen::inRange<qsizetype>(1, body.size() - i + 1);
        bytes += QByteArray::number(size, 16) + *rc::gen::element(QByteArray(), QByteArray(";a=b"))
            + "\r\n" + body.sliced(i, size) + "\r\n";
        i += size;
    }
    return bytes + "0\r\n" + *rc::gen::element(QByteArray(), QByteArray("Trailer: x\r\n")) + "\r\n";
}

/// One or more messages after each other; the last response may go on up to the end.
QByteArray anyMessages(Reads reads)
{
    QByteArray bytes;
    const int count = *rc::gen::inRange(1, 5);
    for (int i = 0; i < count; ++i) {
        bytes += reads == Reads::Requests
            ? *rc::gen::element<QByteArray>("PUT /a HTTP/1.1\r\n", "GET / HTTP/1.0\r\n",
                "\r\nDELETE /some/where?a=b HTTP/1.1\r\n")
            : *rc::gen::element<QByteArray>("HTTP/1.1 200 OK\r\n", "HTTP/1.0 404 \r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 409 Con flict\r\n");
        const int headers = *rc::gen::inRange(0, 4);
        for (int j = 0; j < headers; ++j)
            bytes += "x-" + *textOf("abcXYZ-_09", 10) + ':' + *textOf("abc ,;=\"\t\x80\xff:", 20)
                + "\r\n";
        const QByteArray body = *anyBytes(60);
        const int kind = *rc::gen::inRange(0, i + 1 == count ? 3 : 2);
        if (kind == 0)
            bytes += "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        else if (kind == 1 && !bytes.contains("HTTP/1.0"))
            bytes += "Transfer-Encoding: chunked\r\n\r\n" + inChunks(body);
        else if (kind == 2 && reads == Reads::Responses)
            bytes += "\r\n" + body;
        else
            bytes += "Content-Length: 0\r\n\r\n";
    }
    return bytes;
}

/// Random pieces, short ones among them.
QList<QByteArray> anyPieces(const QByteArray &bytes)
{
    const int most = *rc::gen::element(2, 6, 30, 300);
    QList<QByteArray> pieces;
    for (qsizetype i = 0; i < bytes.size();) {
        const qsizetype size = std::min<qsizetype>(*rc::gen::inRange(1, most), bytes.size() - i);
        pieces += bytes.sliced(i, size);
        if (size == 1)
            pieces += QByteArray();
        i += size;
    }
    return pieces;
}

void TestHttp::limits_data()
{
    const Rows<QByteArray, QByteArray> row("bytes", "messages");
    // The limits are 100 bytes of headers, 4 headers and a body of 10.
    const QByteArray line = "GET / HTTP/1.1\r\n", put = "PUT / HTTP/1.1\r\n"; // 16 bytes
    const QByteArray chunked = put + "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n";
    row("all that fits", line + "A: " + QByteArray(77, 'x') + "\r\n\r\n",
        "GET / 1.1 keeps {A=" + QByteArray(77, 'x') + "} ''");
    row("a byte more", line + "A: " + QByteArray(78, 'x') + "\r\n\r\n", "431");
    row("many short headers", line + "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n",
        "GET / 1.1 keeps {A=1} {B=2} {C=3} {D=4} ''");
    row("one header more", line + "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\n\r\n", "431");
    row("a long target", "GET /" + QByteArray(100, 'x') + " HTTP/1.1\r\n\r\n", "431");
    row("a body that fits", put + "Content-Length: 10\r\n\r\n0123456789",
        "PUT / 1.1 keeps {Content-Length=10} '0123456789'");
    row("a byte of body more", put + "Content-Length: 11\r\n\r\n0123456789x", "413");
    row("chunks that fit", chunked + "5\r\n56789\r\n0\r\n\r\n",
        "PUT / 1.1 keeps {Transfer-Encoding=chunked} '0123456789'");
    row("chunks of a byte more", chunked + "6\r\n56789x\r\n0\r\n\r\n", "413");
}

void TestHttp::limits()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, messages);
    const HttpLimits limits { .headerBytes = 100, .headers = 4, .bodyBytes = 10 };
    QCOMPARE(read(Reads::Requests, { bytes }, limits), messages);
    for (qsizetype size = 1; size <= 7; ++size)
        QCOMPARE(read(Reads::Requests, cut(bytes, size), limits), messages);
    if (!messages.startsWith("PUT") && !messages.startsWith("413"))
        return;
    bytes.replace("PUT / HTTP/1.1", "HTTP/1.1 200 OK");
    messages.replace("PUT / 1.1", "200 OK");
    QCOMPARE(read(Reads::Responses, { bytes }, limits), messages);
}

void TestHttp::endlessHeaders_data()
{
    addColumns<QByteArray, QByteArray, int, int>("begin", "again", "status", "pieceSize");

    const auto row = [](const char *name, const QByteArray &begin, const QByteArray &again,
                         int status) {
        for (const int size : { 1, 1000, 65536 })
            QTest::addRow("%s, pieces of %d", name, size) << begin << again << status << size;
    };
    const QByteArray head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    row("a method", "", "GET", 431);
    row("a target", "GET /", "x", 431);
    row("a header", "GET / HTTP/1.1\r\nA: ", "x", 431);
    row("a name", "GET / HTTP/1.1\r\n", "x", 431);
    row("headers", "GET / HTTP/1.1\r\n", "A: b\r\n", 431);
    row("folded lines", "GET / HTTP/1.1\r\nA: b\r\n", "  c\r\n", 431);
    row("an extension of a chunk", head + "5;", "x", 431);
    row("an extension of the last chunk", head + "0;", "x", 431);
    row("a chunk's size", head + "5", "0", 431);
    row("trailers", head + "0\r\n", "A: b\r\n", 431);
    row("chunks", head, "1;" + QByteArray(100, 'x') + "\r\ny\r\n", 413);
}

/// What never ends is refused, whatever its pieces, and little of it is kept.
void TestHttp::endlessHeaders()
{
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, again);
    QFETCH(int, pieceSize);

    HttpParser<HttpRequest> parser({ .bodyBytes = 2'000 });
    const QList<QByteArray> pieces = cut(begin + again.repeated(300'000 / again.size()), pieceSize);
    qsizetype most = 0;
    for (const QByteArray &piece : pieces) {
        parser.feed(piece);
        QVERIFY(!parser.take());
        most = std::max(most, parser.heldBytes());
        if (parser.problem())
            break;
    }
    QVERIFY(parser.problem());
    QTEST(parser.problem()->status, "status");
    QVERIFY(most <= 64 * 1024 + pieceSize);
    parser.feed("GET / HTTP/1.1\r\n\r\n");
    QVERIFY(!parser.take());
    QCOMPARE(parser.heldBytes(), 0);
}

void TestHttp::cutting()
{
    QVERIFY(holdsFor(300, 60, [] {
        const Reads reads = *rc::gen::element(Reads::Requests, Reads::Responses);
        const QByteArray bytes = anyMessages(reads);
        const QByteArray whole = read(reads, { bytes });
        RC_ASSERT(whole.endsWith('\'') || whole.isEmpty()); // there is no problem
        RC_ASSERT(read(reads, anyPieces(bytes)) == whole);
    }));
}

/// Damaged bytes give the same messages before the damage, and a problem or none, however they are
/// cut. Its status may differ: where the headers are not complete the damage is found late.
void TestHttp::damage()
{
    const auto split = [](const QByteArray &text) {
        static const QList<QByteArray> statuses { "400", "413", "431", "501", "505" };
        const bool hasProblem = statuses.contains(text.sliced(text.lastIndexOf('\n') + 1));
        return std::pair(
            hasProblem ? text.first(text.lastIndexOf('\n') + 1).trimmed() : text, hasProblem);
    };
    QVERIFY(holdsFor(500, 60, [&] {
        const Reads reads = *rc::gen::element(Reads::Requests, Reads::Responses);
        QByteArray bytes = anyMessages(reads);
        const int count = *rc::gen::inRange(1, 4);
        for (int i = 0; i < count; ++i) {
            const auto at = *rc::gen::inRange<qsizetype>(0, bytes.size());
            switch (*rc::gen::inRange(0, 3)) {
            case 0:
                bytes[at] = *rc::gen::element('\r', '\n', ' ', ':', '\0', '0', 'x', '\xff');
                break;
            case 1:
                bytes.remove(at, 1);
                break;
            case 2:
                bytes.insert(at, *rc::gen::element('\r', '\n', ' ', ':', '\0', '0', 'x', '\xff'));
            }
        }
        RC_ASSERT(split(read(reads, anyPieces(bytes))) == split(read(reads, { bytes })));
    }));
}

} // namespace

const instar::TestClass<TestHttp> registered;
#include "tst_http.moc"
