// SPDX-License-Identifier: Apache-2.0
// What the engine may cost, measured beside what it is compared with, in one run. Prints the ratios
// and their bars.
#include "model/engine/scenario.h"
#include "model/engine/simulator.h"
#include "model/engine/step.h"
#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "model/pack/check.h"
#include "model/pack/conflicts.h"
#include "tests/bench/besttimes.h"
#include "tests/support/ring.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QJsonDocument>
#include <QStandardItemModel>

#if __has_include(<QScxmlStateMachine>)
#include <QScxmlStateMachine>
#define HAS_SCXML 1
#else
#define HAS_SCXML 0
#endif

#include <benchmark/benchmark.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const Pack &pack()
{
    static const Pack pack = *loadPack(u"network-controller"_s);
    return pack;
}

const Rules &rules()
{
    static const Rules rules = *Rules::make(pack());
    return rules;
}

/// One network with a hundredth of its resources as subnets, and the others as their pools.
QStringList pathsOf(int count)
{
    QStringList paths { u"/logicalNetworks/ln"_s };
    paths.reserve(count);
    const int pools = count >= 1000 ? 99 : 9;
    for (int subnet = 0; paths.size() < count; ++subnet) {
        const QString path = u"/logicalNetworks/ln/subnets/subnet-%1"_s.arg(subnet);
        paths += path;
        for (int pool = 0; pool < pools && paths.size() < count; ++pool)
            paths += path + u"/ipPools/pool-%1"_s.arg(pool);
    }
    return paths;
}

const World &worldOf(int count)
{
    static std::map<int, World> worlds;
    World &world = worlds[count];
    if (world.tree.size() == 0) {
        QList<ResourceSpec> resources;
        for (const QString &path : pathsOf(count))
            resources.append({ .path = path });
        world = makeWorld(rules(), resources).world;
    }
    return world;
}

Event asked(const QString &op, const QString &path)
{
    auto request = QSharedPointer<Request>::create();
    request->op = op;
    request->path = path;
    request->id = u"op"_s;
    return { .kind = Event::Kind::Submit, .request = request };
}

/// Submits and ends an operation; a world that is moved in is changed in place.
World done(World world, Event event)
{
    event.time = world.now;
    world = step(rules(), std::move(world), event).world;
    const Event end { .kind = Event::Kind::End, .time = world.now, .operation = world.lastSerial };
    return step(rules(), std::move(world), end).world;
}

/// What a PUT asks for whose body has a list of so many children, and only those.
Event askedWithChildren(int count)
{
    auto request = QSharedPointer<Request>::create();
    request->op = u"PUT"_s;
    request->path = u"/logicalNetworks/ln"_s;
    request->id = u"op"_s;
    request->stores = true;
    request->replaces = { u"/logicalNetworks/ln/subnets"_s };
    for (int i = 0; i < count; ++i)
        request->contents.push_back(
            { .op = u"PUT"_s, .path = u"/logicalNetworks/ln/subnets/s%1"_s.arg(i) });
    return { .kind = Event::Kind::Submit, .request = request };
}

void makeAndRemoveChildren(benchmark::State &state)
{
    const World alone = makeWorld(rules(), { { .path = u"/logicalNetworks/ln"_s } }).world;
    const auto count = int(state.range(0));
    const Event make = askedWithChildren(count), remove = askedWithChildren(0);
    for (auto _ : state) {
        World world = done(alone, make);
        if (world.tree.size() != count + 1)
            state.SkipWithError("the children were not made");
        world = done(std::move(world), remove);
        if (world.tree.size() != 1)
            state.SkipWithError("the children were not removed");
    }
}

void putRoot(benchmark::State &state)
{
    World world = worldOf(int(state.range(0)));
    const Event put = asked(u"PUT"_s, u"/logicalNetworks/ln"_s);
    world = done(std::move(world), put); // what was shared is shared no more
    for (auto _ : state)
        world = done(std::move(world), put);
}

void putLeaf(benchmark::State &state)
{
    const int count = int(state.range(0));
    World world = worldOf(count);
    const QStringList paths = pathsOf(count);
    std::mt19937 random(1);
    std::vector<Event> puts;
    while (puts.size() < 512) {
        const QString &path = paths[int(random() % unsigned(count))];
        if (path.contains(u"ipPools"))
            puts.push_back(asked(u"PUT"_s, path));
    }
    size_t next = 0;
    world = done(std::move(world), puts[0]);
    for (auto _ : state)
        world = done(std::move(world), puts[next++ % puts.size()]);
}

