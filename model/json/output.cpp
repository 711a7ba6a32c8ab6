// SPDX-License-Identifier: Apache-2.0
#include "model/json/output.h"

#include "model/foreigntext.h"
#include "model/pack/rows.h"

#include <QLocale>

#include <algorithm>

namespace instar {

static constexpr qsizetype mostColumns = 140; // of a line that holds more than a scalar

void appendJsonText(QByteArray *out, QByteArrayView utf8)
{
    const auto isSpecial = [](char c) { return uchar(c) < 0x20 || c == '"' || c == '\\'; };
    while (!utf8.isEmpty()) {
        const auto special = std::ranges::find_if(utf8, isSpecial);
        out->append(utf8.first(special - utf8.begin()));
        if (special == utf8.end())
            return;
        const char c = *special;
        utf8 = utf8.sliced(special - utf8.begin() + 1);
        if (const qsizetype letter = QByteArrayView("\"\\\n\t\r").indexOf(c); letter >= 0)
            out->append('\\').append("\"\\ntr"[letter]);
        else
            *out += "\\u00" + QByteArray::number(uchar(c), 16).rightJustified(2, '0');
    }
}

QByteArray jsonString(QStringView text)
{
    const QByteArray utf8 = text.toUtf8();
    QByteArray json;
    json.reserve(utf8.size() + 2);
    json += '"';
    appendJsonText(&json, utf8);
    json += '"';
    return visible(json); // escapes invisible characters
}

Output Output::real(double number)
{
    return raw(QByteArray::number(number, 'g', QLocale::FloatingPointShortest));
}

Output Output::object(std::initializer_list<std::pair<const char *, Output>> members)
{
    Output result = object();
    for (const auto &[key, value] : members)
        result.add(QString::fromLatin1(key), value);
    return result;
}

Output Output::copy(Value value)
{
    if (value.is(Value::Kind::Array))
        return array(value.items(), copy);
    if (value.is(Value::Kind::Object)) {
        Output object = Output::object();
        for (const Member member : value.members())
            object.m_children.emplace_back(member.key.raw().toByteArray(), copy(member.value));
        return object;
    }
    return raw(value.raw().toByteArray());
}

void Output::add(QStringView key, Output value)
{
    m_children.emplace_back(jsonString(key), std::move(value));
}

Output &&Output::multiLine() &&
{
    m_isMultiLine = true;
    return std::move(*this);
}

/// Returns the width on one line, in columns; any number greater than `room` if it exceeds `room`.
qsizetype Output::width(qsizetype room) const
{
    if (m_form == Form::Scalar)
        return m_scalar.contains('\n') ? room + 1 : m_scalar.size();
    if (m_isMultiLine && !m_children.empty())
        return room + 1;
    qsizetype used = 2;
    for (const auto &[key, child] : m_children) {
        used += (used > 2 ? 2 : 0) + (m_form == Form::Object ? key.size() + 2 : 0);
        if (used > room)
            break;
        used += child.width(room - used);
        if (used > room)
            break;
    }
    return used;
}

/// Appends the value. With `indent`, puts each child on its own line unless all fit on one line.
void Output::print(QByteArray *out, std::optional<int> indent, qsizetype column) const
{
    if (m_form == Form::Scalar) {
        *out += m_scalar;
        return;
    }
    if (m_children.empty() || (indent && width(mostColumns - column) <= mostColumns - column))
        indent.reset();
    const auto beginLine = [&](int level) {
        if (indent)
            *out += '\n' + QByteArray(*indent + level, ' ');
    };
    *out += m_form == Form::Object ? '{' : '[';
    bool isFirst = true;
    for (const auto &[key, child] : m_children) {
        if (!std::exchange(isFirst, false))
            *out += indent ? "," : ", ";
        beginLine(1);
        qsizetype used = indent.value_or(0) + 2; // a comma may follow
        if (m_form == Form::Object) {
            *out += key + ": ";
            used += key.size() + 2;
        }
        child.print(out, indent ? std::optional(*indent + 1) : std::nullopt, used);
    }
    beginLine(0);
    *out += m_form == Form::Object ? '}' : ']';
}

QByteArray Output::oneLine() const
{
    QByteArray out;
    print(&out, {}, 0);
    return out;
}

QByteArray Output::text() const
{
    QByteArray out;
    print(&out, 0, 0);
    return out + '\n';
}

Output valueOutput(const QJsonValue &value)
{
    return value.isString() ? Output::string(value.toString()) : Output::raw(jsonOf(value));
}

} // namespace instar
