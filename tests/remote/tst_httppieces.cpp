// SPDX-License-Identifier: Apache-2.0
// Bytes as messages, however they are cut; what is damaged, too large or without end.

#include "tests/remote/httptext.h"
#include "tests/remote/randombytes.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;

namespace {

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

class TestHttpPieces : public QObject
{
    Q_OBJECT

private slots:
    void limits_data();
    void limits();
    void endlessHeaders_data();
    void endlessHeaders();
    void cutting();
    void damage();
};

void TestHttpPieces::limits_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("messages");

    // The limits are 100 bytes of headers, 4 headers and a body of 10.
    const QByteArray line = "GET / HTTP/1.1\r\n"; // 16 bytes
    QTest::newRow("all that fits") << line + "A: " + QByteArray(77, 'x') + "\r\n\r\n"
                                   << "GET / 1.1 keeps {A=" + QByteArray(77, 'x') + "} ''";
    QTest::newRow("a byte more") << line + "A: " + QByteArray(78, 'x') + "\r\n\r\n"
                                 << QByteArray("431");
    QTest::newRow("many short headers") << line + "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n"
                                        << QByteArray("GET / 1.1 keeps {A=1} {B=2} {C=3} {D=4} ''");
    QTest::newRow("one header more") << line + "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\n\r\n"
                                     << QByteArray("431");
    QTest::newRow("a long target") << "GET /" + QByteArray(100, 'x') + " HTTP/1.1\r\n\r\n"
                                   << QByteArray("431");
    const QByteArray put = "PUT / HTTP/1.1\r\n";
    QTest::newRow("a body that fits")
        << put + "Content-Length: 10\r\n\r\n0123456789"
        << QByteArray("PUT / 1.1 keeps {Content-Length=10} '0123456789'");
    QTest::newRow("a byte of body more")
        << put + "Content-Length: 11\r\n\r\n0123456789x" << QByteArray("413");
    QTest::newRow("chunks that fit")
        << put + "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n"
        << QByteArray("PUT / 1.1 keeps {Transfer-Encoding=chunked} '0123456789'");
    QTest::newRow("chunks of a byte more")
        << put + "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n56789x\r\n0\r\n\r\n"
        << QByteArray("413");
}

void TestHttpPieces::limits()
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

void TestHttpPieces::endlessHeaders_data()
{
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("again");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("pieceSize");

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
void TestHttpPieces::endlessHeaders()
{
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, again);
    QFETCH(int, status);
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
    QCOMPARE(parser.problem()->status, status);
    QVERIFY(most <= 64 * 1024 + pieceSize);
    parser.feed("GET / HTTP/1.1\r\n\r\n");
    QVERIFY(!parser.take());
    QCOMPARE(parser.heldBytes(), 0);
}

void TestHttpPieces::cutting()
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
void TestHttpPieces::damage()
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

const instar::TestClass<TestHttpPieces> registered;
#include "tst_httppieces.moc"
