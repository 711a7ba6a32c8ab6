// SPDX-License-Identifier: Apache-2.0
#include "model/http/listener.h"

#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <limits>
#include <sys/socket.h>
#include <unistd.h>

namespace instar {

using namespace Qt::StringLiterals;

namespace {

constexpr int Backlog = 4096; ///< connections that the system queues for the listener
const HttpProblem TooMany { 503, "There are too many connections." };
constexpr int ReadBuffer = 16 * 1024; ///< bytes per connection
constexpr int CheckMs = 250;          ///< precision of the time limits

Result<QSslConfiguration> encryption(const QByteArray &certificate, const QByteArray &key)
{
    if (!QSslSocket::supportsSsl())
        return Error { HttpListener::tr(
            "Qt found no TLS library: install OpenSSL, or serve without a certificate") };
    const QList<QSslCertificate> chain = QSslCertificate::fromData(certificate, QSsl::Pem);
    if (chain.isEmpty())
        return Error { HttpListener::tr("The certificate is not in PEM format") };
    for (const QSsl::KeyAlgorithm algorithm : { QSsl::Rsa, QSsl::Ec }) {
        const QSslKey read(key, algorithm, QSsl::Pem);
        if (read.isNull())
            continue;
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificateChain(chain);
        configuration.setPrivateKey(read);
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone); // clients authenticate by token
        configuration.setProtocol(QSsl::TlsV1_2OrLater);
        configuration.setAllowedNextProtocols({ "http/1.1" });
        return configuration;
    }
    return Error { HttpListener::tr(
        "The certificate's key is not an RSA or EC key in PEM format without a password") };
}

constexpr qint64 HighWater = 256 * 1024; ///< unsent bytes beyond which no request is taken
constexpr int CloseSeconds = 2;          ///< for the client to read the last answer and to close

/// Returns the name in the value of a Host header, in lower case and without the port; nothing if
/// the value is invalid. Stricter than RFC 3986, since the name ends up in links.
std::optional<QByteArray> hostName(QByteArrayView value)
{
    const bool isLiteral = value.startsWith('[');
    const qsizetype end = isLiteral ? value.indexOf(']') + 1 : value.indexOf(':');
    if (isLiteral && end == 0)
        return {};
    const QByteArrayView name = end < 0 ? value : value.first(end);
    const QByteArrayView port = end < 0 ? QByteArrayView() : value.sliced(end);
    const QByteArrayView punctuation = isLiteral ? "[]:." : "-._~";
    const bool isName = std::ranges::all_of(
        name, [&](char c) { return std::isalnum(uchar(c)) || punctuation.contains(c); });
    const QByteArrayView digits = port.sliced(port.isEmpty() ? 0 : 1);
    const bool isPort = (port.isEmpty() || port.startsWith(':'))
        && std::ranges::all_of(digits, [](char c) { return std::isdigit(uchar(c)); })
        && (digits.isEmpty() || (digits.size() <= 5 && digits.toInt() <= 65535));
    return isName && isPort ? std::optional(name.toByteArray().toLower()) : std::nullopt;
}

/// Returns true for a request from a page of another origin (Fetch Metadata, RFC 6454).
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

/// Returns the answer to a request that does not reach the handler.
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

} // namespace

/// One client's connection: passes requests to the handler as they come, sends answers in the order
/// of the requests, and enforces time limits.
class HttpListener::Connection
{
public:
    Connection(quint64 id, std::unique_ptr<QTcpSocket> socket, HttpListener &listener)
        : m_id(id),
          m_listener(listener),
          m_socket(std::move(socket)),
          m_parser(listener.m_options.limits),
          m_deadline(listener.m_clock.elapsed() + listener.m_options.idleSeconds * qint64(1000)),
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

    ~Connection() { m_socket->disconnect(); }

    static quint64 idOf(Ticket ticket) { return ticket >> NumberBits; }
    bool isDue(qint64 now) const { return m_deadline <= now; }

    bool isWaiting(Ticket ticket) const
    {
        return const_cast<Connection *>(this)->waiting(ticket) != nullptr;
    }

