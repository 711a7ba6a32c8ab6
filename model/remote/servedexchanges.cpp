// SPDX-License-Identifier: Apache-2.0
#include "model/remote/servedexchanges.h"

#include "model/remote/masking.h"

#include <QUrl>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The masked URL; an invalid target loses its query, whose secrets cannot be recognized.
QString urlOf(const QString &server, const QByteArray &target)
{
    const QUrl url = QUrl::fromEncoded(server.toUtf8() + target, QUrl::StrictMode);
    if ((target.startsWith('/') || target.isEmpty()) && url.isValid())
        return maskedUrl(url);
    return QString::fromUtf8(target.split('?').first());
}

} // namespace

ServedExchanges::Open ServedExchanges::opened(
    const HttpRequest &http, const QString &server, const QString &client)
{
    Open open;
    open.clock.start();
    Exchange &exchange = open.exchange;
    exchange.number = ++m_last;
    exchange.sent = QDateTime::currentDateTimeUtc();
    exchange.client = client;
    exchange.method = QString::fromLatin1(http.method);
    exchange.url = urlOf(server, http.target);
    exchange.requestHeaders = maskedHeaders(http.headers);
    exchange.requestBody = maskedBody(http.body);
    return open;
}

void ServedExchanges::begin(
    Ticket ticket, const HttpRequest &http, const QString &server, const QString &client)
{
    m_open.emplace(ticket, opened(http, server, client));
}

void ServedExchanges::tell(const HttpRequest &http, const HttpResponse &response,
    const QString &server, const QString &client)
{
    end(opened(http, server, client), response, {});
}

void ServedExchanges::explain(Ticket ticket, Exchange::Purpose purpose, const QString &operation)
{
    if (const auto open = m_open.find(ticket); open != m_open.end()) {
        open->exchange.purpose = purpose;
        open->exchange.operation = operation;
    }
}

void ServedExchanges::wait(Ticket ticket) const
{
    if (const auto open = m_open.find(ticket); open != m_open.end())
        m_tell(open->exchange);
}

void ServedExchanges::end(Ticket ticket, const HttpResponse &response, const QString &problem)
{
    const auto found = m_open.find(ticket);
    if (found == m_open.end())
        return;
    Open open = std::move(*found);
    m_open.erase(found);
    end(std::move(open), response, problem);
}

void ServedExchanges::end(Open open, const HttpResponse &response, const QString &problem)
{
    Exchange &exchange = open.exchange;
    exchange.problem = problem;
    exchange.status = response.status;
    const QByteArrayView reason = response.reason;
    exchange.reason = QString::fromUtf8(reason.isEmpty() ? reasonPhrase(response.status) : reason);
    exchange.responseHeaders = maskedHeaders(response.headers);
    if (exchange.method != u"HEAD")
        exchange.responseBody = maskedBody(response.body);
    exchange.etag = QString::fromUtf8(header(response.headers, "ETag"));
    if (const auto delay =
            retryAfter(response.headers, { u"Retry-After"_s }, QDateTime::currentMSecsSinceEpoch()))
        exchange.retryAfter = double(*delay) / 1000;
    finish(std::move(open));
}

void ServedExchanges::endAll(const QString &problem)
{
    for (Open &open : std::exchange(m_open, {})) {
        open.exchange.problem = problem;
        finish(std::move(open));
    }
}

void ServedExchanges::finish(Open open)
{
    open.exchange.duration = double(open.clock.nsecsElapsed()) / 1e6;
    m_tell(open.exchange);
}

} // namespace instar
