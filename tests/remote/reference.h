// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/library.h"
#include "model/remote/server.h"
#include "tests/support/valueof.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>

namespace instar {

/// A reference controller in this process whose virtual time the test lets pass, and a client on
/// one connection.
class Reference
{
public:
    explicit Reference(const QString &pack, const QList<ResourceSpec> &resources = {},
        const Server::Options &options = still())
        : Reference(*loadPack(pack), resources, options)
    { }
    Reference(const Pack &pack, const QList<ResourceSpec> &resources,
        const Server::Options &options = still())
        : m_pack(pack), m_simulator(*Rules::make(m_pack), World())
    {
        Rules rules = *Rules::make(m_pack);
        Loaded loaded = makeWorld(rules, resources.isEmpty() ? m_pack.sample : resources);
        if (!loaded.problem.isEmpty())
            qFatal("%s", qPrintable(loaded.problem));
        m_simulator.reset(std::move(rules), std::move(loaded.world));
        m_server = std::make_unique<Server>(m_simulator, options);
        valueOf(m_server->listen());
        connectAgain();
    }

    static Server::Options still()
    {
        Server::Options options;
        options.speed = 0;
        return options;
    }

    Simulator &simulator() { return m_simulator; }
    Server &server() { return *m_server; }
    QString origin() const { return m_server->origin(); }

    void connectAgain()
    {
        m_socket = std::make_unique<QTcpSocket>();
        m_parser = std::make_unique<HttpParser<HttpResponse>>();
        m_socket->connectToHost(
            QHostAddress::LocalHost, quint16(origin().section(u':', -1).toUInt()));
        if (!QTest::qWaitFor(
                [this] { return m_socket->state() == QAbstractSocket::ConnectedState; }))
            qFatal("no connection");
    }

    void send(const QByteArray &method, const QString &path, const QByteArray &body = {},
        const HttpHeaders &headers = {})
    {
        HttpRequest request {
            .method = method, .target = path.toUtf8(), .headers = headers, .body = body
        };
        request.headers.append("Host", origin().section(QStringLiteral("//"), 1).toLatin1());
        if (path.startsWith(QStringLiteral("/_instar/")) && !hasHeader(headers, "Content-Type"))
            request.headers.append("Content-Type", "application/json");
        if (method == "HEAD")
            m_parser->expectNoBody();
        m_socket->write(toBytes(request));
    }
    /// The next answer; status 0 where none comes.
    HttpResponse answer()
    {
        std::optional<HttpResponse> response;
        QTimer limit;
        limit.setSingleShot(true);
        limit.start(10'000);
        for (;;) {
            m_parser->feed(m_socket->readAll());
            const bool isClosed = m_socket->state() == QAbstractSocket::UnconnectedState;
            if (isClosed)
                m_parser->end();
            response = m_parser->take();
            if (response || m_parser->problem() || isClosed || limit.remainingTime() <= 0)
                return response ? *response : HttpResponse { .status = 0 };
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
    }
    HttpResponse ask(const QByteArray &method, const QString &path, const QByteArray &body = {},
        const HttpHeaders &headers = {})
    {
        send(method, path, body, headers);
        return answer();
    }
    HttpResponse plan(const QByteArray &json)
    {
        return ask("POST", QStringLiteral("/_instar/plan"), json);
    }

private:
    Pack m_pack;
    Simulator m_simulator;
    std::unique_ptr<Server> m_server;
    std::unique_ptr<QTcpSocket> m_socket;
    std::unique_ptr<HttpParser<HttpResponse>> m_parser;
};

inline QJsonObject objectIn(const HttpResponse &response)
{
    return QJsonDocument::fromJson(response.body).object();
}

/// A value by a path such as "error.details.0.code".
inline QJsonValue valueIn(const HttpResponse &response, const QString &path)
{
    QJsonValue value = objectIn(response);
    for (const QString &key : path.split(u'.')) {
        bool isIndex = false;
        const int index = key.toInt(&isIndex);
        value = isIndex ? value.toArray().at(index) : value.toObject().value(key);
    }
    return value;
}

inline QString stateIn(const HttpResponse &response)
{
    return valueIn(response, QStringLiteral("properties.provisioningState")).toString();
}

inline QString stateAt(Reference &reference, const QString &path)
{
    return stateIn(reference.ask("GET", path));
}

inline QString codeIn(const HttpResponse &response)
{
    return valueIn(response, QStringLiteral("error.code")).toString();
}

inline QString messageIn(const HttpResponse &response)
{
    return valueIn(response, QStringLiteral("error.message")).toString();
}

/// The server's id of an operation.
inline QString idIn(const HttpResponse &response)
{
    return QString::fromLatin1(header(response.headers, "x-ms-request-id"));
}

} // namespace instar
