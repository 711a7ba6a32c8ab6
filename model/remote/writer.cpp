// SPDX-License-Identifier: Apache-2.0
#include "model/remote/writer.h"

#include "model/engine/scenario.h"
#include "model/json/output.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QUuid>

#include <algorithm>

namespace instar {

namespace {

constexpr int DeepestDocument = 16; ///< limit of nesting, for documents that contain themselves

/// Adds references to the properties, as the reference rules say; leaves out those without a rule.
QJsonObject withReferences(const WireRules &rules, const QString &typePath, QJsonObject properties,
    const QStringList &references)
{
    const TypeParts *type = references.isEmpty() ? nullptr : rules.type(typePath);
    if (!type)
        return properties;
    for (const QString &path : references) {
        const auto *found = type->referenceTo(typePathOf(path), rules.nameCase);
        if (!found)
            continue;
        const QJsonValue value = withValueAt({}, found->path.value_or(QStringList()), path);
        properties = withValueAt(properties, found->keyPath, value).toObject();
    }
    return properties;
}

/// Values of the holes (placeholders) in a resource's path template; empty if there is no template.
PathTemplate::HoleValues partsOfName(const WireRules &rules, const QString &path)
{
    const RequestRow *row = rules.requests.find(u"resource"_s, path);
    return row ? *row->holeValues(path) : PathTemplate::HoleValues();
}

/// The property of a resource that lists its referrers of a type.
QString backReference(
    const WireRules &rules, const QString &referrerType, const QString &referredType)
{
    const TypeParts *type = rules.type(referrerType);
    if (!type)
        return {};
    for (const TypeParts::Reference &reference : type->references) {
        if (!reference.rule->back.isEmpty()
            && reference.rule->types.contains(referredType, rules.nameCase))
            return reference.rule->back;
    }
    return {};
}

/// Puts `inside` into the wrapper objects of a document; returns `inside` if there are none.
QByteArray wrappedBody(const DocumentLayout *document, QByteArray inside)
{
    const DocumentLayout::Part *wrapped = document ? document->wrapped() : nullptr;
    if (!wrapped)
        return inside;
    for (const QString &key : *wrapped->keyPath | std::views::reverse)
        inside = "{" + jsonString(key) + ":" + inside + "}";
    return inside;
}

/// Writer of one answer: fills the holes of its headers and documents.
class WireWriter
{
public:
    WireWriter(const WireRules &rules, const WireValues &values)
        : m_rules(rules), m_engineRules(rules.rules), m_values(values)
    {
        m_focus = values.world && values.resource != NoResource
                && values.world->tree.exists(values.resource)
            ? focusOn(values.resource)
            : Focus { .path = values.path };
    }

    std::optional<QByteArray> text(const HoleText &withHoles) const
    {
        QByteArray text = withHoles.literals.first();
        for (qsizetype i = 0; i < withHoles.holes.size(); ++i) {
            const QString filled = value(withHoles.holes[i], withHoles.names[i], m_focus);
            if (filled.isEmpty())
                return {};
            text += filled.toUtf8() + withHoles.literals[i + 1];
        }
        return text;
    }

    void addHeaders(const WireRules::Headers &rows, HttpHeaders *headers) const
    {
        for (const auto &[name, withHoles] : rows) {
            if (const auto text = this->text(withHoles))
                headers->append(name, *text);
        }
    }

    QByteArray document(const DocumentLayout &document)
    {
        write(document, m_focus);
        return std::move(m_out);
    }

private:
    struct Focus
    {
        Resource resource = NoResource; ///< none: there is only the path
        QString path {};
    };
    Focus focusOn(Resource resource) const
    {
        return { resource, m_values.world->tree.path(resource) };
    }

    /// A property's value as text; empty if it has none.
    QString property(const QString &name, const Focus &focus) const
    {
        if (focus.resource == NoResource)
            return {};
        const QJsonValue value = m_values.world->properties.value(focus.resource).value(name);
        return value.isString()                     ? value.toString()
            : value.isUndefined() || value.isNull() ? QString()
                                                    : QString::fromUtf8(jsonOf(value));
    }

