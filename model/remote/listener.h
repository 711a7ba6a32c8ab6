// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/httpparser.h"
#include "model/result.h"

#include <QHostAddress>
#include <QObject>

#include <functional>
#include <memory>

namespace instar {

/// An address and a port as a URL has them: "127.0.0.1:8080", "[::1]:8080".
QString authority(const QHostAddress &address, quint16 port);

/// Accepts HTTP/1.1 connections (HTTP/1.0 too) and asks one handler for every request. Answers may
/// come later; those of one connection go out in the order of its requests. What breaks the rules
/// of HTTP, takes too long or is too large is answered here, and so is what a web page elsewhere
/// lets a browser send: to a foreign Host, or from a foreign Origin. Where there are too many
/// connections the one that has been idle longest gives way.
class HttpListener : public QObject
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
        int answerSeconds = 120; ///< that a client may take to read
        int mostConnections = 10'000;
        int retryAfter = 1;     ///< seconds that one connection too many is told to wait
        int mostPipelined = 64; ///< of one connection without an answer; reading pauses beyond
        /// Of answers to one client, who is dropped when there is still another to come.
        qint64 mostUnsentBytes = 64 * 1024 * 1024;
        /// Of answers to all clients together: beyond it those go that have most to read, until one
        /// is left.
        qint64 mostUnsentOfAll = 256 * 1024 * 1024;
        int leastIdleMs = 1000; ///< after which a connection gives way to one too many
        /// Names that a request's Host may have beside loopback's and the address it came to.
        QStringList hosts;
        QByteArray token;            ///< demanded as a bearer token; empty: none
        QByteArray certificate, key; ///< PEM; empty: plain HTTP
    };
    /// Names a request until it is answered.
    using Ticket = quint64;
    /// Is asked once a request; the peer reads "127.0.0.1:50000". HEAD comes as it is, and the body
    /// of its answer is left out here. It may answer at once or later; it must neither run an event
    /// loop nor delete the listener.
    using Handler = std::function<void(Ticket, const HttpRequest &, const QString &peer)>;

    explicit HttpListener(Handler handler, QObject *parent = nullptr);
    ~HttpListener() override;

    /// The port. An address other than loopback demands a token.
    Result<quint16> listen(const Options &options);
    quint16 port() const;
    bool isSecure() const;
    qsizetype connections() const;

    /// Answers a request, with the date where the response has none; one whose client has left is
    /// forgotten.
    void answer(Ticket ticket, HttpResponse response);
    /// Closes the connection in the middle of the answer, after so many bytes of it.
    void breakOff(Ticket ticket, const HttpResponse &response, qsizetype bytes);
    /// Sends bytes that need not be HTTP at all, and closes.
    void sendRaw(Ticket ticket, const QByteArray &bytes);
    bool isWaiting(Ticket ticket) const;
    /// No new connections; open ones end when their answers are out, at the latest after `ms`.
    void close(int ms);

signals:
    void closed(); ///< after close(), when the last connection has ended
    /// Something was answered without the handler: what breaks the rules of HTTP (then the request
    /// is empty as far as it was not understood), comes too late, has no token, or is one too many.
    void refused(const instar::HttpRequest &request, const instar::HttpResponse &response,
        const QString &peer);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace instar
