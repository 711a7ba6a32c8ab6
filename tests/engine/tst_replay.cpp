// SPDX-License-Identifier: Apache-2.0
// A run that is played again under other rules.

#include "model/explore/rerun.h"
#include "model/pack/names.h"
#include "model/pack/runnablepack.h"
#include "tests/support/packtext.h"
#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/randomedit.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestReplay : public QObject
{
    Q_OBJECT

private slots:
    void whatIsLeftOutComesBack();
    void theSampleIsFollowed();
    void whatWasAskedMeanwhile();
    void namesAreFollowed();
    void unknownOutcomesSucceed();
    void longRunsBeginAnew();
    void endlessRulesBeginAnew();
    void thereAndBack_data();
    void thereAndBack();
};

const QString A = u"/things/a"_s, B = u"/parts/b"_s;

/// Things and parts that a PUT sets to work for a second.
Pack makers()
{
    return packOf(R"({"id": "p", "operations": {"PUT": {}, "GO": {}},
        "types": {"things": {"machine": "m"}, "parts": {"machine": "n"}},
        "machines": {
            "m": {"rest": "idle", "states": {"none": {"kind": "initial"}, "idle": {}, "full": {},
                    "busy": {"kind": "transitional"}},
                "transitions": [{"from": ["none", "idle", "full"], "on": "PUT", "to": "busy"},
                    {"from": "busy", "on": "succeeded", "to": "full"},
                    {"from": "full", "on": "GO", "to": "idle"}]},
            "n": {"rest": "idle", "states": {"none": {"kind": "initial"}, "idle": {},
                    "busy": {"kind": "transitional"}},
                "transitions": [{"from": ["none", "idle"], "on": "PUT", "to": "busy"},
                    {"from": "busy", "on": "succeeded", "to": "idle"}]}},
        "sample": {"resources": [{"path": "/things/a"}, {"path": "/parts/b"}]}})");
}

Rules ruled(const Pack &pack, const Switches &switches = {})
{
    return valueOf(Rules::make(runnableDraft(pack, switches), switches));
}

std::unique_ptr<Simulator> running(const Pack &pack)
{
    const Rules rules = ruled(pack);
    auto simulator = std::make_unique<Simulator>(rules, makeWorld(rules, pack.sample).world);
    simulator->submit({ .op = u"PUT"_s, .path = A });
    simulator->advance(300);
    simulator->submit({ .op = u"PUT"_s, .path = B });
    simulator->advance(1500);
    return simulator;
}

/// Everything that is and that happened.
QString told(const Simulator &simulator)
{
    QString text = everything(simulator.rules(), simulator.world());
    for (const Record &record : simulator.records())
        text += u'\n' + QString::number(record.event.time) + u' ' + told(record.event);
    return text;
}

Pack withoutParts(Pack pack)
{
    pack.types.removeIf([](const Type &type) { return type.path == u"parts"; });
    pack.machines.removeIf([](const Machine &machine) { return machine.id == u"n"; });
    pack.sample.removeIf([](const ResourceSpec &spec) { return spec.path == B; });
    return pack;
}

void TestReplay::whatIsLeftOutComesBack()
{
    const auto simulator = running(makers());
    const QString before = told(*simulator);
    Replay replay(*simulator);
    const QString said = replay.play(ruled(withoutParts(makers())));
    QVERIFY2(said.contains(B) && said.contains(u"PUT "_s + B), qPrintable(said));
    QCOMPARE(simulator->world().tree.find(B), NoResource);
    QCOMPARE(simulator->world().now, 1800);
    // Not even a change that is only drawn forgets it.
    Pack drawn = withoutParts(makers());
    drawn.machines[0].states[1].position = QPointF(5, 5);
    QCOMPARE(replay.play(ruled(drawn)), QString());
    QCOMPARE(replay.play(ruled(makers())), QString());
    QCOMPARE(told(*simulator), before);
    // Only the branch shown is played again.
    simulator->showTime(300);
    simulator->submit({ .op = u"PUT"_s, .path = A });
    QCOMPARE(simulator->branches().size(), 2);
    QVERIFY(
        replay.play(ruled(withoutParts(makers()))).endsWith(u"Undo does not bring them back."_s));
    QVERIFY(!replay.play(ruled(makers())).contains(u"branches"_s));
}

/// A run that began with the pack's sample begins with the changed one; another run does not.
void TestReplay::theSampleIsFollowed()
{
    const QString other = u"/things/c"_s;
    const Pack pack = makers();
    Pack more = pack;
    more.sample += ResourceSpec { .path = other };
    const auto simulator = running(pack);
    const qint64 now = simulator->world().now;
    Replay replay(*simulator);
    QCOMPARE(replay.play(ruled(more)), QString());
    QVERIFY(simulator->world().tree.find(other) != NoResource);
    QCOMPARE(simulator->world().now, now);
    QCOMPARE(simulator->operations().all().size(), 2);
    replay.play(ruled(pack));
    QCOMPARE(simulator->world().tree.find(other), NoResource);
    const Rules rules = ruled(pack);
    Simulator alone(rules, makeWorld(rules, { ResourceSpec { .path = A } }).world);
    Replay(alone).play(ruled(more));
    QCOMPARE(alone.world().tree.find(other), NoResource);
}

void TestReplay::whatWasAskedMeanwhile()
{
    const auto simulator = running(makers());
    Replay replay(*simulator);
    replay.play(ruled(withoutParts(makers())));
    simulator->submit({ .op = u"GO"_s, .path = A });
    simulator->advance(200);
    QCOMPARE(replay.play(ruled(makers())), QString());
    QCOMPARE(simulator->operations().all().size(), 3);
    QCOMPARE(simulator->world().now, 2000);
    QVERIFY(simulator->world().tree.find(B) != NoResource);
    const Resource a = simulator->world().tree.find(A);
    QCOMPARE(shownWord(simulator->rules(), simulator->world(), a), u"idle"_s);
}

