// SPDX-License-Identifier: Apache-2.0
#include "model/remote/stored.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Key
{
    QString name;
    bool isList = false;
};

QList<Key> keysOf(const QString &property)
{
    QList<Key> keys;
    for (const QString &part : property.split(u'.')) {
        const bool isList = part.endsWith(u"[]");
        keys += { isList ? part.chopped(2) : part, isList };
    }
    return keys;
}

/// Every value at a dotted place; lists are looked through, whether the place says so or not.
void gather(Value from, const QList<Key> &keys, qsizetype at, Qt::CaseSensitivity names, QList<Value> *found)
{
    if (from.is(Value::Kind::Array)) {
        for (const Value item : from.items())
            gather(item, keys, at, names, found);
    } else if (at == keys.size()) {
        if (from && !from.is(Value::Kind::Null))
            *found += from;
    } else if (from.is(Value::Kind::Object)) {
        if (const Value next = member(from, keys[at].name, names))
            gather(next, keys, at + 1, names, found);
    }
}

QJsonValue put(const QJsonValue &into, const QList<Key> &keys, qsizetype at, const QJsonValue &value)
{
    if (at == keys.size())
        return value;
    QJsonObject object = into.toObject();
    const Key &key = keys[at];
    if (key.isList) {
        QJsonArray list = object[key.name].toArray();
        list.append(put({}, keys, at + 1, value));
        object[key.name] = list;
    } else {
        object[key.name] = put(object[key.name], keys, at + 1, value);
    }
    return object;
}

} // namespace

QString typePathOf(const QString &path)
{
    const QStringList parts = path.split(u'/');
    QStringList types;
    for (qsizetype i = 1; i < parts.size(); i += 2)
        types += parts[i];
    return types.join(u'/');
}

ReferencePlaces::ReferencePlaces(const Rules &rules, const Template *document)
    : m_rules(rules), m_document(document)
{
}

bool ReferencePlaces::fits(const ReferenceRule &rule, const QString &typePath) const
{
    const auto names = m_rules.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    return m_rules.applies(rule) && rule.types.contains(typePath, names);
}

QString ReferencePlaces::plain(const QString &path) const
{
    const QString base = m_rules.pack().wire.base;
    QString rest = path;
    if (const qsizetype host = rest.indexOf(u"://"); host > 0)
        rest = rest.mid(rest.indexOf(u'/', host + 3));
    const qsizetype hole = base.indexOf(u"{version}");
    const QString head = hole < 0 ? base : base.left(hole);
    if (head.size() < 2 || !rest.startsWith(head, Qt::CaseInsensitive))
        return rest;
    rest = rest.mid(head.size());
    if (hole < 0)
        return rest;
    const qsizetype end = rest.indexOf(u'/');
    return end < 0 ? path : rest.mid(end);
}

/// What is wrong with a reference, as a refusal; empty: nothing.
QString ReferencePlaces::read(Value reference, const ReferenceRule &rule, QString *path) const
{
    Value text = reference;
    if (m_document) {
        const auto place = m_document->place(u"path"_s);
        const auto names = m_rules.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
        text = place ? valueAt(reference, *place, names) : reference;
    }
    if (!text.is(Value::Kind::String))
        return u"malformedReference"_s;
    *path = plain(text.string());
    const QStringList parts = path->split(u'/');
    const bool isPath = parts.size() >= 3 && parts.size() % 2 == 1 && parts.first().isEmpty()
        && !parts.mid(1).contains(QString());
    if (!isPath)
        return u"malformedReference"_s;
    return fits(rule, typePathOf(*path)) ? QString() : u"wrongReference"_s;
}

Messages::References ReferencePlaces::found(const QString &typePath, Value properties) const
{
    Messages::References result;
    const Type *type = m_rules.typeRow(typePath);
    if (!type || !properties.is(Value::Kind::Object))
        return result;
    const auto names = m_rules.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    for (const ReferenceRule &rule : type->references) {
        if (!m_rules.applies(rule))
            continue;
        QList<Value> values;
        gather(properties, keysOf(rule.property), 0, names, &values);
        for (const Value &value : std::as_const(values)) {
            QString path;
            const QString problem = read(value, rule, &path);
            if (!problem.isEmpty() && result.problem.isEmpty()) {
                result.problem = problem;
                result.text = u"%1, which is to name one of %2"_s.arg(rule.property, rule.types.join(u", "_s));
            } else if (!result.paths.contains(path)) {
                result.paths += path;
            }
        }
    }
    return result;
}

QJsonObject ReferencePlaces::with(
    const QString &typePath, QJsonObject properties, const QStringList &references) const
{
    const Type *type = m_rules.typeRow(typePath);
    if (!type)
        return properties;
    for (const QString &path : references) {
        const auto rule = std::ranges::find_if(
            type->references, [&](const ReferenceRule &row) { return fits(row, typePathOf(path)); });
        if (rule == type->references.end())
            continue;
        QJsonValue written = path;
        const auto place = m_document ? m_document->place(u"path"_s) : std::nullopt;
        if (place) {
            for (auto key = place->crbegin(); key != place->crend(); ++key)
                written = QJsonObject { { *key, written } };
        }
        properties = put(properties, keysOf(rule->property), 0, written).toObject();
    }
    return properties;
}

QStringList ReferencePlaces::keys(const QString &typePath) const
{
    QStringList keys;
    if (const Type *type = m_rules.typeRow(typePath)) {
        for (const ReferenceRule &rule : type->references)
            keys += keysOf(rule.property).first().name;
    }
    return keys;
}

QString ReferencePlaces::back(const QString &referrerType, const QString &referredType) const
{
    const Type *type = m_rules.typeRow(referrerType);
    if (!type)
        return {};
    for (const ReferenceRule &rule : type->references) {
        if (!rule.back.isEmpty() && fits(rule, referredType))
            return rule.back;
    }
    return {};
}

} // namespace instar
