// SPDX-License-Identifier: Apache-2.0
#include "model/remote/writer.h"

#include "model/engine/hex.h"
#include "model/formats/output.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QLocale>

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

/// An identity that is the same whenever the same resource is asked for: a hash of its path, as a UUID of version 8
/// (RFC 9562: custom).
QString instance(const QString &path)
{
    quint64 halves[2] { 0xcbf29ce484222325u, 0x84222325cbf29ce4u };
    for (const QChar c : path) {
        for (quint64 &half : halves) {
            half ^= c.toCaseFolded().unicode();
            half *= 0x100000001b3u;
            half ^= half >> 29;
        }
    }
    return hexGroups((halves[0] & ~0xf000ull) | 0x8000u, (halves[1] & 0x3fffffffffffffffull) | 0x8000000000000000ull);
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
    const Wire &wire = pack.wire;
    for (const WireDocument &row : wire.documents)
        templates.emplace(row.id, Template(row));
    for (const Type &type : pack.types) {
        for (const ReferenceRule &rule : type.references) {
            for (const QString &referred : rule.types) {
                if (const Type *row = rule.back.isEmpty() ? nullptr : rules.typeRow(referred))
                    backs[row->path] += rule.back;
            }
        }
    }
    const auto compiled = [](const QList<WireHeader> &rows) {
        Headers result;
        for (const WireHeader &row : rows)
            result.append({ row.name.toLatin1(), HoleText::of(row.text) });
        return result;
    };
    headers = compiled(wire.headers);
    QStringList asked;
    for (const WireRequest &row : wire.requests)
        asked += row.ask;
    for (const WireAnswer &row : wire.answers) {
        if (!rules.applies(row))
            continue;
        const Answer answer { &row, compiled(row.headers) };
        if (row.to.isEmpty())
            anyAnswers += answer;
        for (const QString &ask : std::as_const(asked)) {
            if ((row.to.isEmpty() || row.to.contains(ask)) && (answers[ask].isEmpty() || answers[ask].last().row != &row))
                answers[ask] += answer;
        }
    }
    for (const WireRequest &row : wire.requests) {
        QString path = row.path;
        path.replace(u"{base}"_s, wire.base);
        path.replace(u"{operation}"_s, u"{id}"_s);
        if (!urls.contains(row.ask))
            urls.insert(row.ask, HoleText::of(path));
    }
}

const Template *Phrasebook::find(const QString &document) const
{
    const auto found = templates.find(document);
    return found == templates.end() ? nullptr : &found->second;
}

const QList<Phrasebook::Answer> &Phrasebook::answersTo(const QString &asked) const
{
    const auto found = answers.constFind(asked);
    return found == answers.constEnd() ? anyAnswers : *found;
}

WireWriter::WireWriter(const Rules &rules, const Phrasebook &book, const Messages::About &about)
    : r(rules), m_book(book), m_about(about)
{
}

QString WireWriter::url(const QString &question) const
{
    const auto found = m_book.urls.constFind(question);
    return found == m_book.urls.constEnd() ? QString() : m_about.origin + filled(*found, {});
}

WireWriter::Focus WireWriter::focus() const
{
    const bool exists = m_about.world && m_about.resource != NoResource && m_about.world->tree.exists(m_about.resource);
    return exists ? focusOn(m_about.resource) : Focus { NoResource, m_about.path };
}

WireWriter::Focus WireWriter::focusOn(Resource resource) const
{
    return { resource, m_about.world->tree.path(resource) };
}

QString WireWriter::hole(Hole hole, const Focus &focus) const
{
    const Operation *operation = m_about.operation;
    switch (hole) {
    case Hole::Path:
        return focus.path;
    case Hole::Name:
        return focus.path.mid(focus.path.lastIndexOf(u'/') + 1);
    case Hole::Type:
        return typePathOf(focus.path);
    case Hole::State:
        return focus.resource == NoResource ? QString() : r.shown(m_about.world->tree.code(focus.resource));
    case Hole::Etag:
        return focus.resource == NoResource ? QString() : etag(*m_about.world, focus.resource);
    case Hole::Guid:
        return instance(focus.path);
    case Hole::Id:
        return operation ? operation->id : QString();
    case Hole::Op:
        return operation ? operation->op : m_about.op;
    case Hole::Status:
        return operation ? statusName(operation->status == Status::Waiting ? Status::InProgress : operation->status) : QString();
    case Hole::OtherId:
        return operation ? operation->canceledBy : QString();
    case Hole::OtherOp: {
        const Operation *other = operation && m_about.operations ? m_about.operations->find(operation->canceledBy) : nullptr;
        return other ? other->op : QString();
    }
    case Hole::OperationUrl:
        return operation ? url(u"operation"_s) : QString();
    case Hole::ResultUrl:
        return operation ? url(u"result"_s) : QString();
    case Hole::ErrorCode:
        return m_about.code;
    case Hole::ErrorMessage:
        return m_about.message;
    case Hole::RequestId:
        return m_about.requestId;
    case Hole::Date:
        return httpDate();
    case Hole::Version:
        return m_about.version;
    case Hole::LastVersion:
        return r.pack().wire.versions.isEmpty() ? QString() : r.pack().wire.versions.last();
    case Hole::RetryAfter:
        return m_about.retryAfter < 0 ? QString() : QString::number(m_about.retryAfter);
    case Hole::Unknown:
        break;
    }
    return {};
}

