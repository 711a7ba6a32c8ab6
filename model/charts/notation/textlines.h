// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statecharts.h"

#include <QByteArray>
#include <QList>
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

/// Reads one line from left to right. Whatever is not there leaves it where it was.
class LineCursor
{
public:
    explicit LineCursor(QStringView line) : m_line(line) { }

    bool isAtEnd() const { return m_at >= m_line.size(); }
    qsizetype at() const { return m_at; }
    void goTo(qsizetype at) { m_at = at; }
    QStringView rest() const { return m_line.sliced(m_at); }
    QStringView from(qsizetype begin) const { return m_line.sliced(begin, m_at - begin); }
    /// The letter in so many places; none: 0.
    QChar peek(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_line.size() ? m_line[m_at + ahead] : QChar();
    }

    bool skipSpaces() ///< true: there were some
    {
        return !takeWhile([](QChar letter) { return letter.isSpace(); }).isEmpty();
    }

    bool take(QStringView text)
    {
        if (!rest().startsWith(text, Qt::CaseInsensitive))
            return false;
        m_at += text.size();
        return true;
    }

    /// The same where no letter, digit or "_" follows.
    bool takeWord(QStringView word)
    {
        const QChar next = peek(word.size());
        return !next.isLetterOrNumber() && next != u'_' && take(word);
    }

    template<typename Is>
    QStringView takeWhile(Is is)
    {
        const qsizetype begin = m_at;
        while (!isAtEnd() && is(m_line[m_at]))
            ++m_at;
        return from(begin);
    }

    /// What stands up to `end`, which is passed; null: `end` is missing.
    QStringView takeUpTo(QStringView end)
    {
        const qsizetype found = m_line.indexOf(end, m_at);
        if (found < 0)
            return {};
        const QStringView result = m_line.sliced(m_at, found - m_at);
        m_at = found + end.size();
        return result.isNull() ? QStringView(u"") : result;
    }

private:
    QStringView m_line;
    qsizetype m_at = 0;
};

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
