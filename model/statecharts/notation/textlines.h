// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

#include <QByteArray>
#include <QList>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <utility>

namespace instar {

/// Number of blanks at the beginning of a line.
qsizetype indentOf(QStringView line);
/// Line with blanks before it; an empty one stays empty.
QString indented(const QString &line, qsizetype blanks);
/// Lines without their common indentation and without trailing blanks.
QStringList unindented(const QStringList &lines);

/// Replaces letters of a text from left to right: `replaced` is given the rest of the text, and
/// returns a replacement and the length of the replaced beginning.
QString replacedLetters(QStringView text,
    const std::function<std::pair<QString, qsizetype>(QStringView rest)> &replaced);
/// Replaces each letter by the result of `written`; every line break becomes a line feed first.
/// `isEdge` is true for the first and the last letter.
QString writtenLetters(
    QString shown, const std::function<QString(QStringView rest, bool isEdge)> &written);

/// Compiles a case-insensitive regular expression for lines. {s} in the rule matches a blank;
/// blanks in the rule are ignored.
QRegularExpression lineRegex(QString rule);

struct DiagramLine
{
    int number = 0; ///< in the file, counted from 1
    QString text;   ///< with its indentation
};

// Text files that hold diagrams among other things: PlantUML's and Mermaid's.

struct DiagramsRead : StatechartsRead
{
    std::optional<Diagnostic> other; ///< the first diagram of another kind
};

/// Reads the diagrams of a file; invalid bytes give a remark. `readLines` adds diagrams and
/// remarks, in any order. A file without a diagram is an error that names what was `expected` and
/// which other kind of diagram the file holds.
Result<StatechartsRead> readDiagrams(const QByteArray &bytes, const QString &file,
    const QString &expected, void (*readLines)(const QStringList &lines, DiagramsRead &read));

/// Adds a diagram that begins in the line. One without states is a remark instead.
void addDiagram(Statechart chart, int line, StatechartsRead &read);
/// Reports a diagram of another kind, "a class diagram (class A)".
void refuseDiagram(const QString &kind, int line, DiagramsRead &read);

/// Replaces control and bidirectional characters of a written text by "\\u202e" and the like, with
/// a remark, since the notation has no escapes for them. Removes line feeds from the remarks.
void escapeControls(StatechartsWritten &written);

} // namespace instar
