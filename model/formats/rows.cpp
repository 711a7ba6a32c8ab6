// SPDX-License-Identifier: Apache-2.0
#include "model/formats/rows.h"

#include "model/formats/members.h"

using namespace Qt::StringLiterals;

namespace instar {

template Pack readRow(Reading &, Value, const QString &);
template Machine readRow(Reading &, Value, const QString &);
template Output rowOutput(const Pack &);
template Output rowOutput(const Machine &);
template Output rowOutput(const ResourceSpec &);

/// There may be a million: one look at each member, and states shared.
template<>
ResourceSpec readRow(Reading &reading, Value value, const QString &)
{
    if (!value.is(Value::Kind::Object)) {
        reading.expected(u"a resource: an object with a path"_s, value);
        return {};
    }
    ResourceSpec resource;
    unsigned seen = 0;
    for (const Member member : value.members()) {
        const unsigned bit = member.key.isString("path") ? 1 : member.key.isString("state") ? 2 : 0;
        if (!bit || (seen & bit) || !member.value.is(Value::Kind::String))
            return readDescribed<ResourceSpec>(reading, value);
        seen |= bit;
        (bit == 1 ? resource.path : resource.state) =
            bit == 1 ? member.value.string() : reading.shared(member.value);
    }
    return seen & 1 ? resource : readDescribed<ResourceSpec>(reading, value);
}

QString readTruth(Reading &reading, Value value)
{
    if (value.is(Value::Kind::Bool))
        return value.boolean() ? u"true"_s : u"false"_s;
    if (value && !value.is(Value::Kind::String))
        reading.expected(u"true, false or a string"_s, value);
    return value.string();
}

Output truthOutput(const QString &word)
{
    if (word == "true"_L1 || word == "false"_L1)
        return Output::boolean(word == "true"_L1);
    return Output::string(word);
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

void addTexts(Output *object, const char *key, const QStringList &texts)
{
    if (!texts.isEmpty())
        object->add(QString::fromLatin1(key),
            texts.size() == 1 ? Output::string(texts.first()) : Output::strings(texts));
}

} // namespace instar
