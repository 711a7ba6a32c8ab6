// SPDX-License-Identifier: Apache-2.0
#include "model/remote/writer.h"

#include "model/engine/scenario.h"
#include "model/json/output.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int DeepestDocument = 16; ///< of documents that contain themselves

/// A stable identity for a resource: a hash of its path (after FNV-1a), as a UUID of version 8 (RFC
/// 9562: custom).
HexGroups instance(const QString &path)
{
    quint64 halves[2] { 0xcbf29ce484222325u, 0x84222325cbf29ce4u };
    for (const QChar c : path) {
        const char16_t letter = c.unicode();
        const char16_t folded = letter >= 0x80 ? c.toCaseFolded().unicode()
            : letter >= u'A' && letter <= u'Z' ? char16_t(letter + 0x20)
                                               : letter;
        for (quint64 &half : halves) {
            half ^= folded;
            half *= 0x100000001b3u;
            half ^= half >> 29;
        }
    }
    return hexGroups((halves[0] & ~0xf000ull) | 0x8000u,
        (halves[1] & 0x3fffffffffffffffull) | 0x8000000000000000ull);
}

/// Writer of a request's body; tracks which parts of the request have found their place.
class BodyWriter
{
public:
    BodyWriter(const WireRules &book, const Request &request, const WireClock &clock)
        : m_book(book), m_request(request), m_clock(clock), m_left(request.requests)
    { }

    Result<QByteArray> written(const WireRequest &row)
    {
        const Template *document = m_book.bodyOf(row, m_request.path);
        if (!document)
            return m_request.body;
        if (!m_request.body.isEmpty())
            return answered(row, *document);
        m_left.insert(m_request.path, { m_request.properties, m_request.references, {} });
        QJsonObject root = object(*document, m_request.path);
        m_left.remove(m_request.path);
        if (!m_left.isEmpty())
            refuse(u"\"requests\" describes %1, for which a body of %2 has no place"_s.arg(
                m_left.firstKey(), row.ask));
        answerConditions(row, *document, &root);
        if (!m_problem.isEmpty())
            return Error { m_problem };
        return QJsonDocument(root).toJson(QJsonDocument::Compact);
    }

private:
    /// The given body byte for byte, plus members that answer conditions.
    Result<QByteArray> answered(const WireRequest &row, const Template &document)
    {
        QByteArray body = m_request.body;
        const QJsonObject before = QJsonDocument::fromJson(body).object();
        QJsonObject root = before;
        answerConditions(row, document, &root);
        if (!m_problem.isEmpty())
            return Error { m_problem };
        for (auto it = root.constBegin(); it != root.constEnd(); ++it) {
            if (before.contains(it.key()))
                continue;
            const QByteArray member = jsonOf(QJsonObject { { it.key(), it.value() } });
            const qsizetype end = body.lastIndexOf('}');
            const bool isFirst = body.first(end).trimmed() == "{";
            body.replace(end, 1, (isFirst ? QByteArray() : QByteArray(",")) + member.sliced(1));
        }
        return body;
    }

    void refuse(const QString &problem)
    {
        if (m_problem.isEmpty())
            m_problem = problem;
    }

    QJsonObject object(const Template &document, const QString &path)
    {
        const Enclosed said = m_left.take(path);
        QJsonObject properties = document.embedded().empty()
            ? m_book.withReferences(typePathOf(path), said.properties, said.references)
            : said.properties;
        QJsonObject root;
        for (const Template::Saying &saying : document.sayings())
            say(saying, path, &properties, &root);
        for (const Template::Embedded &list : document.embedded())
            embed(list, path, said.references, &root);
        const QStringList place = document.properties().value_or(QStringList());
        if (place.isEmpty()) {
            for (auto it = properties.begin(); it != properties.end(); ++it)
                root.insert(it.key(), it.value());
        } else {
            root = withValueAt(root, place, properties).toObject();
        }
        const PathTemplate::Filling parts =
            document.nameParts().isEmpty() ? PathTemplate::Filling() : m_book.partsOfName(path);
        for (auto it = document.nameParts().cbegin(); it != document.nameParts().cend(); ++it)
            root = withValueAt(root, *it, parts.value(it.key())).toObject();
        const Place &name = document.place(Hole::Name);
        if (name && !name->isEmpty() && !(path == m_request.path && leavesName(m_request)))
            root = withValueAt(root, *name, path.section(u'/', -1)).toObject();
        return root;
    }

