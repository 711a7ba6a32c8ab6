// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/diagram.h"
#include "model/statecharts/notation/notations.h"

#include <QRegularExpression>

#include <algorithm>

namespace instar {

using Kind = Vertex::Kind;
using Dot = ChartBuilder::Dot;

namespace {

bool isWord(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'_';
}

/// True if a state can have this name without quotes.
bool isPlantUmlCode(QStringView text)
{
    return !text.isEmpty()
        && std::ranges::all_of(text, [](QChar letter) { return isWord(letter) || letter == u'.'; });
}

/// Returns the index of "@start" in a line, at its beginning or after punctuation; -1: none.
qsizetype plantUmlStart(QStringView line)
{
    const qsizetype at = line.indexOf(u"@start", 0, Qt::CaseInsensitive);
    return at > 0 && std::ranges::any_of(line.first(at), isWord) ? -1 : at;
}

/// True for the quotes that PlantUML treats as '"'.
bool isPlantUmlQuote(QChar letter)
{
    return u"\"\u201c\u201d\u00ab\u00bb"_s.contains(letter);
}

/// Kinds of vertices by stereotype. Others, such as <<sdlreceive>>, mark ordinary states.
const QMap<QString, Kind> PlantUmlKinds { { u"choice"_s, Kind::Choice }, { u"fork"_s, Kind::Fork },
    { u"join"_s, Kind::Join }, { u"start"_s, Kind::Initial }, { u"end"_s, Kind::Final },
    { u"history"_s, Kind::ShallowHistory }, { u"history*"_s, Kind::DeepHistory },
    { u"entryPoint"_s, Kind::Entry }, { u"exitPoint"_s, Kind::Exit } };

/// Returns the kind of a bodyless vertex by the first of its stereotypes, "<<choice>> <<big>>".
Kind plantUmlKind(const QString &stereotypes)
{
    const QString first = stereotypes.section(u">>"_s, 0, 0).mid(2).trimmed();
    for (auto it = PlantUmlKinds.cbegin(); it != PlantUmlKinds.cend(); ++it)
        if (first.compare(it.key(), Qt::CaseInsensitive) == 0)
            return *it;
    return Kind::State;
}

/// Returns the stereotype of a kind; empty for states.
QString plantUmlStereotype(Kind kind)
{
    const QString word = PlantUmlKinds.key(kind);
    return word.isEmpty() ? word : u"<<%1>>"_s.arg(word);
}

/// Decodes an escaped code point; returns the character and the length of the escape (0: none).
std::pair<QString, qsizetype> decodedCodePoint(QStringView text)
{
    static const QRegularExpression number(
        u"^(?:<U\\+([0-9a-f]{1,7})>|&#([0-9]{1,7});)"_s, QRegularExpression::CaseInsensitiveOption);
    if (text[0] != u'<' && text[0] != u'&')
        return {};
    const QRegularExpressionMatch match = number.match(text.left(12).toString());
    const bool isHex = match.hasCaptured(1);
    const char32_t letter = match.captured(isHex ? 1 : 2).toUInt(nullptr, isHex ? 16 : 10);
    if (letter == 0 || letter > 0x10ffff || QChar::isSurrogate(letter))
        return {};
    return { QString::fromUcs4(&letter, 1), match.capturedLength() };
}

/// Decodes a backslash and a letter; 0: no escape.
QChar unescaped(QChar letter)
{
    const qsizetype at = u"nrlt\\"_s.indexOf(letter);
    return at < 0 ? QChar() : u"\n\n\n\t\\"_s[at];
}

QString escapedCodePoint(QChar letter)
{
    return u"<U+%1>"_s.arg(int(letter.unicode()), 4, 16, QChar(u'0')).toUpper();
}

/// Context of a text in a line. A text between quotes must contain no quotes.
enum class PlantUmlContext { AfterColon, BetweenQuotes };

/// True if PlantUML would interpret the beginning of the text as markup.
bool isMarkup(QStringView text, PlantUmlContext context)
{
    if (text.startsWith(u"/'"))
        return true;
    if (text[0] == u'\\')
        return text.size() == 1;
    return (context == PlantUmlContext::BetweenQuotes && isPlantUmlQuote(text[0]))
        || decodedCodePoint(text).second > 0;
}

QString writtenLetter(QStringView text)
{
    if (text[0] == u'\n')
        return u"\\n"_s;
    if (text[0] == u'\t')
        return u"\\t"_s;
    if (text[0] == u'\\' && (!unescaped(text[1]).isNull() || text[1] == u'\n' || text[1] == u'\t'))
        return u"\\\\"_s;
    return text[0];
}

/// Returns the index of the character by which a line is the end of a block, a comment or a
/// command; -1: there is none.
qsizetype commandSign(const QString &line)
{
    if (const qsizetype start = plantUmlStart(line); start >= 0)
        return start;
    static const QStringList ends { u"end note"_s, u"endnote"_s, u"end title"_s, u"endtitle"_s };
    const QString words = line.simplified().toLower();
    const bool isSign = !words.isEmpty() && (u"'!@}"_s.contains(words[0]) || ends.contains(words));
    return isSign ? indentOf(line) : -1;
}

/// Decodes a text of PlantUML: "\n", "\l" and "\r" are line breaks (the last two also align the
/// line), "\t" is a tabulator, "<U+0022>" and "&#34;" are characters.
QString shownByPlantUml(const QString &written)
{
    return replacedLetters(written, [](QStringView rest) -> std::pair<QString, qsizetype> {
        const QChar special = rest[0] == u'\\' && rest.size() > 1 ? unescaped(rest[1]) : QChar();
        if (!special.isNull())
            return { special, 2 };
        const std::pair<QString, qsizetype> found = decodedCodePoint(rest);
        return found.second > 0 ? found : std::pair(QString(rest[0]), qsizetype(1));
    });
}

QString writtenForPlantUml(const QString &shown, PlantUmlContext context)
{
    return escapedLetters(shown, [context](QStringView rest, bool isEdge) {
        const bool isLost = isEdge && rest[0].isSpace() && rest[0] != u'\n' && rest[0] != u'\t';
        return isLost || isMarkup(rest, context) ? escapedCodePoint(rest[0]) : writtenLetter(rest);
    });
}

/// Encodes the lines of a block so that no line is read as the end, a comment or a command.
QStringList blockForPlantUml(const QStringList &shown)
{
    QStringList written;
    bool isFlush = false; // some line is not indented, so the others keep their indentation
    for (const QString &line : shown) {
        const bool isBlank = indentOf(line) == line.size();
        const qsizetype indent = isBlank ? 0 : indentOf(line); // blanks of a blank line are text
        QString text = line.left(indent)
            + writtenForPlantUml(line.sliced(indent), PlantUmlContext::AfterColon);
        if (const qsizetype at = commandSign(text); at >= 0)
            text = text.left(at) + escapedCodePoint(text[at]) + text.sliced(at + 1);
        if (!isFlush && indent > 0 && indent < text.size())
            text = escapedCodePoint(text[0]) + text.sliced(1);
        isFlush = isFlush || !text.isEmpty();
        written += text;
    }
    return written;
}

/// Encodes a note: one line after a colon, a quoted text of a free note, or a block.
QStringList noteForPlantUml(const QStringList &shown, bool isFree)
{
    if (shown.size() != 1 || shown.first().isEmpty())
        return blockForPlantUml(shown);
    const auto context = isFree ? PlantUmlContext::BetweenQuotes : PlantUmlContext::AfterColon;
    return { writtenForPlantUml(shown.first(), context) };
}

/// Encodes a title: one line, or a block if the line would be ambiguous.
QStringList titleForPlantUml(const QString &shown)
{
    static const QRegularExpression plain(u"^\\w(?:[\\w ,.-]*\\w)?$"_s);
    if (plain.match(shown).hasMatch())
        return { u"title "_s + shown };
    return QStringList(u"title"_s) + blockForPlantUml(shown.split(u'\n'))
        + QStringList(u"end title"_s);
}

/// Returns the first colour of a gradient, "red-blue".
QString firstColour(QStringView written)
{
    qsizetype size = written.startsWith(u'#') ? 1 : 0;
    while (size < written.size() && !u"-\\|/"_s.contains(written[size]))
        ++size;
    return colourOf(written.left(size));
}

void addStroke(ChartStyle &style, QStringView word)
{
    if (word == u"dashed")
        style.dash = ChartStyle::Dash::Dashed;
    else if (word == u"dotted")
        style.dash = ChartStyle::Dash::Dotted;
    else if (word == u"bold")
        style.isBold = true;
    else if (word.startsWith(u"thickness="))
        style.isBold = word.sliced(10).toDouble() >= 2;
}

/// Adds a part of a style: "back:pink", "line.dashed", or a background colour.
void addPart(ChartStyle &style, QStringView part)
{
    const qsizetype colon = part.indexOf(u':');
    const qsizetype dot = part.indexOf(u'.');
    const QString value = colon < 0 ? QString() : firstColour(part.sliced(colon + 1));
    if (colon < 0 && dot < 0)
        style.fill = firstColour(part);
    else if (part.startsWith(u"back"))
        style.fill = value;
    else if (part.startsWith(u"text"))
        style.text = value;
    else if (part.startsWith(u"line") && colon >= 0)
        style.stroke = value;
    if (part.startsWith(u"line") && dot >= 0)
        addStroke(style, part.sliced(dot + 1, (colon > dot ? colon : part.size()) - dot - 1));
}

/// Returns a colour in the form that follows a "#".
QString bare(const QString &colour)
{
    return colour.startsWith(u'#') ? colour.sliced(1) : colour;
}

/// Adds the colours of a state, "#back:pink;text:blue", and its border, "##[dashed]red".
void paint(ChartStyle &style, const QString &colours, const QString &border)
{
    static const QRegularExpression rule(u"^##(?:\\[([^\\]]*)\\])?(\\w*)$"_s);
    for (const QString &part : bare(colours.toLower()).split(u';', Qt::SkipEmptyParts))
        addPart(style, part);
    const QRegularExpressionMatch found = rule.match(border.toLower());
    addStroke(style, found.capturedView(1));
    if (found.capturedLength(2) > 0)
        style.stroke = colourOf(found.capturedView(2));
}

/// Returns a style as colours and border: "#pink ##[dashed]red". The border has one of the words
/// dashed, dotted and bold; a second word goes to the colours.
QString coloursOf(const ChartStyle &style)
{
    const QStringList words = strokeWords(style);
    QStringList parts, result;
    if (!style.fill.isEmpty())
        parts += bare(style.fill);
    if (!style.text.isEmpty())
        parts += u"text:"_s + bare(style.text);
    if (words.size() > 1)
        parts += u"line."_s + words.last();
    if (!parts.isEmpty())
        result += u'#' + parts.join(u';');
    if (!words.isEmpty() || !style.stroke.isEmpty())
        result += u"##"_s + (words.isEmpty() ? QString() : u'[' + words.first() + u']')
            + bare(style.stroke);
    return result.join(u' ');
}

/// Parses the style of an arrow such as "-[#red,dashed]left->", as arrowOf() writes it.
ChartStyle strokeOf(const QString &written)
{
    ChartStyle style;
    for (const QString &part : written.toLower().split(QRegularExpression(u"[\\[\\],]"_s))) {
        const QString word = part.trimmed();
        if (word.startsWith(u'#'))
            style.stroke = firstColour(word);
        else
            addStroke(style, word);
    }
    return style;
}

QString arrowOf(const ChartStyle &style, Towards towards)
{
    QStringList words;
    if (!style.stroke.isEmpty())
        words += u'#' + bare(style.stroke);
    words += strokeWords(style);
    if (words.isEmpty() && towards == Towards::Right)
        return u"->"_s;
    const QString bracket = words.isEmpty() ? QString() : u'[' + words.join(u',') + u']';
    return u'-' + bracket + wordOf(towards) + u"->"_s;
}

bool canBeQuoted(QStringView id)
{
    return !id.contains(u'\n') && !id.contains(u'\r') && std::ranges::none_of(id, isPlantUmlQuote);
}

/// Returns the body in which an arrow must be written: "[*]" means the dot of the region around,
/// and PlantUML 1.2020.2 misreads histories mentioned elsewhere than inside or beside their state.
int plantUmlHome(const TextPlan &plan, const OutlineArc &arc)
{
    const ChartTree &tree = plan.tree();
    const auto hasNoCode = [&](int end) {
        const int parent = tree.node(end).parent;
        return plan.form(end) == VertexForm::Dot
            || (plan.form(end) == VertexForm::History
                && (parent == 0 || tree.node(parent).isRegion));
    };
    for (const int end : { arc.from, arc.to })
        if (hasNoCode(end))
            return tree.node(end).parent;
    for (const int end : { arc.from, arc.to }) {
        const int other = end == arc.from ? arc.to : arc.from;
        const int parent = tree.node(end).parent;
        if (plan.form(end) != VertexForm::History)
            continue;
        const bool isAround =
            tree.regions(parent).isEmpty() && other != parent && tree.isInside(other, parent);
        return isAround ? parent : tree.node(parent).parent;
    }
    return -1;
}

const TextNotation PlantUmlNotation { .isCode = isPlantUmlCode,
    .canBeQuoted = canBeQuoted,
    .homeOf = plantUmlHome,
    .shown = shownByPlantUml,
    .written = [](const QString &shown) {
        return writtenForPlantUml(shown, PlantUmlContext::AfterColon);
    } };

QString words(const QString &text)
{
    return text.simplified().toLower();
}

bool startsWithWord(const QString &text, QStringView word)
{
    return text.startsWith(word) && (text.size() == word.size() || text[word.size()].isSpace());
}

/// Returns the possible ends of the block that a line begins; none if the line is complete.
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

// Rules for single lines, after the commands of PlantUML
// (net.sourceforge.plantuml.statediagram.command), in their order. Quantifiers are possessive, so
// that matching never backtracks for long.

/// Subpatterns, which replace {name} in a rule.
const QList<std::pair<QString, QString>> PlantUmlParts {
    { u"{style}"_s, uR"({s}*+(?<tags>{tags})(?<stereotypes>{stereotypes}){s}*+(?<moreTags>{tags})
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

QRegularExpression plantUmlRule(QString rule)
{
    for (const auto &[name, part] : PlantUmlParts)
        rule.replace(name, part);
    return lineRegex(rule);
}

/// Returns the pattern for an arrow's end. Its groups begin with `name`; without a name: no groups.
QString endRule(const QString &name)
{
    static const QRegularExpression group(uR"(\(\?<@\w+>)"_s);
    QString rule = uR"((?>(?<@dot>\[\*])|(?<@history>(?<@of>{code})?+\[H(?<@deep>\*)?+])
        |={2,}+(?<@bar>{code})={2,}+|(?<@name>{code}))
        {s}*+(?<@stereotypes>{stereotypes}){s}*+(?<@colour>\#{w}++)?+{s}*+)"_s;
    return name.isEmpty() ? rule.replace(group, u"(?:"_s) : rule.replace(u'@', name);
}

/// Returns stereotypes with one blank between them.
QString spaced(QString stereotypes)
{
    static const QRegularExpression between = lineRegex(u">>{s}*+<<"_s);
    return stereotypes.replace(between, u">> <<"_s).trimmed();
}

/// Compiles a rule for an arrow and its ends; {rest} matches the second end, for lookaheads.
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
    constexpr qsizetype most = 1000;                      // of a line that is examined
    return other.match(line.left(most).simplified()).hasMatch();
}

/// Block between @startuml and @enduml.
struct PlantUmlBlock
{
    int number = 0; ///< of the line with @start; 0: the file has no such line
    QString kind;   ///< "uml"; "json", "mindmap" and others hold no statechart
    QString name;   ///< text at the end of that line
    bool isClosed = false;
    QList<DiagramLine> lines; ///< without comments; lines that end with a backslash are joined
    QStringList comments;     ///< with their signs: "' a", "/' b '/"
    int openComment = 0;      ///< line of a block comment without end; 0: none
};

bool isEnd(QStringView line)
{
    return line.trimmed().startsWith(u"@end", Qt::CaseInsensitive);
}

PlantUmlBlock newBlock(int number, QStringView text)
{
    const auto *const end = std::ranges::find_if_not(text, isWord);
    const qsizetype size = end - text.begin();
    return { .number = number,
        .kind = text.left(size).toString().toLower(),
        .name = text.sliced(size).trimmed().toString() };
}

/// Splitter of a file into blocks from @start to @end; without @start, the file is one block.
class PlantUmlSplitter
{
public:
    explicit PlantUmlSplitter(const QStringList &lines) : m_lines(lines) { }

    QList<PlantUmlBlock> blocks()
    {
        for (qsizetype i = 0; i < m_lines.size(); ++i) {
            const qsizetype start = plantUmlStart(m_lines[i]);
            if (start >= 0)
                read(newBlock(int(i) + 1, QStringView(m_lines[i]).sliced(start + 6)), i + 1);
        }
        if (m_blocks.isEmpty())
            read({ .kind = u"uml"_s }, 0);
        return m_blocks;
    }

private:
    /// Reads the lines of a block, which ends at @end or at the next @start.
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
            line =
                line.left(text.end() - line.cbegin() - 1) + u"<U+005C>"_s; // no continuation line
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

    /// Skips a block comment, perhaps of several lines. Returns false if nothing follows it.
    bool skipComment(QString &line)
    {
        PlantUmlBlock &block = m_blocks.last();
        const int number = int(m_at) + 1;
        QStringList comment;
        qsizetype from = line.indexOf(u"/'") + 2;
        qsizetype end = line.indexOf(u"'/", from);
        while (end < 0) {
            comment += line.trimmed();
            if (m_at + 1 >= m_end) {
                block.comments += (comment + QStringList(u"'/"_s)).join(u'\n');
                block.openComment = number;
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

/// Reader of one diagram's lines.
class PlantUmlReader : public DiagramReader
{
public:
    explicit PlantUmlReader(const PlantUmlBlock &block)
        : DiagramReader(block.lines, PlantUmlNotation)
    {
        m_comments = block.comments;
    }

    /// Returns the statechart; without a state, it has no vertices.
    Statechart chart()
    {
        for (m_at = 0; m_at < m_lines.size(); ++m_at) {
            const QString text = m_lines[m_at].text.trimmed();
            if (!text.isEmpty())
                readLine(text);
        }
        for (const Note &each : std::as_const(m_freeNotes))
            m_builder.addNote(m_builder.known(each.of), each);
        Statechart chart = built(u"'");
        setKinds(chart);
        makeChoiceConditions(chart);
        chart.title = shownByPlantUml(m_title);
        return chart;
    }

    /// Returns the text "another kind of diagram (class A)" and its line, if the diagram has lines
    /// of another kind and no states.
    std::optional<Diagnostic> other() const { return m_hasStates ? std::nullopt : m_other; }

private:
    void readLine(const QString &text)
    {
        // In the order of PlantUML's commands: "title : x" is a text of the state "title".
        const bool isRead = readPreprocessor(text) || readState(text) || readArrow(text)
            || readBrace(text) || readText(text) || readSeparator(text) || readNote(text)
            || readSetting(text);
        if (!isRead)
            skipUnknown(text);
    }

    /// Reads: state "label" as CODE <<style>> : text, or ending in {
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
        const bool isBeginGlued =
            match.hasCaptured(u"begin") && match.capturedLength(u"decorations") == 0;
        if (!match.hasMatch() || isBeginGlued || (opens && !isPlantUmlCode(code)))
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
        paint(vertex.style, match.captured(u"colour"), match.captured(u"border"));
        if (const QString stereotypes = spaced(match.captured(u"stereotypes"));
            !stereotypes.isEmpty())
            m_stereotypes.insert(state, stereotypes);
        if (match.hasCaptured(u"colon"))
            addText(state, match.captured(u"text").trimmed());
        if (opens)
            openBody(state);
        else if (m_builder.node(state).parent != m_builder.scope())
            note(u"%1 was mentioned before in line %2 and stays in the state given there"_s.arg(
                code, QString::number(m_builder.node(state).vertex.line)));
        return true;
    }

    /// Reads: A -[style]down-> B : text
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
        if (attachNote(match))
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
        const QString label = match.captured(u"text").trimmed();
        Arc &arc = connect(from, to, label);
        arc.style = strokeOf(style);
        arc.towards = match.hasCaptured(u"way") ? towardsOf(match.captured(u"way"))
            : !isForwards                       ? Towards::Left
            : dashes == 1                       ? Towards::Right // the direction of a short arrow
                                                : Towards::Anywhere;
        for (const auto &[end, node] : { std::pair(tail, from), std::pair(head, to) }) {
            ignore(u"a stereotype"_s, spaced(match.captured(end + u"stereotypes"_s)));
            paint(m_builder.node(node).vertex.style, match.captured(end + u"colour"_s), {});
        }
        if (match.hasCaptured(u"colon") && label.isEmpty())
            note(u"the text after the colon is missing, which PlantUML 1.2020.2 refuses"_s);
        return true;
    }

    /// Reads: CODE : text
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

    /// Reads: note left of CODE : text, note on link : text, note "text" as CODE, or blocks
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
        const bool hasText = has(u"colon"_s) || has(u"brace"_s);
        const bool isPlaced = has(u"side"_s) || has(u"link"_s);
        if (!match.hasMatch() || (has(u"free"_s) ? hasText : !isPlaced))
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
        ignore(u"the colour of a note"_s, match.captured(u"colour"));
        if (has(u"link"_s))
            addArcNote(*lines);
        else if (has(u"free"_s)) {
            m_freeNoteByCode.insert(match.captured(u"code"), m_freeNotes.size());
            m_freeNotes.append({ .lines = shown(*lines) });
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
            ignore(u"a setting"_s, line);
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
            ignore(u"a setting"_s, text);
            return true;
        }
        static const QRegularExpression definition( // over several lines
            u"^!(?:unquoted )?(procedure|function|definelong|macro)(?: |$)"_s);
        const QRegularExpressionMatch match = definition.match(line);
        const qsizetype last =
            match.hasMatch() ? std::max(blockEnd({ u"!end"_s + match.captured(1) }), m_at) : m_at;
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

    /// Returns the state of a name, perhaps a new one. A quoted name is also the label.
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
        ignore(u"a tag"_s, tags.replace(u'$', u" $"_s).simplified());
        ignore(u"a link"_s, match.captured(u"url") + match.captured(u"lateUrl"));
    }

    /// Returns the vertex at an end of an arrow: [*], [H], CODE[H], ==CODE== or CODE.
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

    /// Attaches a free note to the first state connected with the note; false if no end is a note.
    bool attachNote(const QRegularExpressionMatch &match)
    {
        const QString left = match.captured(u"leftname"), right = match.captured(u"rightname");
        const auto isNote = [this](const QString &code) {
            return m_freeNoteByCode.contains(code) && m_builder.known(code) < 0;
        };
        if (!isNote(left) && !isNote(right))
            return false;
        Note &note = m_freeNotes[m_freeNoteByCode[isNote(right) ? right : left]];
        const QString state = isNote(right) ? left : right;
        if (state.isEmpty() || isNote(state) || !note.of.isEmpty())
            ignore(u"an arrow of a note"_s, isNote(right) ? right : left);
        else
            note = { m_builder.node(m_builder.named(state, line())).vertex.id, u"right"_s,
                note.lines };
        return true;
    }

    void addNote(int of, const Note &written)
    {
        if (of < 0)
            loss(u"the note is left out, because no state precedes it"_s);
        else if (!m_builder.node(of).vertex.isNamed)
            loss(
                u"the note is left out, because it belongs to an initial or final state without a name"_s);
        else
            m_builder.addNote(of, written);
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
            const int index = m_builder.vertexIndex(it.key());
            Vertex &vertex = chart.vertices[index];
            const bool isComposite =
                index + 1 < chart.vertices.size() && chart.vertices[index + 1].parent == vertex.id;
            if (!isComposite)
                vertex.kind = plantUmlKind(*it);
            if (isComposite
                || it->compare(plantUmlStereotype(vertex.kind), Qt::CaseInsensitive) != 0)
                losses.add(u"a stereotype"_s, *it, vertex.line);
        }
        chart.ignoredParts += losses.diagnostics();
    }

    QHash<QString, qsizetype> m_freeNoteByCode; ///< code -> index in m_freeNotes
    QList<Note> m_freeNotes;
    QMap<int, QString> m_stereotypes;  ///< by node
    QString m_title;                   ///< as it is written
    bool m_hasStates = false;          ///< some line can only belong to a state diagram
    std::optional<Diagnostic> m_other; ///< the first line of another kind of diagram
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
        refuseDiagram(u"the @start%1 diagram"_s.arg(block.kind), block.number, read);
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

class PlantUmlWriter : public DiagramWriter
{
public:
    PlantUmlWriter(const Statechart &chart, QList<Diagnostic> &remarks)
        : DiagramWriter(chart, PlantUmlNotation, 2, remarks),
          m_needsBody(m_plan.tree().size(), false)
    {
        findNeededBodies();
    }

    QByteArray text()
    {
        writeHead();
        writeSteps();
        writePositions(u"'"_s);
        add(u"@enduml"_s);
        reportLosses();
        return bytes();
    }

private:
    QStringList noteAt(const Note &note) const
    {
        const QString side = note.side.isEmpty() ? u"right"_s : note.side;
        const QString &code = m_plan.code(m_plan.tree().index(note.of));
        return noteBlock(u"note "_s + side + u" of "_s + code, noteForPlantUml(note.lines, false));
    }

    QStringList freeNote(const Note &note)
    {
        const QString code = m_plan.freeCode(u"N1"_s);
        const QStringList written = noteForPlantUml(note.lines, true);
        if (written.size() == 1 && !written.first().isEmpty())
            return { u"note \""_s + written.first() + u"\" as "_s + code };
        return QStringList(u"note as "_s + code) + written + QStringList(u"end note"_s);
    }

    /// Finds states that need a body: in all regions but the first, PlantUML 1.2020.2 accepts
    /// arrows to states outside the region's top level only if they have a body.
    void findNeededBodies()
    {
        QSet<int> bodies;
        walk([&](const OutlineStep &step) {
            if (step.kind == OutlineStep::Kind::Open || step.kind == OutlineStep::Kind::Reopen)
                bodies.insert(step.index);
            else if (step.kind == OutlineStep::Kind::Connect && m_open.last().isLater)
                checkEnds(m_plan.arcs()[step.index], m_open.last().node, bodies);
        });
    }

    void checkEnds(const OutlineArc &arc, int scope, const QSet<int> &bodies)
    {
        for (const int end : { arc.from, arc.to }) {
            const int parent = m_plan.node(end).parent;
            const bool isReached =
                m_plan.node(scope).isRegion ? parent == scope : !m_plan.node(parent).isRegion;
            if (isReached || m_plan.form(end) == VertexForm::History || bodies.contains(end))
                continue;
            if (m_plan.vertex(end).kind == Kind::State || m_plan.vertex(end).kind == Kind::Parallel)
                m_needsBody[end] = true;
            else
                note(m_plan.vertex(end).line,
                    u"PlantUML 1.2020.2 refuses the arrow of %1 inside a region"_s.arg(
                        m_plan.vertex(end).id));
        }
    }

    void writeHead()
    {
        add((u"@startuml "_s + m_chart.id.simplified()).trimmed());
        if (m_chart.direction != ChartDirection::Unspecified)
            add(m_chart.direction == ChartDirection::Right ? u"left to right direction"_s
                                                           : u"top to bottom direction"_s);
        if (!m_chart.title.isEmpty())
            m_lines += titleForPlantUml(m_chart.title);
    }

    void open(int node, bool isFirst) override
    {
        add((isFirst ? head(node) : u"state "_s + m_plan.code(node)) + u" {"_s);
    }

    void close(int node) override
    {
        if (m_open.last().isFirst)
            describe(node);
    }

    void finish(int node) override
    {
        for (const Note *const each : m_notes.value(node))
            addLines(each->of.isEmpty() ? freeNote(*each) : noteAt(*each));
    }

    void connect(int index) override
    {
        const OutlineArc &each = m_plan.arcs()[index];
        const Arc &arc = *each.arc;
        writeArrow(each, arrowOf(arc.style, arc.towards));
        if (!arc.note.isEmpty())
            addLines(noteBlock(u"note on link"_s, noteForPlantUml(arc.note, false)));
    }

    void declare(int node) override
    {
        add(head(node) + (m_needsBody[node] ? u" {"_s : QString()));
        if (m_needsBody[node])
            add(u"}"_s);
        describe(node);
    }

    void describe(int node)
    {
        for (const QString &line : m_plan.texts(node))
            add((m_plan.code(node) + u" : "_s + line).trimmed());
    }

    QString head(int node) const
    {
        QString result = u"state "_s;
        if (const QString &label = m_plan.label(node); !label.isEmpty())
            result +=
                u'"' + writtenForPlantUml(label, PlantUmlContext::BetweenQuotes) + u"\" as "_s;
        result += m_plan.code(node);
        const Vertex &each = m_plan.vertex(node);
        for (const QString &part : { plantUmlStereotype(each.kind), coloursOf(each.style) })
            if (!part.isEmpty())
                result += u' ' + part;
        return result;
    }

    QString end(int node) const override
    {
        const int parent = m_plan.node(node).parent;
        switch (m_plan.form(node)) {
        case VertexForm::Dot:
            return u"[*]"_s;
        case VertexForm::History:
            return (parent == m_open.last().node ? QString() : m_plan.code(parent))
                + (m_plan.vertex(node).kind == Kind::DeepHistory ? u"[H*]"_s : u"[H]"_s);
        default:
            return m_plan.code(node);
        }
    }

    void reportLosses()
    {
        for (const OutlineArc &each : m_plan.arcs()) {
            if (m_plan.tree().regionAround(each.from) != m_plan.tree().regionAround(each.to))
                note(each.arc->line,
                    u"the arrow from %1 to %2 crosses a region's border; PlantUML 1.2020.2 refuses that, newer versions draw the arrow"_s
                        .arg(m_plan.vertex(each.from).id, m_plan.vertex(each.to).id));
        }
        ChartLosses losses(u" cannot be expressed in PlantUML and is left out"_s);
        losses.addScxml(m_chart);
        m_remarks += m_chart.ignoredParts + losses.diagnostics();
    }

    QList<bool> m_needsBody; ///< states that need a body although it is empty
};

} // namespace

Result<StatechartsRead> readPlantUml(const QByteArray &bytes, const QString &file)
{
    return readDiagrams(bytes, file,
        u"lines such as \"A --> B : event\" between @startuml and @enduml"_s, readLines);
}

StatechartsWritten writePlantUml(const QList<Statechart> &charts)
{
    StatechartsWritten written;
    for (const Statechart &chart : charts) {
        if (!written.bytes.isEmpty())
            written.bytes += '\n';
        written.bytes += PlantUmlWriter(chart, written.remarks).text();
    }
    escapeControls(written);
    return written;
}

} // namespace instar
