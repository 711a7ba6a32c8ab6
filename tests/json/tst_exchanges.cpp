// SPDX-License-Identifier: Apache-2.0
// Exchanges on their way out of the program: lines that come back, an archive that others can read,
// a command that a real shell runs.

#include "model/json/bodytext.h"
#include "model/json/exchanges.h"
#include "model/json/har.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
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
        exchange.sent = start.addMSecs(*rc::gen::inRange(0, 1'000'000'000));
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

/// A folder whose `curl` tells what it was called with: the number of its arguments, each of them,
/// and, where it would read it, standard input; a NUL after each but the last.
class FakeCurl
{
public:
    FakeCurl()
    {
        QFile script(m_folder.filePath(u"curl"_s));
        if (!script.open(QFile::WriteOnly))
            qFatal("no place for the script");
        script.write("#!/bin/sh\n"
                     "printf '%s\\0' \"$#\"\n"
                     "for argument; do printf '%s\\0' \"$argument\"; done\n"
                     "[ \"$argument\" = @- ] && cat\n"
                     "exit 0\n");
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    struct Call
    {
        QList<QByteArray> arguments;
        QByteArray input, complaint;
    };
    Call run(const QString &command) const
    {
        const bool fits = command.size() < 30'000;
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"PATH"_s, m_folder.path() + u':' + environment.value(u"PATH"_s));
        shell.setProcessEnvironment(environment);
        shell.start(u"sh"_s, fits ? QStringList { u"-c"_s, command } : QStringList());
        if (!fits)
            shell.write(command.toUtf8());
        shell.closeWriteChannel();
        if (!shell.waitForFinished())
            qFatal("the shell does not end");
        Call call;
        call.complaint = shell.readAllStandardError();
        QByteArray output = shell.readAllStandardOutput();
        const auto taken = [&] {
            const qsizetype end = output.indexOf('\0');
            const QByteArray word = output.first(std::max<qsizetype>(end, 0));
            output.remove(0, end + 1);
            return word;
        };
        const int count = taken().toInt();
        for (int i = 0; i < count; ++i)
            call.arguments += taken();
        call.input = output;
        return call;
    }

private:
    QTemporaryDir m_folder;
};

/// What curl would send, by its manual.
struct Sent
{
    QByteArray method, url, body;
    QList<QByteArray> headers; ///< "Name: value"
    QByteArray problem;
};

Sent sent(const FakeCurl::Call &call)
{
    Sent sent;
    sent.problem = call.complaint;
    QByteArray method;
    const auto &words = call.arguments;
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == "-X") {
            method = words.value(++i);
        } else if (words[i] == "-H") {
            const QByteArray header = words.value(++i);
            if (header.endsWith(';') && !header.contains(':'))
                sent.headers += header.chopped(1) + ": ";
            else if (!header.mid(header.indexOf(':') + 1).trimmed().isEmpty())
                sent.headers += header;
        } else if (words[i] == "--data-raw") {
            sent.body = words.value(++i);
        } else if (words[i] == "--data-binary") {
            if (words.value(++i) != "@-")
                sent.problem += "unexpected data";
            sent.body = call.input;
        } else if (words[i] == "--head") {
            sent.method = "HEAD";
        } else if (words[i] != "--path-as-is" && words[i] != "--globoff") {
            if (!sent.url.isEmpty() || words[i].startsWith('-'))
                sent.problem += "unexpected word " + words[i];
            sent.url = words[i];
        }
    }
    if (sent.method.isEmpty())
        sent.method = !method.isEmpty() ? method : sent.body.isEmpty() ? "GET" : "POST";
    return sent;
}

/// What curl should send; space alone is nothing in a header.
Sent asked(const Exchange &exchange)
{
    Sent sent { exchange.method.toUtf8(), exchange.url.toUtf8(), exchange.requestBody, {}, {} };
    for (const Exchange::Header &header : exchange.requestHeaders)
        sent.headers += header.name.toUtf8() + ": "
            + (header.value.trimmed().isEmpty() ? QByteArray() : header.value.toUtf8());
    return sent;
}

QByteArray printed(const Sent &sent)
{
    return "problem: " + sent.problem + "\nmethod: " + sent.method + "\nurl: " + sent.url
        + "\nheaders: " + sent.headers.join("\n  ") + "\nbody: " + sent.body.toHex(' ');
}

