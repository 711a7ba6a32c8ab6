// SPDX-License-Identifier: Apache-2.0
#include "model/remote/reader.h"

#include "model/engine/world.h"
#include "model/remote/wirerules.h"

#include <QUuid>

namespace instar {

namespace {

struct ReadOptions
{
    /// Null properties are left out, or kept (in a merge patch, which removes such properties).
    enum class Nulls { LeftOut, Kept };
    Nulls nulls = Nulls::LeftOut;
    WireClock clock {};
    /// Layout of a request's document; null: the layout of resources.
    const DocumentLayout *layout = nullptr;
    const TypeParts *type = nullptr; ///< of the resource, if there is no path
};

/// True unless the member's key is among `without`, or its value is a null that `nulls` leaves out.
bool isStored(const Member &member, const QStringList &without, Qt::CaseSensitivity nameCase,
    ReadOptions::Nulls nulls)
{
    return (nulls == ReadOptions::Nulls::Kept || !member.value.is(Value::Kind::Null))
        && !isNamedOneOf(member.key, without, nameCase);
}

QJsonObject membersExcept(const QByteArray &json, const QStringList &without,
    Qt::CaseSensitivity nameCase, ReadOptions::Nulls nulls)
{
    const Result<JsonText> document = JsonText::parse(json, QString());
    QJsonObject object;
    for (const Member member : document->root().members()) {
        if (isStored(member, without, nameCase, nulls))
            object.insert(member.key.string(), member.value.json());
    }
    return object;
}

bool isPresent(Value value)
{
    return value && !value.is(Value::Kind::Null);
}

/// Collects all values at a path of keys. A list on the way is replaced by each of its items.
void collectAt(
    Value from, const QStringList &keyPath, Qt::CaseSensitivity nameCase, QList<Value> *found)
{
    if (from.is(Value::Kind::Array)) {
        for (const Value item : from.items())
            collectAt(item, keyPath, nameCase, found);
    } else if (!keyPath.isEmpty()) {
        collectAt(
            member(from, keyOf(keyPath.first()), nameCase), keyPath.sliced(1), nameCase, found);
    } else if (from && !from.is(Value::Kind::Null)) {
        *found += from;
    }
}

/// Path of a reference without its prefix on the wire: origin, base and version.
QString withoutBase(const Wire &wire, const QString &path)
{
    const QString base = wire.base;
    QString tail = path;
    if (const qsizetype host = tail.indexOf(u"://"); host > 0)
        tail = tail.mid(tail.indexOf(u'/', host + 3));
    const qsizetype hole = base.indexOf(u"{version}");
    const QString prefix = hole < 0 ? base : base.left(hole);
    if (prefix.size() < 2 || !tail.startsWith(prefix, Qt::CaseInsensitive))
        return tail;
    tail = tail.mid(prefix.size());
    if (hole < 0)
        return tail;
    const qsizetype end = tail.indexOf(u'/');
    return end < 0 ? path : tail.mid(end);
}

/// Resource name that the type's template ("{a},{b}") composes of `parts`; empty if one is missing.
QString nameOfParts(
    const WireRules &rules, const QString &typePath, const PathTemplate::HoleValues &parts)
{
    for (const RequestRow &one : rules.requests.all()) {
        const WireRequest &row = *one.row;
        if (row.ask != u"resource" || typePathOf(row.of).compare(typePath, rules.nameCase) != 0)
            continue;
        const PathTemplate name(row.of.section(u'/', -1));
        const bool isComplete = std::ranges::none_of(
            name.holes(), [&](const QString &hole) { return parts.value(hole).isEmpty(); });
        return isComplete ? name.filled(parts).sliced(1) : QString();
    }
    return {};
}

/// Text that a document has at a hole (placeholder) of its layout; a name may also be a number.
QString textIn(const WireRules &rules, Value resource, const DocumentLayout &layout, Hole hole)
{
    const Value value = valueAt(resource, layout.keyPath(hole), rules.nameCase);
    return hole == Hole::Name && value.is(Value::Kind::Number)
        ? QString::fromLatin1(value.raw().toByteArray())
        : value.string();
}

/// Resource name that a document gives; `parts` are the name parts that the request's path gives.
QString nameIn(const WireRules &rules, Value resource, const DocumentLayout &layout,
    const QString &typePath, PathTemplate::HoleValues parts = {})
{
    if (layout.nameParts.isEmpty() || typePath.isEmpty())
        return textIn(rules, resource, layout, Hole::Name);
    for (const auto &[hole, keyPath] : layout.nameParts.asKeyValueRange()) {
        if (const QString part = valueAt(resource, keyPath, rules.nameCase).string();
            !part.isEmpty())
            parts.insert(hole, part);
    }
    return nameOfParts(rules, typePath, parts);
}

/// The resource inside a document that only wraps it, else the root.
Value unwrapped(const WireRules &rules, Value root, const TypeParts *type)
{
    for (const QStringList &keys : type ? type->wraps : rules.wraps) {
        if (const Value inside = valueAt(root, keys, rules.nameCase);
            inside.is(Value::Kind::Object))
            return inside;
    }
    return root;
}

/// Reads the resource in a value of the document. `path` is the resource's; children derive theirs
/// from it. Children that a request's document does not name get paths that end in a slash.
ResourceMessage readResource(const WireRules &rules, const JsonText &document, Value resource,
    const QString &path, const ReadOptions &options);

struct ResourceReading
{
    using Nulls = ReadOptions::Nulls;

