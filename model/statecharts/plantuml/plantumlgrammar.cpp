// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/plantuml/plantumlgrammar.h"

#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/textlines.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

// Rules are tried in PlantUML's order. Quantifiers are possessive (no backtracking): what a part
// has matched it keeps.

/// Subpatterns: {name} in a rule stands for the one of that name.
const QList<std::pair<QString, QString>> &parts()
{
    static const QList<std::pair<QString, QString>> all {
        { u"{style}"_s,
            uR"({s}*+(?<tags>{tags})(?<stereotypes>{stereotypes}){s}*+(?<moreTags>{tags})
                (?<url>{url})?+{s}*+(?<colour>{colour})?+{s}*+(?(<url>)|(?<lateUrl>{url})?+){s}*+
                (?<border>\#\#(?:\[(?:[^]]*+])?+)?+{w}*+)?+{s}*+)"_s },
        { u"{body}"_s, uR"((?<begin>-*+)(?<style>{bracket})?+
                (?<way>left|right|up|down|le|ri|do|l|r|u|d)?+
                (?<moreStyle>{bracket})?+(?<end>-*+))"_s },
        { u"{colour}"_s, uR"(\#(?!\#)(?>{colourPart}|{colourName})(?:;{colourPart})*+;?+)"_s },
        { u"{colourPart}"_s, uR"((?>(?:text|back|header|line)
                (?:\.(?:[^\P{L}\x{10000}-\x{10ffff}]|\.)*+{colourValue}?+|{colourValue}))(?!{w}))"_s },
        { u"{colourValue}"_s, uR"((?::(?!{s})\#?+{colourName}?+))"_s },
        { u"{colourName}"_s, uR"((?:{w}++(?:[-\\|/]{w}++)?+))"_s }, // or a gradient
        { u"{tags}"_s, uR"((?:\${w}(?:{w}|-)*+{s}*+)*+)"_s },
        { u"{stereotypes}"_s, uR"((?:<<.*?>>{s}*+)*+)"_s },
        { u"{url}"_s, uR"((?>\[\[.*?]]))"_s },
        { u"{bracket}"_s, uR"(\[[^]]*+])"_s },
        { u"{code}"_s, uR"((?:{w}|\.)++)"_s },
        { u"{quoted}"_s, uR"([^"\x{201c}\x{201d}\x{ab}\x{bb}]++)"_s },
        { u"{q}"_s, uR"(["\x{201c}\x{201d}\x{ab}\x{bb}])"_s },
        { u"{w}"_s, uR"((?:[^\P{Xan}\x{10000}-\x{10ffff}]|_))"_s },
    };
    return all;
}

QRegularExpression plantUmlRule(QString rule)
{
    for (const auto &[name, part] : parts())
        rule.replace(name, part);
    return lineRegex(rule);
}

/// Pattern for one end of an arrow. The names of its groups begin with `name`; without a name, it
/// has no groups.
QString endRule(const QString &name)
{
    static const QRegularExpression group(uR"(\(\?<@\w+>)"_s);
    QString rule = uR"((?>(?<@dot>\[\*])|(?<@history>(?<@of>{code})?+\[H(?<@deep>\*)?+])
        |={2,}+(?<@bar>{code})={2,}+|(?<@name>{code}))
        {s}*+(?<@stereotypes>{stereotypes}){s}*+(?<@colour>\#{w}++)?+{s}*+)"_s;
    return name.isEmpty() ? rule.replace(group, u"(?:"_s) : rule.replace(u'@', name);
}

/// Stereotypes with one blank between them.
QString spaced(QString stereotypes)
{
    static const QRegularExpression between = lineRegex(u">>{s}*+<<"_s);
    return stereotypes.replace(between, u">> <<"_s).trimmed();
}

PlantUmlStyle styleIn(const QRegularExpressionMatch &match)
{
    const QString tags = match.captured(u"tags") + match.captured(u"moreTags");
    return { .tags = QString(tags).replace(u'$', u" $"_s).simplified(),
        .stereotypes = spaced(match.captured(u"stereotypes")),
        .url = match.captured(u"url") + match.captured(u"lateUrl"),
        .colour = match.captured(u"colour"),
        .border = match.captured(u"border") };
}

