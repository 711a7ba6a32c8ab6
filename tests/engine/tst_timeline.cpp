// SPDX-License-Identifier: Apache-2.0
#include "model/engine/timeline.h"
#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

// The timeline of a run: rows for everything that was ever there, spans for what operations
// answered for. And the branches that a run has.

class TestTimeline : public QObject
{
    Q_OBJECT

private slots:
    void tellsWhatWasThere_data();
    void tellsWhatWasThere();
    void aCollision();
    void madeAgain();
    void reachesAlongTheTree();
    void anotherStateIsAnotherSpan();
    void underWayFromTheBeginning();
    void waitingFromTheBeginning();
    void sentBeforeTheBeginning();
    void startsThatAServerTells();
    void branchesKeepEverything();
    void branchesOfBranches();
    void removedBranchesComeBack();
};

namespace {

const auto ln = u"/logicalNetworks/ln1"_s;
const auto sn = u"/logicalNetworks/ln1/subnets/sn1"_s;

void ensure(bool holds, const char *what)
{
    if (!holds)
        RC_FAIL(std::string(what));
}

/// The rows that have a resource are the tree.
void compareRows(const Timeline &timeline, const Tree &tree)
{
    qsizetype there = 0;
    for (Timeline::Row row = 0; row < Timeline::Row(timeline.rowCount()); ++row) {
        ensure(timeline.rowAt(timeline.placeOf(row)) == row, "a place is not its row's");
        ensure(timeline.find(timeline.path(row)) == row, "a row is not found by its path");
        const Timeline::Row parent = timeline.parent(row);
        if (parent != Timeline::NoRow) {
            ensure(timeline.placeOf(parent) < timeline.placeOf(row)
                    && timeline.endOf(row) <= timeline.endOf(parent),
                "a row is not in its parent's");
            ensure(timeline.depth(row) == timeline.depth(parent) + 1, "a row's depth is wrong");
        }
        const Resource resource = timeline.resourceOf(row);
        if (resource == NoResource)
            continue;
        ++there;
        ensure(tree.exists(resource) && tree.path(resource) == timeline.path(row),
            "a row is another resource");
        ensure(timeline.rowOf(resource) == row, "a resource has another row");
    }
    ensure(there == tree.size(), "not every resource has a row");
}

/// What each operation answers for is what its open spans hold. Where rows were made meanwhile, a
/// run may reach over one that was made again: it stands where it stood.
void compareSpans(const Timeline &timeline, const World &world, const QSet<Timeline::Row> &made)
{
    QMap<quint32, QSet<Timeline::Row>> held;
    for (const Timeline::Span &span : timeline.spans()) {
        if (span.to != Timeline::NotYet)
            continue;
        const Timeline::Bar &bar = timeline.bars()[span.bar];
        ensure(world.find(bar.serial), "a span goes on whose operation is over");
        for (qsizetype place = timeline.placeOf(span.first); place <= timeline.placeOf(span.last);
             ++place) {
            const Timeline::Row row = timeline.rowAt(place);
            if (timeline.resourceOf(row) != NoResource)
                held[bar.serial] += row;
        }
    }
    for (const auto &running : world.running) {
        QSet<Timeline::Row> covered;
        for (const Tree::Range &range : running->affected) {
            for (quint32 position = range.begin; position < range.end; ++position)
                covered += timeline.rowOf(world.tree.at(range.branch, position));
        }
        ensure(held.value(running->serial).contains(covered), "a covered row has no span");
        ensure((held.value(running->serial) - covered - made).isEmpty(),
            "a span holds what is not covered");
    }
}

/// What a request starts by, and what it cancels by, are the rows that were expected.
void compareRulesThatSpoke(
    const Timeline &timeline, const Rules &rules, const Admission &expected, quint32 serial)
{
    if (expected.verdict != Admission::Verdict::Accepted)
        return;
    const Timeline::Bar *const started = timeline.bar(serial);
    ensure(started && started->transition == expected.transition, "it started by another row");
    ensure(!rules.transitionText(started->transition).isEmpty(), "a row has no words");
    for (const auto &[canceled, row] : expected.cancels) {
        const Timeline::Bar *const victim = timeline.bar(canceled);
        if (victim
            && std::ranges::count(expected.cancels, victim->requirer, &Admission::Cancel::serial))
            continue; // no longer required
        ensure(
            !victim || victim->rule == rules.conflictText(row), "it was canceled by another row");
    }
}

void play(const Playground &ground)
{
    Simulator simulator(ground.rules, ground.world);
    Timeline timeline(simulator.beginning());
    QList<Tree> trees { simulator.world().tree };
    QSet<Timeline::Row> made;
    QObject::connect(&simulator, &Controller::recorded, &simulator, [&](const Record &record) {
        timeline.add(simulator.rules(), record);
        trees += simulator.world().tree;
        compareRows(timeline, simulator.world().tree);
        for (const TreeChange &change : record.treeChanges) {
            if (change.isCreation())
                made += timeline.find(change.path);
        }
        compareSpans(timeline, simulator.world(), made);
    });
    for (int i = 1 + below(40); i > 0; --i) {
        const Event event = anyEvent(ground, simulator.world(), i);
        if (event.kind == Event::Kind::Submit) {
            const Admission expected = simulator.admission(*event.request);
            const quint32 serial = simulator.submit(*event.request);
            compareRulesThatSpoke(timeline, simulator.rules(), expected, serial);
        } else if (event.kind == Event::Kind::Cancel) {
            simulator.cancel(event.operation);
        } else if (event.kind == Event::Kind::End && event.outcome != Rules::None) {
            simulator.end(event.operation, event.outcome);
        } else {
            simulator.step();
        }
    }
    simulator.disconnect();
    for (const Operation &operation : simulator.operations().all()) {
        const Timeline::Bar *bar = timeline.bar(operation.serial);
        ensure(bar, "an operation has no bar");
        ensure(bar->isOver() == operation.isOver() || operation.status == Status::Waiting
                || !operation.replayOf.isEmpty(),
            "an operation is over, and its bar is not");
        if (operation.isOver() && operation.replayOf.isEmpty())
            ensure(bar->status == operation.status && bar->ended == operation.ended,
                "a bar ended otherwise");
        ensure(!bar->canceledBy
                || simulator.operations().idOf(bar->canceledBy) == operation.canceledBy,
            "a bar was canceled by another");
    }
    // Every moment can be shown again.
    for (int i = 0; i < 8; ++i) {
        const qsizetype moment = below(int(trees.size()));
        timeline.show(moment);
        compareRows(timeline, trees[moment]);
    }
}

/// The story of a run in short words.
QString trace(const QList<Record> &records)
{
    QStringList words;
    for (const Record &record : records) {
        const Event &event = record.event;
        words += u"%1:%2:%3"_s.arg(int(event.kind))
                     .arg(event.time)
                     .arg(event.request ? event.request->op + event.request->path
                                        : QString::number(event.operation));
    }
    return words.join(u' ');
}

} // namespace

