// SPDX-License-Identifier: Apache-2.0
#include "model/explore/behaviouraldifference.h"
#include "model/json/comparison.h"
#include "model/pack/rows.h"
#include "tests/support/packtext.h"
#include "tests/support/randompack.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// Two packs are compared as a whole: what they say, and what they do.
class TestComparison : public QObject
{
    Q_OBJECT

private slots:
    void traceForEach();
    void certain_data();
    void certain();
    void packsThatCannotRun();
    void settings();
    void places();
    void randomRowsAreThere();
};

namespace {

const QByteArray doorText = R"({
  "id": "door",
  "types": {"doors": {"machine": "door"}},
  "operations": {"push": {"duration": 10}, "pull": {"duration": 10}},
  "switches": {"locks": {"values": ["no", "yes"], "default": "no"}},
  "machines": {"door": {"rest": "shut",
    "states": {"none": {"kind": "initial"}, "shut": {}, "ajar": {}},
    "transitions": [
      {"from": "none", "on": "push", "to": "shut"},
      {"from": "shut", "on": "pull", "refuse": "locked", "when": {"locks": "yes"}},
      {"from": "shut", "on": "pull", "to": "ajar"},
      {"from": "ajar", "on": "push", "to": "shut"}]}},
  "refusals": {"locked": {"http": 409}},
  "conflicts": [{"then": "reject"}],
  "sample": {"resources": [{"path": "/doors/d1"}]}
})";

Pack door()
{
    return packOf(doorText);
}

QString stepsOf(const Scenario &scenario)
{
    QStringList words;
    for (const ScenarioStep &step : scenario.steps) {
        for (auto it = step.expectation.resources.cbegin(); it != step.expectation.resources.cend();
             ++it)
            words += u"%1 is %2"_s.arg(it.key(), it.value());
        if (step.kind == ScenarioStep::Kind::Submit)
            words += u"%1 %2"_s.arg(step.request.op, step.request.path);
    }
    return words.join(u", "_s);
}

} // namespace

/// In the names of each pack; only on the first does what it expects come true.
void TestComparison::traceForEach()
{
    Pack other = renamed(door(), Name::State, u"ajar"_s, u"open"_s, u"door"_s);
    other = renamed(other, Name::Operation, u"pull"_s, u"draw"_s);
    other.machines[0].transitions[2].to = { u"shut"_s };
    const ComparedPack a { u"a"_s, door(), {} }, b { u"b"_s, other, {} };
    const PackComparison both = compared(a, b);
    const Result<BehaviouralDifference> found = behaviouralDifference(both);
    QVERIFY2(found, qPrintable(found ? QString() : found.error()));
    QVERIFY(found->scenario && found->other);
    QCOMPARE(stepsOf(*found->scenario), u"pull /doors/d1, /doors/d1 is ajar"_s);
    QCOMPARE(stepsOf(*found->other), u"draw /doors/d1, /doors/d1 is open"_s);
    QCOMPARE(found->scenario->pack, u"a"_s);
    QCOMPARE(found->other->pack, u"b"_s);
    const auto failed = [](const Scenario &scenario, const Pack &pack) {
        Result<Stage> stage = stageOf(scenario, pack);
        if (!stage)
            qFatal("%s", qPrintable(stage.error()));
        Simulator simulator(stage->rules, stage->world);
        return play(scenario, simulator).failed;
    };
    QCOMPARE(failed(*found->scenario, a.pack), 0);
    QCOMPARE(failed(*found->other, b.pack), 1);
}

using Edit = void (*)(Pack &);
Q_DECLARE_METATYPE(Edit)

