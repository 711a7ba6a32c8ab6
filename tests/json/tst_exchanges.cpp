// SPDX-License-Identifier: Apache-2.0
// Exchanges on their way out of the program, lines that come back; and HTTP archives on their way
// in.

#include "model/json/exchanges.h"
#include "model/json/har.h"
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
    void ofOthers();
    void times_data();
    void times();
    void wholeSeconds();
    void durationNotTold();
    void abortedOrFromTheCache_data();
    void abortedOrFromTheCache();
    void linesAndOrder();
    void notHttpIsLeftOut();
    void errors_data();
    void errors();
    void isRecognised();
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
    QTEST(prettyJson(body), "text");
    QVERIFY(!prettyJson(QByteArray(500, '[') + QByteArray(500, ']')).isEmpty());
}

Result<QList<HarEntry>> read(const QByteArray &entries)
{
    return readHar(
        "{\"log\": {\"version\": \"1.2\", \"entries\": [\n" + entries + "\n]}}", u"a.har"_s);
}

/// An entry with those members beside the least that it must have.
QByteArray entry(const QByteArray &request = {}, const QByteArray &response = {},
    const QByteArray &more = {}, const QByteArray &time = "2026-11-21T08:30:00.123Z")
{
    return "{\"startedDateTime\": \"" + time
        + "\", \"request\": {\"method\": \"GET\", \"url\": \"http://a/b\"" + request
        + "}, \"response\": {" + response + "}" + more + "}";
}

} // namespace

/// Firefox, Chromium and mitmproxy differ in what they leave out and add.
void TestExchanges::ofOthers()
{
    const Result<QList<HarEntry>> found = read(
        R"({"pageref": "page_1", "startedDateTime": "2026-11-21T09:30:00.123456+01:00", "time": 12.5,
            "_initiator": {"type": "other"}, "connection": "443", "serverIPAddress": "",
            "request": {"method": "POST", "url": "https://api.example/v1/a?x=%20", "httpVersion": "http/2.0",
              "headers": [{"name": ":authority", "value": "api.example"}, {"name": "content-type", "value": "application/json"}],
              "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 2,
              "postData": {"mimeType": "application/json", "text": "{}", "params": []}},
            "response": {"status": 202, "statusText": "", "httpVersion": "http/2.0",
              "headers": [{"name": "etag", "value": "W/\"1\""}],
              "content": {"size": 3, "mimeType": "text/plain", "text": "/wD+", "encoding": "base64"},
              "redirectURL": "", "headersSize": -1, "bodySize": 3, "_transferSize": 99},
            "cache": {}, "timings": {"blocked": -1, "dns": 1, "connect": 3, "ssl": 2, "send": 0.5, "wait": 7, "receive": 1}})");
    QVERIFY2(found, qPrintable(found ? QString() : found.error()));
    QCOMPARE(found->size(), 1);
    const Exchange one = found->first().exchange;
    QCOMPARE(one.sent, QDateTime(QDate(2026, 11, 21), QTime(8, 30, 0, 123), Qt::UTC));
    QCOMPARE(one.duration, 12.5);
    QCOMPARE(one.wait, 7.0);
    QCOMPARE(one.method, u"POST"_s);
    QCOMPARE(one.requestBody, QByteArray("{}"));
    QCOMPARE(one.requestHeaders,
        (QList<Exchange::Header> { { u"content-type"_s, u"application/json"_s } }));
    QCOMPARE(one.status, 202);
    QCOMPARE(one.responseBody, QByteArray("\xff\0\xfe", 3));
    QCOMPARE(one.etag, u"W/\"1\""_s);
}

void TestExchanges::times_data()
{
    // ms: after half past eight
    const Rows<QByteArray, QByteArray, int, double> row("time", "more", "ms", "duration");
    row("ms", "2026-11-21T08:30:00.250Z", ", \"time\": 3", 250, 3.0);
    // Never later than it was: an interval that is too short accuses somebody.
    row("finer", "2026-11-21T08:30:00.2509999Z", ", \"time\": 3", 250, 3.0);
    row("seconds", "2026-11-21T08:30:00Z", ", \"time\": 3", 0, 1002.0);
    row("parts only", "2026-11-21T08:30:00.000Z",
        ", \"time\": -1, \"timings\": {\"send\": 1, \"wait\": 2.5, \"receive\": -1}", 0, 3.5);
    row("the longer one", "2026-11-21T08:30:00.000Z",
        ", \"time\": 2, \"timings\": {\"send\": 1, \"wait\": 2.5}", 0, 3.5);
    row("nobody knows how long, and nothing came later", "2026-11-21T08:30:00.000Z", {}, 0, 0.0);
}

void TestExchanges::times()
{
    QFETCH(QByteArray, time);
    QFETCH(QByteArray, more);
    const Result<QList<HarEntry>> found = read(entry({}, "\"status\": 200", more, time));
    QVERIFY2(found, qPrintable(found ? QString() : found.error()));
    QTEST(int(QDateTime(QDate(2026, 11, 21), QTime(8, 30), Qt::UTC)
                  .msecsTo(found->first().exchange.sent)),
        "ms");
    QTEST(found->first().exchange.duration, "duration");
}

