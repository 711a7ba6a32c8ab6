// SPDX-License-Identifier: Apache-2.0
#include "model/remote/proxy.h"

#include "model/remote/credential.h"

#include <QSslSocket>

#include <limits>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype OneRead = 64 * 1024;  ///< bytes
constexpr int ConnectMs = 30'000;         ///< limit for connecting to the server
constexpr qint64 MostUnsent = 256 * 1024; ///< unsent bytes at which reading from the sender pauses

} // namespace

class Proxy::Relay : public QObject
{
public:
    /// Calls `onEnd` once, when both connections are closed. `onEnd` must not delete the relay.
    Relay(Proxy &proxy, qintptr client, std::function<void()> onEnd)
        : m_options(proxy.m_options), m_onEnd(std::move(onEnd))
    {
        m_client.setSocketDescriptor(client);
        m_tap = std::make_unique<Wiretap>(
            proxy.m_exchanges, [&proxy](const QString &why) { emit proxy.missed(why); },
            m_options.server.toString(QUrl::RemoveUserInfo),
            u"%1:%2"_s.arg(
                m_client.peerAddress().toString(), QString::number(m_client.peerPort())));
        for (QTcpSocket *socket : { &m_client, static_cast<QTcpSocket *>(&m_server) }) {
            socket->setReadBufferSize(OneRead);
            connect(socket, &QTcpSocket::readyRead, this, &Relay::forwardBoth);
            connect(socket, &QTcpSocket::bytesWritten, this, &Relay::forwardBoth);
        }
        connect(&m_server, &QSslSocket::encryptedBytesWritten, this, &Relay::forwardBoth);
        connect(&m_client, &QTcpSocket::disconnected, this, &Relay::clientEnded);
        connect(&m_server, &QTcpSocket::disconnected, this, &Relay::serverEnded);
        connect(&m_server, &QTcpSocket::errorOccurred, this, [this] {
            if (!m_isServerConnected)
                answerUnreachable(m_server.errorString());
        });
        m_connectTimer.setSingleShot(true);
        connect(&m_connectTimer, &QTimer::timeout, this,
            [this] { answerUnreachable(u"no connection within 30 seconds"_s); });
        m_connectTimer.start(ConnectMs);
        connectToServer();
    }

    ~Relay() override { disconnectSignals(); }

    bool isIdle() const { return !m_tap->isWaiting(); }

private:
    void connectToServer()
    {
        const QUrl &server = m_options.server;
        if (server.scheme() == u"http") {
            connect(&m_server, &QSslSocket::connected, this, &Relay::serverConnected);
            m_server.connectToHost(server.host(), quint16(server.port(80)));
            return;
        }
        if (const auto tls = tlsConfiguration(m_options.authorities))
            m_server.setSslConfiguration(*tls);
        connect(&m_server, &QSslSocket::encrypted, this, &Relay::serverConnected);
        m_server.connectToHostEncrypted(server.host(), quint16(server.port(443)));
    }

    void serverConnected()
    {
        if (m_isUnreachable)
            return;
        m_connectTimer.stop();
        m_isServerConnected = true;
        for (QTcpSocket *socket : { &m_client, static_cast<QTcpSocket *>(&m_server) })
            socket->setSocketOption(QTcpSocket::LowDelayOption, 1);
        forwardBoth();
        if (m_client.state() == QTcpSocket::UnconnectedState)
            clientEnded();
    }

    void forwardBoth()
    {
        forward(m_client, m_server, &Wiretap::fromClient, MostUnsent);
        forward(m_server, m_client, &Wiretap::fromServer, MostUnsent);
    }
    void forward(
        QTcpSocket &from, QTcpSocket &to, void (Wiretap::*record)(QByteArrayView), qint64 limit)
    {
        while (m_isServerConnected && from.bytesAvailable() > 0 && unsentBytes(to) < limit) {
            const QByteArray bytes = from.read(OneRead);
            (m_tap.get()->*record)(bytes);
            to.write(bytes);
        }
    }

    void clientEnded()
    {
        if (m_isUnreachable
            || (m_isServerConnected && m_server.state() == QTcpSocket::UnconnectedState))
            return end();
        if (!m_isServerConnected)
            return; // its bytes are forwarded once the server is connected
        forward(m_client, m_server, &Wiretap::fromClient, std::numeric_limits<qint64>::max());
        m_server.disconnectFromHost();
    }

