// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumllines.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostComments = 9; // before a statement on its line

bool isWord(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'_';
}

/// "@startuml" at the beginning, or behind signs only.
qsizetype startOf(QStringView line)
{
    const qsizetype at = line.indexOf(u"@start", 0, Qt::CaseInsensitive);
    for (qsizetype i = 0; i < at; ++i)
        if (isWord(line[i]))
            return -1;
    return at;
}

bool isEnd(QStringView line)
{
    return line.trimmed().startsWith(u"@end", Qt::CaseInsensitive);
}

PlantUmlBlock beginning(int number, QStringView said)
{
    qsizetype size = 0;
    while (size < said.size() && isWord(said[size]))
        ++size;
    PlantUmlBlock block;
    block.number = number;
    block.kind = said.left(size).toString().toLower();
    block.name = said.sliced(size).trimmed().toString();
    return block;
}

/// Puts lines into blocks.
class PlantUmlSplitter
{
public:
    explicit PlantUmlSplitter(const QStringList &lines) : m_lines(lines) { }

    QList<PlantUmlBlock> blocks()
    {
        while (m_at < m_lines.size()) {
            const QString &line = m_lines[m_at];
            if (const qsizetype start = startOf(line); start >= 0)
                readBlock(beginning(int(m_at) + 1, QStringView(line).sliced(start + 6)),
                    line.left(start));
            else
                ++m_at;
        }
        if (m_blocks.isEmpty()) {
            m_at = -1;
            readBlock({ .kind = u"uml"_s }, {});
        }
        return m_blocks;
    }

private:
    /// The line without what stands before each one.
    QString bare(const QString &line) const
    {
        if (m_before.trimmed().isEmpty())
            return line;
        if (line.startsWith(m_before))
            return line.sliced(m_before.size());
        const QString sign = m_before.trimmed();
        const QString trimmed = line.trimmed();
        return trimmed.startsWith(sign) ? trimmed.sliced(sign.size()) : line;
    }

    void readBlock(PlantUmlBlock block, const QString &before)
    {
        m_before = before;
        m_blocks.append(std::move(block));
        for (++m_at; m_at < m_lines.size(); ++m_at) {
            const QString line = bare(m_lines[m_at]);
            if (startOf(m_lines[m_at]) >= 0)
                return;
            if (isEnd(line)) {
                m_blocks.last().isClosed = true;
                ++m_at;
                return;
            }
            readLine(line);
        }
    }

    void readLine(QString line)
    {
        for (int i = 0; i < MostComments && line.trimmed().startsWith(u"/'"); ++i)
            if (!skipComment(line))
                return;
        PlantUmlBlock &block = m_blocks.last();
        const QString trimmed = line.trimmed();
        if (trimmed.startsWith(u'\'')) {
            block.comments += trimmed;
            return;
        }
        takeTrailingComment(line);
        const int number = int(m_at) + 1;
        while (line.endsWith(u'\\')) {
            line.chop(1);
            if (m_at + 1 < m_lines.size() && !isLimit(m_lines[m_at + 1]))
                line += bare(m_lines[++m_at]);
        }
        takeTrailingComment(line); // of the last line that was joined
        if (const QStringView text = QStringView(line).trimmed(); text.endsWith(u'\\'))
            line = line.left(text.end() - line.cbegin() - 1) + u"<U+005C>"_s; // joins nothing
        block.lines.append({ number, line });
    }

    void takeTrailingComment(QString &line)
    {
        const QStringView trimmed = QStringView(line).trimmed();
        const qsizetype end = line.indexOf(trimmed) + trimmed.size() - 2;
        const qsizetype open = trimmed.endsWith(u"'/") ? line.lastIndexOf(u"/'"_s, end - 2) : -1;
        if (open < 0 || line.indexOf(u"'/"_s, open + 2) != end)
            return;
        m_blocks.last().comments += line.sliced(open).trimmed();
        line.truncate(open);
    }

    bool isLimit(const QString &line) const { return startOf(line) >= 0 || isEnd(bare(line)); }

    /// Takes a comment off that the line begins with, and the lines that it goes over. False:
    /// nothing is left.
    bool skipComment(QString &line)
    {
        PlantUmlBlock &block = m_blocks.last();
        const int begun = int(m_at) + 1;
        QStringList comment;
        qsizetype from = line.indexOf(u"/'") + 2;
        qsizetype end = line.indexOf(u"'/", from);
        while (end < 0) {
            comment += line.trimmed();
            if (m_at + 1 >= m_lines.size() || isLimit(m_lines[m_at + 1])) {
                block.comments += (comment + QStringList(u"'/"_s)).join(u'\n');
                block.openComment = begun;
                return false;
            }
            line = bare(m_lines[++m_at]);
            end = line.indexOf(u"'/");
        }
        comment += line.left(end + 2).trimmed();
        block.comments += comment.join(u'\n');
        line = line.sliced(end + 2);
        return !line.trimmed().isEmpty();
    }

    const QStringList &m_lines;
    qsizetype m_at = 0;
    QString m_before;
    QList<PlantUmlBlock> m_blocks;
};

} // namespace

QList<PlantUmlBlock> plantUmlBlocks(const QStringList &lines)
{
    return PlantUmlSplitter(lines).blocks();
}

} // namespace instar