/// A recorder that tells seconds only says of each that it was sent at some moment of it.
void TestExchanges::wholeSeconds()
{
    const auto durations = [](const QByteArrayList &times) {
        QByteArrayList entries;
        for (const QByteArray &time : times)
            entries += entry({}, "\"status\": 200", ", \"time\": 3", time);
        QList<double> result;
        const auto found = read(entries.join(",\n"));
        for (const HarEntry &one : *found)
            result += one.exchange.duration;
        return result;
    };
    QCOMPARE(durations({ "2026-11-21T08:30:00.000Z", "2026-11-21T08:30:07.000Z" }),
        (QList<double> { 1002, 1002 }));
    QCOMPARE(durations({ "2026-11-21T08:30:00Z", "2026-11-21T08:30:07Z" }),
        (QList<double> { 1002, 1002 }));
    // Some leave out a fraction that is 0.
    QCOMPARE(durations({ "2026-11-21T08:30:00Z", "2026-11-21T08:30:07.001Z" }),
        (QList<double> { 3, 3 }));
}

/// It may have been as late as anything that was recorded.
void TestExchanges::durationNotTold()
{
    const Result<QList<HarEntry>> found = read(entry({}, "\"status\": 200", ", \"time\": -1")
        + ",\n" + entry({}, "\"status\": 200", ", \"time\": 20", "2026-11-21T08:30:01.123Z"));
    QVERIFY(found);
    QCOMPARE(found->first().exchange.duration, 1020.0);
    QCOMPARE(found->last().exchange.duration, 20.0);
}

void TestExchanges::abortedOrFromTheCache_data()
{
    const Rows<QByteArray, int> row("entry", "entries");
    row("aborted before an answer", entry({}, R"("status": 0, "_error": "net::ERR_ABORTED")"), 1);
    row("aborted within the answer",
        entry({}, R"("status": 200, "_error": "net::ERR_CONTENT_LENGTH_MISMATCH")"), 1);
    row("without a word", entry({}, R"("status": 0)"), 1);
    row("from the cache", entry({}, R"("status": 200)", R"(, "_fromCache": "disk")"), 0);
}

void TestExchanges::abortedOrFromTheCache()
{
    QFETCH(QByteArray, entry);
    const QList<HarEntry> found = valueOf(read(entry));
    QTEST(int(found.size()), "entries");
    for (const HarEntry &one : found)
        QCOMPARE(one.exchange.status, 0);
}

void TestExchanges::linesAndOrder()
{
    const QByteArray later = entry({}, "\"status\": 200", {}, "2026-11-21T08:30:01.000Z");
    const QList<HarEntry> found = valueOf(read(later + ",\n\n" + entry()));
    QCOMPARE(found.size(), 2);
    QCOMPARE(found.first().line, 4); // what was sent first comes first
    QCOMPARE(found.last().line, 2);
    QCOMPARE(found.first().exchange.number, 2u);
    QCOMPARE(found.last().exchange.number, 1u);
    // In one line lines say nothing, numbers do.
    const QList<HarEntry> flat =
        valueOf(readHar("{\"log\": {\"entries\": [" + later + "," + entry() + "]}}", u"a"_s));
    QCOMPARE(flat.first().line, 2);
    QCOMPARE(flat.last().line, 1);
}

void TestExchanges::notHttpIsLeftOut()
{
    QByteArray data = entry();
    data.replace("http://a/b", "data:image/png;base64,AAAA");
    const QList<HarEntry> found = valueOf(read(data + ",\n" + entry()));
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().exchange.url, u"http://a/b"_s);
}

void TestExchanges::errors_data()
{
    const Rows<QByteArray, QString> row("text", "error");
    row("no time", entry({}, {}, {}, "yesterday"),
        u"a.har:2: /log/entries/0/startedDateTime: expected a time such as"_s);
    QByteArray noUrl = entry();
    noUrl.replace("http://a/b", "");
    row("no URL", noUrl, u"expected a request's url"_s);
    row("not base64", entry({}, "\"content\": {\"text\": \"%%\", \"encoding\": \"base64\"}"),
        u"expected base64"_s);
    row("no entry", "7", u"expected a time"_s);
    row("broken", "{", u"a.har:3:"_s);
}

void TestExchanges::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, error);
    const QString found = errorIn(read(text));
    QVERIFY2(found.contains(error), qPrintable(found));
    QVERIFY(!found.contains(u'\n'));
}

void TestExchanges::isRecognised()
{
    QVERIFY(holdsHar("\xEF\xBB\xBF{\"log\": {\"entries\": []}}"));
    QVERIFY(!holdsHar("{\"log\": 1}"));
    QVERIFY(!holdsHar("{\"history\": 1}\n{\"seen\": \"/a\"}"));
    QVERIFY(!holdsHar("{\"method\": \"GET\", \"url\": \"http://a\"}"));
}

const instar::TestClass<TestExchanges> registered;
#include "tst_exchanges.moc"