/// A PUT on the root, superseded by one on a leaf: everything else goes back to where it last
/// rested.
void cancelAndRestore(benchmark::State &state)
{
    const int count = int(state.range(0));
    World world = worldOf(count);
    const Event root = asked(u"PUT"_s, u"/logicalNetworks/ln"_s);
    const Event leaf = asked(u"PUT"_s, pathsOf(count).at(count / 2));
    world = done(std::move(world), root);
    for (auto _ : state) {
        world = step(rules(), std::move(world), root).world;
        world = done(std::move(world), leaf);
    }
    const qint64 settled = world.tree.counts()[rules().resting(
        rules().stateNamed(rules().machineForType(u"logicalNetworks"_s), u"Succeeded"_s))];
    if (settled != count)
        state.SkipWithError("not everything was restored");
}

void putRootOnItems(benchmark::State &state)
{
    const int count = int(state.range(0));
    QStandardItemModel model;
    auto *root = new QStandardItem(u"ln"_s);
    model.appendRow(root);
    std::vector<QStandardItem *> items { root };
    while (int(items.size()) < count) {
        auto *subnet = new QStandardItem(u"subnet"_s);
        root->appendRow(subnet);
        items.push_back(subnet);
        for (int pool = 0; pool < 99 && int(items.size()) < count; ++pool) {
            items.push_back(new QStandardItem(u"pool"_s));
            subnet->appendRow(items.back());
        }
    }
    const QString words[] { u"Updating"_s, u"Succeeded"_s };
    for (auto _ : state) {
        for (const QString &word : words) {
            for (QStandardItem *item : items)
                item->setData(word, Qt::UserRole + 1);
        }
    }
}

void sampleOperation(benchmark::State &state)
{
    World world = makeWorld(rules(), pack().sample).world;
    const Event put = asked(u"PUT"_s, pack().sample[1].path);
    for (auto _ : state)
        world = done(std::move(world), put);
}

