// SPDX-License-Identifier: Apache-2.0
#include "model/remote/reader.h"

#include "model/engine/world.h"
#include "model/remote/wirerules.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The members of an object, except for `without`.
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

bool isThere(Value value)
{
    return value && !value.is(Value::Kind::Null);
}

/// State of reading a resource from a document.
struct ResourceReading
{
    using How = ResourceReader::How;
    using Nulls = ResourceReader::Nulls;

    const ResourceReader &reader;
    const WireRules &book;
    const JsonText &document;
    const Value resource;
    const Template &as;
    const How &how;
    const bool isOwn; ///< `as` is the layout of the type's resources
    ResourceMessage *const message;
    QHash<QString, qint64> moments {}; ///< times given by members, and "now"; ms since 1970

    /// Keeps the first problem.
    void refuse(const QString &refusal, const QString &text)
    {
        if (!message->problem.isEmpty())
            return;
        message->problem = refusal;
        message->problemText = text;
    }

    bool holdsOthers(Value object, const QStringList &keys, Nulls nulls) const
    {
        for (const Member member : object.members()) {
            if ((nulls == Nulls::Kept || !member.value.is(Value::Kind::Null))
                && !isNamedOneOf(member.key, keys, book.names))
                return true;
        }
        return false;
    }

    void readProperties(const TypeParts *type)
    {
        const Value object = valueAt(resource, as.properties(), book.names);
        if (isThere(object) && !object.is(Value::Kind::Object)) {
            refuse(u"malformedBody"_s,
                u"the properties must be an object, not %1"_s.arg(object.kindName()));
            return;
        }
        QStringList without = type ? type->notPlain : QStringList();
        if (!type || !isOwn)
            without += as.ownProperties();
        const Nulls nulls = how.nulls;
        if (holdsOthers(object, without, nulls)) {
            const auto json =
                QByteArrayView(message->body)
                    .sliced(object.raw().data() - resource.raw().data(), object.raw().size());
            message->properties = Properties::readBy(
                [body = message->body, json, without, names = book.names, nulls] {
                    return plainMembers(
                        QByteArray::fromRawData(json.data(), json.size()), without, names, nulls);
                });
        }
        if (!type || !as.embedded().empty())
            return;
        References found = book.references(*type, object);
        message->references = std::move(found.paths);
        if (!found.problem.isEmpty())
            refuse(found.problem, found.text);
    }

    // ---- Single properties in members of their own

    /// The value of a time's limit: the present, another member, or else the stored time; nothing
    /// if there is none.
    std::optional<qint64> limit(const QString &member) const
    {
        if (const auto found = moments.constFind(member); found != moments.cend())
            return *found;
        for (const Template::Saying &saying : as.sayings()) {
            if (saying.place.last() == member)
                return how.clock.stored(saying, message->path);
        }
        return {};
    }

