// SPDX-License-Identifier: Apache-2.0
#include "model/remote/writer.h"

#include "model/engine/hex.h"
#include "model/formats/output.h"
#include "model/remote/freshid.h"
#include "model/remote/momenttext.h"
#include "model/remote/writerbytes.h"

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

template<typename Out>
void appendString(QStringView text, Out *out)
{
    append(QByteArrayView(jsonString(text)), out);
}

template<typename Out>
void comma(Out *out)
{
    const char last = out->isEmpty() ? '{' : out->last();
    if (last != '{' && last != '[')
        out->append(',');
}

} // namespace

WireWriter::WireWriter(const Phrasebook &book, const Messages::About &about)
    : m_book(book), r(book.rules), m_about(about)
{
    if (about.world && about.resource != NoResource && about.world->tree.exists(about.resource))
        m_focus.resource = about.resource;
    else
        m_focus.path = about.path;
}

std::optional<QByteArrayView> WireWriter::text(const HoleText &withHoles)
{
    if (withHoles.holes.isEmpty())
        return withHoles.literals.first();
    Out &out = m_text;
    out.clear();
    append(withHoles.literals.first(), &out);
    for (qsizetype i = 0; i < withHoles.holes.size(); ++i) {
        const qsizetype begin = out.size();
        if (const QString &name = withHoles.names[i]; !name.isEmpty())
            fillNamed(withHoles.holes[i], name, &out);
        else
            fill(withHoles.holes[i], m_focus, &out);
        if (out.size() == begin)
            return {};
        append(withHoles.literals[i + 1], &out);
    }
    return QByteArrayView(out.constData(), out.size());
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
    return m_book.areDocumentsOfTypes ? m_book.findAt(document, pathOf(focus))
                                      : m_book.find(document);
}

/// A property of the resource, a part of its name, or a header of the request, where there is one.
void WireWriter::fillNamed(Hole hole, const QString &name, Out *out)
{
    if (hole == Hole::Name)
        return append(m_book.partsOfName(pathOf(m_focus)).value(name), out);
    if (hole == Hole::Header && m_about.asked)
        return append(header(*m_about.asked, name.toUtf8()), out);
    if (hole != Hole::Property || m_focus.resource == NoResource)
        return;
    const QJsonValue value = m_about.world->properties.value(m_focus.resource).value(name);
    if (value.isString())
        append(value.toString(), out);
    else if (!value.isUndefined() && !value.isNull())
        append(jsonOf(value), out);
}

/// Appends what a hole is filled with, as UTF-8; nothing where it is not known.
void WireWriter::fill(Hole hole, Focus &focus, Out *out) const
{
    const Operation *operation = m_about.operation;
    switch (hole) {
    case Hole::Id:
        return operation ? append(operation->id, out) : void();
    case Hole::Op:
        return append(operation ? operation->op : m_about.op, out);
    case Hole::Status:
        return operation
            ? append(statusName(operation->status == Status::Waiting ? Status::InProgress
                                                                     : operation->status),
                out)
            : void();
    case Hole::OtherId:
        return operation ? append(operation->canceledBy, out) : void();
    case Hole::OtherOp: {
        const Operation *other = operation && m_about.operations
            ? m_about.operations->find(operation->canceledBy)
            : nullptr;
        return other ? append(other->op, out) : void();
    }
    case Hole::OperationUrl:
        return operation ? fillUrl(u"operation"_s, focus, out) : void();
    case Hole::ResultUrl:
        return operation ? fillUrl(u"result"_s, focus, out) : void();
    case Hole::ErrorCode:
        return append(m_about.code, out);
    case Hole::ErrorMessage:
        return append(m_about.message, out);
    case Hole::RequestId:
        return append(m_about.requestId, out);
    case Hole::Date:
        return append(httpDate(), out);
    case Hole::Version:
        return append(m_about.version, out);
    case Hole::LastVersion:
        return m_book.wire.versions.isEmpty() ? void() : append(m_book.wire.versions.last(), out);
    case Hole::RetryAfter:
        return m_about.retryAfter < 0 ? void()
                                      : append(QByteArray::number(m_about.retryAfter), out);
    case Hole::Http:
        return m_about.http ? append(QByteArray::number(m_about.http), out) : void();
    case Hole::Origin:
        return append(m_about.origin, out);
    case Hole::FreshId:
        return append(freshId(), out);
    default:
        return fillOfResource(hole, focus, out);
    }
}

