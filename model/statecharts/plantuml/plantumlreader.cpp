// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"
#include "model/statecharts/plantuml/plantumltext.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;
using Dot = ChartBuilder::Dot;

namespace {

bool isOnly(QStringView text, QChar letter)
{
    return std::ranges::all_of(text, [&](QChar each) { return each == letter; });
}

QString shortened(const QString &text)
{
    constexpr qsizetype Most = 60;
    return text.size() <= Most ? text : text.left(Most - 3) + u"..."_s;
}

QString words(const QString &text)
{
    return text.simplified().toLower();
}

bool startsWithWord(const QString &text, QStringView word)
{
    return text.startsWith(word) && (text.size() == word.size() || text[word.size()].isSpace());
}

/// "left header" as "header"; "left to right direction" names no place.
QString withoutPlace(QString text)
{
    if (text.endsWith(u" direction"))
        return text;
    for (const QStringView place : { u"left ", u"right ", u"center " })
        if (text.startsWith(place))
            return text.sliced(place.size());
    return text;
}

/// Possible ends of the block that a line begins; none if the line is complete.
QStringList blockEnds(const QString &line)
{
    if (line.startsWith(u"<style>"))
        return { u"</style>"_s };
    const QString text = withoutPlace(line);
    for (const QString &word : { u"title"_s, u"legend"_s, u"header"_s, u"footer"_s, u"caption"_s })
        if (text == word || (word == u"legend" && startsWithWord(text, word)))
            return { u"end "_s + word, u"end"_s + word };
    return {};
}

bool isSettingLine(const QString &line)
{
    constexpr std::array<QStringView, 26> commands { u"hide", u"show", u"remove", u"restore",
        u"scale", u"skinparam", u"skin", u"left to right direction", u"top to bottom direction",
        u"header", u"footer", u"caption", u"legend", u"mainframe", u"page", u"rotate", u"minwidth",
        u"sprite", u"footbox", u"set", u"namespaceseparator", u"assume transparent",
        u"allow_mixing", u"json", u"map", u"title" };
    const QString text = withoutPlace(line);
    return line.startsWith(u"<style>") || std::ranges::any_of(commands, [&](QStringView command) {
        return startsWithWord(text, command);
    });
}

/// The end of a preprocessor's definition over several lines; empty: it is one line.
QString definitionEnd(const QString &line)
{
    static const QRegularExpression begin(
        u"^!(?:unquoted )?(procedure|function|definelong|macro)(?: |$)"_s);
    const QRegularExpressionMatch match = begin.match(line);
    return match.hasMatch() ? u"!end"_s + match.captured(1) : QString();
}

// Rules for single lines, after the commands of PlantUML
// (net.sourceforge.plantuml.statediagram.command). Texts are not decoded.

/// Decorations in the order in which they are written, each unparsed, or empty.
struct PlantUmlStyle
{
    QString tags;        ///< "$a $b"
    QString stereotypes; ///< "<<a>> <<b>>"
    QString url;         ///< "[[http://example.org text]]"
    QString colour;      ///< "#pink", "#back:pink;line:red"
    QString border;      ///< "##[dashed]red"
};

/// End of an arrow.
struct PlantUmlEnd
{
    enum class Kind {
        Name,
        Dot,         ///< [*]
        History,     ///< [H], CODE[H]
        DeepHistory, ///< [H*], CODE[H*]
        Bar,         ///< ==CODE==
    };
    Kind kind = Kind::Name;
    QString code; ///< empty: that of the region around it
    QString stereotypes;
    QString colour;
};
using End = PlantUmlEnd::Kind;

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

/// Rule for an arrow and its ends; {rest} in it matches the second end, for lookaheads.
QRegularExpression arrowRule(QString arrow)
{
    arrow.replace(u"{rest}"_s, u"{s}*+"_s + endRule({}) + u"(?::|$)"_s);
    return plantUmlRule(u'^' + endRule(u"left"_s) + arrow + u"{s}*+"_s + endRule(u"right"_s)
        + u"(?:(?<colon>:)(?<text>.*))?+$"_s);
}

/// True if only diagrams of other kinds (classes, sequences, activities ...) have such a line.
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

/// Block between @startuml and @enduml.
struct PlantUmlBlock
{
    int number = 0; ///< of the line that starts it; 0: the file has no such line
    QString kind;   ///< "uml"; "json", "mindmap" and others hold no statechart
    QString name;   ///< rest of that line
    bool isClosed = false;
    QList<DiagramLine> lines; ///< without comments; those that end with a backslash are joined
    QStringList comments;     ///< with their signs: "' a", "/' b '/"
    int openComment = 0;      ///< the line of a block comment that never ends; 0: none
};

bool isWord(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'_';
}

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

/// Splits a file's lines into the blocks between @start and @end. A file without @startuml is one
/// diagram.
class PlantUmlSplitter
{
public:
    explicit PlantUmlSplitter(const QStringList &lines) : m_lines(lines) { }

