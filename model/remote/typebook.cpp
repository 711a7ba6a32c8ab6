// SPDX-License-Identifier: Apache-2.0
#include "model/remote/typebook.h"

#include <QJsonArray>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

DottedPlace placeOf(const QString &property)
{
    DottedPlace place;
    for (const QString &part : property.split(u'.')) {
        const bool isList = part.endsWith(u"[]");
        place += PlaceStep { isList ? part.chopped(2) : part, isList };
    }
    return place;
}

/// Every value at a dotted place; lists are looked through, whether the place says so or not.
void gather(Value from, const DottedPlace &place, qsizetype at, Qt::CaseSensitivity names,
    QList<Value> *found)
{
    if (from.is(Value::Kind::Array)) {
        for (const Value item : from.items())
            gather(item, place, at, names, found);
    } else if (at == place.size()) {
        if (from && !from.is(Value::Kind::Null))
            *found += from;
    } else if (const Value next = member(from, place[at].key, names)) {
        gather(next, place, at + 1, names, found);
    }
}

QJsonValue put(
    const QJsonValue &into, const DottedPlace &place, qsizetype at, const QJsonValue &value)
{
    if (at == place.size())
        return value;
    QJsonObject object = into.toObject();
    const QString &name = place[at].key;
    if (place[at].isList) {
        QJsonArray list = object[name].toArray();
        list.append(put({}, place, at + 1, value));
        object[name] = list;
    } else {
        object[name] = put(object[name], place, at + 1, value);
    }
    return object;
}

/// Where the document that writes a reference has the path; none: the path is all.
Place pathIn(const std::map<QString, Template> &documents, const QString &document)
{
    const auto found = documents.find(document.isEmpty() ? u"reference"_s : document);
    return found == documents.end() ? Place() : found->second.place(Hole::Path);
}

/// Where documents hold the whole of a type's resource: its own documents, and those that no other
/// type has.
QList<QStringList> wrapsOf(const std::map<QString, Template> &documents, const Type &type,
    const QString &resource, const QSet<QString> &own)
{
    const QStringList ofType = type.documents.values();
    QList<QStringList> wraps;
    for (const auto &[id, document] : documents) {
        const auto &wrapped = document.wrapped();
        const bool isOfType =
            ofType.contains(id) || (!own.contains(id) && !type.documents.contains(id));
        if (wrapped && isOfType
            && (wrapped->document == u"resource" || wrapped->document == resource))
            wraps += wrapped->place;
    }
    return wraps;
}

} // namespace

bool TypeParts::refersTo(const QString &typePath, Qt::CaseSensitivity names) const
{
    return std::ranges::any_of(references, [&](const Reference &reference) {
        return reference.rule->types.contains(typePath, names);
    });
}

TypeBook::TypeBook(const Rules &rules, const std::map<QString, Template> &documents)
    : r(rules), m_names(rules.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive)
{
    QSet<QString> own; // documents that single types have
    for (const Type &type : rules.pack().types) {
        for (const QString &document : type.documents)
            own.insert(document);
    }
    for (const Type &type : rules.pack().types) {
        if (rules.typeRow(type.path) != &type)
            continue;
        const QString id = type.documents.value(u"resource"_s, u"resource"_s);
        const auto found = documents.find(id);
        const Template *resource = found == documents.end() ? nullptr : &found->second;
        TypeParts parts { .type = &type,
            .resource = resource,
            .wraps = wrapsOf(documents, type, id, own),
            .references = {},
            .children = {},
            .back = {},
            .notPlain = resource ? resource->ownProperties() : QStringList() };
        for (const ReferenceRule &rule : type.references) {
            const DottedPlace place = placeOf(rule.property);
            parts.notPlain += place.first().key;
            if (rules.applies(rule))
                parts.references += { &rule, place, pathIn(documents, rule.document) };
        }
        m_types.push_back(std::move(parts));
    }
    for (const Type &type : rules.pack().types)
        tellOthers(type);
}

/// What a type means for the documents of others: of the one above it, among whose properties it
/// may be, and of those that it refers to.
void TypeBook::tellOthers(const Type &type)
{
    const qsizetype cut = type.path.lastIndexOf(u'/');
    for (TypeParts &other : m_types) {
        if (cut > 0 && other.type->path.compare(QStringView(type.path).first(cut), m_names) == 0) {
            const QString segment = type.path.sliced(cut + 1);
            if (r.typeRow(type.path) == &type)
                other.children += segment;
            if (other.resource && other.resource->children() == other.resource->properties())
                other.notPlain += segment;
        }
        for (const ReferenceRule &rule : type.references) {
            if (!rule.back.isEmpty() && rule.types.contains(other.type->path, m_names))
                other.back += rule.back;
        }
    }
}

const TypeParts *TypeBook::find(const QString &typePath) const
{
    const auto found = std::ranges::find_if(m_types,
        [&](const TypeParts &parts) { return parts.type->path.compare(typePath, m_names) == 0; });
    return found == m_types.end() ? nullptr : &*found;
}

bool TypeBook::fits(const ReferenceRule &rule, const QString &typePath) const
{
    return r.applies(rule) && rule.types.contains(typePath, m_names);
}

QString TypeBook::plain(const QString &path) const
{
    const QString base = r.pack().wire.base;
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
QString TypeBook::problemOf(Value value, const TypeParts::Reference &reference, QString *path) const
{
    const Value text = reference.path ? valueAt(value, reference.path, m_names) : value;
    if (!text.is(Value::Kind::String))
        return u"malformedReference"_s;
    *path = plain(text.string());
    const QStringList parts = path->split(u'/');
    const bool isPath = parts.size() >= 3 && parts.size() % 2 == 1 && parts.first().isEmpty()
        && !parts.mid(1).contains(QString());
    if (!isPath)
        return u"malformedReference"_s;
    return fits(*reference.rule, typePathOf(*path)) ? QString() : u"wrongReference"_s;
}

References TypeBook::references(const TypeParts &type, Value properties) const
{
    References result;
    if (!properties.is(Value::Kind::Object))
        return result;
    for (const TypeParts::Reference &reference : type.references) {
        QList<Value> values;
        gather(properties, reference.place, 0, m_names, &values);
        for (const Value &value : std::as_const(values)) {
            QString path;
            const QString problem = problemOf(value, reference, &path);
            if (!problem.isEmpty() && result.problem.isEmpty()) {
                result.problem = problem;
                result.text = u"%1, which is to name one of %2"_s.arg(
                    reference.rule->property, reference.rule->types.join(u", "_s));
            } else if (!result.paths.contains(path)) {
                result.paths += path;
            }
        }
    }
    return result;
}

QJsonObject TypeBook::withReferences(
    const QString &typePath, QJsonObject properties, const QStringList &references) const
{
    const TypeParts *type = references.isEmpty() ? nullptr : find(typePath);
    if (!type)
        return properties;
    for (const QString &path : references) {
        const auto found =
            std::ranges::find_if(type->references, [&](const TypeParts::Reference &reference) {
                return fits(*reference.rule, typePathOf(path));
            });
        if (found == type->references.end())
            continue;
        properties =
            put(properties, found->place, 0, nested(found->path.value_or(QStringList()), path))
                .toObject();
    }
    return properties;
}

QString TypeBook::back(const QString &referrerType, const QString &referredType) const
{
    const TypeParts *type = find(referrerType);
    if (!type)
        return {};
    for (const TypeParts::Reference &reference : type->references) {
        if (!reference.rule->back.isEmpty() && fits(*reference.rule, referredType))
            return reference.rule->back;
    }
    return {};
}

} // namespace instar
