// SPDX-License-Identifier: Apache-2.0
#include "model/engine/clock.h"
#include "model/engine/treegroups.h"
#include "model/explore/explore.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// What the clock does: timers whose moments properties tell, work that may take so long and no
// longer, and work that waits for a time.

class TestClock : public QObject
{
    Q_OBJECT

private slots:
    void workEndsBeforeTimersFire();
    void momentsInProperties_data();
    void momentsInProperties();
    void momentsMoveWithProperties();
    void refusedFiringsWait();
    void firesWhenTimeAloneAllowsIt();
    void pausesInProperties_data();
    void pausesInProperties();
    void workThatTakesTooLong_data();
    void workThatTakesTooLong();
    void whatWasRequiredRestsFirst();
    void inTimeAtTheLastMoment();
    void eachEntryHasItsOwnTime();
    void timeEndsWithItsState();
    void untilATime_data();
    void untilATime();
    void untilATimeThatIsMoved();
    void exploredWithoutTime();
    void extremeTimes();
    void orderMayLookAtOtherTrees();
};

namespace {

/// A kettle is boiled, goes cold by itself, and rests until its tea time.
const QByteArray kettles = R"pack({
  "id": "kettles",
  "types": {"stoves": {"machine": "stove"}, "stoves/kettles": {"machine": "kettle"}},
  "operations": {"boil": {"duration": 4000}, "light": {"duration": 4000}, "set": {"merge": true}},
  "outcomes": {"burnt": {"code": "TooLong"}, "again": {"code": "Again"}},
  "retry": "again",
  "machines": {
    "stove": {
      "rest": "off",
      "states": {
        "none": {"kind": "initial"}, "off": {}, "on": {}, "out of order": {},
        "lighting": {"kind": "transitional", "timer": {"outcome": "burnt", "after": "patience"},
                     "work": [{"op": "boil", "to": "kettles", "together": true}, {"until": {"elapsed": {"since": "noon"}}}]}
      },
      "transitions": [
        {"from": ["off", "on"], "on": "light", "to": "lighting"},
        {"from": ["off", "on"], "on": "set", "to": "(same)"},
        {"from": "off", "on": "plug in", "to": "on"},
        {"from": "lighting", "on": "succeeded", "to": "on"},
        {"from": "lighting", "on": "failed", "to": "off"},
        {"from": "lighting", "on": "burnt", "if": {"some kettles": ["boiling"]}, "to": "off"},
        {"from": "lighting", "on": "burnt", "to": "out of order"}
      ]
    },
    "kettle": {
      "rest": "cold",
      "states": {
        "none": {"kind": "initial"}, "cold": {}, "ruined": {},
        "hot": {"timer": {"op": "cool", "after": 3000}},
        "set": {"timer": {"op": "cool", "at": {"property": "tea", "else": {"property": "noon", "of": "parent", "times": 1000, "add": -60000}},
                          "after": {"property": "late", "else": 100}}},
        "waiting": {"timer": {"op": "pour", "after": 1000}},
        "boiling": {"kind": "transitional", "timer": {"outcome": "burnt", "after": 5000}}
      },
      "transitions": [
        {"from": ["cold", "hot", "set"], "on": "boil", "to": "boiling"},
        {"from": "cold", "on": "set", "to": "set"},
        {"from": "set", "on": "set", "to": "(same)"},
        {"from": "cold", "on": "wait", "to": "waiting"},
        {"from": "waiting", "on": "pour", "if": {"parent": ["on"]}, "to": "cold"},
        {"from": "waiting", "on": "pour", "if": {"elapsed": {"since": "tea", "ms": 2500}}, "to": "ruined"},
        {"from": "boiling", "on": "succeeded", "to": "hot"},
        {"from": "boiling", "on": "again", "to": "(same)", "limit": 3, "after": {"property": "pause", "times": 1000, "else": 500}},
        {"from": "boiling", "on": "burnt", "to": "ruined"},
        {"from": "boiling", "on": ["failed", "canceled"], "to": "cold"},
        {"from": ["hot", "set"], "on": "cool", "to": "cold"}
      ]
    }
  }
})pack";

const QString stove = u"/stoves/s"_s, kettle = stove + u"/kettles/k"_s,
              other = stove + u"/kettles/o"_s;

Rules kettleRules()
{
    return rulesOf(packOf(kettles));
}

class Kitchen : public Staging
{
public:
    explicit Kitchen(const QJsonObject &ofStove = {}, const QJsonObject &ofKettle = {})
        : Staging(kettleRules(),
            { { .path = stove, .properties = ofStove }, { .path = kettle, .properties = ofKettle },
                { .path = other } })
    { }
    qint64 now() const { return simulator.world().now; }
    /// The time of the last thing that happened.
    qint64 last() const { return simulator.records().last().event.time; }
    std::optional<qint64> ended(const QString &id) const { return operation(id).ended; }
};

} // namespace