    const WireRules &rules;
    const JsonText &document;
    const Value resource;
    const DocumentLayout &layout;
    const ReadOptions &options;
    const bool isOwn; ///< `layout` is the layout of the type's resources
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

    bool isList(Value value, const QString &name)
    {
        if (!value.is(Value::Kind::Array))
            refuse(u"malformedBody"_s, u"%1 must be a list, not %2"_s.arg(name, value.kindName()));
        return value.is(Value::Kind::Array);
    }

    void readProperties(const TypeParts *type)
    {
        const Value object = valueAt(resource, layout.properties, rules.nameCase);
        if (isPresent(object) && !object.is(Value::Kind::Object))
            return refuse(u"malformedBody"_s,
                u"the properties must be an object, not %1"_s.arg(object.kindName()));
        QStringList without = type ? type->specialProperties : QStringList();
        if (!type || !isOwn)
            without += layout.ownProperties;
        const Nulls nulls = options.nulls;
        bool hasMembers = false;
        for (const Member member : object.members())
            hasMembers = hasMembers || isStored(member, without, rules.nameCase, nulls);
        if (hasMembers) {
            const auto json =
                QByteArrayView(message->body)
                    .sliced(object.raw().data() - resource.raw().data(), object.raw().size());
            message->properties = Properties::readBy(
                [body = message->body, json, without, nameCase = rules.nameCase, nulls] {
                    return membersExcept(QByteArray::fromRawData(json.data(), json.size()), without,
                        nameCase, nulls);
                });
        }
        if (!type || layout.hasLists())
            return;
        for (const TypeParts::Reference &reference : type->references) {
            QList<Value> values;
            collectAt(object, reference.keyPath, rules.nameCase, &values);
            for (const Value &value : std::as_const(values))
                readReference(value, reference);
        }
    }

    void readReference(Value value, const TypeParts::Reference &reference)
    {
        const Value text = reference.path ? valueAt(value, reference.path, rules.nameCase) : value;
        const QString path = withoutBase(rules.rows, text.string());
        const bool isPath = isResourcePath(path);
        const QStringList &types = reference.rule->types;
        if (!isPath || !types.contains(typePathOf(path), rules.nameCase))
            refuse(isPath ? u"wrongReference"_s : u"malformedReference"_s,
                u"%1, which must refer to one of %2"_s.arg(
                    reference.rule->property, types.join(u", "_s)));
        else if (!message->references.contains(path))
            message->references += path;
    }

    /// Time of a member, or of "now"; if the document lacks the member, the stored time, if any.
    std::optional<qint64> limit(const QString &member) const
    {
        if (member.isEmpty())
            return {};
        if (const auto found = moments.constFind(member); found != moments.cend())
            return *found;
        for (const DocumentLayout::Part &field : layout.fields()) {
            if (field.keyPath->last() == member)
                return options.clock.stored(field, message->path);
        }
        return {};
    }