    /// Writes a property's own member, if the request sets the property.
    void say(const Template::Saying &saying, const QString &path, QJsonObject *properties,
        QJsonObject *root)
    {
        const auto other =
            saying.of.isEmpty() ? m_left.end() : m_left.find(path + u'/' + saying.of);
        if (!saying.of.isEmpty() && other == m_left.end())
            return;
        QJsonObject &from = saying.of.isEmpty() ? *properties : other->properties;
        if (!from.contains(saying.property)) {
            if (!saying.otherwise.isEmpty())
                *root = withValueAt(*root, saying.place, filled(saying.otherwise, path)).toObject();
            return;
        }
        *root = withValueAt(*root, saying.place, spelled(saying, from.take(saying.property)))
                    .toObject();
        if (other != m_left.end() && other->properties.isEmpty() && other->references.isEmpty())
            m_left.erase(other);
    }

    QString filled(const QString &text, const QString &path) const
    {
        Messages::About about;
        about.path = path;
        if (path == m_request.path && leavesName(m_request)) // named by the request's id
            about.path = path.section(u'/', 0, -2) + u'/' + m_request.id;
        const HoleText withHoles = HoleText::of(text);
        WireWriter writer(m_book, about);
        const auto bytes = writer.text(withHoles);
        return bytes ? QString::fromUtf8(*bytes) : QString();
    }

    QJsonValue spelled(const Template::Saying &saying, const QJsonValue &value)
    {
        if (saying.times.isEmpty() || !value.isDouble())
            return value;
        const qint64 moment = m_clock.zero + value.toInteger();
        const QString text = momentText(moment, saying.times);
        if (momentOf(text, saying.times, m_clock.now) != moment)
            refuse(u"%1 has the format %2, which cannot express %3 ms"_s
                       .arg(saying.place.last(), saying.times.last())
                       .arg(value.toInteger()));
        return text;
    }

    void embed(const Template::Embedded &list, const QString &path, const QStringList &references,
        QJsonObject *root)
    {
        const QString collection = path + u'/' + list.type + u'/';
        const Template *document = m_book.findAt(list.document, path + u'/' + list.type);
        const auto isInside = [&](const QString &child) {
            return child.startsWith(collection, m_book.names)
                && child.indexOf(u'/', collection.size()) < 0;
        };
        QStringList children;
        for (const QString &child : references + m_left.keys()) {
            if (document && isInside(child) && !children.contains(child, m_book.names))
                children += child;
        }
        QJsonArray items;
        for (const QString &child : std::as_const(children))
            items.append(object(*document, child));
        if (!items.isEmpty())
            *root = withValueAt(*root, list.place, items).toObject();
    }

    void answerConditions(const WireRequest &row, const Template &document, QJsonObject *root)
    {
        for (auto it = m_request.conditions.cbegin(); it != m_request.conditions.cend(); ++it) {
            const QStringList members = row.conditions.value(it.key());
            const auto holds = [&] {
                return std::ranges::any_of(
                    members, [&](const QString &name) { return isSaid(root->value(name)); });
            };
            if (members.isEmpty())
                refuse(u"\"conditions\" sets a condition that a server decides by itself"_s);
            else if (it.value() && !holds())
                sayAgain(members, document, root);
            if (!members.isEmpty() && holds() != it.value())
                refuse(u"\"conditions\" says that \"%1\" is %2, and the body would say otherwise"_s
                           .arg(it.key(), it.value() ? u"true"_s : u"false"_s));
        }
    }

