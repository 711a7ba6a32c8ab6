// SPDX-License-Identifier: Apache-2.0
#include "model/explore/behaviouraldifference.h"
#include "model/json/comparison.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/identity.h"
#include "model/pack/rows.h"
#include "model/pack/runnablepack.h"
#include "tests/support/ownnames.h"
#include "tests/support/packtext.h"
#include "tests/support/randompack.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QElapsedTimer>
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
    void rows_data();
    void rows();
    void renamedAndChanged();
    void severalRenamed();
    void namesakes();
    void equalRows();
    void twinsSwapNames();
    void drawingMeansNothing();
    void json();
    void underSwitches();
    void numberedPacks();
    void large();
    void randomRenamed();
    void randomRemoved();
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
        Stage stage = valueOf(stageOf(scenario, pack));
        Simulator simulator(stage.rules, stage.world);
        return play(scenario, simulator).failed;
    };
    QCOMPARE(failed(*found->scenario, a.pack), 0);
    QCOMPARE(failed(*found->other, b.pack), 1);
}

using Edit = void (*)(Pack &);
Q_DECLARE_METATYPE(Edit)

void TestComparison::certain_data()
{
    const Rows<Edit, bool> add("edit", "isCertain");
    const auto row = [&](const char *name, bool isCertain, Edit edit) {
        add(name, edit, isCertain);
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
    const QString found = errorIn(behaviouralDifference(both));
    QVERIFY2(found.contains(u"nowhere"_s), qPrintable(found));
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
    QCOMPARE(locationText(pack, u"/machines/door/states/ajar/label"_s), u"door · ajar"_s);
    QCOMPARE(locationText(pack, u"/machines/door/transitions/9"_s),
        locationText(pack, u"/machines/door/transitions"_s));
    QCOMPARE(locationText(pack, {}), u"door"_s);
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

namespace {

QString told(const QList<Difference> &differences)
{
    QStringList lines;
    for (const Difference &each : differences)
        lines += differenceText(each);
    return lines.join(u'\n');
}

/// Pack with a row of each kind that has its own rule of comparison.
const QByteArray lampText = R"({
  "id": "lamp",
  "types": {"lamps": {"machine": "lamp"}},
  "operations": {"push": {}, "pull": {}},
  "conditions": {"dark": {"children": ["on"]}},
  "machines": {"lamp": {"rest": "off",
    "states": {"none": {"kind": "initial"}, "off": {"at": [1, 2]}, "on": {"about": "It shines."},
      "dimming": {"kind": "transitional", "work": ["attempt", {"attempt": true, "if": "dark"}]}},
    "transitions": [
      {"from": "none", "on": "push", "to": "off", "bend": 3},
      {"from": "off", "on": "push", "to": "on"},
      {"from": "off", "on": "pull", "to": "dimming", "if": "dark"},
      {"from": "on", "on": "push", "to": "off"},
      {"from": "dimming", "on": "succeeded", "to": "on"}],
    "constraints": [{"in": "on", "holds": {"parent": ["on"]}}, {"in": "off", "holds": {"parent": ["off"]}}]}},
  "conflicts": [{"on": "push", "running": "pull", "then": "reject", "code": "busy"}, {"then": "cancel"}],
  "refusals": {"busy": {"http": 409}},
  "sample": {"resources": [{"path": "/lamps/l1"}, {"path": "/lamps/l2", "state": "on"}]}
})";

Pack lamp()
{
    return packOf(lampText);
}

Machine &machineOf(Pack &pack)
{
    return pack.machines[0];
}

} // namespace

