// SPDX-License-Identifier: Apache-2.0
#include "model/remote/proxy.h"

#include <QSocketNotifier>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTimer>

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qint64 PauseAbove = 256 * 1024, ResumeBelow = 64 * 1024; ///< unsent bytes of one way

bool isSecure(const QUrl &server)
{
    return server.scheme() == u"https";
}

QString peerOf(const QTcpSocket &socket)
{
    return u"%1:%2"_s.arg(socket.peerAddress().toString()).arg(socket.peerPort());
}

/// A duplicate that outlives the socket.
int copiedDescriptor(const QTcpSocket &socket)
{
    return ::fcntl(int(socket.socketDescriptor()), F_DUPFD_CLOEXEC, 0);
}

constexpr qsizetype OneRead = 64 * 1024;

bool isForLater(int error)
{
    return error == EAGAIN || error == EINTR;
}

} // namespace

/// Byte stream to one end of a connection. Either direction can end alone, which QTcpSocket does
/// not support.
class Channel
{
public:
    virtual ~Channel() = default;
    /// Sends bytes in order, and buffers what the other side does not take yet.
    virtual void write(const QByteArray &bytes) = 0;
    virtual qint64 unsent() const = 0;
    /// Ends the output behind what is unsent.
    virtual void finish() = 0;
    /// Returns true if input goes on after finish().
    virtual bool hasTwoEnds() const = 0;
    /// Starts or stops reading; at first it is stopped.
    virtual void setReading(bool reads) = 0;

    std::function<void(const QByteArray &bytes)> came = [](const QByteArray &) {};
    std::function<void()> sent = [] {};   ///< some unsent bytes have gone
    std::function<void()> ended = [] {};  ///< the input has ended
    std::function<void()> broken = [] {}; ///< both directions have failed
};

/// Channel of a plain system socket.
class PlainChannel : public Channel
{
public:
    explicit PlainChannel(int descriptor)
        : m_descriptor(descriptor),
          m_readable(descriptor, QSocketNotifier::Read),
          m_writable(descriptor, QSocketNotifier::Write)
    {
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        const int isOn = 1; // small writes are not delayed
        ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &isOn, sizeof isOn);
        m_readable.setEnabled(false);
        m_writable.setEnabled(false);
        QObject::connect(&m_readable, &QSocketNotifier::activated, &m_readable, [this] { read(); });
        QObject::connect(&m_writable, &QSocketNotifier::activated, &m_writable, [this] { send(); });
    }

    ~PlainChannel() override
    {
        m_readable.setEnabled(false);
        m_writable.setEnabled(false);
        ::close(m_descriptor);
    }

    void write(const QByteArray &bytes) override
    {
        if (m_isFinishing)
            return;
        m_out.append(bytes);
        send();
    }

    qint64 unsent() const override { return m_out.size() - m_gone; }
    void finish() override
    {
        m_isFinishing = true;
        send();
    }

    bool hasTwoEnds() const override { return true; }
    void setReading(bool reads) override { m_readable.setEnabled(reads && !m_hasEnded); }

private:
    void read()
    {
        QByteArray room(OneRead, Qt::Uninitialized);
        const ssize_t count = ::recv(m_descriptor, room.data(), size_t(room.size()), 0);
        if (count > 0) {
            room.truncate(count);
            came(room);
        } else if (count == 0) {
            m_hasEnded = true;
            m_readable.setEnabled(false);
            ended();
        } else if (!isForLater(errno)) {
            fail();
        }
    }

    void send()
    {
        while (unsent() > 0) {
            const ssize_t count =
                ::send(m_descriptor, m_out.constData() + m_gone, size_t(unsent()), MSG_NOSIGNAL);
            if (count < 0 && !isForLater(errno))
                return fail();
            if (count <= 0)
                break;
            m_gone += count;
        }
        m_writable.setEnabled(unsent() > 0);
        if (unsent() == 0) {
            m_out.clear();
            m_gone = 0;
            if (m_isFinishing)
                ::shutdown(m_descriptor, SHUT_WR);
        } else if (m_gone > m_out.size() / 2) {
            m_out.remove(0, m_gone);
            m_gone = 0;
        }
        sent();
    }

    void fail()
    {
        m_readable.setEnabled(false);
        m_writable.setEnabled(false);
        m_hasEnded = true;
        broken();
    }

    const int m_descriptor;
    QSocketNotifier m_readable, m_writable;
    QByteArray m_out;
    qsizetype m_gone = 0; ///< sent bytes of m_out
    bool m_hasEnded = false, m_isFinishing = false;
};

