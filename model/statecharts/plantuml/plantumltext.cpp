// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/plantuml/plantumltext.h"

#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/notation/textlines.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

bool isPlantUmlCode(QStringView text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](QChar letter) {
        return letter.isLetterOrNumber() || letter == u'_' || letter == u'.';
    });
}

qsizetype plantUmlStart(QStringView line)
{
    const qsizetype at = line.indexOf(u"@start", 0, Qt::CaseInsensitive);
    const bool isInText = at > 0 && std::ranges::any_of(line.first(at), [](QChar letter) {
        return letter.isLetterOrNumber() || letter == u'_';
    });
    return isInText ? -1 : at;
}

namespace {

/// True for the quotes that PlantUML treats as '"'.
bool isPlantUmlQuote(QChar letter)
{
    return u"\"\u201c\u201d\u00ab\u00bb"_s.contains(letter);
}

/// Kinds by stereotype. Any other one, such as <<sdlreceive>>, marks an ordinary state.
const QMap<QString, Kind> kinds { { u"choice"_s, Kind::Choice }, { u"fork"_s, Kind::Fork },
    { u"join"_s, Kind::Join }, { u"start"_s, Kind::Initial }, { u"end"_s, Kind::Final },
    { u"history"_s, Kind::ShallowHistory }, { u"history*"_s, Kind::DeepHistory },
    { u"entryPoint"_s, Kind::Entry }, { u"exitPoint"_s, Kind::Exit } };

} // namespace

Kind plantUmlKind(const QString &stereotypes)
{
    const QString first = stereotypes.section(u">>"_s, 0, 0).mid(2).trimmed();
    for (auto it = kinds.cbegin(); it != kinds.cend(); ++it)
        if (first.compare(it.key(), Qt::CaseInsensitive) == 0)
            return *it;
    return Kind::State;
}

QString plantUmlStereotype(Kind kind)
{
    const QString word = kinds.key(kind);
    return word.isEmpty() ? word : u"<<%1>>"_s.arg(word);
}

namespace {

/// Decodes the character at the beginning of a text that is escaped by its code point. Returns it
/// and the length of the escape, which is 0 if there is none.
std::pair<QString, qsizetype> numbered(QStringView text)
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
QChar escaped(QChar letter)
{
    const qsizetype at = u"nrlt\\"_s.indexOf(letter);
    return at < 0 ? QChar() : u"\n\n\n\t\\"_s[at];
}

QString byNumber(QChar letter)
{
    return u"<U+%1>"_s.arg(int(letter.unicode()), 4, 16, QChar(u'0')).toUpper();
}

/// True if PlantUML would interpret the beginning of the text as markup.
bool isRisky(QStringView text, PlantUmlPlace place)
{
    if (text.startsWith(u"/'"))
        return true;
    if (text[0] == u'\\')
        return text.size() == 1;
    return (place == PlantUmlPlace::BetweenQuotes && isPlantUmlQuote(text[0]))
        || numbered(text).second > 0;
}

QString writtenLetter(QStringView text)
{
    if (text[0] == u'\n')
        return u"\\n"_s;
    if (text[0] == u'\t')
        return u"\\t"_s;
    if (text[0] == u'\\' && (!escaped(text[1]).isNull() || text[1] == u'\n' || text[1] == u'\t'))
        return u"\\\\"_s;
    return text[0];
}

/// Index of the letter that makes a line the end of a block, a comment or a command; -1: none.
qsizetype telltale(const QString &line)
{
    if (const qsizetype start = plantUmlStart(line); start >= 0)
        return start;
    static const QStringList ends { u"end note"_s, u"endnote"_s, u"end title"_s, u"endtitle"_s };
    const QString words = line.simplified().toLower();
    const bool isRisky = !words.isEmpty() && (u"'!@}"_s.contains(words[0]) || ends.contains(words));
    return isRisky ? indentOf(line) : -1;
}

} // namespace

QString shownByPlantUml(const QString &written)
{
    return replacedLetters(written, [](QStringView rest) -> std::pair<QString, qsizetype> {
        const QChar special = rest[0] == u'\\' && rest.size() > 1 ? escaped(rest[1]) : QChar();
        if (!special.isNull())
            return { special, 2 };
        const std::pair<QString, qsizetype> found = numbered(rest);
        return found.second > 0 ? found : std::pair(QString(rest[0]), qsizetype(1));
    });
}

QString writtenForPlantUml(const QString &shown, PlantUmlPlace place)
{
    return writtenLetters(shown, [place](QStringView rest, bool isEdge) {
        const bool isLost = isEdge && rest[0].isSpace() && rest[0] != u'\n' && rest[0] != u'\t';
        return isLost || isRisky(rest, place) ? byNumber(rest[0]) : writtenLetter(rest);
    });
}

namespace {

/// Encodes the lines of a block so that none is read as its end, a comment or a command.
QStringList blockForPlantUml(const QStringList &shown)
{
    QStringList written;
    bool isFlush = false; // some line is not indented, so the others keep their indentation
    for (const QString &line : shown) {
        const bool isBlank = indentOf(line) == line.size();
        const qsizetype indent = isBlank ? 0 : indentOf(line); // blanks of a blank line are text
        QString text =
            line.left(indent) + writtenForPlantUml(line.sliced(indent), PlantUmlPlace::BehindColon);
        if (const qsizetype at = telltale(text); at >= 0)
            text = text.left(at) + byNumber(text[at]) + text.sliced(at + 1);
        if (!isFlush && indent > 0 && indent < text.size())
            text = byNumber(text[0]) + text.sliced(1);
        isFlush = isFlush || !text.isEmpty();
        written += text;
    }
    return written;
}

} // namespace

