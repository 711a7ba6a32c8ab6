// SPDX-License-Identifier: Apache-2.0
#include "model/remote/wiretap.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const HttpLimits limits { .bodyBytes = 64 * 1024 * 1024 };

/// Tickets are unique across all connections.
ServedExchanges::Ticket nextTicket()
{
    static ServedExchanges::Ticket last = 0;
    return ++last;
}

} // namespace

Wiretap::Wiretap(ServedExchanges &exchanges, std::function<void(const QString &)> missed,
    QString server, QString client)
    : m_exchanges(exchanges),
      m_missed(std::move(missed)),
      m_server(std::move(server)),
      m_client(std::move(client)),
      m_requests(limits),
      m_responses(limits)
{ }

Wiretap::~Wiretap()
{
    giveUp(u"The connection ended before the answer was there."_s);
}

void Wiretap::fromClient(QByteArrayView bytes)
{
    if (m_isOver)
        return;
    m_requests.feed(bytes);
    readRequests();
}

void Wiretap::readRequests()
{
    while (const std::optional<HttpRequest> request = m_requests.take()) {
        const Waiting one { nextTicket(), request->method == "HEAD" };
        m_waiting += one;
        m_exchanges.begin(one.ticket, *request, m_server, m_client);
        m_exchanges.wait(one.ticket);
    }
    if (const std::optional<HttpProblem> problem = m_requests.problem()) {
        m_isOver = true;
        m_missed(u"the answers of %1 can no longer be read: %2"_s.arg(
            m_client, QString::fromUtf8(problem->text)));
    }
}

/// Announces a response to HEAD, which has no body but does not say so.
void Wiretap::expect()
{
    if (m_expects || m_waiting.isEmpty() || !m_waiting.first().isHead)
        return;
    m_expects = true;
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
            continue; // unsolicited: a server says why it closes
        const Waiting one = m_waiting.takeFirst();
        m_expects = false;
        m_exchanges.end(one.ticket, *response);
        expect();
    }
    if (m_responses.problem())
        giveUp(u"The answer could not be read."_s);
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
