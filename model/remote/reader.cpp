// SPDX-License-Identifier: Apache-2.0
#include "model/remote/reader.h"

#include "model/remote/phrasebook.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The members of an object but for those that are left out.
QJsonObject plainMembers(const QByteArray &json, const Keys &without, Qt::CaseSensitivity names,
    ResourceReader::Nulls nulls)
{
    const Result<JsonText> document = JsonText::parse(json, QString());
    QJsonObject object;
    for (const Member member : document->root().members()) {
        const Spelling name(member.key);
        const bool counts =
            nulls == ResourceReader::Nulls::Kept || !member.value.is(Value::Kind::Null);
        if (counts && !name.isOneOf(without, names))
            object.insert(name.text(), member.value.json());
    }
    return object;
}

} // namespace

/// The string that stands where the document's rows have a hole; numbers name resources, too.
QString ResourceReader::text(Value resource, Hole hole) const
{
    const Value value = valueAt(resource, m_book.resource->place(hole), m_book.names);
    return hole == Hole::Name && value.is(Value::Kind::Number)
        ? QString::fromLatin1(value.raw().toByteArray())
        : value.string();
}

ResourceMessage ResourceReader::read(
    const JsonText &document, Value resource, const QString &path, Nulls nulls) const
{
    ResourceMessage message;
    message.path = path;
    if (!m_book.resource)
        return message;
    if (message.path.isEmpty())
        message.path = m_book.types.plain(text(resource, Hole::Path));
    message.name = text(resource, Hole::Name);
    message.state = text(resource, Hole::State);
    message.etag = text(resource, Hole::Etag);
    const QByteArrayView raw = resource.raw();
    message.body = raw.size() == document.bytes().size() ? document.bytes() : raw.toByteArray();

    const TypeParts *type = m_book.types.find(typePathOf(message.path));
    const Value object = valueAt(resource, m_book.resource->properties(), m_book.names);
    if (object && !object.is(Value::Kind::Object) && !object.is(Value::Kind::Null)) {
        message.problem = u"malformedBody"_s;
        message.problemText =
            u"the properties are to be an object, not %1"_s.arg(object.kindName());
        return message;
    }
    if (const Keys &without = type ? type->notPlain : m_book.resource->ownProperties();
        holdsOthers(object, without, nulls)) {
        const auto json = QByteArrayView(message.body)
                              .sliced(object.raw().data() - raw.data(), object.raw().size());
        message.properties =
            Properties::readBy([body = message.body, json, without, names = m_book.names, nulls] {
                return plainMembers(
                    QByteArray::fromRawData(json.data(), json.size()), without, names, nulls);
            });
    }
    if (!type)
        return message;
    References found = m_book.types.references(*type, object);
    message.references = std::move(found.paths);
    message.problem = std::move(found.problem);
    message.problemText = std::move(found.text);
    if (!type->children.isEmpty())
        readChildren(document, valueAt(resource, m_book.resource->children(), m_book.names), *type,
            &message, nulls);
    return message;
}

bool ResourceReader::holdsOthers(Value object, const Keys &keys, Nulls nulls) const
{
    for (const Member member : object.members()) {
        if ((nulls == Nulls::Kept || !member.value.is(Value::Kind::Null))
            && !Spelling(member.key).isOneOf(keys, m_book.names))
            return true;
    }
    return false;
}

void ResourceReader::readChildren(const JsonText &document, Value around, const TypeParts &type,
    ResourceMessage *message, Nulls nulls) const
{
    for (const Member member : around.members()) {
        const Spelling name(member.key);
        const auto child = std::ranges::find_if(type.children,
            [&](const TypeParts::Child &row) { return name.is(row.segment, m_book.names); });
        if (child != type.children.end() && !member.value.is(Value::Kind::Null))
            readCollection(document, member.key, member.value,
                message->path + u'/' + child->segment.text, message, nulls);
    }
}

void ResourceReader::readCollection(const JsonText &document, Value key, Value list,
    const QString &collection, ResourceMessage *message, Nulls nulls) const
{
    if (!list.is(Value::Kind::Array)) {
        message->problem = u"malformedBody"_s;
        message->problemText = u"%1 is to be a list, not %2"_s.arg(key.string(), list.kindName());
        return;
    }
    message->collections += collection;
    for (const Value item : list.items()) {
        QString name = text(item, Hole::Name);
        if (name.isEmpty())
            name = text(item, Hole::Path).section(u'/', -1);
        if (name.isEmpty() || name.contains(u'/') || !item.is(Value::Kind::Object)) {
            message->problem = u"malformedBody"_s;
            message->problemText = u"%1 holds something that has no name"_s.arg(key.string());
            continue;
        }
        message->children += read(document, item, collection + u'/' + name, nulls);
        if (message->problem.isEmpty()) {
            message->problem = message->children.last().problem;
            message->problemText = message->children.last().problemText;
        }
    }
}

} // namespace instar