    /// Text that fills a hole; empty if unknown. `name` is the hole's argument; empty: none.
    QString value(Hole hole, const QString &name, const Focus &focus) const
    {
        const Operation *operation = m_values.operation;
        switch (hole) {
        case Hole::Id:
            return operation ? operation->id : QString();
        case Hole::Op:
            return operation ? operation->op : m_values.op;
        case Hole::Status:
            return !operation                          ? QString()
                : operation->status == Status::Waiting ? statusName(Status::InProgress)
                                                       : statusName(operation->status);
        case Hole::OtherId:
            return operation ? operation->canceledBy : QString();
        case Hole::OtherOp: {
            const Operation *other = operation && m_values.operations
                ? m_values.operations->find(operation->canceledBy)
                : nullptr;
            return other ? other->op : QString();
        }
        case Hole::OperationUrl:
            return url(u"operation"_s);
        case Hole::ResultUrl:
            return url(u"result"_s);
        case Hole::ErrorCode:
            return m_values.code;
        case Hole::ErrorMessage:
            return m_values.message;
        case Hole::RequestId:
            return m_values.requestId;
        case Hole::Date:
            return QString::fromLatin1(httpDate());
        case Hole::Version:
            return m_values.version;
        case Hole::LastVersion:
            return m_rules.rows.versions.value(m_rules.rows.versions.size() - 1);
        case Hole::RetryAfter:
            return m_values.retryAfter < 0 ? QString() : QString::number(m_values.retryAfter);
        case Hole::Http:
            return m_values.http ? QString::number(m_values.http) : QString();
        case Hole::Origin:
            return QString::fromUtf8(m_values.origin);
        case Hole::FreshId:
            return freshId();
        case Hole::Path:
            return focus.path;
        case Hole::Name:
            return name.isEmpty() ? focus.path.section(u'/', -1)
                                  : partsOfName(m_rules, focus.path).value(name);
        case Hole::Type:
            return typePathOf(focus.path);
        case Hole::State:
            return focus.resource == NoResource
                ? QString()
                : m_engineRules.shown(m_values.world->tree.code(focus.resource));
        case Hole::Etag:
            return focus.resource == NoResource ? QString() : etag(*m_values.world, focus.resource);
        case Hole::Url: {
            const RequestRow *row = m_rules.requests.find(u"resource"_s, focus.path);
            return row
                ? QString::fromUtf8(row->target(focus.path, m_values.version)).section(u'?', 0, 0)
                : QString();
        }
        case Hole::Guid: // the same for the same path
            return QUuid::createUuidV5({}, focus.path.toCaseFolded())
                .toString(QUuid::WithoutBraces);
        case Hole::Property:
            return property(name, focus);
        case Hole::Header:
            return m_values.requestHeaders
                ? QString::fromUtf8(header(*m_values.requestHeaders, name.toUtf8()))
                : QString();
        case Hole::Unknown:
            break;
        }
        return {};
    }

    /// URL at which the operation or its result is read; empty if there is none.
    QString url(const QString &ask) const
    {
        const Operation *operation = m_values.operation;
        const RequestRow *row = operation ? m_rules.requests.find(ask, operation->id) : nullptr;
        return row
            ? QString::fromUtf8(m_values.origin + row->target(operation->id, m_values.version))
            : QString();
    }

    void comma()
    {
        if (!m_out.isEmpty() && !m_out.endsWith('{') && !m_out.endsWith('['))
            m_out += ',';
    }

    void write(const DocumentLayout &document, const Focus &focus)
    {
        const Result<JsonText> stored = JsonText::parse(storedBody(document, focus), QString());
        writeParts(document.parts, stored ? stored->root() : Value(), focus);
    }

    /// Body that a client stored, or one built from the resource's initial properties.
    QByteArray storedBody(const DocumentLayout &document, const Focus &focus) const
    {
        if (focus.resource == NoResource)
            return {};
        const World &world = *m_values.world;
        if (const auto body = world.bodies.constFind(focus.resource);
            body != world.bodies.constEnd())
            return *body;
        if (!document.properties)
            return {};
        const QJsonValue value = withReferences(m_rules, typePathOf(focus.path),
            world.properties.value(focus.resource), world.references.value(focus.resource));
        return jsonOf(withValueAt({}, *document.properties, value));
    }

