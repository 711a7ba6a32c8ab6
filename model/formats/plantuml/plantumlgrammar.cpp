// SPDX-License-Identifier: Apache-2.0
#include "model/formats/plantuml/plantumlgrammar.h"

#include "model/formats/plantuml/plantumlparts.h"

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

} // namespace instar
