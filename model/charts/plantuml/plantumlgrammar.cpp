// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumlgrammar.h"

#include "model/charts/notation/textlines.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

bool isCodeLetter(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'_' || letter == u'.';
}

bool isWordLetter(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'_';
}

void append(QString &all, QStringView one)
{
    if (!all.isEmpty())
        all += u' ';
    all += one;
}

void takeTags(LineCursor &cursor, QString &tags)
{
    while (cursor.peek() == u'$' && isWordLetter(cursor.peek(1))) {
        const qsizetype begin = cursor.at();
        cursor.goTo(begin + 1);
        cursor.takeWhile([](QChar letter) { return isWordLetter(letter) || letter == u'-'; });
        append(tags, cursor.from(begin));
        cursor.skipSpaces();
    }
}

/// "name", or "name-name" with another sign that stands for a gradient.
bool takeColourName(LineCursor &cursor)
{
    if (cursor.takeWhile(isWordLetter).isEmpty())
        return false;
    const qsizetype end = cursor.at();
    if (u"-\\|/"_s.contains(cursor.peek()) && isWordLetter(cursor.peek(1))) {
        cursor.goTo(end + 1);
        cursor.takeWhile(isWordLetter);
    }
    return true;
}

/// "back:red", "line.dashed" and the like, one of a list.
bool takeColourPart(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    for (const QStringView key : { u"text", u"back", u"header", u"line" }) {
        if (!cursor.take(key))
            continue;
        const bool hasKind = cursor.peek() == u'.';
        if (hasKind)
            cursor.takeWhile([](QChar letter) { return letter == u'.' || letter.isLetter(); });
        const bool hasColour = cursor.peek() == u':' && !cursor.peek(1).isSpace();
        if (hasColour) {
            cursor.goTo(cursor.at() + 1);
            cursor.take(u"#");
            takeColourName(cursor);
        }
        if ((hasKind || hasColour) && !isWordLetter(cursor.peek()))
            return true;
        cursor.goTo(begin);
    }
    return false;
}

QString takeBorder(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    if (!cursor.take(u"##"))
        return {};
    if (cursor.take(u"["))
        cursor.takeUpTo(u"]");
    cursor.takeWhile(isWordLetter);
    return cursor.from(begin).toString();
}

QString takeUrl(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    if (!cursor.take(u"[["))
        return {};
    if (cursor.takeUpTo(u"]]").isNull()) {
        cursor.goTo(begin);
        return {};
    }
    return cursor.from(begin).toString();
}

// What several kinds of lines are made of. Each function gives what is there as it stands, or
// nothing, which leaves the cursor where it was.

QString takeCode(LineCursor &cursor)
{
    return cursor.takeWhile(isCodeLetter).toString();
}

/// The text between quotes; empty: there is none.
QString takeQuoted(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    if (!isPlantUmlQuote(cursor.peek()))
        return {};
    cursor.goTo(begin + 1);
    const QString text =
        cursor.takeWhile([](QChar letter) { return !isPlantUmlQuote(letter); }).toString();
    if (text.isEmpty() || cursor.isAtEnd()) {
        cursor.goTo(begin);
        return {};
    }
    cursor.goTo(cursor.at() + 1);
    return text;
}

QString takeStereotypes(LineCursor &cursor)
{
    QString all;
    while (cursor.rest().startsWith(u"<<")) {
        const qsizetype begin = cursor.at();
        if (cursor.takeUpTo(u">>").isNull())
            break;
        append(all, cursor.from(begin));
        cursor.skipSpaces();
    }
    return all;
}

QString takeColour(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    if (cursor.peek() != u'#' || cursor.peek(1) == u'#')
        return {};
    cursor.goTo(begin + 1);
    if (!takeColourPart(cursor) && !takeColourName(cursor)) {
        cursor.goTo(begin);
        return {};
    }
    qsizetype end = cursor.at();
    while (cursor.take(u";")) {
        end = cursor.at();
        if (!takeColourPart(cursor))
            break;
        end = cursor.at();
    }
    cursor.goTo(end);
    return cursor.from(begin).toString();
}

