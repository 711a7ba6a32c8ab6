// SPDX-License-Identifier: Apache-2.0
#include "model/formats/document.h"

#include <QVarLengthArray>

#include <cctype>
#include <cstring>

using namespace Qt::StringLiterals;

namespace instar {

/// Fills a document's tape in one pass, without recursion, so that hostile nesting costs nothing.
class Parser
{
public:
    Parser(Document &document, Limits limits)
        : m_document(document),
          m_limits(limits),
          m_begin(document.m_bytes.constData()),
          m_at(m_begin),
          m_end(m_begin + document.m_bytes.size())
    { }

    /// Empty where all is well, else what is wrong.
    QString run();

private:
    using Mark = Document::Mark;
    struct Open
    {
        quint32 entry;
        quint32 children;
        bool isObject;
    };

    bool value();
    bool open(bool isObject);
    void close();
    bool afterValue(bool *done);
    bool key();
    bool string();
    bool escape();
    bool character();
    bool number();
    bool literal(const char *word, qsizetype length, Mark mark);
    bool expected(const QString &what);
    bool wrong(const QString &sentence);
    QString found() const;
    void skipSpace();
    bool digits();
    void put(Mark mark, const char *begin, qsizetype extent);

    Document &m_document;
    Limits m_limits;
    const char *m_begin, *m_at, *m_end;
    QVarLengthArray<Open, 32> m_open;
    QString m_error;
};

QString Parser::run()
{
    m_document.m_tape.reserve(size_t((m_end - m_begin) / 10 + 16));
    skipSpace();
    for (bool done = false; !done;) {
        const qsizetype depth = m_open.size();
        if (!value())
            return m_error;
        if (m_open.size() > depth)
            continue; // a container was opened and is not empty: its first value follows
        if (!afterValue(&done))
            return m_error;
    }
    return m_error;
}

void Parser::skipSpace()
{
    while (m_at < m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t'))
        ++m_at;
}

void Parser::put(Mark mark, const char *begin, qsizetype extent)
{
    m_document.m_tape.push_back({ quint32(begin - m_begin), quint32(mark), quint32(extent) });
}

bool Parser::value()
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
        return literal("true", 4, Mark::Bool);
    case 'f':
        return literal("false", 5, Mark::Bool);
    case 'n':
        return literal("null", 4, Mark::Null);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return number();
    default:
        return expected(u"a value"_s);
    }
}

