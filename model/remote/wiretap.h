// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/httpparser.h"
#include "model/remote/servedexchanges.h"

namespace instar {

/// Reads what goes by on one connection between a client and a server as HTTP, and tells it as
/// exchanges. Bytes are to be given to it before they go on, so that what a server does lies in its
/// exchange's time. What is no HTTP, or more than is kept, ends the reading of its way; that is
/// said, since something may then have happened that nobody knows of.
class Wiretap
{
public:
    /// `exchanges` must outlive it and may be that of many; `missed` hears a sentence when requests
    /// may go by unread.
    Wiretap(ServedExchanges &exchanges, std::function<void(const QString &)> missed, QString server,
        QString client);
    ~Wiretap();
    Q_DISABLE_COPY_MOVE(Wiretap)

    void fromClient(QByteArrayView bytes);
    void fromServer(QByteArrayView bytes);
    void serverEnded(); ///< nothing more comes from the server
    /// Some request has no answer yet.
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
    bool m_expects = false;   ///< the parser knows that the first of them has no body
    bool m_isOver = false;    ///< requests are read no more
};

} // namespace instar
