// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/connection.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/valueof.h"

#include <QTest>

// Questions to scripted servers, one by one.

namespace instar {

inline std::unique_ptr<Connection> connected(const Connection::Options &options)
{
    return valueOf(Connection::make(options));
}

inline Connection::RemoteRequest remoteRequest(
    const QByteArray &target, const QByteArray &method = "GET")
{
    Connection::RemoteRequest remoteRequest;
    remoteRequest.request.method = method;
    remoteRequest.request.target = target;
    return remoteRequest;
}

/// Sends and waits.
inline Connection::Answer asked(
    Connection &connection, const Connection::RemoteRequest &remoteRequest)
{
    std::optional<Connection::Answer> answer;
    connection.send(remoteRequest, [&](const Connection::Answer &given) { answer = given; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 20'000))
        qFatal("no answer");
    return *answer;
}

inline QString text(const Connection::Answer &answer)
{
    return answer.response ? QStringLiteral("%1 %2")
                                 .arg(answer.response->status)
                                 .arg(QString::fromUtf8(answer.response->body))
                           : answer.problem;
}

inline void echo(const HttpRequest &request, QTcpSocket *socket)
{
    ScriptedServer::answer(socket, 200, request.method + ' ' + request.target + ' ' + request.body);
}

inline ScriptedServer::Handler answering(int status, const HttpHeaders &headers = {})
{
    return [=](const HttpRequest &, QTcpSocket *socket) {
        ScriptedServer::answer(socket, status, "x", headers);
    };
}

} // namespace instar
