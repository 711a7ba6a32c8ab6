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
    changeAll(&request->replaces, to);
    changeKeys(&request->work, to);
    changeKeys(&request->requests, to);
    for (Enclosed &enclosed : request->requests)
        changeAll(&enclosed.references, to);
    for (Request &content : request->contents)
        changeIn(&content, to);
}

/// Puts the names of now, all but paths, into what was said under the names of before.
class NamesOfNow
{
public:
    NamesOfNow(const Rules &before, const Renames &renames) : m_before(before), m_renames(renames)
    { }

    QString now(Name what, const QString &name) const
    {
        return m_renames.now(what, name).value_or(name);
    }
    QString trigger(const QString &name) const { return m_renames.trigger(name).value_or(name); }
    QString state(const QString &name, const QString &pathOf) const
    {
        const int machine = m_before.machineForType(typePathOf(pathOf));
        const QString where =
            machine == Rules::None ? QString() : m_before.machines()[size_t(machine)].id;
        return name.isEmpty() ? name : m_renames.now(Name::State, name, where).value_or(name);
    }
    QString path(const QString &name) const
    {
        QStringList parts = name.split(u'/');
        QString type;
        for (qsizetype i = 1; i < parts.size(); i += 2) {
            type += (i > 1 ? u"/"_s : QString()) + parts[i];
            parts[i] = m_renames.type(type).value_or(type).section(u'/', -1);
        }
        return parts.join(u'/');
    }
    void change(Request *request) const
    {
        for (Piece &piece : request->work) {
            for (QString &outcome : piece.outcomes)
                outcome = trigger(outcome);
        }
        changeKeys(&request->work, [&](const QString &key) {
            const qsizetype cut = key.indexOf(u" /"_s);
            return cut < 0 ? state(key, request->path) : trigger(key.first(cut)) + key.sliced(cut);
        });
        changeKeys(&request->conditions,
            [this](const QString &name) { return now(Name::Condition, name); });
        request->op = trigger(request->op);
        request->outcome = trigger(request->outcome);
        for (Request &content : request->contents)
            change(&content);
    }

private:
    const Rules &m_before;
    const Renames &m_renames;
};

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

Scenario renamed(Scenario scenario, const Rules &before, const Renames &renames)
{
    const NamesOfNow names(before, renames);
    const auto toPath = [&names](const QString &path) { return names.path(path); };
    if (scenario.resources) {
        for (ResourceSpec &spec : *scenario.resources) {
            spec.state = names.state(spec.state, spec.path);
            spec.path = names.path(spec.path);
            changeAll(&spec.references, toPath);
        }
    }
    for (ScenarioStep &step : scenario.steps) {
        names.change(&step.request);
        for (QString &op : step.ops)
            op = names.trigger(op);
        step.outcome = names.trigger(step.outcome);
        QMap<QString, QString> &words = step.expectation.resources;
        for (auto it = words.begin(); it != words.end(); ++it)
            *it = names.state(*it, it.key());
        for (QString &code : step.expectation.errors)
            code = names.now(Name::Refusal, code);
        step = withPaths(std::move(step), toPath);
    }
    return scenario;
}

} // namespace instar
