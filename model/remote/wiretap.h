// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/httpparser.h"
#include "model/remote/servedexchanges.h"

namespace instar {

/// Passive HTTP parser of one connection between a client and a server; reports its exchanges.
/// Takes bytes before they are forwarded, so that what a server does lies in its exchange's time.
/// Invalid or oversized messages end the parsing of their direction; that is reported, since
/// exchanges may then go unnoticed.
class Wiretap
{
public:
    /// `exchanges` must outlive it and may be shared; `missed` gets a sentence when requests may go
    /// by unread.
    Wiretap(ServedExchanges &exchanges, std::function<void(const QString &)> missed, QString server,
        QString client);
    ~Wiretap();
    Q_DISABLE_COPY_MOVE(Wiretap)

    void fromClient(QByteArrayView bytes);
    void fromServer(QByteArrayView bytes);
    void serverEnded(); ///< nothing more comes from the server
    /// Returns true while a request has no answer.
    bool isWaiting() const { return !m_waiting.isEmpty(); }

private:
    struct Waiting
    {
        ServedExchanges::Ticket ticket = 0;
        bool isHead = false;
    };
    void readRequests();
    void readResponses();
    void expect();
    void giveUp(const QString &problem);

    ServedExchanges &m_exchanges;
    const std::function<void(const QString &)> m_missed;
    const QString m_server, m_client;
    HttpParser<HttpRequest> m_requests;
    HttpParser<HttpResponse> m_responses;
    QList<Waiting> m_waiting; ///< in the order of their answers
    bool m_expects = false;   ///< the parser knows that the first response has no body
    bool m_isOver = false;    ///< requests are not read any more
};

} // namespace instar