    void checkTimes()
    {
        for (const DocumentLayout::Part &field : layout.fields()) {
            const QString &name = field.keyPath->last();
            const auto moment = moments.constFind(name);
            if (moment == moments.cend())
                continue;
            const auto refuseTime = [&](const QString &what, const QString &other) {
                refuse(field.refusal.isEmpty() ? u"wrongValue"_s : field.refusal,
                    what.arg(name, other));
            };
            const auto first = limit(field.notBefore), last = limit(field.notAfter),
                       before = limit(field.after);
            if (first && *moment < *first)
                refuseTime(u"%1 is before %2"_s, field.notBefore);
            else if (last && *moment > *last)
                refuseTime(u"%1 is after %2"_s, field.notAfter);
            else if (before && *moment <= *before)
                refuseTime(u"%1 is not after %2"_s, field.after);
        }
    }

    /// Reads the members that hold single properties, of the resource and of its children.
    void readFields()
    {
        for (const DocumentLayout::Part &field : layout.fields()) {
            const QString &name = field.keyPath->last();
            const Value value = valueAt(resource, field.keyPath, rules.nameCase);
            const bool isTime = !field.times.isEmpty();
            if (!isPresent(value) && field.isRequired)
                refuse(u"wrongValue"_s, u"%1 is missing"_s.arg(name));
            const bool removes = value && options.nulls == Nulls::Kept && field.of.isEmpty();
            if (!isPresent(value) && (isTime || !removes))
                continue;
            QJsonValue given = value.json();
            if (isTime) {
                const auto moment = momentOf(value.string(), field.times, options.clock.now);
                if (!moment) {
                    refuse(u"wrongValue"_s,
                        u"%1 is not a time of the form %2"_s.arg(name, field.times.first()));
                    continue;
                }
                // The present, to the precision of the times.
                moments.insert(u"now"_s, *momentOf(u"now"_s, field.times, options.clock.now));
                moments.insert(name, *moment);
                given = *moment - options.clock.epoch;
            }
            if (field.of.isEmpty())
                message->properties.insert(field.property, given);
            else
                message->others[message->path + u'/' + field.of].insert(field.property, given);
        }
        checkTimes();
    }

    void readEmbedded()
    {
        for (const DocumentLayout::Part &list : layout.lists()) {
            const Value value = valueAt(resource, list.keyPath, rules.nameCase);
            if (!isPresent(value) || !isList(value, list.keyPath->last()))
                continue;
            if (isOwn)
                message->collections += message->path + u'/' + list.of;
            for (const Value item : value.items())
                readItem(item, list);
        }
    }

    void readItem(Value item, const DocumentLayout::Part &list)
    {
        ReadOptions inner = options;
        const TypeParts *below = rules.type(typePathOf(message->path) + u'/' + list.of);
        inner.layout = rules.find(list.document, below);
        if (!inner.layout || !item.is(Value::Kind::Object))
            return refuse(
                u"malformedBody"_s, u"%1 must contain objects"_s.arg(list.keyPath->last()));
        const QString name = textIn(rules, item, *inner.layout, Hole::Name);
        const QString path = message->path + u'/' + list.of + u'/' + name;
        addChild(readResource(rules, document, item, path, inner));
        const TypeParts *type = rules.type(typePathOf(message->path));
        if (type && isOwn && type->referenceTo(typePathOf(path), rules.nameCase))
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
        const Value object = valueAt(resource, layout.children, rules.nameCase);
        for (const Member member : object.members()) {
            const auto child = std::ranges::find_if(type.children,
                [&](const QString &name) { return isNamed(member.key, name, rules.nameCase); });
            if (child != type.children.end() && !member.value.is(Value::Kind::Null))
                readCollection(member, message->path + u'/' + *child);
        }
    }

