// SPDX-License-Identifier: Apache-2.0
#include "model/remote/writer.h"

#include "model/formats/output.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QLocale>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// As HTTP has dates (RFC 9110, 5.6.7).
QString httpDate()
{
    static thread_local qint64 second = 0;
    static thread_local QString text;
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    if (now != second) {
        second = now;
        text = QLocale::c().toString(QDateTime::fromSecsSinceEpoch(now, Qt::UTC), u"ddd, dd MMM yyyy hh:mm:ss 'GMT'"_s);
    }
    return text;
}

/// An identity that is the same whenever the same resource is asked for.
QString instance(const QString &path)
{
    static const QUuid space(u"{6ba7b811-9dad-11d1-80b4-00c04fd430c8}"_s);
    return QUuid::createUuidV5(space, path.toCaseFolded()).toString(QUuid::WithoutBraces);
}

void comma(QByteArray *out)
{
    const char last = out->isEmpty() ? '{' : out->back();
    if (last != '{' && last != '[')
        *out += ',';
}

} // namespace

Phrasebook::Phrasebook(const Rules &rules)
{
    const Pack &pack = rules.pack();
    for (const WireDocument &row : pack.wire.documents)
        templates.emplace(row.id, Template(row));
    for (const Type &type : pack.types) {
        for (const ReferenceRule &rule : type.references) {
            for (const QString &referred : rule.types) {
                if (!rule.back.isEmpty())
                    backs[referred.toCaseFolded()] += rule.back.toCaseFolded();
            }
        }
    }
}

const Template *Phrasebook::find(const QString &document) const
{
    const auto found = templates.find(document);
    return found == templates.end() ? nullptr : &found->second;
}

WireWriter::WireWriter(const Rules &rules, const Phrasebook &book, const Messages::About &about)
    : r(rules), m_book(book), m_about(about)
{
}

QString WireWriter::url(const QString &ask, const QString &operation) const
{
    const Wire &wire = r.pack().wire;
    for (const WireRequest &row : wire.requests) {
        if (row.ask != ask)
            continue;
        QString path = row.path;
        path.replace(u"{base}"_s, wire.base);
        path.replace(u"{version}"_s, m_about.version);
        path.replace(u"{operation}"_s, operation);
        return m_about.origin + path;
    }
    return {};
}

WireWriter::Focus WireWriter::focusOn(Resource resource) const
{
    return { resource, m_about.world->tree.path(resource) };
}

QString WireWriter::hole(const QString &name) const
{
    const bool exists = m_about.world && m_about.resource != NoResource && m_about.world->tree.exists(m_about.resource);
    return hole(name, exists ? focusOn(m_about.resource) : Focus { NoResource, m_about.path });
}

QString WireWriter::hole(const QString &name, const Focus &focus) const
{
    const Operation *operation = m_about.operation;
    if (name == u"path")
        return focus.path;
    if (name == u"name")
        return focus.path.section(u'/', -1);
    if (name == u"type")
        return typePathOf(focus.path);
    if (name == u"state")
        return focus.resource == NoResource ? QString() : r.shown(m_about.world->tree.code(focus.resource));
    if (name == u"etag")
        return focus.resource == NoResource ? QString() : etag(*m_about.world, focus.resource);
    if (name == u"guid")
        return instance(focus.path);
    if (name == u"id")
        return operation ? operation->id : QString();
    if (name == u"op")
        return operation ? operation->op : m_about.op;
    if (name == u"status")
        return operation ? statusName(operation->status == Status::Waiting ? Status::InProgress : operation->status) : QString();
    if (name == u"code")
        return m_about.code;
    if (name == u"message")
        return m_about.message;
    if (name == u"other id")
        return operation ? operation->canceledBy : QString();
    if (name == u"other op") {
        const Operation *other = operation && m_about.operations ? m_about.operations->find(operation->canceledBy) : nullptr;
        return other ? other->op : QString();
    }
    if (name == u"operation url")
        return operation ? url(u"operation"_s, operation->id) : QString();
    if (name == u"result url")
        return operation ? url(u"result"_s, operation->id) : QString();
    if (name == u"retry after")
        return m_about.retryAfter < 0 ? QString() : QString::number(m_about.retryAfter);
    if (name == u"request id")
        return m_about.requestId;
    if (name == u"date")
        return httpDate();
    if (name == u"version")
        return m_about.version;
    if (name == u"last version")
        return r.pack().wire.versions.isEmpty() ? QString() : r.pack().wire.versions.last();
    return {};
}