    void serverEnded()
    {
        if (!m_isServerConnected)
            return;
        forward(m_server, m_client, &Wiretap::fromServer, std::numeric_limits<qint64>::max());
        m_tap->serverEnded();
        if (m_client.state() == QTcpSocket::UnconnectedState)
            return end();
        m_client.disconnectFromHost();
    }

    void answerUnreachable(const QString &why)
    {
        if (std::exchange(m_isUnreachable, true))
            return;
        m_connectTimer.stop();
        if (m_client.state() == QTcpSocket::UnconnectedState)
            return end();
        const QByteArray text = u"The server %1 cannot be reached: %2.\n"_s
                                    .arg(m_options.server.toString(QUrl::RemoveUserInfo), why)
                                    .toUtf8();
        m_client.write(toBytes(HttpResponse { .status = 502,
            .headers = { { "Content-Type", "text/plain; charset=utf-8" } },
            .body = text,
            .keepAlive = false }));
        // Leaves the client time to read the answer.
        QTimer::singleShot(2000, &m_client, [this] { m_client.disconnectFromHost(); });
    }

    void end()
    {
        disconnectSignals();
        m_onEnd();
    }

    void disconnectSignals()
    {
        m_client.disconnect(this);
        m_server.disconnect(this);
    }

    const Proxy::Options &m_options;
    const std::function<void()> m_onEnd;
    std::unique_ptr<Wiretap> m_tap;
    QTcpSocket m_client;
    QSslSocket m_server;
    QTimer m_connectTimer;
    bool m_isServerConnected = false, m_isUnreachable = false;
};

Proxy::Proxy(Options options, QObject *parent)
    : QTcpServer(parent),
      m_options(std::move(options)),
      m_exchanges([this](const Exchange &exchange) { emit exchanged(exchange); })
{ }

Proxy::~Proxy() = default;

/// Ends the relays that wait for no answer; `evenBusy`: all.
void Proxy::endRelays(bool evenBusy)
{
    std::erase_if(m_relays, [&](const auto &entry) { return evenBusy || entry.second->isIdle(); });
    if (m_isClosing && m_relays.empty() && !std::exchange(m_hasClosed, true))
        emit closed();
}

void Proxy::incomingConnection(qintptr descriptor)
{
    if (m_isClosing || qsizetype(m_relays.size()) >= m_options.mostConnections) {
        ::close(int(descriptor));
        return;
    }
    const quint64 id = ++m_last;
    const auto erase = [this, id] {
        m_relays.erase(id);
        if (m_isClosing)
            endRelays(false);
    };
    const auto onEnd = [this, erase] {
        QMetaObject::invokeMethod(this, erase, Qt::QueuedConnection);
    };
    m_relays.emplace(id, std::make_unique<Relay>(*this, descriptor, onEnd));
}

Result<quint16> Proxy::listen()
{
    const QUrl &server = m_options.server;
    if (!isWebAddress(server))
        return Error {
            u"expected an http or https URL such as http://host:8080, found \"%1\""_s.arg(
                server.toString(QUrl::RemoveUserInfo))
        };
    if (!server.path().isEmpty() && server.path() != u"/")
        return Error { u"the server's URL must have no path: requests are forwarded unchanged"_s };
    if (!server.userInfo().isEmpty())
        return Error { u"expected a URL without a user: clients sign in themselves"_s };
    if (!m_options.address.isLoopback())
        return Error {
            u"the proxy checks no credentials, so it can listen on a loopback address only; found %1"_s
                .arg(m_options.address.toString())
        };
    if (!QTcpServer::listen(m_options.address, m_options.port))
        return Error { u"cannot listen on %1: %2"_s.arg(origin(), errorString()) };
    return serverPort();
}

QString Proxy::origin() const
{
    return u"http://"_s
        + authority(m_options.address, isListening() ? serverPort() : m_options.port);
}

void Proxy::close(int ms)
{
    QTcpServer::close();
    m_isClosing = true;
    QTimer::singleShot(0, this, [this] { endRelays(false); });
    QTimer::singleShot(ms, this, [this] { endRelays(true); });
}

} // namespace instar
