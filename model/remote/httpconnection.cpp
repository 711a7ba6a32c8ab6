// SPDX-License-Identifier: Apache-2.0
#include "model/remote/httpconnection.h"

#include <QSslSocket>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <limits>
#include <sys/socket.h>
#include <utility>

namespace instar {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 HighWater = 256 * 1024; ///< unsent bytes beyond which no request is taken
constexpr int FarewellSeconds = 2;       ///< for the client to read the last answer and to close

/// The name in a Host header, folded; nothing: it is no host, or none, with a port or without. Of
/// what RFC 3986 lets a name have, that which nobody's name has may not be there: it ends up in
/// links.
std::optional<QByteArray> hostName(QByteArrayView value)
{
    const bool isLiteral = value.startsWith('[');
    const qsizetype end = isLiteral ? value.indexOf(']') + 1 : value.indexOf(':');
    if (isLiteral && end == 0)
        return {};
    const QByteArrayView name = end < 0 ? value : value.first(end);
    const QByteArrayView port = end < 0 ? QByteArrayView() : value.sliced(end);
    const QByteArrayView others = isLiteral ? "[]:." : "-._~";
    const bool isName = std::ranges::all_of(
        name, [&](char c) { return std::isalnum(uchar(c)) || others.contains(c); });
    const QByteArrayView digits = port.sliced(port.isEmpty() ? 0 : 1);
    const bool isPort = (port.isEmpty() || port.startsWith(':'))
        && std::ranges::all_of(digits, [](char c) { return std::isdigit(uchar(c)); })
        && (digits.isEmpty() || (digits.size() <= 5 && digits.toInt() <= 65535));
    return isName && isPort ? std::optional(name.toByteArray().toLower()) : std::nullopt;
}

/// Whether a browser sends a request for a page of somebody else's (Fetch Metadata, RFC 6454).
bool isForeign(const HttpRequest &request, QByteArrayView host)
{
    if (header(request.headers, "Sec-Fetch-Site").compare("cross-site", Qt::CaseInsensitive) == 0)
        return true;
    const QByteArray origin = header(request.headers, "Origin");
    return !origin.isEmpty()
        && std::ranges::none_of(std::array { "http://", "https://" }, [&](const char *scheme) {
               return origin.compare(scheme + host.toByteArray(), Qt::CaseInsensitive) == 0;
           });
}

} // namespace

HttpResponse refusal(const HttpProblem &problem, int retryAfter)
{
    HttpResponse response { .status = problem.status, .body = problem.text + '\n' };
    response.headers = { { "Content-Type", "text/plain; charset=utf-8" } };
    if (problem.status == 401)
        response.headers.append("WWW-Authenticate", "Bearer");
    if (problem.status == 503)
        response.headers.append("Retry-After", QByteArray::number(retryAfter));
    return response;
}

HttpConnection::HttpConnection(
    quint64 id, std::unique_ptr<QTcpSocket> socket, HttpSurroundings &around)
    : m_id(id),
      m_around(around),
      m_socket(std::move(socket)),
      m_parser(around.options.limits),
      m_deadline(around.clock.elapsed() + around.options.idleSeconds * qint64(1000)),
      m_isSecure(qobject_cast<QSslSocket *>(m_socket.get()) != nullptr)
{
    QTcpSocket *s = m_socket.get();
    QObject::connect(s, &QTcpSocket::readyRead, s, [this] { read(); });
    QObject::connect(s, &QTcpSocket::bytesWritten, s, [this] { resume(); });
    QObject::connect(s, &QTcpSocket::disconnected, s, [this] { drop(); });
    QObject::connect(s, &QTcpSocket::errorOccurred, s, [this] {
        if (m_socket->state() != QTcpSocket::ConnectedState)
            drop();
    });
    if (auto *secure = qobject_cast<QSslSocket *>(s))
        QObject::connect(secure, &QSslSocket::encryptedBytesWritten, s, [this] { resume(); });
    setDeadline();
}

HttpConnection::~HttpConnection()
{
    m_socket->disconnect();
    m_around.unsent -= m_held;
}

// ---- Answers

HttpConnection::Slot *HttpConnection::waiting(Ticket ticket)
{
    const Number index = (Number(ticket) - m_first) & NumberMask;
    if (qsizetype(index) >= m_slots.size() || m_slots[index].isReady)
        return nullptr;
    return &m_slots[index];
}

bool HttpConnection::isWaiting(Ticket ticket) const
{
    return const_cast<HttpConnection *>(this)->waiting(ticket) != nullptr;
}

void HttpConnection::answer(Ticket ticket, HttpResponse response)
{
    Slot *slot = waiting(ticket);
    if (!slot)
        return;
    if (!hasHeader(response.headers, "Date"))
        response.headers.append("Date", httpDate());
    // Earlier requests of a connection that is about to end are still answered.
    const bool isLast = m_isLast && slot == &m_slots.last();
    response.keepAlive = response.keepAlive && slot->keepAlive && !isLast;
    fill(*slot, toBytes(response, slot->body, slot->minor), response.keepAlive);
}