void WireWriter::fillOfResource(Hole hole, Focus &focus, Out *out) const
{
    switch (hole) {
    case Hole::Path:
        return append(pathOf(focus), out);
    case Hole::Name:
        return append(QStringView(pathOf(focus)).sliced(pathOf(focus).lastIndexOf(u'/') + 1), out);
    case Hole::Type:
        return append(typePathOf(pathOf(focus)), out);
    case Hole::State:
        return focus.resource == NoResource
            ? void()
            : append(r.shown(m_about.world->tree.code(focus.resource)), out);
    case Hole::Etag:
        if (focus.etag.isEmpty() && focus.resource != NoResource)
            focus.etag = etag(*m_about.world, focus.resource);
        return append(focus.etag, out);
    case Hole::Url:
        if (const WireRequest *row = m_book.rowFor(u"resource"_s, pathOf(focus))) {
            const QByteArray url = m_book.targetOf(*row, pathOf(focus), m_about.version);
            append(url.first(url.contains('?') ? url.indexOf('?') : url.size()), out);
        }
        return;
    case Hole::Guid: {
        const HexGroups groups = instance(pathOf(focus));
        return out->append(groups.data(), groups.size());
    }
    default:
        return;
    }
}

void WireWriter::fillUrl(const QString &question, Focus &focus, Out *out) const
{
    const auto found = m_book.urls.constFind(question);
    if (found == m_book.urls.constEnd())
        return;
    append(m_about.origin, out);
    append(found->literals.first(), out);
    for (qsizetype i = 0; i < found->holes.size(); ++i) {
        fill(found->holes[i], focus, out);
        append(found->literals[i + 1], out);
    }
}

// ---- Documents: their own words, filled holes, and what is stored, below, or refers.

QByteArray WireWriter::document(const Template &document)
{
    Out out;
    write(document, m_focus, &out);
    return QByteArray(out.constData(), out.size());
}

/// Before each quotation mark and backslash from `begin` on.
void WireWriter::addBackslashes(qsizetype begin, Out *out)
{
    const auto isQuoted = [](char c) { return c == '"' || c == '\\'; };
    const qsizetype quotes = std::count_if(out->cbegin() + begin, out->cend(), isQuoted);
    out->resize(out->size() + quotes);
    const char *from = out->constData() + out->size() - quotes;
    char *to = out->data() + out->size();
    while (from != out->constData() + begin) {
        const char c = *--from;
        *--to = c;
        if (isQuoted(c))
            *--to = '\\';
    }
}

/// As it stands in a JSON string.
void WireWriter::fillString(Hole hole, Focus &focus, Out *out) const
{
    const qsizetype begin = out->size();
    fill(hole, focus, out);
    const QByteArrayView filled(out->constData() + begin, out->size() - begin);
    uchar control = 0, quote = 0;
    for (const char c : filled) {
        control |= uchar(uchar(c) < 0x20);
        quote |= uchar(c == '"') | uchar(c == '\\');
    }
    if (!control)
        return quote ? addBackslashes(begin, out) : void();
    QByteArray escaped;
    escaped.reserve(filled.size() + 8);
    appendJsonText(&escaped, filled);
    out->resize(begin);
    append(escaped, out);
}

void WireWriter::write(const Template &document, Focus &focus, Out *out) const
{
    const QByteArray body =
        focus.resource == NoResource ? QByteArray() : storedBody(document, focus);
    const bool isRead = m_about.body && m_about.body->bytes().constData() == body.constData();
    if (body.isEmpty() || isRead) {
        write(document, isRead ? m_about.body->root() : Value(), focus, out);
        return;
    }
    const Result<JsonText> stored = JsonText::parse(body, QString());
    write(document, stored ? stored->root() : Value(), focus, out);
}

