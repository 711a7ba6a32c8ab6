// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/httpparser.h"
#include "model/result.h"

#include <QElapsedTimer>
#include <QHostAddress>
#include <QSslConfiguration>
#include <QTcpServer>
#include <QTimer>

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace instar {

/// An address and a port as written in a URL: "127.0.0.1:8080", "[::1]:8080".
QString authority(const QHostAddress &address, quint16 port);

/// Bytes that were written to a socket and have not left yet, encrypted or not.
qint64 unsentBytes(const QTcpSocket &socket);

/// HTTP/1.1 server (HTTP/1.0 too) that passes every request to one handler. Answers may come later,
/// and leave in the order of a connection's requests. Refuses by itself requests that violate
/// HTTP, take too long, are too large, come from a foreign page in a browser (Host or Origin), or
/// lack the token. At the connection limit, closes the longest idle connection or refuses the new.
class HttpListener : public QTcpServer
{
    Q_OBJECT
public:
    struct Options
    {
        QHostAddress address = QHostAddress::LocalHost;
        quint16 port = 0; ///< 0: any free one
        HttpLimits limits;
        int headerSeconds = 10;  ///< for a request's headers, and for the TLS handshake
        int bodySeconds = 60;    ///< for a request's body
        int idleSeconds = 120;   ///< before and between requests
        int answerSeconds = 120; ///< for a client to read its answers
        int mostConnections = 10'000;
        int retryAfter = 1;     ///< seconds that clients are told to wait
        int mostPipelined = 64; ///< unanswered requests of a connection at which reading pauses
        /// Bytes of unsent answers to one client; beyond that, a further answer drops the client.
        qint64 mostUnsentBytes = 64 * 1024 * 1024;
        int leastIdleMs = 1000; ///< idle time after which a new connection may replace this one
        /// Host names accepted besides those of loopback and the address that the client reached.
        QStringList hosts;
        QByteArray token;            ///< required as a bearer token; empty: none
        QByteArray certificate, key; ///< PEM; empty: plain HTTP
    };
    /// Identifies a request until it is answered.
    using Ticket = quint64;
    /// Called once per request; `peer` reads "127.0.0.1:50000". A HEAD request arrives as such, and
    /// the listener drops the body of the answer. A handler may answer at once or later; it must
    /// neither run an event loop nor delete the listener.
    using Handler = std::function<void(Ticket, const HttpRequest &, const QString &peer)>;

    explicit HttpListener(Handler handler, QObject *parent = nullptr);
    ~HttpListener() override;

    /// Starts listening, once, and returns the port. Addresses other than loopback require a token.
    Result<quint16> listen(const Options &options);
    quint16 port() const { return serverPort(); }
    bool isSecure() const { return m_tls.has_value(); }
    qsizetype connections() const { return qsizetype(m_open.size()); }

    /// Answers a request and adds a missing Date. Does nothing if the client has left.
    void answer(Ticket ticket, HttpResponse response);
    /// Sends bytes, such as part of an answer or no HTTP at all, and closes.
    void sendRaw(Ticket ticket, const QByteArray &bytes);
    bool isWaiting(Ticket ticket) const;
    /// Stops accepting; open connections end after their answers, at the latest after `ms`.
    void close(int ms);

signals:
    void closed(); ///< after close(), when the last connection has ended
    /// A request was answered without the handler: the request violates HTTP (and lacks its
    /// unparsed parts), is late, lacks the token, comes from a foreign page, or exceeds a limit.
    void refused(const instar::HttpRequest &request, const instar::HttpResponse &response,
        const QString &peer);

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    class Connection;
    Connection *connection(Ticket ticket) const;
    std::vector<Connection *> all() const;
    void check();
    void makeRoom();
    void ended(quint64 id);
    void deleteDead();

    Handler m_handler;
    Options m_options;
    std::optional<QSslConfiguration> m_tls;
    std::unordered_map<quint64, std::unique_ptr<Connection>> m_open;
    std::vector<std::unique_ptr<Connection>> m_dead; ///< deleted when no call is inside them
    QElapsedTimer m_clock;
    QTimer m_checks;
    QByteArray m_room = QByteArray(64 * 1024, Qt::Uninitialized); ///< for one read
    quint64 m_lastId = 0;
    bool m_isClosing = false;
};

} // namespace instar
