// SPDX-License-Identifier: Apache-2.0
#include "model/engine/clock.h"
#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// What always holds, whatever the pack: over random packs, and over every pack there is, with
// random trees and events.

class TestProperties : public QObject
{
    Q_OBJECT

private slots:
    void randomPacks();
    void knownPacks_data() { addRowsOf("id", instar::knownPacks()); }
    void knownPacks();
    void steppingBackAndForward();
    void sweepsAndSingleResourcesAgree();
};

namespace {

void check(bool holds, const char *what, const QString &trace)
{
    if (!holds)
        RC_FAIL(std::string(what) + "\n" + trace.toStdString());
}

/// Whether the pack says itself that something is tried again for ever, with a pause, as long as it
/// fails.
bool triesForEver(const Pack &pack)
{
    for (const Machine &machine : pack.machines) {
        for (const Transition &row : machine.transitions) {
            const bool own = row.on.contains(u"failed"_s) || row.on.contains(u"invalid"_s);
            if (own && row.to.contains(u"(same)"_s) && !row.limit)
                return true;
        }
    }
    return false;
}

/// Throws events at a world and checks after each of them what must always hold.
void play(const Playground &ground, int count)
{
    const Rules &rules = ground.rules;
    World world = ground.world;
    std::vector<Event> events;
    QString trace = shownTree(rules, world);
    for (int i = 0; i < count; ++i) {
        const Event event = anyEvent(ground, world, i);
        trace += told(event);
        const QString before = everything(rules, world);
        const World copy = world;
        const Stepped one = step(rules, world, event);
        const Stepped two = step(rules, copy, event);
        check(everything(rules, one.world) == everything(rules, two.world),
            "the same event does not lead to the same world", trace);
        check(one.record.changes.size() == two.record.changes.size(),
            "the same event does not give the same record", trace);
        check(everything(rules, world) == before && everything(rules, copy) == before,
            "a step changes the world that it is given", trace);

        bool refused = !one.record.changes.empty();
        for (const Change &change : one.record.changes)
            refused &= change.kind == Change::Kind::Rejected
                || change.kind == Change::Kind::Replayed
                || (change.kind == Change::Kind::Observed && change.transition == Rules::None);
        if (refused && event.kind == Event::Kind::Submit) {
            World same = world;
            same.now = event.time;
            same.answered =
                one.world
                    .answered; // its request id is known from now on: that is the record's business
            check(everything(rules, one.world) == everything(rules, same),
                "a refused operation changes something", trace);
        }
        if (event.kind == Event::Kind::Submit) {
            World then = world;
            then.now = event.time;
            const Admission admitted = admission(rules, then, *event.request);
            const Change::Kind kind = one.record.changes.front().kind;
            const auto is = [&](Admission::Verdict verdict) { return admitted.verdict == verdict; };
            check(is(Admission::Verdict::Refused) == (kind == Change::Kind::Rejected)
                    && is(Admission::Verdict::Waits) == (kind == Change::Kind::Queued)
                    && is(Admission::Verdict::Replayed) == (kind == Change::Kind::Replayed)
                    && is(Admission::Verdict::Observed) == (kind == Change::Kind::Observed),
                "admission said something else", trace);
            if (is(Admission::Verdict::Refused))
                check(one.record.changes.front().code == admitted.code
                        && one.record.changes.front().rule == admitted.rule
                        && !admitted.code.isEmpty() && !admitted.rule.isEmpty(),
                    "a refusal without its code and rule", trace);
            for (const Admission::Cancel &victim : admitted.cancels)
                check(!one.world.find(victim.serial), "what admission says is canceled runs on",
                    trace);
        }
        const QList<Event> due = firings(rules, one.world);
        const Event next = nextFiring(rules, one.world);
        check(due.isEmpty() == (next.kind == Event::Kind::Wait)
                && (due.isEmpty()
                    || (due.first().time == next.time && due.first().resource == next.resource)),
            "the clock's next firing is not the first of all", trace);
        const QString broken = brokenPromise(rules, one.world);
        if (!broken.isEmpty())
            RC_FAIL((broken + u'\n' + trace).toStdString());
        events.push_back(event);
        world = one.world;
    }

    World again = ground.world;
    for (const Event &event : events)
        again = step(rules, std::move(again), event).world;
    check(everything(rules, again) == everything(rules, world),
        "the same events do not give the world back", trace);

    const int most = triesForEver(rules.pack()) ? 200 : 3000;
    int steps = 0;
    for (Event next = nextEvent(rules, world); next.kind != Event::Kind::Wait;
         next = nextEvent(rules, world)) {
        check(next.time >= world.now, "the past comes next", trace);
        if (++steps == most) {
            check(most < 3000, "the run does not become quiet", trace);
            break;
        }
        world = step(rules, std::move(world), next).world;
    }
    const QString broken = brokenPromise(rules, world);
    if (!broken.isEmpty())
        RC_FAIL((u"at the end: "_s + broken + u'\n' + trace).toStdString());
}

} // namespace

