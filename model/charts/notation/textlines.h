// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statecharts.h"

#include <QByteArray>
#include <QList>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <optional>

namespace instar {

/// How many blanks the line begins with.
qsizetype indentOf(QStringView line);
/// The line behind so many blanks; an empty one stays empty.
QString indented(const QString &line, qsizetype blanks);
/// Lines without what all of them are indented by, and without blanks at their ends.
QStringList unindented(const QStringList &lines);

/// A regular expression for lines, whatever their case. {s} stands for a blank, and blanks in the
/// rule for nothing.
QRegularExpression lineRule(QString rule);

struct DiagramLine
{
    int number = 0; ///< in the file, counted from 1
    QString text;   ///< with its indentation
};

// Text files that hold diagrams among other things: PlantUML's and Mermaid's.

struct DiagramsRead : StatechartsRead
{
    std::optional<Remark> other; ///< the first diagram of another kind
};

/// Reads a file as lines; where it is no text, a remark says so. `readLines` adds the diagrams and
/// remarks, in any order. A file without diagram is an error, which says what was `expected`, and
/// what kind of diagram it holds instead.
Result<StatechartsRead> readDiagrams(const QByteArray &bytes, const QString &file,
    const QString &expected, void (*readLines)(const QStringList &lines, DiagramsRead &read));

/// Adds a diagram that begins in the line; one without states becomes a remark.
void addDiagram(Statechart chart, int line, StatechartsRead &read);
/// Leaves out one of another kind, "a class diagram (class A)".
void refuseDiagram(const QString &kind, int line, DiagramsRead &read);

/// Spells out control and bidirectional characters of a text that was written, and says so: the
/// notation has no escapes that stand for them. Takes line feeds out of the remarks.
void spellOut(StatechartsWritten &written);

} // namespace instar