PlantUmlStyle takeStyle(LineCursor &cursor)
{
    PlantUmlStyle style;
    cursor.skipSpaces();
    takeTags(cursor, style.tags);
    style.stereotypes = takeStereotypes(cursor);
    cursor.skipSpaces();
    takeTags(cursor, style.tags);
    style.url = takeUrl(cursor);
    cursor.skipSpaces();
    style.colour = takeColour(cursor);
    cursor.skipSpaces();
    if (style.url.isEmpty())
        style.url = takeUrl(cursor); // notes have it behind their colour
    cursor.skipSpaces();
    style.border = takeBorder(cursor);
    return style;
}

/// What follows "as"; false: there is no such word.
bool takeAs(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    if (cursor.skipSpaces() && cursor.take(u"as") && cursor.skipSpaces())
        return true;
    cursor.goTo(begin);
    return false;
}

/// The names of a state: CODE as "label", "label" as CODE, CODE, "label".
bool takeNames(LineCursor &cursor, PlantUmlState &state)
{
    const QString label = takeQuoted(cursor);
    const QString code = label.isEmpty() ? takeCode(cursor) : QString();
    const qsizetype end = cursor.at();
    state.code = code + label;
    if (!takeAs(cursor))
        return !state.code.isEmpty();
    const QString other = label.isEmpty() ? takeQuoted(cursor) : takeCode(cursor);
    if (other.isEmpty()) {
        cursor.goTo(end);
        return !state.code.isEmpty();
    }
    state.code = label.isEmpty() ? code : other;
    state.label = label.isEmpty() ? other : label;
    return !state.code.isEmpty();
}

} // namespace

bool isPlantUmlQuote(QChar letter)
{
    return letter == u'"' || letter == u'\u201c' || letter == u'\u201d' || letter == u'\u00ab'
        || letter == u'\u00bb';
}

bool isPlantUmlCode(QStringView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), isCodeLetter);
}

std::optional<PlantUmlState> plantUmlState(QStringView line)
{
    LineCursor cursor(line);
    PlantUmlState state;
    if (!cursor.take(u"state") || !cursor.skipSpaces())
        return {};
    if (!takeNames(cursor, state))
        return {};
    const qsizetype named = cursor.at();
    state.style = takeStyle(cursor);
    const bool isApart = cursor.at() > named;
    const bool hasSpace = cursor.skipSpaces() || isApart;
    if (cursor.isAtEnd())
        return state;
    if (cursor.take(u":")) {
        state.text = cursor.rest().trimmed().toString();
        return state;
    }
    state.opens = isPlantUmlCode(state.code);
    if (!state.opens)
        return {};
    if (cursor.take(u"{") || (hasSpace && cursor.takeWord(u"begin")))
        return cursor.isAtEnd() ? std::optional(state) : std::nullopt;
    return {};
}

std::optional<PlantUmlText> plantUmlText(QStringView line)
{
    LineCursor cursor(line);
    PlantUmlText result;
    result.code = takeQuoted(cursor);
    if (result.code.isEmpty())
        result.code = takeCode(cursor);
    cursor.skipSpaces();
    if (result.code.isEmpty() || !cursor.take(u":"))
        return {};
    result.text = cursor.rest().trimmed().toString();
    return result;
}

namespace {

bool takeNotePlace(LineCursor &cursor, PlantUmlNote &note)
{
    for (const QStringView side : { u"left", u"right", u"top", u"bottom" })
        if (note.side.isEmpty() && cursor.takeWord(side))
            note.side = side.toString();
    const qsizetype begin = cursor.at();
    cursor.skipSpaces();
    const bool isOn = cursor.takeWord(u"on");
    if (!isOn && !cursor.takeWord(u"of")) {
        cursor.goTo(begin);
        note.at = PlantUmlNote::At::Latest;
        return !note.side.isEmpty();
    }
    cursor.skipSpaces();
    if (isOn && cursor.takeWord(u"link")) { // a state may be called so
        note.at = PlantUmlNote::At::Arrow;
        return true;
    }
    note.code = takeQuoted(cursor);
    if (note.code.isEmpty())
        note.code = takeCode(cursor);
    return !note.code.isEmpty() && !note.side.isEmpty();
}

/// note "text" as CODE, note as CODE
bool takeFreeNote(LineCursor &cursor, PlantUmlNote &note)
{
    const qsizetype begin = cursor.at();
    note.text = takeQuoted(cursor);
    const bool isWhole = !note.text.isEmpty();
    if (isWhole)
        cursor.skipSpaces();
    if (cursor.takeWord(u"as") && cursor.skipSpaces()) {
        note.at = PlantUmlNote::At::Free;
        note.ends = isWhole ? PlantUmlNote::Ends::Here : PlantUmlNote::Ends::AtEndNote;
        note.code = takeCode(cursor);
        if (!note.code.isEmpty())
            return true;
    }
    cursor.goTo(begin);
    note = {};
    return false;
}

} // namespace