    /// Writes a property's value; if it has none, writes the layout's `otherwise` parts.
    void writeProperty(const DocumentLayout::Part &part, const Focus &focus)
    {
        const Resource owner = !m_values.world || focus.resource == NoResource || part.of.isEmpty()
            ? focus.resource
            : m_values.world->tree.find(focus.path + u'/' + part.of);
        const QJsonValue value = owner == NoResource
            ? QJsonValue()
            : m_values.world->properties.value(owner).value(part.property);
        if (value.isNull() || value.isUndefined())
            return writeParts(part.otherwise, Value(), focus);
        m_out += !part.times.isEmpty() && value.isDouble()
            ? jsonString(momentText(m_values.epoch + value.toInteger(), part.times))
            : jsonOf(value);
    }

    void writeItems(const DocumentLayout &document, const QList<Resource> &resources)
    {
        for (const Resource resource : resources) {
            comma();
            write(document, focusOn(resource));
        }
    }

    QMap<int, QList<Resource>> visibleChildren(const Focus &focus) const
    {
        QMap<int, QList<Resource>> shown;
        if (focus.resource == NoResource)
            return shown;
        const Tree &tree = m_values.world->tree;
        for (const Resource below : tree.children(focus.resource)) {
            if (m_engineRules.isShown(tree.code(below)))
                shown[tree.type(below)] += below;
        }
        return shown;
    }

    const DocumentLayout *find(const QString &document, int type) const
    {
        return m_rules.find(document, m_rules.type(m_values.world->tree.typePath(type)));
    }

    /// Writes another document inside this one: of the same resource, or of its children of a type.
    void writeDocument(const DocumentLayout::Part &part, const Focus &focus)
    {
        const bool isTooDeep = ++m_depth > DeepestDocument;
        if (part.of.isEmpty()) {
            const DocumentLayout *document = m_rules.findAt(part.document, focus.path);
            if (document && !isTooDeep)
                write(*document, focus);
            else
                m_out += "null";
        } else if (!isTooDeep && focus.resource != NoResource) {
            const Tree &tree = m_values.world->tree;
            const int type = tree.childType(tree.type(focus.resource), part.of);
            const DocumentLayout *document = type < 0 ? nullptr : find(part.document, type);
            if (document)
                writeItems(*document, visibleChildren(focus).value(type));
        }
        --m_depth;
    }

    void writeParts(
        const std::vector<DocumentLayout::Part> &parts, Value stored, const Focus &focus)
    {
        for (const DocumentLayout::Part &part : parts)
            write(part, stored, focus);
    }

    void write(const DocumentLayout::Part &part, Value stored, const Focus &focus)
    {
        using Kind = DocumentLayout::Part::Kind;
        switch (part.kind) {
        case Kind::Text:
            m_out += part.text;
            return;
        case Kind::Hole:
            return appendJsonText(&m_out, value(part.hole, part.argument, focus).toUtf8());
        case Kind::Comma:
            return comma();
        case Kind::Stored:
            return writeStored(part, stored, focus);
        case Kind::Children:
            return writeChildren(part.document, focus);
        case Kind::Referrers:
            return writeReferrers(part.document, focus);
        case Kind::Resources:
            return writeResources();
        case Kind::Versions:
            for (const QString &version : m_rules.rows.versions) {
                comma();
                m_out += jsonString(version);
            }
            return;
        case Kind::Details:
            return writeDetails();
        case Kind::Bare: {
            const QString number = value(part.hole, part.argument, focus);
            m_out += number.isEmpty() ? QByteArray("null") : number.toUtf8();
            return;
        }
        case Kind::Property:
            return writeProperty(part, focus);
        case Kind::Document:
            return writeDocument(part, focus);
        }
    }

    /// Writes a value without null members, at any depth: clients read them as not set.
    void writeSet(Value value)
    {
        const bool isList = value.is(Value::Kind::Array);
        if (!value.raw().contains("null") || (!isList && !value.is(Value::Kind::Object))) {
            m_out += value.raw();
            return;
        }
        m_out += isList ? '[' : '{';
        for (const Value item : value.items()) {
            comma();
            writeSet(item);
        }
        for (const Member member : value.members()) {
            if (member.value.is(Value::Kind::Null))
                continue;
            comma();
            m_out += member.key.raw();
            m_out += ':';
            writeSet(member.value);
        }
        m_out += isList ? ']' : '}';
    }