bool Parser::open(bool isObject)
{
    if (int(m_open.size()) >= m_limits.depth)
        return wrong(u"expected at most %1 levels of nesting, found more"_s.arg(m_limits.depth));
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

void Parser::close()
{
    const Open open = m_open.back();
    m_open.pop_back();
    m_document.m_tape[open.entry].extent =
        quint32(m_document.m_tape.size() - open.entry) & 0xFFFFFFF;
    put(Mark::End, m_at, open.children);
    ++m_at;
}

bool Parser::afterValue(bool *done)
{
    for (;;) {
        skipSpace();
        if (m_open.empty()) {
            *done = true;
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

bool Parser::key()
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

bool Parser::string()
{
    const char *begin = m_at++;
    Mark mark = Mark::String;
    for (;;) {
        // eight plain ASCII characters at a time
        while (m_end - m_at >= 8) {
            quint64 word = 0;
            std::memcpy(&word, m_at, 8);
            constexpr quint64 ones = 0x0101010101010101;
            constexpr quint64 highs = 0x8080808080808080;
            const quint64 quotes = word ^ (ones * '"');
            const quint64 slashes = word ^ (ones * '\\');
            const quint64 special = word | (word - ones * 0x20) | ((quotes - ones) & ~quotes)
                | ((slashes - ones) & ~slashes);
            if (special & highs)
                break;
            m_at += 8;
        }
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

bool Parser::escape()
{
    const auto unit = [this](const char *at) {
        int value = 0;
        for (int i = 0; i < 4; ++i) {
            if (at + i >= m_end || !std::isxdigit(uchar(at[i])))
                return -1;
            const int c = uchar(at[i]);
            value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        }
        return value;
    };
    const char *begin = m_at++;
    if (m_at == m_end || !std::strchr("\"\\/bfnrtu", *m_at) || *m_at == 0)
        return expected(u"one of \" \\ / b f n r t u after '\\'"_s);
    if (*m_at++ != 'u')
        return true;
    const int high = unit(m_at);
    if (high < 0)
        return expected(u"four hexadecimal digits after \\u"_s);
    m_at += 4;
    if (high < 0xD800 || high > 0xDFFF)
        return true;
    const bool paired = high < 0xDC00 && m_end - m_at >= 6 && m_at[0] == '\\' && m_at[1] == 'u';
    const int low = paired ? unit(m_at + 2) : -1;
    if (low < 0xDC00 || low > 0xDFFF) {
        m_at = begin;
        return wrong(u"expected a character, found the half of a surrogate pair"_s);
    }
    m_at += 6;
    return true;
}

bool Parser::character()
{
    const uchar lead = uchar(*m_at);
    const int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    bool good = length > 0 && m_end - m_at >= length;
    for (int i = 1; good && i < length; ++i)
        good = (uchar(m_at[i]) & 0xC0) == 0x80;
    if (good && length > 2) {
        const uchar second = uchar(m_at[1]); // neither overlong, nor a surrogate, nor past U+10FFFF
        good = !(lead == 0xE0 && second < 0xA0) && !(lead == 0xED && second > 0x9F)
            && !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second > 0x8F);
    }
    if (!good)
        return wrong(u"expected UTF-8, found the byte 0x%1; save the file as UTF-8"_s.arg(
            lead, 2, 16, QChar(u'0')));
    m_at += length;
    return true;
}

bool Parser::digits()
{
    const char *begin = m_at;
    while (m_at < m_end && *m_at >= '0' && *m_at <= '9')
        ++m_at;
    return m_at > begin || expected(u"a digit"_s);
}

bool Parser::number()
{
    const char *begin = m_at;
    if (*m_at == '-')
        ++m_at;
    const bool zero = m_at < m_end && *m_at == '0';
    if (!digits())
        return false;
    if (zero && m_at - begin > (*begin == '-' ? 2 : 1)) {
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

bool Parser::literal(const char *word, qsizetype length, Mark mark)
{
    if (m_end - m_at < length || std::memcmp(m_at, word, size_t(length)) != 0)
        return expected(u"a value"_s);
    put(mark, m_at, length);
    m_at += length;
    return true;
}

QString Parser::found() const
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

bool Parser::expected(const QString &what)
{
    return wrong(u"expected %1, found %2"_s.arg(what, found()));
}

bool Parser::wrong(const QString &sentence)
{
    const Position at = m_document.position(m_at - m_begin);
    m_error = u"%1:%2:%3: %4"_s.arg(m_document.name()).arg(at.line).arg(at.column).arg(sentence);
    return false;
}

Result<Document> Document::parse(QByteArray bytes, QString name, Limits limits)
{
    constexpr qsizetype most = (qsizetype(1) << 28) - 1; // what an entry's extent can say
    const qsizetype limit = qMin(limits.bytes, most);
    if (bytes.size() > limit)
        return Error { u"%1: expected at most %2 MB, found %3 MB"_s.arg(name)
                           .arg((limit + 500000) / 1000000)
                           .arg((bytes.size() + 500000) / 1000000) };
    const QByteArrayView head = QByteArrayView(bytes).first(qMin<qsizetype>(bytes.size(), 4));
    if (head.startsWith("\xEF\xBB\xBF"))
        return Error {
            u"%1:1:1: expected JSON, found a byte order mark; save the file as UTF-8 without one"_s
                .arg(name)
        };
    if (head.startsWith("\xFF\xFE") || head.startsWith("\xFE\xFF")
        || (head.size() >= 2 && (head[0] == 0) != (head[1] == 0)))
        return Error {
            u"%1:1:1: expected UTF-8, found UTF-16 or UTF-32; save the file as UTF-8"_s.arg(name)
        };

    Document document;
    document.m_name = std::move(name);
    document.m_bytes = std::move(bytes);
    const QString error = Parser(document, limits).run();
    if (!error.isEmpty())
        return Error { error };
    return document;
}

} // namespace instar