std::optional<PlantUmlNote> plantUmlNote(QStringView line)
{
    LineCursor cursor(line);
    PlantUmlNote note;
    if (!cursor.take(u"note") || !cursor.skipSpaces())
        return {};
    const bool isFree = takeFreeNote(cursor, note);
    if (!isFree && !takeNotePlace(cursor, note))
        return {};
    note.style = takeStyle(cursor);
    cursor.skipSpaces();
    if (cursor.isAtEnd()) {
        if (!isFree)
            note.ends = PlantUmlNote::Ends::AtEndNote;
        return note;
    }
    if (isFree)
        return {};
    if (cursor.take(u":")) {
        note.text = cursor.rest().trimmed().toString();
        return note;
    }
    note.ends = PlantUmlNote::Ends::AtBrace;
    return cursor.take(u"{") && cursor.isAtEnd() ? std::optional(note) : std::nullopt;
}

namespace {

std::optional<PlantUmlEnd> takeBar(LineCursor &cursor)
{
    const auto isSign = [](QChar letter) { return letter == u'='; };
    if (cursor.takeWhile(isSign).size() < 2)
        return {};
    const QString code = takeCode(cursor);
    if (code.isEmpty() || cursor.takeWhile(isSign).size() < 2)
        return {};
    return PlantUmlEnd { .kind = PlantUmlEnd::Kind::Bar, .code = code };
}

std::optional<PlantUmlEnd> takeName(LineCursor &cursor)
{
    if (cursor.take(u"[*]"))
        return PlantUmlEnd { .kind = PlantUmlEnd::Kind::Dot };
    PlantUmlEnd end { .code = takeCode(cursor) };
    if (cursor.take(u"[H]"))
        end.kind = PlantUmlEnd::Kind::History;
    else if (cursor.take(u"[H*]"))
        end.kind = PlantUmlEnd::Kind::DeepHistory;
    else if (end.code.isEmpty())
        return {};
    return end;
}

QString takePlainColour(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    if (!cursor.take(u"#")
        || cursor
               .takeWhile([](QChar letter) { return letter.isLetterOrNumber() || letter == u'_'; })
               .isEmpty())
        cursor.goTo(begin);
    return cursor.from(begin).toString();
}

std::optional<PlantUmlEnd> takeEnd(LineCursor &cursor)
{
    std::optional<PlantUmlEnd> end = cursor.peek() == u'=' ? takeBar(cursor) : takeName(cursor);
    if (!end)
        return {};
    const qsizetype named = cursor.at();
    cursor.skipSpaces();
    end->stereotypes = takeStereotypes(cursor);
    cursor.skipSpaces();
    end->colour = takePlainColour(cursor);
    if (end->stereotypes.isEmpty() && end->colour.isEmpty())
        cursor.goTo(named);
    cursor.skipSpaces();
    return end;
}

struct Body
{
    QString direction;
    QString style; ///< in its brackets
    qsizetype dashes = 0;
};

bool takeDashes(LineCursor &cursor, Body &body)
{
    const qsizetype size = cursor.takeWhile([](QChar letter) { return letter == u'-'; }).size();
    body.dashes += size;
    return size > 0;
}

bool takeBracket(LineCursor &cursor, Body &body)
{
    const qsizetype begin = cursor.at();
    if (cursor.peek() != u'[' || cursor.takeUpTo(u"]").isNull())
        return false;
    body.style += cursor.from(begin);
    return true;
}

void takeDirection(LineCursor &cursor, Body &body)
{
    for (const QStringView word :
        { u"left", u"right", u"up", u"down", u"le", u"ri", u"do", u"l", u"r", u"u", u"d" }) {
        if (cursor.take(word)) {
            body.direction = word.toString();
            return;
        }
    }
}

/// Dashes with a style and a direction among them.
Body takeBody(LineCursor &cursor)
{
    Body body;
    takeDashes(cursor, body);
    takeBracket(cursor, body);
    takeDirection(cursor, body);
    takeBracket(cursor, body);
    takeDashes(cursor, body);
    return body;
}

bool isHidden(const Body &body)
{
    return body.style.contains(u"hidden", Qt::CaseInsensitive);
}

/// What points from right to left, turned round. PlantUML lays it out leftwards if it does not say
/// anything else.
QString turned(const Body &body, bool hasCross, bool hasCircle)
{
    const QString direction = body.direction.isEmpty() ? u"left"_s : body.direction;
    const QString tail(
        body.direction.isEmpty() ? 1 : std::max<qsizetype>(1, body.dashes - 1), u'-');
    return (hasCross ? u"x-"_s : u"-"_s) + body.style + direction + tail
        + (hasCircle ? u">o"_s : u">"_s);
}

/// A right end and what follows it.
bool takeRest(LineCursor &cursor, PlantUmlEnd &end, PlantUmlArrow &arrow)
{
    cursor.skipSpaces();
    const std::optional<PlantUmlEnd> found = takeEnd(cursor);
    if (!found)
        return false;
    end = *found;
    arrow.hasColon = cursor.take(u":");
    arrow.text = arrow.hasColon ? cursor.rest().trimmed().toString() : QString();
    return arrow.hasColon || cursor.isAtEnd();
}

bool takeForwards(LineCursor &cursor, PlantUmlArrow &arrow)
{
    const qsizetype begin = cursor.at();
    if (cursor.peek(1) == u'-')
        cursor.take(u"x");
    if (cursor.peek() != u'-')
        return false;
    const Body body = takeBody(cursor);
    if (!cursor.take(u">"))
        return false;
    arrow.isHidden = isHidden(body);
    arrow.arrow = cursor.from(begin).toString();
    const qsizetype end = cursor.at();
    if (cursor.take(u"o") && cursor.skipSpaces() && takeRest(cursor, arrow.to, arrow)) {
        arrow.arrow += u'o';
        return true;
    }
    cursor.goTo(end);
    return takeRest(cursor, arrow.to, arrow);
}

bool takeBackwards(LineCursor &cursor, PlantUmlArrow &arrow)
{
    const qsizetype begin = cursor.at();
    const bool hasCircle = cursor.take(u"o") && cursor.skipSpaces();
    if (!hasCircle)
        cursor.goTo(begin);
    if (!cursor.take(u"<"))
        return false;
    const Body body = takeBody(cursor);
    if (body.dashes == 0)
        return false;
    arrow.isHidden = isHidden(body);
    std::swap(arrow.from, arrow.to);
    const qsizetype end = cursor.at();
    if (cursor.take(u"x") && takeRest(cursor, arrow.from, arrow)) {
        arrow.arrow = turned(body, true, hasCircle);
        return true;
    }
    cursor.goTo(end);
    arrow.arrow = turned(body, false, hasCircle);
    return takeRest(cursor, arrow.from, arrow);
}

} // namespace

