// SPDX-License-Identifier: Apache-2.0
#include "model/json/har.h"

#include "model/json/bodytext.h"
#include "model/json/exchanges.h"
#include "model/json/output.h"
#include "model/json/reading.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

double known(double ms)
{
    return std::isfinite(ms) ? std::max(ms, 0.0) : 0;
}

Output nameAndValue(const QString &name, const QString &value)
{
    return Output::object({ { "name", Output::string(name) }, { "value", Output::string(value) } });
}

Output harHeaders(const QList<Exchange::Header> &all)
{
    Output list = Output::array();
    for (const Exchange::Header &header : all)
        list.add(nameAndValue(header.name, header.value));
    return list;
}

Output mimeType(const QList<Exchange::Header> &headers)
{
    const QString type = headerValue(headers, u"Content-Type");
    return Output::string(type.isEmpty() ? u"application/octet-stream"_s : type);
}

/// Text, or base64 under a word that says so.
void addBody(Output &object, const QByteArray &body, QStringView encodingKey)
{
    const bool isPlain = isText(body);
    object.add(u"text",
        Output::string(isPlain ? QString::fromUtf8(body) : QString::fromLatin1(body.toBase64())));
    if (!isPlain)
        object.add(encodingKey, Output::string(u"base64"));
}

Output request(const Exchange &exchange)
{
    Output query = Output::array();
    for (const auto &[name, value] : QUrlQuery(QUrl(exchange.url)).queryItems(QUrl::FullyDecoded))
        query.add(nameAndValue(name, value));
    Output object = Output::object({ { "method", Output::string(exchange.method) },
        { "url", Output::string(exchange.url) }, { "httpVersion", Output::string(u"HTTP/1.1") },
        { "cookies", Output::array() }, { "headers", harHeaders(exchange.requestHeaders) },
        { "queryString", std::move(query) } });
    if (!exchange.requestBody.isEmpty()) {
        Output data = Output::object({ { "mimeType", mimeType(exchange.requestHeaders) } });
        addBody(data, exchange.requestBody, u"_encoding"); // 1.2 has the word for answers only
        object.add(u"postData", std::move(data));
    }
    object.add(u"headersSize", Output::integer(-1));
    object.add(u"bodySize", Output::integer(exchange.requestBody.size()));
    return object;
}

Output response(const Exchange &exchange)
{
    const qsizetype size = exchange.responseBody.size();
    Output content = Output::object(
        { { "size", Output::integer(size) }, { "mimeType", mimeType(exchange.responseHeaders) } });
    if (size > 0)
        addBody(content, exchange.responseBody, u"encoding");
    Output object = Output::object({ { "status", Output::integer(exchange.status) },
        { "statusText", Output::string(exchange.reason) },
        { "httpVersion", Output::string(exchange.status ? u"HTTP/1.1" : u"") },
        { "cookies", Output::array() }, { "headers", harHeaders(exchange.responseHeaders) },
        { "content", std::move(content) },
        { "redirectURL", Output::string(headerValue(exchange.responseHeaders, u"Location")) },
        { "headersSize", Output::integer(-1) },
        { "bodySize", Output::integer(exchange.status ? size : -1) } });
    addText(&object, "_error", exchange.problem);
    return object;
}

Output entry(const Exchange &exchange)
{
    // Only what was measured is told apart; the parts make up the whole, as 1.2 demands.
    const double whole = known(exchange.duration);
    const double wait = exchange.wait < 0 ? whole : std::min(known(exchange.wait), whole);
    const double receive = whole - wait;
    const QDateTime sent = exchange.sent.isValid() ? exchange.sent.toUTC()
                                                   : QDateTime::fromMSecsSinceEpoch(0, Qt::UTC);
    Output object = Output::object({
        { "startedDateTime", Output::string(sent.toString(Qt::ISODateWithMs)) },
        { "time", Output::real(wait + receive) },
        { "request", request(exchange) },
        { "response", response(exchange) },
        { "cache", Output::object() },
        { "timings",
            Output::object({ { "send", Output::integer(0) }, { "wait", Output::real(wait) },
                { "receive", Output::real(receive) } }) },
        { "_number", Output::integer(qint64(exchange.number)) },
    });
    addText(&object, "_client", exchange.client);
    addText(&object, "_operation", exchange.operation);
    return object;
}

// ---- Reading

double msIn(Value value)
{
    const double ms = value.number().value_or(-1);
    return std::isfinite(ms) && ms >= 0 ? ms : -1;
}

/// The time until the whole answer was there, which some give in its parts only; -1: not told.
double durationIn(Value entry)
{
    const double whole = msIn(entry.find("time"));
    double sum = 0;
    for (const Member part : entry.find("timings").members())
        sum += part.key.isString("ssl") ? 0 : std::max(msIn(part.value), 0.0); // in "connect"
    return sum > 0 ? std::max(whole, sum) : whole;
}

QList<Exchange::Header> headersIn(Value message)
{
    QList<Exchange::Header> headers;
    for (const Value one : message.find("headers").items()) {
        const QString name = one.find("name").string();
        if (!name.isEmpty() && !name.startsWith(u':')) // HTTP/2's first line
            headers += { name, one.find("value").string() };
    }
    return headers;
}

QByteArray bodyIn(Reading &reading, Value content)
{
    const QByteArray text = content.find("text").string().toUtf8();
    const bool isEncoded =
        content.find("encoding").isString("base64") || content.find("_encoding").isString("base64");
    if (!isEncoded)
        return text;
    const auto bytes =
        QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    if (!bytes)
        reading.expected(u"base64"_s, content.find("text"));
    return *bytes;
}