    void readCollection(const Member &member, const QString &collection)
    {
        const QString key = member.key.string();
        if (!isList(member.value, key))
            return;
        message->collections += collection;
        ReadOptions inner = options;
        inner.layout = rules.resourceAt(collection);
        if (!inner.layout)
            return;
        const auto text = [&](Value item, Hole hole) {
            return textIn(rules, item, *inner.layout, hole);
        };
        for (const Value item : member.value.items()) {
            QString name = text(item, Hole::Name);
            if (name.isEmpty())
                name = text(item, Hole::Path).section(u'/', -1);
            if (name.isEmpty() || name.contains(u'/') || !item.is(Value::Kind::Object)) {
                refuse(u"malformedBody"_s, u"%1 contains an entry without a name"_s.arg(key));
                continue;
            }
            addChild(readResource(rules, document, item, collection + u'/' + name, inner));
        }
    }
};

ResourceMessage readResource(const WireRules &rules, const JsonText &document, Value resource,
    const QString &path, const ReadOptions &options)
{
    ResourceMessage message;
    message.path = path;
    const TypeParts *type = path.isEmpty() ? options.type : rules.typeAt(path);
    const DocumentLayout *own = rules.find(u"resource"_s, type);
    const DocumentLayout *layout = options.layout ? options.layout : own;
    if (!layout)
        return message;
    const auto text = [&](Hole hole) { return textIn(rules, resource, *layout, hole); };
    if (message.path.isEmpty())
        message.path = withoutBase(rules.rows, text(Hole::Path));
    if (message.path.isEmpty() && layout->keyPath(Hole::Url))
        message.path = rules.requests.resourceAt(text(Hole::Url).toUtf8());
    if (path.isEmpty() && !message.path.isEmpty())
        type = rules.typeAt(message.path);
    message.name = nameIn(rules, resource, *layout, type ? type->type->path : QString());
    message.state = text(Hole::State);
    message.etag = text(Hole::Etag);
    const QByteArrayView raw = resource.raw();
    message.body = raw.size() == document.bytes().size() ? document.bytes() : raw.toByteArray();

    ResourceReading reading { rules, document, resource, *layout, options, layout == own,
        &message };
    reading.readProperties(type);
    reading.readFields();
    reading.readEmbedded();
    if (type && !type->children.isEmpty())
        reading.readChildren(*type);
    return message;
}

} // namespace

Rules::StateId stateShown(const Rules &rules, int machine, const QString &word)
{
    const auto fits = [&](int wordId) {
        return wordId != Rules::None && rules.word(wordId).compare(word, Qt::CaseInsensitive) == 0;
    };
    const std::vector<Rules::StateRule> &states = rules.states();
    const auto rank = [&](const Rules::StateRule &state) {
        // 0: the word names the state, 1: stable, 2: transitional, 3: does not fit
        return state.machine != machine || (!state.isStable() && !state.isTransitional()) ? 3
            : fits(state.word)                                                            ? 0
            : !fits(state.shown)                                                          ? 3
            : state.isStable()                                                            ? 1
                                                                                          : 2;
    };
    const auto best = std::ranges::min_element(states, {}, rank);
    return best == states.end() || rank(*best) == 3 ? Rules::None
                                                    : Rules::StateId(best - states.begin());
}

std::optional<qint64> WireClock::stored(
    const DocumentLayout::Part &field, const QString &path) const
{
    const Resource owner =
        !world ? NoResource : world->tree.find(field.of.isEmpty() ? path : path + u'/' + field.of);
    const QJsonValue value =
        owner == NoResource ? QJsonValue() : world->properties.value(owner).value(field.property);
    return value.isDouble() ? std::optional(epoch + value.toInteger()) : std::nullopt;
}

Result<ResourceMessage> WireRules::resource(
    const QByteArray &json, const QString &path, const QString &typePath) const
{
    const Result<JsonText> document = parsed(json, path);
    if (!document)
        return Error { document.error() };
    if (!document->root().is(Value::Kind::Object))
        return Error { u"%1: expected a resource, found %2"_s.arg(
            path, document->root().kindName()) };
    const ReadOptions options { .clock = { .epoch = m_epoch, .now = m_epoch },
        .type = type(typePath.isEmpty() ? typePathOf(path) : typePath) };
    return readResource(
        *this, *document, unwrapped(*this, document->root(), options.type), path, options);
}

Result<WireRules::Collection> WireRules::collection(
    const QByteArray &json, const QString &path) const
{
    const Result<JsonText> document = parsed(json, path);
    if (!document)
        return Error { document.error() };
    const WireClock clock { .epoch = m_epoch, .now = m_epoch };
    const ReadOptions options { .clock = clock, .type = typeAt(path) };
    const DocumentLayout *row = find(u"collection"_s, options.type);
    Collection result;
    Value list = document->root();
    if (row && !row->listKey.isEmpty()) {
        list = member(document->root(), row->listKey, nameCase);
        result.next = member(document->root(), row->textKey, nameCase).string();
        if (!list) // a document without the list is an error, not an empty list
            return Error { u"%1: expected a list in the member \"%2\", found none"_s.arg(
                path, row->listKey) };
    }
    if (list && !list.is(Value::Kind::Array))
        return Error { u"%1: expected a list of resources, found %2"_s.arg(path, list.kindName()) };
    for (const Value item : list.items()) {
        ResourceMessage resource = readResource(*this, *document, item, {}, options);
        if (!resource.name.isEmpty() && !resource.path.startsWith(path + u'/', nameCase))
            resource = readResource(*this, *document, item, path + u'/' + resource.name, options);
        if (resource.path.startsWith(u'/'))
            result.resources += resource;
    }
    return result;
}

namespace {

class BodyReader
{
public:
    BodyReader(const WireRules &rules, const MatchedRequest &matched, const WireClock &clock,
        Incoming *out)
        : m_rules(rules), m_matched(matched), m_clock(clock), m_out(out), m_request(out->request)
    { }