void TestReplay::namesAreFollowed()
{
    const auto simulator = running(makers());
    const qsizetype moments = simulator->moment();
    Pack pack = renamed(makers(), Name::Operation, u"PUT"_s, u"MAKE"_s);
    pack = renamed(pack, Name::Type, u"things"_s, u"items"_s);
    pack = renamed(pack, Name::State, u"full"_s, u"ready"_s, u"m"_s);
    const QList<Renaming> renamings { { Name::Operation, {}, u"PUT"_s, u"MAKE"_s },
        { Name::Type, {}, u"things"_s, u"items"_s },
        { Name::State, u"m"_s, u"full"_s, u"ready"_s } };
    QCOMPARE(Replay(*simulator).play(ruled(pack), renamings), QString());
    QCOMPARE(simulator->moment(), moments);
    const Resource item = simulator->world().tree.find(u"/items/a");
    QVERIFY(item != NoResource);
    QCOMPARE(shownWord(simulator->rules(), simulator->world(), item), u"ready"_s);
    const auto other = running(makers());
    pack = renamed(makers(), Name::Type, u"parts"_s, u"things/parts"_s);
    QCOMPARE(
        Replay(*other).play(ruled(pack), { { Name::Type, {}, u"parts"_s, u"things/parts"_s } }),
        QString());
    QCOMPARE(other->records()[1].event.request->path, u"/things/a/parts/b"_s);
}

/// Planned work has another end where the rules do not know its outcome.
void TestReplay::unknownOutcomesSucceed()
{
    Pack pack = makers();
    pack.outcomes += Outcome { .id = u"burnt"_s };
    pack.machines[0].transitions +=
        Transition { .from = { u"busy"_s }, .on = { u"burnt"_s }, .to = { u"idle"_s } };
    const Rules rules = ruled(pack);
    Simulator simulator(rules, makeWorld(rules, pack.sample).world);
    simulator.submit(
        { .op = u"PUT"_s, .path = A, .work = { { u"busy"_s, { .outcomes = { u"burnt"_s } } } } });
    simulator.runUntilQuiet();
    const auto shown = [&] { return *wordAt(simulator.rules(), simulator.world(), A); };
    QCOMPARE(shown(), u"idle"_s);
    QCOMPARE(Replay(simulator).play(ruled(makers())), QString());
    QCOMPARE(shown(), u"full"_s);
}

/// The run is still known when the rules are those of before.
void TestReplay::longRunsBeginAnew()
{
    const auto simulator = running(makers());
    QCOMPARE(simulator->lastMoment(), 4);
    Replay replay(*simulator, 3);
    const QString said = replay.play(ruled(withoutParts(makers())));
    QVERIFY2(said.contains(u"more than 3 events"_s), qPrintable(said));
    QCOMPARE(simulator->lastMoment(), 0);
    QCOMPARE(simulator->world().now, 0);
    QVERIFY(simulator->world().tree.find(A) != NoResource);
}

/// Rules under which something happens for ever.
void TestReplay::endlessRulesBeginAnew()
{
    const auto simulator = running(makers());
    simulator->advance(20'000);
    const QString before = told(*simulator);
    Pack endless = makers();
    State &full = *std::ranges::find(endless.machines[0].states, u"full"_s, &State::id);
    full.timer = Timer { .operation = u"PUT"_s, .after = 1 };
    endless.operations[0].duration = 1;
    Replay replay(*simulator, 100);
    QVERIFY(!replay.play(ruled(endless)).isEmpty());
    QCOMPARE(simulator->lastMoment(), 0);
    QCOMPARE(replay.play(ruled(makers())), QString());
    QCOMPARE(told(*simulator), before);
}

void TestReplay::thereAndBack_data()
{
    QTest::addColumn<QString>("pack");
    for (const QString &pack : QStringList { QString() } + knownPacks())
        QTest::newRow(pack.isEmpty() ? "random packs" : qPrintable(pack)) << pack;
}

/// Whatever is edited and undone, everything is as it was.
void TestReplay::thereAndBack()
{
    QFETCH(const QString, pack);
    QVERIFY(holdsFor(pack.isEmpty() ? 60 : 10, 60, [&] {
        const Playground ground = pack.isEmpty() ? randomPlayground() : knownPlayground(pack);
        const Switches switches = ground.rules.switches();
        Simulator simulator(ground.rules, ground.world);
        simulator.advance(1); // nothing is due when something is asked for, here and below
        for (int i = 1 + below(8); i > 0; --i) {
            simulator.submit(anyRequest(ground, i));
            simulator.advance(2 * below(400));
        }
        simulator.showTime(simulator.world().now);
        Replay replay(simulator);
        replay.play(ruled(ground.rules.pack(), {})); // in the names of scenarios
        const QString before = told(simulator);
        Pack edited = ground.rules.pack();
        for (int i = 1 + below(4); i > 0; --i) {
            edited = randomlyEdited(edited);
            const Pack playable = runnableDraft(edited);
            if (const Result<Rules> rules = Rules::make(playable))
                replay.play(*rules);
            const QString broken = brokenPromise(simulator.rules(), simulator.world());
            if (!broken.isEmpty())
                RC_FAIL(broken.toStdString());
        }
        replay.play(ruled(ground.rules.pack(), {}));
        RC_ASSERT(told(simulator).toStdString() == before.toStdString());
    }));
}

} // namespace

const TestClass<TestReplay> registered;
#include "tst_replay.moc"