QStringList noteForPlantUml(const QStringList &shown, bool isFree)
{
    if (shown.size() != 1 || shown.first().isEmpty())
        return blockForPlantUml(shown);
    const auto place = isFree ? PlantUmlPlace::BetweenQuotes : PlantUmlPlace::BehindColon;
    return { writtenForPlantUml(shown.first(), place) };
}

QStringList titleForPlantUml(const QString &shown)
{
    static const QRegularExpression plain(u"^\\w(?:[\\w ,.-]*\\w)?$"_s);
    if (plain.match(shown).hasMatch())
        return { u"title "_s + shown };
    return QStringList(u"title"_s) + blockForPlantUml(shown.split(u'\n'))
        + QStringList(u"end title"_s);
}

namespace {

/// Returns the first colour of a gradient, "red-blue".
QString firstColour(QStringView written)
{
    qsizetype size = written.startsWith(u'#') ? 1 : 0;
    while (size < written.size() && !u"-\\|/"_s.contains(written[size]))
        ++size;
    return colourOf(written.left(size));
}

void addStroke(Look &look, QStringView word)
{
    if (word == u"dashed")
        look.dash = Look::Dash::Dashed;
    else if (word == u"dotted")
        look.dash = Look::Dash::Dotted;
    else if (word == u"bold")
        look.isBold = true;
    else if (word.startsWith(u"thickness="))
        look.isBold = word.sliced(10).toDouble() >= 2;
}

/// Adds a part of a style: "back:pink", "line.dashed", or a background colour.
void addPart(Look &look, QStringView part)
{
    const qsizetype colon = part.indexOf(u':');
    const qsizetype dot = part.indexOf(u'.');
    const QString value = colon < 0 ? QString() : firstColour(part.sliced(colon + 1));
    if (colon < 0 && dot < 0)
        look.fill = firstColour(part);
    else if (part.startsWith(u"back"))
        look.fill = value;
    else if (part.startsWith(u"text"))
        look.text = value;
    else if (part.startsWith(u"line") && colon >= 0)
        look.stroke = value;
    if (part.startsWith(u"line") && dot >= 0)
        addStroke(look, part.sliced(dot + 1, (colon > dot ? colon : part.size()) - dot - 1));
}

/// Returns a colour in the form that follows a "#".
QString bare(const QString &colour)
{
    return colour.startsWith(u'#') ? colour.sliced(1) : colour;
}

} // namespace

void paint(Look &look, const QString &colours, const QString &border)
{
    static const QRegularExpression rule(u"^##(?:\\[([^\\]]*)\\])?(\\w*)$"_s);
    for (const QString &part : bare(colours.toLower()).split(u';', Qt::SkipEmptyParts))
        addPart(look, part);
    const QRegularExpressionMatch found = rule.match(border.toLower());
    addStroke(look, found.capturedView(1));
    if (found.capturedLength(2) > 0)
        look.stroke = colourOf(found.capturedView(2));
}

// The border has one of dashed, dotted, bold; a second one goes to the colours.
QString coloursOf(const Look &look)
{
    const QStringList words = strokeWords(look);
    QStringList parts, result;
    if (!look.fill.isEmpty())
        parts += bare(look.fill);
    if (!look.text.isEmpty())
        parts += u"text:"_s + bare(look.text);
    if (words.size() > 1)
        parts += u"line."_s + words.last();
    if (!parts.isEmpty())
        result += u'#' + parts.join(u';');
    if (!words.isEmpty() || !look.stroke.isEmpty())
        result += u"##"_s + (words.isEmpty() ? QString() : u'[' + words.first() + u']')
            + bare(look.stroke);
    return result.join(u' ');
}

Look strokeOf(const QString &style)
{
    Look look;
    for (const QString &part : style.toLower().split(QRegularExpression(u"[\\[\\],]"_s))) {
        const QString word = part.trimmed();
        if (word.startsWith(u'#'))
            look.stroke = firstColour(word);
        else
            addStroke(look, word);
    }
    return look;
}

QString arrowOf(const Look &look, Towards towards)
{
    QStringList style;
    if (!look.stroke.isEmpty())
        style += u'#' + bare(look.stroke);
    style += strokeWords(look);
    if (style.isEmpty() && towards == Towards::Right)
        return u"->"_s;
    const QString bracket = style.isEmpty() ? QString() : u'[' + style.join(u',') + u']';
    return u'-' + bracket + wordOf(towards) + u"->"_s;
}

namespace {

bool canBeQuoted(QStringView id)
{
    return !id.contains(u'\n') && !id.contains(u'\r') && std::ranges::none_of(id, isPlantUmlQuote);
}

/// Body in which an arrow is written. "[*]" means the dot of the region around it, and PlantUML
/// 1.2020.2 misreads histories that are mentioned elsewhere than inside or beside their state.
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

} // namespace

const TextNotation &plantUmlNotation()
{
    static const TextNotation notation { .isCode = isPlantUmlCode,
        .canBeQuoted = canBeQuoted,
        .homeOf = plantUmlHome,
        .shown = shownByPlantUml,
        .written = [](const QString &shown) {
            return writtenForPlantUml(shown, PlantUmlPlace::BehindColon);
        } };
    return notation;
}

} // namespace instar