void HttpConnection::breakOff(Ticket ticket, const HttpResponse &response, qsizetype bytes)
{
    if (Slot *slot = waiting(ticket))
        fill(*slot, toBytes(response, slot->body, slot->minor).left(bytes), false);
}

void HttpConnection::sendRaw(Ticket ticket, const QByteArray &bytes)
{
    if (Slot *slot = waiting(ticket))
        fill(*slot, bytes, false);
}

void HttpConnection::fill(Slot &slot, const QByteArray &bytes, bool keepAlive)
{
    if (queued() > m_around.options.mostUnsentBytes)
        return drop();
    slot.bytes = bytes;
    slot.keepAlive = keepAlive;
    slot.isReady = true;
    resume();
    count();
    if (m_around.unsent > m_around.options.mostUnsentOfAll)
        m_around.overflowed();
}

void HttpConnection::refuse(const HttpProblem &problem)
{
    if (std::exchange(m_isLast, true))
        return;
    const Number number = next();
    m_slots.append(Slot());
    const HttpRequest *begun = m_parser.begun();
    refuse(number, begun ? *begun : HttpRequest(), problem);
}

void HttpConnection::refuse(Number number, const HttpRequest &request, const HttpProblem &problem)
{
    const HttpResponse response = refusal(problem, m_around.options.retryAfter);
    answer(number, response);
    m_around.refused(request, response, peer());
}

void HttpConnection::wind()
{
    m_isLast = true;
    resume();
}

void HttpConnection::drop()
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_deadline = std::numeric_limits<qint64>::max();
    m_slots.clear();
    m_out.clear();
    m_around.unsent -= std::exchange(m_held, 0);
    m_socket->disconnect();
    m_socket->abort();
    m_around.ended(m_id);
}

// ---- Bytes in and out

void HttpConnection::read()
{
    m_hasUnread = false;
    while (!m_hasEnded) {
        if (isPaused() && !m_isLast) {
            m_hasUnread = true;
            break;
        }
        const qint64 count = m_socket->read(m_around.room.data(), m_around.room.size());
        if (count <= 0)
            break;
        if (m_isLast)
            continue; // is read only so that the client can finish, and its end is noticed
        m_parser.feed(QByteArrayView(m_around.room.constData(), count));
        pump();
    }
    if (!m_hasEnded)
        setDeadline();
}

void HttpConnection::resume()
{
    pump();
    if (m_hasEnded || m_isPumping)
        return;
    if (m_hasUnread && !isPaused())
        return read();
    setDeadline();
}

void HttpConnection::pump()
{
    if (m_isPumping || m_hasEnded)
        return;
    m_isPumping = true; // answers that come meanwhile go out together
    bool hasPaused = false;
    do {
        while (take())
            collect();
        hasPaused = isPaused();
        collect();
        send();
    } while (hasPaused && !isPaused() && !m_hasEnded);
    m_isPumping = false;
    count();
}

/// Hands the next request to the handler; false: there is none, or none may be taken.
bool HttpConnection::take()
{
    if (m_hasEnded || m_isLast || isPaused())
        return false;
    const std::optional<HttpRequest> request = m_parser.take();
    if (!request) {
        lookAtRest();
        return false;
    }
    m_owesContinue = false;
    m_isLast = !request->keepAlive;
    const Number number = next();
    m_slots.append({ .body = request->method == "HEAD" ? BodyOf::Head : BodyOf::Get,
        .minor = request->minor,
        .keepAlive = request->keepAlive });
    if (const std::optional<HttpProblem> problem = objection(*request)) {
        m_isLast = m_isLast || problem->status == 400;
        refuse(number, *request, *problem);
        return true;
    }
    m_around.handler(m_id << NumberBits | number, *request, peer());
    return true;
}

const QString &HttpConnection::peer()
{
    if (m_peer.isEmpty()) {
        const QHostAddress address = m_socket->peerAddress();
        const bool isIpv6 = address.protocol() == QHostAddress::IPv6Protocol;
        m_peer =
            (isIpv6 ? u"[%1]:%2"_s : u"%1:%2"_s).arg(address.toString()).arg(m_socket->peerPort());
    }
    return m_peer;
}

/// Why a request is not for the handler.
std::optional<HttpProblem> HttpConnection::objection(const HttpRequest &request) const
{
    const QByteArray &token = m_around.options.token;
    if (!token.isEmpty() && !bearsToken(request.headers, token))
        return HttpProblem { 401, "A bearer token is required." };
    const std::optional<QByteArrayView> host = request.headers.value("Host");
    if (!host && request.minor > 0)
        return HttpProblem { 400, "A request of HTTP/1.1 names its host." };
    const std::optional<QByteArray> name = hostName(host.value_or(""));
    if (!name)
        return HttpProblem { 400, "The Host header is no host with or without a port." };
    if (!name->isEmpty() && !isOwnName(*name))
        return HttpProblem { 403, "This is no host of that name: see --allow-host." };
    if (isForeign(request, host.value_or("")))
        return HttpProblem { 403, "A page of another origin may not ask here." };
    return {};
}

