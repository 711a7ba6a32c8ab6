// SPDX-License-Identifier: Apache-2.0
// Bytes as messages, and what is no message.

#include "tests/remote/httptext.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;

namespace {

class TestHttp : public QObject
{
    Q_OBJECT

private slots:
    void requests_data();
    void requests();
    void responses_data();
    void responses();
    void headWithoutBody();
    void stages();
    void pipelining();
};

void TestHttp::requests_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("messages");

    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &messages) {
        QTest::newRow(name) << bytes << messages;
    };
    const auto put = [&](const char *name, const QByteArray &headers, const QByteArray &messages) {
        row(name, "PUT /a HTTP/1.1\r\n" + headers + "\r\n\r\nhello", messages);
    };
    const auto chunked = [&](const char *name, const QByteArray &body, const QByteArray &messages) {
        row(name, "PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body, messages);
    };

    row("nothing", "", "");
    row("a question", "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a?b=c 1.1 keeps {Host=x} ''");
    row("without a host", "GET / HTTP/1.1\r\n\r\n", "GET / 1.1 keeps ''");
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
    row("garbage after a message", QByteArray("GET / HTTP/1.1\r\n\r\n\0\1\2", 21),
        "GET / 1.1 keeps ''\n400");
    row("words", "hello there\r\n\r\n", "400");
    row("HTTP/0.9", "GET /\r\n", "400");
    row("no target", "GET  HTTP/1.1\r\n\r\n", "400");
    row("a blank in the target", "GET /a b HTTP/1.1\r\n\r\n", "400");
    row("HTTP/9.9", "GET / HTTP/9.9\r\n\r\n", "505");
    row("HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505");
    row("HTTP/1.2", "GET / HTTP/1.2\r\n\r\n", "505");
    row("HTTP/11", "GET / HTTP/11\r\n\r\n", "400");
    row("another protocol", "GET / RTSP/1.0\r\n\r\n", "400");
    row("more after the version", "GET / HTTP/1.1 x\r\n\r\n", "400");
    row("lines without CR", "GET / HTTP/1.1\nA: b\n\n", "400");
    row("a header's line without CR", "GET / HTTP/1.1\r\nA: b\nContent-Length: 5\r\n\r\n", "400");
    row("CR within a value", "GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", "400");
    row("zero within a value", QByteArray("GET / HTTP/1.1\r\nA: b\0c\r\n\r\n", 27), "400");
    put("a header without colon", "Host", "400");
    put("a header without name", ": x", "400");
    put("a blank before the colon", "Content-Length : 5", "400");
    put("a blank before the first header", " A: b\r\nContent-Length: 5", "400");
    put("two hosts", "Host: a\r\nHost: b", "400");
    put("a negative length", "Content-Length: -5", "400");
    put("a length with a sign", "Content-Length: +5", "400");
    put("no number", "Content-Length: five", "400");
    put("half a number", "Content-Length: 5x", "400");
    put("a hexadecimal length", "Content-Length: 0x5", "400");
    put("no length", "Content-Length:", "400");
    put("a length of more than 64 bits", "Content-Length: 18446744073709551621", "400");
    put("the largest length", "Content-Length: 18446744073709551615", "413");
    put("two lengths", "Content-Length: 5\r\nContent-Length: 6", "400");
    put("two lengths in one", "Content-Length: 5, 6", "400");
    put("length and coding", "Content-Length: 5\r\nTransfer-Encoding: chunked", "400");
    put("coding and length", "Transfer-Encoding: chunked\r\nContent-Length: 5", "400");
    put("unknown coding and length", "Transfer-Encoding: gzip\r\nContent-Length: 5", "400");
    put("an unknown coding", "Transfer-Encoding: gzip", "501");
    put("no coding", "Transfer-Encoding: identity", "501");
    put("an empty coding", "Transfer-Encoding:", "501");
    put("nearly chunked", "Transfer-Encoding: xchunked", "501");
    put("chunked with more", "Transfer-Encoding: chunked;q=1", "501");
    put("one more coding", "Transfer-Encoding: gzip, chunked", "501");
    put("one more coding in a line of its own",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "501");
    put("chunked is not the last", "Transfer-Encoding: chunked, gzip", "400");
    put("chunked twice", "Transfer-Encoding: chunked, chunked", "400");
    put("chunked twice in two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "400");
    row("a coding in HTTP/1.0", "PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "400");
    chunked("no chunk size", "xyz\r\nabc\r\n0\r\n\r\n", "400");
    chunked("an empty chunk size", "\r\nabc\r\n0\r\n\r\n", "400");
    chunked("a negative chunk size", "-3\r\nabc\r\n0\r\n\r\n", "400");
    chunked("a chunk size with 0x", "0x3\r\nabc\r\n0\r\n\r\n", "400");
    chunked("a chunk size of more than 64 bits", "10000000000000003\r\nabc\r\n0\r\n\r\n", "400");
    chunked("the largest chunk size", "ffffffffffffffff\r\nabc\r\n0\r\n\r\n", "413");
    chunked("a chunk that is longer than its size", "3\r\nabcd\r\n0\r\n\r\n", "400");
    chunked("a chunk that is shorter than its size", "5\r\nabc\r\n0\r\n\r\n", "400");
    chunked("a chunk size's line without CR", "3\nabc\n0\n\n", "400");
    chunked("a length after the chunks", "1\r\nx\r\n0\r\nContent-Length: 5\r\n\r\n", "400");
    row("the end in the middle of the headers", "GET / HTTP/1.1\r\nHost: x", "400");
    row("the end in the middle of a body", "PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhel", "400");
    row("the end in the middle of chunks",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "400");
}

void TestHttp::requests()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, messages);
    QCOMPARE(read(Reads::Requests, { bytes }), messages);
    for (qsizetype size = 1; size <= 7; ++size)
        QCOMPARE(read(Reads::Requests, cut(bytes, size)), messages);
}

