// SPDX-License-Identifier: Apache-2.0
#include "model/json/bodytext.h"

#include "model/json/jsontext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype DumpedBytes = 16 * 1024;

bool isControl(char c)
{
    return (uchar(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
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

bool isText(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes).toUtf8() == bytes; // a byte order mark would be lost, for one
}

bool isPlainText(const QByteArray &bytes)
{
    return isText(bytes) && std::ranges::none_of(bytes, isControl);
}

QString prettyJson(const QByteArray &body)
{
    if (const Result<JsonText> document = JsonText::parse(body, {})) {
        QByteArray out;
        print(document->root(), {}, &out);
        return QString::fromUtf8(out);
    }
    return isPlainText(QByteArray(body).replace("\r\n", "\n")) ? QString::fromUtf8(body)
                                                               : hexDump(body);
}

} // namespace instar
