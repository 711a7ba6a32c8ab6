// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/http/listener.h"

#include <QElapsedTimer>
#include <QHash>

#include <functional>

namespace instar {

/// Recorder of a server's exchanges with its clients, with masked secrets. begin() registers a
/// request by its ticket; the other functions ignore tickets without an open exchange.
class ServedExchanges
{
public:
    using Ticket = HttpListener::Ticket;
    using Notify = std::function<void(const Exchange &)>;

    /// Calls `notify` when an exchange ends; if its answer takes time, also before: see wait().
    explicit ServedExchanges(Notify notify) : m_notify(std::move(notify)) { }

    /// Begins an exchange between a client, such as "127.0.0.1:50000", and the server at a URL.
    void begin(
        Ticket ticket, const HttpRequest &http, const QString &server, const QString &client);
    /// Ticket that all immediately answered requests share, because these never overlap.
    static constexpr Ticket AtOnce = 0;
    /// Sets an exchange's purpose, and the id of the operation that it starts or polls.
    void explain(Ticket ticket, Exchange::Purpose purpose, const QString &operation);
    /// Reports a request that was not answered at once.
    void wait(Ticket ticket) const;
    /// Ends the exchange. If the client gets no readable answer, `problem` says why.
    void end(Ticket ticket, const HttpResponse &response, const QString &problem = {});
    void endAll(const QString &problem); ///< ends all open exchanges without an answer

private:
    struct Open
    {
        Exchange exchange;
        QElapsedTimer clock;
    };
    void finish(Open open);

    Notify m_notify;
    QHash<Ticket, Open> m_open;
    quint64 m_last = 0;
};

/// Passive HTTP parser of one connection between a client and a server; reports its exchanges. The
/// proxy passes bytes to it before it forwards them, so that the server's work lies between the
/// exchange's beginning and end. An invalid or oversized message ends the parsing in its direction;
/// this is reported, because later exchanges are missed.
class Wiretap
{
public:
    /// `exchanges` must outlive it; several connections may share it. Calls `missed` with the
    /// reason if requests may be missed from now on.
    Wiretap(ServedExchanges &exchanges, std::function<void(const QString &)> missed, QString server,
        QString client);
    ~Wiretap();
    Q_DISABLE_COPY_MOVE(Wiretap)

    void fromClient(QByteArrayView bytes);
    void fromServer(QByteArrayView bytes);
    void serverEnded(); ///< nothing more comes from the server
    bool isWaiting() const { return !m_waiting.isEmpty(); }

private:
    struct Waiting
    {
        ServedExchanges::Ticket ticket = 0;
        bool isHead = false;
    };
    void readResponses();
    void expect();
    void giveUp(const QString &problem);

    ServedExchanges &m_exchanges;
    const std::function<void(const QString &)> m_missed;
    const QString m_server, m_client;
    HttpParser<HttpRequest> m_requests;
    HttpParser<HttpResponse> m_responses;
    QList<Waiting> m_waiting; ///< in the order of their answers
    bool m_isOver = false;    ///< requests are not read any more
};

} // namespace instar