    QList<PlantUmlBlock> blocks()
    {
        while (m_at < m_lines.size()) {
            const QString &line = m_lines[m_at];
            if (const qsizetype start = plantUmlStart(line); start >= 0)
                readBlock(beginning(int(m_at) + 1, QStringView(line).sliced(start + 6)));
            else
                ++m_at;
        }
        if (m_blocks.isEmpty()) {
            m_at = -1;
            readBlock({ .kind = u"uml"_s });
        }
        return m_blocks;
    }

private:
    void readBlock(PlantUmlBlock block)
    {
        m_blocks.append(std::move(block));
        for (++m_at; m_at < m_lines.size(); ++m_at) {
            const QString &line = m_lines[m_at];
            if (plantUmlStart(line) >= 0)
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
        if (line.trimmed().startsWith(u"/'") && !skipComment(line))
            return;
        PlantUmlBlock &block = m_blocks.last();
        const QString trimmed = line.trimmed();
        if (trimmed.startsWith(u'\'')) {
            block.comments += trimmed;
            return;
        }
        const int number = int(m_at) + 1;
        while (line.endsWith(u'\\')) {
            line.chop(1);
            if (m_at + 1 < m_lines.size() && !isLimit(m_lines[m_at + 1]))
                line += m_lines[++m_at];
        }
        takeTrailingComment(line);
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

    bool isLimit(const QString &line) const { return plantUmlStart(line) >= 0 || isEnd(line); }

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
            line = m_lines[++m_at];
            end = line.indexOf(u"'/");
        }
        comment += line.left(end + 2).trimmed();
        block.comments += comment.join(u'\n');
        line = line.sliced(end + 2);
        return !line.trimmed().isEmpty();
    }

    const QStringList &m_lines;
    qsizetype m_at = 0;
    QList<PlantUmlBlock> m_blocks;
};

/// Reads one diagram, line by line.
class PlantUmlReader : public DiagramReader
{
public:
    explicit PlantUmlReader(const PlantUmlBlock &block)
        : DiagramReader(block.lines, plantUmlNotation()), m_comments(block.comments)
    { }

    /// Without vertices if there is none in it.
    Statechart chart()
    {
        for (m_at = 0; m_at < m_lines.size(); ++m_at) {
            const QString text = m_lines[m_at].text.trimmed();
            if (!text.isEmpty())
                readLine(text);
        }
        for (const Note &each : std::as_const(m_free))
            m_builder.addNote(m_builder.known(each.of), each);
        Statechart chart = built(m_comments, u"'");
        setKinds(chart);
        askAtChoices(chart);
        chart.title = shownByPlantUml(m_title);
        return chart;
    }

    /// The line of a diagram of another kind, where nothing says that it is one of states: "another
    /// kind of diagram (class A)".
    std::optional<Diagnostic> other() const { return m_hasStates ? std::nullopt : m_other; }

private:
    void readLine(const QString &text)
    {
        // The order of PlantUML's commands: "title : x" is a text of the state "title".
        const bool isRead = readPreprocessor(text) || readState(text) || readArrow(text)
            || readBrace(text) || readText(text) || readSeparator(text) || readNote(text)
            || readSetting(text);
        if (!isRead)
            skipUnknown(text);
    }

