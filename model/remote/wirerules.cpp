// SPDX-License-Identifier: Apache-2.0
#include "model/remote/wirerules.h"

#include "model/engine/admission.h"
#include "model/json/output.h"

#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

std::map<QString, Template> templatesOf(const Wire &wire)
{
    std::map<QString, Template> templates;
    for (const WireDocument &row : wire.documents)
        templates.emplace(row.id, Template(row));
    return templates;
}

bool holdRequests(const WireRules::Headers &headers)
{
    return std::ranges::any_of(
        headers, [](const auto &header) { return header.second.holes.contains(Hole::Header); });
}

QString encodedPath(const QString &path)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(path, "/!$&'()*+,;=:@"));
}

/// Values of a row's holes for a path; nothing if the row is not about it. A row about a collection
/// also covers its members.
std::optional<PathTemplate::Filling> fillingOf(
    const WireRequest &row, const QString &about, Qt::CaseSensitivity names)
{
    if (row.of.isEmpty())
        return PathTemplate::Filling();
    const PathTemplate of(row.of);
    const bool isMember = of.size() % 2 == 1 && about.count(u'/') % 2 == 0;
    return of.fit(isMember ? about.section(u'/', 0, -2) : about, names);
}

/// Collects every value at a dotted place, through all lists, marked or not.
void gather(Value from, const QStringList &place, Qt::CaseSensitivity names, QList<Value> *found)
{
    if (from.is(Value::Kind::Array)) {
        for (const Value item : from.items())
            gather(item, place, names, found);
    } else if (!place.isEmpty()) {
        gather(member(from, keyOf(place.first()), names), place.sliced(1), names, found);
    } else if (from && !from.is(Value::Kind::Null)) {
        *found += from;
    }
}

} // namespace

bool TypeParts::refersTo(const QString &typePath, Qt::CaseSensitivity names) const
{
    return std::ranges::any_of(references, [&](const Reference &reference) {
        return reference.rule->types.contains(typePath, names);
    });
}

WireRules::Headers WireRules::headersOf(const QList<WireHeader> &rows)
{
    Headers headers;
    for (const WireHeader &row : rows)
        headers.append({ row.name.toLatin1(), HoleText::of(row.text) });
    return headers;
}

WireRules::WireRules(const Rules &pack)
    : rules(pack),
      wire(pack.pack().wire),
      names(pack.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive),
      patterns(pack),
      templates(templatesOf(wire)),
      headers(headersOf(wire.headers)),
      requestIdHeader(wire.requestIdHeader.toLatin1()),
      echoHeader(wire.echoHeader.toLatin1()),
      repeatsHeaders(holdRequests(headers)),
      failures(outcomeCodes(pack.pack()) - refusalCodes(pack.pack()))
{
    for (const auto &[id, document] : templates) {
        if (const auto &wrapped = document.wrapped(); wrapped && wrapped->document == u"resource")
            wraps += wrapped->place;
    }
    QSet<QString> documentsOfTypes;
    for (const Type &type : rules.pack().types) {
        for (const QString &document : type.documents)
            documentsOfTypes.insert(document);
    }
    for (const Type &type : rules.pack().types) {
        if (rules.typeRow(type.path) == &type)
            addType(type, documentsOfTypes);
    }
    for (const Type &type : rules.pack().types)
        tellOthers(type);
    for (const WireAnswer &row : wire.answers) {
        if (rules.applies(row))
            answers.push_back({ &row, headersOf(row.headers) });
    }
    repeatsHeaders = repeatsHeaders || std::ranges::any_of(answers, holdRequests, &Answer::headers);
    for (const WireRequest &row : wire.requests) {
        QString path = wire.pathOf(row);
        path.replace(u"{operation}"_s, u"{id}"_s);
        if (!urls.contains(row.ask))
            urls.insert(row.ask, HoleText::of(path));
    }
}

