// SPDX-License-Identifier: Apache-2.0
#include "model/remote/listener.h"

#include "model/remote/httpconnection.h"

#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpServer>
#include <QTimer>

#include <algorithm>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace instar {

using namespace Qt::StringLiterals;

namespace {

constexpr int Backlog = 4096; ///< connections that the system accepts before the listener does
/// Beyond the limit that are told so and may read it in peace; others are told and closed at once.
constexpr int MostRefused = 64;
const HttpProblem TooMany { 503, "There are too many connections." };
constexpr int ReadBuffer = 16 * 1024;
constexpr int CheckMs = 250; ///< how exact the time limits are

/// Encryption with the certificate and its chain.
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
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone); // clients show tokens
        configuration.setProtocol(QSsl::TlsV1_2OrLater);
        configuration.setAllowedNextProtocols({ "http/1.1" });
        return configuration;
    }
    return Error { HttpListener::tr(
        "The certificate's key is not an RSA or EC key in PEM format without a password") };
}

} // namespace

class HttpListener::Private final : public QTcpServer
{
public:
    Private(HttpListener *listener, Handler handler);

    HttpConnection *connection(Ticket ticket) const;
    std::vector<HttpConnection *> all() const;
    void check();
    void turnAway(int descriptor) const;
    void makeRoom();
    void relieve();
    void ended(quint64 id);
    void bury();

    HttpListener *const q;
    HttpSurroundings around;
    std::unordered_map<quint64, std::unique_ptr<HttpConnection>> open;
    std::vector<std::unique_ptr<HttpConnection>> dead; ///< until nobody is inside them any more
    std::optional<QSslConfiguration> tls;
    QTimer checks;
    quint64 lastId = 0;
    int closings = 0;
    bool isClosing = false;

protected:
    void incomingConnection(qintptr descriptor) override;
};

HttpListener::Private::Private(HttpListener *listener, Handler handler) : q(listener)
{
    around.handler = std::move(handler);
    around.ended = [this](quint64 id) { ended(id); };
    around.overflowed = [this] { relieve(); };
    around.refused = [this](const HttpRequest &request, const HttpResponse &response,
                         const QString &peer) { emit q->refused(request, response, peer); };
    around.clock.start();
    checks.setInterval(CheckMs);
    connect(&checks, &QTimer::timeout, this, [this] { check(); });
    // Qt stops accepting for good when descriptors run out; the next check begins anew.
    connect(this, &QTcpServer::acceptError, this, [this] { checks.start(); });
    setListenBacklogSize(Backlog);
}

HttpConnection *HttpListener::Private::connection(Ticket ticket) const
{
    const auto found = open.find(HttpConnection::idOf(ticket));
    return found == open.end() ? nullptr : found->second.get();
}

/// They stay while one after the other ends.
std::vector<HttpConnection *> HttpListener::Private::all() const
{
    std::vector<HttpConnection *> connections;
    connections.reserve(open.size());
    for (const auto &[id, connection] : open)
        connections.push_back(connection.get());
    return connections;
}

void HttpListener::Private::incomingConnection(qintptr descriptor)
{
    const qsizetype most = around.options.mostConnections;
    if (qsizetype(open.size()) >= most)
        makeRoom();
    if (qsizetype(open.size()) >= most + MostRefused)
        return turnAway(int(descriptor));
    std::unique_ptr<QTcpSocket> socket;
    if (tls)
        socket = std::make_unique<QSslSocket>();
    else
        socket = std::make_unique<QTcpSocket>();
    if (!socket->setSocketDescriptor(descriptor)) {
        ::close(int(descriptor));
        return;
    }
    // Qt never gives a buffer back: this is what a connection that idles keeps.
    socket->setReadBufferSize(ReadBuffer);
    socket->setSocketOption(QTcpSocket::LowDelayOption, 1);
    if (tls) {
        auto *secure = static_cast<QSslSocket *>(socket.get());
        secure->setSslConfiguration(*tls);
        secure->startServerEncryption();
    }
    const quint64 id = ++lastId;
    const bool isTooMany = qsizetype(open.size()) >= most;
    const auto made =
        open.emplace(id, std::make_unique<HttpConnection>(id, std::move(socket), around)).first;
    if (!checks.isActive())
        checks.start();
    if (isTooMany)
        made->second->refuse(TooMany);
}

/// Ends the connection that has been idle longest, so that nobody locks others out by being silent.
void HttpListener::Private::makeRoom()
{
    HttpConnection *longest = nullptr;
    qint64 since = around.clock.elapsed() - around.options.leastIdleMs;
    for (const auto &[id, connection] : open) {
        if (const auto idle = connection->idleSince(); idle && *idle <= since) {
            since = *idle;
            longest = connection.get();
        }
    }
    if (longest)
        longest->drop();
}