/// Channel of an established TLS connection.
class SecureChannel : public Channel
{
public:
    explicit SecureChannel(std::unique_ptr<QSslSocket> socket) : m_socket(std::move(socket))
    {
        m_socket->setReadBufferSize(OneRead);
        QObject::connect(
            m_socket.get(), &QSslSocket::readyRead, m_socket.get(), [this] { read(); });
        QObject::connect(
            m_socket.get(), &QSslSocket::encryptedBytesWritten, m_socket.get(), [this] { sent(); });
        QObject::connect(m_socket.get(), &QSslSocket::disconnected, m_socket.get(), [this] {
            m_reads = true; // what has arrived is still delivered
            read();
            ended();
        });
    }

    void write(const QByteArray &bytes) override { m_socket->write(bytes); }
    qint64 unsent() const override
    {
        return m_socket->bytesToWrite() + m_socket->encryptedBytesToWrite();
    }
    void finish() override { m_socket->disconnectFromHost(); }
    bool hasTwoEnds() const override { return false; }
    void setReading(bool reads) override
    {
        m_reads = reads;
        // Deferred, since the caller may be inside came().
        if (reads && m_socket->bytesAvailable() > 0)
            QMetaObject::invokeMethod(
                m_socket.get(), [this] { read(); }, Qt::QueuedConnection);
    }

private:
    void read()
    {
        while (m_reads) {
            const QByteArray bytes = m_socket->read(OneRead);
            if (bytes.isEmpty())
                return;
            came(bytes);
        }
    }

    std::unique_ptr<QSslSocket> m_socket;
    bool m_reads = false;
};

/// One client's connection, and the one to the server that it is forwarded to.
class Proxy::Passage : public QObject
{
public:
    /// `over` is called once, and must not delete the passage at once.
    Passage(const Proxy::Options &options, int client, std::unique_ptr<Wiretap> tap,
        std::function<void()> over)
        : m_options(options),
          m_over(std::move(over)),
          m_client(client),
          m_tap(std::move(tap)),
          m_socket(new QSslSocket)
    {
        m_client.broken = [this] { end(); };
        m_patience.setSingleShot(true);
        connect(&m_patience, &QTimer::timeout, this, [this] { refuse(u"it does not answer"_s); });
        m_patience.start(options.connectSeconds * 1000);
        connect(m_socket.get(), &QSslSocket::errorOccurred, this,
            [this] { refuse(m_socket->errorString()); });
        reach();
    }

    bool isIdle() const { return !m_tap->isWaiting(); }

private:
    void reach()
    {
        const QUrl &server = m_options.server;
        const bool secure = isSecure(server);
        const quint16 port = quint16(server.port(secure ? 443 : 80));
        if (!secure) {
            connect(m_socket.get(), &QSslSocket::connected, this, &Passage::reached);
            m_socket->connectToHost(server.host(), port);
            return;
        }
        QSslConfiguration configuration = m_socket->sslConfiguration();
        configuration.addCaCertificates(QSslCertificate::fromData(m_options.authorities));
        configuration.setAllowedNextProtocols({ "http/1.1" });
        m_socket->setSslConfiguration(configuration);
        connect(m_socket.get(), &QSslSocket::encrypted, this, &Passage::reached);
        m_socket->connectToHostEncrypted(server.host(), port);
    }

