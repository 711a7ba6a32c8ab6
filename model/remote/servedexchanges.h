// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/http/listener.h"

#include <QElapsedTimer>
#include <QHash>

#include <functional>

namespace instar {

/// Records what clients of a server ask and are answered, as exchanges with masked secrets. Ignores
/// requests that were not announced here.
class ServedExchanges
{
public:
    using Ticket = HttpListener::Ticket;
    using Tell = std::function<void(const Exchange &)>;

    /// `tell` is called when an exchange is over, and before that when it has to wait.
    explicit ServedExchanges(Tell tell) : m_tell(std::move(tell)) { }

    /// Begins an exchange with that server URL, from a client such as "127.0.0.1:50000".
    void begin(
        Ticket ticket, const HttpRequest &http, const QString &server, const QString &client);
    /// Reports a request that was answered before it was announced.
    void tell(const HttpRequest &http, const HttpResponse &response, const QString &server,
        const QString &client);
    /// Sets the purpose; `operation` is the id of the operation that it starts or polls.
    void explain(Ticket ticket, Exchange::Purpose purpose, const QString &operation);
    /// Reports a request that was not answered at once.
    void wait(Ticket ticket) const;
    /// Ends the exchange; `problem` says why the client gets no readable answer; empty: it does.
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
