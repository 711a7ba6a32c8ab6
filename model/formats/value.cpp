// SPDX-License-Identifier: Apache-2.0
#include "model/formats/document.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

int hexValue(char c)
{
    if (c <= '9')
        return c - '0';
    return (c | 0x20) - 'a' + 10;
}

/// Every character; QString's own decoder drops a byte order mark at the beginning.
QString decoded(QByteArrayView utf8)
{
    constexpr QByteArrayView mark("\xEF\xBB\xBF");
    QString text;
    for (; utf8.startsWith(mark); utf8 = utf8.sliced(mark.size()))
        text += QChar(QChar::ByteOrderMark);
    return text.isEmpty() ? QString::fromUtf8(utf8) : text + QString::fromUtf8(utf8);
}

/// The characters of a string token that holds escapes; the parser has checked it.
QString unescaped(QByteArrayView token)
{
    QByteArray plain;
    plain.reserve(token.size());
    QString text;
    const auto flush = [&] {
        text += decoded(plain);
        plain.clear();
    };
    for (qsizetype i = 1; i < token.size() - 1; ++i) {
        if (token[i] != '\\') {
            plain += token[i];
            continue;
        }
        const char c = token[++i];
        if (c == 'u') {
            flush();
            int unit = 0;
            for (int digit = 0; digit < 4; ++digit)
                unit = unit * 16 + hexValue(token[++i]);
            text += QChar(char16_t(unit));
            continue;
        }
        constexpr char letters[] = "bfnrt";
        constexpr char meanings[] = "\b\f\n\r\t";
        const char *letter = std::strchr(letters, c);
        plain += letter ? meanings[letter - letters] : c;
    }
    flush();
    return text;
}

/// Whether a number that no double can be is too near to zero, rather than too far from it.
bool isTiny(QByteArrayView token)
{
    const auto isExponent = [](char c) { return c == 'e' || c == 'E'; };
    const auto exponentMark = std::find_if(token.begin(), token.end(), isExponent);
    const auto point = std::find(token.begin(), exponentMark, '.');
    const auto digit =
        std::find_if(token.begin(), exponentMark, [](char c) { return c >= '1' && c <= '9'; });
    const qint64 magnitude = digit < point ? point - digit : point + 1 - digit;
    if (exponentMark == token.end())
        return magnitude < 0;
    const bool negative = exponentMark[1] == '-';
    qint64 exponent = 0;
    const char *digits = exponentMark + (std::isdigit(uchar(exponentMark[1])) ? 1 : 2);
    const auto parsed = std::from_chars(digits, token.end(), exponent);
    if (parsed.ec != std::errc() || exponent > token.size() + 400)
        return negative; // no mantissa that fits into the file makes up for it
    return magnitude + (negative ? -exponent : exponent) < 0;
}

QString segmentOf(const QString &key)
{
    QString segment = key;
    return segment.replace(u'~', "~0"_L1).replace(u'/', "~1"_L1);
}

} // namespace

Value::Kind Value::kind() const
{
    if (!m_document)
        return Kind::Null;
    switch (Document::Mark(m_document->entry(m_index).mark)) {
    case Document::Mark::Null:
    case Document::Mark::End:
        return Kind::Null;
    case Document::Mark::Bool:
        return Kind::Bool;
    case Document::Mark::Number:
        return Kind::Number;
    case Document::Mark::String:
    case Document::Mark::EscapedString:
        return Kind::String;
    case Document::Mark::Array:
        return Kind::Array;
    case Document::Mark::Object:
        return Kind::Object;
    }
    return Kind::Null;
}

QString Value::kindName() const
{
    if (!m_document)
        return u"nothing"_s;
    switch (kind()) {
    case Kind::Null:
        return u"null"_s;
    case Kind::Bool:
        return boolean() ? u"true"_s : u"false"_s;
    case Kind::Number:
        return u"a number"_s;
    case Kind::String:
        return u"a string"_s;
    case Kind::Array:
        return u"a list"_s;
    case Kind::Object:
        return u"an object"_s;
    }
    return {};
}

qsizetype Value::size() const
{
    if (!is(Kind::Array) && !is(Kind::Object))
        return 0;
    return m_document->entry(m_index + m_document->entry(m_index).extent).extent;
}

Items Value::items() const
{
    return Items(is(Kind::Array) ? *this : Value());
}

Members Value::members() const
{
    return Members(is(Kind::Object) ? *this : Value());
}

Value Value::find(QByteArrayView key) const
{
    for (const Member member : members()) {
        if (member.key.isString(key))
            return member.value;
    }
    return {};
}

