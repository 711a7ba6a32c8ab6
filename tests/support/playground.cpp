// SPDX-License-Identifier: Apache-2.0
#include "tests/support/playground.h"

#include "tests/support/randompack.h"
#include "tests/support/worldcompare.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

int below(int limit)
{
    return limit <= 1 ? 0 : *rc::gen::resize(100, rc::gen::inRange(0, limit));
}

namespace {

template<typename List>
auto oneOf(const List &list)
{
    return list[below(int(list.size()))];
}

Switches anySwitches(const Pack &pack)
{
    Switches switches;
    for (const Switch &each : pack.switches)
        switches.insert(each.id, oneOf(each.values));
    return switches;
}

/// Compiles the rules; an invalid pack fails the property and is printed.
Rules usable(const Pack &pack)
{
    Result<Rules> rules = Rules::make(pack, anySwitches(pack));
    if (!rules)
        RC_FAIL(rules.error().toStdString());
    return *std::move(rules);
}

/// Random resources at some of the paths, in random stable states.
QList<ResourceSpec> anyResources(const Rules &rules, const QStringList &paths)
{
    QList<ResourceSpec> resources;
    for (const QString &path : paths) {
        if (below(3) == 0)
            continue;
        ResourceSpec spec { .path = path };
        const int machine = rules.machineForType(typePathOf(path));
        QStringList stable;
        for (const Rules::StateRule &state : rules.states()) {
            if (state.machine == machine && state.isStable())
                stable += state.id;
        }
        if (!stable.isEmpty() && below(2))
            spec.state = oneOf(stable);
        if (below(3) == 0)
            spec.references = { oneOf(paths) };
        if (below(3) == 0)
            spec.properties.insert(u"time"_s, below(8) * 1000);
        resources.append(spec);
    }
    return resources;
}

} // namespace

Request anyRequest(const Playground &ground, int number)
{
    const Rules &rules = ground.rules;
    Request request {
        .op = oneOf(ground.operations), .path = oneOf(ground.paths), .id = u"o%1"_s.arg(number)
    };
    if (below(3) == 0 && !rules.outcomes().empty())
        request.outcome = rules.triggerName(oneOf(rules.outcomes()));
    request.transientFailures = below(4) == 0 ? below(8) : 0;
    static const QList<qint64> durations { 0, 500, 1000, 1000 };
    if (below(3))
        request.duration = oneOf(durations);
    request.hang = below(10) == 0;
    for (const QString &label : rules.labels()) {
        if (below(2))
            request.conditions.insert(label, below(2) == 1);
    }
    if (below(8) == 0)
        request.ifMatch = below(2) ? u"*"_s : etagAt(ground.world, request.path);
    if (below(12) == 0)
        request.ifNoneMatch = u"*"_s;
    if (below(6) == 0)
        request.requestId = u"r%1"_s.arg(below(3));
    if (below(3) == 0)
        request.references = { oneOf(ground.paths) };
    if (below(4) == 0)
        request.properties.insert(u"time"_s, below(8) * 1000);
    return request;
}

QString everything(const Rules &rules, const World &world)
{
    QString text = u"%1 %2\n"_s.arg(world.now).arg(world.running.size());
    for (const Resource resource : world.tree.resources())
        text += u"%1 %2 %3\n"_s.arg(world.tree.path(resource),
            rules.state(rules.stateOf(world.tree.code(resource))).id, etag(world, resource));
    return text + QString::fromLatin1(worldKey(rules, world).toHex());
}

Playground playground(const Pack &pack, const QStringList &wanted)
{
    Rules rules = usable(pack);
    // Only paths of the pack's types.
    QStringList paths = wanted;
    paths.removeIf(
        [&](const QString &path) { return rules.machineForType(typePathOf(path)) == Rules::None; });
    Loaded loaded = makeWorld(rules, anyResources(rules, paths));
    if (!loaded.problem.isEmpty())
        RC_FAIL(loaded.problem.toStdString());
    const QStringList operations = pack.operationNames();
    return { std::move(rules), std::move(loaded.world), operations, paths };
}

Playground randomPlayground()
{
    return playground(*randomPack(),
        { u"/t/a"_s, u"/t/b"_s, u"/t/a/u/a"_s, u"/t/a/u/b"_s, u"/t/b/u/a"_s, u"/t/a/u/a/w/a"_s,
            u"/t/a/u/a/w/b"_s, u"/p/a"_s, u"/p/b"_s });
}

Playground knownPlayground(const QString &id)
{
    const Pack &pack = packNamed(id);
    QStringList paths;
    for (const ResourceSpec &resource : pack.sample)
        paths += resource.path;
    for (int i = 0; i < 3; ++i) {
        const QString path = oneOf(paths);
        paths += path + u"-new"_s;
        if (path.count(u'/') > 2)
            paths += path.section(u'/', 0, -3) + u"-new/"_s + path.section(u'/', -2);
    }
    paths.removeDuplicates();
    return playground(pack, paths);
}

Event anyEvent(const Playground &ground, const World &world, int number)
{
    const int what = below(10);
    const Event next = nextEvent(ground.rules, world);
    const bool waits = next.kind == Event::Kind::Wait;
    if (what >= 7 && !waits)
        return next;
    if (what == 6 && !world.running.empty()) {
        const quint32 serial = oneOf(world.running)->serial;
        const QList<Rules::TriggerId> possible = possibleOutcomes(ground.rules, world, serial);
        if (!possible.isEmpty())
            return { .kind = Event::Kind::End,
                .time = world.now,
                .operation = serial,
                .outcome = oneOf(possible) };
    }
    if (what == 5 && !world.running.empty() && below(2))
        return { .kind = Event::Kind::Cancel,
            .time = world.now,
            .operation = oneOf(world.running)->serial };
    const qint64 later = world.now + (below(3) ? 0 : below(1500)); // due events come first
    return { .kind = Event::Kind::Submit,
        .time = waits ? later : std::min(later, next.time),
        .request = QSharedPointer<Request>::create(anyRequest(ground, number)) };
}

QString told(const Event &event)
{
    static const QStringList kinds { u"submit"_s, u"end"_s, u"begin"_s, u"fire"_s, u"cancel"_s,
        u"wait"_s };
    return u"%1: %2 %3 %4 %5\n"_s.arg(event.time)
        .arg(kinds[int(event.kind)])
        .arg(event.operation)
        .arg(event.request
                ? event.request->op + u' ' + event.request->path + u' ' + event.request->outcome
                : QString())
        .arg(event.outcome);
}

} // namespace instar
