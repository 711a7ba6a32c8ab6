// SPDX-License-Identifier: Apache-2.0
#include "model/json/jsontext.h"

#include "model/pack/names.h"
#include "model/pack/rows.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QSet>
#include <QStringDecoder>
#include <QVarLengthArray>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

namespace instar {

/// Decodes UTF-8; keeps a byte order mark at the beginning.
static QString decoded(QByteArrayView utf8)
{
    unsigned char bits = 0;
    for (const char c : utf8)
        bits |= static_cast<unsigned char>(c);
    if (bits < 0x80) // ASCII, as nearly all texts: twice as fast
        return QString::fromLatin1(utf8);
    return QStringDecoder(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom)(utf8);
}

Value::Kind Value::kind() const
{
    static constexpr Kind kinds[] = { Kind::Null, Kind::Bool, Kind::Number, Kind::String,
        Kind::String, Kind::Array, Kind::Object, Kind::Null }; // by mark
    return m_document ? kinds[m_document->entry(m_index).mark] : Kind::Null;
}

QString Value::kindName() const
{
    static const QStringList names { u"null"_s, u"true or false"_s, u"a number"_s, u"a string"_s,
        u"a list"_s, u"an object"_s };
    if (!m_document)
        return u"nothing"_s;
    return is(Kind::Bool) ? QString::fromLatin1(raw()) : names[int(kind())];
}

qsizetype Value::size() const
{
    if (!is(Kind::Array) && !is(Kind::Object))
        return 0;
    return m_document->entry(m_index + m_document->entry(m_index).extent).extent;
}

Children<Value> Value::items() const
{
    return Children<Value>(is(Kind::Array) ? *this : Value());
}

Children<Member> Value::members() const
{
    return Children<Member>(is(Kind::Object) ? *this : Value());
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
    QSet<QString> seen;
    for (const Member member : members()) {
        const qsizetype before = seen.size();
        seen.insert(member.key.string());
        if (seen.size() == before)
            return member.key;
    }
    return {};
}

QString Value::string() const
{
    if (!is(Kind::String))
        return {};
    if (JsonText::Mark(m_document->entry(m_index).mark) == JsonText::Mark::EscapedString)
        return json().toString();
    return decoded(raw().sliced(1).chopped(1));
}

bool Value::isString(QByteArrayView utf8) const
{
    if (!m_document)
        return false;
    const JsonText::Entry &entry = m_document->entry(m_index);
    if (JsonText::Mark(entry.mark) == JsonText::Mark::EscapedString)
        return json().toString().toUtf8() == utf8;
    return JsonText::Mark(entry.mark) == JsonText::Mark::String
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
    const double limit = QString::fromLatin1(token).toDouble(); // too small: 0; too large: infinite
    return std::isinf(limit) ? std::nullopt : std::optional(limit);
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
    const QJsonValue value = QJsonDocument::fromJson('[' + raw().toByteArray() + ']').array().at(0);
    if (!value.isUndefined())
        return value;
    // Qt does not take numbers that are too large or too small for a double, wherever they stand.
    QJsonArray list;
    for (const Value item : items())
        list.append(item.json());
    QJsonObject object;
    for (const Member member : members())
        object.insert(member.key.string(), member.value.json());
    return is(Kind::Object) ? QJsonValue(object) : is(Kind::Array) ? QJsonValue(list) : 0;
}

QByteArrayView Value::raw() const
{
    if (!m_document)
        return {};
    const JsonText::Entry &entry = m_document->entry(m_index);
    const char *begin = m_document->m_bytes.constData() + entry.offset;
    const auto mark = JsonText::Mark(entry.mark);
    if (mark != JsonText::Mark::Array && mark != JsonText::Mark::Object)
        return { begin, qsizetype(entry.extent) };
    return { begin,
        qsizetype(m_document->entry(m_index + entry.extent).offset) + 1 - entry.offset };
}

Position Value::position() const
{
    return m_document ? m_document->position(qsizetype(m_document->entry(m_index).offset))
                      : Position();
}

int Value::line() const
{
    return m_document ? m_document->lineOf(m_document->entry(m_index).offset) : 1;
}

QString Value::pointer() const
{
    return m_document ? m_document->pointerAt(qsizetype(m_document->entry(m_index).offset))
                      : QString();
}

quint32 JsonText::next(quint32 index) const
{
    const Entry &at = entry(index);
    const bool nested = Mark(at.mark) == Mark::Array || Mark(at.mark) == Mark::Object;
    return index + (nested ? at.extent + 1 : 1);
}

/// Returns the member under a key, or the item with a number; an item has itself as its key.
static Member childOf(Value container, const QString &key)
{
    const QByteArray name = key.toUtf8();
    for (const Member member : container.members()) {
        if (member.key.isString(name))
            return member;
    }
    int left = QString::number(key.toInt()) == key ? key.toInt() : -1;
    for (const Value item : container.items()) {
        if (left-- == 0)
            return { item, item };
    }
    return {};
}

/// Looks up a pointer. If there is no such value, returns false, and as `found` the innermost
/// existing member or item on the pointer's path.
bool JsonText::follow(QStringView pointer, Member *found) const
{
    *found = { root(), root() };
    if (!pointer.startsWith(u'/'))
        return pointer.isEmpty();
    for (const QString &key : keysOf(pointer.toString())) {
        const Member child = childOf(found->value, key);
        if (!child.value)
            return false;
        *found = child;
    }
    return true;
}

Value JsonText::at(QStringView pointer) const
{
    Member found;
    return follow(pointer, &found) ? found.value : Value();
}

Value JsonText::key(QStringView pointer) const
{
    Member found;
    follow(pointer, &found);
    return found.key;
}

int JsonText::lineOf(qsizetype offset) const
{
    return 1 + int(std::ranges::upper_bound(m_lines, offset) - m_lines.begin());
}

Position JsonText::position(qsizetype offset) const
{
    const int line = lineOf(offset);
    const qsizetype begin = line == 1 ? 0 : m_lines[size_t(line - 2)];
    const QByteArrayView before = QByteArrayView(m_bytes).sliced(begin, offset - begin);
    const auto isCharacter = [](char c) { return (c & 0xC0) != 0x80; }; // first byte in UTF-8
    return { line, 1 + int(std::ranges::count_if(before, isCharacter)) };
}

QString JsonText::pointerAt(qsizetype offset) const
{
    const auto end = [this](Value value) {
        return value.raw().data() + value.raw().size() - m_bytes.constData();
    };
    QString pointer;
    Value at = root();
    for (bool isInside = true; isInside;) {
        isInside = false;
        qsizetype item = 0;
        for (const Value value : at.items()) {
            isInside = entry(value.index()).offset <= offset && offset <= end(value);
            if (isInside) {
                pointer += u'/' + QString::number(item);
                at = value;
                break;
            }
            ++item;
        }
        for (const Member member : at.members()) {
            isInside = entry(member.key.index()).offset <= offset && offset <= end(member.value);
            if (isInside) {
                pointer += pointerTo({ member.key.string() });
                at = member.value;
                break;
            }
        }
    }
    return pointer;
}

static Diagnostic faultAt(Position at, const QString &sentence)
{
    return { Diagnostic::Severity::Error, {}, sentence, {}, at.line, at.column };
}

/// Parser that fills a document's tape in one pass, without recursion: hostile nesting is harmless.
/// Functions named like a token consume this token, and return false after an error (m_fault).
class Parser
{
public:
    Parser(JsonText &document, Limits limits)
        : m_document(document),
          m_limits(limits),
          m_begin(document.m_bytes.constData()),
          m_at(m_begin),
          m_end(m_begin + document.m_bytes.size())
    { }

