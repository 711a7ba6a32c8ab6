// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/remote/scriptedserver.h"

namespace instar {

/// A server of one logical network "ln", which an operation works on for as long as `running` says
/// so. `asked` and `put` answer a question about the operation and a PUT themselves where they say
/// so.
inline ScriptedServer::Handler loneNetwork(
    bool *running,
    const std::function<bool(QTcpSocket *)> &asked = [](QTcpSocket *) { return false; },
    const std::function<bool(QTcpSocket *)> &put = [](QTcpSocket *) { return false; })
{
    return [=, operations = 122](const HttpRequest &request, QTcpSocket *socket) mutable {
        const auto network = [running] {
            return QByteArray("{\"resourceRef\": \"/logicalNetworks/ln\", \"resourceId\": \"ln\", "
                              "\"properties\": {\"provisioningState\": \"")
                + (*running ? "Updating" : "Succeeded") + "\"}}";
        };
        if (request.target.contains("/operations/")) {
            if (!asked(socket))
                ScriptedServer::answer(socket, 200,
                    *running ? "{\"status\": \"InProgress\"}" : "{\"status\": \"Succeeded\"}",
                    { { "Retry-After", "0" } });
        } else if (request.method == "PUT") {
            if (put(socket))
                return;
            *running = true;
            ScriptedServer::answer(socket, 200, network(),
                { { "Azure-AsyncOperation",
                      "/networking/v1/operations/0" + QByteArray::number(++operations) },
                    { "Retry-After", "0" } });
        } else if (request.target.endsWith("/logicalNetworks")) {
            ScriptedServer::answer(socket, 200, "{\"value\": [" + network() + "]}");
        } else if (request.target.endsWith("/logicalNetworks/ln")) {
            ScriptedServer::answer(socket, 200, network());
        } else {
            ScriptedServer::answer(socket, 404);
        }
    };
}

/// The same, whose operations have ended when somebody asks about them.
inline ScriptedServer::Handler quickNetwork(bool *running)
{
    return loneNetwork(running, [running](QTcpSocket *) {
        *running = false;
        return false;
    });
}

} // namespace instar
