// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/httpparser.h"

#include <QFile>
#include <QProcess>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QUrl>

#include <functional>
#include <memory>

namespace instar {

/// A server on a free port of the loopback that answers as a test says, rightly or wrongly.
class ScriptedServer
{
public:
    using Handler = std::function<void(const HttpRequest &, QTcpSocket *)>;

    explicit ScriptedServer(Handler handler, const QSslConfiguration *tls = nullptr)
        : m_handler(std::move(handler)),
          m_server(tls ? std::make_unique<QSslServer>() : std::make_unique<QTcpServer>()),
          m_isSecure(tls)
    {
        if (tls)
            static_cast<QSslServer *>(m_server.get())->setSslConfiguration(*tls);
        m_server->setListenBacklogSize(1024);
        listen(0);
        QObject::connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, m_server.get(),
            [this] { accept(); });
    }

    void listen(quint16 port)
    {
        if (!m_server->listen(QHostAddress::LocalHost, port))
            qFatal("no port");
        m_port = m_server->serverPort();
    }
    /// Ends every connection, and takes no new ones.
    void stop()
    {
        m_server->close();
        hangUp();
    }
    void restart() { listen(m_port); }
    /// Leaves new connections to the system, which completes them, but no TLS handshake.
    void pause() { m_server->pauseAccepting(); }
    void hangUp()
    {
        const QList<QTcpSocket *> open = m_server->findChildren<QTcpSocket *>();
        for (QTcpSocket *socket : open)
            socket->abort();
    }

    QUrl url(const QString &path = {}) const
    {
        return QUrl(QStringLiteral("%1://127.0.0.1:%2%3")
                        .arg(QLatin1String(m_isSecure ? "https" : "http"))
                        .arg(m_port)
                        .arg(path));
    }

    static void answer(QTcpSocket *socket, int status, const QByteArray &body = {},
        const HttpHeaders &headers = {})
    {
        HttpResponse response;
        response.status = status;
        response.headers = headers;
        response.body = body;
        socket->write(toBytes(response));
    }

    int connections = 0;         ///< that were ever made
    QStringList log;             ///< "connected", "PUT /a"
    QList<HttpRequest> requests; ///< in order of arrival

private:
    void accept()
    {
        while (QTcpSocket *socket = m_server->nextPendingConnection()) {
            ++connections;
            log += QStringLiteral("connected");
            auto parser = std::make_shared<HttpParser<HttpRequest>>(
                HttpLimits { .headerBytes = 1024 * 1024, .bodyBytes = 256 * 1024 * 1024 });
            const auto read = [this, socket, parser] {
                parser->feed(socket->readAll());
                while (const auto request = parser->take()) {
                    log += QString::fromUtf8(request->method + ' ' + request->target);
                    requests += *request;
                    m_handler(*request, socket);
                }
            };
            QObject::connect(socket, &QTcpSocket::readyRead, m_server.get(), read);
            QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            if (socket->bytesAvailable() > 0)
                read();
        }
    }

    Handler m_handler;
    std::unique_ptr<QTcpServer> m_server;
    bool m_isSecure;
    quint16 m_port = 0;
};

/// A certificate of its own signing for the loopback, made by the openssl program.
struct TestCertificate
{
    QByteArray certificate, key; ///< PEM; empty: there is no openssl
    QSslConfiguration server() const
    {
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificate(QSslCertificate(certificate));
        configuration.setPrivateKey(QSslKey(key, QSsl::Ec));
        return configuration;
    }
    static TestCertificate make(const QString &name = QStringLiteral("instar test"))
    {
        const QTemporaryDir folder;
        const QString path = folder.path();
        const int exit = QProcess::execute(QStringLiteral("sh"),
            { QStringLiteral("-c"),
                QStringLiteral("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 "
                               "-nodes -days 2 -subj '/CN=%1' -addext "
                               "subjectAltName=IP:127.0.0.1,DNS:localhost -keyout '%2/key.pem' "
                               "-out '%2/cert.pem' 2>/dev/null")
                    .arg(name, path) });
        const auto bytes = [&](const char *file) {
            QFile opened(path + QLatin1String(file));
            return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
        };
        return exit == 0 ? TestCertificate { bytes("/cert.pem"), bytes("/key.pem") }
                         : TestCertificate();
    }
};

} // namespace instar
