// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumltext.h"

#include "model/charts/notation/textlines.h"
#include "model/charts/plantuml/plantumlgrammar.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool isHexDigit(QChar letter)
{
    return letter.isDigit() || (letter.toLower() >= u'a' && letter.toLower() <= u'f');
}

/// A letter that is written by its number.
struct Numbered
{
    char32_t letter = 0; ///< 0: there is none
    qsizetype size = 0;  ///< of what is written
};

Numbered numbered(QStringView text, QStringView before, QChar after, int base)
{
    if (!text.startsWith(before, Qt::CaseInsensitive))
        return {};
    qsizetype end = before.size();
    while (end < text.size() && end < before.size() + 7
        && (base == 16 ? isHexDigit(text[end]) : text[end].isDigit()))
        ++end;
    const uint letter = text.sliced(before.size(), end - before.size()).toUInt(nullptr, base);
    if (end >= text.size() || text[end] != after || letter == 0 || letter > 0x10ffff
        || QChar::isSurrogate(letter))
        return {};
    return { letter, end + 1 };
}

Numbered numbered(QStringView text)
{
    const Numbered unicode = numbered(text, u"<U+", u'>', 16);
    return unicode.letter != 0 ? unicode : numbered(text, u"&#", u';', 10);
}

/// What a backslash and the letter behind it stand for; 0: for themselves.
QChar escaped(QChar letter)
{
    switch (letter.unicode()) {
    case u'n':
    case u'r':
    case u'l':
        return u'\n';
    case u't':
        return u'\t';
    case u'\\':
        return u'\\';
    default:
        return {};
    }
}

QString byNumber(QChar letter)
{
    return u"<U+%1>"_s.arg(int(letter.unicode()), 4, 16, QChar(u'0')).toUpper();
}

/// Would what begins here be taken for something else than itself?
bool isRisky(QStringView text, PlantUmlPlace place)
{
    if (text.startsWith(u"/'"))
        return true;
    if (text[0] == u'\\')
        return text.size() == 1;
    return (place == PlantUmlPlace::BetweenQuotes && isPlantUmlQuote(text[0]))
        || numbered(text).letter != 0;
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

/// The letter of a block's line that makes it the block's end, a comment or a command; -1: none.
qsizetype telltale(const QString &line)
{
    const qsizetype start = line.indexOf(u"@start"_s, 0, Qt::CaseInsensitive);
    const bool isStart = start >= 0
        && std::none_of(line.begin(), line.begin() + start,
            [](QChar letter) { return letter.isLetterOrNumber() || letter == u'_'; });
    if (isStart)
        return start;
    static const QStringList ends { u"end note"_s, u"endnote"_s, u"end title"_s, u"endtitle"_s };
    const QString words = line.simplified().toLower();
    const bool isRisky = !words.isEmpty() && (u"'!@}"_s.contains(words[0]) || ends.contains(words));
    return isRisky ? indentOf(line) : -1;
}

} // namespace

QString shownByPlantUml(const QString &written)
{
    QString shown;
    for (qsizetype i = 0; i < written.size(); ++i) {
        const QStringView rest = QStringView(written).sliced(i);
        const QChar special = rest[0] == u'\\' && rest.size() > 1 ? escaped(rest[1]) : QChar();
        if (!special.isNull()) {
            shown += special;
            ++i;
        } else if (const Numbered found = numbered(rest); found.letter != 0) {
            shown += QString::fromUcs4(&found.letter, 1);
            i += found.size - 1;
        } else {
            shown += rest[0];
        }
    }
    return shown;
}

QString writtenForPlantUml(const QString &shown, PlantUmlPlace place)
{
    QString text = shown;
    text.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n');
    QString written;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QStringView rest = QStringView(text).sliced(i);
        const bool isEdge = i == 0 || rest.size() == 1;
        if (isRisky(rest, place)
            || (isEdge && rest[0] != u'\n' && rest[0] != u'\t' && rest[0].isSpace()))
            written += byNumber(rest[0]);
        else
            written += writtenLetter(rest);
    }
    return written;
}

QString writtenLike(const QString &shown, const QString &once, PlantUmlPlace place)
{
    return !once.isEmpty() && shownByPlantUml(once) == shown ? once
                                                             : writtenForPlantUml(shown, place);
}

QStringList writtenLines(const QString &written)
{
    QStringList lines { QString() };
    for (qsizetype i = 0; i < written.size(); ++i) {
        const QChar next = i + 1 < written.size() ? written[i + 1] : QChar();
        if (written[i] == u'\\' && next == u'n') {
            lines += QString();
            ++i;
        } else if (written[i] == u'\\' && next == u'\\') {
            lines.last() += u"\\\\"_s;
            ++i;
        } else {
            lines.last() += written[i];
        }
    }
    return lines;
}

QStringList blockForPlantUml(const QStringList &shown)
{
    QStringList written;
    bool isFlush = false; // a line begins at the left, so that the others keep their indentation
    for (const QString &line : shown) {
        const bool isBlank = indentOf(line) == line.size();
        const qsizetype indent = isBlank ? 0 : indentOf(line); // blanks alone are text
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

bool isPlantUmlBlock(const QStringList &written)
{
    return unindented(written) == written
        && std::none_of(written.begin(), written.end(),
            [](const QString &line) { return telltale(line) >= 0; });
}

QStringList noteForPlantUml(const QStringList &shown, bool isFree)
{
    if (shown.size() != 1 || shown.first().isEmpty())
        return blockForPlantUml(shown);
    const auto place = isFree ? PlantUmlPlace::BetweenQuotes : PlantUmlPlace::BehindColon;
    return { writtenForPlantUml(shown.first(), place) };
}

} // namespace instar