/// So many leases, each of which starts and ends at a time of its own: everything that the clock
/// does.
void leasesByTheClock(benchmark::State &state)
{
    static const Rules leases = *Rules::make(*loadPack(u"blazar"_s));
    const int count = int(state.range(0));
    QList<ResourceSpec> resources;
    for (int i = 0; i < count; ++i) {
        const QString lease = u"/leases/lease-%1"_s.arg(i);
        resources.append({ .path = lease });
        resources.append({ .path = lease + u"/reservations/r"_s });
        const qint64 start = 10'000 * i;
        resources.append(
            { .path = lease + u"/events/start_lease"_s, .properties = { { u"time"_s, start } } });
        resources.append({ .path = lease + u"/events/end_lease"_s,
            .properties = { { u"time"_s, start + 60'000 } } });
    }
    const Loaded loaded = makeWorld(leases, resources);
    qint64 events = 0;
    for (auto _ : state) {
        World world = loaded.world;
        for (Event next = nextEvent(leases, world); next.kind != Event::Kind::Wait;
             next = nextEvent(leases, world)) {
            world = step(leases, std::move(world), next).world;
            ++events;
        }
        if (world.tree.counts()[leases.resting(
                leases.stateNamed(leases.machineForType(u"leases"_s), u"TERMINATED"_s))]
            != count)
            state.SkipWithError("not every lease has ended");
    }
    state.counters["events"] = double(events) / double(state.iterations());
}

void checked(benchmark::State &state, bool anywhere)
{
    const Pack ring = ringOf(int(state.range(0)), anywhere);
    for (auto _ : state) {
        if (check(ring).size() != 1 || !Rules::make(ring)) // no row has a source
            state.SkipWithError("something is wrong with the ring");
    }
}
void checkOfStates(benchmark::State &state)
{
    checked(state, false);
}
void checkFromAnywhere(benchmark::State &state)
{
    checked(state, true);
}

#if HAS_SCXML
void scxmlEvent(benchmark::State &state)
{
    QByteArray text =
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"a\">"
        "<state id=\"a\"><transition event=\"go\" target=\"b\"/></state>"
        "<state id=\"b\"><transition event=\"go\" target=\"a\"/></state></scxml>";
    QBuffer buffer(&text);
    buffer.open(QIODevice::ReadOnly);
    const std::unique_ptr<QScxmlStateMachine> machine(QScxmlStateMachine::fromData(&buffer));
    machine->start();
    QCoreApplication::processEvents();
    const QString go = u"go"_s;
    for (auto _ : state) {
        machine->submitEvent(go);
        QCoreApplication::processEvents();
    }
    if (machine->activeStateNames().size() != 1)
        state.SkipWithError("the machine does not run");
}
#endif

/// A scenario's text that lists so many resources.
QByteArray textOf(int count)
{
    QByteArray text = "{\"pack\": \"network-controller\", \"resources\": [\n";
    bool first = true;
    for (const QString &path : pathsOf(count)) {
        text += (first ? "  {\"path\": \"" : ",\n  {\"path\": \"") + path.toUtf8()
            + "\", \"state\": \"Succeeded\"}";
        first = false;
    }
    return text + "\n], \"steps\": []}\n";
}

void loadTree(benchmark::State &state)
{
    const QByteArray text = textOf(int(state.range(0)));
    for (auto _ : state) {
        const Result<JsonText> document = JsonText::parse(text, u"large.scenario.json"_s);
        if (!document) {
            state.SkipWithError(document.error().toUtf8().constData());
            return;
        }
        const Result<Scenario> scenario = readScenario(*document, pack());
        if (!scenario) {
            state.SkipWithError(scenario.error().toUtf8().constData());
            return;
        }
        const Result<Stage> stage = stageOf(*scenario, pack());
        if (!stage || stage->world.tree.size() != state.range(0))
            state.SkipWithError("the tree is not the one that was written");
    }
}

/// So many operations that as many types take, of which none lies in another.
Pack meetings(int operations)
{
    const auto row = [](const QStringList &on, const QStringList &at, Conflict::Then then) {
        Conflict made;
        made.on = on;
        made.at = at;
        made.then = then;
        return made;
    };
    Pack pack;
    Machine machine { .id = u"machine"_s };
    machine.states = { State { .id = u"rest"_s },
        State { .id = u"work"_s, .kind = State::Kind::Transitional } };
    for (int i = 0; i < operations; ++i) {
        const QString name = u"operation%1"_s.arg(i);
        machine.transitions +=
            Transition { .from = { u"*"_s }, .on = { name }, .to = { u"work"_s } };
        pack.types += Type { .path = u"type%1"_s.arg(i), .machine = machine.id };
        if (i % 2)
            pack.conflicts += row({ name }, {}, Conflict::Then(i % 4));
    }
    pack.machines += machine;
    pack.conflicts += row({}, { u"self"_s, u"tree"_s }, Conflict::Then::Reject);
    return pack;
}

/// Every cell of the conflict matrix, as the window shows them.
void conflictCells(benchmark::State &state)
{
    const Pack pack = meetings(int(state.range(0)));
    for (auto _ : state) {
        const ConflictMatrix matrix(pack);
        int rejects = 0;
        for (const QString &place : matrix.places()) {
            for (const QString &running : matrix.operations()) {
                for (const QString &incoming : matrix.operations())
                    rejects +=
                        matrix.cell({ running, incoming, place }).says(Conflict::Then::Reject);
            }
        }
        if (rejects == 0)
            state.SkipWithError("nothing is refused");
    }
}

void conflictWish(benchmark::State &state)
{
    const Pack pack = meetings(int(state.range(0)));
    const Meeting cell { u"operation1"_s, u"operation1"_s, u"self"_s };
    for (auto _ : state) {
        const Pack wished = withVerdict(pack, {}, cell, Conflict::Then::Wait);
        if (wished.conflicts.size() != pack.conflicts.size() + 1)
            state.SkipWithError("not one row more");
    }
}

void readTree(benchmark::State &state)
{
    const QByteArray text = textOf(int(state.range(0)));
    for (auto _ : state) {
        if (!JsonText::parse(text, u"large.scenario.json"_s))
            state.SkipWithError("not JSON");
    }
}

void loadTreeJson(benchmark::State &state)
{
    const QByteArray text = textOf(int(state.range(0)));
    for (auto _ : state) {
        const QJsonDocument document = QJsonDocument::fromJson(text);
        if (document.isNull())
            state.SkipWithError("not JSON");
        benchmark::DoNotOptimize(document);
    }
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    for (auto *function : { putRoot, putLeaf, cancelAndRestore }) {
        const char *name = function == putRoot ? "putRoot"
            : function == putLeaf              ? "putLeaf"
                                               : "cancelAndRestore";
        benchmark::RegisterBenchmark(name, function)
            ->RangeMultiplier(10)
            ->Range(10'000, 1'000'000)
            ->Repetitions(3);
    }
    benchmark::RegisterBenchmark("putRootOnItems", putRootOnItems)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("leasesByTheClock", leasesByTheClock)
        ->Arg(100)
        ->Arg(1600)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3);
    for (auto *function : { checkOfStates, checkFromAnywhere }) {
        const int most = function == checkOfStates ? 1900 : 900;
        benchmark::RegisterBenchmark(
            function == checkOfStates ? "checkOfStates" : "checkFromAnywhere", function)
            ->Arg(most / 10)
            ->Arg(most)
            ->Unit(benchmark::kMillisecond)
            ->Repetitions(3);
    }
    for (auto *function : { conflictCells, conflictWish }) {
        benchmark::RegisterBenchmark(
            function == conflictCells ? "conflictCells" : "conflictWish", function)
            ->Arg(15)
            ->Arg(60)
            ->Unit(benchmark::kMillisecond)
            ->Repetitions(3);
    }
    benchmark::RegisterBenchmark("sampleOperation", sampleOperation)->Repetitions(5);
#if HAS_SCXML
    benchmark::RegisterBenchmark("scxmlEvent", scxmlEvent)->Repetitions(5);
#endif
    benchmark::RegisterBenchmark("makeAndRemoveChildren", makeAndRemoveChildren)
        ->Arg(7'000)
        ->Arg(70'000)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3);
    benchmark::RegisterBenchmark("readTree", readTree)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3);
    benchmark::RegisterBenchmark("loadTree", loadTree)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3);
    benchmark::RegisterBenchmark("loadTreeJson", loadTreeJson)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3);
    benchmark::Initialize(&argc, argv);
    BestTimes reporter(BestTimes::Of::Processor);
    benchmark::RunSpecifiedBenchmarks(&reporter);

    std::cout << "\nRatios (an operation is its submission and its end)\n";
    bool met = reporter.ratio("PUT on the root, a million resources against ten thousand",
        "putRoot/1000000", "putRoot/10000", 3);
    met &= reporter.ratio("PUT on a leaf, a million resources against ten thousand",
        "putLeaf/1000000", "putLeaf/10000", 3);
    met &= reporter.ratio("canceled and restored, a million resources against ten thousand",
        "cancelAndRestore/1000000", "cancelAndRestore/10000", 3);
    met &= reporter.ratio("PUT on the root of a million resources, faster than QStandardItemModel",
        "putRootOnItems/1000000", "putRoot/1000000", 1000, false);
    met &= reporter.ratio("the clock's work for 1,600 leases of distinct times against 100",
        "leasesByTheClock/1600", "leasesByTheClock/100", 20);
    met &= reporter.ratio("what check says of 1,900 states against 190", "checkOfStates/1900",
        "checkOfStates/190", 25);
    met &= reporter.ratio("what check says of 900 arrows from everywhere against 90",
        "checkFromAnywhere/900", "checkFromAnywhere/90", 25);
    met &= reporter.ratio("the conflict matrix of 60 operations against 15, of 16 times the cells",
        "conflictCells/60", "conflictCells/15", 25);
    met &= reporter.ratio("a wish in the matrix of 60 operations against 15", "conflictWish/60",
        "conflictWish/15", 25);
    met &= reporter.ratio("an operation on the sample tree against one event of QScxmlStateMachine",
        "sampleOperation", "scxmlEvent", 2);
    met &= reporter.ratio("70,000 children that come and go together, against 7,000",
        "makeAndRemoveChildren/70000", "makeAndRemoveChildren/7000", 20);
    met &= reporter.ratio("reading the text of a million resources against QJsonDocument::fromJson",
        "readTree/1000000", "loadTreeJson/1000000", 1);
    met &= reporter.ratio("loading a million resources against QJsonDocument::fromJson",
        "loadTree/1000000", "loadTreeJson/1000000", 3);
    return met ? 0 : 1;
}
