// SPDX-License-Identifier: Apache-2.0
#include "model/remote/messages.h"

#include "model/formats/output.h"
#include "model/remote/writer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

class Messages::Private
{
public:
    explicit Private(const Rules &rules)
        : r(rules),
          wire(rules.pack().wire),
          names(rules.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive),
          book(rules)
    {
        for (const WireRequest &row : wire.requests) {
            QString whole = row.path;
            whole.replace(u"{base}"_s, wire.base);
            whole.replace(u"{path}"_s, u"/{path}"_s);
            whole.replace(u"{collection}"_s, u"/{collection}"_s);
            patterns += whole.split(u'/', Qt::SkipEmptyParts);
        }
        childrenInside = find(u"resource"_s) && find(u"resource"_s)->children() == find(u"resource"_s)->properties();
        for (const Type &type : rules.pack().types) {
            keysInside[type.path] += references().keys(type.path);
            const qsizetype cut = type.path.lastIndexOf(u'/');
            if (const Type *above = cut > 0 && childrenInside ? rules.typeRow(type.path.left(cut)) : nullptr)
                keysInside[above->path] += type.path.mid(cut + 1);
        }
    }
    /// The keys of a resource's properties that are references' or collections'.
    QStringList keysOf(const QString &type) const
    {
        const Type *row = r.typeRow(type);
        return row ? keysInside.value(row->path) : QStringList();
    }

    const Template *find(const QString &id) const { return book.find(id); }
    ReferencePlaces references() const { return ReferencePlaces(r, find(u"reference"_s)); }
    QString usual(const QString &version) const
    {
        return version.isEmpty() && !wire.versions.isEmpty() ? wire.versions.first() : version;
    }
    QString filled(QString path, const QString &about, const QString &version) const;
    bool fits(const QStringList &keys, const QStringList &parts, Asked *asked) const;
    ResourceMessage resource(Value value, const QString &path) const;
    const Phrasebook::Answer *answer(const QString &to, const About &about) const;
    QString textAt(const Template &document, Value root, const QString &hole) const;

    const Rules &r;
    const Wire &wire;
    Qt::CaseSensitivity names;
    Phrasebook book;
    bool childrenInside = false; ///< children stand among the properties
    QList<QStringList> patterns; ///< of the requests: the parts of their paths
    QHash<QString, QStringList> keysInside; ///< type -> keys of its properties that hold references or children
};

namespace {

QString encoded(const QString &path)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(path, "/!$&'()*+,;=:@"));
}

QString typed(const QJsonValue &value)
{
    return value.isString() ? value.toString() : QString();
}

} // namespace

Messages::Messages(const Rules &rules) : d(std::make_shared<const Private>(rules)) { }

const Wire &Messages::wire() const
{
    return d->wire;
}

QString Messages::Private::filled(QString path, const QString &about, const QString &version) const
{
    path.replace(u"{base}"_s, wire.base);
    path.replace(u"{version}"_s, usual(version));
    for (const QString &hole : { u"{path}"_s, u"{collection}"_s, u"{operation}"_s, u"{name}"_s })
        path.replace(hole, encoded(hole == u"{name}" ? about.section(u'/', -1) : about));
    return path;
}

