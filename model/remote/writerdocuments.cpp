// SPDX-License-Identifier: Apache-2.0
// Documents: their own words, filled holes, and what is stored, below, or refers.
#include "model/formats/output.h"
#include "model/remote/writer.h"
#include "model/remote/writerbytes.h"

#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

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
    const Result<Document> stored = Document::parse(body, QString());
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
    QJsonValue value = m_book.types.withReferences(typePathOf(pathOf(focus)),
        world.properties.value(focus.resource), world.references.value(focus.resource));
    for (auto key = document.properties()->crbegin(); key != document.properties()->crend(); ++key)
        value = QJsonObject { { key->text, value } };
    return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
}

void WireWriter::write(const Template &document, Value stored, Focus &focus, Out *out) const
{
    using Kind = Template::Part::Kind;
    for (const Template::Part &part : document.parts()) {
        switch (part.kind) {
        case Kind::Text:
            append(part.text, out);
            break;
        case Kind::Hole:
            fillString(part.hole, focus, out);
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
        const Spelling name(entry.key);
        if (entry.value.is(Value::Kind::Null) || name.isOneOf(part.own, m_book.names)
            || (parts && name.isOneOf(parts->back, m_book.names))
            || (type >= 0 && tree.childType(type, name.text()) >= 0))
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
    const Template *child = byType.isEmpty() ? nullptr : m_book.find(document);
    for (auto it = byType.cbegin(); child && it != byType.cend(); ++it) {
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
    const auto add = [&](Resource resource) {
        if (!m_book.resource || world.tree.type(resource) != type
            || !r.isShown(world.tree.code(resource)))
            return;
        comma(out);
        Focus inner { .resource = resource, .path = {}, .etag = {} };
        write(*m_book.resource, inner, out);
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
