// SPDX-License-Identifier: Apache-2.0
#include "model/engine/madenames.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// A name that says which operation made it, of what paths are usually made of.
QString nameFrom(const QString &id)
{
    QString name = id.left(200);
    std::ranges::replace_if(
        name, [](QChar c) { return !c.isLetterOrNumber() && c != u'_' && c != u'.'; }, u'-');
    return name;
}

template<typename Value>
void nameKeys(QMap<QString, Value> *map, const MadeNames &names)
{
    QMap<QString, Value> result;
    for (auto it = map->cbegin(); it != map->cend(); ++it)
        result.insert(named(it.key(), names), it.value());
    *map = result;
}

void nameAll(QStringList *paths, const MadeNames &names)
{
    for (QString &path : *paths)
        path = named(path, names);
}

void nameIn(Request *request, const MadeNames &names)
{
    request->path = named(request->path, names);
    nameAll(&request->references, names);
    nameKeys(&request->work, names);
    nameKeys(&request->requests, names);
    for (Enclosed &enclosed : request->requests)
        nameAll(&enclosed.references, names);
}

} // namespace

bool leavesName(const Request &request)
{
    return request.path.endsWith(u"/{%1}"_s.arg(request.id));
}

MadeNames madeNames(const Scenario &scenario, const Tree &tree)
{
    const auto isMaker = [](const ScenarioStep &step) {
        return step.kind == ScenarioStep::Kind::Submit && leavesName(step.request);
    };
    if (std::ranges::none_of(scenario.steps, isMaker))
        return {};
    QSet<QString> written;
    for (const ScenarioStep &step : scenario.steps) {
        for (const QString &path : step.paths + QStringList { step.request.path })
            written.insert(path.toCaseFolded());
    }
    MadeNames names;
    for (const ScenarioStep &step : scenario.steps) {
        if (!isMaker(step))
            continue;
        const QString &path = step.request.path;
        const QString collection = named(path.first(path.lastIndexOf(u'/') + 1), names);
        const QString wanted = nameFrom(step.request.id);
        QString name = wanted;
        for (int i = 2; written.contains((collection + name).toCaseFolded())
             || tree.find(collection + name) != NoResource;
             ++i)
            name = wanted + u'-' + QString::number(i);
        written.insert((collection + name).toCaseFolded());
        names.insert(step.request.id, name);
    }
    return names;
}

QString named(const QString &path, const MadeNames &names)
{
    if (names.isEmpty() || !path.contains(u"/{"_s))
        return path;
    QStringList parts = path.split(u'/');
    for (QString &part : parts) {
        const bool isHole = part.size() > 2 && part.startsWith(u'{') && part.endsWith(u'}');
        if (isHole)
            part = names.value(part.sliced(1).chopped(1), part);
    }
    return parts.join(u'/');
}

ScenarioStep named(ScenarioStep step, const MadeNames &names)
{
    nameIn(&step.request, names);
    nameAll(&step.paths, names);
    nameKeys(&step.expectation.resources, names);
    nameKeys(&step.expectation.properties, names);
    nameAll(&step.expectation.etagsChanged, names);
    nameAll(&step.expectation.etagsUnchanged, names);
    return step;
}

Scenario named(Scenario scenario, const MadeNames &names)
{
    if (names.isEmpty())
        return scenario;
    for (ScenarioStep &step : scenario.steps)
        step = named(std::move(step), names);
    return scenario;
}

} // namespace instar