void TestComparison::rows_data()
{
    const Rows<Edit, QString> row("edit", "expected");
    row("nothing", [](Pack &) {}, {});
    row(
        "a member", [](Pack &pack) { pack.operations[1].duration = 5; },
        u"changed operation operations/pull: duration 1000 -> 5"_s);
    row(
        "a member of the pack", [](Pack &pack) { pack.ignoreCase = true; },
        u"changed pack: ignoreCase nothing -> true"_s);
    row(
        "a condition of a row",
        [](Pack &pack) { machineOf(pack).transitions[2].condition = Condition(); },
        u"changed transition machines/lamp/transitions/2: if \"dark\" -> nothing"_s);
    row(
        "where a row leads", [](Pack &pack) { machineOf(pack).transitions[1].to = { u"off"_s }; },
        u"changed transition machines/lamp/transitions/1: to \"on\" -> \"off\""_s);
    row(
        "a row in the middle",
        [](Pack &pack) {
            machineOf(pack).transitions.insert(1, { .from = { u"on"_s }, .on = { u"pull"_s } });
        },
        u"added transition machines/lamp/transitions/1: {\"from\":\"on\",\"on\":\"pull\"}"_s);
    row(
        "a row less", [](Pack &pack) { machineOf(pack).transitions.removeAt(3); },
        u"removed transition machines/lamp/transitions/3: "
        u"{\"from\":\"on\",\"on\":\"push\",\"to\":\"off\"}"_s);
    row(
        "a row twice",
        [](Pack &pack) {
            auto &rows = machineOf(pack).transitions;
            rows.insert(2, rows[1]);
        },
        u"added transition machines/lamp/transitions/2: "
        u"{\"from\":\"off\",\"on\":\"push\",\"to\":\"on\"}"_s);
    row(
        "another place", [](Pack &pack) { machineOf(pack).transitions.move(0, 3); },
        u"changed transition machines/lamp/transitions/0: order 0 -> 3"_s);
    row(
        "another place, and changed",
        [](Pack &pack) {
            machineOf(pack).transitions[1].force = true;
            machineOf(pack).transitions.move(1, 4);
        },
        u"changed transition machines/lamp/transitions/1: force nothing -> true, order 1 -> 4"_s);
    row(
        "the other way round",
        [](Pack &pack) { std::ranges::reverse(machineOf(pack).transitions); },
        u"changed transition machines/lamp/transitions/0: order 0 -> 4\n"
        u"changed transition machines/lamp/transitions/1: order 1 -> 3\n"
        u"changed transition machines/lamp/transitions/3: order 3 -> 1"_s);
    row(
        "the same place, because one went",
        [](Pack &pack) {
            machineOf(pack).transitions.move(2, 3);
            machineOf(pack).transitions.removeFirst();
        },
        u"removed transition machines/lamp/transitions/0: "
        u"{\"from\":\"none\",\"on\":\"push\",\"to\":\"off\"}\n"
        u"changed transition machines/lamp/transitions/2: order 1 -> 2"_s);
    row("where order means nothing",
        [](Pack &pack) {
            std::ranges::reverse(machineOf(pack).constraints);
            std::ranges::reverse(machineOf(pack).states);
            std::ranges::reverse(pack.operations);
            std::ranges::reverse(pack.sample);
        },
        {});
    row(
        "a constraint",
        [](Pack &pack) { machineOf(pack).constraints[0].holds[0].states = { u"off"_s }; },
        u"changed constraint machines/lamp/constraints/0: holds {\"parent\":[\"on\"]} -> "
        u"{\"parent\":[\"off\"]}"_s);
    row(
        "a conflict's verdict",
        [](Pack &pack) {
            pack.conflicts[0].then = Conflict::Then::Cancel;
            pack.conflicts[0].code.clear();
        },
        u"changed conflict conflicts/0: code \"busy\" -> nothing, then \"reject\" -> \"cancel\""_s);
    row(
        "work", [](Pack &pack) { machineOf(pack).states[3].work.removeFirst(); },
        u"removed attempt machines/lamp/states/dimming/work/0: {\"attempt\":true}"_s);
    row(
        "a resource", [](Pack &pack) { pack.sample[1].state = u"off"_s; },
        u"changed resource sample/resources/1: state \"on\" -> \"off\""_s);
    row(
        "a state more",
        [](Pack &pack) {
            machineOf(pack).states.append(State { {}, u"lost"_s });
        },
        u"added state machines/lamp/states/lost: {}"_s);
    row(
        "a follow rule", [](Pack &pack) { pack.wire.follow.usualDelay = 7; },
        u"changed wireFollow wire/follow: usualDelay nothing -> 7"_s);
}

void TestComparison::rows()
{
    QFETCH(Edit, edit);
    Pack changed = lamp();
    edit(changed);
    QTEST(told(difference(lamp(), changed)), "expected");
}

void TestComparison::renamedAndChanged()
{
    Pack changed = renamed(lamp(), Name::State, u"dimming"_s, u"fading"_s, u"lamp"_s);
    machineOf(changed).states[3].label = u"Fades"_s;
    machineOf(changed).transitions[2].force = true;
    QCOMPARE(told(difference(lamp(), changed)),
        u"renamed state machines/lamp/states/dimming -> fading\n"
        u"changed state machines/lamp/states/dimming: label nothing -> \"Fades\"\n"
        u"changed transition machines/lamp/transitions/2: force nothing -> true"_s);
}

