// SPDX-License-Identifier: Apache-2.0
#include "model/formats/mermaid/mermaidlines.h"

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
class Splitter
{
public:
    Splitter(const QStringList &lines, qsizetype begin, qsizetype end)
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
            else if (text.startsWith(u"%%") || (text.startsWith(u'#') && !m_block.kind.isEmpty()))
                m_block.comments += text;
            else if (!m_block.kind.isEmpty())
                m_block.lines.append({ int(m_at) + 1, m_lines[m_at] });
            else if (!text.isEmpty())
                readKind(text);
        }
        return m_block;
    }

private:
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
    bool m_hasNoEnd = false; ///< there is no "}%%" any more
    MermaidBlock m_block;
};

} // namespace

QList<MermaidBlock> mermaidBlocks(const QStringList &lines)
{
    if (std::none_of(lines.begin(), lines.end(), opensMermaid))
        return { Splitter(lines, 0, lines.size()).block() };
    QList<MermaidBlock> blocks;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        if (!isFence(lines[at]))
            continue;
        qsizetype end = at + 1;
        while (end < lines.size() && !isFence(lines[end]))
            ++end;
        if (opensMermaid(lines[at]))
            blocks += Splitter(lines, at + 1, end).block();
        at = end;
    }
    return blocks;
}

} // namespace instar