    void answer(Ticket ticket, HttpResponse response)
    {
        Slot *slot = waiting(ticket);
        if (!slot)
            return;
        if (!hasHeader(response.headers, "Date"))
            response.headers.append("Date", httpDate());
        // If the connection is about to end, only its last answer says so.
        const bool isLast = m_isLast && slot == &m_slots.last();
        response.keepAlive = response.keepAlive && slot->keepAlive && !isLast;
        fill(*slot, toBytes(response, slot->body, slot->minor), response.keepAlive);
    }

    void sendRaw(Ticket ticket, const QByteArray &bytes)
    {
        if (Slot *slot = waiting(ticket))
            fill(*slot, bytes, false);
    }

    /// Answers with a problem, and reads nothing more.
    void refuse(const HttpProblem &problem)
    {
        if (std::exchange(m_isLast, true))
            return;
        const Number number = next();
        m_slots.append(Slot());
        const HttpRequest *begun = m_parser.begun();
        refuse(number, begun ? *begun : HttpRequest(), problem);
    }

    /// Accepts no further request; ends once every request is answered.
    void endAfterAnswers()
    {
        m_isLast = true;
        resume();
    }

    void drop()
    {
        if (std::exchange(m_hasEnded, true))
            return;
        m_deadline = std::numeric_limits<qint64>::max();
        m_slots.clear();
        m_out.clear();
        m_socket->disconnect();
        m_socket->abort();
        m_listener.ended(m_id);
    }

    /// Start of the idle time by the listener's clock; nothing while a request or answer is open.
    std::optional<qint64> idleSince() const
    {
        if (m_hasEnded || m_awaits != Awaits::Request || m_isLast || m_socket->bytesAvailable() > 0)
            return {};
        return m_deadline - m_listener.m_options.idleSeconds * qint64(1000);
    }

    void expire()
    {
        const bool isInRequest = m_awaits == Awaits::Headers || m_awaits == Awaits::Body;
        if (m_awaits == Awaits::Request)
            return endAfterAnswers();
        if (isInRequest && !isShakingHands())
            return refuse({ 408, "The request did not come in time." });
        if (m_awaits == Awaits::Close)
            m_socket->disconnectFromHost();
        drop();
    }

private:
    /// A request's number on its connection, from 0, with wrap-around; a ticket's lowest bits.
    using Number = quint32;
    static constexpr int NumberBits = 24;
    static constexpr Number NumberMask = (1u << NumberBits) - 1;

    /// Answer to one request.
    struct Slot
    {
        QByteArray bytes;
        BodyOf body = BodyOf::Get;
        int minor = 1;
        bool keepAlive = true;
        bool isReady = false;
    };
    /// Event that must happen by the deadline: a request, its headers or its body come; the client
    /// reads the answers or closes; the handler answers (no deadline).
    enum class Awaits { Request, Headers, Body, Reading, Close, Handler };

    Number next() const { return (m_first + Number(m_slots.size())) & NumberMask; }

    Slot *waiting(Ticket ticket)
    {
        const Number index = (Number(ticket) - m_first) & NumberMask;
        if (qsizetype(index) >= m_slots.size() || m_slots[index].isReady)
            return nullptr;
        return &m_slots[index];
    }

    void fill(Slot &slot, const QByteArray &bytes, bool keepAlive)
    {
        if (queued() > m_listener.m_options.mostUnsentBytes)
            return drop();
        slot.bytes = bytes;
        slot.keepAlive = keepAlive;
        slot.isReady = true;
        resume();
    }

    void refuse(Number number, const HttpRequest &request, const HttpProblem &problem)
    {
        const HttpResponse response = refusal(problem, m_listener.m_options.retryAfter);
        answer(number, response);
        emit m_listener.refused(request, response, peer());
    }

    void read()
    {
        m_hasUnread = false;
        while (!m_hasEnded) {
            if (isPaused() && !m_isLast) {
                m_hasUnread = true;
                break;
            }
            const qint64 count = m_socket->read(m_listener.m_room.data(), m_listener.m_room.size());
            if (count <= 0)
                break;
            if (m_isLast)
                continue; // discards the bytes: only the disconnection of the client matters now
            m_parser.feed(QByteArrayView(m_listener.m_room.constData(), count));
            pump();
        }
        if (!m_hasEnded)
            setDeadline();
    }

    void resume()
    {
        pump();
        if (m_hasEnded || m_isPumping)
            return;
        if (m_hasUnread && !isPaused())
            return read();
        setDeadline();
    }

