// SPDX-License-Identifier: Apache-2.0
#include "model/remote/proxy.h"

#include "model/remote/channel.h"
#include "model/remote/wiretap.h"

#include <QSslConfiguration>
#include <QTcpServer>
#include <QTimer>

#include <fcntl.h>
#include <functional>
#include <unistd.h>
#include <unordered_map>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qint64 HighWater = 256 * 1024, LowWater = 64 * 1024; ///< unsent bytes of one way

bool isSecure(const QUrl &server)
{
    return server.scheme() == u"https";
}

QString peerOf(const QTcpSocket &socket)
{
    return u"%1:%2"_s.arg(socket.peerAddress().toString()).arg(socket.peerPort());
}

/// The socket's own descriptor goes with it.
int copiedDescriptor(const QTcpSocket &socket)
{
    return ::fcntl(int(socket.socketDescriptor()), F_DUPFD_CLOEXEC, 0);
}

} // namespace

/// One client's connection and the one to the server that it leads to.
class Passage : public QObject
{
public:
    /// `over` is told once, and may not end it at once.
    Passage(const Proxy::Options &options, int client, std::unique_ptr<Wiretap> tap,
        std::function<void()> over)
        : m_options(options),
          m_over(std::move(over)),
          m_client(client),
          m_tap(std::move(tap)),
          m_socket(new QSslSocket)
    {
        connect(&m_client, &Channel::broken, this, &Passage::end);
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
            m_socket->abort();                 // it would read what comes
            m_socket.release()->deleteLater(); // it is telling that it has connected
        }
        connect(m_server.get(), &Channel::broken, this, &Passage::end);
        pass(m_client, *m_server, &Wiretap::fromClient);
        pass(*m_server, m_client, &Wiretap::fromServer);
        connect(&m_client, &Channel::ended, this, [this] { endClientsWay(); });
        connect(m_server.get(), &Channel::ended, this, [this] {
            m_tap->serverEnded();
            m_serverHasEnded = true;
            m_client.finish();
            endWhenDone();
        });
        m_client.setReading(true);
        m_server->setReading(true);
    }

    /// What comes from the one goes to the other, which sets the pace.
    void pass(Channel &from, Channel &to, void (Wiretap::*heard)(QByteArrayView))
    {
        connect(&from, &Channel::came, this, [this, &from, &to, heard](const QByteArray &bytes) {
            (m_tap.get()->*heard)(bytes);
            to.write(bytes);
            if (to.unsent() > HighWater)
                from.setReading(false);
            endWhenDone();
        });
        connect(&to, &Channel::sent, this, [this, &from, &to] {
            if (to.unsent() <= LowWater)
                from.setReading(true);
            endWhenDone();
        });
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

    /// There is no server whose answer could be passed on.
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
        // What the client sends is read, so that it can read the answer; then it goes.
        connect(&m_client, &Channel::ended, this, &Passage::end);
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

class Proxy::Private final : public QTcpServer
{
public:
    Private(Proxy *proxy, Options chosen)
        : q(proxy),
          options(std::move(chosen)),
          exchanges([this](const Exchange &exchange) { emit q->exchanged(exchange); })
    { }

    ~Private() override { passages.clear(); }

    void endIdle(bool all)
    {
        QList<quint64> ending;
        for (const auto &[id, passage] : passages) {
            if (all || passage->isIdle())
                ending += id;
        }
        for (const quint64 id : std::as_const(ending))
            passages.erase(id);
        if (isClosing && passages.empty() && !std::exchange(hasClosed, true))
            emit q->closed();
    }

    Proxy *const q;
    const Options options;
    ServedExchanges exchanges;
    std::unordered_map<quint64, std::unique_ptr<Passage>> passages;
    quint64 last = 0;
    bool isClosing = false, hasClosed = false;

protected:
    void incomingConnection(qintptr descriptor) override
    {
        if (isClosing || qsizetype(passages.size()) >= options.mostConnections) {
            ::close(int(descriptor));
            return;
        }
        QTcpSocket socket; // knows who it is
        socket.setSocketDescriptor(descriptor);
        auto tap = std::make_unique<Wiretap>(
            exchanges, [this](const QString &why) { emit q->missed(why); },
            options.server.toString(QUrl::RemoveUserInfo), peerOf(socket));
        const quint64 id = ++last;
        const auto over = [this, id] {
            QMetaObject::invokeMethod(
                this,
                [this, id] {
                    passages.erase(id);
                    if (isClosing)
                        endIdle(false);
                },
                Qt::QueuedConnection);
        };
        auto passage =
            std::make_unique<Passage>(options, copiedDescriptor(socket), std::move(tap), over);
        passages.emplace(id, std::move(passage));
    }
};

Proxy::Proxy(Options options, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(options)))
{ }

Proxy::~Proxy() = default;

Result<quint16> Proxy::listen()
{
    const QUrl &server = d->options.server;
    const bool isKnown = server.scheme() == u"http" || isSecure(server);
    if (!isKnown || server.host().isEmpty())
        return Error {
            u"expected an http or https URL such as http://host:8080, found \"%1\""_s.arg(
                server.toString(QUrl::RemoveUserInfo))
        };
    if (!server.path().isEmpty() && server.path() != u"/")
        return Error {
            u"the server's URL is to have no path: what clients ask is passed on as it is"_s
        };
    if (!server.userInfo().isEmpty())
        return Error { u"expected a URL without a user in it: clients sign in themselves"_s };
    if (!d->options.address.isLoopback())
        return Error {
            u"only this machine's own address can be listened on, since nobody is asked who he is; found %1"_s
                .arg(d->options.address.toString())
        };
    if (!d->QTcpServer::listen(d->options.address, d->options.port))
        return Error { u"%1 cannot be listened on: %2"_s.arg(origin(), d->errorString()) };
    return d->serverPort();
}

QString Proxy::origin() const
{
    const QHostAddress &address = d->options.address;
    const bool isSix = address.protocol() == QAbstractSocket::IPv6Protocol;
    return u"http://%1:%2"_s.arg(isSix ? u'[' + address.toString() + u']' : address.toString())
        .arg(d->isListening() ? d->serverPort() : d->options.port);
}

void Proxy::close(int ms)
{
    d->QTcpServer::close();
    d->isClosing = true;
    QTimer::singleShot(0, this, [this] { d->endIdle(false); });
    QTimer::singleShot(ms, this, [this] { d->endIdle(true); });
}

} // namespace instar