/// Both are due at 3000: the kettle hears its boiling's end, and is not cold again before.
void TestClock::workEndsBeforeTimersFire()
{
    Kitchen kitchen;
    kitchen.ask({ .op = u"boil"_s, .path = other, .duration = 0 });
    kitchen.simulator.advance(0); // hot from 0, cool at 3000
    kitchen.ask({ .op = u"boil"_s, .path = kettle, .duration = 3000 });
    QVERIFY(kitchen.simulator.runUntilQuiet());
    QStringList told;
    for (const Record &record : kitchen.simulator.records()) {
        if (record.event.time == 3000)
            told += record.event.kind == Event::Kind::End ? u"end"_s : u"fire"_s;
    }
    QCOMPARE(told, (QStringList { u"end"_s, u"fire"_s }));
}

void TestClock::momentsInProperties_data()
{
    const Rows<QJsonObject, QJsonObject, qint64> row("ofStove", "ofKettle", "fires");
    row("its own", { { u"noon"_s, 90 } }, { { u"tea"_s, 5000 } }, 5100);
    row("its own delay", {}, { { u"tea"_s, 5000 }, { u"late"_s, 700 } }, 5700);
    row("no delay at all", {}, { { u"tea"_s, 5000 }, { u"late"_s, 0 } }, 5000);
    row("its parent's, in seconds, a minute before", { { u"noon"_s, 90 } }, {}, 30'100);
    row("a text is no time", { { u"noon"_s, 90 } }, { { u"tea"_s, u"5000"_s } }, 30'100);
    row("nobody's", {}, {}, 1);
    row("long past", { { u"noon"_s, 1 } }, { { u"late"_s, 10 } }, 1);
    row("beyond 2^31", {}, { { u"tea"_s, qint64(7'776'000'000) } }, 7'776'000'100);
}

void TestClock::momentsInProperties()
{
    QFETCH(QJsonObject, ofStove);
    QFETCH(QJsonObject, ofKettle);
    Kitchen kitchen(ofStove, ofKettle);
    kitchen.ask(u"set"_s, kettle);
    QVERIFY(kitchen.simulator.runUntilQuiet());
    QCOMPARE(kitchen.at(kettle), u"cold"_s);
    QTEST(kitchen.last(), "fires");
}

/// Also where the property is another resource's.
void TestClock::momentsMoveWithProperties()
{
    Kitchen kitchen({ { u"noon"_s, 90 } });
    kitchen.ask(u"set"_s, kettle);
    QCOMPARE(nextEvent(kitchen.simulator.rules(), kitchen.simulator.world()).time, 30'100);
    kitchen.ask({ .op = u"set"_s, .path = stove, .properties = { { u"noon"_s, 100 } } });
    QCOMPARE(nextEvent(kitchen.simulator.rules(), kitchen.simulator.world()).time, 40'100);
    kitchen.ask({ .op = u"set"_s, .path = kettle, .properties = { { u"tea"_s, 20'000 } } });
    QCOMPARE(nextEvent(kitchen.simulator.rules(), kitchen.simulator.world()).time, 20'100);
    kitchen.ask({ .op = u"set"_s, .path = kettle, .properties = { { u"tea"_s, QJsonValue() } } });
    QCOMPARE(nextEvent(kitchen.simulator.rules(), kitchen.simulator.world()).time, 40'100);
}

/// What would be refused is not due; once something makes it possible it fires at once.
void TestClock::refusedFiringsWait()
{
    Kitchen kitchen({}, { { u"tea"_s, 1'000'000 } });
    kitchen.ask(u"wait"_s, kettle);
    kitchen.simulator.advance(9000);
    QCOMPARE(kitchen.at(kettle), u"waiting"_s);
    kitchen.ask(u"plug in"_s, stove);
    kitchen.simulator.advance(0);
    QCOMPARE(kitchen.at(kettle), u"cold"_s);
    QCOMPARE(kitchen.last(), 9000);
}

/// A row that lets it happen later is judged at the time at which the clock looks.
void TestClock::firesWhenTimeAloneAllowsIt()
{
    Kitchen kitchen({}, { { u"tea"_s, -1500 } });
    kitchen.ask(u"wait"_s, kettle); // looked at 1000, when 2500 ms have passed since then
    QVERIFY(kitchen.simulator.runUntilQuiet());
    QCOMPARE(kitchen.at(kettle), u"ruined"_s);
    QCOMPARE(kitchen.last(), 1000);
}

void TestClock::pausesInProperties_data()
{
    const Rows<QJsonObject, qint64> row("properties", "ended");
    row("said, in seconds", QJsonObject { { u"pause"_s, 1 } }, 1100 + 1000 + 1100);
    row("not said", QJsonObject {}, 1100 + 500 + 1100);
    row("none", QJsonObject { { u"pause"_s, 0 } }, 1100 + 1100);
}

void TestClock::pausesInProperties()
{
    QFETCH(QJsonObject, properties);
    Kitchen kitchen({}, properties);
    kitchen.ask({ .op = u"boil"_s, .path = kettle, .transientFailures = 1, .duration = 1100 });
    kitchen.simulator.advance(4000);
    QCOMPARE(kitchen.status(u"op1"_s), u"Succeeded"_s);
    QTEST(*kitchen.ended(u"op1"_s), "ended");
}

void TestClock::workThatTakesTooLong_data()
{
    const Rows<Request, QString> row("request", "after");
    row("hangs", Request { .op = u"boil"_s, .path = kettle, .hang = true }, u"ruined"_s);
    row("is slow", Request { .op = u"boil"_s, .path = kettle, .duration = 5001 }, u"ruined"_s);
    row("pauses", Request { .op = u"boil"_s, .path = other, .work = {}, .conditions = {} },
        u"hot"_s);
}

void TestClock::workThatTakesTooLong()
{
    QFETCH(Request, request);
    Kitchen kitchen;
    kitchen.ask(request);
    kitchen.simulator.advanceTo(5000);
    QTEST(kitchen.at(request.path), "after");
    if (request.path == other)
        return;
    QCOMPARE(kitchen.status(u"op1"_s), u"Failed"_s);
    QCOMPARE(kitchen.operation(u"op1"_s).errorCode, u"TooLong"_s);
    QCOMPARE(kitchen.ended(u"op1"_s), std::optional<qint64>(5000));
    QVERIFY(kitchen.simulator.world().running.empty());
    QVERIFY(!kitchen.simulator.step());
}

/// What the work had required is canceled, and rests, before the outcome is heard.
void TestClock::whatWasRequiredRestsFirst()
{
    Kitchen kitchen({ { u"patience"_s, 1500 } });
    kitchen.ask(u"light"_s, stove);
    QCOMPARE(kitchen.at(kettle), u"boiling"_s);
    kitchen.simulator.advanceTo(1500);
    QCOMPARE(kitchen.states({ stove, kettle, other }), u"out of order cold cold"_s);
    QCOMPARE(kitchen.status(u"op1.1"_s) + kitchen.status(u"op1.2"_s), u"CanceledCanceled"_s);
    QCOMPARE(kitchen.operation(u"op1.1"_s).canceledBy, u"op1"_s);
    QVERIFY(!kitchen.simulator.step());
    QCOMPARE(brokenPromise(kitchen.simulator.rules(), kitchen.simulator.world()), QString());
}

void TestClock::inTimeAtTheLastMoment()
{
    Kitchen kitchen;
    kitchen.ask({ .op = u"boil"_s, .path = kettle, .duration = 5000 });
    kitchen.simulator.advanceTo(5000);
    QCOMPARE(kitchen.at(kettle), u"hot"_s);
}

/// The time begins again where the work does.
void TestClock::eachEntryHasItsOwnTime()
{
    Kitchen kitchen;
    kitchen.ask({ .op = u"boil"_s, .path = kettle, .transientFailures = 2, .duration = 3000 });
    kitchen.simulator.advanceTo(10'000);
    QCOMPARE(kitchen.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(kitchen.ended(u"op1"_s), std::optional<qint64>(3 * 3000 + 2 * 500));
}

/// What follows may take as long as it likes.
void TestClock::timeEndsWithItsState()
{
    const QByteArray toasters = R"pack({
      "id": "toasters",
      "types": {"toasters": {"machine": "toaster"}},
      "outcomes": {"burnt": {"code": "TooLong"}},
      "machines": {"toaster": {
        "rest": "off",
        "states": {
          "none": {"kind": "initial"}, "off": {}, "warm": {}, "cooling": {"kind": "transitional"},
          "toasting": {"kind": "transitional", "timer": {"outcome": "burnt", "after": 5000}}
        },
        "transitions": [
          {"from": "off", "on": "toast", "to": "toasting"},
          {"from": "toasting", "on": "succeeded", "to": "cooling"},
          {"from": "toasting", "on": "burnt", "to": "off"},
          {"from": "cooling", "on": "succeeded", "to": "warm"}
        ]
      }}
    })pack";
    const QString toaster = u"/toasters/t"_s;
    Staging staging(rulesOf(packOf(toasters)), resourcesFrom(toaster));
    staging.ask({ .op = u"toast"_s, .path = toaster, .duration = 3000 });
    staging.simulator.advanceTo(5000);
    QCOMPARE(staging.at(toaster), u"cooling"_s);
    QVERIFY(staging.simulator.runUntilQuiet());
    QCOMPARE(staging.at(toaster), u"warm"_s);
    QCOMPARE(staging.operation(u"op1"_s).ended, std::optional<qint64>(6000));
}

void TestClock::untilATime_data()
{
    const Rows<QJsonObject, qint64> row("properties", "ended");
    row("to come", QJsonObject { { u"noon"_s, 9000 }, { u"patience"_s, 99'000 } }, 9000);
    row("come already", QJsonObject { { u"noon"_s, 3999 }, { u"patience"_s, 99'000 } }, 4000);
    row("none", QJsonObject { { u"patience"_s, 99'000 } }, 4000);
}

void TestClock::untilATime()
{
    QFETCH(QJsonObject, properties);
    QFETCH(qint64, ended);
    Kitchen kitchen(properties);
    kitchen.ask(u"light"_s, stove);
    kitchen.simulator.advanceTo(5000);
    QCOMPARE(kitchen.status(u"op1"_s), ended > 5000 ? u"Waiting"_s : u"Succeeded"_s);
    QVERIFY(kitchen.simulator.runUntilQuiet());
    QCOMPARE(kitchen.ended(u"op1"_s), std::optional<qint64>(ended));
    QCOMPARE(kitchen.at(stove), u"on"_s);
}

void TestClock::untilATimeThatIsMoved()
{
    Kitchen kitchen({ { u"noon"_s, 9000 }, { u"patience"_s, 99'000 } });
    kitchen.ask(u"light"_s, stove);
    kitchen.simulator.advanceTo(8000);
    const Rules &rules = kitchen.simulator.rules();
    World world = kitchen.simulator.world();
    world.properties[world.tree.find(stove)].insert(u"noon"_s, 12'000);
    world = step(rules, world, nextEvent(rules, world)).world; // woken in vain
    QCOMPARE(world.running.size(), size_t(1));
    QCOMPARE(nextEvent(rules, world).time, 12'000);
    world = step(rules, world, nextEvent(rules, world)).world;
    QVERIFY(world.running.empty());
}

/// Time is free: it may be over at any moment, or not, and what waits for a time never waits for
/// ever.
void TestClock::exploredWithoutTime()
{
    const Rules rules = kettleRules();
    Scenario scenario;
    scenario.steps.append({ .request = { .op = u"light"_s, .path = stove, .id = u"l"_s } });
    ExploreOptions options;
    options.by = ExploreOptions::By::Operations;
    const Result<Exploration> found = explore(scenario,
        { rules,
            worldOf(rules,
                { { .path = stove,
                      .properties = { { u"noon"_s, 9000 }, { u"patience"_s, 20'000 } } },
                    { .path = kettle } }) },
        options);
    QVERIFY2(found, found ? "" : qPrintable(found.error()));
    QSet<QString> endings;
    for (const Ending &ending : found->endings)
        endings.insert(ending.resources.value(stove) + u' ' + ending.resources.value(kettle) + u' '
            + ending.operations.value(u"l"_s));
    // The kettle cools in the end; what takes too long may be the stove's work or the kettle's.
    QCOMPARE(endings,
        (QSet<QString> { u"on cold Succeeded"_s, u"out of order cold Failed"_s,
            u"out of order ruined Failed"_s }));
}

void TestClock::extremeTimes()
{
    for (const double time : { 9e18, -9e18, 1e300, 9007199254740992.0 }) {
        Kitchen kitchen({ { u"noon"_s, time }, { u"patience"_s, 9e18 } },
            { { u"tea"_s, time }, { u"late"_s, 9e18 } });
        kitchen.ask(u"set"_s, kettle);
        kitchen.ask({ .op = u"boil"_s, .path = other, .duration = 0 });
        kitchen.ask(u"light"_s, stove);
        kitchen.simulator.advance(20'000);
        QVERIFY(kitchen.now() >= 20'000);
    }
}

/// Which of two timers fires first may depend on another tree; then both trees are one group.
void TestClock::orderMayLookAtOtherTrees()
{
    for (const QByteArray order :
        { R"({"/clocks/master": ["ticking"]})", R"({"not": {"/clocks/master": ["ticking"]}})" }) {
        const Pack pack = packOf(R"pack({
      "id": "ticks",
      "types": {"clocks": {"machine": "clock"}},
      "machines": {"clock": {
        "rest": "ticking",
        "states": {"none": {"kind": "initial"},
                   "ticking": {"timer": {"op": "tick", "after": 1000, "order": [)pack"
            + order + R"pack(]}}},
        "transitions": [{"from": "none", "on": "make", "to": "ticking"},
                        {"from": "ticking", "on": "tick", "to": "ticking"}]
      }}
    })pack");
        TreeGroups groups(rulesOf(pack));
        const int own = groups.of(u"/clocks/one"_s);
        QVERIFY2(groups.of(u"/clocks/master"_s) == own, order.constData());
    }
}

const instar::TestClass<TestClock> registered;
#include "tst_clock.moc"