class TestExchanges : public QObject
{
    Q_OBJECT

private slots:
    void lines();
    void everyExchangeComesBack();
    void badLines_data();
    void badLines();
    void archive();
    void archiveOfAnything();
    void command();
    void commandArrives_data();
    void commandArrives();
    void anyCommandArrives();
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
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const char *line, const char *error) {
        QTest::newRow(name) << QByteArray(line) << QString::fromUtf8(error);
    };
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
    const auto read = readExchanges(exchangesNdjson({ put() }) + '\n' + line + '\n', u"x.ndjson"_s);
    QVERIFY(!read);
    QVERIFY2(read.error().startsWith(error), qPrintable(read.error()));
}

/// What HAR 1.2 demands of an object: "name" of type s(tring), n(umber), o(bject), a(rray); "?"
/// first where it may be absent.
QString harFault(const QJsonObject &object, const QString &where, const QStringList &demands)
{
    QStringList known;
    for (QString demand : demands) {
        const bool optional = demand.startsWith(u'?');
        if (optional)
            demand.remove(0, 1);
        const QString name = demand.section(u':', 0, 0);
        const QChar type = demand.back();
        known += name;
        const QJsonValue value = object[name];
        if (value.isUndefined()) {
            if (!optional)
                return where + u" lacks "_s + name;
            continue;
        }
        const bool fits = (type == u's' && value.isString()) || (type == u'n' && value.isDouble())
            || (type == u'o' && value.isObject()) || (type == u'a' && value.isArray());
        if (!fits)
            return where + u'.' + name + u" is of another type"_s;
    }
    for (const QString &key : object.keys()) {
        if (!known.contains(key) && !key.startsWith(u'_'))
            return where + u" has "_s + key;
    }
    return {};
}

/// The first way in which an archive breaks http://www.softwareishard.com/blog/har-12-spec/; empty:
/// none.
QString harFault(const QByteArray &har)
{
    const QJsonDocument document = QJsonDocument::fromJson(har);
    const QJsonObject log = document[u"log"].toObject();
    QStringList faults;
    const auto check = [&](const QJsonValue &object, const QString &where,
                           const QStringList &demands) {
        const QString fault = harFault(object.toObject(), where, demands);
        if (!fault.isEmpty())
            faults += fault;
    };
    check(document.object(), u"root"_s, { u"log:o"_s });
    check(log, u"log"_s,
        { u"version:s"_s, u"creator:o"_s, u"?browser:o"_s, u"?pages:a"_s, u"entries:a"_s,
            u"?comment:s"_s });
    check(log[u"creator"], u"creator"_s, { u"name:s"_s, u"version:s"_s, u"?comment:s"_s });
    if (log[u"version"] != u"1.2"_s)
        faults += u"version"_s;
    const QJsonArray entries = log[u"entries"].toArray();
    for (const auto &entry : entries) {
        check(entry, u"entry"_s,
            { u"?pageref:s"_s, u"startedDateTime:s"_s, u"time:n"_s, u"request:o"_s, u"response:o"_s,
                u"cache:o"_s, u"timings:o"_s, u"?serverIPAddress:s"_s, u"?connection:s"_s,
                u"?comment:s"_s });
        const QJsonValue request = entry[u"request"], response = entry[u"response"],
                         timings = entry[u"timings"], content = response[u"content"];
        check(request, u"request"_s,
            { u"method:s"_s, u"url:s"_s, u"httpVersion:s"_s, u"cookies:a"_s, u"headers:a"_s,
                u"queryString:a"_s, u"?postData:o"_s, u"headersSize:n"_s, u"bodySize:n"_s,
                u"?comment:s"_s });
        check(response, u"response"_s,
            { u"status:n"_s, u"statusText:s"_s, u"httpVersion:s"_s, u"cookies:a"_s, u"headers:a"_s,
                u"content:o"_s, u"redirectURL:s"_s, u"headersSize:n"_s, u"bodySize:n"_s,
                u"?comment:s"_s });
        check(content, u"content"_s,
            { u"size:n"_s, u"?compression:n"_s, u"mimeType:s"_s, u"?text:s"_s, u"?encoding:s"_s,
                u"?comment:s"_s });
        check(timings, u"timings"_s,
            { u"?blocked:n"_s, u"?dns:n"_s, u"?connect:n"_s, u"send:n"_s, u"wait:n"_s,
                u"receive:n"_s, u"?ssl:n"_s, u"?comment:s"_s });
        if (!request[u"postData"].isUndefined())
            check(request[u"postData"], u"postData"_s,
                { u"mimeType:s"_s, u"?params:a"_s, u"?text:s"_s, u"?comment:s"_s });
        for (const QJsonArray &list : { request[u"headers"].toArray(),
                 response[u"headers"].toArray(), request[u"queryString"].toArray() }) {
            for (const auto &pair : list)
                check(pair, u"pair"_s, { u"name:s"_s, u"value:s"_s, u"?comment:s"_s });
        }
        double sum = 0;
        for (const auto name : { u"send", u"wait", u"receive" }) {
            const double part = timings[name].toDouble();
            if (part < 0)
                faults += u"a negative time"_s;
            sum += part;
        }
        if (!qFuzzyCompare(sum + 1, entry[u"time"].toDouble() + 1))
            faults += u"the times do not add up"_s;
        const QString started = entry[u"startedDateTime"].toString();
        if (!QDateTime::fromString(started, Qt::ISODateWithMs).isValid() || !started.endsWith(u'Z'))
            faults += u"startedDateTime"_s;
    }
    return faults.join(u", "_s);
}