Result<HttpRequest> Messages::request(const Request &request, const QString &version) const
{
    const auto row = std::ranges::find(d->wire.requests, request.op, &WireRequest::ask);
    if (row == d->wire.requests.end())
        return Error { u"the pack %1 does not say how to ask for %2 over HTTP"_s.arg(d->r.pack().id, request.op) };
    HttpRequest http;
    http.method = row->method.toLatin1();
    http.target = d->filled(row->path, row->path.contains(u"{collection}") ? request.path.section(u'/', 0, -2) : request.path, version).toLatin1();
    if (!row->body.isEmpty()) {
        http.body = request.body;
        const Template *document = d->find(row->body);
        if (http.body.isEmpty() && document) {
            QJsonValue value = d->references().with(typePathOf(request.path), request.properties, request.references);
            const QStringList place = document->properties().value_or(QStringList());
            for (auto key = place.crbegin(); key != place.crend(); ++key)
                value = QJsonObject { { *key, value } };
            QJsonObject root = value.toObject();
            if (const auto name = document->place(u"name"_s); name && name->size() == 1)
                root.insert(name->first(), request.path.section(u'/', -1));
            http.body = QJsonDocument(root).toJson(QJsonDocument::Compact);
        }
    }
    const auto add = [&](const QByteArray &name, const QByteArray &value) {
        const auto same = [&](const RequestHeader &own) { return own.name.compare(QLatin1StringView(name), Qt::CaseInsensitive) == 0; };
        if (!value.isEmpty() && std::ranges::none_of(request.headers, same))
            http.headers.append({ name, value });
    };
    add("Accept", "application/json");
    if (!http.body.isEmpty())
        add("Content-Type", "application/json; charset=UTF-8");
    add("If-Match", request.ifMatch.toUtf8());
    add("If-None-Match", request.ifNoneMatch.toUtf8());
    if (!d->wire.requestIdHeader.isEmpty())
        add(d->wire.requestIdHeader.toLatin1(), request.requestId.toUtf8());
    for (const RequestHeader &own : request.headers)
        http.headers.append({ own.name.toUtf8(), own.value.toUtf8() });
    return http;
}

Result<HttpRequest> Messages::question(const QString &ask, const QString &about, const QString &version) const
{
    const auto row = std::ranges::find(d->wire.requests, ask, &WireRequest::ask);
    if (row == d->wire.requests.end())
        return Error { u"the pack %1 does not say how to ask for a %2 over HTTP"_s.arg(d->r.pack().id, ask) };
    HttpRequest http;
    http.method = row->method.toLatin1();
    http.target = d->filled(row->path, about, version).toLatin1();
    http.headers.append(HttpHeader { "Accept", "application/json" });
    return http;
}

QStringList Messages::topCollections() const
{
    QStringList collections;
    for (const Type &type : d->r.pack().types) {
        if (!type.path.contains(u'/') && type.path != u"*" && d->r.applies(type))
            collections += u'/' + type.path;
    }
    return collections;
}

QString Messages::Private::textAt(const Template &document, Value root, const QString &hole) const
{
    const auto place = document.place(hole);
    return place ? valueAt(root, *place, names).string() : QString();
}

ResourceMessage Messages::Private::resource(Value value, const QString &path) const
{
    ResourceMessage message;
    message.path = path;
    const Template *document = find(u"resource"_s);
    if (!document)
        return message;
    const ReferencePlaces places = references();
    if (message.path.isEmpty())
        message.path = places.plain(textAt(*document, value, u"path"_s));
    message.name = textAt(*document, value, u"name"_s);
    message.state = textAt(*document, value, u"state"_s);
    message.etag = textAt(*document, value, u"etag"_s);
    message.body = value.raw().toByteArray();

    const QString type = typePathOf(message.path);
    const QStringList keys = keysOf(type);
    if (const auto &place = document->properties()) {
        const Value properties = valueAt(value, *place, names);
        const References found = places.found(type, properties);
        message.references = found.paths;
        message.problem = found.problem;
        message.problemText = found.text;
        message.properties = QJsonDocument::fromJson(properties.raw().toByteArray()).object();
        const QStringList plain = message.properties.keys();
        const QStringList special = keys + document->own(*place);
        for (const QString &key : plain) {
            if (special.contains(key, names))
                message.properties.remove(key);
        }
    }
    if (!document->children())
        return message;
    const Value around = valueAt(value, *document->children(), names);
    for (const Member list : around.members()) {
        const QString segment = list.key.string();
        const Type *row = childrenInside && !keys.contains(segment, names) ? nullptr : r.typeRow(type + u'/' + segment);
        if (!row)
            continue;
        const QString collection = message.path + u'/' + row->path.section(u'/', -1);
        if (!list.value.is(Value::Kind::Array)) {
            message.problem = u"malformedBody"_s;
            message.problemText = u"%1 is to be a list, not %2"_s.arg(segment, list.value.kindName());
            continue;
        }
        message.collections += collection;
        for (const Value item : list.value.items()) {
            QString name = textAt(*document, item, u"name"_s);
            if (name.isEmpty())
                name = textAt(*document, item, u"path"_s).section(u'/', -1);
            if (name.isEmpty() || name.contains(u'/') || !item.is(Value::Kind::Object)) {
                message.problem = u"malformedBody"_s;
                message.problemText = u"%1 holds something that has no name"_s.arg(segment);
                continue;
            }
            message.children += resource(item, collection + u'/' + name);
            if (message.problem.isEmpty()) {
                message.problem = message.children.last().problem;
                message.problemText = message.children.last().problemText;
            }
        }
    }
    return message;
}

