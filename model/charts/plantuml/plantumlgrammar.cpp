// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumlgrammar.h"

#include "model/charts/plantuml/plantumlparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

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

} // namespace instar
