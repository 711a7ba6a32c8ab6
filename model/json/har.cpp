// SPDX-License-Identifier: Apache-2.0
#include "model/json/har.h"

#include "model/json/bodytext.h"
#include "model/json/exchanges.h"
#include "model/json/output.h"

#include <QCoreApplication>
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

} // namespace

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
