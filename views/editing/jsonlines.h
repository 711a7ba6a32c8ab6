// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace instar {

/// A part of a line of JSON, which may be broken.
struct JsonToken
{
    enum class Kind {
        Key,  ///< with its quotes
        Text, ///< the same
        Word, ///< a number, true, false, null, or what is none of these
        Open, ///< { or [
        Close,
        Sign, ///< a colon or comma
    };
    Kind kind = Kind::Sign;
    qsizetype from = 0, length = 0;
    bool operator==(const JsonToken &) const = default;
};

/// Spaces are no part. A string that is not closed ends with its line.
QList<JsonToken> tokensIn(QStringView line);

} // namespace instar
