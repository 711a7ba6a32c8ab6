// SPDX-License-Identifier: Apache-2.0
#include "model/remote/reader.h"

#include "model/engine/world.h"
#include "model/remote/momenttext.h"
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

/// The string that stands where the document's rows have a hole.
QString ResourceReader::text(Value resource, Hole hole) const
{
    return valueAt(resource, m_book.resource->place(hole), m_book.names).string();
}

Value ResourceReader::unwrapped(Value root) const
{
    for (const Keys &keys : m_book.wraps) {
        if (const Value inside = valueAt(root, keys, m_book.names); inside.is(Value::Kind::Object))
            return inside;
    }
    return root;
}

ResourceMessage ResourceReader::read(
    const JsonText &document, Value resource, const QString &path, Nulls nulls) const
{
    return read(document, resource, path, nulls, m_book.resource, {});
}

ResourceMessage ResourceReader::read(const JsonText &document, Value resource, const QString &path,
    Nulls nulls, const Template *as, Times times) const
{
    ResourceMessage message;
    message.path = path;
    if (!as)
        return message;
    const auto text = [&](Hole hole) {
        return valueAt(resource, as->place(hole), m_book.names).string();
    };
    if (message.path.isEmpty())
        message.path = m_book.types.plain(text(Hole::Path));
    message.name = text(Hole::Name);
    message.state = text(Hole::State);
    message.etag = text(Hole::Etag);
    const QByteArrayView raw = resource.raw();
    message.body = raw.size() == document.bytes().size() ? document.bytes() : raw.toByteArray();

    const TypeParts *type = m_book.types.find(typePathOf(message.path));
    const Value object = valueAt(resource, as->properties(), m_book.names);
    if (object && !object.is(Value::Kind::Object) && !object.is(Value::Kind::Null)) {
        message.problem = u"malformedBody"_s;
        message.problemText =
            u"the properties are to be an object, not %1"_s.arg(object.kindName());
        return message;
    }
    Keys without = type ? type->notPlain : Keys();
    if (!type || as != m_book.resource)
        without += as->ownProperties();
    if (holdsOthers(object, without, nulls)) {
        const auto json = QByteArrayView(message.body)
                              .sliced(object.raw().data() - raw.data(), object.raw().size());
        message.properties =
            Properties::readBy([body = message.body, json, without, names = m_book.names, nulls] {
                return plainMembers(
                    QByteArray::fromRawData(json.data(), json.size()), without, names, nulls);
            });
    }
    readSayings(resource, *as, times, nulls, &message);
    if (!type)
        return message;
    if (as->embedded().empty() && message.problem.isEmpty()) {
        References found = m_book.types.references(*type, object);
        message.references = std::move(found.paths);
        message.problem = std::move(found.problem);
        message.problemText = std::move(found.text);
    }
    readEmbedded(document, resource, *as, times, nulls, &message);
    if (!type->children.isEmpty())
        readChildren(
            document, valueAt(resource, as->children(), m_book.names), *type, &message, nulls);
    return message;
}

/// What a time may not lie before or after: the present, a member beside it, or, where that is not
/// said, what is stored. Nothing: there is none.
std::optional<qint64> ResourceReader::limit(const QString &member, const Template &as, Times times,
    const QHash<QString, qint64> &said, const QString &path) const
{
    if (const auto found = said.constFind(member); found != said.cend())
        return *found;
    for (const Template::Saying &saying : as.sayings()) {
        if (!times.world || saying.place.last().text != member)
            continue;
        const Resource whose =
            times.world->tree.find(saying.of.isEmpty() ? path : path + u'/' + saying.of);
        const QJsonValue stored = whose == NoResource
            ? QJsonValue()
            : times.world->properties.value(whose).value(saying.property);
        if (stored.isDouble())
            return times.zero + stored.toInteger();
    }
    return {};
}