    /// Repeats the first member with a known stored time; a member that is no time becomes true.
    void sayAgain(const QStringList &members, const Template &document, QJsonObject *root)
    {
        for (const QString &name : members) {
            const auto saying =
                std::ranges::find_if(document.sayings(), [&](const Template::Saying &one) {
                    return one.place.size() == 1 && one.place.last() == name;
                });
            if (saying == document.sayings().end()) {
                root->insert(name, true);
                return;
            }
            if (const auto moment = m_clock.stored(*saying, m_request.path)) {
                root->insert(name, spelled(*saying, QJsonValue(*moment - m_clock.zero)));
                return;
            }
        }
    }

    const WireRules &m_book;
    const Request &m_request;
    const WireClock m_clock;
    QMap<QString, Enclosed> m_left; ///< not placed yet, by path
    QString m_problem;
};

} // namespace

WireWriter::WireWriter(const WireRules &book, const Messages::About &about)
    : m_book(book), r(book.rules), m_about(about)
{
    if (about.world && about.resource != NoResource && about.world->tree.exists(about.resource))
        m_focus.resource = about.resource;
    else
        m_focus.path = about.path;
}

std::optional<QByteArray> WireWriter::text(const HoleText &withHoles)
{
    QByteArray text = withHoles.literals.first();
    for (qsizetype i = 0; i < withHoles.holes.size(); ++i) {
        const QString &name = withHoles.names[i];
        const QByteArray filled = name.isEmpty() ? value(withHoles.holes[i], m_focus).toUtf8()
                                                 : named(withHoles.holes[i], name);
        if (filled.isEmpty())
            return {};
        text += filled + withHoles.literals[i + 1];
    }
    return text;
}

void WireWriter::addHeaders(const WireRules::Headers &rows, HttpHeaders *headers)
{
    for (const auto &[name, withHoles] : rows) {
        if (const auto text = this->text(withHoles))
            headers->append(name, *text);
    }
}

const QString &WireWriter::pathOf(Focus &focus) const
{
    if (focus.path.isEmpty() && focus.resource != NoResource)
        focus.path = m_about.world->tree.path(focus.resource);
    return focus.path;
}

/// The variant of a document for the type of the focus.
const Template *WireWriter::find(const QString &document, Focus &focus) const
{
    return m_book.findAt(document, pathOf(focus));
}

/// A property of the resource, a part of its name, or a header of the request; or empty.
QByteArray WireWriter::named(Hole hole, const QString &name)
{
    if (hole == Hole::Name)
        return m_book.partsOfName(pathOf(m_focus)).value(name).toUtf8();
    if (hole == Hole::Header && m_about.asked)
        return header(*m_about.asked, name.toUtf8());
    if (hole != Hole::Property || m_focus.resource == NoResource)
        return {};
    const QJsonValue value = m_about.world->properties.value(m_focus.resource).value(name);
    if (value.isString())
        return value.toString().toUtf8();
    return value.isUndefined() || value.isNull() ? QByteArray() : jsonOf(value);
}

/// Text that fills a hole; empty if unknown.
QString WireWriter::value(Hole hole, Focus &focus) const
{
    const Operation *operation = m_about.operation;
    const QStringList &versions = m_book.wire.versions;
    switch (hole) {
    case Hole::Id:
        return operation ? operation->id : QString();
    case Hole::Op:
        return operation ? operation->op : m_about.op;
    case Hole::Status:
        return !operation                          ? QString()
            : operation->status == Status::Waiting ? statusName(Status::InProgress)
                                                   : statusName(operation->status);
    case Hole::OtherId:
        return operation ? operation->canceledBy : QString();
    case Hole::OtherOp: {
        const Operation *other = operation && m_about.operations
            ? m_about.operations->find(operation->canceledBy)
            : nullptr;
        return other ? other->op : QString();
    }
    case Hole::OperationUrl:
        return operation ? url(u"operation"_s, focus) : QString();
    case Hole::ResultUrl:
        return operation ? url(u"result"_s, focus) : QString();
    case Hole::ErrorCode:
        return m_about.code;
    case Hole::ErrorMessage:
        return m_about.message;
    case Hole::RequestId:
        return m_about.requestId;
    case Hole::Date:
        return QString::fromLatin1(httpDate());
    case Hole::Version:
        return m_about.version;
    case Hole::LastVersion:
        return versions.value(versions.size() - 1);
    case Hole::RetryAfter:
        return m_about.retryAfter < 0 ? QString() : QString::number(m_about.retryAfter);
    case Hole::Http:
        return m_about.http ? QString::number(m_about.http) : QString();
    case Hole::Origin:
        return QString::fromUtf8(m_about.origin);
    case Hole::FreshId:
        return freshId();
    default:
        return ofResource(hole, focus);
    }
}