    void read(const QByteArray &bytes)
    {
        const Result<JsonText> body = parsed(bytes, u"body"_s);
        if (!body)
            return refuse(u"malformedBody"_s, body.error());
        const Value root = body->root();
        if (!root.is(Value::Kind::Object))
            return refuse(u"malformedBody"_s, u"expected an object, found "_s + root.kindName());
        const DocumentLayout *outer = m_rules.findAt(m_matched.row->body, m_matched.path);
        const DocumentLayout::Part *wrapped = outer ? outer->wrapped() : nullptr;
        const Value content = wrapped ? valueAt(root, wrapped->keyPath, m_rules.nameCase) : root;
        const DocumentLayout *document = m_rules.inside(outer, m_matched.path);
        if (m_matched.isCollection && document)
            takeName(content, *document);
        if (!m_out->refusal.isEmpty())
            return;
        readConditions(root);
        if (wrapped && !content.is(Value::Kind::Object))
            return refuse(
                u"malformedBody"_s, u"%1 must be an object"_s.arg(wrapped->keyPath->last()));
        using Nulls = ReadOptions::Nulls;
        m_request.stores = !m_rules.merges(m_request.op);
        const Nulls nulls = m_request.stores ? Nulls::LeftOut : Nulls::Kept;
        take(readResource(m_rules, *body, content, m_request.path,
                 { .nulls = nulls, .clock = m_clock, .layout = document }),
            document && document == m_rules.resourceAt(m_request.path));
    }

private:
    void refuse(const QString &refusal, const QString &text, bool isBadName = false)
    {
        if (!m_out->refusal.isEmpty())
            return;
        m_out->refusal = refusal;
        m_out->text = text;
        m_out->isBadName = isBadName;
    }

    /// Takes the name from the body, if any; parts of the name may come from the request's path.
    void takeName(Value inside, const DocumentLayout &document)
    {
        const QString &path = m_matched.path;
        if (&document == m_rules.resourceAt(path))
            inside = unwrapped(m_rules, inside, m_rules.typeAt(path));
        const QString name = nameIn(m_rules, inside, document, typePathOf(path), m_matched.part);
        if (name.isEmpty())
            return;
        if (const QString problem = nameProblem(name); !problem.isEmpty())
            return refuse(u"wrongName"_s, problem);
        m_request.path = path + u'/' + name;
        m_out->isNamedHere = false;
    }

    /// Answers the pack's open conditions: one holds if the body sets any of its members.
    void readConditions(Value root)
    {
        const QMap<QString, QStringList> &conditions = m_matched.row->conditions;
        for (auto it = conditions.cbegin(); it != conditions.cend(); ++it) {
            const bool holds = std::ranges::any_of(*it, [&](const QString &name) {
                return isSet(member(root, name, m_rules.nameCase).json());
            });
            m_request.conditions.insert(it.key(), holds);
        }
    }

