// SPDX-License-Identifier: Apache-2.0
#include "model/json/har.h"

#include "model/json/exchanges.h"
#include "model/json/reading.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace instar {

namespace {

double msIn(Value value)
{
    const double ms = value.number().value_or(-1);
    return std::isfinite(ms) && ms >= 0 ? ms : -1;
}

/// Returns the ms until the end of the answer; -1: unknown. Some recorders give only its parts.
double durationIn(Value entry)
{
    const double total = msIn(entry.find("time"));
    double sum = 0;
    for (const Member part : entry.find("timings").members())
        sum += part.key.isString("ssl") ? 0 : std::max(msIn(part.value), 0.0); // in "connect"
    return sum > 0 ? std::max(total, sum) : total;
}

QList<Exchange::Header> headersIn(Value message)
{
    QList<Exchange::Header> headers;
    for (const Value header : message.find("headers").items()) {
        const QString name = header.find("name").string();
        if (!name.isEmpty() && !name.startsWith(u':')) // pseudo-header of HTTP/2
            headers += { name, header.find("value").string() };
    }
    return headers;
}

QByteArray bodyIn(JsonReader &reading, Value content)
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

/// Returns the time of sending, rounded down to ms, never later.
QDateTime sentIn(JsonReader &reading, Value entry)
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

QString textIn(JsonReader &reading, Value object, const char *key)
{
    const Value value = object.find(key);
    if (!value.is(Value::Kind::String) || value.string().isEmpty())
        reading.expected(u"a request's %1"_s.arg(QLatin1StringView(key)), value ? value : object);
    return value.string();
}

Exchange exchangeIn(JsonReader &reading, Value entry)
{
    const Value request = entry.find("request"), response = entry.find("response");
    Exchange exchange;
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
    if (!exchange.problem.isEmpty()) // aborted: ignore the part of the answer that arrived
        exchange.status = 0;
    return exchange;
}

/// Widens every interval to the longest possible one: shorter ones cause false violations.
void widen(QList<HarEntry> &entries, double extraMs)
{
    QDateTime end;
    for (HarEntry &one : entries) {
        if (one.exchange.duration >= 0)
            one.exchange.duration += extraMs;
        end = std::max(end, one.exchange.sent.addMSecs(std::llround(one.exchange.duration)));
    }
    for (HarEntry &one : entries) {
        if (one.exchange.duration < 0)
            one.exchange.duration = std::max<double>(0, double(one.exchange.sent.msecsTo(end)));
    }
}

} // namespace

bool holdsHar(const QByteArray &bytes)
{
    const Result<JsonText> document = JsonText::parse(withoutByteOrderMark(bytes), {});
    return document && document->root().find("log").find("entries").is(Value::Kind::Array);
}

Result<QList<HarEntry>> readHar(const QByteArray &bytes, const QString &name)
{
    const Result<JsonText> document = JsonText::parse(withoutByteOrderMark(bytes), name);
    if (!document)
        return Error { document.error() };
    const Value entries = document->root().find("log").find("entries");
    if (!entries.is(Value::Kind::Array))
        return Error { u"%1: expected an HTTP archive (HAR) with log.entries, found none"_s.arg(
            name) };
    JsonReader reading(*document);
    QList<HarEntry> read;
    bool hasFractions = false;
    for (const Value entry : entries.items()) {
        const HarEntry one { exchangeIn(reading, entry), entry.line() };
        if (!reading.isGood())
            return Error { reading.sentence() };
        hasFractions = hasFractions
            || entry.find("startedDateTime").string().contains(QRegularExpression(u"[.,]"_s));
        if (one.exchange.url.startsWith(u"http"_s, Qt::CaseInsensitive)
            && entry.find("_fromCache").string().isEmpty())
            read += one;
    }
    // For a single entry, a fraction in the text of its time decides.
    const bool isInSeconds = (read.size() > 1 || !hasFractions)
        && std::ranges::all_of(
            read, [](const HarEntry &one) { return one.exchange.sent.time().msec() == 0; });
    widen(read, isInSeconds ? 999 : 0);
    const bool isOneLine = !read.isEmpty() && read.first().line == read.last().line;
    quint64 number = 0;
    for (HarEntry &one : read) {
        ++number;
        if (isOneLine)
            one.line = int(number);
        one.exchange.number = number;
    }
    std::ranges::stable_sort(read, {}, [](const HarEntry &one) { return one.exchange.sent; });
    return read;
}

} // namespace instar
