// SPDX-License-Identifier: Apache-2.0
#include "model/formats/rows.h"

#include <vector>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString switchValue(Reading &reading, Value value)
{
    if (value.is(Value::Kind::Bool))
        return value.boolean() ? u"true"_s : u"false"_s;
    if (!value.is(Value::Kind::String))
        reading.expected(u"a switch's value: true, false or a string"_s, value);
    return value.string();
}

QMap<QString, QStringList> readWhen(Reading &reading, Value when)
{
    QMap<QString, QStringList> values;
    if (when && !when.is(Value::Kind::Object))
        reading.expected(u"an object: switch to value"_s, when);
    if (const Value twice = when.duplicateKey())
        reading.error(twice, u"expected each switch once, found \"%1\" again"_s.arg(twice.string()),
            u"duplicate-key"_s);
    for (const Member member : when.members()) {
        QStringList &some = values[member.key.string()];
        if (!member.value.is(Value::Kind::Array))
            some.append(switchValue(reading, member.value));
        for (const Value item : member.value.items())
            some.append(switchValue(reading, item));
    }
    return values;
}

Output switchOutput(const QString &value)
{
    if (value == "true"_L1 || value == "false"_L1)
        return Output::boolean(value == "true"_L1);
    return Output::string(value);
}

} // namespace

RowFields::RowFields(Reading &reading, Value object, Keys own, Row *row, Keys kept)
    : Fields(reading, object, own, { "about", "source", "when" }, &row->extras, kept)
{
    row->about = text("about");
    row->sources = textOrTexts("source");
    row->when = readWhen(reading, value("when"));
}

bool isPlain(const Row &row)
{
    return row == Row();
}

Output valueOutput(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Bool:
        return Output::boolean(value.toBool());
    case QJsonValue::Double: {
        const double number = value.toDouble();
        const qint64 whole = value.toInteger();
        return double(whole) == number ? Output::integer(whole) : Output::real(number);
    }
    case QJsonValue::String:
        return Output::string(value.toString());
    default:
        return Output::raw("null");
    }
}

void addExtras(Output *object, const QList<Extra> &extras)
{
    for (const Extra &extra : extras)
        object->add(extra.key, Output::raw(extra.json));
}

void addText(Output *object, const char *key, const QString &text)
{
    if (!text.isEmpty())
        object->add(QString::fromLatin1(key), Output::string(text));
}

void addFlag(Output *object, const char *key, bool flag)
{
    if (flag)
        object->add(QString::fromLatin1(key), Output::boolean(true));
}

void addWhole(Output *object, const char *key, qint64 number, qint64 absent)
{
    if (number != absent)
        object->add(QString::fromLatin1(key), Output::integer(number));
}

void addTexts(Output *object, const char *key, const QStringList &texts, Need need)
{
    if (texts.size() == 1)
        object->add(QString::fromLatin1(key), Output::string(texts.first()));
    else if (!texts.isEmpty() || need == Need::Required)
        object->add(QString::fromLatin1(key), Output::strings(texts));
}

void addRow(Output *object, const Row &row)
{
    addText(object, "about", row.about);
    addTexts(object, "source", row.sources);
    if (!row.when.isEmpty()) {
        Output when = Output::object();
        for (auto it = row.when.begin(); it != row.when.end(); ++it) {
            Output values = Output::array();
            for (const QString &value : it.value())
                values.add(switchOutput(value));
            if (it.value().size() == 1)
                values = switchOutput(it.value().first());
            when.add(it.key(), std::move(values));
        }
        object->add(u"when", std::move(when));
    }
    addExtras(object, row.extras);
}

} // namespace instar
