// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/remote/listener.h"

#include <QElapsedTimer>
#include <QHash>

#include <functional>

namespace instar {

/// What the clients of a server ask and are answered, as exchanges whose secrets are masked.
/// Requests that were not announced here are passed over.
class ServedExchanges
{
public:
    using Ticket = HttpListener::Ticket;
    using Tell = std::function<void(const Exchange &)>;

    /// `tell` hears of every exchange when it is over, and before that when it has to wait.
    explicit ServedExchanges(Tell tell) : m_tell(std::move(tell)) { }

    /// A request has come to a server with that URL, from a client such as "127.0.0.1:50000".
    void begin(
        Ticket ticket, const HttpRequest &http, const QString &server, const QString &client);
    /// A request that was answered before it was announced.
    void tell(const HttpRequest &http, const HttpResponse &response, const QString &server,
        const QString &client);
    /// What it is for; `operation` is the id of the one that it starts or asks about.
    void explain(Ticket ticket, Exchange::Purpose purpose, const QString &operation);
    /// It has not been answered at once.
    void wait(Ticket ticket) const;
    /// Why there is no answer, or none that its client could read: `problem`; empty: there is.
    void end(Ticket ticket, const HttpResponse &response, const QString &problem = {});
    void endAll(const QString &problem);
    bool has(Ticket ticket) const { return m_open.contains(ticket); }

private:
    struct Open
    {
        Exchange exchange;
        QElapsedTimer clock;
    };
    Open opened(const HttpRequest &http, const QString &server, const QString &client);
    void end(Open open, const HttpResponse &response, const QString &problem);
    void finish(Open open);

    Tell m_tell;
    QHash<Ticket, Open> m_open;
    quint64 m_last = 0;
};

} // namespace instar
