// SPDX-License-Identifier: Apache-2.0
#include "model/foreigntext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

bool isSpelledOut(QChar c)
{
    const char16_t code = c.unicode();
    if (code < 0x20)
        return code != u'\n' && code != u'\t';
    return (code >= 0x7f && code <= 0x9f)     // DEL, C1
        || code == 0x061c                     // Arabic letter mark
        || code == 0x200e || code == 0x200f   // left-to-right and right-to-left mark
        || (code >= 0x2028 && code <= 0x202e) // line and paragraph separators, embeddings
        || (code >= 0x2066 && code <= 0x206f) // isolates, deprecated format characters
        || code >= 0xfffe;                    // noncharacters, which XML forbids
}

namespace {

/// True only if no byte can begin a character with isSpelledOut(), so that decoding is unnecessary;
/// may be false although the text has no such character.
bool isHarmless(QByteArrayView utf8)
{
    return std::ranges::none_of(utf8, [](char c) {
        const auto byte = uchar(c);
        return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f || byte == 0xc2
            || byte == 0xd8 || byte == 0xe2 || byte == 0xef;
    });
}

} // namespace

QString visible(const QString &text)
{
    if (std::ranges::none_of(text, isSpelledOut))
        return text;
    QString result;
    result.reserve(text.size() + 16);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == u'\r' && i + 1 < text.size() && text[i + 1] == u'\n')
            continue;
        if (isSpelledOut(c))
            result += u"\\u%1"_s.arg(int(c.unicode()), 4, 16, QChar(u'0'));
        else
            result += c;
    }
    return result;
}

QByteArray visible(const QByteArray &utf8)
{
    return isHarmless(utf8) ? utf8 : visible(QString::fromUtf8(utf8)).toUtf8();
}

QString oneLine(QString text)
{
    static constexpr QStringView breaks = u"\n\r\t\u2028\u2029";
    std::ranges::replace_if(
        text, [](QChar c) { return breaks.contains(c); }, QChar(u' '));
    return visible(text);
}

QString htmlText(const QString &text)
{
    return visible(text).toHtmlEscaped();
}

} // namespace instar