    /// Writes the members that the client set in this object, except those that it may not set.
    void writeStored(const DocumentLayout::Part &part, Value stored, const Focus &focus)
    {
        const Value object = stored ? valueAt(stored, part.keyPath, m_rules.nameCase) : Value();
        if (!object)
            return;
        const Tree &tree = m_values.world->tree;
        const int type =
            part.holdsChildren && focus.resource != NoResource ? tree.type(focus.resource) : -1;
        const TypeParts *parts = type < 0 ? nullptr : m_rules.type(tree.typePath(type));
        for (const Member entry : object.members()) {
            const bool isOwn = isNamedOneOf(entry.key, part.ownKeys, m_rules.nameCase);
            const bool isReferrers =
                parts && isNamedOneOf(entry.key, parts->back, m_rules.nameCase);
            const bool isChildren = type >= 0 && tree.childType(type, entry.key.string()) >= 0;
            if (entry.value.is(Value::Kind::Null) || isOwn || isReferrers || isChildren)
                continue;
            comma();
            m_out += entry.key.raw();
            m_out += ':';
            writeSet(entry.value);
        }
    }

    void writeChildren(const QString &document, const Focus &focus)
    {
        const QMap<int, QList<Resource>> shown = visibleChildren(focus);
        for (auto it = shown.cbegin(); it != shown.cend(); ++it) {
            const DocumentLayout *child = find(document, it.key());
            if (!child)
                continue;
            comma();
            const QString type = m_values.world->tree.typePath(it.key());
            m_out += jsonString(type.section(u'/', -1)) + ":[";
            writeItems(*child, *it);
            m_out += ']';
        }
    }

    void writeReferrers(const QString &document, const Focus &focus)
    {
        const World &world = *m_values.world;
        if (focus.resource == NoResource || world.referrers.isEmpty())
            return;
        const QString type = world.tree.typePath(world.tree.type(focus.resource));
        QMap<QString, QStringList> lists;
        for (const Resource referrer : world.referrers.value(pathKey(world, focus.path))) {
            const QString back =
                backReference(m_rules, world.tree.typePath(world.tree.type(referrer)), type);
            if (!back.isEmpty())
                lists[back] += world.tree.path(referrer);
        }
        const DocumentLayout *reference = lists.isEmpty() ? nullptr : m_rules.find(document);
        for (auto it = lists.cbegin(); reference && it != lists.cend(); ++it) {
            comma();
            m_out += jsonString(it.key()) + ":[";
            for (const QString &path : *it) {
                comma();
                write(*reference, Focus { .path = path });
            }
            m_out += ']';
        }
    }

    void writeResources()
    {
        const World &world = *m_values.world;
        const DocumentLayout *document = m_rules.resourceAt(m_values.path);
        const auto isInPart = [&](Resource resource) {
            if (!m_values.names || m_values.names->size() == 0)
                return true;
            const auto filling = m_values.names->match(world.tree.path(resource), m_rules.nameCase);
            return filling && std::ranges::all_of(m_values.part->keys(), [&](const QString &hole) {
                return filling->value(hole).compare(m_values.part->value(hole), m_rules.nameCase)
                    == 0;
            });
        };
        QList<Resource> all = world.tree.collection(m_values.path).value_or(QList<Resource>());
        all.removeIf([&](Resource resource) {
            return !m_engineRules.isShown(world.tree.code(resource)) || !isInPart(resource);
        });
        if (document)
            writeItems(*document, all);
    }

    void writeDetails()
    {
        for (qsizetype i = 0; i + 1 < m_values.details.size(); i += 2) {
            comma();
            m_out += "{\"code\":" + jsonString(m_values.details[i])
                + ",\"message\":" + jsonString(m_values.details[i + 1]) + '}';
        }
    }

    const WireRules &m_rules;
    const Rules &m_engineRules;
    const WireValues &m_values;
    Focus m_focus;    ///< subject of the answer
    QByteArray m_out; ///< the document so far
    int m_depth = 0;  ///< of nested documents
};

/// Writer of a request's body; tracks the parts of the request that the body lacks so far.
class BodyWriter
{
public:
    BodyWriter(const WireRules &rules, const Request &request, const WireClock &clock)
        : m_rules(rules), m_request(request), m_clock(clock), m_unplaced(request.requests)
    { }