    /// state "label" as CODE <<style>> : text, or ending in {
    bool readState(const QString &text)
    {
        static const QRegularExpression rule =
            plantUmlRule(uR"(^state{s}++(?:{q}(?<label>{quoted}){q}(?:{s}++as{s}++(?<code>{code}))?+
            |(?<name>{code})(?:{s}++as{s}++{q}(?<shown>{quoted}){q})?+)
            (?<decorations>{style})(?:(?<colon>:)(?<text>.*)|(?<opens>\{|(?<begin>begin)))?+$)"_s);
        const QRegularExpressionMatch match = rule.match(text);
        const QString name = match.captured(u"code") + match.captured(u"name");
        QString label = match.captured(u"label") + match.captured(u"shown");
        const QString code = name.isEmpty() ? label : name;
        const bool opens = match.hasCaptured(u"opens");
        if (!match.hasMatch() || (opens && !isPlantUmlCode(code))
            || (match.hasCaptured(u"begin") && match.capturedLength(u"decorations") == 0))
            return false;
        if (name.isEmpty())
            label.clear();
        m_hasStates = true;
        const int state = named(code);
        m_builder.setLatest(state);
        Vertex &vertex = m_builder.node(state).vertex;
        const QString shown = shownByPlantUml(label.isEmpty() ? code : label);
        if (!opens || !label.isEmpty())
            vertex.label = shown == vertex.id ? QString() : shown;
        m_builder.node(state).isBar = false;
        const PlantUmlStyle style = styleIn(match);
        leaveOut(style);
        paint(vertex, { style.colour, style.border });
        if (!style.stereotypes.isEmpty())
            m_stereotypes.insert(state, style.stereotypes);
        if (match.hasCaptured(u"colon"))
            addText(state, match.captured(u"text").trimmed());
        if (opens)
            openBody(state);
        else if (m_builder.node(state).parent != m_builder.scope())
            note(
                u"%1 was mentioned before in line %2 and stays in the state given there"_s.arg(code)
                    .arg(m_builder.node(state).vertex.line));
        return true;
    }

    /// A -[style]down-> B : text
    bool readArrow(const QString &text)
    {
        static const QRegularExpression forwards =
            arrowRule(u"(?:x(?=-))?+(?=-){body}>(?:o(?={s}++{rest}))?+"_s);
        static const QRegularExpression backwards =
            arrowRule(u"(?:o{s}++)?+<{body}(?:x(?={rest}))?+"_s);
        QRegularExpressionMatch match = forwards.match(text);
        const bool isForwards = match.hasMatch();
        if (!isForwards)
            match = backwards.match(text);
        const qsizetype dashes = match.capturedLength(u"begin") + match.capturedLength(u"end");
        if (!match.hasMatch() || (!isForwards && dashes == 0))
            return false;
        const PlantUmlEnd tail = endIn(match, isForwards ? u"left"_s : u"right"_s);
        const PlantUmlEnd head = endIn(match, isForwards ? u"right"_s : u"left"_s);
        if (isFreeNote(tail) || isFreeNote(head)) {
            connectToNote(tail, head);
            return true;
        }
        const int from = at(tail, Dot::Initial);
        const int to = at(head, Dot::Final);
        const QString style = match.captured(u"style") + match.captured(u"moreStyle");
        if (style.contains(u"hidden", Qt::CaseInsensitive)) {
            note(u"a hidden arrow affects only the layout; it does not become a transition"_s);
            return true;
        }
        const QString said = match.captured(u"text").trimmed();
        Arc &arc = connect(from, to, said);
        arc.look = strokeOf(style);
        arc.towards = match.hasCaptured(u"way") ? towardsOf(match.captured(u"way"))
            : !isForwards                       ? Towards::Left
            : dashes == 1                       ? Towards::Right // as a short arrow leads
                                                : Towards::Anywhere;
        aside(u"a stereotype"_s, tail.stereotypes + head.stereotypes);
        for (const auto &[state, colour] :
            { std::pair(from, tail.colour), std::pair(to, head.colour) })
            paint(m_builder.node(state).vertex, { colour, {} });
        if (match.hasCaptured(u"colon") && said.isEmpty())
            note(u"the text after the colon is missing, which PlantUML 1.2020.2 refuses"_s);
        return true;
    }

