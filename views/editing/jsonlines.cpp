// SPDX-License-Identifier: Apache-2.0
#include "views/editing/jsonlines.h"

namespace instar {

namespace {

/// Behind the string that begins there.
qsizetype behindString(QStringView line, qsizetype from)
{
    for (qsizetype at = from + 1; at < line.size(); ++at) {
        if (line[at] == u'\\')
            ++at;
        else if (line[at] == u'"')
            return at + 1;
    }
    return line.size();
}

qsizetype behindSpace(QStringView line, qsizetype from)
{
    while (from < line.size() && line[from].isSpace())
        ++from;
    return from;
}

qsizetype behindWord(QStringView line, qsizetype from)
{
    constexpr QStringView ends = u"{}[]:,\"";
    while (from < line.size() && !line[from].isSpace() && !ends.contains(line[from]))
        ++from;
    return from;
}

} // namespace

QList<JsonToken> tokensIn(QStringView line)
{
    QList<JsonToken> tokens;
    for (qsizetype at = behindSpace(line, 0); at < line.size();) {
        const QChar letter = line[at];
        qsizetype end = at + 1;
        JsonToken::Kind kind = JsonToken::Kind::Sign;
        if (letter == u'"') {
            end = behindString(line, at);
            const qsizetype next = behindSpace(line, end);
            const bool isKey = next < line.size() && line[next] == u':';
            kind = isKey ? JsonToken::Kind::Key : JsonToken::Kind::Text;
        } else if (letter == u'{' || letter == u'[') {
            kind = JsonToken::Kind::Open;
        } else if (letter == u'}' || letter == u']') {
            kind = JsonToken::Kind::Close;
        } else if (letter != u':' && letter != u',') {
            end = behindWord(line, at);
            kind = JsonToken::Kind::Word;
        }
        tokens.append({ kind, at, end - at });
        at = behindSpace(line, end);
    }
    return tokens;
}

} // namespace instar