    Result<QByteArray> written(const WireRequest &row)
    {
        const DocumentLayout *document = m_rules.bodyOf(row, m_request.path);
        if (!document)
            return m_request.body;
        if (!m_request.body.isEmpty())
            return withConditions(row, *document);
        m_unplaced.insert(m_request.path, { m_request.properties, m_request.references, {} });
        QJsonObject root = object(*document, m_request.path);
        m_unplaced.remove(m_request.path);
        if (!m_unplaced.isEmpty())
            refuse(u"\"requests\" describes %1, which a body of %2 cannot express"_s.arg(
                m_unplaced.firstKey(), row.ask));
        setConditions(row, *document, &root);
        if (!m_problem.isEmpty())
            return Error { m_problem };
        return jsonOf(root);
    }

private:
    /// The given body byte for byte, plus the members that make the request's conditions true.
    Result<QByteArray> withConditions(const WireRequest &row, const DocumentLayout &document)
    {
        QByteArray body = m_request.body;
        const QJsonObject before = QJsonDocument::fromJson(body).object();
        QJsonObject root = before;
        setConditions(row, document, &root);
        if (!m_problem.isEmpty())
            return Error { m_problem };
        for (auto it = root.constBegin(); it != root.constEnd(); ++it) {
            if (before.contains(it.key()))
                continue;
            const qsizetype end = body.lastIndexOf('}');
            const bool isFirst = body.first(end).trimmed() == "{";
            body.insert(end, (isFirst ? "" : ",") + jsonOf(it.key()) + ':' + jsonOf(it.value()));
        }
        return body;
    }

    void refuse(const QString &problem)
    {
        if (m_problem.isEmpty())
            m_problem = problem;
    }

    QJsonObject object(const DocumentLayout &document, const QString &path)
    {
        const NestedRequest contents = m_unplaced.take(path);
        QJsonObject properties = !document.hasLists()
            ? withReferences(m_rules, typePathOf(path), contents.properties, contents.references)
            : contents.properties;
        QJsonObject root;
        for (const DocumentLayout::Part &field : document.fields())
            writeField(field, path, &properties, &root);
        for (const DocumentLayout::Part &list : document.lists())
            embed(list, path, contents.references, &root);
        const QStringList keyPath = document.properties.value_or(QStringList());
        if (keyPath.isEmpty()) {
            for (auto it = properties.begin(); it != properties.end(); ++it)
                root.insert(it.key(), it.value());
        } else {
            root = withValueAt(root, keyPath, properties).toObject();
        }
        for (const auto &[hole, part] : document.nameParts.asKeyValueRange())
            root = withValueAt(root, part, partsOfName(m_rules, path).value(hole)).toObject();
        const KeyPath &name = document.keyPath(Hole::Name);
        if (name && !name->isEmpty() && !(path == m_request.path && hasGeneratedName(m_request)))
            root = withValueAt(root, *name, path.section(u'/', -1)).toObject();
        return root;
    }

    /// Writes a property as the member `field`; if it has no value, writes the replacement text.
    void writeField(const DocumentLayout::Part &field, const QString &path, QJsonObject *properties,
        QJsonObject *root)
    {
        const auto other =
            field.of.isEmpty() ? m_unplaced.end() : m_unplaced.find(path + u'/' + field.of);
        if (!field.of.isEmpty() && other == m_unplaced.end())
            return;
        QJsonObject &from = field.of.isEmpty() ? *properties : other->properties;
        const bool isGiven = from.contains(field.property);
        if (!isGiven && field.otherwiseText.isEmpty())
            return;
        const QJsonValue value = isGiven ? formatted(field, from.take(field.property))
                                         : QJsonValue(filled(field.otherwiseText, path));
        *root = withValueAt(*root, *field.keyPath, value).toObject();
        const bool isPlaced = isGiven && other != m_unplaced.end() && other->properties.isEmpty();
        if (isPlaced && other->references.isEmpty())
            m_unplaced.erase(other);
    }

    QString filled(const QString &text, const QString &path) const
    {
        WireValues about;
        about.path = path;
        if (path == m_request.path && hasGeneratedName(m_request)) // named by the request's id
            about.path = path.section(u'/', 0, -2) + u'/' + m_request.id;
        return QString::fromUtf8(
            WireWriter(m_rules, about).text(HoleText::of(text)).value_or(QByteArray()));
    }