/// What a client stored, or what the resource was loaded with in its place.
QByteArray WireWriter::storedBody(const Template &document, Focus &focus) const
{
    const World &world = *m_about.world;
    if (const auto body = world.bodies.constFind(focus.resource); body != world.bodies.constEnd())
        return *body;
    if (!document.properties())
        return {};
    const QJsonValue value = m_book.types.withReferences(typePathOf(pathOf(focus)),
        world.properties.value(focus.resource), world.references.value(focus.resource));
    return QJsonDocument(nested(*document.properties(), value).toObject())
        .toJson(QJsonDocument::Compact);
}

void WireWriter::write(const Template &document, Value stored, Focus &focus, Out *out) const
{
    writeParts(document.parts(), stored, focus, out);
}

/// The value of a property, or what is said in its place.
void WireWriter::writeProperty(const Template::Part &part, Focus &focus, Out *out) const
{
    const Resource whose = !m_about.world || focus.resource == NoResource || part.of.isEmpty()
        ? focus.resource
        : m_about.world->tree.find(pathOf(focus) + u'/' + part.of);
    const QJsonValue value = whose == NoResource
        ? QJsonValue()
        : m_about.world->properties.value(whose).value(part.property);
    if (value.isNull() || value.isUndefined())
        return writeParts(part.otherwise, Value(), focus, out);
    if (!part.times.isEmpty() && value.isDouble())
        return appendString(momentText(m_about.epoch + value.toInteger(), part.times), out);
    append(jsonOf(value), out);
}

/// Another document in this one.
void WireWriter::writeDocument(const Template::Part &part, Focus &focus, Out *out) const
{
    const bool isTooDeep = m_depth >= DeepestDocument;
    ++m_depth;
    if (const Template *document =
            isTooDeep || !part.of.isEmpty() ? nullptr : find(part.document, focus)) {
        write(*document, focus, out);
    } else if (!part.of.isEmpty() && !isTooDeep && focus.resource != NoResource) {
        const Tree &tree = m_about.world->tree;
        const int type = tree.childType(tree.type(focus.resource), part.of);
        for (const Resource below : tree.children(focus.resource)) {
            if (tree.type(below) != type || !r.isShown(tree.code(below)))
                continue;
            Focus inner { .resource = below, .path = {}, .etag = {} };
            const Template *each = find(part.document, inner);
            if (!each)
                break;
            comma(out);
            write(*each, inner, out);
        }
    } else if (part.of.isEmpty()) {
        append("null", out);
    }
    --m_depth;
}

void WireWriter::writeParts(
    const std::vector<Template::Part> &parts, Value stored, Focus &focus, Out *out) const
{
    using Kind = Template::Part::Kind;
    for (const Template::Part &part : parts) {
        switch (part.kind) {
        case Kind::Text:
            append(part.text, out);
            break;
        case Kind::Hole:
            if (part.hole == Hole::Name && !part.named.isEmpty()) {
                QByteArray text;
                appendJsonText(&text, m_book.partsOfName(pathOf(focus)).value(part.named).toUtf8());
                append(text, out);
            } else {
                fillString(part.hole, focus, out);
            }
            break;
        case Kind::Comma:
            comma(out);
            break;
        case Kind::Stored:
            writeStored(part, stored, focus, out);
            break;
        case Kind::Children:
            writeChildren(part.document, focus, out);
            break;
        case Kind::Referrers:
            writeReferrers(part.document, focus, out);
            break;
        case Kind::Resources:
            writeResources(out);
            break;
        case Kind::Versions:
            for (const QString &version : m_book.wire.versions) {
                comma(out);
                appendString(version, out);
            }
            break;
        case Kind::Details:
            writeDetails(out);
            break;
        case Kind::Bare: {
            const qsizetype begin = out->size();
            fill(part.hole, focus, out);
            if (out->size() == begin)
                append("null", out);
            break;
        }
        case Kind::Property:
            writeProperty(part, focus, out);
            break;
        case Kind::Document:
            writeDocument(part, focus, out);
            break;
        }
    }
}

/// A value without the members, however deep, that are null: to a client that reads they are the
/// same as not set.
void WireWriter::writeSet(Value value, Out *out)
{
    const QByteArrayView raw = value.raw();
    if (raw.indexOf("null") < 0 || value.is(Value::Kind::String))
        return append(raw, out);
    if (value.is(Value::Kind::Array)) {
        out->append('[');
        for (const Value item : value.items()) {
            comma(out);
            writeSet(item, out);
        }
        return out->append(']');
    }
    if (!value.is(Value::Kind::Object))
        return append(raw, out);
    out->append('{');
    for (const Member member : value.members()) {
        if (member.value.is(Value::Kind::Null))
            continue;
        comma(out);
        append(member.key.raw(), out);
        out->append(':');
        writeSet(member.value, out);
    }
    out->append('}');
}