void TestExchanges::archive()
{
    QCOMPARE(harFault(exchangesHar({}, u"1"_s)), QString());
    const QByteArray har = exchangesHar({ put(), unanswered(), binary() }, u"0.9"_s);
    QCOMPARE(harFault(har), QString());
    // The check does see what is wrong.
    QVERIFY(!harFault(QByteArray(har).replace("\"cookies\"", "\"cokies\"")).isEmpty());
    QVERIFY(!harFault(QByteArray(har).replace("\"wait\": 10.25", "\"wait\": 10.5")).isEmpty());

    const QJsonObject log = QJsonDocument::fromJson(har)[u"log"].toObject();
    QCOMPARE(log[u"creator"][u"name"], u"Instar"_s);
    QCOMPARE(log[u"creator"][u"version"], u"0.9"_s);
    const QJsonArray entries = log[u"entries"].toArray();
    QCOMPARE(entries.size(), 3);
    const QJsonValue first = entries[0];
    QCOMPARE(first[u"startedDateTime"], u"2026-11-21T08:30:00.123Z"_s);
    QCOMPARE(first[u"time"], 12.5);
    QCOMPARE(first[u"timings"][u"receive"], 2.25);
    QCOMPARE(first[u"_operation"], u"op1"_s);
    QCOMPARE(first[u"request"][u"queryString"].toArray(),
        QJsonArray({ QJsonObject { { u"name"_s, u"api"_s }, { u"value"_s, u"2"_s } },
            QJsonObject { { u"name"_s, u"name"_s }, { u"value"_s, u"a b"_s } } }));
    QCOMPARE(first[u"request"][u"postData"][u"mimeType"], u"application/json"_s);
    QCOMPARE(first[u"request"][u"postData"][u"text"].toString().toUtf8(), put().requestBody);
    QCOMPARE(first[u"request"][u"headers"].toArray().size(), 3);
    QCOMPARE(first[u"response"][u"status"], 201);
    QCOMPARE(first[u"response"][u"redirectURL"], u"/v1/operations/1"_s);
    QCOMPARE(first[u"response"][u"content"][u"mimeType"], u"application/json; charset=utf-8"_s);
    QVERIFY(first[u"response"][u"content"][u"encoding"].isUndefined());

    QCOMPARE(entries[1][u"response"][u"status"], 0);
    QCOMPARE(entries[1][u"response"][u"bodySize"], -1);
    QCOMPARE(entries[1][u"response"][u"_error"], u"Connection refused"_s);
    QVERIFY(entries[1][u"request"][u"postData"].isUndefined());

    const QJsonValue content = entries[2][u"response"][u"content"];
    QCOMPARE(content[u"encoding"], u"base64"_s);
    QCOMPARE(QByteArray::fromBase64(content[u"text"].toString().toLatin1()), binary().responseBody);
    QCOMPARE(content[u"size"], 8);
    QCOMPARE(content[u"mimeType"], u"application/octet-stream"_s);
    QCOMPARE(entries[2][u"request"][u"postData"][u"_encoding"], u"base64"_s);
}

void TestExchanges::archiveOfAnything()
{
    QVERIFY(holdsFor(300, 30, [] {
        const Exchange exchange = anyExchange();
        const QByteArray har = exchangesHar({ exchange }, u"1"_s);
        RC_ASSERT(harFault(har) == QString());
        const QJsonValue entry = QJsonDocument::fromJson(har)[u"log"][u"entries"][0];
        const QJsonValue content = entry[u"response"][u"content"];
        const QByteArray text = content[u"text"].toString().toUtf8();
        RC_ASSERT((content[u"encoding"].isUndefined() ? text : QByteArray::fromBase64(text))
            == exchange.responseBody);
    }));
}

