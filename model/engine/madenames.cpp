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

using ToPath = std::function<QString(const QString &)>;

template<typename Value>
void changeKeys(QMap<QString, Value> *map, const ToPath &to)
{
    QMap<QString, Value> result;
    for (auto it = map->cbegin(); it != map->cend(); ++it)
        result.insert(to(it.key()), it.value());
    *map = result;
}

void changeAll(QStringList *paths, const ToPath &to)
{
    for (QString &path : *paths)
        path = to(path);
}

void changeIn(Request *request, const ToPath &to)
{
    request->path = to(request->path);
    changeAll(&request->references, to);
    changeKeys(&request->work, to);
    changeKeys(&request->requests, to);
    for (Enclosed &enclosed : request->requests)
        changeAll(&enclosed.references, to);
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

ScenarioStep withPaths(ScenarioStep step, const ToPath &to)
{
    changeIn(&step.request, to);
    changeAll(&step.paths, to);
    changeKeys(&step.expectation.resources, to);
    changeKeys(&step.expectation.properties, to);
    changeAll(&step.expectation.etagsChanged, to);
    changeAll(&step.expectation.etagsUnchanged, to);
    return step;
}

Scenario named(Scenario scenario, const MadeNames &names)
{
    if (names.isEmpty())
        return scenario;
    const auto to = [&](const QString &path) { return named(path, names); };
    for (ScenarioStep &step : scenario.steps)
        step = withPaths(std::move(step), to);
    return scenario;
}

} // namespace instar