QString WireWriter::ofResource(Hole hole, Focus &focus) const
{
    switch (hole) {
    case Hole::Path:
        return pathOf(focus);
    case Hole::Name:
        return pathOf(focus).section(u'/', -1);
    case Hole::Type:
        return typePathOf(pathOf(focus));
    case Hole::State:
        return focus.resource == NoResource ? QString()
                                            : r.shown(m_about.world->tree.code(focus.resource));
    case Hole::Etag:
        if (focus.etag.isEmpty() && focus.resource != NoResource)
            focus.etag = etag(*m_about.world, focus.resource);
        return focus.etag;
    case Hole::Url: {
        const WireRequest *row = m_book.rowFor(u"resource"_s, pathOf(focus));
        return row ? QString::fromUtf8(m_book.targetOf(*row, pathOf(focus), m_about.version))
                         .section(u'?', 0, 0)
                   : QString();
    }
    case Hole::Guid: {
        const HexGroups groups = instance(pathOf(focus));
        return QString::fromLatin1(groups.data(), qsizetype(groups.size()));
    }
    default:
        return {};
    }
}

QString WireWriter::url(const QString &question, Focus &focus) const
{
    const auto found = m_book.urls.constFind(question);
    if (found == m_book.urls.constEnd())
        return {};
    QString url = QString::fromUtf8(m_about.origin + found->literals.first());
    for (qsizetype i = 0; i < found->holes.size(); ++i)
        url += value(found->holes[i], focus) + QString::fromUtf8(found->literals[i + 1]);
    return url;
}

// ---- Documents: fixed text, filled holes, stored members, children and referrers

QByteArray WireWriter::document(const Template &document)
{
    m_out.clear();
    write(document, m_focus);
    return m_out;
}

void WireWriter::comma()
{
    if (!m_out.isEmpty() && !m_out.endsWith('{') && !m_out.endsWith('['))
        m_out += ',';
}

void WireWriter::write(const Template &document, Focus &focus)
{
    const Result<JsonText> stored = JsonText::parse(storedBody(document, focus), QString());
    writeParts(document.parts(), stored ? stored->root() : Value(), focus);
}

/// The body that a client stored, or one made of what the resource was loaded with.
QByteArray WireWriter::storedBody(const Template &document, Focus &focus) const
{
    if (focus.resource == NoResource)
        return {};
    const World &world = *m_about.world;
    if (const auto body = world.bodies.constFind(focus.resource); body != world.bodies.constEnd())
        return *body;
    if (!document.properties())
        return {};
    const QJsonValue value = m_book.withReferences(typePathOf(pathOf(focus)),
        world.properties.value(focus.resource), world.references.value(focus.resource));
    return QJsonDocument(withValueAt({}, *document.properties(), value).toObject())
        .toJson(QJsonDocument::Compact);
}

/// Writes the value of a property, or its replacement.
void WireWriter::writeProperty(const Template::Part &part, Focus &focus)
{
    const Resource whose = !m_about.world || focus.resource == NoResource || part.of.isEmpty()
        ? focus.resource
        : m_about.world->tree.find(pathOf(focus) + u'/' + part.of);
    const QJsonValue value = whose == NoResource
        ? QJsonValue()
        : m_about.world->properties.value(whose).value(part.property);
    if (value.isNull() || value.isUndefined())
        return writeParts(part.otherwise, Value(), focus);
    m_out += !part.times.isEmpty() && value.isDouble()
        ? jsonString(momentText(m_about.epoch + value.toInteger(), part.times))
        : jsonOf(value);
}

