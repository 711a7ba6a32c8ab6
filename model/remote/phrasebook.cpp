// SPDX-License-Identifier: Apache-2.0
#include "model/remote/phrasebook.h"

#include "model/engine/errorcodes.h"

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

Phrasebook::Headers headersOf(const QList<WireHeader> &rows)
{
    Phrasebook::Headers headers;
    for (const WireHeader &row : rows)
        headers.append({ row.name.toLatin1(), HoleText::of(row.text) });
    return headers;
}

bool holdRequests(const Phrasebook::Headers &headers)
{
    return std::ranges::any_of(
        headers, [](const auto &header) { return header.second.holes.contains(Hole::Header); });
}

} // namespace

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

} // namespace instar
