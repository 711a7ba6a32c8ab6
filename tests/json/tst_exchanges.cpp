// SPDX-License-Identifier: Apache-2.0
// Exchanges on their way out of the program, and lines that come back.

#include "model/json/exchanges.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QJsonDocument>
#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QDateTime start(QDate(2026, 11, 21), QTime(8, 30, 0, 123), Qt::UTC);

Exchange put()
{
    Exchange exchange;
    exchange.number = 7;
    exchange.purpose = Exchange::Purpose::Fire;
    exchange.sent = start;
    exchange.duration = 12.5;
    exchange.wait = 10.25;
    exchange.client = u"A"_s;
    exchange.operation = u"op1"_s;
    exchange.method = u"PUT"_s;
    exchange.url = u"http://127.0.0.1:8080/v1/racks/r1?api=2&name=a%20b"_s;
    exchange.requestHeaders = { { u"Content-Type"_s, u"application/json"_s },
        { u"Authorization"_s, u"Bearer ••••"_s }, { u"X-Empty"_s, {} } };
    exchange.requestBody = "{\"a\": 1.50, \"b\": \"it's\"}";
    exchange.responseHeaders = { { u"content-type"_s, u"application/json; charset=utf-8"_s },
        { u"Location"_s, u"/v1/operations/1"_s } };
    exchange.responseBody = "{\"id\": \"1\"}";
    exchange.status = 201;
    exchange.reason = u"Created"_s;
    exchange.etag = u"W/\"1\""_s;
    exchange.retryAfter = 2.5;
    return exchange;
}

Exchange unanswered()
{
    Exchange exchange;
    exchange.number = 8;
    exchange.sent = start.addMSecs(5);
    exchange.duration = 3;
    exchange.method = u"GET"_s;
    exchange.url = u"http://127.0.0.1:1/"_s;
    exchange.problem = u"Connection refused"_s;
    return exchange;
}

Exchange binary()
{
    Exchange exchange = put();
    exchange.number = 9;
    exchange.requestBody = QByteArray("\0\1\xff\xfe", 4);
    exchange.responseBody = QByteArray("\x89PNG\r\n\x1a\n", 8);
    exchange.responseHeaders = {};
    return exchange;
}

/// Valid text with everything that could matter to a shell or to JSON.
rc::Gen<QString> text()
{
    return rc::gen::map(
        rc::gen::container<std::u32string>(rc::gen::weightedOneOf<char32_t>({
            { 4, rc::gen::inRange<char32_t>(0x20, 0x7f) },
            { 3, rc::gen::elementOf(std::u32string(U"'\"\\$`!#&|;<>()*?[]{}~\n\t %=^-@")) },
            { 1, rc::gen::inRange<char32_t>(1, 0x20) },
            { 1, rc::gen::inRange<char32_t>(0x80, 0xd800) },
            { 1, rc::gen::inRange<char32_t>(0x10000, 0x1ffff) },
        })),
        [](const std::u32string &code) { return QString::fromStdU32String(code); });
}

rc::Gen<QByteArray> bytes()
{
    const auto any = rc::gen::map(rc::gen::container<std::string>(rc::gen::arbitrary<char>()),
        [](const std::string &all) { return QByteArray::fromStdString(all); });
    return rc::gen::oneOf(
        any, rc::gen::map(text(), [](const QString &words) { return words.toUtf8(); }));
}

rc::Gen<QList<Exchange::Header>> headers()
{
    const auto name = rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::string>(
                                       rc::gen::elementOf(std::string("abXY09!#$%&'*+-.^_`|~")))),
        [](const std::string &all) { return u"X-"_s + QString::fromStdString(all); });
    const auto header = rc::gen::map(rc::gen::pair(name, text()), [](const auto &pair) {
        return Exchange::Header { pair.first, pair.second };
    });
    return rc::gen::map(rc::gen::container<std::vector<Exchange::Header>>(header),
        [](const auto &all) { return QList<Exchange::Header>(all.begin(), all.end()); });
}