ResourceMessage Messages::resource(Value value, const QString &path) const
{
    return d->resource(value, path);
}

Result<ResourceMessage> Messages::resource(const QByteArray &json, const QString &path) const
{
    const Result<Document> document = Document::parse(json, path);
    if (!document)
        return Error { document.error() };
    if (!document->root().is(Value::Kind::Object))
        return Error { u"%1: expected a resource, found %2"_s.arg(path, document->root().kindName()) };
    return d->resource(document->root(), path);
}

Result<Messages::Collection> Messages::collection(const QByteArray &json, const QString &path) const
{
    const Result<Document> document = Document::parse(json, path);
    if (!document)
        return Error { document.error() };
    const Template *row = d->find(u"collection"_s);
    Collection result;
    Value list = document->root();
    if (row && !row->listKey().isEmpty()) {
        list = instar::member(document->root(), row->listKey(), d->names);
        result.next = instar::member(document->root(), row->textKey(), d->names).string();
    }
    if (list && !list.is(Value::Kind::Array))
        return Error { u"%1: expected a list of resources, found %2"_s.arg(path, list.kindName()) };
    for (const Value item : list.items()) {
        ResourceMessage told = d->resource(item, {});
        const Template *resource = d->find(u"resource"_s);
        const QString name = resource ? d->textAt(*resource, item, u"name"_s) : QString();
        if (!name.isEmpty() && !told.path.startsWith(path + u'/', d->names))
            told = d->resource(item, path + u'/' + name);
        if (told.path.startsWith(u'/'))
            result.resources += told;
    }
    return result;
}

Result<OperationMessage> Messages::operation(const QByteArray &json) const
{
    const Result<Document> document = Document::parse(json, u"the operation"_s);
    if (!document)
        return Error { document.error() };
    OperationMessage message = error(json);
    const Template *row = d->find(u"operation"_s);
    if (!row)
        return message;
    const auto place = row->place(u"status"_s);
    const Value word = place ? valueAt(document->root(), *place, Qt::CaseInsensitive) : Value();
    if (!word.is(Value::Kind::String))
        return message;
    message.word = word.string();
    const WireFollow &follow = d->wire.follow;
    const auto is = [&](const QStringList &words) { return words.contains(message.word, Qt::CaseInsensitive); };
    message.status = is(follow.succeeded) ? Status::Succeeded
        : is(follow.failed)               ? Status::Failed
        : is(follow.canceled)             ? Status::Canceled
                                          : Status::InProgress;
    return message;
}

OperationMessage Messages::error(const QByteArray &json) const
{
    OperationMessage message;
    const Template *row = d->find(u"error"_s);
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (!row || !document.isObject())
        return message;
    const auto read = [&](const QString &hole) {
        const auto place = row->place(hole);
        QJsonValue value = document.object();
        for (const QString &key : place.value_or(QStringList { QString() }))
            value = value.toObject().value(key);
        return typed(value);
    };
    message.code = read(u"code"_s);
    message.message = read(u"message"_s);
    return message;
}

bool Messages::Private::fits(const QStringList &keys, const QStringList &parts, Asked *asked) const
{
    qsizetype at = 0;
    for (const QString &key : keys) {
        if (key == u"{path}" || key == u"{collection}") {
            const qsizetype rest = parts.size() - at;
            const bool isPath = key == u"{path}";
            if (rest < 1 || (rest % 2 == 0) != isPath)
                return false;
            asked->path = u'/' + parts.mid(at).join(u'/');
            return !parts.mid(at).contains(QString());
        }
        if (at >= parts.size())
            return false;
        const QString &part = parts[at++];
        if (key == u"{version}") {
            asked->version = part;
            const auto known = std::ranges::find_if(wire.versions, [&](const QString &v) { return v.compare(part, names) == 0; });
            asked->badVersion = known == wire.versions.end();
        } else if (key == u"{operation}") {
            asked->operation = part;
        } else if (key.compare(part, names) != 0) {
            return false;
        }
    }
    return at == parts.size();
}