PlantUmlEnd endIn(const QRegularExpressionMatch &match, const QString &name)
{
    const auto has = [&](const QString &group) { return match.hasCaptured(name + group); };
    const auto said = [&](const QString &group) { return match.captured(name + group); };
    return { .kind = has(u"dot"_s) ? PlantUmlEnd::Kind::Dot
            : has(u"deep"_s)       ? PlantUmlEnd::Kind::DeepHistory
            : has(u"history"_s)    ? PlantUmlEnd::Kind::History
            : has(u"bar"_s)        ? PlantUmlEnd::Kind::Bar
                                   : PlantUmlEnd::Kind::Name,
        .code = said(u"of"_s) + said(u"bar"_s) + said(u"name"_s),
        .stereotypes = spaced(said(u"stereotypes"_s)),
        .colour = said(u"colour"_s) };
}

} // namespace

bool isPlantUmlQuote(QChar letter)
{
    return u"\"\u201c\u201d\u00ab\u00bb"_s.contains(letter);
}

bool isPlantUmlCode(QStringView text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](QChar letter) {
        return letter.isLetterOrNumber() || letter == u'_' || letter == u'.';
    });
}

std::optional<PlantUmlState> plantUmlState(const QString &line)
{
    static const QRegularExpression rule =
        plantUmlRule(uR"(^state{s}++(?:{q}(?<label>{quoted}){q}(?:{s}++as{s}++(?<code>{code}))?+
            |(?<name>{code})(?:{s}++as{s}++{q}(?<shown>{quoted}){q})?+)
            (?<decorations>{style})(?:(?<colon>:)(?<text>.*)|(?<opens>\{|(?<begin>begin)))?+$)"_s);
    const QRegularExpressionMatch match = rule.match(line);
    if (!match.hasMatch()
        || (match.hasCaptured(u"begin") && match.capturedLength(u"decorations") == 0))
        return {};
    const QString label = match.captured(u"label") + match.captured(u"shown");
    const QString code = match.captured(u"code") + match.captured(u"name");
    PlantUmlState state { .code = code.isEmpty() ? label : code,
        .label = code.isEmpty() ? QString() : label,
        .style = styleIn(match),
        .opens = match.hasCaptured(u"opens") };
    if (match.hasCaptured(u"colon"))
        state.text = match.captured(u"text").trimmed();
    return state.opens && !isPlantUmlCode(state.code) ? std::nullopt : std::optional(state);
}

std::optional<PlantUmlText> plantUmlText(const QString &line)
{
    static const QRegularExpression rule =
        plantUmlRule(u"^(?:{q}(?<quoted>{quoted}){q}|(?<code>{code})){s}*+:(?<text>.*)$"_s);
    const QRegularExpressionMatch match = rule.match(line);
    if (!match.hasMatch())
        return {};
    return PlantUmlText { match.captured(u"quoted") + match.captured(u"code"),
        match.captured(u"text").trimmed() };
}

std::optional<PlantUmlNote> plantUmlNote(const QString &line)
{
    static const QRegularExpression rule = plantUmlRule(
        uR"(^note{s}++(?>(?:{q}(?<quoted>{quoted}){q}{s}*+)?+(?<free>as){s}++(?<code>{code})
            |(?<side>(?:left|right|top|bottom)(?!{w}))?+
            (?>{s}*+on(?!{w}){s}*+(?<link>link)(?!{w})
              |{s}*+o[nf](?!{w}){s}*+(?:{q}(?<label>{quoted}){q}|(?<state>{code}))
              |(?<latest>(?!{s}*+o[nf](?!{w})))))
            {style}(?:(?<colon>:)(?<text>.*)|(?<brace>\{))?+$)"_s);
    const QRegularExpressionMatch match = rule.match(line);
    const auto has = [&](const QString &group) { return match.hasCaptured(group); };
    const bool goesOn = has(u"colon"_s) || has(u"brace"_s);
    const bool isPlaced = has(u"side"_s) || has(u"link"_s);
    if (!match.hasMatch() || (has(u"free"_s) ? goesOn : !isPlaced))
        return {};
    const bool isWhole = has(u"quoted"_s) || has(u"colon"_s);
    return PlantUmlNote { .at = has(u"free"_s) ? PlantUmlNote::At::Free
            : has(u"link"_s)                   ? PlantUmlNote::At::Arrow
            : has(u"latest"_s)                 ? PlantUmlNote::At::Latest
                                               : PlantUmlNote::At::State,
        .ends = isWhole       ? PlantUmlNote::Ends::Here
            : has(u"brace"_s) ? PlantUmlNote::Ends::AtBrace
                              : PlantUmlNote::Ends::AtEndNote,
        .side = match.captured(u"side").toLower(),
        .code = match.captured(u"code") + match.captured(u"label") + match.captured(u"state"),
        .style = styleIn(match),
        .text = has(u"quoted"_s) ? match.captured(u"quoted") : match.captured(u"text").trimmed() };
}

