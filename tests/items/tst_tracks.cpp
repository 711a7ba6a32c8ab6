// SPDX-License-Identifier: Apache-2.0
// What was seen over time, in bounds.

#include "model/engine/simulator.h"
#include "model/items/tracks.h"
#include "model/json/library.h"
#include "tests/support/recording.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestTracks : public QObject
{
    Q_OBJECT

private slots:
    void whatMovesIsSeen();
    void betweenTwoLooksNobodySees();
    void violationsEnd();
    void muchIsForgotten();
    void largeTreesAreLookedAtInPart();
};

namespace {

const QString net = u"/logicalNetworks/Transit"_s;

struct Run
{
    explicit Run(const std::optional<QList<ResourceSpec>> &tree = {})
        : simulator(rules, worldOf(rules, tree.value_or(pack.sample)))
    {
        QObject::connect(&simulator, &Controller::recorded, &simulator, [this](Record record) {
            record.since = looked;
            tracks.addObserved(record, simulator.world());
        });
    }
    qint64 looked = -1; ///< when somebody looked last
    Pack pack = packNamed(u"network-controller"_s);
    Rules rules = rulesOf(pack);
    Simulator simulator;
    Tracks tracks { simulator.rules() };
};

} // namespace

void TestTracks::whatMovesIsSeen()
{
    Run run;
    run.simulator.submit({ .op = u"PUT"_s, .path = net + u"/subnets/Rack-1"_s, .duration = 500 });
    run.simulator.runUntilQuiet();
    const auto seen = [&](const QString &path) {
        QStringList words;
        const Tracks::Track *track = run.tracks.find(path);
        for (const Tracks::Observed &point :
            track ? track->observed : std::vector<Tracks::Observed>())
            words += u"%1 %2"_s.arg(point.at).arg(point.word);
        return words;
    };
    const QStringList moved { u"0 Updating"_s, u"500 Succeeded"_s };
    QCOMPARE(seen(net + u"/subnets/Rack-1"_s), moved);
    QCOMPARE(seen(net), moved);
    QCOMPARE(seen(net.toUpper()), moved); // names that differ in case are one
    QCOMPARE(seen(net + u"/subnets/Rack-1/ipPools/Pool-A"_s), moved);
    QCOMPARE(seen(u"/logicalNetworks/HNVPA"_s), QStringList());
    // What is said again is nothing new.
    World later = run.simulator.world();
    later.now += 100;
    run.tracks.addObserved(run.simulator.records().last(), later);
    QCOMPARE(seen(net), moved);
    const QString alone = u"/logicalNetworks/HNVPA/subnets/Provider/ipPools/Pool-A"_s;
    run.simulator.submit({ .op = u"DELETE"_s, .path = alone, .duration = 500 });
    run.simulator.runUntilQuiet();
    QCOMPARE(run.simulator.world().tree.find(alone), NoResource);
    QCOMPARE(seen(alone), (QStringList { u"0 Succeeded"_s, u"500 Deleting"_s, u"1000 "_s }));
}

void TestTracks::betweenTwoLooksNobodySees()
{
    Run run;
    const Request put { .op = u"PUT"_s, .path = net, .duration = 500 };
    run.simulator.submit(put);
    run.looked = 300;
    run.simulator.runUntilQuiet();
    run.simulator.advance(500); // to 1000
    run.simulator.submit(put);  // the look is older than what was seen last
    run.looked = -1;
    run.simulator.runUntilQuiet();
    QStringList seen;
    for (const Tracks::Observed &point : run.tracks.find(net)->observed)
        seen += u"%1..%2 %3"_s.arg(point.notBefore).arg(point.at).arg(point.word);
    // Who tells what is allowed does not tell when it came to that.
    Tracks early(run.rules);
    early.addObserved(run.simulator.records().first(), worldOf(run.rules, run.pack.sample));
    ConformanceMonitor monitor(run.rules, {});
    follow(monitor, run.pack.sample);
    monitor.sent({ .line = 1, .request = put, .sent = 1 });
    monitor.advanceTo(2);
    early.addExpected(monitor, run.simulator.world(), { net });
    const qsizetype before = qsizetype(early.find(net)->observed.size());
    World other = run.simulator.world();
    other.now += 100;
    other.tree.setCode(other.tree.find(net), 0);
    early.addExpected(monitor, other, { net });
    QCOMPARE(qsizetype(early.find(net)->observed.size()), before);
    QCOMPARE(seen.join(u", "_s),
        u"0..0 Updating, 300..500 Succeeded, 500..1000 Updating, 1500..1500 Succeeded"_s);
}

