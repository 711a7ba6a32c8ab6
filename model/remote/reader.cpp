// SPDX-License-Identifier: Apache-2.0
#include "model/remote/reader.h"

#include "model/engine/world.h"
#include "model/remote/wirerules.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The members of an object but for those that are left out.
QJsonObject plainMembers(const QByteArray &json, const QStringList &without,
    Qt::CaseSensitivity names, ResourceReader::Nulls nulls)
{
    const Result<JsonText> document = JsonText::parse(json, QString());
    QJsonObject object;
    for (const Member member : document->root().members()) {
        const bool counts =
            nulls == ResourceReader::Nulls::Kept || !member.value.is(Value::Kind::Null);
        if (counts && !isNamedOneOf(member.key, without, names))
            object.insert(member.key.string(), member.value.json());
    }
    return object;
}

/// The first thing that is wrong is told.
void refuse(ResourceMessage *message, const QString &refusal, const QString &text)
{
    if (!message->problem.isEmpty())
        return;
    message->problem = refusal;
    message->problemText = text;
}

bool isThere(Value value)
{
    return value && !value.is(Value::Kind::Null);
}

} // namespace

std::optional<qint64> WireClock::stored(const Template::Saying &saying, const QString &path) const
{
    const Resource whose = !world
        ? NoResource
        : world->tree.find(saying.of.isEmpty() ? path : path + u'/' + saying.of);
    const QJsonValue value =
        whose == NoResource ? QJsonValue() : world->properties.value(whose).value(saying.property);
    return value.isDouble() ? std::optional(zero + value.toInteger()) : std::nullopt;
}

/// A document as it is being read.
struct ResourceReader::Reading
{
    const JsonText &document;
    const Template &as;
    const How &how;
    bool isOwn; ///< it is the document of the type's resources
};

QString ResourceReader::text(Value resource, const Template &as, Hole hole) const
{
    const Value value = valueAt(resource, as.place(hole), m_book.names);
    return hole == Hole::Name && value.is(Value::Kind::Number)
        ? QString::fromLatin1(value.raw().toByteArray())
        : value.string();
}

PathTemplate::Filling ResourceReader::nameParts(Value resource, const Template &as) const
{
    PathTemplate::Filling parts;
    for (auto it = as.nameParts().cbegin(); it != as.nameParts().cend(); ++it) {
        const QString said = valueAt(resource, *it, m_book.names).string();
        if (!said.isEmpty())
            parts.insert(it.key(), said);
    }
    return parts;
}

Value ResourceReader::unwrapped(Value root, const TypeParts *type) const
{
    for (const QStringList &keys : type ? type->wraps : m_book.wraps) {
        if (const Value inside = valueAt(root, keys, m_book.names); inside.is(Value::Kind::Object))
            return inside;
    }
    return root;
}

ResourceMessage ResourceReader::read(
    const JsonText &document, Value resource, const QString &path, const How &how) const
{
    ResourceMessage message;
    message.path = path;
    const TypeParts *type = path.isEmpty() ? how.type : m_book.typeAt(path);
    const Template *own = m_book.resourceOf(type);
    const Template *as = how.as ? how.as : own;
    if (!as)
        return message;
    const auto text = [&](Hole hole) { return this->text(resource, *as, hole); };
    if (message.path.isEmpty())
        message.path = m_book.plain(text(Hole::Path));
    if (message.path.isEmpty() && as->place(Hole::Url))
        message.path = m_book.patterns.resourceAt(text(Hole::Url).toUtf8());
    if (path.isEmpty() && !message.path.isEmpty())
        type = m_book.typeAt(message.path);
    message.name = as->nameParts().isEmpty() || !type
        ? text(Hole::Name)
        : m_book.nameOfParts(type->type->path, nameParts(resource, *as));
    message.state = text(Hole::State);
    message.etag = text(Hole::Etag);
    const QByteArrayView raw = resource.raw();
    message.body = raw.size() == document.bytes().size() ? document.bytes() : raw.toByteArray();

    const Reading reading { document, *as, how, as == own };
    readProperties(reading, resource, type, &message);
    readSayings(reading, resource, &message);
    readEmbedded(reading, resource, &message);
    if (type && !type->children.isEmpty())
        readChildren(reading, valueAt(resource, as->children(), m_book.names), *type, &message);
    return message;
}

