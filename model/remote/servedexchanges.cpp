// SPDX-License-Identifier: Apache-2.0
#include "model/remote/servedexchanges.h"

#include "model/remote/masking.h"

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

const HttpLimits TappedLimits { .bodyBytes = 64 * 1024 * 1024 };

} // namespace

void ServedExchanges::begin(
    Ticket ticket, const HttpRequest &http, const QString &server, const QString &client)
{
    Open open;
    open.clock.start();
    Exchange &exchange = open.exchange;
    exchange.number = ++m_last;
    exchange.setSent(microsecondsNow());
    exchange.client = client;
    exchange.method = QString::fromLatin1(http.method);
    exchange.url = urlOf(server, http.target);
    exchange.requestHeaders = maskedHeaders(http.headers);
    exchange.requestBody = maskedBody(http.body);
    m_open.insert(ticket, std::move(open));
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
        m_notify(open->exchange);
}

void ServedExchanges::end(Ticket ticket, const HttpResponse &response, const QString &problem)
{
    if (!m_open.contains(ticket))
        return;
    Open open = m_open.take(ticket);
    Exchange &exchange = open.exchange;
    exchange.problem = problem;
    setResponse(exchange, response, { u"Retry-After"_s });
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
    m_notify(open.exchange);
}

Wiretap::Wiretap(ServedExchanges &exchanges, std::function<void(const QString &)> missed,
    QString server, QString client)
    : m_exchanges(exchanges),
      m_missed(std::move(missed)),
      m_server(std::move(server)),
      m_client(std::move(client)),
      m_requests(TappedLimits),
      m_responses(TappedLimits)
{ }

Wiretap::~Wiretap()
{
    giveUp(u"The connection ended before the answer arrived."_s);
}

void Wiretap::fromClient(QByteArrayView bytes)
{
    if (m_isOver)
        return;
    m_requests.feed(bytes);
    while (const std::optional<HttpRequest> request = m_requests.take()) {
        static ServedExchanges::Ticket last = 0; // unique across all connections
        const Waiting one { ++last, request->method == "HEAD" };
        m_waiting += one;
        m_exchanges.begin(one.ticket, *request, m_server, m_client);
        m_exchanges.wait(one.ticket);
    }
    if (const std::optional<HttpProblem> problem = m_requests.problem()) {
        m_isOver = true;
        m_missed(u"the requests of %1 are no longer recorded: %2"_s.arg(
            m_client, QString::fromUtf8(problem->text)));
    }
}

/// Tells the parser if the next response answers HEAD and so has no body, despite its headers.
void Wiretap::expect()
{
    if (!m_waiting.isEmpty() && m_waiting.first().isHead)
        m_responses.expectNoBody();
}

void Wiretap::fromServer(QByteArrayView bytes)
{
    expect();
    m_responses.feed(bytes);
    readResponses();
}

void Wiretap::readResponses()
{
    while (const std::optional<HttpResponse> response = m_responses.take()) {
        if (m_waiting.isEmpty())
            continue; // unsolicited, such as the reason why the server closes
        const Waiting one = m_waiting.takeFirst();
        m_exchanges.end(one.ticket, *response);
        expect();
    }
    if (m_responses.problem())
        giveUp(u"The answer is not valid HTTP."_s);
}

void Wiretap::serverEnded()
{
    m_responses.end();
    readResponses();
    giveUp(u"The server closed before the answer was complete."_s);
}

void Wiretap::giveUp(const QString &problem)
{
    for (const Waiting &one : std::exchange(m_waiting, {}))
        m_exchanges.end(one.ticket, HttpResponse { .status = 0 }, problem);
}

} // namespace instar