    /// CODE : text
    bool readText(const QString &text)
    {
        static const QRegularExpression rule =
            plantUmlRule(u"^(?:{q}(?<quoted>{quoted}){q}|(?<code>{code})){s}*+:(?<text>.*)$"_s);
        const QRegularExpressionMatch match = rule.match(text);
        if (match.hasMatch())
            addText(named(match.captured(u"quoted") + match.captured(u"code")),
                match.captured(u"text").trimmed());
        return match.hasMatch();
    }

    bool readBrace(const QString &text)
    {
        const QString words = text.toLower().simplified();
        if (words != u'}' && words != u"end state" && words != u"endstate")
            return false;
        closeBody(words);
        return true;
    }

    bool readSeparator(const QString &text)
    {
        if (text.size() < 2 || (!isOnly(text, u'-') && !isOnly(text, u'|')))
            return false;
        m_builder.beginRegion(line());
        return true;
    }

    /// note left of CODE : text, note on link : text, note "text" as CODE, or blocks of lines
    bool readNote(const QString &text)
    {
        static const QRegularExpression rule = plantUmlRule(
            uR"(^note{s}++(?>(?:{q}(?<quoted>{quoted}){q}{s}*+)?+(?<free>as){s}++(?<code>{code})
            |(?<side>(?:left|right|top|bottom)(?!{w}))?+
            (?>{s}*+on(?!{w}){s}*+(?<link>link)(?!{w})
              |{s}*+o[nf](?!{w}){s}*+(?:{q}(?<label>{quoted}){q}|(?<state>{code}))
              |(?<latest>(?!{s}*+o[nf](?!{w})))))
            {style}(?:(?<colon>:)(?<text>.*)|(?<brace>\{))?+$)"_s);
        const QRegularExpressionMatch match = rule.match(text);
        const auto has = [&](const QString &group) { return match.hasCaptured(group); };
        const bool goesOn = has(u"colon"_s) || has(u"brace"_s);
        const bool isPlaced = has(u"side"_s) || has(u"link"_s);
        if (!match.hasMatch() || (has(u"free"_s) ? goesOn : !isPlaced))
            return false;
        std::optional<QStringList> lines {
            { has(u"quoted"_s) ? match.captured(u"quoted") : match.captured(u"text").trimmed() }
        };
        if (!has(u"quoted"_s) && !has(u"colon"_s))
            lines = noteLines(has(u"brace"_s) ? QStringList(u"}"_s)
                                              : QStringList({ u"end note"_s, u"endnote"_s }));
        if (!lines)
            return true;
        const PlantUmlStyle style = styleIn(match);
        leaveOut(style);
        aside(u"the colour of a note"_s, style.colour);
        if (has(u"link"_s))
            addArcNote(*lines);
        else if (has(u"free"_s))
            addFreeNote(match.captured(u"code"), *lines);
        else
            addNote(has(u"latest"_s) ? m_builder.latest()
                                     : named(match.captured(u"label") + match.captured(u"state")),
                { .side = match.captured(u"side").toLower(), .lines = shown(*lines) });
        return true;
    }

    bool readSetting(const QString &text)
    {
        const QString line = words(text);
        const QStringList ends = blockEnds(line);
        if (ends.isEmpty() && !isSettingLine(line))
            return false;
        const bool isTitle = startsWithWord(line, u"title");
        if (ends.isEmpty() && isTitle) {
            setTitle(text.sliced(5).trimmed());
            return true;
        }
        qsizetype last = m_at;
        if (!ends.isEmpty())
            last = blockEnd(ends);
        else if (text.endsWith(u'{'))
            last = closingBrace();
        if (last < 0) {
            loss(u"the block that begins here is left out, because it has no end: %1"_s.arg(
                text.left(40)));
            return true;
        }
        if (isTitle)
            setTitle(unindented(textsUpTo(last)).join(u"\\n"_s));
        else
            set(line);
        m_at = last;
        return true;
    }