std::optional<QString> WireWriter::text(const HoleText &withHoles) const
{
    QString result = withHoles.literals.first();
    for (qsizetype i = 0; i < withHoles.holes.size(); ++i) {
        // Of the resource's holes headers have the etag at most; the path is looked up only for them.
        const Hole kind = withHoles.holes[i];
        const QString value = kind <= Hole::Guid ? hole(kind, kind == Hole::Etag ? Focus { m_about.resource, {} } : focus()) : hole(kind, {});
        if (value.isEmpty())
            return {};
        result += value + withHoles.literals[i + 1];
    }
    return result;
}

QString WireWriter::filled(const HoleText &withHoles, const Focus &focus) const
{
    QString result = withHoles.literals.first();
    for (qsizetype i = 0; i < withHoles.holes.size(); ++i)
        result += hole(withHoles.holes[i], focus) + withHoles.literals[i + 1];
    return result;
}

QByteArray WireWriter::document(const QString &id) const
{
    QByteArray out;
    if (const Template *found = m_book.find(id)) {
        out.reserve(512);
        write(*found, focus(), &out);
    }
    return out;
}

void WireWriter::write(const Template &document, const Focus &focus, QByteArray *out) const
{
    const QByteArray body = focus.resource == NoResource ? QByteArray() : storedBody(document, focus);
    if (body.isEmpty()) {
        write(document.root(), {}, focus, out);
        return;
    }
    const Result<Document> stored = Document::parse(body, QString());
    write(document.root(), stored ? stored->root() : Value(), focus, out);
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

void WireWriter::write(const Node &node, Value stored, const Focus &focus, QByteArray *out) const
{
    switch (node.kind) {
    case Node::Kind::Raw:
        *out += node.raw;
        break;
    case Node::Kind::Text:
        *out += jsonString(filled(node.text, focus));
        break;
    case Node::Kind::Object:
        writeObject(node, stored, focus, out);
        break;
    case Node::Kind::Array:
        *out += '[';
        for (const Template::Entry &entry : node.entries) {
            comma(out);
            write(entry.value, {}, focus, out);
        }
        *out += ']';
        break;
    case Node::Kind::Resources:
        writeResources(out);
        break;
    case Node::Kind::Versions:
        *out += '[';
        for (const QString &version : r.pack().wire.versions) {
            comma(out);
            *out += jsonString(version);
        }
        *out += ']';
        break;
    case Node::Kind::Details:
        *out += '[';
        for (qsizetype i = 0; i + 1 < m_about.details.size(); i += 2) {
            comma(out);
            *out += "{\"code\":" + jsonString(m_about.details[i]) + ",\"message\":" + jsonString(m_about.details[i + 1]) + '}';
        }
        *out += ']';
        break;
    }
}

void WireWriter::writeObject(const Node &node, Value stored, const Focus &focus, QByteArray *out) const
{
    const auto names = r.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    *out += '{';
    for (const Template::Entry &entry : node.entries) {
        if (entry.kind == Template::Entry::Kind::Plain) {
            comma(out);
            *out += entry.key;
            const bool isDeep = entry.value.kind == Node::Kind::Object && stored.is(Value::Kind::Object);
            write(entry.value, isDeep ? member(stored, entry.name, names) : Value(), focus, out);
        } else if (entry.kind == Template::Entry::Kind::Body) {
            writeStored(node, stored, focus, out);
        } else if (const Template *other = focus.resource == NoResource ? nullptr : m_book.find(entry.document)) {
            if (entry.kind == Template::Entry::Kind::Children)
                writeChildren(*other, focus, out);
            else
                writeReferrers(*other, focus, out);
        }
    }
    *out += '}';
}

/// The resources of the collection that is asked about.
void WireWriter::writeResources(QByteArray *out) const
{
    *out += '[';
    const World &world = *m_about.world;
    const Template *document = m_book.find(u"resource"_s);
    const QString segment = m_about.path.section(u'/', -1);
    const Resource parent = world.tree.find(m_about.path.left(m_about.path.size() - segment.size() - 1));
    const int type = world.tree.childType(parent == NoResource ? -1 : world.tree.type(parent), segment);
    const auto add = [&](Resource resource) {
        if (!document || world.tree.type(resource) != type || !r.isShown(world.tree.code(resource)))
            return;
        comma(out);
        write(*document, focusOn(resource), out);
    };
    if (parent != NoResource) {
        for (const Resource child : world.tree.children(parent))
            add(child);
    } else {
        for (const quint32 branch : world.tree.branches())
            add(world.tree.at(branch, 0));
    }
    *out += ']';
}

/// The members that the client stored in this place, but for those that are not its to set.
void WireWriter::writeStored(const Node &node, Value stored, const Focus &focus, QByteArray *out) const
{
    const auto names = r.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    const Tree &tree = m_about.world->tree;
    const bool holdsChildren = node.holdsChildren && focus.resource != NoResource;
    const int type = holdsChildren ? tree.type(focus.resource) : -1;
    const QStringList backs = holdsChildren && !m_book.backs.isEmpty() ? m_book.backs.value(tree.typePath(type)) : QStringList();
    for (const Member entry : stored.members()) {
        const QString key = entry.key.string();
        if (node.own.contains(key, names) || backs.contains(key, names)
            || (holdsChildren && tree.childType(type, key) >= 0))
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