void TestComparison::severalRenamed()
{
    Pack changed = renamed(lamp(),
        { { Name::State, u"lamp"_s, u"off"_s, u"dark"_s },
            { Name::State, u"lamp"_s, u"on"_s, u"lit"_s },
            { Name::Machine, {}, u"lamp"_s, u"light"_s },
            { Name::Operation, {}, u"push"_s, u"press"_s },
            { Name::Type, {}, u"lamps"_s, u"lights"_s } });
    QCOMPARE(told(difference(lamp(), changed)),
        u"renamed type types/lamps -> lights\n"
        u"renamed operation operations/push -> press\n"
        u"renamed machine machines/lamp -> light\n"
        u"renamed state machines/lamp/states/off -> dark\n"
        u"renamed state machines/lamp/states/on -> lit"_s);
}

/// Of states of one name in two machines only one's is another.
void TestComparison::namesakes()
{
    const Pack pack = packNamed(u"network-controller"_s);
    const Machine &machine = pack.machines[0];
    const QList<Renaming> both { { Name::Machine, {}, machine.id, u"m"_s },
        { Name::State, machine.id, machine.rest, u"s"_s } };
    QCOMPARE(difference(pack, renamed(pack, both)).size(), 2);
    QCOMPARE(compared({ {}, pack, {} }, { {}, renamed(pack, both), {} }).renamings, both);
    QList<Renaming> everywhere;
    for (const Machine &each : pack.machines) {
        if (each.state(u"Updating"_s))
            everywhere.append({ Name::State, each.id, u"Updating"_s, u"Changing"_s });
    }
    QVERIFY(everywhere.size() > 1);
    const Pack changed = renamed(pack, everywhere);
    // States that pass for it do so still.
    QCOMPARE(changed.machines[0].transitions[2].condition.states.first(2),
        (QStringList { u"Changing"_s, u"Updating"_s }));
    QCOMPARE(difference(pack, changed).size(), everywhere.size());
}

/// Of two equal rows the one that is gone is told, and nothing has moved.
void TestComparison::equalRows()
{
    Pack pack = lamp();
    auto &rows = machineOf(pack).transitions;
    rows.append(rows[1]);
    Pack changed = pack;
    machineOf(changed).transitions.removeAt(1);
    const QList<Difference> found = difference(pack, changed);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].kind, Difference::Kind::Removed);
    QCOMPARE(found[0].where, u"machines/lamp/transitions/1"_s);
}

/// By their numbers two states change names; without numbers, they change what they say.
void TestComparison::twinsSwapNames()
{
    Pack pack = lamp();
    quint32 last = 0;
    identify(&pack, &last);
    const Pack swapped = renamed(pack,
        { { Name::State, u"lamp"_s, u"off"_s, u"on"_s },
            { Name::State, u"lamp"_s, u"on"_s, u"off"_s } });
    QCOMPARE(told(difference(pack, swapped)),
        u"renamed state machines/lamp/states/off -> on\n"
        u"renamed state machines/lamp/states/on -> off"_s);
    Pack bare = swapped, before = pack;
    forgetIdentities(&bare);
    forgetIdentities(&before);
    const QString text = told(difference(before, bare));
    QVERIFY2(text.contains(u"changed state machines/lamp/states/on: about"_s), qPrintable(text));
    QVERIFY(!text.contains(u"renamed"_s));
}

void TestComparison::drawingMeansNothing()
{
    Pack changed = lamp();
    machineOf(changed).states[1].position = QPointF(9, 9);
    machineOf(changed).transitions[0].bend = 0;
    QCOMPARE(told(difference(lamp(), changed)), QString());
}

void TestComparison::json()
{
    Pack changed = lamp();
    machineOf(changed).transitions[2].condition = Condition();
    changed.refusals.clear();
    const QList<Difference> all = difference(lamp(), changed);
    QCOMPARE(all.size(), 2);
    QCOMPARE(differenceJson(all[0]),
        (QJsonObject { { u"kind"_s, u"changed"_s }, { u"row"_s, u"transition"_s },
            { u"where"_s, u"machines/lamp/transitions/2"_s },
            { u"from"_s, QJsonObject { { u"if"_s, u"dark"_s } } }, { u"to"_s, QJsonObject() } }));
    QCOMPARE(differenceJson(all[1]),
        (QJsonObject { { u"kind"_s, u"removed"_s }, { u"row"_s, u"refusal"_s },
            { u"where"_s, u"refusals/busy"_s }, { u"from"_s, QJsonObject { { u"http"_s, 409 } } },
            { u"to"_s, QJsonValue() } }));
}

void TestComparison::underSwitches()
{
    const Pack pack = packNamed(u"blazar"_s);
    const auto under = [&](const QString &value) {
        return withSwitches(pack, { { u"relationships"_s, value } });
    };
    QCOMPARE(under(u"document"_s), withSwitches(pack, {}));
    const QList<Difference> found = difference(under(u"document"_s), under(u"code"_s));
    QVERIFY(found.size() > 3);
    for (const Difference &each : found)
        QVERIFY2(each.kind != Difference::Kind::Renamed && !each.from.contains(u"when"_s),
            qPrintable(differenceText(each)));
    QVERIFY(under(u"code"_s).conflicts.size() <= pack.conflicts.size());
}