Exchange anyExchange()
{
    Exchange exchange;
    exchange.number = *rc::gen::inRange<quint64>(0, quint64(1) << 53);
    exchange.purpose = Exchange::Purpose(*rc::gen::inRange(0, 5));
    if (*rc::gen::arbitrary<bool>())
        exchange.setSent((start.toMSecsSinceEpoch() + *rc::gen::inRange(0, 1'000'000'000)) * 1000
            + *rc::gen::inRange(0, 1000));
    exchange.duration = *rc::gen::element(-1.0, 0.0, 0.1, 1234.5678, 1e-9);
    exchange.wait = *rc::gen::element(-1.0, 0.0, 0.05, 1e6);
    exchange.client = *text();
    exchange.operation = *text();
    exchange.method = *rc::gen::element(u"GET"_s, u"PUT"_s, u"DELETE"_s, u"X'Y"_s);
    exchange.url = u"http://h/"_s + *text();
    exchange.requestHeaders = *headers();
    exchange.responseHeaders = *headers();
    exchange.requestBody = *bytes();
    exchange.responseBody = *bytes();
    exchange.status = *rc::gen::element(0, 200, 409, 999);
    exchange.reason = *text();
    exchange.problem = *text();
    exchange.etag = *text();
    exchange.retryAfter = *rc::gen::element(
        std::optional<double>(), std::optional<double>(0), std::optional<double>(2.5));
    return exchange;
}

class TestExchanges : public QObject
{
    Q_OBJECT

private slots:
    void lines();
    void everyExchangeComesBack();
    void badLines_data();
    void badLines();
    void command();
    void commandsReachTheShell();
    void pretty_data();
    void pretty();
};

void TestExchanges::lines()
{
    const QByteArray ndjson = exchangesNdjson({ put(), unanswered() });
    QCOMPARE(ndjson.count('\n'), 2);
    QCOMPARE(ndjson.split('\n')[1],
        "{\"number\": 8, \"purpose\": \"other\", \"sent\": \"2026-11-21T08:30:00.128Z\", "
        "\"duration\": 3, "
        "\"method\": \"GET\", \"url\": \"http://127.0.0.1:1/\", \"problem\": \"Connection "
        "refused\"}");
    QVERIFY2(ndjson.contains("\"requestBody\": \"{\\\"a\\\": 1.50, \\\"b\\\": \\\"it's\\\"}\""),
        ndjson.constData());
    QVERIFY(exchangesNdjson({ binary() }).contains("\"requestBody\": {\"base64\": \"AAH//g==\"}"));
    QVERIFY(exchangesNdjson({}).isEmpty());

    const auto back = readExchanges("\n\r\n" + ndjson + "\r\n", u"x"_s);
    QVERIFY2(back, back ? "" : qPrintable(back.error()));
    QCOMPARE(*back, (QList<Exchange> { put(), unanswered() }));
    QVERIFY(readExchanges({}, u"x"_s)->isEmpty());
}

void TestExchanges::everyExchangeComesBack()
{
    QVERIFY(holdsFor(400, 40, [] {
        QList<Exchange> exchanges;
        for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
            exchanges += anyExchange();
        const QByteArray ndjson = exchangesNdjson(exchanges);
        for (const QByteArray &line : ndjson.split('\n'))
            RC_ASSERT(line.isEmpty() || QJsonDocument::fromJson(line).isObject());
        const auto back = readExchanges(ndjson, u"x"_s);
        RC_ASSERT(bool(back));
        RC_ASSERT(*back == exchanges);
    }));
}

void TestExchanges::badLines_data()
{
    const Rows<QByteArray, QString> row("line", "error");
    row("garbage", "garbage", "x.ndjson:3:1: expected a value");
    row("a list", "[]", "x.ndjson:3: expected an exchange as a JSON object, found a list");
    row("cut", "{\"number\": 1", "x.ndjson:3:13: expected");
    row("no url", "{\"method\": \"GET\"}", "x.ndjson:3: ");
    row("a key", "{\"method\": \"GET\", \"url\": \"u\", \"etags\": \"\"}", "x.ndjson:3: /etags: ");
    row("a time", "{\"method\": \"GET\", \"url\": \"u\", \"sent\": \"noon\"}",
        "x.ndjson:3: /sent: expected a time such as 2026-11-21T08:30:00.000Z, found \"noon\"");
    row("a purpose", "{\"method\": \"GET\", \"url\": \"u\", \"purpose\": \"pool\"}",
        "x.ndjson:3: /purpose: expected \"load\" or");
    row("a header", "{\"method\": \"GET\", \"url\": \"u\", \"requestHeaders\": [[\"a\"]]}",
        "x.ndjson:3: /requestHeaders/0: expected a header's name and value, found a list");
    row("base64", "{\"method\": \"GET\", \"url\": \"u\", \"requestBody\": {\"base64\": \"*\"}}",
        "x.ndjson:3: /requestBody/base64: expected base64, found \"*\"");
    row("negative", "{\"method\": \"GET\", \"url\": \"u\", \"duration\": -1}",
        "x.ndjson:3: /duration: expected a number that is not negative, found -1");
}

void TestExchanges::badLines()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, error);
    const QString read =
        errorIn(readExchanges(exchangesNdjson({ put() }) + '\n' + line + '\n', u"x.ndjson"_s));
    QVERIFY2(read.startsWith(error), qPrintable(read));
}

