// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"

#include <QJsonValue>

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace instar {

/// Returns a text as a JSON string, with quotes.
QByteArray jsonString(QStringView text);
/// Appends a text with the escapes of a JSON string, without quotes.
void appendJsonText(QByteArray *out, QByteArrayView utf8);

/// JSON value to write; members keep their order. A container is on one line if it fits there.
class Output
{
public:
    static Output string(QStringView text) { return raw(jsonString(text)); }
    static Output strings(const QStringList &texts) { return array(texts, string); }
    static Output integer(qint64 number) { return raw(QByteArray::number(number)); }
    static Output real(double number); ///< finite; the shortest text that reads back the same
    static Output boolean(bool value) { return raw(value ? "true" : "false"); }
    /// Returns a value that is written as it is: `json` must be one JSON value.
    static Output raw(QByteArray json) { return Output(Form::Scalar, std::move(json)); }
    static Output array() { return Output(Form::Array, {}); }
    /// Returns an array with the output of each item: `outputOf(item)`.
    static Output array(const auto &items, auto outputOf)
    {
        Output list = array();
        for (const auto &item : items)
            list.add(outputOf(item));
        return list;
    }
    static Output object() { return Output(Form::Object, {}); }
    static Output object(std::initializer_list<std::pair<const char *, Output>> members);
    /// Returns a parsed value for new formatting; numbers and strings keep their spelling.
    static Output copy(Value value);

    void add(Output item) { m_children.emplace_back(QByteArray(), std::move(item)); }
    void add(QStringView key, Output value);
    qsizetype size() const { return qsizetype(m_children.size()); }

    /// Puts each child on its own line, even if all would fit into one.
    Output &&multiLine() &&;
    QByteArray oneLine() const;
    /// Returns the JSON text, indented by one space per level, in lines of about 140 columns.
    QByteArray text() const;

private:
    enum class Form { Scalar, Array, Object };
    Output(Form form, QByteArray scalar) : m_form(form), m_scalar(std::move(scalar)) { }
    qsizetype width(qsizetype room) const;
    void print(QByteArray *out, std::optional<int> indent, qsizetype column) const;

    Form m_form;
    bool m_isMultiLine = false;
    QByteArray m_scalar;
    std::vector<std::pair<QByteArray, Output>> m_children; ///< with quoted keys
};

/// Returns the output of a text, a number, true, false or null.
Output valueOutput(const QJsonValue &value);

} // namespace instar
