// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace instar {

/// Error, warning or note about a place in a file.
struct Diagnostic
{
    enum class Severity { Error, Warning, Note };

    Diagnostic() = default;
    /// Diagnostic about a value of a JSON document.
    Diagnostic(Severity level, const QString &place, const QString &message, const QString &id,
        int atLine = 0, int atColumn = 0)
        : severity(level), pointer(place), text(message), code(id), line(atLine), column(atColumn)
    { }
    /// Makes a diagnostic about a line of a text. By default it is a loss (see isLoss()): a warning
    /// that the line was not kept.
    Diagnostic(int atLine, const QString &message, Severity level = Severity::Warning)
        : severity(level), text(message), line(atLine)
    { }

    /// True if the diagnostic says that reading or writing lost a part of a file.
    bool isLoss() const { return severity == Severity::Warning; }

    Severity severity = Severity::Error;
    QString pointer; ///< JSON pointer (RFC 6901)
    QString text;    ///< one sentence
    QString code;    ///< a stable id such as "unreachable-state"; empty for formats other than JSON
    int line = 0;    ///< counted from 1; 0: `pointer` gives the place, or the whole file is meant
    int column = 0;  ///< counted from 1, in characters; 0: the whole line

    // For fixesFor():
    QString unknown;       ///< the name at the pointer that does not exist
    QString nearestName;   ///< the nearest known name, if the text suggests one
    QStringList unhandled; ///< outcomes of a state's work that no transition handles

    bool operator==(const Diagnostic &) const = default;
};

} // namespace instar