/// Whether a name is loopback's, the address that the client has reached, or allowed.
bool HttpConnection::isOwnName(const QByteArray &host) const
{
    const QString name = QString::fromLatin1(host);
    if (name == u"localhost" || m_around.options.hosts.contains(name, Qt::CaseInsensitive))
        return true;
    const bool isLiteral = name.startsWith(u'[');
    QHostAddress address, reached = m_socket->localAddress();
    if (!address.setAddress(isLiteral ? name.sliced(1).chopped(1) : name))
        return false;
    reached.setScopeId({});
    return address.isLoopback() || address.isEqual(reached, QHostAddress::TolerantConversion);
}

/// Looks at what is no complete request.
void HttpConnection::lookAtRest()
{
    if (const std::optional<HttpProblem> problem = m_parser.problem())
        return refuse(*problem);
    const HttpRequest *begun = m_parser.begun();
    if (!begun)
        return;
    if (const std::optional<HttpProblem> problem = objection(*begun))
        return refuse(*problem); // the body is not worth the memory
    if (m_parser.wantsContinue())
        m_owesContinue = true;
}

/// Moves what is ready and next to what goes out.
void HttpConnection::collect()
{
    while (!m_slots.isEmpty() && m_slots.first().isReady) {
        Slot slot = m_slots.takeFirst();
        m_first = (m_first + 1) & NumberMask;
        if (m_out.isEmpty())
            m_out = std::move(slot.bytes);
        else
            m_out += slot.bytes;
        if (slot.keepAlive)
            continue;
        m_isLast = true;
        m_first = next();
        m_slots.clear();
    }
    if (m_slots.isEmpty() && std::exchange(m_owesContinue, false) && !m_isLast)
        m_out += "HTTP/1.1 100 Continue\r\n\r\n";
}

void HttpConnection::send()
{
    if (m_hasEnded)
        return;
    if (!m_out.isEmpty()) {
        const QByteArray bytes = std::exchange(m_out, {});
        const qint64 sent = sentAtOnce(bytes);
        if (sent < 0
            || (sent < bytes.size()
                && m_socket->write(bytes.constData() + sent, bytes.size() - sent) < 0))
            return drop();
    }
    if (m_isLast && m_slots.isEmpty() && !m_isLeaving && unsent() == 0)
        leave();
}

/// How many of the bytes the system takes now, without the socket's buffer and a turn of the event
/// loop; negative: the client has gone.
qint64 HttpConnection::sentAtOnce(const QByteArray &bytes)
{
    if (m_isSecure || m_socket->bytesToWrite() > 0)
        return 0;
    const ssize_t sent = ::send(int(m_socket->socketDescriptor()), bytes.constData(),
        size_t(bytes.size()), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
}

/// Tells the client that this was all. What it still sends is read for a while: closing at once
/// would make the system throw away an answer that the client has not read yet.
void HttpConnection::leave()
{
    m_isLeaving = true;
    if (!m_isSecure)
        ::shutdown(int(m_socket->socketDescriptor()), SHUT_WR);
    else if (m_parser.isIdle() && !m_parser.problem())
        m_socket->disconnectFromHost();
}

qint64 HttpConnection::unsent() const
{
    qint64 bytes = m_socket->bytesToWrite();
    if (m_isSecure)
        bytes += static_cast<const QSslSocket *>(m_socket.get())->encryptedBytesToWrite();
    return bytes;
}

qint64 HttpConnection::queued() const
{
    qint64 bytes = m_out.size() + unsent();
    for (const Slot &slot : m_slots)
        bytes += slot.bytes.size();
    return bytes;
}

/// Brings the sum of all up to date.
void HttpConnection::count()
{
    const qint64 now = m_hasEnded ? 0 : queued();
    m_around.unsent += now - std::exchange(m_held, now);
}

bool HttpConnection::isShakingHands() const
{
    return m_isSecure && !static_cast<const QSslSocket *>(m_socket.get())->isEncrypted();
}

bool HttpConnection::isPaused() const
{
    return m_slots.size() >= m_around.options.mostPipelined || m_out.size() + unsent() > HighWater;
}

// ---- How long a client may take for what

HttpConnection::Awaits HttpConnection::awaited() const
{
    if (m_isLeaving)
        return Awaits::Farewell;
    if (isShakingHands())
        return Awaits::Headers;
    if (unsent() > 0)
        return Awaits::Reading;
    if (!m_isLast && !isPaused() && m_parser.begun())
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

std::optional<qint64> HttpConnection::idleSince() const
{
    if (m_hasEnded || m_awaits != Awaits::Request || m_isLast || m_socket->bytesAvailable() > 0)
        return {};
    return m_deadline - m_around.options.idleSeconds * qint64(1000);
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
        return refuse({ 408, "The request did not come in time." });
    case Awaits::Farewell:
        m_socket->disconnectFromHost();
        return drop();
    case Awaits::Reading:
    case Awaits::Handler:
        return drop();
    }
}

} // namespace instar