    /// Takes the resource in the body into the request. `isOwnDocument`: the body has the layout of
    /// the resource's type, so the text can be stored as received.
    void take(ResourceMessage message, bool isOwnDocument)
    {
        const TypeParts *type = m_rules.typeAt(m_request.path);
        const QString name = m_request.path.section(u'/', -1);
        const bool isNamedByPack = type && !type->type->names.isEmpty();
        const bool hasOtherName =
            !message.name.isEmpty() && name.compare(message.name, m_rules.nameCase) != 0;
        if (message.problem.isEmpty() && hasOtherName && !isNamedByPack)
            refuse(u"wrongName"_s, message.name);
        if (!message.problem.isEmpty())
            refuse(message.problem, message.problemText);
        if (!m_out->refusal.isEmpty()) {
            m_request.stores = false;
            return;
        }
        m_request.body = m_request.stores && isOwnDocument ? message.body : QByteArray();
        m_request.properties = std::move(message.properties);
        m_request.references = std::move(message.references);
        distribute(type, &message);
        addContents(message);
        if (!m_out->refusal.isEmpty()) {
            m_request.contents.clear();
            m_request.replaces.clear();
        }
    }

    /// Moves parts of the body into nested requests, for operations required on descendants.
    void distribute(const TypeParts *type, ResourceMessage *message)
    {
        QList<ResourceMessage> own;
        for (ResourceMessage &child : message->children) {
            if (child.path.endsWith(u'/')) {
                child.path += freshId();
                m_out->hasUnnamed = true;
            }
            if (!m_rules.isRequired(m_request.op, m_request.path, child.path)) {
                own += child;
                continue;
            }
            m_request.requests.insert(child.path, { child.properties, child.references, {} });
            if (type && type->referenceTo(typePathOf(child.path), m_rules.nameCase))
                m_request.references += child.path;
        }
        message->children = own;
        for (auto it = message->others.cbegin(); it != message->others.cend(); ++it) {
            NestedRequest &enclosed = m_request.requests[it.key()];
            enclosed.properties = merged(enclosed.properties, it.value());
        }
    }

    /// Adds the resources that a document contains below its own, parents first.
    void addContents(const ResourceMessage &message)
    {
        m_request.replaces += message.collections;
        for (const ResourceMessage &child : message.children) {
            if (const QString problem = nameProblem(child.path.section(u'/', -1));
                !problem.isEmpty())
                refuse(u"wrongName"_s, problem, true);
            const qsizetype before = m_paths.size();
            m_paths.insert(m_rules.rules.pack().folded(child.path));
            if (m_paths.size() == before)
                refuse(u"malformedBody"_s, u"it contains %1 twice"_s.arg(child.path));
            if (!m_out->refusal.isEmpty())
                return;
            Request content;
            content.op = m_request.op;
            content.path = child.path;
            content.properties = child.properties;
            content.references = child.references;
            content.body = m_request.stores ? child.body : QByteArray();
            m_request.contents.push_back(std::move(content));
            addContents(child);
        }
    }

    const WireRules &m_rules;
    const MatchedRequest &m_matched;
    const WireClock &m_clock;
    Incoming *const m_out;
    Request &m_request;
    QSet<QString> m_paths; ///< paths of the contents
};

} // namespace

QString freshId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

Incoming readRequest(const WireRules &rules, const MatchedRequest &matched, const HttpRequest &http,
    const WireClock &clock)
{
    Incoming incoming;
    Request &request = incoming.request;
    request.op = matched.row->ask;
    request.path = matched.path;
    request.id = freshId();
    incoming.isNamedHere = matched.isCollection;
    if (matched.isCollection) { // the request's id fills parts of the name that the path lacks
        PathTemplate::HoleValues parts = matched.part;
        for (const QString &hole : matched.names.holes()) {
            if (!parts.contains(hole))
                parts.insert(hole, request.id);
        }
        const QString name = matched.names.size() == 0
            ? QString()
            : nameOfParts(rules, typePathOf(matched.path), parts);
        request.path += u'/' + (name.isEmpty() ? request.id : name);
    }
    request.ifMatch = QString::fromUtf8(header(http.headers, "If-Match"));
    request.ifNoneMatch = QString::fromUtf8(header(http.headers, "If-None-Match"));
    if (!matched.row->body.isEmpty())
        BodyReader(rules, matched, clock, &incoming).read(http.body);
    return incoming;
}

Result<JsonText> parsed(const QByteArray &json, const QString &name)
{
    return JsonText::parse(withoutByteOrderMark(json), name);
}

} // namespace instar