/// Rows that moved and changed beyond likeness are the same by their numbers.
void TestComparison::numberedPacks()
{
    Pack pack = lamp();
    quint32 last = 0;
    identify(&pack, &last);
    Pack changed = pack;
    Transition &row = machineOf(changed).transitions[1];
    row.from = { u"on"_s };
    row.on = { u"pull"_s };
    row.to = { u"dimming"_s };
    QCOMPARE(told(difference(pack, changed)),
        u"changed transition machines/lamp/transitions/1: from \"off\" -> \"on\", on \"push\" -> "
        u"\"pull\", to \"on\" -> \"dimming\""_s);
    forgetIdentities(&pack);
    QCOMPARE(difference(pack, changed).size(), 1); // by its place
}

void TestComparison::large()
{
    Pack pack = lamp();
    Machine &machine = machineOf(pack);
    for (int i = 0; i < 2000; ++i)
        machine.states.append(State { {}, u"s%1"_s.arg(i) });
    for (int i = 0; i < 20'000; ++i) {
        machine.transitions += Transition { .from = { u"s%1"_s.arg(i % 2000) },
            .on = { i % 2 ? u"push"_s : u"pull"_s },
            .to = { u"s%1"_s.arg((i * 7 + i / 2000) % 2000) },
            .limit = i % 11 };
    }
    Pack changed = renamed(pack, Name::State, u"s77"_s, u"t77"_s, u"lamp"_s);
    machineOf(changed).transitions.move(1000, 15'000);
    machineOf(changed).transitions.removeAt(500);
    machineOf(changed).transitions[9000].limit = 99;
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(difference(pack, changed).size(), 4);
    const qint64 few = clock.restart();
    for (Transition &row : machineOf(changed).transitions)
        row.label = u"other"_s;
    for (State &state : machineOf(changed).states)
        state.id += u"x"_s;
    QVERIFY(difference(pack, changed).size() > 20'000);
    qInfo("few differences: %lld ms, all: %lld ms", few, clock.elapsed());
    QVERIFY(few < 20'000 && clock.elapsed() < 60'000);
}

void TestComparison::randomRenamed()
{
    QVERIFY(rc::check("a renamed thing alone is a rename", [] {
        const Pack pack = *randomPack();
        const QList<Mention> all = ownNames(pack);
        const Mention own = all[*rc::gen::inRange<qsizetype>(0, all.size())];
        const Pack changed = renamed(pack, own.what, own.text, freshFor(own), own.machine);
        const QString text = told(difference(pack, changed));
        if (text.contains(u'\n'))
            RC_FAIL((own.machine + u' ' + own.text + u'\n' + text).toStdString() + '\n'
                + writePack(pack).toStdString());
        RC_ASSERT(text.startsWith(u"renamed "_s));
        RC_ASSERT(text.endsWith(u"-> "_s + freshFor(own)));
    }));
}

void TestComparison::randomRemoved()
{
    QVERIFY(rc::check("a row that is gone is told, and nothing else", [] {
        const Pack pack = *randomPack();
        Pack changed = pack;
        const int which = *rc::gen::inRange(0, int(pack.machines.size()) + 1);
        qsizetype row = 0;
        QString where;
        const auto removeFrom = [&](auto &rows, const QString &list) {
            RC_PRE(!rows.isEmpty());
            row = *rc::gen::inRange<qsizetype>(0, rows.size());
            where = list + u'/' + QString::number(row);
            RC_PRE(rows.count(rows[row]) == 1);
            rows.removeAt(row);
        };
        if (which == int(pack.machines.size()))
            removeFrom(changed.conflicts, u"conflicts"_s);
        else
            removeFrom(changed.machines[which].transitions,
                u"machines/%1/transitions"_s.arg(pack.machines[which].id));
        const QList<Difference> found = difference(pack, changed);
        RC_ASSERT(found.size() == 1);
        RC_ASSERT(found[0].kind == Difference::Kind::Removed);
        RC_ASSERT(found[0].where.toStdString() == where.toStdString());
        const QList<Difference> back = difference(changed, pack);
        RC_ASSERT(back.size() == 1);
        RC_ASSERT(back[0].kind == Difference::Kind::Added);
        RC_ASSERT(back[0].where.toStdString() == where.toStdString());
    }));
}

const instar::TestClass<TestComparison> registered;
#include "tst_comparison.moc"