void TestComparison::certain_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<bool>("isCertain");
    const auto row = [](const char *name, bool isCertain, Edit edit) {
        QTest::newRow(name) << edit << isCertain;
    };
    row("a state's name", true,
        [](Pack &pack) { pack = renamed(pack, Name::State, u"ajar"_s, u"open"_s, u"door"_s); });
    row("an operation's name", true,
        [](Pack &pack) { pack = renamed(pack, Name::Operation, u"pull"_s, u"draw"_s); });
    row("a refusal's name", true,
        [](Pack &pack) { pack = renamed(pack, Name::Refusal, u"locked"_s, u"bolted"_s); });
    row("a name that the engine knows", false,
        [](Pack &pack) { pack = renamed(pack, Name::Refusal, u"locked"_s, knownRefusals()[0]); });
    row("words", true, [](Pack &pack) {
        pack.title = u"Doors"_s;
        pack.about = u"They open."_s;
        pack.origin = u"Here"_s;
        pack.machines[0].states[1].label = u"closed"_s;
        pack.machines[0].notes += ChartNote();
        pack.sourceList += Source();
        pack.conflicts[0].sources = { u"book"_s };
        pack.conflicts[0].extras += Extra { u"x-by"_s, "1" };
    });
    row("where things are drawn", true, [](Pack &pack) {
        pack = renamed(pack, Name::State, u"ajar"_s, u"open"_s, u"door"_s);
        pack.machines[0].transitions[0].bend = 5;
    });
    row("how long something takes", false, [](Pack &pack) { pack.operations[0].duration = 20; });
    row("a row less", false, [](Pack &pack) { pack.machines[0].transitions.removeLast(); });
    row("another order", false, [](Pack &pack) { pack.machines[0].transitions.move(1, 2); });
    row("what is usual", false, [](Pack &pack) { pack.switches[0].defaultValue = u"yes"_s; });
    row("a name, and what a row says", false, [](Pack &pack) {
        pack = renamed(pack, Name::State, u"ajar"_s, u"open"_s, u"door"_s);
        pack.machines[0].transitions[2].force = true;
    });
}

/// Where the rules are equal but for what means nothing, nothing is searched.
void TestComparison::certain()
{
    QFETCH(Edit, edit);
    QFETCH(bool, isCertain);
    Pack other = door();
    edit(other);
    const ComparedPack a { u"a"_s, door(), {} }, b { u"b"_s, other, {} };
    const PackComparison both = compared(a, b);
    QVERIFY(!both.differences.isEmpty() || isCertain);
    const Result<BehaviouralDifference> found = behaviouralDifference(both);
    QVERIFY2(found, qPrintable(found ? QString() : found.error()));
    QCOMPARE(found->isCertain, isCertain);
    QCOMPARE(found->worlds == 0, isCertain);
    if (isCertain)
        QVERIFY(found->complete && !found->scenario);
}

void TestComparison::packsThatCannotRun()
{
    Pack broken = door();
    broken.machines[0].transitions[2].to = { u"nowhere"_s };
    const ComparedPack a { u"a"_s, door(), {} }, b { u"b"_s, broken, {} };
    const PackComparison both = compared(a, b);
    QCOMPARE(both.differences.size(), 1);
    const Result<BehaviouralDifference> found = behaviouralDifference(both);
    QVERIFY(!found);
    QVERIFY2(found.error().contains(u"nowhere"_s), qPrintable(found.error()));
}

/// Without switches all rows count; under some, those that exist then.
void TestComparison::settings()
{
    const ComparedPack usual { u"door"_s, door(), {} };
    const ComparedPack locked { u"door"_s, door(), { { u"locks"_s, u"yes"_s } } };
    QVERIFY(compared(usual, usual).differences.isEmpty());
    const PackComparison both = compared(usual, locked);
    QCOMPARE(both.differences.size(), 1);
    QCOMPARE(both.differences[0].where, u"machines/door/transitions/1"_s);
    const Result<BehaviouralDifference> found = behaviouralDifference(both);
    QVERIFY(found && found->scenario);
    QCOMPARE(found->scenario->switches, Switches());
    QCOMPARE(found->other->switches, locked.switches);
    // Under one setting, what it leaves out does not count.
    ComparedPack free { u"door"_s, renamed(door(), Name::State, u"ajar"_s, u"open"_s, u"door"_s),
        { { u"locks"_s, u"no"_s } } };
    free.pack.machines[0].transitions.removeAt(1);
    QVERIFY(behaviouralDifference(compared(usual, free))->isCertain);
    QVERIFY(!behaviouralDifference(compared(locked, free))->isCertain);
}

void TestComparison::places()
{
    const Pack pack = door();
    QCOMPARE(placeText(pack, u"/machines/door/states/ajar/label"_s), u"door · ajar"_s);
    QCOMPARE(placeText(pack, u"/machines/door/transitions/9"_s),
        placeText(pack, u"/machines/door/transitions"_s));
    QCOMPARE(placeText(pack, {}), u"door"_s);
}

/// The place of each difference leads to a row of its kind.
void TestComparison::randomRowsAreThere()
{
    QVERIFY(rc::check("differences lead to rows", [] {
        const Pack first = *randomPack(), second = *randomPack();
        const PackComparison both = compared({ {}, first, {} }, { {}, second, {} });
        for (const Difference &each : both.differences) {
            const bool isAdded = each.kind == Difference::Kind::Added;
            RC_ASSERT(each.where.isEmpty()
                || outlineOf(isAdded ? second : first, u'/' + each.where).kindName == each.row);
        }
    }));
}

const instar::TestClass<TestComparison> registered;
#include "tst_comparison.moc"
