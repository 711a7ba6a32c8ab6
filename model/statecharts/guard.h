// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace instar {

/// Parsed condition of a statechart's arc: names joined by `!`, `&&`, `||` and parentheses, and
/// In('state'). Any text between these is a name: "must be replaced", "count > 3".
struct Guard
{
    enum class Kind {
        Always,
        Never,
        Else, ///< no other way out of its vertex holds
        Name, ///< `text`, evaluated by the caller: see Answers
        In,   ///< the state `text` is active
        Not,  ///< negation of the first of `parts`
        All,
        Any,
    };
    Kind kind = Kind::Always;
    QString text;
    QList<Guard> parts;
};

/// Parses a condition; a text with a syntax error is one name.
Guard guardOf(const QString &condition);

} // namespace instar