void TestTimeline::tellsWhatWasThere_data()
{
    QTest::addColumn<QString>("pack");
    QTest::newRow("random") << QString();
    for (const QString &pack : knownPacks())
        QTest::newRow(qPrintable(pack)) << pack;
}

void TestTimeline::tellsWhatWasThere()
{
    QFETCH(const QString, pack);
    QVERIFY(holdsFor(pack.isEmpty() ? 300 : 40, 40,
        [&] { play(pack.isEmpty() ? randomPlayground() : knownPlayground(pack)); }));
}

void TestTimeline::aCollision()
{
    const QString net2 = u"/logicalNetworks/ln2"_s;
    Staging staging(u"network-controller"_s, sn + u","_s + ln + u"/subnets/sn2"_s + u","_s + net2);
    staging.ask({ .op = u"PUT"_s, .path = sn, .client = u"A"_s, .duration = 1000 });
    staging.simulator.advance(300);
    const Operation refused =
        staging.ask({ .op = u"PUT"_s, .path = ln + u"/subnets/sn2"_s, .client = u"B"_s });
    QCOMPARE(refused.status, Status::Rejected);
    staging.simulator.advance(200);
    staging.ask({ .op = u"DELETE"_s, .path = ln, .client = u"C"_s, .duration = 400 });
    staging.simulator.runUntilQuiet();

    const Timeline timeline = timelineOf(staging.simulator);
    QCOMPARE(timeline.bars().size(), size_t(3));
    const Timeline::Bar &put = timeline.bars()[0], &second = timeline.bars()[1],
                        &last = timeline.bars()[2];
    QCOMPARE(put.status, Status::Canceled);
    QCOMPARE(put.canceledBy, last.serial);
    QCOMPARE(put.ended, 500);
    const Rules &rules = staging.simulator.rules();
    QVERIFY2(put.rule.contains(u'['), qPrintable(put.rule)); // with its source
    QCOMPARE(rules.pack().machines[0].transitions[rules.transition(put.transition).index].on,
        QStringList { u"PUT"_s });
    QVERIFY(
        rules.transitionText(Rules::None).isEmpty() && rules.conflictText(Rules::None).isEmpty());
    QCOMPARE(second.status, Status::Rejected);
    QCOMPARE(second.conflictsWith, put.serial);
    QVERIFY(!second.rule.isEmpty());
    QCOMPARE(last.ended, 900);
    QCOMPARE(timeline.end(), 900);
    // The subnet with its ancestor; then the network with all below it, the sibling too.
    QStringList told;
    for (const Timeline::Span &span : timeline.spans())
        told += u"%1 %2-%3 %4..%5"_s.arg(span.bar).arg(span.from).arg(span.to).arg(
            timeline.name(span.first), timeline.name(span.last));
    QCOMPARE(told, (QStringList { u"0 0-500 ln1..sn1"_s, u"2 500-900 ln1..sn2"_s }));
    QCOMPARE(timeline.touched(), (std::vector<bool> { true, true, true, false }));
    // It is gone at the end, and was there in between.
    QCOMPARE(timeline.resourceOf(timeline.find(sn)), NoResource);
    timeline.show(2);
    QVERIFY(timeline.resourceOf(timeline.find(sn)) != NoResource);
}

