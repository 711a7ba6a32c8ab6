// SPDX-License-Identifier: Apache-2.0
// How long a client may take for what.
#include "model/remote/httpconnection.h"

#include <QTcpSocket>

#include <limits>

namespace instar {

namespace {

constexpr int FarewellSeconds = 2; ///< for the client to read the last answer and to close

} // namespace

HttpConnection::Awaits HttpConnection::awaited() const
{
    if (m_isLeaving)
        return Awaits::Farewell;
    if (unsent() > 0)
        return Awaits::Reading;
    if (isShakingHands())
        return Awaits::Headers;
    if (!m_isLast && !isPaused() && m_parser.isInBody())
        return Awaits::Body;
    if (!m_isLast && !isPaused() && !m_parser.isIdle())
        return Awaits::Headers;
    return m_slots.isEmpty() ? Awaits::Request : Awaits::Handler;
}

/// Every request has its own time; a client's time to read begins when something is unsent and ends
/// when all is out.
void HttpConnection::setDeadline()
{
    const Awaits awaits = awaited();
    const Number number = next();
    const bool isSame = awaits == m_awaits
        && (number == m_timed || awaits == Awaits::Reading || awaits == Awaits::Farewell);
    if (isSame)
        return;
    m_awaits = awaits;
    m_timed = number;
    const HttpListener::Options &options = m_around.options;
    const auto in = [&](int seconds) {
        m_deadline = m_around.clock.elapsed() + seconds * qint64(1000);
    };
    switch (awaits) {
    case Awaits::Request:
        return in(options.idleSeconds);
    case Awaits::Headers:
        return in(options.headerSeconds);
    case Awaits::Body:
        return in(options.bodySeconds);
    case Awaits::Reading:
        return in(options.answerSeconds);
    case Awaits::Farewell:
        return in(FarewellSeconds);
    case Awaits::Handler:
        m_deadline = std::numeric_limits<qint64>::max();
    }
}

void HttpConnection::expire()
{
    switch (m_awaits) {
    case Awaits::Request:
        return wind();
    case Awaits::Headers:
    case Awaits::Body:
        if (isShakingHands())
            return drop();
        return refuse(408, "The request did not come in time.");
    case Awaits::Farewell:
        m_socket->disconnectFromHost();
        return drop();
    case Awaits::Reading:
    case Awaits::Handler:
        return drop();
    }
}

} // namespace instar