namespace {

/// Rule for an arrow and its ends; {rest} in it matches the second end, for lookaheads.
QRegularExpression arrowRule(QString arrow)
{
    arrow.replace(u"{rest}"_s, u"{s}*+"_s + endRule({}) + u"(?::|$)"_s);
    return plantUmlRule(u'^' + endRule(u"left"_s) + arrow + u"{s}*+"_s + endRule(u"right"_s)
        + u"(?:(?<colon>:)(?<text>.*))?+$"_s);
}

} // namespace

std::optional<PlantUmlArrow> plantUmlArrow(const QString &line)
{
    static const QRegularExpression forwards =
        arrowRule(u"(?:x(?=-))?+(?=-){body}>(?:o(?={s}++{rest}))?+"_s);
    static const QRegularExpression backwards =
        arrowRule(u"(?:o{s}++)?+<{body}(?:x(?={rest}))?+"_s);
    QRegularExpressionMatch match = forwards.match(line);
    const bool isForwards = match.hasMatch();
    if (!isForwards)
        match = backwards.match(line);
    const QString style = match.captured(u"style") + match.captured(u"moreStyle");
    const qsizetype dashes = match.capturedLength(u"begin") + match.capturedLength(u"end");
    if (!match.hasMatch() || (!isForwards && dashes == 0))
        return {};
    return PlantUmlArrow { .from = endIn(match, isForwards ? u"left"_s : u"right"_s),
        .to = endIn(match, isForwards ? u"right"_s : u"left"_s),
        .style = style,
        .isHidden = style.contains(u"hidden", Qt::CaseInsensitive),
        .towards = match.hasCaptured(u"way") ? towardsOf(match.captured(u"way"))
            : !isForwards                    ? Towards::Left
            : dashes == 1                    ? Towards::Right // as a short arrow leads
                                             : Towards::Anywhere,
        .hasColon = match.hasCaptured(u"colon"),
        .text = match.captured(u"text").trimmed() };
}

namespace {

struct KindRow
{
    QStringView stereotype;
    Kind kind;
};

/// The first row of a kind gives the stereotype to write. <<sdlreceive>> is an ordinary state.
constexpr std::array rows {
    KindRow { u"choice", Kind::Choice },
    KindRow { u"fork", Kind::Fork },
    KindRow { u"join", Kind::Join },
    KindRow { u"start", Kind::Initial },
    KindRow { u"end", Kind::Final },
    KindRow { u"history", Kind::ShallowHistory },
    KindRow { u"history*", Kind::DeepHistory },
    KindRow { u"entryPoint", Kind::Entry },
    KindRow { u"exitPoint", Kind::Exit },
    KindRow { u"inputPin", Kind::Entry },
    KindRow { u"outputPin", Kind::Exit },
    KindRow { u"expansionInput", Kind::Entry },
    KindRow { u"expansionOutput", Kind::Exit },
};

} // namespace

Kind plantUmlKind(const QString &stereotypes)
{
    const QString first = stereotypes.section(u">>"_s, 0, 0).mid(2).trimmed();
    const auto *const found = std::ranges::find_if(rows, [&](const KindRow &row) {
        return first.compare(row.stereotype, Qt::CaseInsensitive) == 0;
    });
    return found == rows.end() ? Kind::State : found->kind;
}

QString plantUmlStereotype(Kind kind)
{
    const auto *const found =
        std::ranges::find_if(rows, [&](const KindRow &row) { return row.kind == kind; });
    return found == rows.end() ? QString() : u"<<%1>>"_s.arg(found->stereotype);
}

