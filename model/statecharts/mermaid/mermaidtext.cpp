// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/mermaid/mermaidtext.h"

#include "model/statecharts/notation/textlines.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QHash<QString, QChar> entities { { u"quot"_s, u'"' }, { u"amp"_s, u'&' }, { u"lt"_s, u'<' },
    { u"gt"_s, u'>' }, { u"colon"_s, u':' }, { u"semi"_s, u';' }, { u"num"_s, u'#' } };

/// Decodes the entity between "#" and ";"; empty: it is unknown.
QString letterOf(const QString &name)
{
    if (const QChar letter = entities.value(name); !letter.isNull())
        return letter;
    bool isNumber = false;
    const char32_t code = name.toUInt(&isNumber);
    if (!isNumber || !name[0].isDigit() || code == 0 || code > 0x10ffff || QChar::isSurrogate(code))
        return {};
    return QString::fromUcs4(&code, 1);
}

/// Returns the length of the line break at the beginning of a text; 0: none.
qsizetype breakSize(QStringView text)
{
    if (text.startsWith(u"\\n"))
        return 2;
    if (!text.startsWith(u"<br", Qt::CaseInsensitive))
        return 0;
    qsizetype at = 3;
    while (at < text.size() && at < 8 && (text[at] == u' ' || text[at] == u'/'))
        ++at;
    return at < text.size() && text[at] == u'>' ? at + 1 : 0;
}

QString letterByNumber(QChar letter)
{
    return u'#' + QString::number(letter.unicode()) + u';';
}

/// True for texts with "direction LR", which Mermaid takes for a command anywhere.
bool looksLikeDirection(QStringView text)
{
    if (!text.startsWith(u"direction", Qt::CaseInsensitive))
        return false;
    const QStringView rest = text.sliced(9);
    const QStringView word = rest.trimmed().left(2);
    return !rest.isEmpty() && rest[0].isSpace()
        && std::any_of(std::begin(u"TBRL"), std::end(u"TBRL"),
            [&](char16_t each) { return !word.isEmpty() && word[0].toUpper() == QChar(each); });
}

} // namespace

QString shownByMermaid(const QString &written)
{
    return replacedLetters(written, [](QStringView rest) -> std::pair<QString, qsizetype> {
        if (const qsizetype size = breakSize(rest); size > 0)
            return { u"\n"_s, size };
        const qsizetype end = rest[0] == u'#' ? rest.left(12).indexOf(u';') : -1;
        const QString letter = end > 1 ? letterOf(rest.sliced(1, end - 1).toString()) : QString();
        return letter.isEmpty() ? std::pair(QString(rest[0]), qsizetype(1))
                                : std::pair(letter, end + 1);
    });
}

QString writtenForMermaid(const QString &shown)
{
    return writtenLetters(shown, [](QStringView rest, bool isEdge) {
        const bool isSpecial = u":;#\"<%`"_s.contains(rest[0]) || rest.startsWith(u"\\n")
            || rest.startsWith(u"--") || rest.startsWith(u"end note", Qt::CaseInsensitive)
            || looksLikeDirection(rest)
            || (isEdge && (rest[0].isSpace() || u"{}"_s.contains(rest[0])));
        return rest[0] == u'\n' ? u"<br/>"_s
            : isSpecial         ? letterByNumber(rest[0])
                                : QString(rest[0]);
    });
}

QStringList mermaidFrontmatter(const QString &title)
{
    if (title.isEmpty())
        return {};
    QString text = title;
    text.replace(u"\\"_s, u"\\\\"_s).replace(u"\""_s, u"\\\""_s).replace(u"\n"_s, u"\\n"_s);
    const bool isPlain = text == title && title[0].isLetterOrNumber() && !title.contains(u": "_s)
        && !title.contains(u" #"_s) && !title.endsWith(u':') && title.simplified() == title;
    return { isPlain ? u"title: "_s + title : u"title: \""_s + text + u'"' };
}