Messages::Asked Messages::asked(const HttpRequest &request) const
{
    QByteArray target = request.target;
    if (const qsizetype query = target.indexOf('?'); query >= 0)
        target.truncate(query);
    if (const qsizetype host = target.indexOf("://"); host > 0 && target.indexOf('/', host + 3) > 0)
        target = target.mid(target.indexOf('/', host + 3));
    QStringList parts;
    for (const QByteArray &part : target.mid(target.startsWith('/')).split('/'))
        parts += part.contains('%') ? QUrl::fromPercentEncoding(part) : QString::fromUtf8(part);
    if (!d->wire.suffix.isEmpty() && parts.last().endsWith(d->wire.suffix))
        parts.last().chop(d->wire.suffix.size());

    const QLatin1StringView method(request.method == "HEAD" ? QByteArrayView("GET") : QByteArrayView(request.method));
    // A name with a slash in it cannot be told from a path.
    const auto fits = [&](qsizetype row, Asked *asked) {
        return d->fits(d->patterns[row], parts, asked) && asked->path.count(u'/') <= target.count('/');
    };
    Asked result;
    for (qsizetype i = 0; i < d->patterns.size(); ++i) {
        const WireRequest &row = d->wire.requests[i];
        if (row.method != method)
            continue;
        Asked asked;
        if (!fits(i, &asked))
            continue;
        if (!asked.badVersion) {
            asked.row = &row;
            return asked;
        }
        result.badVersion = true;
    }
    for (qsizetype i = 0; i < d->patterns.size(); ++i) {
        const WireRequest &row = d->wire.requests[i];
        Asked asked;
        if (!fits(i, &asked) || asked.badVersion)
            continue;
        if (!result.allowed.contains(row.method))
            result.allowed += row.method;
        if (row.method == u"GET"_s && !result.allowed.contains(u"HEAD"_s))
            result.allowed += u"HEAD"_s;
        result.path = asked.path;
        result.operation = asked.operation;
        result.version = asked.version;
    }
    return result;
}

Messages::References Messages::references(const QString &typePath, Value body) const
{
    const Template *document = d->find(u"resource"_s);
    if (!document || !document->properties())
        return {};
    return d->references().found(typePath, valueAt(body, *document->properties(), d->names));
}

const Phrasebook::Answer *Messages::Private::answer(const QString &to, const About &about) const
{
    const QString &op = about.operation ? about.operation->op : about.op;
    const auto fits = [&](const Phrasebook::Answer &answer) {
        const WireAnswer &row = *answer.row;
        return (row.at.isEmpty() || row.at.contains(about.at)) && (row.op.isEmpty() || row.op.contains(op))
            && (row.target == WireAnswer::Target::Any || (row.target == WireAnswer::Target::Created) == about.created);
    };
    const QList<Phrasebook::Answer> &rows = book.answersTo(to);
    const auto found = std::ranges::find_if(rows, fits);
    return found == rows.end() ? nullptr : &*found;
}

bool Messages::hasAnswer(const QString &to, const About &about) const
{
    const Phrasebook::Answer *answer = d->answer(to, about);
    return answer && answer->row->to.contains(to);
}

HttpResponse Messages::answer(const QString &to, const About &about) const
{
    const WireWriter writer(d->r, d->book, about);
    HttpResponse response;
    response.status = 500;
    const Phrasebook::Answer *answer = d->answer(to, about);
    const auto addHeaders = [&](const Phrasebook::Headers &headers) {
        for (const auto &[name, withHoles] : headers) {
            if (const auto text = writer.text(withHoles))
                response.headers.append(HttpHeader { name, text->toUtf8() });
        }
    };
    addHeaders(d->book.headers);
    if (!answer)
        return response;
    const WireAnswer &row = *answer->row;
    response.status = row.code ? row.code : about.http ? about.http : 500;
    addHeaders(answer->headers);
    if (!row.body.isEmpty()) {
        response.body = writer.document(row.body);
        response.headers.append(HttpHeader { "Content-Type", "application/json; charset=UTF-8" });
    }
    return response;
}

QByteArray Messages::document(const QString &id, const About &about) const
{
    return WireWriter(d->r, d->book, about).document(id);
}

} // namespace instar