    /// Returns the syntax error, if there is one.
    std::optional<Diagnostic> run()
    {
        m_document.m_tape.reserve(size_t((m_end - m_begin) / 10 + 16));
        skipSpace();
        for (bool isDone = false; !isDone;) {
            const qsizetype depth = m_open.size();
            if (!value())
                return m_fault;
            if (m_open.size() > depth)
                continue; // a non-empty container was opened: its first value follows
            if (!afterValue(&isDone))
                return m_fault;
        }
        return m_fault;
    }

private:
    using Mark = JsonText::Mark;
    struct Open // array or object whose end is not reached yet
    {
        quint32 entry; ///< index in the tape
        quint32 children;
        bool isObject;
    };

    void skipSpace()
    {
        for (; m_at < m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t');
             ++m_at) {
            if (*m_at == '\n')
                m_document.m_lines.push_back(quint32(m_at + 1 - m_begin));
        }
    }

    void put(Mark mark, const char *begin, qsizetype extent)
    {
        m_document.m_tape.push_back({ quint32(begin - m_begin), quint32(mark), quint32(extent) });
    }

    bool value()
    {
        if (m_at == m_end)
            return expected(u"a value"_s);
        switch (*m_at) {
        case '{':
            return open(true);
        case '[':
            return open(false);
        case '"':
            return string();
        case 't':
            return literal("true", Mark::Bool);
        case 'f':
            return literal("false", Mark::Bool);
        case 'n':
            return literal("null", Mark::Null);
        default:
            return *m_at == '-' || std::isdigit(uchar(*m_at)) ? number() : expected(u"a value"_s);
        }
    }