/// What is removed and made again is one row, and stays at its place.
void TestTimeline::madeAgain()
{
    Staging staging(u"network-controller"_s, sn + u","_s + ln + u"/subnets/sn2"_s);
    staging.ask(u"DELETE"_s, sn);
    staging.simulator.runUntilQuiet();
    staging.ask(u"PUT"_s, sn);
    staging.simulator.runUntilQuiet();
    const Timeline timeline = timelineOf(staging.simulator);
    QCOMPARE(timeline.rowCount(), 3);
    QCOMPARE(timeline.name(timeline.rowAt(1)), u"sn1"_s);
    QVERIFY(timeline.resourceOf(timeline.rowAt(1)) != NoResource);
    const qsizetype moments = timeline.moments();
    timeline.show(moments - 2);
    QCOMPARE(timeline.resourceOf(timeline.rowAt(1)), NoResource);
    timeline.show(moments);
    QVERIFY(timeline.resourceOf(timeline.rowAt(1)) != NoResource);
}

void TestTimeline::reachesAlongTheTree()
{
    const QString net2 = u"/logicalNetworks/ln2"_s, sibling = ln + u"/subnets/sn2"_s;
    Staging staging(u"network-controller"_s,
        sn + u"/ipPools/p,"_s + sibling + u","_s + net2); // the deepest one is not the last one
    const Timeline timeline = timelineOf(staging.simulator);
    const auto distance = [&](const QString &from, const QString &to) {
        return timeline.distance(timeline.find(from), timeline.find(to));
    };
    QCOMPARE(distance(sn, sn), 0);
    QCOMPARE(distance(sn, ln), 1);
    QCOMPARE(distance(ln, sn), 1);
    QCOMPARE(distance(sn, sibling), 2); // not beside it: by their parent
    QCOMPARE(distance(ln, net2), 2);
    QCOMPARE(distance(net2, sn), 3);
}