    bool readPreprocessor(const QString &text)
    {
        if (!text.startsWith(u'!'))
            return false;
        const QString line = words(text);
        if (startsWithWord(line, u"!pragma") || startsWithWord(line, u"!theme")
            || startsWithWord(line, u"!assume")) {
            aside(u"a setting"_s, text);
            return true;
        }
        const QString ending = definitionEnd(line);
        const qsizetype end = ending.isEmpty() ? -1 : blockEnd({ ending });
        if (end >= 0) {
            loss(u"the preprocessor is not supported; %1 lines are left out: %2"_s
                     .arg(end - m_at + 1)
                     .arg(text.left(60)));
            m_at = end;
            return true;
        }
        loss(u"the preprocessor is not supported; left out: %1"_s.arg(text.left(60)));
        return true;
    }

    void skipUnknown(const QString &text)
    {
        loss(u"not understood and left out: %1"_s.arg(shortened(text)));
        if (!m_other && isOtherPlantUml(text))
            m_other = Diagnostic { line(), u"another kind of diagram (%1)"_s.arg(shortened(text)) };
        if (text.endsWith(u'{'))
            openUnknown();
    }

    /// State of a name. A name between quotes is also the label, which may have several lines.
    int named(const QString &code)
    {
        const bool isNew = m_builder.known(code) < 0;
        const int state = m_builder.named(code, line());
        if (const QString shown = isNew ? shownByPlantUml(code) : code; shown != code)
            m_builder.node(state).vertex.label = shown;
        return state;
    }

    void leaveOut(const PlantUmlStyle &style)
    {
        aside(u"a tag"_s, style.tags);
        aside(u"a link"_s, style.url);
    }

    /// Replaces the colours of a vertex by the given ones, as far as they are set.
    static void paint(Vertex &vertex, const PlantUmlColours &said)
    {
        PlantUmlColours all = coloursOf(vertex.look);
        if (!said.colour.isEmpty())
            all.colour = said.colour;
        if (!said.border.isEmpty())
            all.border = said.border;
        if (!(all == coloursOf(vertex.look)))
            vertex.look = lookOf(all);
    }

    int at(const PlantUmlEnd &end, ChartBuilder::Dot dot)
    {
        m_hasStates = m_hasStates || end.kind != End::Name;
        if (end.kind == End::Dot)
            return m_builder.dot(dot, line());
        if (end.kind == End::History || end.kind == End::DeepHistory) {
            const Dot which = end.kind == End::History ? Dot::ShallowHistory : Dot::DeepHistory;
            return end.code.isEmpty()
                ? m_builder.dot(which, line())
                : m_builder.historyOf(m_builder.named(end.code, line()), which, line());
        }
        const bool isNew = m_builder.known(end.code) < 0;
        const int state = m_builder.named(end.code, line());
        if (isNew && end.kind == End::Bar)
            m_builder.node(state).isBar = true;
        return state;
    }

    bool isFreeNote(const PlantUmlEnd &end) const
    {
        return end.kind == End::Name && m_freeNotes.contains(end.code)
            && m_builder.known(end.code) < 0;
    }

    /// A note belongs to the first state at its arrows.
    void connectToNote(const PlantUmlEnd &from, const PlantUmlEnd &to)
    {
        const PlantUmlEnd &noteEnd = isFreeNote(to) ? to : from;
        const PlantUmlEnd &other = isFreeNote(to) ? from : to;
        if (isFreeNote(other) || (other.kind != End::Name && other.kind != End::Bar)) {
            loss(u"an arrow to the note %1 is left out: only a state can have a note"_s.arg(
                noteEnd.code));
            return;
        }
        Note &note = m_free[m_freeNotes[noteEnd.code]];
        const int state = at(other, Dot::Initial);
        if (note.of.isEmpty()) {
            note.of = m_builder.node(state).vertex.id;
            note.side = u"right"_s;
        } else {
            aside(u"an arrow of a note"_s, noteEnd.code);
        }
    }

    void addNote(int of, const Note &said)
    {
        if (of < 0)
            loss(u"the note is left out, because no state precedes it"_s);
        else if (!m_builder.node(of).vertex.isNamed)
            loss(
                u"the note is left out, because it belongs to an initial or final state without a name"_s);
        else
            m_builder.addNote(of, said);
    }

