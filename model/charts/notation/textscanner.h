// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <algorithm>

namespace instar {

/// Reads a text whose line ends mean nothing from left to right, and knows the line in which it is.
class TextScanner
{
public:
    explicit TextScanner(QStringView text) : m_text(text) { }

    bool isAtEnd() const { return m_at >= m_text.size(); }
    qsizetype at() const { return m_at; }
    int line() const { return m_line; }
    QStringView rest() const { return m_text.sliced(m_at); }
    QStringView from(qsizetype begin) const { return m_text.sliced(begin, m_at - begin); }
    /// The letter in so many places; none: 0.
    QChar peek(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : QChar();
    }
    bool isAtLineStart() const { return m_at == 0 || m_text[m_at - 1] == u'\n'; }

    void skip(qsizetype letters = 1)
    {
        const qsizetype end = std::min(m_at + letters, m_text.size());
        m_line += int(m_text.sliced(m_at, end - m_at).count(u'\n'));
        m_at = end;
    }

    bool take(QStringView text)
    {
        if (!rest().startsWith(text, Qt::CaseInsensitive))
            return false;
        skip(text.size());
        return true;
    }

    template<typename Is>
    QStringView takeWhile(Is is)
    {
        const qsizetype begin = m_at;
        while (!isAtEnd() && is(m_text[m_at]))
            skip();
        return from(begin);
    }

    void skipSpaces()
    {
        takeWhile([](QChar letter) { return letter.isSpace(); });
    }

    /// To behind `end`; to the end of the text where it does not come. False: it does not.
    bool skipBehind(QStringView end)
    {
        const qsizetype found = m_text.indexOf(end, m_at);
        skip(found < 0 ? m_text.size() : found + end.size() - m_at);
        return found >= 0;
    }

private:
    QStringView m_text;
    qsizetype m_at = 0;
    int m_line = 1;
};

} // namespace instar