/// Tells a client that it is one too many, where that is known without its doing, and closes.
void HttpListener::Private::turnAway(int descriptor) const
{
    if (!tls) {
        HttpResponse response = refusal(TooMany, around.options.retryAfter);
        response.keepAlive = false;
        const QByteArray bytes = toBytes(response);
        [[maybe_unused]] const auto sent = ::send(
            descriptor, bytes.constData(), size_t(bytes.size()), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    ::close(descriptor);
}

/// The time limits of all connections: one timer, whatever their number.
void HttpListener::Private::check()
{
    if (isListening())
        resumeAccepting();
    const qint64 now = around.clock.elapsed();
    for (HttpConnection *connection : all()) {
        if (connection->isDue(now))
            connection->expire();
    }
    if (open.empty())
        checks.stop();
}

/// Clients that do not read are not to fill the memory, however many they are.
void HttpListener::Private::relieve()
{
    const auto holding = [](const auto &entry) { return entry.second->held(); };
    while (around.unsent > around.options.mostUnsentOfAll) {
        const auto most = std::ranges::max_element(open, {}, holding);
        if (most == open.end() || most->second->held() >= around.unsent)
            break;
        most->second->drop();
    }
}

void HttpListener::Private::ended(quint64 id)
{
    const auto found = open.find(id);
    if (found == open.end())
        return;
    if (dead.empty())
        QMetaObject::invokeMethod(
            this, [this] { bury(); }, Qt::QueuedConnection);
    dead.push_back(std::move(found->second));
    open.erase(found);
}

void HttpListener::Private::bury()
{
    dead.clear();
    if (open.empty() && std::exchange(isClosing, false))
        emit q->closed();
}

HttpListener::HttpListener(Handler handler, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(handler)))
{ }

HttpListener::~HttpListener() = default;

Result<quint16> HttpListener::listen(const Options &options)
{
    if (d->isListening())
        return Error { tr("Already listening on port %1").arg(port()) };
    if (!options.address.isLoopback() && options.token.isEmpty()) {
        return Error { tr("Listening on %1 lets others in: give a token that they have to show, or "
                          "listen on 127.0.0.1")
                           .arg(options.address.toString()) };
    }
    std::optional<QSslConfiguration> tls;
    if (!options.certificate.isEmpty() || !options.key.isEmpty()) {
        Result<QSslConfiguration> made = encryption(options.certificate, options.key);
        if (!made)
            return Error { made.error() };
        tls = *std::move(made);
    }
    d->around.options = options;
    d->isClosing = false;
    d->tls = std::move(tls);
    if (!d->listen(options.address, options.port)) {
        return Error { tr("Cannot listen on %1, port %2: %3")
                           .arg(options.address.toString())
                           .arg(options.port)
                           .arg(d->errorString()) };
    }
    return port();
}

quint16 HttpListener::port() const
{
    return d->serverPort();
}

bool HttpListener::isSecure() const
{
    return d->tls.has_value();
}

qsizetype HttpListener::connections() const
{
    return qsizetype(d->open.size());
}

void HttpListener::answer(Ticket ticket, HttpResponse response)
{
    if (HttpConnection *connection = d->connection(ticket))
        connection->answer(ticket, std::move(response));
}

void HttpListener::breakOff(Ticket ticket, const HttpResponse &response, qsizetype bytes)
{
    if (HttpConnection *connection = d->connection(ticket))
        connection->breakOff(ticket, response, bytes);
}

void HttpListener::sendRaw(Ticket ticket, const QByteArray &bytes)
{
    if (HttpConnection *connection = d->connection(ticket))
        connection->sendRaw(ticket, bytes);
}

bool HttpListener::isWaiting(Ticket ticket) const
{
    const HttpConnection *connection = d->connection(ticket);
    return connection && connection->isWaiting(ticket);
}

void HttpListener::close(int ms)
{
    d->close();
    d->isClosing = true;
    const int closing = ++d->closings;
    for (HttpConnection *connection : d->all())
        connection->wind();
    if (d->open.empty())
        QMetaObject::invokeMethod(
            d.get(), [this] { d->bury(); }, Qt::QueuedConnection);
    QTimer::singleShot(ms, d.get(), [this, closing] {
        if (!d->isClosing || d->closings != closing)
            return;
        for (HttpConnection *connection : d->all())
            connection->drop();
    });
}

} // namespace instar
