// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"
#include "model/statecharts/plantuml/plantumltext.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;
using Dot = ChartBuilder::Dot;

namespace {

QString words(const QString &text)
{
    return text.simplified().toLower();
}

bool startsWithWord(const QString &text, QStringView word)
{
    return text.startsWith(word) && (text.size() == word.size() || text[word.size()].isSpace());
}

/// Possible ends of the block that a line begins; none if the line is complete.
QStringList blockEnds(const QString &line)
{
    static const QRegularExpression begin(
        u"^(?:(?:left|right|center) )?(?:(title|header|footer|caption)$|(legend)(?: |$))"_s);
    if (line.startsWith(u"<style>"))
        return { u"</style>"_s };
    const QRegularExpressionMatch match = begin.match(line);
    const QString word = match.captured(1) + match.captured(2);
    return word.isEmpty() ? QStringList() : QStringList { u"end "_s + word, u"end"_s + word };
}

bool isSettingLine(const QString &line)
{
    static const QRegularExpression rule(
        uR"((?x)^(?:<style>|(?:(?:left|right|center)[ ])?(?:hide|show|remove|restore|scale|skinparam
            |skin|header|footer|caption|legend|mainframe|page|rotate|minwidth|sprite|footbox|set
            |namespaceseparator|assume[ ]transparent|allow_mixing|json|map|title
            |left[ ]to[ ]right[ ]direction|top[ ]to[ ]bottom[ ]direction)(?:[ ]|$)))"_s);
    return rule.match(line).hasMatch();
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
// (net.sourceforge.plantuml.statediagram.command), in their order. Quantifiers are possessive: a
// part keeps what it has matched, so that no line takes long.

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
        for (qsizetype i = 0; i < m_lines.size(); ++i) {
            const qsizetype start = plantUmlStart(m_lines[i]);
            if (start >= 0)
                read(beginning(int(i) + 1, QStringView(m_lines[i]).sliced(start + 6)), i + 1);
        }
        if (m_blocks.isEmpty())
            read({ .kind = u"uml"_s }, 0);
        return m_blocks;
    }