/// A resource at rest is seen Failed once, then as the rules allow.
void TestTracks::violationsEnd()
{
    const Pack &pack = packNamed(u"network-controller"_s);
    const Rules rules = rulesOf(pack);
    ConformanceMonitor monitor(rules, {});
    follow(monitor, pack.sample);
    monitor.observed({ .line = 1, .path = net, .from = 1, .to = 1, .word = u"Failed"_s });
    monitor.advanceTo(2);
    QCOMPARE(monitor.violations().size(), 1);
    World world = worldOf(rules, pack.sample);
    const Resource resource = world.tree.find(net);
    const Code rest = world.tree.code(resource);
    world.tree.setCode(resource,
        rules.resting(rules.stateNamed(rules.state(rules.stateOf(rest)).machine, u"Failed"_s)));
    world.now = 100;
    Tracks tracks(rules);
    tracks.begin(monitor.violations().first(), world);
    world.now = 110;
    tracks.addExpected(monitor, world, { net });
    tracks.addViolation(net, 100, ConformanceMonitor::Allowed { { u"Succeeded"_s } });
    follow(monitor, pack.sample);
    world.tree.setCode(resource, rest);
    world.now = 200;
    tracks.addExpected(monitor, world, { net });
    const Tracks::Track *track = tracks.find(net);
    QVERIFY(track && track->machine >= 0);
    QCOMPARE(track->observedAt(99)->word, u"Succeeded"_s);
    QCOMPARE(track->observedAt(100)->word, u"Failed"_s);
    QVERIFY(!track->expectedAt(99)->isBroken && track->expectedAt(199)->isBroken);
    QVERIFY(!track->expectedAt(200)->isBroken);
    tracks.addViolation(net, 50, {}); // nothing is unknown: the later points stay
    QVERIFY(track->expectedAt(50)->isBroken && !track->expectedAt(200)->isBroken);
    QCOMPARE(tracks.points(), qsizetype(track->observed.size() + track->expected.size()));
}

/// At the limit the tracks begin anew.
void TestTracks::muchIsForgotten()
{
    Run run;
    qsizetype before = -1;
    while (before < run.tracks.points()) {
        before = run.tracks.points();
        run.simulator.submit({ .op = u"PUT"_s, .path = net, .duration = 10 });
        run.simulator.runUntilQuiet();
        QVERIFY(run.simulator.world().now < 10'000'000);
    }
    QVERIFY(before > Tracks::MostPoints / 2 && before <= Tracks::MostPoints);
    QVERIFY(run.tracks.begin() > 0 && run.tracks.begin() <= run.simulator.world().now);
    run.simulator.submit({ .op = u"PUT"_s, .path = net, .duration = 10 });
    run.simulator.runUntilQuiet();
    QCOMPARE(run.tracks.find(net)->observed.back().word, u"Succeeded"_s);
}

/// Where the rules allow what is seen, nothing is kept; of a large tree a part is looked at.
void TestTracks::largeTreesAreLookedAtInPart()
{
    QList<ResourceSpec> tree { { .path = net } };
    for (int i = 0; i < Tracks::MostOfATree * 2; ++i)
        tree += { .path = u"%1/subnets/s%2"_s.arg(net).arg(i) };
    const Rules rules = rulesOf(packNamed(u"network-controller"_s));
    const World world = worldOf(rules, tree);
    ConformanceMonitor monitor(rules, {});
    follow(monitor, tree);
    Tracks tracks(rules);
    tracks.addExpected(monitor, world, { net });
    QVERIFY(tracks.isEmpty());
    monitor.sent(
        { .line = 1, .request = { .op = u"PUT"_s, .path = net, .id = u"r1"_s }, .sent = 1 });
    monitor.advanceTo(2);
    tracks.addExpected(monitor, world, { net });
    QVERIFY(tracks.find(net) && tracks.find(net + u"/subnets/s10"_s));
    QVERIFY(!tracks.find(net + u"/subnets/s%1"_s.arg(Tracks::MostOfATree * 2 - 1)));
    QCOMPARE(tracks.points(), Tracks::MostOfATree * 2); // a word and a set each
}

const TestClass<TestTracks> registered;
#include "tst_tracks.moc"