std::optional<QString> WireWriter::text(const QString &withHoles) const
{
    QString result;
    qsizetype at = 0;
    for (qsizetype open = withHoles.indexOf(u'{'); open >= 0; open = withHoles.indexOf(u'{', at)) {
        const qsizetype end = withHoles.indexOf(u'}', open);
        if (end < 0)
            break;
        const QString value = hole(withHoles.mid(open + 1, end - open - 1));
        if (value.isEmpty())
            return {};
        result += withHoles.mid(at, open - at) + value;
        at = end + 1;
    }
    return result + withHoles.mid(at);
}

QString WireWriter::filled(const QString &withHoles, const Focus &focus) const
{
    QString result;
    qsizetype at = 0;
    for (qsizetype open = withHoles.indexOf(u'{'); open >= 0; open = withHoles.indexOf(u'{', at)) {
        const qsizetype end = withHoles.indexOf(u'}', open);
        if (end < 0)
            break;
        result += withHoles.mid(at, open - at) + hole(withHoles.mid(open + 1, end - open - 1), focus);
        at = end + 1;
    }
    return result + withHoles.mid(at);
}

QByteArray WireWriter::document(const QString &id) const
{
    const Template *found = m_book.find(id);
    if (!found)
        return {};
    QByteArray out;
    out.reserve(512);
    const bool exists = m_about.world && m_about.resource != NoResource && m_about.world->tree.exists(m_about.resource);
    write(*found, exists ? focusOn(m_about.resource) : Focus { NoResource, m_about.path }, &out);
    return out;
}

void WireWriter::write(const Template &document, const Focus &focus, QByteArray *out) const
{
    const QByteArray body = focus.resource == NoResource ? QByteArray() : storedBody(document, focus);
    if (body.isEmpty()) {
        write(document, document.root(), {}, {}, focus, out);
        return;
    }
    const Result<Document> stored = Document::parse(body, QString());
    write(document, document.root(), {}, stored ? stored->root() : Value(), focus, out);
}

/// What a client stored, or what the resource was loaded with in its place.
QByteArray WireWriter::storedBody(const Template &document, const Focus &focus) const
{
    const World &world = *m_about.world;
    if (const auto body = world.bodies.constFind(focus.resource); body != world.bodies.constEnd())
        return *body;
    if (!document.properties())
        return {};
    const ReferencePlaces places(r, m_book.find(u"reference"_s));
    QJsonValue value = places.with(typePathOf(focus.path), world.properties.value(focus.resource), world.references.value(focus.resource));
    for (auto key = document.properties()->crbegin(); key != document.properties()->crend(); ++key)
        value = QJsonObject { { *key, value } };
    return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
}

void WireWriter::write(const Template &document, Value value, const QStringList &place, Value stored, const Focus &focus, QByteArray *out) const
{
    switch (value.kind()) {
    case Value::Kind::String:
        *out += value.raw().contains('{') ? jsonString(filled(value.string(), focus)) : value.raw().toByteArray();
        break;
    case Value::Kind::Object:
        writeObject(document, value, place, stored, focus, out);
        break;
    case Value::Kind::Array:
        if (value.size() == 1 && (*value.items().begin()).is(Value::Kind::String)) {
            writeList(*value.items().begin(), out);
            break;
        }
        *out += '[';
        for (const Value item : value.items()) {
            comma(out);
            write(document, item, place, {}, focus, out);
        }
        *out += ']';
        break;
    default:
        *out += value.raw();
    }
}

void WireWriter::writeObject(
    const Template &document, Value value, const QStringList &place, Value stored, const Focus &focus, QByteArray *out) const
{
    const auto names = r.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    *out += '{';
    for (const Member entry : value.members()) {
        const QString key = entry.key.string();
        if (!key.startsWith(u'{')) {
            comma(out);
            *out += entry.key.raw();
            *out += ':';
            const Value below = stored.is(Value::Kind::Object) ? member(stored, key, names) : Value();
            write(document, entry.value, place + QStringList { key }, below, focus, out);
            continue;
        }
        if (key == u"{body}") {
            writeStored(document, place, stored, focus, out);
            continue;
        }
        const Template *other = m_book.find(entry.value.string());
        if (!other || focus.resource == NoResource)
            continue;
        if (key == u"{children}")
            writeChildren(*other, focus, out);
        else if (key == u"{referrers}")
            writeReferrers(*other, focus, out);
    }
    *out += '}';
}