    bool open(bool isObject)
    {
        if (int(m_open.size()) >= m_limits.depth)
            return wrong(
                u"expected at most %1 levels of nesting, found more"_s.arg(m_limits.depth));
        m_open.push_back({ quint32(m_document.m_tape.size()), 0, isObject });
        put(isObject ? Mark::Object : Mark::Array, m_at, 0);
        ++m_at;
        skipSpace();
        if (m_at < m_end && *m_at == (isObject ? '}' : ']')) {
            close();
            return true;
        }
        return !isObject || key();
    }

    void close()
    {
        const Open open = m_open.back();
        m_open.pop_back();
        m_document.m_tape[open.entry].extent =
            quint32(m_document.m_tape.size() - open.entry) & 0xFFFFFFF;
        put(Mark::End, m_at, open.children);
        ++m_at;
    }

    bool afterValue(bool *isDone)
    {
        for (;;) {
            skipSpace();
            if (m_open.empty()) {
                *isDone = true;
                return m_at == m_end || expected(u"the end of the file after the value"_s);
            }
            Open &open = m_open.back();
            ++open.children;
            if (m_at == m_end || (*m_at != ',' && *m_at != (open.isObject ? '}' : ']')))
                return expected(open.isObject ? u"',' or '}'"_s : u"',' or ']'"_s);
            if (*m_at != ',') {
                close();
                continue;
            }
            ++m_at;
            skipSpace();
            return !open.isObject || key();
        }
    }

    bool key()
    {
        if (m_at == m_end || *m_at != '"')
            return expected(u"a key in double quotes"_s);
        if (!string())
            return false;
        skipSpace();
        if (m_at == m_end || *m_at != ':')
            return expected(u"':' after the key"_s);
        ++m_at;
        skipSpace();
        return true;
    }

    bool string()
    {
        const char *begin = m_at++;
        Mark mark = Mark::String;
        for (;;) {
            while (m_at < m_end && uchar(*m_at) >= 0x20 && uchar(*m_at) < 0x80 && *m_at != '"'
                && *m_at != '\\')
                ++m_at;
            if (m_at == m_end)
                return expected(u"'\"' at the end of the string"_s);
            if (*m_at == '"')
                break;
            if (*m_at == '\\') {
                mark = Mark::EscapedString;
                if (!escape())
                    return false;
            } else if (uchar(*m_at) < 0x20) {
                return expected(u"'\"' at the end of the string, or an escape such as \\n"_s);
            } else if (!character()) {
                return false;
            }
        }
        ++m_at;
        put(mark, begin, m_at - begin);
        return true;
    }

    bool escape()
    {
        const auto utf16Unit = [this](const char *at) { // of four hexadecimal digits; -1: none
            constexpr qsizetype Digits = 4;
            unsigned value = 0;
            const char *end = at + qMin<qsizetype>(Digits, m_end - at);
            return std::from_chars(at, end, value, 16).ptr == at + Digits ? int(value) : -1;
        };
        const char *begin = m_at++;
        if (m_at == m_end || !std::strchr("\"\\/bfnrtu", *m_at) || *m_at == 0)
            return expected(u"one of \" \\ / b f n r t u after '\\'"_s);
        if (*m_at++ != 'u')
            return true;
        const int high = utf16Unit(m_at);
        if (high < 0)
            return expected(u"four hexadecimal digits after \\u"_s);
        m_at += 4;
        if (high < 0xD800 || high > 0xDFFF)
            return true;
        const bool paired = high < 0xDC00 && m_end - m_at >= 6 && m_at[0] == '\\' && m_at[1] == 'u';
        const int low = paired ? utf16Unit(m_at + 2) : -1;
        if (low < 0xDC00 || low > 0xDFFF) {
            m_at = begin;
            return wrong(u"expected a character, found the half of a surrogate pair"_s);
        }
        m_at += 6;
        return true;
    }