    /// Passes requests to the handler and sends answers until reading pauses.
    void pump()
    {
        if (m_isPumping || m_hasEnded)
            return;
        m_isPumping = true; // answers given during this call are sent together
        bool hasPaused = false;
        do {
            while (take())
                collect();
            hasPaused = isPaused();
            collect();
            send();
        } while (hasPaused && !isPaused() && !m_hasEnded);
        m_isPumping = false;
    }

    /// Passes one request to the handler; returns false if there is none or reading has paused.
    bool take()
    {
        if (m_hasEnded || m_isLast || isPaused())
            return false;
        const std::optional<HttpRequest> request = m_parser.take();
        if (!request) {
            checkIncomplete();
            return false;
        }
        m_owesContinue = false;
        m_isLast = !request->keepAlive;
        const Number number = next();
        m_slots.append({ .body = request->method == "HEAD" ? BodyOf::Head : BodyOf::Get,
            .minor = request->minor,
            .keepAlive = request->keepAlive });
        if (const std::optional<HttpProblem> problem = problemOf(*request)) {
            m_isLast = m_isLast || problem->status == 400;
            refuse(number, *request, *problem);
            return true;
        }
        m_listener.m_handler(m_id << NumberBits | number, *request, peer());
        return true;
    }

    const QString &peer()
    {
        if (m_peer.isEmpty())
            m_peer = authority(m_socket->peerAddress(), m_socket->peerPort());
        return m_peer;
    }

    std::optional<HttpProblem> problemOf(const HttpRequest &request) const
    {
        const QByteArray &token = m_listener.m_options.token;
        if (!token.isEmpty() && !bearsToken(request.headers, token))
            return HttpProblem { 401, "A bearer token is required." };
        const std::optional<QByteArrayView> host = request.headers.value("Host");
        if (!host && request.minor > 0)
            return HttpProblem { 400, "A request of HTTP/1.1 needs a Host header." };
        const std::optional<QByteArray> name = hostName(host.value_or(""));
        if (!name)
            return HttpProblem { 400, "The Host header is not a valid host and port." };
        if (!name->isEmpty() && !isOwnName(*name))
            return HttpProblem { 403,
                "This server does not accept this host name; see --allow-host." };
        if (isForeign(request, host.value_or("")))
            return HttpProblem { 403,
                "This server refuses requests from web pages of another origin." };
        return {};
    }

    /// Returns true for a loopback name, the address that the client reached, or an allowed host.
    bool isOwnName(const QByteArray &host) const
    {
        const QString name = QString::fromLatin1(host);
        if (name == u"localhost" || m_listener.m_options.hosts.contains(name, Qt::CaseInsensitive))
            return true;
        const bool isLiteral = name.startsWith(u'[');
        QHostAddress address, reached = m_socket->localAddress();
        if (!address.setAddress(isLiteral ? name.sliced(1).chopped(1) : name))
            return false;
        reached.setScopeId({});
        return address.isLoopback() || address.isEqual(reached, QHostAddress::TolerantConversion);
    }

    void checkIncomplete()
    {
        if (const std::optional<HttpProblem> problem = m_parser.problem())
            return refuse(*problem);
        const HttpRequest *begun = m_parser.begun();
        if (!begun)
            return;
        if (const std::optional<HttpProblem> problem = problemOf(*begun))
            return refuse(*problem); // saves reading the body
        if (m_parser.wantsContinue())
            m_owesContinue = true;
    }

    /// Moves answers that are ready, in order, to the output.
    void collect()
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

