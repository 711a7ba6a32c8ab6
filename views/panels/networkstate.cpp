// SPDX-License-Identifier: Apache-2.0
#include "views/panels/networkstate.h"

#include <QCoreApplication>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct NetworkWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::NetworkPanel)
};

/// In how many seconds it is tried again; empty: not by itself.
QString retryText(const NetworkState &state, const QDateTime &now)
{
    if (!state.retry.isValid())
        return {};
    const qint64 seconds = (std::max<qint64>(now.msecsTo(state.retry), 0) + 999) / 1000;
    return seconds == 0 ? NetworkWords::tr("again now")
                        : NetworkWords::tr("again in %1 s").arg(seconds);
}

} // namespace

QString stateWord(NetworkState::Kind kind)
{
    switch (kind) {
    case NetworkState::Kind::None:
        return NetworkWords::tr("Not connected");
    case NetworkState::Kind::Connecting:
        return NetworkWords::tr("Connecting");
    case NetworkState::Kind::Loading:
        return NetworkWords::tr("Reading the tree");
    case NetworkState::Kind::Connected:
        return NetworkWords::tr("Connected");
    case NetworkState::Kind::Doubtful:
        return NetworkWords::tr("Not understood");
    case NetworkState::Kind::Unreachable:
        return NetworkWords::tr("No connection");
    case NetworkState::Kind::Lost:
        return NetworkWords::tr("Connection lost");
    case NetworkState::Kind::Closed:
        return NetworkWords::tr("Disconnected");
    case NetworkState::Kind::Serving:
        return NetworkWords::tr("Serving");
    }
    return {};
}

QString blockedText(const NetworkState &state, Intent intent)
{
    using Kind = NetworkState::Kind;
    if (!state.isRemote())
        return {};
    if (state.kind == Kind::Unreachable)
        return NetworkWords::tr("cannot be sent: there is no connection to the server");
    if (state.kind == Kind::Lost)
        return NetworkWords::tr("cannot be sent: the connection is lost");
    if (state.kind == Kind::Closed)
        return NetworkWords::tr("cannot be sent: the server is not connected");
    if (!state.hasTree)
        return NetworkWords::tr("cannot be sent yet: the tree is being read");
    if (state.readOnly && intent == Intent::Writes)
        return NetworkWords::tr(
            "read only: no change is sent until that is switched off in the Network menu");
    return {};
}

QString emptyTreeText(const NetworkState &state)
{
    using Kind = NetworkState::Kind;
    switch (state.kind) {
    case Kind::None:
    case Kind::Serving:
    case Kind::Connected:
        return {};
    case Kind::Connecting:
    case Kind::Loading:
        return state.hasTree ? QString()
                             : NetworkWords::tr("The tree is being read from the server.");
    case Kind::Doubtful:
        return NetworkWords::tr("Nothing here is understood: check the URL or the system.");
    case Kind::Unreachable:
        return NetworkWords::tr("Nothing is known: there is no connection to the server.");
    case Kind::Lost:
        return NetworkWords::tr("Nothing was seen before the connection was lost.");
    case Kind::Closed:
        return NetworkWords::tr("Not connected to the server.");
    }
    return {};
}

QString failureText(const NetworkState &state, const QDateTime &now)
{
    QString sentence = state.detail.isEmpty() ? state.url : state.detail;
    while (sentence.endsWith(u'.'))
        sentence.chop(1);
    if (state.kind != NetworkState::Kind::Doubtful)
        sentence = u"%1: %2"_s.arg(stateWord(state.kind), sentence);
    const QString retry = retryText(state, now);
    return retry.isEmpty() ? sentence : u"%1 · %2"_s.arg(sentence, retry);
}

QString stateText(const NetworkState &state, const QDateTime &now)
{
    QStringList parts;
    for (const QString &part : { state.url, state.detail }) {
        if (!part.isEmpty())
            parts += part;
    }
    if (state.kind == NetworkState::Kind::Connected && !state.polls)
        parts += NetworkWords::tr("polling is paused");
    if (const QString retry = retryText(state, now); !retry.isEmpty())
        parts += retry;
    return parts.join(u" · "_s);
}

} // namespace instar