    void addFreeNote(const QString &code, const QStringList &lines)
    {
        if (m_freeNotes.contains(code)) {
            loss(u"this note is left out: another note has the name %1, and PlantUML refuses two"_s
                     .arg(code));
            return;
        }
        m_freeNotes.insert(code, m_free.size());
        m_free.append({ .lines = shown(lines) });
    }

    void addArcNote(const QStringList &lines)
    {
        Arc *const arc = m_builder.latestArc();
        if (!arc) {
            loss(u"the note is left out, because no arrow precedes it"_s);
            return;
        }
        if (!arc->note.isEmpty())
            note(
                u"the arrow already has a note, which PlantUML 1.2020.2 would replace; both are kept"_s);
        arc->note += shown(lines);
    }

    void set(const QString &line)
    {
        if (line == u"left to right direction")
            m_direction = ChartDirection::Right;
        else if (line == u"top to bottom direction")
            m_direction = ChartDirection::Down;
        else
            aside(u"a setting"_s, line);
    }

    void setTitle(const QString &written)
    {
        if (!m_title.isEmpty())
            note(u"this title replaces an earlier title of the diagram"_s);
        m_title = written;
    }

    void setKinds(Statechart &chart)
    {
        ChartLosses losses(u" is left out"_s);
        for (auto it = m_stereotypes.cbegin(); it != m_stereotypes.cend(); ++it) {
            const int place = m_builder.placeOf(it.key());
            Vertex &vertex = chart.vertices[place];
            const bool isComposite =
                place + 1 < chart.vertices.size() && chart.vertices[place + 1].parent == vertex.id;
            if (!isComposite)
                vertex.kind = plantUmlKind(*it);
            if (isComposite
                || it->compare(plantUmlStereotype(vertex.kind), Qt::CaseInsensitive) != 0)
                losses.add(u"a stereotype"_s, *it, vertex.line);
        }
        chart.asides += losses.diagnostics();
    }

    QStringList m_comments;
    QHash<QString, qsizetype> m_freeNotes; ///< by their codes
    QList<Note> m_free;
    QMap<int, QString> m_stereotypes; ///< by node
    QString m_title;                  ///< as it is written
    bool m_hasStates = false;         ///< a line could stand in no other kind of diagram
    std::optional<Diagnostic> m_other;
};

/// Id of a diagram, from "(id=x)" or the text after @startuml.
QString idOf(const QString &name)
{
    const QString inside =
        name.startsWith(u"(id="_s) && name.endsWith(u')') ? name.sliced(4).chopped(1) : name;
    return inside.trimmed();
}

void reportFrame(const PlantUmlBlock &block, QList<Diagnostic> &remarks)
{
    if (block.openComment > 0)
        remarks.append({ block.openComment,
            u"the comment has no end, so the rest of the diagram is read as a comment"_s });
    if (block.number == 0)
        remarks.append(
            { 0, u"the file has no @startuml, so the whole file is read as one diagram"_s,
                Diagnostic::Severity::Note });
    else if (!block.isClosed)
        remarks.append({ block.number, u"the diagram that begins here has no @enduml"_s,
            Diagnostic::Severity::Note });
}

void readBlock(const PlantUmlBlock &block, DiagramsRead &read)
{
    if (block.kind != u"uml") {
        refuseDiagram(u"what @start%1 begins"_s.arg(block.kind), block.number, read);
        return;
    }
    PlantUmlReader reader(block);
    Statechart chart = reader.chart();
    if (const std::optional<Diagnostic> other = reader.other()) {
        refuseDiagram(other->text, other->line, read);
        return;
    }
    reportFrame(block, read.remarks);
    read.remarks += reader.diagnostics();
    chart.id = idOf(block.name.simplified());
    addDiagram(std::move(chart), block.number, read);
}

void readLines(const QStringList &lines, DiagramsRead &read)
{
    for (const PlantUmlBlock &block : PlantUmlSplitter(lines).blocks())
        readBlock(block, read);
}

} // namespace

Result<StatechartsRead> readPlantUml(const QByteArray &bytes, const QString &file)
{
    return readDiagrams(bytes, file,
        u"lines such as \"A --> B : event\" between @startuml and @enduml"_s, readLines);
}

} // namespace instar
