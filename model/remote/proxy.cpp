// SPDX-License-Identifier: Apache-2.0
#include "model/remote/proxy.h"

#include "model/remote/credential.h"

#include <QSslSocket>
#include <QTimer>

#include <functional>
#include <limits>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype OneRead = 64 * 1024;
constexpr int ConnectMs = 30'000;         ///< limit for reaching the server
constexpr qint64 MostUnsent = 256 * 1024; ///< bytes to one side, beyond which the other one waits

bool isSecure(const QUrl &server)
{
    return server.scheme() == u"https";
}

} // namespace

/// One client's connection, and the one to the server that it is forwarded to.
class Proxy::Passage : public QObject
{
public:
    /// Calls `over` once, at the end; `over` must not delete the passage before it returns.
    Passage(Proxy &proxy, qintptr client, std::function<void()> over)
        : m_options(proxy.m_options), m_over(std::move(over))
    {
        m_client.setSocketDescriptor(client);
        m_tap = std::make_unique<Wiretap>(
            proxy.m_exchanges, [&proxy](const QString &why) { emit proxy.missed(why); },
            m_options.server.toString(QUrl::RemoveUserInfo),
            u"%1:%2"_s.arg(m_client.peerAddress().toString()).arg(m_client.peerPort()));
        for (QTcpSocket *socket : { &m_client, static_cast<QTcpSocket *>(&m_server) }) {
            socket->setReadBufferSize(OneRead);
            connect(socket, &QTcpSocket::readyRead, this, &Passage::pass);
            connect(socket, &QTcpSocket::bytesWritten, this, &Passage::pass);
        }
        connect(&m_server, &QSslSocket::encryptedBytesWritten, this, &Passage::pass);
        connect(&m_client, &QTcpSocket::disconnected, this, &Passage::clientEnded);
        connect(&m_server, &QTcpSocket::disconnected, this, &Passage::serverEnded);
        connect(&m_server, &QTcpSocket::errorOccurred, this, [this] {
            if (!m_isReached)
                refuse(m_server.errorString());
        });
        m_patience.setSingleShot(true);
        connect(&m_patience, &QTimer::timeout, this,
            [this] { refuse(u"the server does not answer"_s); });
        m_patience.start(ConnectMs);
        reach();
    }

    ~Passage() override { unhear(); }

    bool isIdle() const { return !m_tap->isWaiting(); }

private:
    void reach()
    {
        const QUrl &server = m_options.server;
        if (!isSecure(server)) {
            connect(&m_server, &QSslSocket::connected, this, &Passage::reached);
            m_server.connectToHost(server.host(), quint16(server.port(80)));
            return;
        }
        if (const auto tls = tlsConfiguration({}, m_options.authorities))
            m_server.setSslConfiguration(*tls);
        connect(&m_server, &QSslSocket::encrypted, this, &Passage::reached);
        m_server.connectToHostEncrypted(server.host(), quint16(server.port(443)));
    }

    void reached()
    {
        if (m_isRefused)
            return;
        m_patience.stop();
        m_isReached = true;
        for (QTcpSocket *socket : { &m_client, static_cast<QTcpSocket *>(&m_server) })
            socket->setSocketOption(QTcpSocket::LowDelayOption, 1);
        pass();
        if (m_client.state() == QTcpSocket::UnconnectedState)
            clientEnded();
    }

    /// Forwards what has come. The receiver sets the pace.
    void pass()
    {
        forward(m_client, m_server, &Wiretap::fromClient, MostUnsent);
        forward(m_server, m_client, &Wiretap::fromServer, MostUnsent);
    }
    void forward(
        QTcpSocket &from, QTcpSocket &to, void (Wiretap::*heard)(QByteArrayView), qint64 most)
    {
        while (m_isReached && from.bytesAvailable() > 0 && unsentBytes(to) < most) {
            const QByteArray bytes = from.read(OneRead);
            (m_tap.get()->*heard)(bytes);
            to.write(bytes);
        }
    }

    void clientEnded()
    {
        if (m_isRefused || (m_isReached && m_server.state() == QTcpSocket::UnconnectedState))
            return end();
        if (!m_isReached)
            return; // what it has sent is still forwarded
        forward(m_client, m_server, &Wiretap::fromClient, std::numeric_limits<qint64>::max());
        m_server.disconnectFromHost();
    }

    void serverEnded()
    {
        if (!m_isReached)
            return;
        forward(m_server, m_client, &Wiretap::fromServer, std::numeric_limits<qint64>::max());
        m_tap->serverEnded();
        if (m_client.state() == QTcpSocket::UnconnectedState)
            return end();
        m_client.disconnectFromHost();
    }

    /// Answers 502 for a server that cannot be reached.
    void refuse(const QString &why)
    {
        if (std::exchange(m_isRefused, true))
            return;
        m_patience.stop();
        if (m_client.state() == QTcpSocket::UnconnectedState)
            return end();
        const QByteArray text = u"The server %1 cannot be reached: %2.\n"_s
                                    .arg(m_options.server.toString(QUrl::RemoveUserInfo), why)
                                    .toUtf8();
        HttpResponse response { .status = 502, .body = text };
        response.headers = { { "Content-Type", "text/plain; charset=utf-8" } };
        response.keepAlive = false;
        m_client.write(toBytes(response));
        // The client can read the answer before the end.
        QTimer::singleShot(2000, &m_client, [this] { m_client.disconnectFromHost(); });
    }

    void end()
    {
        unhear();
        m_over();
    }

    /// Ignores both sockets from now on.
    void unhear()
    {
        m_client.disconnect(this);
        m_server.disconnect(this);
    }

    const Proxy::Options &m_options;
    const std::function<void()> m_over;
    std::unique_ptr<Wiretap> m_tap;
    QTcpSocket m_client;
    QSslSocket m_server;
    QTimer m_patience;
    bool m_isReached = false, m_isRefused = false;
};

Proxy::Proxy(Options options, QObject *parent)
    : QTcpServer(parent),
      m_options(std::move(options)),
      m_exchanges([this](const Exchange &exchange) { emit exchanged(exchange); })
{ }

Proxy::~Proxy()
{
    m_passages.clear();
}

void Proxy::endIdle(bool all)
{
    QList<quint64> ending;
    for (const auto &[id, passage] : m_passages) {
        if (all || passage->isIdle())
            ending += id;
    }
    for (const quint64 id : std::as_const(ending))
        m_passages.erase(id);
    if (m_isClosing && m_passages.empty() && !std::exchange(m_hasClosed, true))
        emit closed();
}

void Proxy::incomingConnection(qintptr descriptor)
{
    if (m_isClosing || qsizetype(m_passages.size()) >= m_options.mostConnections) {
        ::close(int(descriptor));
        return;
    }
    const quint64 id = ++m_last;
    const auto erase = [this, id] {
        m_passages.erase(id);
        if (m_isClosing)
            endIdle(false);
    };
    const auto over = [this, erase] {
        QMetaObject::invokeMethod(this, erase, Qt::QueuedConnection);
    };
    m_passages.emplace(id, std::make_unique<Passage>(*this, descriptor, over));
}

Result<quint16> Proxy::listen()
{
    const QUrl &server = m_options.server;
    const bool isKnown = server.scheme() == u"http" || isSecure(server);
    if (!isKnown || server.host().isEmpty())
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
    QTimer::singleShot(0, this, [this] { endIdle(false); });
    QTimer::singleShot(ms, this, [this] { endIdle(true); });
}

} // namespace instar
