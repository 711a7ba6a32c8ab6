// SPDX-License-Identifier: Apache-2.0
#include "model/remote/phrasebook.h"

#include "model/engine/errorcodes.h"
#include "model/formats/output.h"

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

bool holdRequests(const Phrasebook::Headers &headers)
{
    return std::ranges::any_of(
        headers, [](const auto &header) { return header.second.holes.contains(Hole::Header); });
}

QString encodedPath(const QString &path)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(path, "/!$&'()*+,;=:@"));
}

/// What a row's holes are filled with where it is about that path; nothing: it is not. A row about
/// a collection speaks of what is to be made there, too.
std::optional<PathTemplate::Filling> fillingOf(
    const WireRequest &row, const QString &about, Qt::CaseSensitivity names)
{
    if (row.of.isEmpty())
        return PathTemplate::Filling();
    const PathTemplate of(row.of);
    const bool isMember = of.size() % 2 == 1 && about.count(u'/') % 2 == 0;
    return of.fit(isMember ? about.section(u'/', 0, -2) : about, names);
}

} // namespace

Phrasebook::Headers Phrasebook::headersOf(const QList<WireHeader> &rows)
{
    Headers headers;
    for (const WireHeader &row : rows)
        headers.append({ row.name.toLatin1(), HoleText::of(row.text) });
    return headers;
}

Phrasebook::Phrasebook(const Rules &pack)
    : rules(pack),
      wire(pack.pack().wire),
      names(pack.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive),
      patterns(pack),
      templates(templatesOf(wire)),
      resource(find(u"resource"_s)),
      types(pack, templates),
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
    areDocumentsOfTypes = std::ranges::any_of(
        rules.pack().types, [](const Type &type) { return !type.documents.isEmpty(); });
    QStringList asked;
    for (const WireRequest &row : wire.requests)
        asked += row.ask;
    asked.removeDuplicates();
    for (const WireAnswer &row : wire.answers) {
        if (!rules.applies(row))
            continue;
        const Answer answer { &row, headersOf(row.headers), find(row.body) };
        repeatsHeaders = repeatsHeaders || holdRequests(answer.headers);
        if (row.to.isEmpty())
            anyAnswers += answer;
        for (const QString &ask : std::as_const(asked)) {
            if (row.to.isEmpty() || row.to.contains(ask))
                answers[ask] += answer;
        }
    }
    for (const WireRequest &row : wire.requests) {
        QString path = wire.pathOf(row);
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

const Template *Phrasebook::find(const QString &document, const TypeParts *type) const
{
    return find(type ? type->type->documents.value(document, document) : document);
}

const Template *Phrasebook::inside(const Template *document, const QString &path) const
{
    return document && document->wrapped() ? findAt(document->wrapped()->document, path) : document;
}

const Template *Phrasebook::findAt(const QString &document, const QString &path) const
{
    return areDocumentsOfTypes ? find(document, typeAt(path)) : find(document);
}

const Template *Phrasebook::resourceAt(const QString &path) const
{
    return areDocumentsOfTypes ? resourceOf(typeAt(path)) : resource;
}

QByteArray Phrasebook::wrapped(const Template *document, QByteArray inside) const
{
    if (!document || !document->wrapped())
        return inside;
    const QStringList &place = document->wrapped()->place;
    for (auto key = place.crbegin(); key != place.crend(); ++key)
        inside = "{" + jsonString(*key) + ":" + inside + "}";
    return inside;
}

PathTemplate::Filling Phrasebook::partsOfName(const QString &path) const
{
    const WireRequest *row = rowFor(u"resource"_s, path);
    return row ? fillingOf(*row, path, names).value_or(PathTemplate::Filling())
               : PathTemplate::Filling();
}

QString Phrasebook::nameOfParts(const QString &typePath, const PathTemplate::Filling &parts) const
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

const TypeParts *Phrasebook::typeAt(const QString &path) const
{
    return types.find(typePathOf(path));
}

const WireRequest *Phrasebook::rowFor(const QString &ask, const QString &about) const
{
    const auto found = std::ranges::find_if(wire.requests,
        [&](const WireRequest &row) { return row.ask == ask && fillingOf(row, about, names); });
    return found == wire.requests.end() ? nullptr : &*found;
}

QByteArray Phrasebook::targetOf(
    const WireRequest &row, const QString &about, const QString &version) const
{
    QString path = wire.pathOf(row);
    path.replace(u"{version}"_s,
        version.isEmpty() && !wire.versions.isEmpty() ? wire.versions.first() : version);
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

const QList<Phrasebook::Answer> &Phrasebook::answersTo(const QString &asked) const
{
    const auto found = answers.constFind(asked);
    return found == answers.constEnd() ? anyAnswers : *found;
}

} // namespace instar
