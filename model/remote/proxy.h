// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/result.h"

#include <QHostAddress>
#include <QObject>
#include <QUrl>

#include <memory>

namespace instar {

/// Stands between any client and one server. Every byte is passed on as it came, both ways, as fast
/// as the slower side takes it, and each way ends as its sender ends it. What goes by is read as
/// HTTP beside that, and told as exchanges.
class Proxy : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        QUrl server; ///< http or https, with host and port, without a path
        QHostAddress address = QHostAddress::LocalHost;
        quint16 port = 0;       ///< 0: any free one
        QByteArray authorities; ///< PEM: whom to trust beside the system's; empty: nobody
        int mostConnections = 1000;
        int connectSeconds = 30;
    };
    explicit Proxy(Options options, QObject *parent = nullptr);
    ~Proxy() override;

    /// The port. Only this machine's own addresses are listened on: nobody is asked who he is.
    Result<quint16> listen();
    QString origin() const; ///< "http://127.0.0.1:8080"
    /// No new connections; open ones end when what was asked is answered, at the latest after `ms`.
    void close(int ms);

signals:
    /// When it is over, and before that when it is awaited.
    void exchanged(const instar::Exchange &exchange);
    /// Something may have happened that no exchange tells of; a sentence.
    void missed(const QString &why);
    void closed(); ///< after close(), when the last connection has ended

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace instar
