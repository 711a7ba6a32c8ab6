// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/servedexchanges.h"
#include "model/result.h"

#include <QHostAddress>
#include <QTcpServer>
#include <QUrl>

#include <memory>
#include <unordered_map>

namespace instar {

/// Transparent proxy between any clients and one server. Forwards every byte unchanged in both
/// directions, as fast as the slower side takes it. When one side closes its connection, the other
/// side gets the bytes already sent, and is closed too. Also reports the traffic as exchanges.
class Proxy : public QTcpServer
{
    Q_OBJECT
public:
    struct Options
    {
        QUrl server; ///< http or https, with host and port, without a path
        QHostAddress address = QHostAddress::LocalHost;
        quint16 port = 0;       ///< 0: any free one
        QByteArray authorities; ///< PEM, trusted in addition to the system's; empty: none
        int mostConnections = 1000;
    };
    explicit Proxy(Options options, QObject *parent = nullptr);
    ~Proxy() override;

    /// Returns the port. Only loopback addresses are accepted, since clients are not authenticated.
    Result<quint16> listen();
    QString origin() const; ///< "http://127.0.0.1:8080"
    /// Accepts no new connections; open ones end after their answers, at the latest after `ms`.
    void close(int ms);

signals:
    /// Emitted when an exchange begins to await its answer, and again when it is over.
    void exchanged(const instar::Exchange &exchange);
    /// Some exchanges may be missing; `why` is a sentence with the reason.
    void missed(const QString &why);
    void closed(); ///< after close(), when the last connection has ended

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    class Relay;
    void endRelays(bool evenBusy);

    const Options m_options;
    ServedExchanges m_exchanges;
    std::unordered_map<quint64, std::unique_ptr<Relay>> m_relays;
    quint64 m_last = 0; ///< number of the newest relay
    bool m_isClosing = false, m_hasClosed = false;
};

} // namespace instar