private:
    /// Reads the lines of a block, which ends with @end or where another begins.
    void read(const PlantUmlBlock &block, qsizetype from)
    {
        m_blocks += block;
        m_end = from;
        while (
            m_end < m_lines.size() && !isEnd(m_lines[m_end]) && plantUmlStart(m_lines[m_end]) < 0)
            ++m_end;
        m_blocks.last().isClosed = m_end < m_lines.size() && isEnd(m_lines[m_end]);
        for (m_at = from; m_at < m_end; ++m_at)
            readLine(m_lines[m_at]);
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
            if (m_at + 1 < m_end)
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
            if (m_at + 1 >= m_end) {
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
    qsizetype m_at = 0, m_end = 0; ///< the current line, and the end of its block
    QList<PlantUmlBlock> m_blocks;
};

/// Reads one diagram, line by line.
class PlantUmlReader : public DiagramReader
{
public:
    explicit PlantUmlReader(const PlantUmlBlock &block)
        : DiagramReader(block.lines, plantUmlNotation())
    {
        m_comments = block.comments;
    }

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
        Statechart chart = built(u"'");
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
        leaveOutTagsAndLinks(match);
        paint(vertex.look, match.captured(u"colour"), match.captured(u"border"));
        if (const QString stereotypes = spaced(match.captured(u"stereotypes"));
            !stereotypes.isEmpty())
            m_stereotypes.insert(state, stereotypes);
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
        if (attachesNote(match))
            return true;
        const QString tail = isForwards ? u"left"_s : u"right"_s;
        const QString head = isForwards ? u"right"_s : u"left"_s;
        const int from = nodeAt(match, tail, Dot::Initial);
        const int to = nodeAt(match, head, Dot::Final);
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
        for (const auto &[end, node] : { std::pair(tail, from), std::pair(head, to) }) {
            aside(u"a stereotype"_s, spaced(match.captured(end + u"stereotypes"_s)));
            paint(m_builder.node(node).vertex.look, match.captured(end + u"colour"_s), {});
        }
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
        if (text.size() < 2 || (text.count(u'-') < text.size() && text.count(u'|') < text.size()))
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
        leaveOutTagsAndLinks(match);
        aside(u"the colour of a note"_s, match.captured(u"colour"));
        if (has(u"link"_s))
            addArcNote(*lines);
        else if (has(u"free"_s)) {
            m_freeNotes.insert(match.captured(u"code"), m_free.size());
            m_free.append({ .lines = shown(*lines) });
        } else
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
        const qsizetype last = !ends.isEmpty() ? blockEnd(ends)
            : text.endsWith(u'{') && !isTitle  ? closingBrace()
                                               : m_at;
        if (last < 0)
            loss(u"the block that begins here is left out, because it has no end: %1"_s.arg(
                text.left(40)));
        else if (isTitle)
            setTitle(ends.isEmpty() ? text.sliced(5).trimmed()
                                    : unindented(textsUpTo(last)).join(u"\\n"_s));
        else if (line == u"left to right direction")
            m_direction = ChartDirection::Right;
        else if (line == u"top to bottom direction")
            m_direction = ChartDirection::Down;
        else
            aside(u"a setting"_s, line);
        m_at = std::max(last, m_at);
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
        const qsizetype last = ending.isEmpty() ? m_at : std::max(blockEnd({ ending }), m_at);
        loss(u"the preprocessor is not supported; %1left out: %2"_s.arg(
            last > m_at ? u"%1 lines are "_s.arg(last - m_at + 1) : QString(), text.left(60)));
        m_at = last;
        return true;
    }

    void skipUnknown(const QString &text)
    {
        loss(u"not understood and left out: %1"_s.arg(text.left(60)));
        if (!m_other && isOtherPlantUml(text))
            m_other = Diagnostic { line(), u"another kind of diagram (%1)"_s.arg(text.left(60)) };
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

    void leaveOutTagsAndLinks(const QRegularExpressionMatch &match)
    {
        QString tags = match.captured(u"tags") + match.captured(u"moreTags");
        aside(u"a tag"_s, tags.replace(u'$', u" $"_s).simplified());
        aside(u"a link"_s, match.captured(u"url") + match.captured(u"lateUrl"));
    }

    /// Vertex at the left or right end of an arrow: [*], [H], CODE[H], ==CODE== or CODE.
    int nodeAt(const QRegularExpressionMatch &match, const QString &end, Dot dot)
    {
        const auto has = [&](const QString &group) { return match.hasCaptured(end + group); };
        m_hasStates = m_hasStates || !has(u"name"_s);
        if (has(u"dot"_s))
            return m_builder.dot(dot, line());
        if (has(u"history"_s)) {
            const Dot which = has(u"deep"_s) ? Dot::DeepHistory : Dot::ShallowHistory;
            const QString of = match.captured(end + u"of"_s);
            return of.isEmpty() ? m_builder.dot(which, line())
                                : m_builder.historyOf(m_builder.named(of, line()), which, line());
        }
        const QString code = match.captured(end + u"name"_s) + match.captured(end + u"bar"_s);
        const bool isNew = m_builder.known(code) < 0;
        const int state = m_builder.named(code, line());
        if (isNew && has(u"bar"_s))
            m_builder.node(state).isBar = true;
        return state;
    }

    /// Attaches a free note to the first state that an arrow connects with it. False: no end of
    /// the arrow is a note.
    bool attachesNote(const QRegularExpressionMatch &match)
    {
        const QString left = match.captured(u"leftname"), right = match.captured(u"rightname");
        const auto isNote = [this](const QString &code) {
            return m_freeNotes.contains(code) && m_builder.known(code) < 0;
        };
        if (!isNote(left) && !isNote(right))
            return false;
        Note &note = m_free[m_freeNotes[isNote(right) ? right : left]];
        const QString state = isNote(right) ? left : right;
        if (state.isEmpty() || isNote(state) || !note.of.isEmpty())
            aside(u"an arrow of a note"_s, isNote(right) ? right : left);
        else
            note = { m_builder.node(m_builder.named(state, line())).vertex.id, u"right"_s,
                note.lines };
        return true;
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

    QHash<QString, qsizetype> m_freeNotes; ///< by their codes
    QList<Note> m_free;
    QMap<int, QString> m_stereotypes; ///< by node
    QString m_title;                  ///< as it is written
    bool m_hasStates = false;         ///< a line could stand in no other kind of diagram
    std::optional<Diagnostic> m_other;
};

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
    chart.id = block.name.simplified();
    if (chart.id.startsWith(u"(id=") && chart.id.endsWith(u')'))
        chart.id = chart.id.sliced(4).chopped(1).trimmed();
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