std::optional<PlantUmlArrow> plantUmlArrow(QStringView line)
{
    LineCursor cursor(line);
    const std::optional<PlantUmlEnd> first = takeEnd(cursor);
    if (!first)
        return {};
    const qsizetype begin = cursor.at();
    PlantUmlArrow arrow { .from = *first };
    if (takeForwards(cursor, arrow))
        return arrow;
    cursor.goTo(begin);
    arrow = { .from = *first };
    if (takeBackwards(cursor, arrow))
        return arrow;
    return {};
}

namespace {

struct KindRow
{
    QStringView stereotype;
    Kind kind;
};

/// The first of a kind is the one to write. <<sdlreceive>> is a state of another shape.
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

struct DiagramKind
{
    QString name;
    QStringList words;       ///< that begin its lines
    QRegularExpression line; ///< what else its lines look like
};

/// The first that fits counts.
const QList<DiagramKind> &otherDiagrams()
{
    static const QList<DiagramKind> kinds {
        { u"a class diagram"_s,
            { u"class"_s, u"abstract"_s, u"interface"_s, u"enum"_s, u"annotation"_s, u"struct"_s,
                u"exception"_s, u"metaclass"_s, u"protocol"_s, u"dataclass"_s },
            QRegularExpression(u"<\\||\\|>|\\s[*o]-|-[*o]\\s"_s) },
        { u"an object diagram"_s, { u"object"_s }, {} },
        { u"a sequence diagram"_s,
            { u"participant"_s, u"activate"_s, u"deactivate"_s, u"autonumber"_s, u"autoactivate"_s,
                u"alt"_s, u"opt"_s, u"loop"_s, u"par"_s, u"critical"_s, u"group"_s, u"box"_s,
                u"return"_s },
            QRegularExpression(u"->>|<<-|->x|-\\\\|-//|^==.*==$"_s) },
        { u"a use case diagram"_s, { u"usecase"_s }, QRegularExpression(u"^\\([^*()]+\\)"_s) },
        { u"an activity diagram"_s, { u"start"_s, u"stop"_s, u"repeat"_s, u"partition"_s },
            QRegularExpression(u"^:.*[;|<>/\\]}]$|\\(\\*\\)|^(?:if|while) ?\\("_s) },
        { u"a timing diagram"_s, { u"robust"_s, u"concise"_s, u"clock"_s, u"binary"_s }, {} },
        { u"a component or deployment diagram"_s,
            { u"component"_s, u"package"_s, u"node"_s, u"artifact"_s, u"cloud"_s, u"folder"_s,
                u"frame"_s, u"rectangle"_s, u"storage"_s, u"agent"_s, u"card"_s, u"hexagon"_s,
                u"port"_s, u"portin"_s, u"portout"_s, u"stack"_s },
            QRegularExpression(u"^\\[[^\\]*]+\\]|[->] ?\\[[^\\]*]+\\]|\\(\\)"_s) },
        { u"a sequence, use case or component diagram"_s,
            { u"actor"_s, u"boundary"_s, u"control"_s, u"entity"_s, u"database"_s, u"queue"_s,
                u"collections"_s, u"person"_s },
            {} },
    };
    return kinds;
}

} // namespace