    QJsonValue formatted(const DocumentLayout::Part &field, const QJsonValue &value)
    {
        if (field.times.isEmpty() || !value.isDouble())
            return value;
        const qint64 moment = m_clock.epoch + value.toInteger();
        const QString text = momentText(moment, field.times);
        if (momentOf(text, field.times, m_clock.now) != moment)
            refuse(u"%1 has the format %2, which cannot express %3 ms"_s.arg(
                field.keyPath->last(), field.times.last(), QString::number(value.toInteger())));
        return text;
    }

    void embed(const DocumentLayout::Part &list, const QString &path, const QStringList &references,
        QJsonObject *root)
    {
        const QString collection = path + u'/' + list.of + u'/';
        const DocumentLayout *document = m_rules.findAt(list.document, path + u'/' + list.of);
        const auto isInside = [&](const QString &child) {
            return child.startsWith(collection, m_rules.nameCase)
                && child.indexOf(u'/', collection.size()) < 0;
        };
        QStringList children;
        for (const QString &child : references + m_unplaced.keys()) {
            if (document && isInside(child) && !children.contains(child, m_rules.nameCase))
                children += child;
        }
        const auto items = mapped<QJsonArray>(
            children, [&](const QString &child) { return object(*document, child); });
        if (!items.isEmpty())
            *root = withValueAt(*root, *list.keyPath, items).toObject();
    }

    void setConditions(const WireRequest &row, const DocumentLayout &document, QJsonObject *root)
    {
        for (auto it = m_request.conditions.cbegin(); it != m_request.conditions.cend(); ++it) {
            const QStringList members = row.conditions.value(it.key());
            const auto holds = [&] {
                return std::ranges::any_of(
                    members, [&](const QString &name) { return isSet(root->value(name)); });
            };
            if (members.isEmpty())
                refuse(u"\"conditions\" sets a condition that only the server can decide"_s);
            else if (it.value() && !holds())
                makeTrue(members, document, root);
            if (!members.isEmpty() && holds() != it.value())
                refuse(
                    u"\"conditions\" says that \"%1\" is %2, but the body says the opposite"_s.arg(
                        it.key(), it.value() ? u"true"_s : u"false"_s));
        }
    }

    /// Makes a condition true by setting one of its members: a time to its stored value, else true.
    void makeTrue(const QStringList &members, const DocumentLayout &document, QJsonObject *root)
    {
        for (const QString &name : members) {
            auto fields = document.fields();
            const auto field = std::ranges::find_if(fields, [&](const DocumentLayout::Part &one) {
                return one.keyPath == QStringList { name };
            });
            if (field == fields.end()) {
                root->insert(name, true);
                return;
            }
            if (const auto moment = m_clock.stored(*field, m_request.path)) {
                root->insert(name, formatted(*field, QJsonValue(*moment - m_clock.epoch)));
                return;
            }
        }
    }

    const WireRules &m_rules;
    const Request &m_request;
    const WireClock m_clock;
    QMap<QString, NestedRequest> m_unplaced; ///< parts that the body lacks so far, by path
    QString m_problem;
};

/// Body that repeats the client's part of a document byte for byte, with changed properties.
struct StoredBody
{
    const WireRules &rules;
    const DocumentLayout &document;
    const TypeParts *type; ///< of the resource; null: the pack does not know the type
    const QJsonObject changed;
    const bool keepsReferences;

    static bool isBelow(const KeyPath &keyPath, const QStringList &above)
    {
        return keyPath && keyPath->first(std::min(keyPath->size(), above.size())) == above;
    }

    /// True if the document stores members of the client at or below a path of keys.
    bool storesBelow(const QStringList &keyPath) const
    {
        return std::ranges::any_of(document.parts, [&](const DocumentLayout::Part &part) {
            return part.kind == DocumentLayout::Part::Kind::Stored
                && isBelow(part.keyPath, keyPath);
        });
    }

    /// True for a member that is not repeated: children, referrers, or a replaced property.
    bool isLeftOut(Value key, const QStringList &keyPath) const
    {
        const auto isReference = [&](const TypeParts::Reference &one) {
            return isNamed(key, keyOf(one.keyPath.first()), rules.nameCase);
        };
        if (type && document.children == keyPath
            && isNamedOneOf(key, type->children, rules.nameCase))
            return true;
        if (document.properties != keyPath)
            return false;
        return isNamedOneOf(key, changed.keys(), rules.nameCase)
            || (type
                && (isNamedOneOf(key, type->back, rules.nameCase)
                    || (!keepsReferences && std::ranges::any_of(type->references, isReference))));
    }

