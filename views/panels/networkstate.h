// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QString>

namespace instar {

/// How the connection to a server stands.
struct NetworkState
{
    enum class Kind {
        None,       ///< the world is our own
        Connecting, ///< also: again
        Loading,    ///< the tree is being read
        Connected,
        Lost,
        Closed,  ///< by us; what was seen last is still shown
        Serving, ///< others connect to us
    };
    Kind kind = Kind::None;
    QString url;
    QString detail;  ///< why, or how far; a few words
    int done = -1;   ///< of what takes long; -1: nothing does
    int total = -1;  ///< -1: not known
    QDateTime retry; ///< when it is tried again; invalid: not by itself
    bool readOnly = true;
    bool operator==(const NetworkState &) const = default;

    bool isRemote() const { return kind != Kind::None && kind != Kind::Serving; }
};

/// "Connected", "Connection lost", ...
QString stateWord(NetworkState::Kind kind);
/// What follows the word: where, why, and in how many seconds again.
QString stateText(const NetworkState &state, const QDateTime &now);

} // namespace instar