    void send()
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
        if (m_isLast && m_slots.isEmpty() && !m_awaitsClose && unsentBytes(*m_socket) == 0)
            startClosing();
    }

    /// Sends directly, without the socket's buffer and the event loop. Returns the number of bytes
    /// sent; negative: the client has disconnected.
    qint64 sentAtOnce(const QByteArray &bytes)
    {
        if (m_isSecure || m_socket->bytesToWrite() > 0)
            return 0;
        const ssize_t sent = ::send(int(m_socket->socketDescriptor()), bytes.constData(),
            size_t(bytes.size()), MSG_NOSIGNAL | MSG_DONTWAIT);
        return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
    }

    /// Half-closes the connection and reads on for a while: closing at once would make the system
    /// discard an answer that the client has not read yet.
    void startClosing()
    {
        m_awaitsClose = true;
        if (!m_isSecure)
            ::shutdown(int(m_socket->socketDescriptor()), SHUT_WR);
        else if (m_parser.isIdle() && !m_parser.problem())
            m_socket->disconnectFromHost();
    }

    qint64 queued() const
    {
        qint64 bytes = m_out.size() + unsentBytes(*m_socket);
        for (const Slot &slot : m_slots)
            bytes += slot.bytes.size();
        return bytes;
    }

    bool isShakingHands() const
    {
        return m_isSecure && !static_cast<const QSslSocket *>(m_socket.get())->isEncrypted();
    }

    bool isPaused() const
    {
        return m_slots.size() >= m_listener.m_options.mostPipelined
            || m_out.size() + unsentBytes(*m_socket) > HighWater;
    }

    Awaits awaited() const
    {
        if (m_awaitsClose)
            return Awaits::Close;
        if (isShakingHands())
            return Awaits::Headers;
        if (unsentBytes(*m_socket) > 0)
            return Awaits::Reading;
        if (!m_isLast && !isPaused() && !m_parser.isIdle())
            return m_parser.begun() ? Awaits::Body : Awaits::Headers;
        return m_slots.isEmpty() ? Awaits::Request : Awaits::Handler;
    }

    /// Starts a new time limit when the awaited event or the request changes. While the client
    /// reads answers, partial progress does not extend the limit.
    void setDeadline()
    {
        const Awaits awaits = awaited();
        const Number number = next();
        const bool isSame = awaits == m_awaits
            && (number == m_timed || awaits == Awaits::Reading || awaits == Awaits::Close);
        if (isSame)
            return;
        m_awaits = awaits;
        m_timed = number;
        const HttpListener::Options &options = m_listener.m_options;
        const std::array seconds { options.idleSeconds, options.headerSeconds, options.bodySeconds,
            options.answerSeconds, CloseSeconds };
        m_deadline = awaits == Awaits::Handler
            ? std::numeric_limits<qint64>::max()
            : m_listener.m_clock.elapsed() + seconds[size_t(awaits)] * qint64(1000);
    }

    const quint64 m_id;
    HttpListener &m_listener;
    std::unique_ptr<QTcpSocket> m_socket;
    HttpParser<HttpRequest> m_parser;
    QString m_peer;      ///< empty: not looked up yet
    QList<Slot> m_slots; ///< unfinished answers, in the order of their requests
    Number m_first = 0;  ///< of the first slot
    QByteArray m_out;    ///< output that may be sent
    qint64 m_deadline;
    Awaits m_awaits = Awaits::Request;
    Number m_timed = 0; ///< request that the deadline is for
    const bool m_isSecure;
    bool m_isLast = false; ///< no more requests are read
    bool m_isPumping = false;
    bool m_hasUnread = false;    ///< reading has paused
    bool m_owesContinue = false; ///< the client waits for 100 Continue
    bool m_awaitsClose = false;  ///< all answers are sent; the client has to close
    bool m_hasEnded = false;
};

QString authority(const QHostAddress &address, quint16 port)
{
    const bool isIpv6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    return (isIpv6 ? u"[%1]:%2"_s : u"%1:%2"_s).arg(address.toString(), QString::number(port));
}

qint64 unsentBytes(const QTcpSocket &socket)
{
    const auto *secure = qobject_cast<const QSslSocket *>(&socket);
    return socket.bytesToWrite() + (secure ? secure->encryptedBytesToWrite() : 0);
}

HttpListener::HttpListener(Handler handler, QObject *parent)
    : QTcpServer(parent), m_handler(std::move(handler))
{
    m_clock.start();
    m_checks.setInterval(CheckMs);
    connect(&m_checks, &QTimer::timeout, this, &HttpListener::check);
    // Qt stops accepting for good when descriptors run out; check() makes it accept again.
    connect(this, &QTcpServer::acceptError, this, [this] { m_checks.start(); });
    setListenBacklogSize(Backlog);
}

HttpListener::~HttpListener() = default;

HttpListener::Connection *HttpListener::connection(Ticket ticket) const
{
    const auto found = m_open.find(Connection::idOf(ticket));
    return found == m_open.end() ? nullptr : found->second.get();
}

/// Returns a copy: connections may end while the caller visits them.
std::vector<HttpListener::Connection *> HttpListener::all() const
{
    std::vector<Connection *> connections;
    connections.reserve(m_open.size());
    for (const auto &[id, connection] : m_open)
        connections.push_back(connection.get());
    return connections;
}

