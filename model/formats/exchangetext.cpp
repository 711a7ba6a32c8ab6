// SPDX-License-Identifier: Apache-2.0
#include "model/formats/document.h"
#include "model/formats/exchanges.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LongestArgument = 64 * 1024; ///< bytes; Linux allows twice as many
constexpr qsizetype DumpedBytes = 16 * 1024;

/// One word for a POSIX shell.
QString shellWord(QString text)
{
    text.remove(QChar(u'\0')); // no argument can hold it
    return u'\'' + text.replace(u"'"_s, u"'\\''"_s) + u'\'';
}

bool isControl(char c)
{
    return (uchar(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

bool isPlain(const QByteArray &body)
{
    return isText(body) && std::ranges::none_of(body, isControl);
}

/// A printf format that prints the bytes.
QString printed(const QByteArray &body)
{
    QString format;
    for (const char c : body) {
        const bool wouldBeAnOption = format.isEmpty() && c == '-';
        if (uchar(c) >= 0x20 && uchar(c) < 0x7f && c != '\\' && c != '%' && !wouldBeAnOption)
            format += QLatin1Char(c);
        else
            format += u"\\%1"_s.arg(int(uchar(c)), 3, 8, QChar(u'0'));
    }
    return shellWord(format);
}

bool isToldByCurl(const Exchange &exchange, const Exchange::Header &header)
{
    const auto is = [&](QStringView name) {
        return header.name.compare(name, Qt::CaseInsensitive) == 0;
    };
    if (is(u"Content-Length"))
        return !exchange.requestBody.isEmpty();
    return is(u"Transfer-Encoding");
}

void print(Value value, const QByteArray &indent, QByteArray *out)
{
    const bool isObject = value.is(Value::Kind::Object);
    if (value.size() == 0) {
        if (isObject || value.is(Value::Kind::Array))
            *out += isObject ? "{}" : "[]";
        else
            *out += value.raw();
        return;
    }
    const QByteArray inner = indent + "  ";
    bool isFirst = true;
    const auto begin = [&] {
        *out += isFirst ? "\n" : ",\n";
        *out += inner;
        isFirst = false;
    };
    *out += isObject ? '{' : '[';
    for (const Value item : value.items()) {
        begin();
        print(item, inner, out);
    }
    for (const Member member : value.members()) {
        begin();
        *out += member.key.raw();
        *out += ": ";
        print(member.value, inner, out);
    }
    *out += '\n' + indent + (isObject ? '}' : ']');
}

QString hexDump(const QByteArray &bytes)
{
    QString dump;
    const qsizetype end = std::min(bytes.size(), DumpedBytes);
    for (qsizetype line = 0; line < end; line += 16) {
        QString hex, text;
        for (qsizetype i = line; i < std::min(line + 16, end); ++i) {
            hex += u"%1 "_s.arg(int(uchar(bytes[i])), 2, 16, QChar(u'0'));
            text += uchar(bytes[i]) >= 0x20 && uchar(bytes[i]) < 0x7f ? QLatin1Char(bytes[i])
                                                                      : QLatin1Char('.');
        }
        dump += u"%1  %2 %3\n"_s.arg(line, 8, 16, QChar(u'0')).arg(hex, -48).arg(text);
    }
    if (end < bytes.size())
        dump += u"... %1 bytes more\n"_s.arg(bytes.size() - end);
    return dump;
}

} // namespace

QString curlCommand(const Exchange &exchange)
{
    const QString next = u" \\\n  "_s;
    const QByteArray &body = exchange.requestBody;
    QString command = u"curl"_s;
    if (exchange.method == u"HEAD")
        command += u" --head"_s;
    else if (exchange.method != u"GET" || !body.isEmpty())
        command += u" -X "_s + shellWord(exchange.method);
    if (exchange.url.contains(u"/."))
        command += u" --path-as-is"_s;
    if (std::ranges::any_of(exchange.url, [](QChar c) { return QStringView(u"[]{}").contains(c); }))
        command += u" --globoff"_s;
    command += (exchange.url.startsWith(u'-') ? u" --url "_s : u" "_s) + shellWord(exchange.url);

    for (const Exchange::Header &header : exchange.requestHeaders) {
        if (isToldByCurl(exchange, header))
            continue;
        // "Name: " would take the header away, "Name;" sends it empty.
        command += next + u"-H "_s
            + shellWord(header.value.trimmed().isEmpty() ? header.name + u';'
                                                         : header.name + u": "_s + header.value);
    }
    if (body.isEmpty())
        return command;
    if (headerValue(exchange.requestHeaders, u"Content-Type").isEmpty())
        command += next + u"-H 'Content-Type:'"_s; // or curl would send its own
    if (isPlain(body) && body.size() <= LongestArgument)
        return command + next + u"--data-raw "_s + shellWord(QString::fromUtf8(body));
    const QString source =
        isPlain(body) ? u"%s "_s + shellWord(QString::fromUtf8(body)) : printed(body);
    return u"printf "_s + source + u" |\n"_s + command + next + u"--data-binary @-"_s;
}

QString prettyJson(const QByteArray &body)
{
    if (const Result<Document> document = Document::parse(body, {})) {
        QByteArray out;
        print(document->root(), {}, &out);
        return QString::fromUtf8(out);
    }
    return isPlain(QByteArray(body).replace("\r\n", "\n")) ? QString::fromUtf8(body)
                                                           : hexDump(body);
}

} // namespace instar
