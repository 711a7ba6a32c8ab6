// SPDX-License-Identifier: Apache-2.0
#include "model/remote/writer.h"

#include "model/engine/hex.h"
#include "model/formats/output.h"
#include "model/remote/freshid.h"
#include "model/remote/momenttext.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int DeepestDocument = 16; ///< a document that holds itself ends there

/// An identity that is the same whenever the same resource is asked for: a hash of its path, as a
/// UUID of version 8 (RFC 9562: custom).
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

QByteArray jsonOf(const QJsonValue &value)
{
    return QJsonDocument(QJsonArray { value }).toJson(QJsonDocument::Compact).sliced(1).chopped(1);
}

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

/// A document, in the words of the type that it is about.
const Template *WireWriter::find(const QString &document, Focus &focus) const
{
    return m_book.findAt(document, pathOf(focus));
}

/// A property of the resource, a part of its name, or a header of the request, where there is one.
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

/// What a hole is filled with; empty where it is not known.
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

// ---- Documents: their own words, filled holes, and what is stored, below, or refers.

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

/// What a client stored, or what the resource was loaded with in its place.
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
    return QJsonDocument(put({}, *document.properties(), value).toObject())
        .toJson(QJsonDocument::Compact);
}

/// The value of a property, or what is said in its place.
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

/// The same document of several resources, as items of a list.
void WireWriter::writeItems(const Template &document, const QList<Resource> &resources)
{
    for (const Resource resource : resources) {
        comma();
        Focus focus { .resource = resource, .path = {}, .etag = {} };
        write(document, focus);
    }
}

/// What a client sees below a resource, by types.
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

/// A document, in the words of a type.
const Template *WireWriter::find(const QString &document, int type) const
{
    return m_book.find(document, m_book.type(m_about.world->tree.typePath(type)));
}

/// Another document in this one: the same resource's, or those of its children of a type.
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

/// A value without the members, however deep, that are null: to a client that reads they are the
/// same as not set.
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

/// The members that the client set in this place, but for those that are not its to set.
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

/// The resources of the collection that is asked about.
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

} // namespace instar