/// Enforces the time limits of all connections with one timer.
void HttpListener::check()
{
    if (isListening())
        resumeAccepting();
    const qint64 now = m_clock.elapsed();
    for (Connection *connection : all()) {
        if (connection->isDue(now))
            connection->expire();
    }
    if (m_open.empty())
        m_checks.stop();
}

/// Ends the longest idle connection, so that silent clients do not lock out others.
void HttpListener::makeRoom()
{
    Connection *longest = nullptr;
    qint64 since = m_clock.elapsed() - m_options.leastIdleMs;
    for (const auto &[id, connection] : m_open) {
        if (const auto idle = connection->idleSince(); idle && *idle <= since) {
            since = *idle;
            longest = connection.get();
        }
    }
    if (longest)
        longest->drop();
}

void HttpListener::ended(quint64 id)
{
    const auto found = m_open.find(id);
    if (found == m_open.end())
        return;
    if (m_dead.empty())
        QMetaObject::invokeMethod(
            this, [this] { deleteDead(); }, Qt::QueuedConnection);
    m_dead.push_back(std::move(found->second));
    m_open.erase(found);
}

void HttpListener::deleteDead()
{
    m_dead.clear();
    if (m_open.empty() && std::exchange(m_isClosing, false))
        emit closed();
}

void HttpListener::incomingConnection(qintptr descriptor)
{
    std::unique_ptr<QTcpSocket> socket(m_tls ? new QSslSocket : new QTcpSocket);
    if (!socket->setSocketDescriptor(descriptor)) {
        ::close(int(descriptor));
        return;
    }
    // Qt never shrinks a socket's buffer, so an idle connection would keep a large one.
    socket->setReadBufferSize(ReadBuffer);
    socket->setSocketOption(QTcpSocket::LowDelayOption, 1);
    if (m_tls) {
        auto *secure = static_cast<QSslSocket *>(socket.get());
        secure->setSslConfiguration(*m_tls);
        secure->startServerEncryption();
    }
    if (connections() >= m_options.mostConnections)
        makeRoom();
    const quint64 id = ++m_lastId;
    const bool isTooMany = connections() >= m_options.mostConnections;
    const auto made =
        m_open.emplace(id, std::make_unique<Connection>(id, std::move(socket), *this)).first;
    if (!m_checks.isActive())
        m_checks.start();
    if (isTooMany)
        made->second->refuse(TooMany);
}

Result<quint16> HttpListener::listen(const Options &options)
{
    if (!options.address.isLoopback() && options.token.isEmpty()) {
        return Error { tr(
            "Listening on %1 lets other machines in: require a token, or listen on 127.0.0.1")
                           .arg(options.address.toString()) };
    }
    std::optional<QSslConfiguration> tls;
    if (!options.certificate.isEmpty() || !options.key.isEmpty()) {
        Result<QSslConfiguration> made = encryption(options.certificate, options.key);
        if (!made)
            return Error { made.error() };
        tls = *std::move(made);
    }
    m_options = options;
    m_tls = std::move(tls);
    if (!QTcpServer::listen(options.address, options.port)) {
        return Error { tr("Cannot listen on %1, port %2: %3")
                           .arg(options.address.toString(), QString::number(options.port),
                               errorString()) };
    }
    return port();
}

void HttpListener::answer(Ticket ticket, HttpResponse response)
{
    if (Connection *connection = this->connection(ticket))
        connection->answer(ticket, std::move(response));
}

void HttpListener::sendRaw(Ticket ticket, const QByteArray &bytes)
{
    if (Connection *connection = this->connection(ticket))
        connection->sendRaw(ticket, bytes);
}

bool HttpListener::isWaiting(Ticket ticket) const
{
    const Connection *connection = this->connection(ticket);
    return connection && connection->isWaiting(ticket);
}

void HttpListener::close(int ms)
{
    QTcpServer::close();
    m_isClosing = true;
    for (Connection *connection : all())
        connection->endAfterAnswers();
    if (m_open.empty())
        QMetaObject::invokeMethod(
            this, [this] { deleteDead(); }, Qt::QueuedConnection);
    QTimer::singleShot(ms, this, [this] {
        for (Connection *connection : all())
            connection->drop();
    });
}

} // namespace instar