void TestProperties::randomPacks()
{
    QVERIFY(holdsFor(1500, 60, [] { play(randomPlayground(), 1 + below(25)); }));
}

void TestProperties::knownPacks()
{
    QFETCH(QString, id);
    QVERIFY(holdsFor(250, 60, [&] { play(knownPlayground(id), 1 + below(30)); }));
}

/// A simulator that is taken to any moment and back shows the same worlds and the same operations.
void TestProperties::steppingBackAndForward()
{
    QVERIFY(holdsFor(250, 60, [] {
        const Playground ground =
            below(2) ? randomPlayground() : knownPlayground(u"network-controller"_s);
        Simulator simulator(ground.rules, ground.world);
        QStringList moments { everything(ground.rules, simulator.world()) };
        QList<OperationLog> logs { simulator.operations() };
        const auto keep = [&] {
            moments.append(everything(ground.rules, simulator.world()));
            logs.append(simulator.operations());
        };
        QObject::connect(&simulator, &Controller::recorded, &simulator, keep);
        for (int i = 1 + below(30); i > 0; --i) {
            const Event event = anyEvent(ground, simulator.world(), i);
            if (event.kind == Event::Kind::Submit)
                simulator.submit(*event.request);
            else if (event.kind == Event::Kind::Cancel)
                simulator.cancel(event.operation);
            else if (event.kind == Event::Kind::End && event.outcome != Rules::None)
                simulator.end(event.operation, event.outcome);
            else
                simulator.step();
        }
        simulator.disconnect();
        const qsizetype last = simulator.moment();
        RC_ASSERT(last + 1 == moments.size());
        RC_ASSERT(simulator.lastMoment() == last);
        for (int i = 0; i < 12; ++i) {
            const qsizetype wanted = below(int(last) + 1);
            simulator.jump(wanted);
            RC_ASSERT(simulator.moment() == wanted);
            RC_ASSERT(simulator.lastMoment() == last);
            RC_ASSERT(everything(ground.rules, simulator.world()) == moments[wanted]);
            RC_ASSERT(simulator.operations() == logs[wanted]);
            if (wanted > 0 && below(2)) {
                RC_ASSERT(simulator.stepBack());
                RC_ASSERT(everything(ground.rules, simulator.world()) == moments[wanted - 1]);
                RC_ASSERT(simulator.step());
                RC_ASSERT(everything(ground.rules, simulator.world()) == moments[wanted]);
            }
        }
        simulator.jump(0);
        while (simulator.moment() < last)
            RC_ASSERT(simulator.step());
        RC_ASSERT(everything(ground.rules, simulator.world()) == moments[last]);
        RC_ASSERT(simulator.operations() == logs[last]);
    }));
}

/// A change of a whole range is the same as one resource after the other: a pack whose every row
/// asks something of the single resource, and is always told yes, does what the pack itself does.
void TestProperties::sweepsAndSingleResourcesAgree()
{
    QVERIFY(holdsFor(300, 60, [] {
        const bool random = below(3) == 0;
        const Pack pack = random ? *randomPack() : packNamed(u"network-controller"_s);
        Pack asking = pack;
        Condition someone;
        someone.kind = Condition::Kind::Id;
        someone.states = { u"nobody is called so"_s };
        Condition notNobody;
        notNobody.kind = Condition::Kind::Not;
        notNobody.parts = { someone };
        for (Machine &machine : asking.machines) {
            for (Transition &row : machine.transitions) {
                Condition both;
                both.kind = Condition::Kind::All;
                both.parts = { row.condition, notNobody };
                row.condition = row.condition.kind == Condition::Kind::Always ? notNobody : both;
            }
        }
        Playground ground = random ? playground(pack,
                                { u"/t/a"_s, u"/t/b"_s, u"/t/a/u/a"_s, u"/t/a/u/b"_s,
                                    u"/t/a/u/a/w/a"_s, u"/p/a"_s })
                                   : knownPlayground(pack.id);
        const Rules slow = rulesOf(asking, ground.rules.switches());
        World one = ground.world;
        World two = ground.world;
        QString trace;
        for (int i = 0; i < 30; ++i) {
            const Event event = anyEvent(ground, one, i);
            trace += told(event);
            one = step(ground.rules, std::move(one), event).world;
            two = step(slow, std::move(two), event).world;
            check(everything(ground.rules, one) == everything(slow, two),
                "ranges and single resources differ", trace);
        }
    }));
}

const instar::TestClass<TestProperties> registered;
#include "tst_properties.moc"
