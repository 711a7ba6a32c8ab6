// SPDX-License-Identifier: Apache-2.0
#include "model/formats/har.h"

#include "model/formats/bodytext.h"
#include "model/formats/exchanges.h"
#include "model/formats/output.h"

#include <QCoreApplication>
#include <QUrl>
#include <QUrlQuery>

#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

double known(double ms)
{
    return std::isfinite(ms) ? std::max(ms, 0.0) : 0;
}

void addText(Output &object, QStringView key, const QString &text)
{
    object.add(key, Output::string(text));
}

void addKnown(Output &object, QStringView key, const QString &text)
{
    if (!text.isEmpty())
        addText(object, key, text);
}

Output nameAndValue(const QString &name, const QString &value)
{
    Output pair = Output::object();
    addText(pair, u"name", name);
    addText(pair, u"value", value);
    return pair;
}

Output harHeaders(const QList<Exchange::Header> &all)
{
    Output list = Output::array();
    for (const Exchange::Header &header : all)
        list.add(nameAndValue(header.name, header.value));
    return list;
}

QString mimeType(const QList<Exchange::Header> &headers)
{
    const QString type = headerValue(headers, u"Content-Type");
    return type.isEmpty() ? u"application/octet-stream"_s : type;
}

/// Text, or base64 under a word that says so.
void addBody(Output &object, const QByteArray &body, QStringView encodingKey)
{
    if (isText(body)) {
        addText(object, u"text", QString::fromUtf8(body));
        return;
    }
    addText(object, u"text", QString::fromLatin1(body.toBase64()));
    addText(object, encodingKey, u"base64"_s);
}

Output request(const Exchange &exchange)
{
    Output query = Output::array();
    for (const auto &[name, value] : QUrlQuery(QUrl(exchange.url)).queryItems(QUrl::FullyDecoded))
        query.add(nameAndValue(name, value));
    Output object = Output::object();
    addText(object, u"method", exchange.method);
    addText(object, u"url", exchange.url);
    addText(object, u"httpVersion", u"HTTP/1.1"_s);
    object.add(u"cookies", Output::array());
    object.add(u"headers", harHeaders(exchange.requestHeaders));
    object.add(u"queryString", std::move(query));
    if (!exchange.requestBody.isEmpty()) {
        Output data = Output::object();
        addText(data, u"mimeType", mimeType(exchange.requestHeaders));
        addBody(data, exchange.requestBody, u"_encoding"); // 1.2 has the word for answers only
        object.add(u"postData", std::move(data));
    }
    object.add(u"headersSize", Output::integer(-1));
    object.add(u"bodySize", Output::integer(exchange.requestBody.size()));
    return object;
}

Output response(const Exchange &exchange)
{
    Output content = Output::object();
    content.add(u"size", Output::integer(exchange.responseBody.size()));
    addText(content, u"mimeType", mimeType(exchange.responseHeaders));
    if (!exchange.responseBody.isEmpty())
        addBody(content, exchange.responseBody, u"encoding");
    Output object = Output::object();
    object.add(u"status", Output::integer(exchange.status));
    addText(object, u"statusText", exchange.reason);
    addText(object, u"httpVersion", exchange.status ? u"HTTP/1.1"_s : QString());
    object.add(u"cookies", Output::array());
    object.add(u"headers", harHeaders(exchange.responseHeaders));
    object.add(u"content", std::move(content));
    addText(object, u"redirectURL", headerValue(exchange.responseHeaders, u"Location"));
    object.add(u"headersSize", Output::integer(-1));
    object.add(u"bodySize", Output::integer(exchange.status ? exchange.responseBody.size() : -1));
    addKnown(object, u"_error", exchange.problem);
    return object;
}

Output entry(const Exchange &exchange)
{
    // Only what was measured is told apart; the parts make up the whole, as 1.2 demands.
    const double whole = known(exchange.duration);
    const double wait = exchange.wait < 0 ? whole : std::min(known(exchange.wait), whole);
    const double receive = whole - wait;
    Output timings = Output::object();
    timings.add(u"send", Output::integer(0));
    timings.add(u"wait", Output::real(wait));
    timings.add(u"receive", Output::real(receive));

    const QDateTime sent = exchange.sent.isValid() ? exchange.sent.toUTC()
                                                   : QDateTime::fromMSecsSinceEpoch(0, Qt::UTC);
    Output object = Output::object();
    addText(object, u"startedDateTime", sent.toString(Qt::ISODateWithMs));
    object.add(u"time", Output::real(wait + receive));
    object.add(u"request", request(exchange));
    object.add(u"response", response(exchange));
    object.add(u"cache", Output::object());
    object.add(u"timings", std::move(timings));
    object.add(u"_number", Output::integer(qint64(exchange.number)));
    addKnown(object, u"_client", exchange.client);
    addKnown(object, u"_operation", exchange.operation);
    return object;
}

} // namespace

QByteArray exchangesHar(const QList<Exchange> &exchanges, const QString &creatorVersion)
{
    Output creator = Output::object();
    addText(creator, u"name", u"Instar"_s);
    addText(creator, u"version",
        creatorVersion.isEmpty() ? QCoreApplication::applicationVersion() : creatorVersion);
    Output entries = Output::array();
    for (const Exchange &exchange : exchanges)
        entries.add(entry(exchange));
    Output log = Output::object();
    addText(log, u"version", u"1.2"_s);
    log.add(u"creator", std::move(creator));
    log.add(u"entries", std::move(entries));
    Output archive = Output::object();
    archive.add(u"log", std::move(log));
    return archive.text();
}

} // namespace instar