void TestTimeline::anotherStateIsAnotherSpan()
{
    Staging staging(u"pulumi"_s, QString());
    staging.ask(u"manage"_s, u"/resources/a"_s);
    staging.simulator.runUntilQuiet();
    const Timeline timeline = timelineOf(staging.simulator);
    QVERIFY(timeline.spans().size() > 1);
    for (size_t i = 1; i < timeline.spans().size(); ++i) {
        QCOMPARE(timeline.spans()[i].from, timeline.spans()[i - 1].to);
        QVERIFY(timeline.spans()[i].state != timeline.spans()[i - 1].state);
    }
    QCOMPARE(timeline.ticks().size(), timeline.spans().size() - 1);
}

void TestTimeline::underWayFromTheBeginning()
{
    Staging staging(u"network-controller"_s, sn);
    staging.ask({ .op = u"PUT"_s, .path = sn, .duration = 5000 });
    staging.simulator.advance(1000);
    Simulator simulator(staging.simulator.rules(), staging.simulator.world());
    simulator.runUntilQuiet();
    const Timeline timeline = timelineOf(simulator);
    QCOMPARE(timeline.bars().size(), size_t(1));
    QCOMPARE(timeline.begin(), 1000);
    QCOMPARE(timeline.spans()[0].from, 1000);
    QCOMPARE(timeline.spans()[0].to, 5000);
}

/// What waited in the beginning has its bar, though others are asked for before it starts.
void TestTimeline::waitingFromTheBeginning()
{
    Staging staging(u"pulumi"_s, u"/resources/a, /resources/b"_s);
    World world = staging.simulator.world();
    const Rules &rules = staging.simulator.rules();
    for (const quint32 serial : { 1U, 2U }) {
        auto *queued = new Queued;
        queued->serial = serial;
        queued->request = QSharedPointer<Request>::create(
            Request { .op = u"read"_s, .path = serial == 1 ? u"/resources/a"_s : u"/a/b/c"_s });
        world.queue.emplace_back(queued);
    }
    Timeline timeline(world);
    Record later, starts;
    later.changes.push_back({ .kind = Change::Kind::Started,
        .operation = 3,
        .request =
            QSharedPointer<Request>::create(Request { .op = u"read"_s, .path = u"/resources/b"_s }),
        .path = u"/resources/b"_s });
    starts.event.time = 7;
    starts.changes.push_back({ .kind = Change::Kind::Started,
        .operation = 1,
        .request = world.queue[0]->request,
        .path = u"/resources/a"_s });
    timeline.add(rules, later);
    timeline.add(rules, starts);
    QCOMPARE(timeline.bars().size(), size_t(3));
    QCOMPARE(timeline.bar(1)->started, 7);
    QCOMPARE(timeline.bar(2)->status, Status::Waiting);
    QCOMPARE(timeline.bar(2)->row, Timeline::NoRow); // a path of nobody
    QVERIFY(timeline.bar(3));
}