    /// Checks the times against their limits.
    void checkTimes()
    {
        for (const Template::Saying &saying : as.sayings()) {
            const QString &name = saying.place.last();
            const auto moment = moments.constFind(name);
            if (moment == moments.cend())
                continue;
            const auto of = [&](const QString &member) {
                return member.isEmpty() ? std::nullopt : limit(member);
            };
            const auto wrong = [&](const QString &what, const QString &other) {
                refuse(saying.refusal.isEmpty() ? u"wrongValue"_s : saying.refusal,
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

    /// Reads the members that hold single properties, of the resource and of its children.
    void readSayings()
    {
        for (const Template::Saying &saying : as.sayings()) {
            const QString &name = saying.place.last();
            const Value value = valueAt(resource, saying.place, book.names);
            const bool isTime = !saying.times.isEmpty();
            if (!isThere(value) && saying.isRequired)
                refuse(u"wrongValue"_s, u"%1 is missing"_s.arg(name));
            const bool takesAway = value && how.nulls == Nulls::Kept && saying.of.isEmpty();
            if (!isThere(value) && (isTime || !takesAway))
                continue;
            QJsonValue said = value.json();
            if (isTime) {
                const auto moment = momentOf(value.string(), saying.times, how.clock.now);
                if (!moment) {
                    refuse(u"wrongValue"_s,
                        u"%1 is not a time of the form %2"_s.arg(name, saying.times.first()));
                    continue;
                }
                // The present, to the precision of the times.
                moments.insert(u"now"_s, *momentOf(u"now"_s, saying.times, how.clock.now));
                moments.insert(name, *moment);
                said = *moment - how.clock.zero;
            }
            if (saying.of.isEmpty())
                message->properties.insert(saying.property, said);
            else
                message->others[message->path + u'/' + saying.of].insert(saying.property, said);
        }
        checkTimes();
    }

    // ---- Children

    /// Reads the lists of children, each in a document of its own.
    void readEmbedded()
    {
        for (const Template::Embedded &list : as.embedded()) {
            const Value value = valueAt(resource, list.place, book.names);
            if (!isThere(value))
                continue;
            if (!value.is(Value::Kind::Array)) {
                refuse(u"malformedBody"_s,
                    u"%1 must be a list, not %2"_s.arg(list.place.last(), value.kindName()));
                continue;
            }
            if (isOwn)
                message->collections += message->path + u'/' + list.type;
            for (const Value item : value.items())
                readItem(item, list);
        }
    }

    void readItem(Value item, const Template::Embedded &list)
    {
        How inner = how;
        const TypeParts *below = book.type(typePathOf(message->path) + u'/' + list.type);
        inner.as = book.find(list.document, below);
        if (!inner.as || !item.is(Value::Kind::Object)) {
            refuse(u"malformedBody"_s, u"%1 must contain objects"_s.arg(list.place.last()));
            return;
        }
        const QString name = reader.text(item, *inner.as, Hole::Name);
        const QString path = message->path + u'/' + list.type + u'/' + name;
        addChild(reader.read(document, item, path, inner));
        const TypeParts *type = book.type(typePathOf(message->path));
        if (type && isOwn && type->refersTo(typePathOf(path), book.names))
            message->references += path;
    }

    void addChild(ResourceMessage child)
    {
        if (!child.problem.isEmpty())
            refuse(child.problem, child.problemText);
        message->children += std::move(child);
    }

    void readChildren(const TypeParts &type)
    {
        const Value around = valueAt(resource, as.children(), book.names);
        for (const Member member : around.members()) {
            const auto child = std::ranges::find_if(type.children,
                [&](const QString &name) { return isNamed(member.key, name, book.names); });
            if (child != type.children.end() && !member.value.is(Value::Kind::Null))
                readCollection(member, message->path + u'/' + *child);
        }
    }

    void readCollection(const Member &member, const QString &collection)
    {
        const QString key = member.key.string();
        if (!member.value.is(Value::Kind::Array)) {
            refuse(u"malformedBody"_s,
                u"%1 must be a list, not %2"_s.arg(key, member.value.kindName()));
            return;
        }
        message->collections += collection;
        How inner = how;
        inner.as = book.resourceAt(collection);
        if (!inner.as)
            return;
        const auto text = [&](Value item, Hole hole) { return reader.text(item, *inner.as, hole); };
        for (const Value item : member.value.items()) {
            QString name = text(item, Hole::Name);
            if (name.isEmpty())
                name = text(item, Hole::Path).section(u'/', -1);
            if (name.isEmpty() || name.contains(u'/') || !item.is(Value::Kind::Object)) {
                refuse(u"malformedBody"_s, u"%1 contains an entry without a name"_s.arg(key));
                continue;
            }
            addChild(reader.read(document, item, collection + u'/' + name, inner));
        }
    }
};

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

    ResourceReading reading { *this, m_book, document, resource, *as, how, as == own, &message };
    reading.readProperties(type);
    reading.readSayings();
    reading.readEmbedded();
    if (type && !type->children.isEmpty())
        reading.readChildren(*type);
    return message;
}

} // namespace instar