    /// Text of the object at a path of keys, without the members that clients may not set.
    QByteArray text(Value object, const QStringList &keyPath) const
    {
        const auto stored =
            std::ranges::find_if(document.parts, [&](const DocumentLayout::Part &part) {
                return part.kind == DocumentLayout::Part::Kind::Stored && part.keyPath == keyPath;
            });
        const QStringList *ownKeys = stored == document.parts.end() ? nullptr : &stored->ownKeys;
        QByteArrayList members;
        const auto add = [&](QByteArrayView key, QByteArrayView value) {
            members += key.toByteArray() + ':' + value.toByteArray();
        };
        QStringList written;
        for (const Member entry : object.members()) {
            QString name = entry.key.string();
            if (ownKeys) {
                const auto found = std::ranges::find_if(*ownKeys,
                    [&](const QString &key) { return isNamed(entry.key, key, rules.nameCase); });
                if (found == ownKeys->end()) {
                    if (!isLeftOut(entry.key, keyPath))
                        add(entry.key.raw(), entry.value.raw());
                    continue;
                }
                name = *found;
            }
            const QStringList childKeyPath = keyPath + QStringList { name };
            if (storesBelow(childKeyPath) && entry.value.is(Value::Kind::Object)) {
                written += name;
                add(entry.key.raw(), text(entry.value, childKeyPath));
            } else if (document.keyPath(Hole::Name) == childKeyPath) {
                add(entry.key.raw(), entry.value.raw());
            }
        }
        if (changed.isEmpty() || !isBelow(document.properties, keyPath))
            return '{' + members.join(',') + '}';
        if (document.properties == keyPath) {
            for (auto it = changed.constBegin(); it != changed.constEnd(); ++it)
                add(jsonOf(it.key()), jsonOf(it.value()));
        } else if (const QString next = document.properties->at(keyPath.size());
                   !written.contains(next)) {
            add(jsonOf(next), text(Value(), keyPath + QStringList { next }));
        }
        return '{' + members.join(',') + '}';
    }
};

} // namespace

std::optional<QByteArray> filledText(
    const WireRules &rules, const HoleText &text, const WireValues &values)
{
    return WireWriter(rules, values).text(text);
}

HttpResponse writeAnswer(
    const WireRules &rules, const WireRules::Answer *answer, const WireValues &values)
{
    WireWriter writer(rules, values);
    HttpResponse response;
    writer.addHeaders(rules.headers, &response.headers);
    response.status = values.http ? values.http : 500;
    if (answer) {
        if (answer->row->code)
            response.status = answer->row->code;
        writer.addHeaders(answer->headers, &response.headers);
        if (const DocumentLayout *body = rules.findAt(answer->row->body, values.path))
            response.body = writer.document(*body);
    } else if (!values.code.isEmpty()) { // without a row the error is still reported
        const QJsonObject error { { u"code"_s, values.code }, { u"message"_s, values.message } };
        response.body = jsonOf(QJsonObject { { u"error"_s, error } });
    }
    if (!response.body.isEmpty())
        response.headers.append("Content-Type", "application/json; charset=UTF-8");
    return response;
}

Result<QByteArray> writeBody(
    const WireRules &rules, const WireRequest &row, const Request &request, const WireClock &clock)
{
    const Result<QByteArray> body = BodyWriter(rules, request, clock).written(row);
    return body ? wrappedBody(rules.findAt(row.body, request.path), *body) : body;
}

QByteArray mergedBody(
    const WireRules &rules, const World &world, Resource resource, const Request &request)
{
    const RequestRow *row = rules.requests.find(request.op, request.path);
    const DocumentLayout *document = row ? rules.bodyOf(*row->row, request.path) : nullptr;
    const Result<JsonText> stored = JsonText::parse(world.bodies.value(resource), QString());
    if (!document || !stored || !stored->root().is(Value::Kind::Object))
        return {};
    const QString typePath = typePathOf(request.path);
    const bool keepsReferences =
        request.references.isEmpty() || request.references == world.references.value(resource);
    const QJsonObject changed = keepsReferences
        ? request.properties.object()
        : withReferences(rules, typePath, request.properties, request.references);
    return StoredBody { rules, *document, rules.type(typePath), changed, keepsReferences }.text(
        stored->root(), {});
}

} // namespace instar