/// What was sent before it began is told of when it starts, among others with higher serials.
void TestTimeline::sentBeforeTheBeginning()
{
    Staging staging(u"network-controller"_s, sn);
    const Rules &rules = staging.simulator.rules();
    Timeline timeline(staging.simulator.world());
    for (const quint32 serial : { 7U, 5U, 6U }) {
        Record record;
        record.event = { .kind = Event::Kind::Fire, .time = serial };
        record.changes.push_back({ .kind = Change::Kind::Started,
            .operation = serial,
            .request = QSharedPointer<Request>::create(Request { .op = u"PUT"_s, .path = sn }),
            .path = sn });
        record.holdings.push_back({ serial, { { Resource(1), Resource(1) } } });
        timeline.add(rules, record);
    }
    QVERIFY(std::ranges::is_sorted(timeline.bars(), {}, &Timeline::Bar::serial));
    QCOMPARE(timeline.bars().size(), size_t(3));
    QCOMPARE(timeline.spans().size(), size_t(3));
    QCOMPARE(timeline.ticks().size(), size_t(3));
    for (const Timeline::Span &span : timeline.spans())
        QCOMPARE(span.from, timeline.bars()[span.bar].serial);
    for (const Timeline::Tick &tick : timeline.ticks())
        QCOMPARE(tick.at, timeline.bars()[tick.bar].serial);
}

/// A server says that it has begun, not with what; the rules say where the operation leads.
void TestTimeline::startsThatAServerTells()
{
    Staging staging(u"network-controller"_s, sn);
    const Rules &rules = staging.simulator.rules();
    Timeline timeline(staging.simulator.world());
    quint32 serial = 0;
    for (const QString &op : { u"PUT"_s, u"DELETE"_s, u"GET"_s, u"MELT"_s }) {
        Record record;
        record.event.time = 10;
        record.changes.push_back({ .kind = Change::Kind::Started,
            .operation = ++serial,
            .request = QSharedPointer<Request>::create(Request { .op = op, .path = sn }),
            .path = sn });
        record.holdings.push_back({ serial, { { Resource(1), Resource(1) } } });
        timeline.add(rules, record);
    }
    QCOMPARE(rules.state(timeline.bars()[0].state).id, u"Updating"_s);
    QCOMPARE(rules.state(timeline.bars()[1].state).id, u"Deleting"_s);
    QCOMPARE(timeline.bars()[2].state, Rules::None);
    QCOMPARE(timeline.bars()[3].state, Rules::None);
    QCOMPARE(timeline.spans().size(), size_t(4));
}

// ---- Branches

/// Whatever is done where, no story is lost, and every branch is shown as it went.
void TestTimeline::branchesKeepEverything()
{
    const auto holds = holdsFor(60, 30, [] {
        const Playground ground = knownPlayground(u"network-controller"_s);
        Simulator simulator(ground.rules, ground.world);
        QMap<quint32, QString> known; // branch -> its story
        QMap<quint32, QString> ends;  // branch -> its last world
        for (int i = 0; i < 60; ++i) {
            switch (below(6)) {
            case 0:
                simulator.jump(below(int(simulator.lastMoment()) + 1));
                break;
            case 1: {
                const auto branches = simulator.branches();
                simulator.switchTo(branches[below(int(branches.size()))].id);
                break;
            }
            case 2:
                simulator.step();
                break;
            default: {
                const Event event = anyEvent(ground, simulator.world(), i);
                if (event.kind == Event::Kind::Submit)
                    simulator.submit(*event.request);
                else
                    simulator.step();
            }
            }
            const quint32 now = simulator.branch();
            const qsizetype moment = simulator.moment();
            simulator.jump(simulator.lastMoment());
            known[now] = trace(simulator.records());
            ends[now] = everything(ground.rules, simulator.world());
            simulator.jump(moment);
            for (const Simulator::Branch &branch : simulator.branches())
                RC_ASSERT(trace(simulator.recordsOf(branch.id)) == known.value(branch.id));
            RC_ASSERT(simulator.branches().size() == known.size());
        }
        for (const quint32 branch : known.keys()) {
            simulator.switchTo(branch);
            simulator.jump(simulator.lastMoment());
            RC_ASSERT(everything(ground.rules, simulator.world()) == ends.value(branch));
        }
    });
    QVERIFY(holds);
}