    void reached()
    {
        m_patience.stop();
        m_socket->disconnect(this);
        if (isSecure(m_options.server)) {
            m_server = std::make_unique<SecureChannel>(std::move(m_socket));
        } else {
            m_server = std::make_unique<PlainChannel>(copiedDescriptor(*m_socket));
            m_socket->abort();                 // it would read incoming bytes
            m_socket.release()->deleteLater(); // it is emitting connected()
        }
        m_server->broken = [this] { end(); };
        pass(m_client, *m_server, &Wiretap::fromClient);
        pass(*m_server, m_client, &Wiretap::fromServer);
        m_client.ended = [this] { endClientsWay(); };
        m_server->ended = [this] {
            m_tap->serverEnded();
            m_serverHasEnded = true;
            m_client.finish();
            endWhenDone();
        };
        m_client.setReading(true);
        m_server->setReading(true);
    }

    /// Forwards bytes with backpressure: the receiver sets the pace.
    void pass(Channel &from, Channel &to, void (Wiretap::*heard)(QByteArrayView))
    {
        from.came = [this, &from, &to, heard](const QByteArray &bytes) {
            (m_tap.get()->*heard)(bytes);
            to.write(bytes);
            if (to.unsent() > PauseAbove)
                from.setReading(false);
            endWhenDone();
        };
        to.sent = [this, &from, &to] {
            if (to.unsent() <= ResumeBelow)
                from.setReading(true);
            endWhenDone();
        };
    }

    void endClientsWay()
    {
        m_clientHasEnded = true;
        if (m_server->hasTwoEnds())
            m_server->finish();
        endWhenDone();
    }

    void endWhenDone()
    {
        const bool isOver = m_clientHasEnded
            && (m_serverHasEnded
                || (!m_server->hasTwoEnds() && m_server->unsent() == 0 && isIdle()));
        if (isOver && m_client.unsent() == 0)
            end();
    }

    /// Answers 502 for a server that cannot be reached.
    void refuse(const QString &why)
    {
        m_patience.stop();
        m_socket->disconnect(this);
        const QByteArray text = u"The server %1 cannot be reached: %2.\n"_s
                                    .arg(m_options.server.toString(QUrl::RemoveUserInfo), why)
                                    .toUtf8();
        HttpResponse response { .status = 502, .body = text };
        response.headers = { { "Content-Type", "text/plain; charset=utf-8" } };
        response.keepAlive = false;
        m_client.write(toBytes(response));
        m_client.finish();
        // Reads what the client sends, so that it can read the answer before the end.
        m_client.ended = [this] { end(); };
        m_client.setReading(true);
        QTimer::singleShot(2000, this, &Passage::end);
    }

    void end()
    {
        if (std::exchange(m_isOver, true))
            return;
        m_client.setReading(false);
        if (m_server)
            m_server->setReading(false);
        m_over();
    }

    const Proxy::Options &m_options;
    const std::function<void()> m_over;
    PlainChannel m_client;
    std::unique_ptr<Wiretap> m_tap;
    std::unique_ptr<QSslSocket> m_socket; ///< until it is connected
    std::unique_ptr<Channel> m_server;
    QTimer m_patience;
    bool m_clientHasEnded = false, m_serverHasEnded = false;
    bool m_isOver = false;
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
    QTcpSocket socket; // only to learn the peer
    socket.setSocketDescriptor(descriptor);
    auto tap = std::make_unique<Wiretap>(
        m_exchanges, [this](const QString &why) { emit missed(why); },
        m_options.server.toString(QUrl::RemoveUserInfo), peerOf(socket));
    const quint64 id = ++m_last;
    const auto erase = [this, id] {
        m_passages.erase(id);
        if (m_isClosing)
            endIdle(false);
    };
    const auto over = [this, erase] {
        QMetaObject::invokeMethod(this, erase, Qt::QueuedConnection);
    };
    m_passages.emplace(
        id, std::make_unique<Passage>(m_options, copiedDescriptor(socket), std::move(tap), over));
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
