// SPDX-License-Identifier: Apache-2.0
#include "model/charts/mermaid/mermaidlines.h"

#include "model/charts/mermaid/mermaidgrammar.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool isFence(const QString &line)
{
    const QString text = line.trimmed();
    return text.startsWith(u"```"_s) || text.startsWith(u"~~~"_s);
}

bool opensMermaid(const QString &line)
{
    const QString language = line.trimmed().mid(3).trimmed().toLower();
    return isFence(line) && (language.startsWith(u"mermaid") || language.startsWith(u"{mermaid}"));
}

/// Reads a block of lines into its parts.
class MermaidSplitter
{
public:
    MermaidSplitter(const QStringList &lines, qsizetype begin, qsizetype end)
        : m_lines(lines), m_at(begin), m_end(end)
    {
        m_block.number = int(begin) + 1;
    }

    MermaidBlock block()
    {
        readFrontmatter();
        for (; m_at < m_end; ++m_at) {
            const QString text = m_lines[m_at].trimmed();
            if (text.startsWith(u"%%{"))
                readDirective();
            else if (text.startsWith(u"%%") || isComment(text))
                m_block.comments += text;
            else if (!m_block.kind.isEmpty())
                addLine(text);
            else if (!text.isEmpty())
                readKind(text);
        }
        return m_block;
    }

private:
    /// A line that begins with "#", but not in a text nor with a letter's number.
    bool isComment(const QString &text) const
    {
        qsizetype at = text.startsWith(u'#') ? 1 : 0;
        while (at > 0 && at < text.size() && text[at].isDigit())
            ++at;
        const bool isLetter = at > 1 && at < text.size() && text[at] == u';';
        return at > 0 && !isLetter && !m_block.kind.isEmpty() && m_at >= m_textEnd;
    }

    void addLine(const QString &text)
    {
        m_block.lines.append({ int(m_at) + 1, m_lines[m_at] });
        if (m_at < m_textEnd)
            return;
        const QString words = text.simplified().toLower();
        const bool isDescription =
            words.startsWith(u"accdescr {"_s) || words.startsWith(u"accdescr{"_s);
        if (isDescription && !text.contains(u'}'))
            readText(m_hasNoBrace, [](const QString &line) { return line.contains(u'}'); });
        const std::optional<MermaidNote> note = isDescription
            ? std::nullopt
            : mermaidNote(QStringView(text).left(text.indexOf(u"%%"_s)));
        if (note && !note->isWhole)
            readText(m_hasNoNoteEnd,
                [](const QString &line) { return line.simplified().toLower() == u"end note"; });
    }

    /// What follows is text up to a line and with it; `isMissing` remembers that there is none.
    template<typename IsEnd>
    void readText(bool &isMissing, IsEnd isEnd)
    {
        qsizetype end = m_at + 1;
        while (!isMissing && end < m_end
            && (m_lines[end].trimmed().startsWith(u"%%") || !isEnd(m_lines[end])))
            ++end;
        isMissing = isMissing || end == m_end;
        m_textEnd = isMissing ? m_at : end + 1;
    }

    void readFrontmatter()
    {
        qsizetype begin = m_at;
        while (begin < m_end && m_lines[begin].trimmed().isEmpty())
            ++begin;
        if (begin >= m_end || m_lines[begin].trimmed() != u"---")
            return;
        qsizetype end = begin + 1;
        while (end < m_end && m_lines[end].trimmed() != u"---")
            ++end;
        if (end >= m_end)
            return;
        m_block.frontmatter = m_lines.mid(begin + 1, end - begin - 1);
        m_at = end + 1;
    }

    void readDirective()
    {
        qsizetype end = m_at;
        while (!m_hasNoEnd && end < m_end && !m_lines[end].trimmed().endsWith(u"}%%"_s))
            ++end;
        if (m_hasNoEnd || end == m_end) { // then it is a comment
            m_hasNoEnd = true;
            m_block.comments += u"%% "_s + m_lines[m_at].trimmed().sliced(2);
            return;
        }
        QStringList text;
        for (qsizetype i = m_at; i <= end; ++i)
            text += m_lines[i].trimmed();
        m_block.directives += text.join(u' ');
        m_at = end;
    }

    void readKind(const QString &text)
    {
        qsizetype size = 0;
        while (
            size < text.size() && !text[size].isSpace() && text[size] != u';' && text[size] != u':')
            ++size;
        m_block.kind = text.left(size);
        if (const QString rest = text.sliced(size).trimmed(); !rest.isEmpty() && rest != u";")
            m_block.lines.append({ int(m_at) + 1, rest });
    }

    const QStringList &m_lines;
    qsizetype m_at = 0;
    qsizetype m_end = 0;
    bool m_hasNoEnd = false;     ///< there is no "}%%" any more
    bool m_hasNoNoteEnd = false; ///< nor an "end note"
    bool m_hasNoBrace = false;   ///< nor a "}"
    qsizetype m_textEnd = 0;     ///< where the note or description ends that was begun last
    MermaidBlock m_block;
};

} // namespace

QList<MermaidBlock> mermaidBlocks(const QStringList &lines)
{
    if (std::none_of(lines.begin(), lines.end(), opensMermaid))
        return { MermaidSplitter(lines, 0, lines.size()).block() };
    QList<MermaidBlock> blocks;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        if (!isFence(lines[at]))
            continue;
        qsizetype end = at + 1;
        while (end < lines.size() && !isFence(lines[end]))
            ++end;
        if (opensMermaid(lines[at]))
            blocks += MermaidSplitter(lines, at + 1, end).block();
        at = end;
    }
    return blocks;
}

} // namespace instar
