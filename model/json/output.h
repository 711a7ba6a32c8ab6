// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"

#include <QJsonValue>

#include <initializer_list>
#include <utility>
#include <vector>

namespace instar {

/// A text as a JSON string, quotes included.
QByteArray jsonString(QStringView text);
/// Appends what stands between the quotes of a JSON string.
void appendJsonText(QByteArray *out, QByteArrayView utf8);

/// JSON to be written, in the order in which it was put together. What fits into a line stands on
/// one line.
class Output
{
public:
    static Output string(QStringView text);
    static Output strings(const QStringList &texts);
    static Output integer(qint64 number);
    static Output real(double number); ///< the shortest spelling that reads back the same; finite
    static Output boolean(bool value);
    static Output raw(QByteArray json); ///< as it is; must be one JSON value
    static Output array() { return Output(Form::Array, {}); }
    static Output object() { return Output(Form::Object, {}); }
    static Output array(std::initializer_list<Output> items);
    static Output object(std::initializer_list<std::pair<const char *, Output>> members);
    /// The same value, laid out in the house's way; numbers and strings as they are spelled.
    static Output copy(Value value);

    void add(Output item) { m_children.emplace_back(QByteArray(), std::move(item)); }
    void add(QStringView key, Output value);
    bool isEmpty() const { return m_form != Form::Scalar && m_children.empty(); }
    qsizetype size() const { return qsizetype(m_children.size()); }

    /// Each child on a line of its own, even where all would fit into one.
    Output &&broken() &&;
    QByteArray oneLine() const;
    /// Indented by one space a level, lines up to about 140 columns, a final line feed.
    QByteArray text() const;

private:
    enum class Form { Scalar, Array, Object };
    Output(Form form, QByteArray scalar) : m_form(form), m_scalar(std::move(scalar)) { }
    bool fits(qsizetype room) const;
    qsizetype width(qsizetype room) const;
    void print(QByteArray *out) const;
    void print(QByteArray *out, int indent, qsizetype column) const;

    Form m_form;
    bool m_broken = false;
    QByteArray m_scalar;
    std::vector<std::pair<QByteArray, Output>> m_children; ///< keys are quoted already
};

/// A text, a number, true, false or null.
Output valueOutput(const QJsonValue &value);
void addText(Output *object, const char *key, const QString &text); ///< left out where empty
void addWhole(Output *object, const char *key, qint64 number, qint64 absent = 0);

} // namespace instar
