// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/volley.h"

#include <QSslSocket>
#include <QTimer>

namespace instar {

/// A connection.
struct Volley::Line
{
    enum class State { Opening, Warm, Loaded, Sending, Waiting };
    explicit Line(HttpLimits limits) : parser(HttpParser::Reads::Responses, limits) { }

    State state = State::Opening;
    QTcpSocket *socket = nullptr;
    bool isSecure = false;
    HttpParser parser;
    QStringList tlsProblems;
    quint64 salvo = 0;                 ///< 0: none has taken it
    int index = -1;                    ///< of its request
    bool isSecondTry = false;          ///< the connection before it was closed while it waited
    qint64 began = -1, firstByte = -1; ///< ns
};

struct Volley::Salvo
{
    quint64 id = 0;
    QList<QByteArray> requests;
    std::vector<Line *> lines; ///< by request; null: concluded, or not open yet
    VolleyReport report;
    qint64 base = -1;          ///< ns, at the release
    int opening = 0, open = 0; ///< requests whose connection is not there yet; that have no end
    bool isQueued = false;
    QTimer *timer = nullptr; ///< for connecting, then for answering
};

} // namespace instar