QString mermaidTitle(const QStringList &frontmatter)
{
    const auto line = std::ranges::find_if(
        frontmatter, [](const QString &each) { return each.startsWith(u"title:"_s); });
    if (line == frontmatter.end())
        return {};
    QString text = line->sliced(6).trimmed();
    if (text.size() < 2 || text.front() != text.back()
        || (text.front() != u'"' && text.front() != u'\''))
        return text;
    const bool isDouble = text.front() == u'"';
    text = text.sliced(1).chopped(1);
    if (!isDouble)
        return text.replace(u"''"_s, u"'"_s);
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isEscaped = text[i] == u'\\' && i + 1 < text.size();
        i += isEscaped ? 1 : 0;
        result += isEscaped && text[i] == u'n' ? QChar(u'\n') : text[i];
    }
    return result;
}

QStringList noteForMermaid(const QStringList &shown)
{
    QStringList written;
    bool isFlush = false; // some line is not indented, so the others keep their indentation
    for (const QString &line : shown) {
        const qsizetype indent = shown.size() == 1 || !isFlush ? 0 : indentOf(line);
        written += line.left(indent) + writtenForMermaid(line.sliced(indent));
        isFlush = isFlush || !written.last().isEmpty();
    }
    return written;
}

bool isMermaidId(QStringView text)
{
    static const QStringList words { u"state"_s, u"note"_s, u"class"_s, u"classdef"_s,
        u"direction"_s, u"scale"_s, u"click"_s, u"style"_s, u"href"_s, u"default"_s, u"acctitle"_s,
        u"accdescr"_s, u"hide"_s, u"end"_s, u"as"_s, u"statediagram"_s };
    const auto isGood = [](QChar letter) {
        return !letter.isSpace() && letter.isPrint() && !u":-{}\"#%;[]<>`,"_s.contains(letter);
    };
    return !text.isEmpty() && std::ranges::all_of(text, isGood)
        && !words.contains(text, Qt::CaseInsensitive);
}

namespace {

/// Compiles a rule in which {id} matches a state's name.
QRegularExpression mermaidRule(QString rule)
{
    return lineRegex(rule.replace(u"{id}"_s, u"[^{s}:{-]++"_s));
}

bool areIdsOrEmpty(const QStringList &ids)
{
    return std::ranges::all_of(
        ids, [](const QString &id) { return id.isEmpty() || isMermaidId(id); });
}

} // namespace

