// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QSet>
#include <QStringList>

namespace instar {

struct DiagramLine
{
    int number = 0; ///< in the file, counted from 1
    QString text;   ///< with its indentation
};

/// What is worth knowing of a note in whose text the line begins another one.
QString nestedNote(int line);

/// Finds the lines at which a diagram's blocks end. What does not come any more is looked for once
/// only, so that many blocks without end take no more than linear time. The lines must outlive it.
class BlockEnds
{
public:
    explicit BlockEnds(const QList<DiagramLine> &lines) : m_lines(lines) { }

    /// The next line from `from` on that is one of `ends` (lower case, blanks simplified); -1:
    /// none.
    qsizetype next(qsizetype from, const QStringList &ends);
    /// Where the block ends that begins in the line `from`, counting braces; -1: nowhere.
    qsizetype closingBrace(qsizetype from);

private:
    const QList<DiagramLine> &m_lines;
    QSet<QString> m_missing;
};

} // namespace instar