    bool character()
    {
        const uchar lead = uchar(*m_at);
        const int length = lead < 0xC2 ? 0
            : lead < 0xE0              ? 2
            : lead < 0xF0              ? 3
            : lead < 0xF5              ? 4
                                       : 0;
        if (length == 0 || m_end - m_at < length || !QUtf8StringView(m_at, length).isValidUtf8())
            return wrong(u"expected UTF-8, found the byte 0x%1; save the file as UTF-8"_s.arg(
                lead, 2, 16, QChar(u'0')));
        m_at += length;
        return true;
    }

    bool digits()
    {
        const char *begin = m_at;
        while (m_at < m_end && *m_at >= '0' && *m_at <= '9')
            ++m_at;
        return m_at > begin || expected(u"a digit"_s);
    }

    bool number()
    {
        const char *begin = m_at;
        if (*m_at == '-')
            ++m_at;
        const bool startsWithZero = m_at < m_end && *m_at == '0';
        if (!digits())
            return false;
        if (startsWithZero && m_at - begin > (*begin == '-' ? 2 : 1)) {
            m_at = begin;
            return wrong(u"expected a number without a leading zero"_s);
        }
        if (m_at < m_end && *m_at == '.') {
            ++m_at;
            if (!digits())
                return false;
        }
        if (m_at < m_end && (*m_at == 'e' || *m_at == 'E')) {
            ++m_at;
            if (m_at < m_end && (*m_at == '+' || *m_at == '-'))
                ++m_at;
            if (!digits())
                return false;
        }
        put(Mark::Number, begin, m_at - begin);
        return true;
    }

    bool literal(QByteArrayView word, Mark mark)
    {
        if (!QByteArrayView(m_at, m_end).startsWith(word))
            return expected(u"a value"_s);
        put(mark, m_at, word.size());
        m_at += word.size();
        return true;
    }

    QString found() const
    {
        if (m_at == m_end)
            return u"the end of the file"_s;
        const uchar c = uchar(*m_at);
        if (std::isalpha(c)) {
            const char *end = m_at;
            while (end < m_end && end - m_at < 20 && std::isalnum(uchar(*end)))
                ++end;
            return u"'%1'"_s.arg(QLatin1StringView(m_at, end - m_at));
        }
        if (c == '\n' || c == '\r')
            return u"the end of the line"_s;
        if (c == '/')
            return u"'/' (JSON has no comments)"_s;
        if (c >= 0x20 && c < 0x7F)
            return u"'%1'"_s.arg(QChar(c));
        return u"the byte 0x%1"_s.arg(c, 2, 16, QChar(u'0'));
    }

    bool expected(const QString &what)
    {
        return wrong(u"expected %1, found %2"_s.arg(what, found()));
    }

    bool wrong(const QString &sentence)
    {
        const Position at = m_document.position(m_at - m_begin);
        m_fault = faultAt(at, sentence);
        return false;
    }

    JsonText &m_document;
    Limits m_limits;
    const char *m_begin, *m_at, *m_end;
    QVarLengthArray<Open, 32> m_open;
    std::optional<Diagnostic> m_fault;
};

Result<JsonText> JsonText::parse(QByteArray bytes, QString name, Limits limits, Diagnostic *fault)
{
    const auto failed = [&](const Diagnostic &found) {
        if (fault)
            *fault = found;
        return Error { u"%1:%2:%3: %4"_s.arg(
            name, QString::number(found.line), QString::number(found.column), found.text) };
    };
    constexpr qsizetype most = (qsizetype(1) << 28) - 1; // largest extent of an entry
    const qsizetype limit = qMin(limits.bytes, most);
    if (bytes.size() > limit) {
        const Diagnostic large = faultAt({},
            u"expected at most %1 MB, found %2 MB"_s.arg((limit + 500000) / 1000000)
                .arg((bytes.size() + 500000) / 1000000));
        failed(large);
        return Error { name + u": "_s + large.text };
    }
    const QByteArrayView head = QByteArrayView(bytes).first(qMin<qsizetype>(bytes.size(), 4));
    if (head.startsWith("\xEF\xBB\xBF"))
        return failed(faultAt(
            {}, u"expected JSON, found a byte order mark; save the file as UTF-8 without one"_s));
    if (head.startsWith("\xFF\xFE") || head.startsWith("\xFE\xFF")
        || (head.size() >= 2 && (head[0] == 0) != (head[1] == 0)))
        return failed(
            faultAt({}, u"expected UTF-8, found UTF-16 or UTF-32; save the file as UTF-8"_s));

    JsonText document;
    document.m_name = name;
    document.m_bytes = std::move(bytes);
    if (const std::optional<Diagnostic> found = Parser(document, limits).run())
        return failed(*found);
    return document;
}

} // namespace instar
