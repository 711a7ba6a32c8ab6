// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumlparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

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

} // namespace instar
