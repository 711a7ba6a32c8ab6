// SPDX-License-Identifier: Apache-2.0
#include "model/json/bodytext.h"

#include "model/json/jsontext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

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

} // namespace

bool isText(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes).toUtf8() == bytes; // a byte order mark would be lost, for one
}

QString prettyJson(const QByteArray &body)
{
    if (const Result<JsonText> document = JsonText::parse(body, {})) {
        QByteArray out;
        print(document->root(), {}, &out);
        return QString::fromUtf8(out);
    }
    return isText(body) && std::ranges::none_of(QByteArray(body).replace("\r\n", "\n"), isControl)
        ? QString::fromUtf8(body)
        : u"%1 bytes that are no text"_s.arg(body.size());
}

} // namespace instar