/// Writes the same document for several resources, as items of a list.
void WireWriter::writeItems(const Template &document, const QList<Resource> &resources)
{
    for (const Resource resource : resources) {
        comma();
        Focus focus { .resource = resource, .path = {}, .etag = {} };
        write(document, focus);
    }
}

/// Visible children of a resource, by type.
QMap<int, QList<Resource>> WireWriter::shownBelow(const Focus &focus) const
{
    QMap<int, QList<Resource>> shown;
    if (focus.resource == NoResource)
        return shown;
    const Tree &tree = m_about.world->tree;
    for (const Resource below : tree.children(focus.resource)) {
        if (r.isShown(tree.code(below)))
            shown[tree.type(below)] += below;
    }
    return shown;
}

/// The variant of a document for a type.
const Template *WireWriter::find(const QString &document, int type) const
{
    return m_book.find(document, m_book.type(m_about.world->tree.typePath(type)));
}

/// Writes another document inside this one: of the same resource, or of its children of a type.
void WireWriter::writeDocument(const Template::Part &part, Focus &focus)
{
    if (part.of.isEmpty()) {
        const Template *document = m_depth < DeepestDocument ? find(part.document, focus) : nullptr;
        ++m_depth;
        if (document)
            write(*document, focus);
        else
            m_out += "null";
        --m_depth;
    } else if (m_depth < DeepestDocument && focus.resource != NoResource) {
        const Tree &tree = m_about.world->tree;
        const int type = tree.childType(tree.type(focus.resource), part.of);
        const QList<Resource> below = shownBelow(focus).value(type);
        ++m_depth;
        if (const Template *document = below.isEmpty() ? nullptr : find(part.document, type))
            writeItems(*document, below);
        --m_depth;
    }
}

void WireWriter::writeParts(const std::vector<Template::Part> &parts, Value stored, Focus &focus)
{
    using Kind = Template::Part::Kind;
    for (const Template::Part &part : parts) {
        switch (part.kind) {
        case Kind::Text:
            m_out += part.text;
            break;
        case Kind::Hole:
            appendJsonText(&m_out,
                (part.hole == Hole::Name && !part.named.isEmpty()
                        ? m_book.partsOfName(pathOf(focus)).value(part.named)
                        : value(part.hole, focus))
                    .toUtf8());
            break;
        case Kind::Comma:
            comma();
            break;
        case Kind::Stored:
            writeStored(part, stored, focus);
            break;
        case Kind::Children:
            writeChildren(part.document, focus);
            break;
        case Kind::Referrers:
            writeReferrers(part.document, focus);
            break;
        case Kind::Resources:
            writeResources();
            break;
        case Kind::Versions:
            for (const QString &version : m_book.wire.versions) {
                comma();
                m_out += jsonString(version);
            }
            break;
        case Kind::Details:
            writeDetails();
            break;
        case Kind::Bare: {
            const QString number = value(part.hole, focus);
            m_out += number.isEmpty() ? QByteArray("null") : number.toUtf8();
            break;
        }
        case Kind::Property:
            writeProperty(part, focus);
            break;
        case Kind::Document:
            writeDocument(part, focus);
            break;
        }
    }
}

/// Writes a value without null members, at any depth: to a client that reads they are the same as
/// not set.
void WireWriter::writeSet(Value value)
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