/// Whether the times that are said lie where they may.
void ResourceReader::checkTimes(const Template &as, Times times, const QHash<QString, qint64> &said,
    ResourceMessage *message) const
{
    for (const Template::Saying &saying : as.sayings()) {
        const QString &name = saying.place.last().text;
        const auto moment = said.constFind(name);
        if (moment == said.cend() || !message->problem.isEmpty())
            continue;
        const auto refuse = [&](const QString &what, const QString &other) {
            message->problem = saying.refusal.isEmpty() ? u"wrongValue"_s : saying.refusal;
            message->problemText = what.arg(name, other);
        };
        const auto of = [&](const QString &member) {
            return member.isEmpty() ? std::nullopt : limit(member, as, times, said, message->path);
        };
        const auto first = of(saying.notBefore), last = of(saying.notAfter),
                   before = of(saying.after);
        if (first && *moment < *first)
            refuse(u"%1 is before %2"_s, saying.notBefore);
        else if (last && *moment > *last)
            refuse(u"%1 is after %2"_s, saying.notAfter);
        else if (before && *moment <= *before)
            refuse(u"%1 is not after %2"_s, saying.after);
    }
}

/// What stands for single properties, its own and those of resources below.
void ResourceReader::readSayings(
    Value resource, const Template &as, Times times, Nulls nulls, ResourceMessage *message) const
{
    const auto refuse = [&](const QString &what) {
        if (!message->problem.isEmpty())
            return;
        message->problem = u"wrongValue"_s;
        message->problemText = what;
    };
    QHash<QString, qint64> moments;
    for (const Template::Saying &saying : as.sayings()) {
        const QString &name = saying.place.last().text;
        const Value value = valueAt(resource, saying.place, m_book.names);
        if (!value || value.is(Value::Kind::Null)) {
            if (saying.isRequired)
                refuse(u"%1 is missing"_s.arg(name));
            if (!value || nulls == Nulls::LeftOut || !saying.of.isEmpty()
                || !saying.times.isEmpty())
                continue;
        }
        QJsonValue said = value.json();
        if (!saying.times.isEmpty()) {
            const auto moment = momentOf(value.string(), saying.times, times.now);
            if (!moment) {
                refuse(u"%1 is no time of the form %2"_s.arg(name, saying.times.first()));
                continue;
            }
            // The present, as exactly as times are said.
            moments.insert(u"now"_s, *momentOf(u"now"_s, saying.times, times.now));
            moments.insert(name, *moment);
            said = *moment - times.zero;
        }
        if (saying.of.isEmpty())
            message->properties.insert(saying.property, said);
        else
            message->others[message->path + u'/' + saying.of].insert(saying.property, said);
    }
    checkTimes(as, times, moments, message);
}

/// Lists of what is below, each in a document of its own.
void ResourceReader::readEmbedded(const JsonText &document, Value resource, const Template &as,
    Times times, Nulls nulls, ResourceMessage *message) const
{
    for (const Template::Embedded &list : as.embedded()) {
        const Value value = valueAt(resource, list.place, m_book.names);
        if (!value || value.is(Value::Kind::Null))
            continue;
        const QString collection = message->path + u'/' + list.type;
        if (!value.is(Value::Kind::Array)) {
            message->problem = u"malformedBody"_s;
            message->problemText =
                u"%1 is to be a list, not %2"_s.arg(list.place.last().text, value.kindName());
            continue;
        }
        if (&as == m_book.resource)
            message->collections += collection;
        for (const Value item : value.items()) {
            const Template *inner = m_book.find(list.document);
            if (!inner || !item.is(Value::Kind::Object)) {
                message->problem = u"malformedBody"_s;
                message->problemText = u"%1 is to hold objects"_s.arg(list.place.last().text);
                continue;
            }
            const QString name = valueAt(item, inner->place(Hole::Name), m_book.names).string();
            message->children +=
                read(document, item, collection + u'/' + name, nulls, inner, times);
            const ResourceMessage &child = message->children.last();
            if (message->problem.isEmpty()) {
                message->problem = child.problem;
                message->problemText = child.problemText;
            }
            if (const TypeParts *type = m_book.types.find(typePathOf(message->path)); type
                && &as == m_book.resource
                && std::ranges::any_of(type->references, [&](const TypeParts::Reference &one) {
                       return one.rule->types.contains(typePathOf(child.path), m_book.names);
                   }))
                message->references += child.path;
        }
    }
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