/// Adds a type's parts. Documents that wrap whole resources are its own, and those of no type.
void WireRules::addType(const Type &type, const QSet<QString> &documentsOfTypes)
{
    const QString id = type.documents.value(u"resource"_s, u"resource"_s);
    const QStringList own = type.documents.values();
    const Template *resource = find(id);
    TypeParts parts { .type = &type,
        .resource = resource,
        .wraps = {},
        .references = {},
        .children = {},
        .back = {},
        .notPlain = resource ? resource->ownProperties() : QStringList() };
    for (const auto &[name, document] : templates) {
        const auto &wrapped = document.wrapped();
        const bool isOfType = own.contains(name)
            || (!documentsOfTypes.contains(name) && !type.documents.contains(name));
        if (wrapped && isOfType && (wrapped->document == u"resource" || wrapped->document == id))
            parts.wraps += wrapped->place;
    }
    for (const ReferenceRule &rule : type.references) {
        const QStringList place = rule.property.split(u'.');
        parts.notPlain += keyOf(place.first());
        if (!rules.applies(rule))
            continue;
        // Place of the path in the document of a reference; without one the value is the path.
        const Template *document = find(rule.document.isEmpty() ? u"reference"_s : rule.document);
        parts.references += { &rule, place, document ? document->place(Hole::Path) : Place() };
    }
    types.push_back(std::move(parts));
}

/// Adds what a type means for others: for its parent, among whose properties it may be, and for
/// those that it refers to.
void WireRules::tellOthers(const Type &type)
{
    const qsizetype cut = type.path.lastIndexOf(u'/');
    for (TypeParts &other : types) {
        if (cut > 0 && other.type->path.compare(QStringView(type.path).first(cut), names) == 0) {
            const QString segment = type.path.sliced(cut + 1);
            if (rules.typeRow(type.path) == &type)
                other.children += segment;
            if (other.resource && other.resource->children() == other.resource->properties())
                other.notPlain += segment;
        }
        for (const ReferenceRule &rule : type.references) {
            if (!rule.back.isEmpty() && rule.types.contains(other.type->path, names))
                other.back += rule.back;
        }
    }
}

const Template *WireRules::find(const QString &document) const
{
    const auto found = templates.find(document);
    return found == templates.end() ? nullptr : &found->second;
}

const Template *WireRules::find(const QString &document, const TypeParts *type) const
{
    return find(type ? type->type->documents.value(document, document) : document);
}

const Template *WireRules::inside(const Template *document, const QString &path) const
{
    return document && document->wrapped() ? findAt(document->wrapped()->document, path) : document;
}

QByteArray WireRules::wrapped(const Template *document, QByteArray inside) const
{
    if (!document || !document->wrapped())
        return inside;
    const QStringList &place = document->wrapped()->place;
    for (auto key = place.crbegin(); key != place.crend(); ++key)
        inside = "{" + jsonString(*key) + ":" + inside + "}";
    return inside;
}

PathTemplate::Filling WireRules::partsOfName(const QString &path) const
{
    const WireRequest *row = rowFor(u"resource"_s, path);
    return row ? fillingOf(*row, path, names).value_or(PathTemplate::Filling())
               : PathTemplate::Filling();
}

QString WireRules::nameOfParts(const QString &typePath, const PathTemplate::Filling &parts) const
{
    for (const WireRequest &row : wire.requests) {
        if (row.ask != u"resource" || typePathOf(row.of).compare(typePath, names) != 0)
            continue;
        const PathTemplate name(row.of.section(u'/', -1));
        const bool isWhole = std::ranges::none_of(
            name.holes(), [&](const QString &hole) { return parts.value(hole).isEmpty(); });
        return isWhole ? name.filled(parts).sliced(1) : QString();
    }
    return {};
}

const TypeParts *WireRules::typeAt(const QString &path) const
{
    return type(typePathOf(path));
}

const WireRequest *WireRules::rowFor(const QString &ask, const QString &about) const
{
    const auto found = std::ranges::find_if(wire.requests,
        [&](const WireRequest &row) { return row.ask == ask && fillingOf(row, about, names); });
    return found == wire.requests.end() ? nullptr : &*found;
}

QByteArray WireRules::targetOf(
    const WireRequest &row, const QString &about, const QString &version) const
{
    QString path = wire.pathOf(row);
    path.replace(u"{version}"_s, this->version(version));
    const QString query = path.contains(u'?') ? u'?' + path.section(u'?', 1) : QString();
    path.chop(query.size());
    if (!row.of.isEmpty()) {
        const bool endsInSlash = path.endsWith(u'/');
        const auto filling = fillingOf(row, about, names).value_or(PathTemplate::Filling());
        path = encodedPath(PathTemplate(path).filled(filling));
        if (endsInSlash && !path.endsWith(u'/'))
            path += u'/';
    }
    for (const QString &hole : { u"{path}"_s, u"{collection}"_s, u"{operation}"_s, u"{name}"_s })
        path.replace(hole, encodedPath(hole == u"{name}" ? about.section(u'/', -1) : about));
    return (path + query).toUtf8();
}

