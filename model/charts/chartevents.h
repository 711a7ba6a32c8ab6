// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace instar {

/// Events that a running statechart tells itself.
struct OwnEvents
{
    QStringList raised; ///< heard before it comes to rest
    QStringList sent;   ///< heard afterwards, before anything from outside
    bool isEmpty() const { return raised.isEmpty() && sent.isEmpty(); }
    bool operator==(const OwnEvents &) const = default;
};

/// What of a piece of W3C SCXML's executable content can be executed without data: <raise>, and
/// <send> to itself without delay.
struct Executable
{
    OwnEvents events;
    bool isWhole = true; ///< there is nothing else in it
};

/// Of XML without or with <onentry> and <onexit> around it.
Executable executableIn(const QString &xml);

} // namespace instar
