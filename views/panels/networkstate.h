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
        Doubtful,    ///< what answers there does not speak as the system does
        Unreachable, ///< it never was connected
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
    bool hasTree = false; ///< it was read once
    bool polls = true;    ///< questions are asked by themselves
    QString recording;    ///< name of the file that everything is written to; empty: none
    bool operator==(const NetworkState &) const = default;

    bool isRemote() const { return kind != Kind::None && kind != Kind::Serving; }
    bool isFailure() const
    {
        return kind == Kind::Doubtful || kind == Kind::Unreachable || kind == Kind::Lost;
    }
};

/// What is to be sent: something that may change the server's world, or only looks at it.
enum class Intent { Writes, Reads };

/// Why nothing of that intent can be sent as things stand, and where that is changed; empty: it
/// can.
QString blockedText(const NetworkState &state, Intent intent = Intent::Writes);
/// What the tree says where it is empty because of the connection; empty: it is empty otherwise.
QString emptyTreeText(const NetworkState &state);
/// "Connected", "Connection lost", ...
QString stateWord(NetworkState::Kind kind);
/// What is wrong, in one sentence, and in how many seconds it is tried again.
QString failureText(const NetworkState &state, const QDateTime &now);
/// What follows the word: where, why, and in how many seconds again.
QString stateText(const NetworkState &state, const QDateTime &now);

} // namespace instar