void WireWriter::writeList(Value value, QByteArray *out) const
{
    *out += '[';
    if (value.isString("{resources}")) {
        const Template *found = m_book.find(u"resource"_s);
        const World &world = *m_about.world;
        if (found) {
            const QString segment = m_about.path.section(u'/', -1);
            const Resource parent = world.tree.find(m_about.path.left(m_about.path.size() - segment.size() - 1));
            const int type = world.tree.childType(parent == NoResource ? -1 : world.tree.type(parent), segment);
            const auto add = [&](Resource resource) {
                if (world.tree.type(resource) != type || !r.isShown(world.tree.code(resource)))
                    return;
                comma(out);
                write(*found, focusOn(resource), out);
            };
            if (parent != NoResource) {
                for (const Resource child : world.tree.children(parent))
                    add(child);
            } else {
                for (const quint32 branch : world.tree.branches())
                    add(world.tree.at(branch, 0));
            }
        }
    } else if (value.isString("{versions}")) {
        for (const QString &version : r.pack().wire.versions) {
            comma(out);
            *out += jsonString(version);
        }
    } else if (value.isString("{details}")) {
        for (qsizetype i = 0; i + 1 < m_about.details.size(); i += 2) {
            comma(out);
            *out += "{\"code\":" + jsonString(m_about.details[i]) + ",\"message\":" + jsonString(m_about.details[i + 1]) + '}';
        }
    } else {
        *out += value.raw().contains('{') ? jsonString(filled(value.string(), { NoResource, m_about.path })) : value.raw().toByteArray();
    }
    *out += ']';
}

/// The members that the client stored in this place, but for those that are not its to set.
void WireWriter::writeStored(const Template &document, const QStringList &place, Value stored, const Focus &focus, QByteArray *out) const
{
    const auto names = r.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    const QStringList own = document.own(place);
    const Tree &tree = m_about.world->tree;
    const bool holdsChildren = document.children() == place && focus.resource != NoResource;
    const QStringList backs = holdsChildren ? m_book.backs.value(tree.typePath(tree.type(focus.resource)).toCaseFolded()) : QStringList();
    for (const Member entry : stored.members()) {
        const QString key = entry.key.string();
        if (own.contains(key, names) || backs.contains(key.toCaseFolded())
            || (holdsChildren && tree.childType(tree.type(focus.resource), key) >= 0))
            continue;
        comma(out);
        *out += entry.key.raw();
        *out += ':';
        *out += entry.value.raw();
    }
}

void WireWriter::writeChildren(const Template &child, const Focus &focus, QByteArray *out) const
{
    const Tree &tree = m_about.world->tree;
    QMap<int, QList<Resource>> byType;
    for (const Resource below : tree.children(focus.resource)) {
        if (r.isShown(tree.code(below)))
            byType[tree.type(below)] += below;
    }
    for (auto it = byType.cbegin(); it != byType.cend(); ++it) {
        comma(out);
        *out += jsonString(tree.typePath(it.key()).section(u'/', -1));
        *out += ":[";
        for (const Resource below : *it) {
            comma(out);
            write(child, { below, focus.path + u'/' + tree.path(below).section(u'/', -2) }, out);
        }
        *out += ']';
    }
}

void WireWriter::writeReferrers(const Template &reference, const Focus &focus, QByteArray *out) const
{
    const World &world = *m_about.world;
    const QString type = world.tree.typePath(world.tree.type(focus.resource));
    const ReferencePlaces places(r, nullptr);
    QMap<QString, QStringList> lists;
    for (const Resource referrer : world.referrers.value(pathKey(world, focus.path))) {
        const QString back = places.back(world.tree.typePath(world.tree.type(referrer)), type);
        if (!back.isEmpty())
            lists[back] += world.tree.path(referrer);
    }
    for (auto it = lists.cbegin(); it != lists.cend(); ++it) {
        comma(out);
        *out += jsonString(it.key());
        *out += ":[";
        for (const QString &path : *it) {
            comma(out);
            write(reference, { NoResource, path }, out);
        }
        *out += ']';
    }
}

} // namespace instar
