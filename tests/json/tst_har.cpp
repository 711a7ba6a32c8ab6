// SPDX-License-Identifier: Apache-2.0
// HTTP archives on their way in: ours, and what other programs write.

#include "model/json/exchanges.h"
#include "model/json/har.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

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

class TestHar : public QObject
{
    Q_OBJECT
private slots:
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

/// Firefox, Chromium and mitmproxy differ in what they leave out and add.
void TestHar::ofOthers()
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

void TestHar::times_data()
{
    QTest::addColumn<QByteArray>("time");
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<int>("ms"); // after half past eight
    QTest::addColumn<double>("duration");
    QTest::newRow("ms") << QByteArray("2026-11-21T08:30:00.250Z") << QByteArray(", \"time\": 3")
                        << 250 << 3.0;
    // Never later than it was: an interval that is too short accuses somebody.
    QTest::newRow("finer") << QByteArray("2026-11-21T08:30:00.2509999Z")
                           << QByteArray(", \"time\": 3") << 250 << 3.0;
    QTest::newRow("seconds") << QByteArray("2026-11-21T08:30:00Z") << QByteArray(", \"time\": 3")
                             << 0 << 1002.0;
    QTest::newRow("parts only")
        << QByteArray("2026-11-21T08:30:00.000Z")
        << QByteArray(", \"time\": -1, \"timings\": {\"send\": 1, \"wait\": 2.5, \"receive\": -1}")
        << 0 << 3.5;
    QTest::newRow("the longer one")
        << QByteArray("2026-11-21T08:30:00.000Z")
        << QByteArray(", \"time\": 2, \"timings\": {\"send\": 1, \"wait\": 2.5}") << 0 << 3.5;
    QTest::newRow("nobody knows how long, and nothing came later")
        << QByteArray("2026-11-21T08:30:00.000Z") << QByteArray() << 0 << 0.0;
}

void TestHar::times()
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
void TestHar::wholeSeconds()
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
void TestHar::durationNotTold()
{
    const Result<QList<HarEntry>> found = read(entry({}, "\"status\": 200", ", \"time\": -1")
        + ",\n" + entry({}, "\"status\": 200", ", \"time\": 20", "2026-11-21T08:30:01.123Z"));
    QVERIFY(found);
    QCOMPARE(found->first().exchange.duration, 1020.0);
    QCOMPARE(found->last().exchange.duration, 20.0);
}

void TestHar::abortedOrFromTheCache_data()
{
    QTest::addColumn<QByteArray>("entry");
    QTest::addColumn<int>("entries");
    QTest::newRow("aborted before an answer")
        << entry({}, R"("status": 0, "_error": "net::ERR_ABORTED")") << 1;
    QTest::newRow("aborted within the answer")
        << entry({}, R"("status": 200, "_error": "net::ERR_CONTENT_LENGTH_MISMATCH")") << 1;
    QTest::newRow("without a word") << entry({}, R"("status": 0)") << 1;
    QTest::newRow("from the cache")
        << entry({}, R"("status": 200)", R"(, "_fromCache": "disk")") << 0;
}

void TestHar::abortedOrFromTheCache()
{
    QFETCH(QByteArray, entry);
    const Result<QList<HarEntry>> found = read(entry);
    QVERIFY(found);
    QTEST(int(found->size()), "entries");
    for (const HarEntry &one : *found)
        QCOMPARE(one.exchange.status, 0);
}

void TestHar::linesAndOrder()
{
    const QByteArray later = entry({}, "\"status\": 200", {}, "2026-11-21T08:30:01.000Z");
    const Result<QList<HarEntry>> found = read(later + ",\n\n" + entry());
    QVERIFY(found);
    QCOMPARE(found->size(), 2);
    QCOMPARE(found->first().line, 4); // what was sent first comes first
    QCOMPARE(found->last().line, 2);
    QCOMPARE(found->first().exchange.number, 2u);
    QCOMPARE(found->last().exchange.number, 1u);
    // In one line lines say nothing, numbers do.
    const Result<QList<HarEntry>> flat =
        readHar("{\"log\": {\"entries\": [" + later + "," + entry() + "]}}", u"a"_s);
    QVERIFY(flat);
    QCOMPARE(flat->first().line, 2);
    QCOMPARE(flat->last().line, 1);
}

void TestHar::notHttpIsLeftOut()
{
    QByteArray data = entry();
    data.replace("http://a/b", "data:image/png;base64,AAAA");
    const Result<QList<HarEntry>> found = read(data + ",\n" + entry());
    QVERIFY(found);
    QCOMPARE(found->size(), 1);
    QCOMPARE(found->first().exchange.url, u"http://a/b"_s);
}

void TestHar::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("no time") << entry({}, {}, {},
        "yesterday") << u"a.har:2: /log/entries/0/startedDateTime: expected a time such as"_s;
    QByteArray noUrl = entry();
    noUrl.replace("http://a/b", "");
    QTest::newRow("no URL") << noUrl << u"expected a request's url"_s;
    QTest::newRow("not base64") << entry(
        {}, "\"content\": {\"text\": \"%%\", \"encoding\": \"base64\"}")
                                << u"expected base64"_s;
    QTest::newRow("no entry") << QByteArray("7") << u"expected a time"_s;
    QTest::newRow("broken") << QByteArray("{") << u"a.har:3:"_s;
}

void TestHar::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, error);
    const Result<QList<HarEntry>> found = read(text);
    QVERIFY(!found);
    QVERIFY2(found.error().contains(error), qPrintable(found.error()));
    QVERIFY(!found.error().contains(u'\n'));
}

void TestHar::isRecognised()
{
    QVERIFY(holdsHar("\xEF\xBB\xBF{\"log\": {\"entries\": []}}"));
    QVERIFY(!holdsHar("{\"log\": 1}"));
    QVERIFY(!holdsHar("{\"history\": 1}\n{\"seen\": \"/a\"}"));
    QVERIFY(!holdsHar("{\"method\": \"GET\", \"url\": \"http://a\"}"));
}

const instar::TestClass<TestHar> registered;
#include "tst_har.moc"