void TestTimeline::branchesOfBranches()
{
    Staging staging(u"network-controller"_s, sn);
    Simulator &simulator = staging.simulator;
    staging.ask(u"PUT"_s, sn);
    simulator.runUntilQuiet(); // 0: PUT, end
    simulator.jump(1);
    staging.ask(u"DELETE"_s, sn); // 1 leaves 0 at 1
    simulator.runUntilQuiet();
    simulator.jump(2);
    staging.ask(u"DELETE"_s, ln); // 2 leaves 1 at 2
    simulator.jump(0);
    staging.ask(u"GET"_s, ln); // 3 leaves 0 at 0
    QStringList told;
    for (const Simulator::Branch &branch : simulator.branches())
        told += u"%1<%2@%3 shown %4"_s.arg(branch.id)
                    .arg(branch.trunk)
                    .arg(branch.fork)
                    .arg(branch.shown);
    QCOMPARE(told,
        (QStringList {
            u"0<0@0 shown 1"_s, u"1<0@1 shown 2"_s, u"2<1@2 shown 0"_s, u"3<0@0 shown 1"_s }));
    // One that begins where another did is not on it.
    simulator.switchTo(1);
    simulator.jump(1);
    staging.ask(u"GET"_s, ln);
    QCOMPARE(simulator.branches().last().trunk, 0U);
    QCOMPARE(simulator.branches().last().fork, 1);
    simulator.switchTo(1);
    simulator.jump(2);
    QCOMPARE(simulator.moment(), 2);
    QCOMPARE(staging.at(sn), u"Deleting"_s);
    QCOMPARE(simulator.lastMoment(), 3);
    simulator.switchTo(0);
    QCOMPARE(simulator.moment(), 1);
    QCOMPARE(staging.at(sn), u"Updating"_s);
}

void TestTimeline::removedBranchesComeBack()
{
    Staging staging(u"network-controller"_s, sn);
    Simulator &simulator = staging.simulator;
    staging.ask(u"PUT"_s, sn);
    simulator.runUntilQuiet();
    simulator.jump(1);
    staging.ask(u"DELETE"_s, sn);
    simulator.runUntilQuiet();
    simulator.jump(2);
    staging.ask(u"GET"_s, ln);
    simulator.renameBranch(2, u"a look"_s);
    simulator.jump(2);
    staging.ask(u"PUT"_s, ln); // 3, which leaves 1 where 2 did
    staging.ask(u"GET"_s, ln);
    simulator.jump(3);
    staging.ask(u"GET"_s, sn); // 4, on 3, which is on 1
    QCOMPARE(simulator.branch(), 4U);
    QVERIFY(simulator.removeBranch(0).isEmpty()); // there is always one
    const QList<Record> before = simulator.recordsOf(2);
    const QList<Simulator::Branch> removed = simulator.removeBranch(1); // with all that is on it
    QCOMPARE(removed.size(), 4);
    QCOMPARE(simulator.branch(), 0U);
    QCOMPARE(simulator.branches().size(), 1);
    QCOMPARE(trace(simulator.records() + simulator.later()).count(u' '), 1);
    simulator.restoreBranches(removed);
    QCOMPARE(simulator.branches().size(), 5);
    QCOMPARE(trace(simulator.recordsOf(2)), trace(before));
    QCOMPARE(simulator.branches()[2].name, u"a look"_s);
    Simulator::Branch odd = removed.last();
    odd.id = 9;
    for (const auto &[trunk, fork] : { std::pair(8U, 0), std::pair(9U, 0), std::pair(0U, -1) }) {
        odd.trunk = trunk;
        odd.fork = fork;
        simulator.restoreBranches({ odd });
        QCOMPARE(simulator.branches().size(), 5);
    }
    simulator.switchTo(2);
    QCOMPARE(simulator.moment(), 2);
    simulator.reset(); // nothing is left of any
    QCOMPARE(simulator.branches().size(), 1);
    simulator.restoreBranches(removed); // of a run that is no more
    QCOMPARE(simulator.branches().size(), 1);
}

namespace {
const TestClass<TestTimeline> registered;
}

#include "tst_timeline.moc"
