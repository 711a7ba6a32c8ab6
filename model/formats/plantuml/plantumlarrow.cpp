// SPDX-License-Identifier: Apache-2.0
#include "model/formats/plantuml/plantumlparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

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