void TestHttp::responses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("messages");

    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &messages) {
        QTest::newRow(name) << bytes << messages;
    };
    row("with a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "200 OK keeps {Content-Length=2} 'hi'");
    row("without reason", "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
        "404  keeps {Content-Length=0} ''");
    row("up to the end", "HTTP/1.1 200 Very well\r\nA: b\r\n\r\nhi\r\n\r\nthere",
        "200 Very well closes {A=b} 'hi\r\n\r\nthere'");
    row("nothing up to the end", "HTTP/1.0 200 OK\r\n\r\n", "200 OK closes ''");
    row("chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        "200 OK keeps {Transfer-Encoding=chunked} 'hi'");
    row("without content",
        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\n"
        "Content-Length: 9\r\n\r\n",
        "204 No Content keeps ''\n304 Not Modified keeps {Content-Length=9} ''");
    row("those before the last",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        "HTTP/1.1 201 Created\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
        "201 Created closes {Content-Length=1} {Connection=close} 'x'");
    row("HTTP/1.0 that stays",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
        "200 OK keeps {Connection=keep-alive} {Content-Length=0} ''");
    row("a request", "GET / HTTP/1.1\r\n\r\n", "400");
    row("garbage", "\x7f\x45LF\r\n\r\n", "400");
    row("no status", "HTTP/1.1 two OK\r\n\r\n", "400");
    row("another version", "HTTP/3.0 200 OK\r\n\r\n", "505");
    row("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!",
        "400");
    row("an unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhi", "501");
    row("the end in the middle", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", "400");
    row("the end in the middle of chunks",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi", "400");
    row("nothing", "", "");
}

void TestHttp::responses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, messages);
    QCOMPARE(read(Reads::Responses, { bytes }), messages);
    for (qsizetype size = 1; size <= 7; ++size)
        QCOMPARE(read(Reads::Responses, cut(bytes, size)), messages);
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

void TestHttp::pipelining()
{
    QByteArray bytes;
    for (int i = 0; i < 1000; ++i)
        bytes += "PUT /" + QByteArray::number(i) + " HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi";
    HttpParser<HttpRequest> parser;
    parser.feed(bytes);
    for (int i = 0; i < 1000; ++i) {
        const std::optional<HttpRequest> request = parser.take();
        QVERIFY(request);
        QCOMPARE(request->target, "/" + QByteArray::number(i));
        if (i == 500)
            parser.feed("GET /last HTTP/1.1\r\n\r\n");
    }
    QCOMPARE(parser.take()->target, "/last");
    QVERIFY(!parser.take());
    QVERIFY(parser.isIdle());
    QCOMPARE(parser.heldBytes(), 0);
}

} // namespace

const instar::TestClass<TestHttp> registered;
#include "tst_http.moc"
