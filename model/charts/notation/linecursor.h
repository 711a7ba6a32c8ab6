// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

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

} // namespace instar