bool isOtherPlantUml(const QString &line)
{
    static const QRegularExpression other(
        uR"((?xi)^(?:class|abstract|interface|enum|annotation|struct|exception|metaclass|protocol
            |dataclass|object|participant|activate|deactivate|autonumber|autoactivate|alt|opt|loop|par
            |critical|group|box|return|usecase|start|stop|repeat|partition|robust|concise|clock|binary
            |component|package|node|artifact|cloud|folder|frame|rectangle|storage|agent|card|hexagon
            |port|portin|portout|stack|actor|boundary|control|entity|database|queue|collections
            |person)(?:\s|$)
            |(?-i:<\||\|>|\s[*o]-|-[*o]\s                          # classes
            |->>|<<-|->x|-\\|-//|^==.*==$                            # sequences
            |^\([^*()]+\)                                            # use cases
            |^:.*[;|<>/\]}]$|\(\*\)|^(?:if|while)[ ]?\(             # activities
            |^\[[^\]*]+\]|[->][ ]?\[[^\]*]+\]|\(\)))"_s); // components
    constexpr qsizetype most = 1000;                      // of a line that is looked at
    return other.match(line.left(most).simplified()).hasMatch();
}

namespace {

bool isWord(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'_';
}

} // namespace

qsizetype plantUmlStart(QStringView line)
{
    const qsizetype at = line.indexOf(u"@start", 0, Qt::CaseInsensitive);
    return at > 0 && std::ranges::any_of(line.first(at), isWord) ? -1 : at;
}

namespace {

constexpr int MostComments = 9; // before a statement on its line

bool isEnd(QStringView line)
{
    return line.trimmed().startsWith(u"@end", Qt::CaseInsensitive);
}

PlantUmlBlock beginning(int number, QStringView said)
{
    const auto *const end = std::ranges::find_if_not(said, isWord);
    const qsizetype size = end - said.begin();
    PlantUmlBlock block;
    block.number = number;
    block.kind = said.left(size).toString().toLower();
    block.name = said.sliced(size).trimmed().toString();
    return block;
}

/// Splits a file's lines into the blocks between @start and @end.
class PlantUmlSplitter
{
public:
    explicit PlantUmlSplitter(const QStringList &lines) : m_lines(lines) { }

    QList<PlantUmlBlock> blocks()
    {
        while (m_at < m_lines.size()) {
            const QString &line = m_lines[m_at];
            if (const qsizetype start = plantUmlStart(line); start >= 0)
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
    /// Removes from a line the prefix that stands before "@start" of its block.
    QString withoutPrefix(const QString &line) const
    {
        if (m_prefix.trimmed().isEmpty())
            return line;
        if (line.startsWith(m_prefix))
            return line.sliced(m_prefix.size());
        const QString sign = m_prefix.trimmed();
        const QString trimmed = line.trimmed();
        return trimmed.startsWith(sign) ? trimmed.sliced(sign.size()) : line;
    }

    void readBlock(PlantUmlBlock block, const QString &before)
    {
        m_prefix = before;
        m_blocks.append(std::move(block));
        for (++m_at; m_at < m_lines.size(); ++m_at) {
            const QString line = withoutPrefix(m_lines[m_at]);
            if (plantUmlStart(m_lines[m_at]) >= 0)
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
                line += withoutPrefix(m_lines[++m_at]);
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

    bool isLimit(const QString &line) const
    {
        return plantUmlStart(line) >= 0 || isEnd(withoutPrefix(line));
    }

    /// Skips the block comment at the beginning of the line, over further lines too. False:
    /// nothing follows it.
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
            line = withoutPrefix(m_lines[++m_at]);
            end = line.indexOf(u"'/");
        }
        comment += line.left(end + 2).trimmed();
        block.comments += comment.join(u'\n');
        line = line.sliced(end + 2);
        return !line.trimmed().isEmpty();
    }

    const QStringList &m_lines;
    qsizetype m_at = 0;
    QString m_prefix;
    QList<PlantUmlBlock> m_blocks;
};

} // namespace

QList<PlantUmlBlock> plantUmlBlocks(const QStringList &lines)
{
    return PlantUmlSplitter(lines).blocks();
}

} // namespace instar