void ResourceReader::readProperties(
    const Reading &reading, Value resource, const TypeParts *type, ResourceMessage *message) const
{
    const Template &as = reading.as;
    const Value object = valueAt(resource, as.properties(), m_book.names);
    if (isThere(object) && !object.is(Value::Kind::Object)) {
        refuse(message, u"malformedBody"_s,
            u"the properties are to be an object, not %1"_s.arg(object.kindName()));
        return;
    }
    QStringList without = type ? type->notPlain : QStringList();
    if (!type || !reading.isOwn)
        without += as.ownProperties();
    const Nulls nulls = reading.how.nulls;
    if (holdsOthers(object, without, nulls)) {
        const auto json =
            QByteArrayView(message->body)
                .sliced(object.raw().data() - resource.raw().data(), object.raw().size());
        message->properties =
            Properties::readBy([body = message->body, json, without, names = m_book.names, nulls] {
                return plainMembers(
                    QByteArray::fromRawData(json.data(), json.size()), without, names, nulls);
            });
    }
    if (!type || !as.embedded().empty())
        return;
    References found = m_book.references(*type, object);
    message->references = std::move(found.paths);
    if (!found.problem.isEmpty())
        refuse(message, found.problem, found.text);
}

// ---- Single properties in members of their own

/// What a time may not lie before or after: the present, a member beside it, or, where that is not
/// said, what is stored. Nothing: there is none.
std::optional<qint64> ResourceReader::limit(const Reading &reading, const QString &member,
    const Moments &moments, const QString &path) const
{
    if (const auto found = moments.constFind(member); found != moments.cend())
        return *found;
    for (const Template::Saying &saying : reading.as.sayings()) {
        if (saying.place.last() == member)
            return reading.how.clock.stored(saying, path);
    }
    return {};
}

/// Whether the times that are said lie where they may.
void ResourceReader::checkTimes(
    const Reading &reading, const Moments &moments, ResourceMessage *message) const
{
    for (const Template::Saying &saying : reading.as.sayings()) {
        const QString &name = saying.place.last();
        const auto moment = moments.constFind(name);
        if (moment == moments.cend())
            continue;
        const auto of = [&](const QString &member) {
            return member.isEmpty() ? std::nullopt : limit(reading, member, moments, message->path);
        };
        const auto wrong = [&](const QString &what, const QString &other) {
            refuse(message, saying.refusal.isEmpty() ? u"wrongValue"_s : saying.refusal,
                what.arg(name, other));
        };
        const auto first = of(saying.notBefore), last = of(saying.notAfter),
                   before = of(saying.after);
        if (first && *moment < *first)
            wrong(u"%1 is before %2"_s, saying.notBefore);
        else if (last && *moment > *last)
            wrong(u"%1 is after %2"_s, saying.notAfter);
        else if (before && *moment <= *before)
            wrong(u"%1 is not after %2"_s, saying.after);
    }
}

/// What stands for single properties, its own and those of resources below.
void ResourceReader::readSayings(
    const Reading &reading, Value resource, ResourceMessage *message) const
{
    const WireClock &clock = reading.how.clock;
    Moments moments;
    for (const Template::Saying &saying : reading.as.sayings()) {
        const QString &name = saying.place.last();
        const Value value = valueAt(resource, saying.place, m_book.names);
        const bool isTime = !saying.times.isEmpty();
        if (!isThere(value) && saying.isRequired)
            refuse(message, u"wrongValue"_s, u"%1 is missing"_s.arg(name));
        const bool takesAway = value && reading.how.nulls == Nulls::Kept && saying.of.isEmpty();
        if (!isThere(value) && (isTime || !takesAway))
            continue;
        QJsonValue said = value.json();
        if (isTime) {
            const auto moment = momentOf(value.string(), saying.times, clock.now);
            if (!moment) {
                refuse(message, u"wrongValue"_s,
                    u"%1 is no time of the form %2"_s.arg(name, saying.times.first()));
                continue;
            }
            // The present, as exactly as times are said.
            moments.insert(u"now"_s, *momentOf(u"now"_s, saying.times, clock.now));
            moments.insert(name, *moment);
            said = *moment - clock.zero;
        }
        if (saying.of.isEmpty())
            message->properties.insert(saying.property, said);
        else
            message->others[message->path + u'/' + saying.of].insert(saying.property, said);
    }
    checkTimes(reading, moments, message);
}