std::optional<MermaidState> mermaidState(const QString &line)
{
    static const QRegularExpression rule =
        mermaidRule(uR"rule(^state{s}++(?:"(?<label>[^"]++)"{s}*+as{s}++)?+(?<id>{id}){s}*+
            (?<fork><<fork>>|\[\[fork]])?+(?<join><<join>>|\[\[join]])?+
            (?<choice><<choice>>|\[\[choice]])?+{s}*+
            (?:(?<colon>:)(?<text>.*)|(?<brace>\{)(?<rest>.*))?+$)rule"_s);
    const QRegularExpressionMatch match = rule.match(line);
    MermaidState state { .id = match.captured(u"id"),
        .label = match.captured(u"label"),
        .text = match.captured(u"text").trimmed(),
        .stereotype = match.hasCaptured(u"choice") ? u"choice"_s
            : match.hasCaptured(u"join")           ? u"join"_s
            : match.hasCaptured(u"fork")           ? u"fork"_s
                                                   : QString(),
        .opens = match.hasCaptured(u"brace"),
        .rest = match.captured(u"rest").trimmed() };
    const bool hasText = match.hasCaptured(u"colon");
    const bool canGoOn = state.stereotype.isEmpty() && (state.opens || !state.label.isEmpty());
    const bool isGood = isMermaidId(state.id) && (canGoOn || (!hasText && !state.opens));
    return isGood ? std::optional(state) : std::nullopt;
}

const QMap<QString, Vertex::Kind> &mermaidStereotypes()
{
    static const QMap<QString, Vertex::Kind> kinds { { u"choice"_s, Vertex::Kind::Choice },
        { u"fork"_s, Vertex::Kind::Fork }, { u"join"_s, Vertex::Kind::Join } };
    return kinds;
}

std::optional<MermaidStatement> mermaidStatement(const QString &line)
{
    static const QRegularExpression rule =
        mermaidRule(uR"rule(^(?:\[\*]|(?<from>{id}))(?::::(?<fromStyle>{id})|(?!:::)){s}*+
            (?:(?<arrow>-->){s}*+
               (?:\[\*]|(?<to>{id}))(?::::(?<toStyle>{id})|(?!:::)){s}*+)?+
            (?:(?<colon>:)(?<text>.*))?+$)rule"_s);
    const QRegularExpressionMatch match = rule.match(line);
    MermaidStatement statement { .from = { match.captured(u"from"), match.captured(u"fromStyle") },
        .hasText = match.hasCaptured(u"colon"),
        .text = match.captured(u"text").trimmed() };
    const MermaidEnd to { match.captured(u"to"), match.captured(u"toStyle") };
    if (match.hasCaptured(u"arrow"))
        statement.to = to;
    const bool isGood = match.hasMatch()
        && areIdsOrEmpty({ statement.from.id, statement.from.style, to.id, to.style });
    return isGood ? std::optional(statement) : std::nullopt;
}

std::optional<MermaidNote> mermaidNote(const QString &line)
{
    static const QRegularExpression rule =
        mermaidRule(uR"rule(^note{s}++(?:"(?<quoted>[^"]++)"{s}*+as{s}++(?<code>.*)
            |(?<side>left|right){s}++of{s}++(?<state>{id}){s}*+(?:(?<colon>:)(?<text>.*))?+)$)rule"_s);
    const QRegularExpressionMatch match = rule.match(line);
    MermaidNote note { .side = match.captured(u"side").toLower(),
        .id = match.captured(u"code").trimmed() + match.captured(u"state"),
        .isWhole = match.hasCaptured(u"quoted") || match.hasCaptured(u"colon"),
        .text = match.captured(u"quoted") + match.captured(u"text").trimmed() };
    return isMermaidId(note.id) ? std::optional(note) : std::nullopt;
}

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

/// Splitter of a block of lines into its parts.
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
    /// True for a line that begins with "#", outside texts, unless that is an entity.
    bool isComment(const QString &text) const
    {
        static const QRegularExpression begun(u"^#(?!\\p{Nd}+;)"_s);
        return !m_block.kind.isEmpty() && m_at >= m_textEnd && begun.match(text).hasMatch();
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
        const std::optional<MermaidNote> note =
            isDescription ? std::nullopt : mermaidNote(text.left(text.indexOf(u"%%"_s)));
        if (note && !note->isWhole)
            readText(m_hasNoNoteEnd,
                [](const QString &line) { return line.simplified().toLower() == u"end note"; });
    }

    /// Takes lines as text through an end line; `isMissing` caches that there is none.
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
        if (m_hasNoEnd || end == m_end) { // unclosed: a comment
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
        const auto isEnd = [](QChar letter) {
            return letter.isSpace() || u";:"_s.contains(letter);
        };
        const qsizetype size = std::ranges::find_if(text, isEnd) - text.begin();
        m_block.kind = text.left(size);
        if (const QString rest = text.sliced(size).trimmed(); !rest.isEmpty() && rest != u";")
            m_block.lines.append({ int(m_at) + 1, rest });
    }

    const QStringList &m_lines;
    qsizetype m_at = 0;
    qsizetype m_end = 0;
    bool m_hasNoEnd = false;     ///< no later line has "}%%"
    bool m_hasNoNoteEnd = false; ///< nor "end note"
    bool m_hasNoBrace = false;   ///< nor "}"
    qsizetype m_textEnd = 0;     ///< end of the latest note or description
    MermaidBlock m_block;
};

} // namespace

QList<MermaidBlock> mermaidBlocks(const QStringList &lines)
{
    if (std::ranges::none_of(lines, opensMermaid))
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

namespace {

/// Body in which an arrow is written: that of a dot, else the one of both ends, else the top level.
/// In any other body Mermaid would nest the ends there.
int mermaidHome(const TextPlan &plan, const OutlineArc &arc)
{
    const ChartTree &tree = plan.tree();
    for (const int end : { arc.from, arc.to })
        if (plan.form(end) == VertexForm::Dot)
            return tree.node(end).parent;
    const int parent = tree.node(arc.from).parent;
    return parent == tree.node(arc.to).parent && tree.regions(parent).isEmpty() ? parent : 0;
}

} // namespace

const TextNotation &mermaidNotation()
{
    static const TextNotation notation { .isRich = false,
        .isCode = isMermaidId,
        .homeOf = mermaidHome,
        .shown = shownByMermaid,
        .written = writtenForMermaid };
    return notation;
}

} // namespace instar