/// Writes the members that the client set in this place, except those that it may not set.
void WireWriter::writeStored(const Template::Part &part, Value stored, const Focus &focus)
{
    const Value place = stored ? valueAt(stored, part.place, m_book.names) : Value();
    if (!place)
        return;
    const Tree &tree = m_about.world->tree;
    const int type =
        part.holdsChildren && focus.resource != NoResource ? tree.type(focus.resource) : -1;
    const TypeParts *parts = type < 0 ? nullptr : m_book.type(tree.typePath(type));
    for (const Member entry : place.members()) {
        if (entry.value.is(Value::Kind::Null) || isNamedOneOf(entry.key, part.own, m_book.names)
            || (parts && isNamedOneOf(entry.key, parts->back, m_book.names))
            || (type >= 0 && tree.childType(type, entry.key.string()) >= 0))
            continue;
        comma();
        m_out += entry.key.raw();
        m_out += ':';
        writeSet(entry.value);
    }
}

void WireWriter::writeChildren(const QString &document, const Focus &focus)
{
    const QMap<int, QList<Resource>> shown = shownBelow(focus);
    for (auto it = shown.cbegin(); it != shown.cend(); ++it) {
        const Template *child = find(document, it.key());
        if (!child)
            continue;
        comma();
        const QString type = m_about.world->tree.typePath(it.key());
        m_out += jsonString(type.section(u'/', -1)) + ":[";
        writeItems(*child, *it);
        m_out += ']';
    }
}

void WireWriter::writeReferrers(const QString &document, Focus &focus)
{
    const World &world = *m_about.world;
    if (focus.resource == NoResource || world.referrers.isEmpty())
        return;
    const QString type = world.tree.typePath(world.tree.type(focus.resource));
    QMap<QString, QStringList> lists;
    for (const Resource referrer : world.referrers.value(pathKey(world, pathOf(focus)))) {
        const QString back = m_book.back(world.tree.typePath(world.tree.type(referrer)), type);
        if (!back.isEmpty())
            lists[back] += world.tree.path(referrer);
    }
    const Template *reference = lists.isEmpty() ? nullptr : m_book.find(document);
    for (auto it = lists.cbegin(); reference && it != lists.cend(); ++it) {
        comma();
        m_out += jsonString(it.key()) + ":[";
        for (const QString &path : *it) {
            comma();
            Focus only { .resource = NoResource, .path = path, .etag = {} };
            write(*reference, only);
        }
        m_out += ']';
    }
}

/// Writes the resources of the requested collection.
void WireWriter::writeResources()
{
    const World &world = *m_about.world;
    const QString segment = m_about.path.section(u'/', -1);
    const Resource parent =
        world.tree.find(m_about.path.left(m_about.path.size() - segment.size() - 1));
    const int type =
        world.tree.childType(parent == NoResource ? -1 : world.tree.type(parent), segment);
    const Template *document = m_book.resourceAt(m_about.path);
    const auto isInPart = [&](Resource resource) {
        if (!m_about.names || m_about.names->size() == 0)
            return true;
        const auto filling = m_about.names->fit(world.tree.path(resource), m_book.names);
        return filling && std::ranges::all_of(m_about.part->keys(), [&](const QString &hole) {
            return filling->value(hole).compare(m_about.part->value(hole), m_book.names) == 0;
        });
    };
    QList<Resource> all;
    if (parent != NoResource) {
        all = world.tree.children(parent);
    } else {
        for (const quint32 branch : world.tree.branches())
            all += world.tree.at(branch, 0);
    }
    all.removeIf([&](Resource resource) {
        return world.tree.type(resource) != type || !r.isShown(world.tree.code(resource))
            || !isInPart(resource);
    });
    if (document)
        writeItems(*document, all);
}

void WireWriter::writeDetails()
{
    for (qsizetype i = 0; i + 1 < m_about.details.size(); i += 2) {
        comma();
        m_out += "{\"code\":" + jsonString(m_about.details[i])
            + ",\"message\":" + jsonString(m_about.details[i + 1]) + '}';
    }
}

// ---- Bodies of requests

Result<QByteArray> requestBody(
    const WireRules &book, const WireRequest &row, const Request &request, const WireClock &clock)
{
    return BodyWriter(book, request, clock).written(row);
}

} // namespace instar
