// SPDX-License-Identifier: Apache-2.0
#include "model/charts/mermaid/mermaidgrammar.h"

#include "model/charts/mermaid/mermaidtext.h"
#include "model/charts/notation/linecursor.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString takeId(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    const QString id =
        cursor
            .takeWhile([](QChar letter) { return !letter.isSpace() && !u":-{"_s.contains(letter); })
            .toString();
    if (isMermaidId(id))
        return id;
    cursor.goTo(begin);
    return {};
}

QString takeMermaidQuoted(LineCursor &cursor)
{
    const qsizetype begin = cursor.at();
    if (!cursor.take(u"\""))
        return {};
    const QStringView text = cursor.takeUpTo(u"\"");
    if (text.isEmpty())
        cursor.goTo(begin);
    return text.toString();
}

std::optional<MermaidEnd> takeMermaidEnd(LineCursor &cursor)
{
    MermaidEnd end;
    if (!cursor.take(u"[*]")) {
        end.id = takeId(cursor);
        if (end.id.isEmpty())
            return {};
    }
    if (cursor.take(u":::")) {
        end.style = takeId(cursor);
        if (end.style.isEmpty())
            return {};
    }
    cursor.skipSpaces();
    return end;
}

} // namespace

std::optional<MermaidState> mermaidState(QStringView line)
{
    LineCursor cursor(line);
    MermaidState state;
    if (!cursor.take(u"state") || !cursor.skipSpaces())
        return {};
    state.label = takeMermaidQuoted(cursor);
    if (!state.label.isEmpty()) {
        cursor.skipSpaces();
        if (!cursor.takeWord(u"as") || !cursor.skipSpaces())
            return {};
    }
    state.id = takeId(cursor);
    cursor.skipSpaces();
    for (const QStringView word : { u"fork", u"join", u"choice" }) {
        const QString plain = word.toString();
        if (cursor.take(u"<<"_s + plain + u">>"_s) || cursor.take(u"[["_s + plain + u"]]"_s))
            state.stereotype = plain;
    }
    cursor.skipSpaces();
    if (!state.label.isEmpty() && state.stereotype.isEmpty() && cursor.take(u":")) {
        state.text = cursor.rest().trimmed().toString();
        return state.id.isEmpty() ? std::nullopt : std::optional(state);
    }
    state.opens = state.stereotype.isEmpty() && cursor.take(u"{");
    if (state.opens)
        state.rest = cursor.rest().trimmed();
    return !state.id.isEmpty() && (state.opens || cursor.isAtEnd()) ? std::optional(state)
                                                                    : std::nullopt;
}

std::optional<MermaidStatement> mermaidStatement(QStringView line)
{
    LineCursor cursor(line);
    MermaidStatement statement;
    const std::optional<MermaidEnd> from = takeMermaidEnd(cursor);
    if (!from)
        return {};
    statement.from = *from;
    if (cursor.take(u"-->")) {
        cursor.skipSpaces();
        statement.to = takeMermaidEnd(cursor);
        if (!statement.to)
            return {};
    }
    statement.hasText = cursor.take(u":");
    if (statement.hasText) {
        statement.text = cursor.rest().trimmed().toString();
        return statement;
    }
    cursor.skipSpaces();
    return cursor.isAtEnd() ? std::optional(statement) : std::nullopt;
}

std::optional<MermaidNote> mermaidNote(QStringView line)
{
    LineCursor cursor(line);
    MermaidNote note;
    if (!cursor.take(u"note") || !cursor.skipSpaces())
        return {};
    if (note.text = takeMermaidQuoted(cursor); !note.text.isEmpty()) {
        cursor.skipSpaces();
        note.isWhole = cursor.takeWord(u"as") && cursor.skipSpaces();
        note.id = cursor.rest().trimmed().toString();
        return note.isWhole && isMermaidId(note.id) ? std::optional(note) : std::nullopt;
    }
    for (const QStringView side : { u"left", u"right" })
        if (note.side.isEmpty() && cursor.takeWord(side))
            note.side = side.toString();
    if (note.side.isEmpty() || !cursor.skipSpaces() || !cursor.takeWord(u"of")
        || !cursor.skipSpaces())
        return {};
    note.id = takeId(cursor);
    cursor.skipSpaces();
    note.isWhole = cursor.take(u":");
    note.text = cursor.rest().trimmed().toString();
    return note.id.isEmpty() || (!note.isWhole && !note.text.isEmpty()) ? std::nullopt
                                                                        : std::optional(note);
}

} // namespace instar