/// The members that the client set in this place, but for those that are not its to set.
void WireWriter::writeStored(
    const Template::Part &part, Value stored, const Focus &focus, Out *out) const
{
    const Value place = stored ? valueAt(stored, part.place, m_book.names) : Value();
    if (!place)
        return;
    const Tree &tree = m_about.world->tree;
    const int type =
        part.holdsChildren && focus.resource != NoResource ? tree.type(focus.resource) : -1;
    const TypeParts *parts = type < 0 ? nullptr : m_book.types.find(tree.typePath(type));
    for (const Member entry : place.members()) {
        if (entry.value.is(Value::Kind::Null) || isNamedOneOf(entry.key, part.own, m_book.names)
            || (parts && isNamedOneOf(entry.key, parts->back, m_book.names))
            || (type >= 0 && tree.childType(type, entry.key.string()) >= 0))
            continue;
        comma(out);
        append(entry.key.raw(), out);
        out->append(':');
        writeSet(entry.value, out);
    }
}

void WireWriter::writeChildren(const QString &document, const Focus &focus, Out *out) const
{
    const Tree &tree = m_about.world->tree;
    QMap<int, QList<Resource>> byType;
    if (focus.resource != NoResource) {
        for (const Resource below : tree.children(focus.resource)) {
            if (r.isShown(tree.code(below)))
                byType[tree.type(below)] += below;
        }
    }
    for (auto it = byType.cbegin(); it != byType.cend(); ++it) {
        const Template *child = m_book.find(document, m_book.types.find(tree.typePath(it.key())));
        if (!child)
            continue;
        comma(out);
        appendString(tree.typePath(it.key()).section(u'/', -1), out);
        append(":[", out);
        for (const Resource below : *it) {
            comma(out);
            Focus inner { .resource = below, .path = {}, .etag = {} };
            write(*child, inner, out);
        }
        out->append(']');
    }
}

void WireWriter::writeReferrers(const QString &document, Focus &focus, Out *out) const
{
    const World &world = *m_about.world;
    if (focus.resource == NoResource || world.referrers.isEmpty())
        return;
    const QString type = world.tree.typePath(world.tree.type(focus.resource));
    QMap<QString, QStringList> lists;
    for (const Resource referrer : world.referrers.value(pathKey(world, pathOf(focus)))) {
        const QString back =
            m_book.types.back(world.tree.typePath(world.tree.type(referrer)), type);
        if (!back.isEmpty())
            lists[back] += world.tree.path(referrer);
    }
    const Template *reference = lists.isEmpty() ? nullptr : m_book.find(document);
    for (auto it = lists.cbegin(); reference && it != lists.cend(); ++it) {
        comma(out);
        appendString(it.key(), out);
        append(":[", out);
        for (const QString &path : *it) {
            comma(out);
            Focus only { .resource = NoResource, .path = path, .etag = {} };
            write(*reference, Value(), only, out);
        }
        out->append(']');
    }
}

/// The resources of the collection that is asked about.
void WireWriter::writeResources(Out *out) const
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
    const auto add = [&](Resource resource) {
        if (!document || world.tree.type(resource) != type || !r.isShown(world.tree.code(resource))
            || !isInPart(resource))
            return;
        comma(out);
        Focus inner { .resource = resource, .path = {}, .etag = {} };
        write(*document, inner, out);
    };
    if (parent != NoResource) {
        for (const Resource child : world.tree.children(parent))
            add(child);
    } else {
        for (const quint32 branch : world.tree.branches())
            add(world.tree.at(branch, 0));
    }
}

void WireWriter::writeDetails(Out *out) const
{
    for (qsizetype i = 0; i + 1 < m_about.details.size(); i += 2) {
        comma(out);
        append("{\"code\":", out);
        appendString(m_about.details[i], out);
        append(",\"message\":", out);
        appendString(m_about.details[i + 1], out);
        out->append('}');
    }
}

} // namespace instar