QList<const WireRules::Answer *> WireRules::answersTo(const QString &asked) const
{
    QList<const Answer *> fitting;
    for (const Answer &answer : answers) {
        if (answer.row->to.isEmpty() || answer.row->to.contains(asked))
            fitting += &answer;
    }
    return fitting;
}

// ---- Types in bodies

const TypeParts *WireRules::type(const QString &typePath) const
{
    const auto found = std::ranges::find_if(types,
        [&](const TypeParts &parts) { return parts.type->path.compare(typePath, names) == 0; });
    return found == types.end() ? nullptr : &*found;
}

bool WireRules::fits(const ReferenceRule &rule, const QString &typePath) const
{
    return rules.applies(rule) && rule.types.contains(typePath, names);
}

QString WireRules::plain(const QString &path) const
{
    const QString base = rules.pack().wire.base;
    QString rest = path;
    if (const qsizetype host = rest.indexOf(u"://"); host > 0)
        rest = rest.mid(rest.indexOf(u'/', host + 3));
    const qsizetype hole = base.indexOf(u"{version}");
    const QString head = hole < 0 ? base : base.left(hole);
    if (head.size() < 2 || !rest.startsWith(head, Qt::CaseInsensitive))
        return rest;
    rest = rest.mid(head.size());
    if (hole < 0)
        return rest;
    const qsizetype end = rest.indexOf(u'/');
    return end < 0 ? path : rest.mid(end);
}

/// Refusal of an invalid reference; empty if it is valid.
QString WireRules::problemOf(
    Value value, const TypeParts::Reference &reference, QString *path) const
{
    const Value text = reference.path ? valueAt(value, reference.path, names) : value;
    if (!text.is(Value::Kind::String))
        return u"malformedReference"_s;
    *path = plain(text.string());
    const QStringList parts = path->split(u'/');
    const bool isPath = parts.size() >= 3 && parts.size() % 2 == 1 && parts.first().isEmpty()
        && !parts.mid(1).contains(QString());
    if (!isPath)
        return u"malformedReference"_s;
    return fits(*reference.rule, typePathOf(*path)) ? QString() : u"wrongReference"_s;
}

References WireRules::references(const TypeParts &type, Value properties) const
{
    References result;
    if (!properties.is(Value::Kind::Object))
        return result;
    for (const TypeParts::Reference &reference : type.references) {
        QList<Value> values;
        gather(properties, reference.place, names, &values);
        for (const Value &value : std::as_const(values)) {
            QString path;
            const QString problem = problemOf(value, reference, &path);
            if (!problem.isEmpty() && result.problem.isEmpty()) {
                result.problem = problem;
                result.text = u"%1, which is to name one of %2"_s.arg(
                    reference.rule->property, reference.rule->types.join(u", "_s));
            } else if (!result.paths.contains(path)) {
                result.paths += path;
            }
        }
    }
    return result;
}

QJsonObject WireRules::withReferences(
    const QString &typePath, QJsonObject properties, const QStringList &references) const
{
    const TypeParts *type = references.isEmpty() ? nullptr : this->type(typePath);
    if (!type)
        return properties;
    for (const QString &path : references) {
        const auto found =
            std::ranges::find_if(type->references, [&](const TypeParts::Reference &reference) {
                return fits(*reference.rule, typePathOf(path));
            });
        if (found == type->references.end())
            continue;
        properties = withValueAt(
            properties, found->place, withValueAt({}, found->path.value_or(QStringList()), path))
                         .toObject();
    }
    return properties;
}

QString WireRules::back(const QString &referrerType, const QString &referredType) const
{
    const TypeParts *type = this->type(referrerType);
    if (!type)
        return {};
    for (const TypeParts::Reference &reference : type->references) {
        if (!reference.rule->back.isEmpty() && fits(*reference.rule, referredType))
            return reference.rule->back;
    }
    return {};
}

} // namespace instar