Kind plantUmlKind(const QString &stereotypes)
{
    const QString first = stereotypes.section(u">>"_s, 0, 0).mid(2).trimmed();
    const auto *const found = std::find_if(rows.begin(), rows.end(), [&](const KindRow &row) {
        return first.compare(row.stereotype, Qt::CaseInsensitive) == 0;
    });
    return found == rows.end() ? Kind::State : found->kind;
}

QString plantUmlStereotype(Kind kind)
{
    const auto *const found = std::find_if(
        rows.begin(), rows.end(), [&](const KindRow &row) { return row.kind == kind; });
    return found == rows.end() ? QString() : u"<<%1>>"_s.arg(found->stereotype);
}

bool isPlantUmlCommand(const QString &word)
{
    static const QStringList words { u"title"_s, u"header"_s, u"footer"_s, u"caption"_s,
        u"legend"_s, u"note"_s, u"scale"_s, u"hide"_s, u"show"_s, u"skinparam"_s };
    return words.contains(word, Qt::CaseInsensitive);
}

QString otherPlantUml(const QString &line)
{
    constexpr qsizetype most = 1000; // of a line that is looked at
    const QString text = line.left(most).simplified();
    const QString word = text.section(u' ', 0, 0).toLower();
    const auto fits = [&](const DiagramKind &kind) {
        return kind.words.contains(word)
            || (!kind.line.pattern().isEmpty() && kind.line.match(text).hasMatch());
    };
    const auto found = std::ranges::find_if(otherDiagrams(), fits);
    return found == otherDiagrams().end() ? QString() : found->name;
}

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
