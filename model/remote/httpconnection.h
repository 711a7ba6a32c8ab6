// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/listener.h"

#include <QElapsedTimer>

class QTcpSocket;

namespace instar {

/// What all connections of a listener have in common.
struct HttpSurroundings
{
    HttpListener::Options options;
    HttpListener::Handler handler;
    std::function<void(quint64 connection)> ended; ///< it may be deleted later, not at once
    std::function<void()> overflowed;              ///< more is unsent than may be
    /// Was answered without the handler.
    std::function<void(const HttpRequest &, const HttpResponse &, const QString &peer)> refused;
    qint64 unsent = 0; ///< bytes of all connections' answers
    QElapsedTimer clock;
    QByteArray room = QByteArray(64 * 1024, Qt::Uninitialized); ///< for one read
};

/// What is answered without asking the handler.
HttpResponse refusal(const HttpProblem &problem, int retryAfter);

/// One client's connection: its requests are handed to the handler as they come, its answers go out
/// in their order, and it may take only so long.
class HttpConnection
{
public:
    using Ticket = HttpListener::Ticket;

    HttpConnection(quint64 id, std::unique_ptr<QTcpSocket> socket, HttpSurroundings &around);
    ~HttpConnection();

    /// The connection that a request came on.
    static quint64 idOf(Ticket ticket) { return ticket >> NumberBits; }
    bool isWaiting(Ticket ticket) const;
    void answer(Ticket ticket, HttpResponse response);
    void breakOff(Ticket ticket, const HttpResponse &response, qsizetype bytes);
    void sendRaw(Ticket ticket, const QByteArray &bytes);

    /// Nothing more is read; this is the last answer.
    void refuse(const HttpProblem &problem);
    /// Ends when what is asked is answered.
    void wind();
    /// Ends now.
    void drop();
    bool isDue(qint64 now) const { return m_deadline <= now; }
    /// Since when nothing was asked, by the listener's clock; nothing: an answer, or the rest of a
    /// request, is awaited.
    std::optional<qint64> idleSince() const;
    /// Bytes of answers that its client has not taken.
    qint64 held() const { return m_held; }
    /// What has to be done at the deadline.
    void expire();

private:
    /// A request's number on its connection, from 0 and again from 0; a ticket's lowest bits.
    using Number = quint32;
    static constexpr int NumberBits = 24;
    static constexpr Number NumberMask = (1u << NumberBits) - 1;

    /// One request's answer.
    struct Slot
    {
        QByteArray bytes;
        BodyOf body = BodyOf::Get;
        int minor = 1;
        bool keepAlive = true;
        bool isReady = false;
    };
    /// What the deadline is for.
    enum class Awaits { Request, Headers, Body, Handler, Reading, Farewell };

    Number next() const { return (m_first + Number(m_slots.size())) & NumberMask; }
    Slot *waiting(Ticket ticket);
    void fill(Slot &slot, const QByteArray &bytes, bool keepAlive);
    void read();
    void resume();
    void pump();
    bool take();
    void lookAtRest();
    void collect();
    void send();
    qint64 sentAtOnce(const QByteArray &bytes);
    void leave();
    void setDeadline();
    Awaits awaited() const;
    bool isPaused() const;
    bool isShakingHands() const;
    std::optional<HttpProblem> objection(const HttpRequest &request) const;
    bool isOwnName(const QByteArray &host) const;
    void refuse(Number number, const HttpRequest &request, const HttpProblem &problem);
    const QString &peer();
    qint64 unsent() const;
    qint64 queued() const;
    void count();

    const quint64 m_id;
    HttpSurroundings &m_around;
    std::unique_ptr<QTcpSocket> m_socket;
    HttpParser<HttpRequest> m_parser;
    QString m_peer;      ///< empty: not asked for yet
    QList<Slot> m_slots; ///< of requests whose answers are not out, in their order
    Number m_first = 0;  ///< of the first slot
    QByteArray m_out;    ///< what may go out now
    qint64 m_deadline;
    Awaits m_awaits = Awaits::Request;
    Number m_timed = 0; ///< the request that the deadline is for
    qint64 m_held = 0;  ///< as it stands in the sum of all
    const bool m_isSecure;
    bool m_isLast = false; ///< no more requests
    bool m_isPumping = false;
    bool m_hasUnread = false; ///< reading has paused
    bool m_owesContinue = false;
    bool m_isLeaving = false; ///< all is out; waits for the client to close
    bool m_hasEnded = false;
};

} // namespace instar
