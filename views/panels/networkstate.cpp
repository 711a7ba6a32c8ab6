// SPDX-License-Identifier: Apache-2.0
#include "views/panels/networkstate.h"

#include <QCoreApplication>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(instar::NetworkPanel)
};

} // namespace

QString stateWord(NetworkState::Kind kind)
{
    switch (kind) {
    case NetworkState::Kind::None:
        return Words::tr("Not connected");
    case NetworkState::Kind::Connecting:
        return Words::tr("Connecting");
    case NetworkState::Kind::Loading:
        return Words::tr("Reading the tree");
    case NetworkState::Kind::Connected:
        return Words::tr("Connected");
    case NetworkState::Kind::Lost:
        return Words::tr("Connection lost");
    case NetworkState::Kind::Closed:
        return Words::tr("Disconnected");
    case NetworkState::Kind::Serving:
        return Words::tr("Serving");
    }
    return {};
}

QString stateText(const NetworkState &state, const QDateTime &now)
{
    QStringList parts;
    for (const QString &part : { state.url, state.detail }) {
        if (!part.isEmpty())
            parts += part;
    }
    if (state.retry.isValid()) {
        const qint64 seconds = (std::max<qint64>(now.msecsTo(state.retry), 0) + 999) / 1000;
        parts += seconds == 0 ? Words::tr("again now") : Words::tr("again in %1 s").arg(seconds);
    }
    return parts.join(u" · "_s);
}

} // namespace instar
