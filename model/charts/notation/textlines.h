// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QStringList>

namespace instar {

/// A text file's lines, without their ends (LF, CR LF or CR).
struct TextLines
{
    QStringList lines;
    int firstBad = 0; ///< the first line that is not UTF-8, counted from 1; what is wrong in it
                      ///< shows as U+FFFD
};

/// Of UTF-8, or of UTF-16 and UTF-32 with a byte order mark; UTF-16 may begin with two letters of
/// ASCII instead.
TextLines textLines(const QByteArray &file);

/// How many blanks the line begins with.
qsizetype indentOf(QStringView line);
/// The line behind so many blanks; an empty one stays empty.
QString indented(const QString &line, qsizetype blanks);
/// Lines without what all of them are indented by, and without blanks at their ends.
QStringList unindented(const QStringList &lines);

} // namespace instar