void TestExchanges::command()
{
    QCOMPARE(curlCommand(put()),
        u"curl --globoff --path-as-is -X 'PUT' --url "
        "'http://127.0.0.1:8080/v1/racks/r1?api=2&name=a%20b' \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        "  -H 'Authorization: Bearer ••••' \\\n"
        "  -H 'X-Empty;' \\\n"
        "  --data-raw '{\"a\": 1.50, \"b\": \"it'\\''s\"}'"_s);
    Exchange raw = put();
    raw.method = u"HEAD"_s;
    raw.requestHeaders = { { u"content-length"_s, u"1"_s } };
    raw.requestBody = "\xc3";
    QCOMPARE(
        curlCommand(raw).section(u'\n', 1), u"  -H 'Content-Type:' \\\n  --data-binary @body"_s);
    QVERIFY(curlCommand(raw).contains(u"--head --url"));
}

/// A shell's own curl prints its arguments.
void TestExchanges::commandsReachTheShell()
{
    Exchange odd = put();
    odd.method = u"it's $(no) `one`"_s;
    odd.requestHeaders = { { u"X"_s, u"\"\\ \n"_s } };
    odd.requestBody = "@file\n'\\";
    QProcess shell;
    shell.start(u"sh"_s, { u"-c"_s, u"curl() { printf '%s\\0' \"$@\"; }\n"_s + curlCommand(odd) });
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.readAllStandardOutput().split('\0').mid(3, 9),
        (QList<QByteArray> { odd.method.toUtf8(), "--url", odd.url.toUtf8(), "-H", "X: \"\\ \n",
            "-H", "Content-Type:", "--data-raw", odd.requestBody }));
}

void TestExchanges::pretty_data()
{
    const Rows<QByteArray, QString> row("body", "text");
    row("nothing", "", "");
    row("numbers keep their spelling", "{\"a\":1.50,\"b\":[1E+2,-0],\"c\":12345678901234567890}",
        "{\"a\": 1.50, \"b\": [1E+2, -0], \"c\": 12345678901234567890}");
    row("strings and keys too", "{\"\\u0041\":\"\\/\"}", "{\"\\u0041\": \"\\/\"}");
    row("a key twice", "{\"a\":1,\"a\":2}", "{\"a\": 1, \"a\": 2}");
    row("empty", "{\"a\":{},\"b\":[]}", "{\"a\": {}, \"b\": []}");
    row("lines that are too long",
        "[\"" + QByteArray(100, 'a') + "\",\"" + QByteArray(50, 'b') + "\"]",
        "[\n \"" + QByteArray(100, 'a') + "\",\n \"" + QByteArray(50, 'b') + "\"\n]");
    row("one value", " true ", "true");
    row("text", "Bad gateway\n<b>", "Bad gateway\n<b>");
    row("lines of a mail", "a\r\nb", "a\r\nb");
    row("bytes", QByteArray("\x89PNG\0\xff", 6), "6 bytes that are no text");
}

void TestExchanges::pretty()
{
    QFETCH(QByteArray, body);
    QTEST(bodyForDisplay(body), "text");
    QVERIFY(!bodyForDisplay(QByteArray(500, '[') + QByteArray(500, ']')).isEmpty());
}

} // namespace

const instar::TestClass<TestExchanges> registered;
#include "tst_exchanges.moc"