// ---- What is below

/// Lists of what is below, each in a document of its own.
void ResourceReader::readEmbedded(
    const Reading &reading, Value resource, ResourceMessage *message) const
{
    for (const Template::Embedded &list : reading.as.embedded()) {
        const Value value = valueAt(resource, list.place, m_book.names);
        if (!isThere(value))
            continue;
        if (!value.is(Value::Kind::Array)) {
            refuse(message, u"malformedBody"_s,
                u"%1 is to be a list, not %2"_s.arg(list.place.last(), value.kindName()));
            continue;
        }
        if (reading.isOwn)
            message->collections += message->path + u'/' + list.type;
        for (const Value item : value.items())
            readItem(reading, item, list, message);
    }
}

void ResourceReader::readItem(const Reading &reading, Value item, const Template::Embedded &list,
    ResourceMessage *message) const
{
    How how = reading.how;
    const TypeParts *inside = m_book.type(typePathOf(message->path) + u'/' + list.type);
    how.as = m_book.find(list.document, inside);
    if (!how.as || !item.is(Value::Kind::Object)) {
        refuse(message, u"malformedBody"_s, u"%1 is to hold objects"_s.arg(list.place.last()));
        return;
    }
    const QString name = text(item, *how.as, Hole::Name);
    const QString path = message->path + u'/' + list.type + u'/' + name;
    addChild(read(reading.document, item, path, how), message);
    const TypeParts *type = m_book.type(typePathOf(message->path));
    if (type && reading.isOwn && type->refersTo(typePathOf(path), m_book.names))
        message->references += path;
}

void ResourceReader::addChild(ResourceMessage child, ResourceMessage *message)
{
    if (!child.problem.isEmpty())
        refuse(message, child.problem, child.problemText);
    message->children += std::move(child);
}

bool ResourceReader::holdsOthers(Value object, const QStringList &keys, Nulls nulls) const
{
    for (const Member member : object.members()) {
        if ((nulls == Nulls::Kept || !member.value.is(Value::Kind::Null))
            && !isNamedOneOf(member.key, keys, m_book.names))
            return true;
    }
    return false;
}

void ResourceReader::readChildren(
    const Reading &reading, Value around, const TypeParts &type, ResourceMessage *message) const
{
    for (const Member member : around.members()) {
        const auto child = std::ranges::find_if(type.children,
            [&](const QString &name) { return isNamed(member.key, name, m_book.names); });
        if (child != type.children.end() && !member.value.is(Value::Kind::Null))
            readCollection(reading, member, message->path + u'/' + *child, message);
    }
}

void ResourceReader::readCollection(const Reading &reading, const Member &member,
    const QString &collection, ResourceMessage *message) const
{
    const QString key = member.key.string();
    if (!member.value.is(Value::Kind::Array)) {
        refuse(message, u"malformedBody"_s,
            u"%1 is to be a list, not %2"_s.arg(key, member.value.kindName()));
        return;
    }
    message->collections += collection;
    How how = reading.how;
    how.as = m_book.resourceAt(collection);
    if (!how.as)
        return;
    const auto text = [&](Value item, Hole hole) { return this->text(item, *how.as, hole); };
    for (const Value item : member.value.items()) {
        QString name = text(item, Hole::Name);
        if (name.isEmpty())
            name = text(item, Hole::Path).section(u'/', -1);
        if (name.isEmpty() || name.contains(u'/') || !item.is(Value::Kind::Object)) {
            refuse(message, u"malformedBody"_s, u"%1 holds something that has no name"_s.arg(key));
            continue;
        }
        addChild(read(reading.document, item, collection + u'/' + name, how), message);
    }
}

} // namespace instar