void TestExchanges::command()
{
    QCOMPARE(curlCommand(put()),
        u"curl -X 'PUT' 'http://127.0.0.1:8080/v1/racks/r1?api=2&name=a%20b' \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        "  -H 'Authorization: Bearer ••••' \\\n"
        "  -H 'X-Empty;' \\\n"
        "  --data-raw '{\"a\": 1.50, \"b\": \"it'\\''s\"}'"_s);
    QCOMPARE(curlCommand(unanswered()), u"curl 'http://127.0.0.1:1/'"_s);
    Exchange raw = binary();
    raw.requestHeaders = { { u"content-length"_s, u"4"_s } };
    raw.method = u"POST"_s;
    raw.url = u"http://h/[1]/../{a}"_s;
    QCOMPARE(curlCommand(raw),
        u"printf '\\000\\001\\377\\376' |\n"
        "curl -X 'POST' --path-as-is --globoff 'http://h/[1]/../{a}' \\\n"
        "  -H 'Content-Type:' \\\n"
        "  --data-binary @-"_s);
}

void TestExchanges::commandArrives_data()
{
    QTest::addColumn<Exchange>("exchange");
    const auto row = [](const char *name, const QByteArray &body,
                         const QString &method = u"PUT"_s) {
        Exchange exchange = put();
        exchange.method = method;
        exchange.requestBody = body;
        QTest::newRow(name) << exchange;
    };
    row("json", put().requestBody);
    row("nothing", {});
    row("nothing, GET", {}, u"GET"_s);
    row("nothing, HEAD", {}, u"HEAD"_s);
    row("a file's name", "@/etc/passwd");
    row("an option", "-n");
    row("an option and a control character", "-n\x01");
    row("quotes", "'\"`$(echo no)`'''");
    row("lines", "one\ntwo\n\n");
    row("lines of a mail", "one\r\ntwo\r\n");
    row("a percent sign and digits", QByteArray("%s%d\0001\0002\\n", 10));
    row("a byte order mark", "\xef\xbb\xbf{}");
    row("half a character", "\xc3");
    QByteArray all;
    for (int i = 0; i < 256; ++i)
        all += char(i);
    row("every byte", all);
    row("a long text", QByteArray("it's long\n").repeated(30'000));
    row("long and binary", all.repeated(1000));
}

void TestExchanges::commandArrives()
{
    QFETCH(Exchange, exchange);
    const FakeCurl curl;
    QCOMPARE(printed(sent(curl.run(curlCommand(exchange)))), printed(asked(exchange)));
}

void TestExchanges::anyCommandArrives()
{
    const FakeCurl curl;
    QVERIFY(holdsFor(150, 40, [&] {
        Exchange exchange = anyExchange();
        if (exchange.method == u"HEAD")
            exchange.requestBody.clear();
        RC_ASSERT(printed(sent(curl.run(curlCommand(exchange)))) == printed(asked(exchange)));
    }));
}

void TestExchanges::pretty_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const QByteArray &body, const char *text) {
        QTest::newRow(name) << body << QString::fromUtf8(text);
    };
    row("nothing", "", "");
    row("numbers keep their spelling", "{\"a\":1.50,\"b\":[1E+2,-0],\"c\":12345678901234567890}",
        "{\n  \"a\": 1.50,\n  \"b\": [\n    1E+2,\n    -0\n  ],\n  \"c\": 12345678901234567890\n}");
    row("strings and keys too", "{\"\\u0041\":\"\\/\"}", "{\n  \"\\u0041\": \"\\/\"\n}");
    row("a key twice", "{\"a\":1,\"a\":2}", "{\n  \"a\": 1,\n  \"a\": 2\n}");
    row("empty", "{\"a\":{},\"b\":[]}", "{\n  \"a\": {},\n  \"b\": []\n}");
    row("one value", " true ", "true");
    row("text", "Bad gateway\n<b>", "Bad gateway\n<b>");
    row("lines of a mail", "a\r\nb", "a\r\nb");
    row("bytes", QByteArray("\x89PNG\0\xff", 6), "6 bytes that are no text");
}

void TestExchanges::pretty()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, text);
    QCOMPARE(prettyJson(body), text);
    QVERIFY(!prettyJson(QByteArray(500, '[') + QByteArray(500, ']')).isEmpty());
}

} // namespace

const instar::TestClass<TestExchanges> registered;
#include "tst_exchanges.moc"
