// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace instar {

/// What the condition of a statechart's arc asks: names joined by `!`, `&&`, `||` and parentheses,
/// and In('state'). Everything between these is a name: "must be replaced", "count > 3".
struct Guard
{
    enum class Kind {
        Always,
        Never,
        Else, ///< no other way out of its vertex holds
        Name, ///< `text`: somebody else knows
        In,   ///< the state `text` is active
        Not,  ///< not the first of `parts`
        All,
        Any,
    };
    Kind kind = Kind::Always;
    QString text;
    QList<Guard> parts;
    bool operator==(const Guard &) const = default;
};

/// What cannot be taken apart is one name.
Guard guardOf(const QString &condition);

} // namespace instar
