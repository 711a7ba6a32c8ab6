// SPDX-License-Identifier: Apache-2.0
#include "model/charts/mermaid/mermaidtext.h"

#include <QStringList>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Entity
{
    QStringView name;
    QChar letter;
};

constexpr std::array entities { Entity { u"quot", u'"' }, Entity { u"amp", u'&' },
    Entity { u"lt", u'<' }, Entity { u"gt", u'>' }, Entity { u"colon", u':' },
    Entity { u"semi", u';' }, Entity { u"num", u'#' } };

/// What is between "#" and ";", as a letter; empty: nothing known.
QString letterOf(QStringView name)
{
    const auto *const found = std::find_if(
        entities.begin(), entities.end(), [&](const Entity &each) { return each.name == name; });
    if (found != entities.end())
        return found->letter;
    bool isNumber = false;
    const char32_t code = name.toUInt(&isNumber);
    if (!isNumber || !name[0].isDigit() || code == 0 || code > 0x10ffff || QChar::isSurrogate(code))
        return {};
    return QString::fromUcs4(&code, 1);
}

/// The size of a line break that the text begins with; 0: none.
qsizetype breakSize(QStringView text)
{
    if (text.startsWith(u"\\n"))
        return 2;
    if (!text.startsWith(u"<br", Qt::CaseInsensitive))
        return 0;
    qsizetype at = 3;
    while (at < text.size() && at < 8 && (text[at] == u' ' || text[at] == u'/'))
        ++at;
    return at < text.size() && text[at] == u'>' ? at + 1 : 0;
}

QString letterByNumber(QChar letter)
{
    return u'#' + QString::number(letter.unicode()) + u';';
}

/// "direction LR" is taken for a command wherever it stands.
bool looksLikeDirection(QStringView text)
{
    if (!text.startsWith(u"direction", Qt::CaseInsensitive))
        return false;
    const QStringView rest = text.sliced(9);
    const QStringView word = rest.trimmed().left(2);
    return !rest.isEmpty() && rest[0].isSpace()
        && std::any_of(std::begin(u"TBRL"), std::end(u"TBRL"),
            [&](char16_t each) { return !word.isEmpty() && word[0].toUpper() == QChar(each); });
}

} // namespace

QString shownByMermaid(const QString &written)
{
    QString shown;
    for (qsizetype i = 0; i < written.size(); ++i) {
        const QStringView rest = QStringView(written).sliced(i);
        if (const qsizetype size = breakSize(rest); size > 0) {
            shown += u'\n';
            i += size - 1;
            continue;
        }
        const qsizetype end = rest[0] == u'#' ? rest.left(12).indexOf(u';') : -1;
        const QString letter = end > 1 ? letterOf(rest.sliced(1, end - 1)) : QString();
        shown += letter.isEmpty() ? QString(rest[0]) : letter;
        i += letter.isEmpty() ? 0 : end;
    }
    return shown;
}

QString writtenForMermaid(const QString &shown)
{
    QString text = shown;
    text.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n');
    QString written;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QStringView rest = QStringView(text).sliced(i);
        const bool isEdge = i == 0 || rest.size() == 1;
        const bool isSpecial = u":;#\"<%`"_s.contains(rest[0]) || rest.startsWith(u"\\n")
            || rest.startsWith(u"--") || rest.startsWith(u"end note", Qt::CaseInsensitive)
            || looksLikeDirection(rest)
            || (isEdge && (rest[0].isSpace() || u"{}"_s.contains(rest[0])));
        if (rest[0] == u'\n')
            written += u"<br/>"_s;
        else
            written += isSpecial ? letterByNumber(rest[0]) : QString(rest[0]);
    }
    return written;
}

QString writtenForMermaid(const QString &shown, const QString &once)
{
    return !once.isEmpty() && shownByMermaid(once) == shown ? once : writtenForMermaid(shown);
}

bool isMermaidId(QStringView text)
{
    static const QStringList words { u"state"_s, u"note"_s, u"class"_s, u"classdef"_s,
        u"direction"_s, u"scale"_s, u"click"_s, u"style"_s, u"href"_s, u"default"_s, u"acctitle"_s,
        u"accdescr"_s, u"hide"_s, u"end"_s, u"as"_s, u"statediagram"_s };
    const auto isGood = [](QChar letter) {
        return !letter.isSpace() && letter.isPrint() && !u":-{}\"#%;[]<>`,"_s.contains(letter);
    };
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), isGood)
        && !words.contains(text, Qt::CaseInsensitive);
}

} // namespace instar