/// When it was sent, never later: what is finer than ms is cut off.
QDateTime sentIn(Reading &reading, Value entry)
{
    static const QRegularExpression finer(u"([.,]\\d{3})\\d+"_s);
    const Value value = entry.find("startedDateTime");
    const QDateTime sent =
        QDateTime::fromString(value.string().replace(finer, u"\\1"_s), Qt::ISODateWithMs);
    if (!sent.isValid())
        reading.expected(
            u"a time such as 2026-11-21T08:30:00.000Z as startedDateTime"_s, value ? value : entry);
    return sent.toUTC();
}

QString textIn(Reading &reading, Value object, const char *key)
{
    const Value value = object.find(key);
    if (!value.is(Value::Kind::String) || value.string().isEmpty())
        reading.expected(u"a request's %1"_s.arg(QLatin1StringView(key)), value ? value : object);
    return value.string();
}

Exchange exchangeIn(Reading &reading, Value entry)
{
    const Value request = entry.find("request"), response = entry.find("response");
    Exchange exchange;
    exchange.number = quint64(std::max<qint64>(entry.find("_number").integer().value_or(0), 0));
    exchange.client = entry.find("_client").string();
    exchange.operation = entry.find("_operation").string();
    exchange.sent = sentIn(reading, entry);
    exchange.duration = durationIn(entry);
    exchange.wait = msIn(entry.find("timings").find("wait"));
    exchange.method = textIn(reading, request, "method");
    exchange.url = textIn(reading, request, "url");
    exchange.requestHeaders = headersIn(request);
    exchange.requestBody = bodyIn(reading, request.find("postData"));
    exchange.status =
        int(std::clamp<qint64>(response.find("status").integer().value_or(0), 0, 999));
    exchange.reason = response.find("statusText").string();
    exchange.responseHeaders = headersIn(response);
    exchange.responseBody = bodyIn(reading, response.find("content"));
    exchange.problem = response.find("_error").string();
    exchange.etag = headerValue(exchange.responseHeaders, u"ETag");
    if (!exchange.problem.isEmpty()) // the browser gave up, whatever had come by then
        exchange.status = 0;
    return exchange;
}

bool isOfCache(Value entry)
{
    return !entry.find("_fromCache").string().isEmpty();
}

/// Whether the recorder tells whole seconds only. Of one entry alone it does where its time has no
/// fraction.
bool tellsSeconds(const QList<HarEntry> &entries, bool hasFractions)
{
    return (entries.size() > 1 || !hasFractions)
        && std::ranges::all_of(
            entries, [](const HarEntry &one) { return one.exchange.sent.time().msec() == 0; });
}

/// Makes every interval as long as it may have been: one that is too short accuses somebody.
void widen(QList<HarEntry> &entries, double more)
{
    QDateTime end;
    for (HarEntry &one : entries) {
        if (one.exchange.duration >= 0)
            one.exchange.duration += more;
        end = std::max(end, one.exchange.sent.addMSecs(std::llround(one.exchange.duration)));
    }
    for (HarEntry &one : entries) {
        if (one.exchange.duration < 0)
            one.exchange.duration = std::max<double>(0, double(one.exchange.sent.msecsTo(end)));
    }
}

QByteArray withoutMark(const QByteArray &bytes)
{
    return bytes.startsWith("\xEF\xBB\xBF") ? bytes.sliced(3) : bytes;
}

} // namespace

bool holdsHar(const QByteArray &bytes)
{
    const Result<JsonText> document = JsonText::parse(withoutMark(bytes), {});
    return document && document->root().find("log").find("entries").is(Value::Kind::Array);
}

Result<QList<HarEntry>> readHar(const QByteArray &bytes, const QString &name)
{
    const Result<JsonText> document = JsonText::parse(withoutMark(bytes), name);
    if (!document)
        return Error { document.error() };
    const Value entries = document->root().find("log").find("entries");
    if (!entries.is(Value::Kind::Array))
        return Error { u"%1: expected an HTTP archive with log.entries, found something else"_s.arg(
            name) };
    Reading reading(*document);
    Locator locator(*document);
    QList<HarEntry> read;
    bool hasFractions = false;
    for (const Value entry : entries.items()) {
        const HarEntry one { exchangeIn(reading, entry), locator.line(entry) };
        if (!reading.isGood())
            return Error { reading.sentence() };
        hasFractions = hasFractions
            || entry.find("startedDateTime").string().contains(QRegularExpression(u"[.,]"_s));
        if (one.exchange.url.startsWith(u"http"_s, Qt::CaseInsensitive) && !isOfCache(entry))
            read += one;
    }
    widen(read, tellsSeconds(read, hasFractions) ? 999 : 0);
    const bool isOneLine = !read.isEmpty() && read.first().line == read.last().line;
    quint64 number = 0;
    for (HarEntry &one : read) {
        ++number;
        if (isOneLine)
            one.line = int(number);
        if (!one.exchange.number)
            one.exchange.number = number;
    }
    std::ranges::stable_sort(read, {}, [](const HarEntry &one) { return one.exchange.sent; });
    return read;
}

QByteArray exchangesHar(const QList<Exchange> &exchanges, const QString &creatorVersion)
{
    Output entries = Output::array();
    for (const Exchange &exchange : exchanges)
        entries.add(entry(exchange));
    const QString version =
        creatorVersion.isEmpty() ? QCoreApplication::applicationVersion() : creatorVersion;
    const Output creator = Output::object(
        { { "name", Output::string(u"Instar") }, { "version", Output::string(version) } });
    Output log = Output::object({ { "version", Output::string(u"1.2") }, { "creator", creator } });
    log.add(u"entries", std::move(entries));
    Output archive = Output::object();
    archive.add(u"log", std::move(log));
    return archive.text();
}

} // namespace instar