Value Value::duplicateKey() const
{
    constexpr qsizetype few = 8; // below this, comparing each with each is cheaper than hashing
    if (size() > few) {
        QSet<QString> seen;
        for (const Member member : members()) {
            const qsizetype before = seen.size();
            seen.insert(member.key.string());
            if (seen.size() == before)
                return member.key;
        }
        return {};
    }
    for (const Member member : members()) {
        for (const Member earlier : members()) {
            if (earlier.key.m_index == member.key.m_index)
                break;
            if (earlier.key.raw() == member.key.raw()
                || earlier.key.string() == member.key.string())
                return member.key;
        }
    }
    return {};
}

QString Value::string() const
{
    if (!is(Kind::String))
        return {};
    const QByteArrayView token = raw();
    if (Document::Mark(m_document->entry(m_index).mark) == Document::Mark::EscapedString)
        return unescaped(token);
    return decoded(token.sliced(1, token.size() - 2));
}

bool Value::isString(QByteArrayView utf8) const
{
    if (!m_document)
        return false;
    const Document::Entry &entry = m_document->entry(m_index);
    if (Document::Mark(entry.mark) == Document::Mark::EscapedString)
        return unescaped(raw()).toUtf8() == utf8;
    return Document::Mark(entry.mark) == Document::Mark::String
        && qsizetype(entry.extent) == utf8.size() + 2
        && QByteArrayView(m_document->m_bytes).sliced(entry.offset + 1, utf8.size()) == utf8;
}

std::optional<double> Value::number() const
{
    if (!is(Kind::Number))
        return {};
    const QByteArrayView token = raw();
    double value = 0;
    const auto parsed = std::from_chars(token.begin(), token.end(), value);
    if (parsed.ec == std::errc())
        return value;
    return isTiny(token) ? std::optional(0.0) : std::nullopt;
}

std::optional<qint64> Value::integer() const
{
    if (!is(Kind::Number))
        return {};
    const QByteArrayView token = raw();
    qint64 whole = 0;
    const auto parsed = std::from_chars(token.begin(), token.end(), whole);
    if (parsed.ec == std::errc() && parsed.ptr == token.end())
        return whole;
    const std::optional<double> real = number(); // "1e3" and "2.0" are whole numbers, too
    constexpr double exact = 9007199254740992.0; // 2^53
    if (!real || std::trunc(*real) != *real || std::fabs(*real) > exact)
        return {};
    return qint64(*real);
}

QJsonValue Value::json() const
{
    if (!m_document)
        return QJsonValue::Undefined;
    switch (kind()) {
    case Kind::Null:
        return QJsonValue::Null;
    case Kind::Bool:
        return boolean();
    case Kind::Number: {
        if (const std::optional<qint64> whole = integer())
            return *whole;
        const double real = number().value_or(0);
        constexpr double most = 9223372036854775808.0; // 2^63
        const bool isWhole =
            std::trunc(real) == real && real >= -most && real < most; // which Qt keeps as such
        return isWhole ? QJsonValue(qint64(real)) : QJsonValue(real);
    }
    case Kind::String:
        return string();
    case Kind::Array: {
        QJsonArray list;
        for (const Value item : items())
            list.append(item.json());
        return list;
    }
    case Kind::Object:
        break;
    }
    QJsonObject object;
    for (const Member member : members())
        object.insert(member.key.string(), member.value.json());
    return object;
}

QByteArrayView Value::raw() const
{
    if (!m_document)
        return {};
    const Document::Entry &entry = m_document->entry(m_index);
    const char *begin = m_document->m_bytes.constData() + entry.offset;
    const auto mark = Document::Mark(entry.mark);
    if (mark != Document::Mark::Array && mark != Document::Mark::Object)
        return { begin, qsizetype(entry.extent) };
    return { begin,
        qsizetype(m_document->entry(m_index + entry.extent).offset) + 1 - entry.offset };
}

Position Value::position() const
{
    return m_document ? m_document->position(qsizetype(m_document->entry(m_index).offset))
                      : Position();
}

QString Value::pointer() const
{
    QString pointer;
    if (!m_document)
        return pointer;
    Value at = m_document->root();
    while (at.m_index < m_index) {
        Value inside;
        qsizetype item = 0;
        for (const Value value : at.items()) {
            if (m_document->next(value.m_index) > m_index) {
                pointer += u'/' + QString::number(item);
                inside = value;
                break;
            }
            ++item;
        }
        for (const Member member : at.members()) {
            if (m_document->next(member.value.m_index) > m_index) {
                pointer += u'/' + segmentOf(member.key.string());
                inside = member.value;
                break;
            }
        }
        if (!inside)
            break;
        at = inside;
    }
    return pointer;
}

} // namespace instar
