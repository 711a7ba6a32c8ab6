// SPDX-License-Identifier: Apache-2.0
#include "tests/support/staging.h"

#include "model/json/library.h"
#include "tests/support/valueof.h"

#include <QDir>
#include <QFileInfo>

#include <map>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString packFolder()
{
    return QFileInfo(QStringLiteral(__FILE__)).absolutePath() + u"/../data/packs"_s;
}

} // namespace

QStringList knownPacks()
{
    QStringList ids = builtInPacks();
    for (const QString &file :
        QDir(packFolder()).entryList({ u"*.json"_s }, QDir::Files, QDir::Name)) {
        const QString id = file.chopped(5);
        if (!ids.contains(id))
            ids.append(id);
    }
    return ids;
}

const Pack &packNamed(const QString &id)
{
    static std::map<QString, Pack> packs;
    const auto known = packs.find(id);
    if (known != packs.end())
        return known->second;
    const Pack pack =
        valueOf(loadPack(builtInPacks().contains(id) ? id : packFolder() + u'/' + id + u".json"_s));
    return packs.emplace(id, pack).first->second;
}

Rules rulesOf(const Pack &pack, const Switches &switches)
{
    return valueOf(Rules::make(pack, switches));
}

QList<Switches> switchCombinations(const Pack &pack)
{
    QList<Switches> combinations { Switches() };
    for (const Switch &each : pack.switches) {
        QList<Switches> longer;
        for (const Switches &combination : combinations) {
            for (const QString &value : each.values) {
                longer.append(combination);
                longer.last().insert(each.id, value);
            }
        }
        combinations = longer;
    }
    return combinations;
}

World worldOf(const Rules &rules, const QList<ResourceSpec> &resources)
{
    Loaded loaded = makeWorld(rules, resources);
    if (!loaded.problem.isEmpty())
        qFatal("%s", qPrintable(loaded.problem));
    return std::move(loaded.world);
}

QList<ResourceSpec> resourcesFrom(const QString &text)
{
    QList<ResourceSpec> resources;
    for (const QString &line :
        QString(text).replace(u',', u'\n').split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList halves = line.split(u"->"_s);
        const QStringList words = halves[0].split(u' ', Qt::SkipEmptyParts);
        if (words.isEmpty())
            continue;
        ResourceSpec resource;
        resource.path = words[0];
        resource.state = words.mid(1).join(u' ');
        resource.references = halves.value(1).split(u' ', Qt::SkipEmptyParts);
        resources.append(resource);
    }
    return resources;
}

QString shownTree(const Rules &rules, const World &world)
{
    QString text;
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        if (rules.isShown(code))
            text += world.tree.path(resource) + u' ' + shownWord(rules, world, resource) + u'\n';
    }
    return text;
}

QString shownAt(const Rules &rules, const World &world, const QString &path)
{
    const Resource resource = world.tree.find(path);
    if (resource == NoResource || !rules.isShown(world.tree.code(resource)))
        return u"absent"_s;
    return shownWord(rules, world, resource);
}

QString etagAt(const World &world, const QString &path)
{
    const Resource resource = world.tree.find(path);
    return resource == NoResource ? QString() : etag(world, resource);
}

QString brokenPromise(const Rules &rules, const World &world)
{
    QList<qint64> counts(rules.codeCount());
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        ++counts[code];
        const Rules::StateRule &state = rules.state(rules.stateOf(code));
        const Tree::Place place = world.tree.place(resource);
        bool answered = false;
        for (const auto &running : world.running) {
            for (const Tree::Range &range : running->affected) {
                answered |= range.branch == place.branch && place.position >= range.begin
                    && place.position < range.end;
                if (range.branch == place.branch && range.end > world.tree.branchSize(range.branch))
                    return u"%1 covers more than there is"_s.arg(running->id);
            }
        }
        if (state.isTransitional() && !answered)
            return u"%1 is in %2 and nobody answers for it"_s.arg(
                world.tree.path(resource), state.id);
        if (!state.isTransitional() && !state.isStable())
            return u"%1 is in %2, where nothing can be"_s.arg(world.tree.path(resource), state.id);
    }
    if (counts != world.tree.counts())
        return u"the counts are not those of a recount"_s;
    for (const auto &running : world.running) {
        if (running->target == NoResource || !world.tree.exists(running->target))
            return u"%1 runs on nothing"_s.arg(running->id);
        if (world.tree.find(running->path) != running->target)
            return u"%1 runs on another resource than it names"_s.arg(running->id);
    }
    for (const auto &queued : world.queue) {
        const auto goesOn = [&](quint32 serial) {
            return serial < queued->serial && (world.find(serial) || world.waiting(serial));
        };
        if (!std::ranges::any_of(queued->waitsFor, goesOn))
            return u"%1 waits for nothing"_s.arg(queued->request->id);
    }
    return {};
}

Staging::Staging(const Rules &rules, const QList<ResourceSpec> &resources)
    : simulator(rules, worldOf(rules, resources))
{ }

Staging::Staging(const QString &pack, const QString &resources, const Switches &switches)
    : Staging(rulesOf(packNamed(pack), switches), resourcesFrom(resources))
{ }

const Operation &Staging::ask(Request request)
{
    const Operation *operation = simulator.operations().find(simulator.submit(std::move(request)));
    if (!operation)
        qFatal("a submitted operation is not known");
    return *operation;
}

const Operation &Staging::ask(const QString &op, const QString &path, const Request &rest)
{
    Request request = rest;
    request.op = op;
    request.path = path;
    return ask(request);
}

void Staging::end(const QString &id, const QString &outcome)
{
    const Rules::TriggerId trigger =
        outcome.isEmpty() ? Rules::None : simulator.rules().trigger(outcome);
    if (!outcome.isEmpty() && trigger == Rules::None)
        qFatal("no outcome %s", qPrintable(outcome));
    simulator.end(operation(id).serial, trigger);
}

const Operation &Staging::operation(const QString &id) const
{
    const Operation *operation = simulator.operations().find(id);
    if (!operation)
        qFatal("no operation %s", qPrintable(id));
    return *operation;
}

QString Staging::states(const QStringList &paths) const
{
    QStringList states;
    for (const QString &path : paths)
        states += at(path);
    return states.join(u' ');
}

} // namespace instar
