// SPDX-License-Identifier: Apache-2.0
#include "model/engine/carriedover.h"
#include "model/engine/quietrun.h"
#include "model/items/resourcemodel.h"
#include "model/machine/names.h"
#include "tests/support/packtext.h"
#include "tests/support/playground.h"
#include "tests/support/property.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// A simulation goes on under other rules.

class TestCarriedOver : public QObject
{
    Q_OBJECT

private slots:
    void settles_data();
    void settles();
    void canceledOperationsSayWhy();
    void startsOverFromTheLastWholeMoment();
    void nothingWholeToGoBackTo();
    void timesGoOn_data();
    void timesGoOn();
    void secondStepStaysTheSecond();
    void whoRestsIsAnsweredForByNobody();
    void triesAreCounted();
    void queueIsJudgedAnew();
    void referencesFollowTypes();
    void caseMattersNoMore();
    void brokenConstraintsAreToldOnce();
    void sentencesAreBounded();
    void historyBeginsAnew();
    void forthAndBack();
    void modelsShowTheNewRules();
    void sameRules();
    void sameRulesOfKnownPacks_data();
    void sameRulesOfKnownPacks();
    void otherNumbers();
    void renamedState();
    void renamedThings();
    void removedRows();
    void otherSwitches();
};

namespace {

const QByteArray store = R"pack({
  "id": "store",
  "types": {"racks": {"machine": "shelf"}, "racks/slots": {"machine": "shelf"}, "boxes": {"machine": "box"}},
  "operations": {"check": {"duration": 9000}},
  "outcomes": {"partial": {"status": "Succeeded"}},
  "machines": {"shelf": {
    "rest": "idle",
    "states": {
      "none": {"kind": "initial"}, "idle": {}, "full": {},
      "waiting": {"timer": {"op": "wake", "after": 3000}},
      "filling": {"kind": "transitional"},
      "checking": {"kind": "transitional"},
      "sorting": {"kind": "transitional", "work": ["attempt", "attempt"]},
      "emptying": {"kind": "transitional", "work": [{"op": "check", "to": ["slots"]}, "attempt"]},
      "soaking": {"kind": "transitional", "timer": {"outcome": "failed", "after": 5000}}
    },
    "transitions": [
      {"from": ["none", "idle", "full"], "on": "fill", "to": "filling"},
      {"from": ["idle", "full"], "on": "check", "to": "checking"},
      {"from": ["idle", "full"], "on": "sort", "to": "sorting"},
      {"from": ["idle", "full"], "on": "empty", "to": "emptying"},
      {"from": ["idle", "full"], "on": "soak", "to": "soaking"},
      {"from": ["idle", "full"], "on": "wait", "to": "waiting"},
      {"from": "waiting", "on": "wake", "to": "idle"},
      {"from": ["filling", "soaking"], "on": ["succeeded", "partial"], "to": "full"},
      {"from": ["emptying", "sorting"], "on": ["succeeded", "partial"], "to": "idle"},
      {"from": "checking", "on": "succeeded", "to": "(last)"},
      {"from": "filling", "on": "retried", "to": "(same)", "limit": 2},
      {"from": ["filling", "checking", "sorting", "emptying", "soaking"], "on": ["failed", "canceled"], "to": "(last)"}
    ]
  }, "box": {
    "rest": "idle", "states": {"none": {"kind": "initial"}, "idle": {}, "shut": {}},
    "transitions": [{"from": "idle", "on": "shut", "to": "shut"}]
  }},
  "conflicts": [{"at": ["self"], "then": "wait"}]
})pack";

using Edit = std::function<void(Pack &)>;

Machine &shelf(Pack &pack)
{
    return pack.machines[0];
}

State &state(Pack &pack, const QString &id)
{
    return *std::ranges::find(shelf(pack).states, id, &State::id);
}

/// Without a state and without what names it.
void removeState(Machine &machine, const QString &id)
{
    machine.states.removeIf([&](const State &state) { return state.id == id; });
    for (Transition &row : machine.transitions) {
        row.from.removeAll(id);
        if (row.to.removeAll(id) && row.to.isEmpty())
            row.from.clear();
    }
    machine.transitions.removeIf([](const Transition &row) { return row.from.isEmpty(); });
    for (Constraint &row : machine.constraints)
        row.in.removeAll(id);
}

void removeTrigger(Pack &pack, const QString &name)
{
    for (Machine &machine : pack.machines) {
        for (Transition &row : machine.transitions)
            row.on.removeAll(name);
        machine.transitions.removeIf([](const Transition &row) { return row.on.isEmpty(); });
    }
    pack.operations.removeIf([&](const OperationKind &row) { return row.id == name; });
    pack.outcomes.removeIf([&](const Outcome &row) { return row.id == name; });
}

Edit without(const QString &state)
{
    return [state](Pack &pack) { removeState(shelf(pack), state); };
}

Edit withoutTrigger(const QString &name)
{
    return [name](Pack &pack) { removeTrigger(pack, name); };
}

/// "fill /racks/a" for each operation, between commas; it runs until a second has passed.
void ask(Staging &staging, const QString &operations)
{
    for (const QString &operation : operations.split(u", "_s, Qt::SkipEmptyParts)) {
        const QStringList words = operation.split(u' ');
        staging.ask(words[0], words[1], { .outcome = words.value(2), .duration = 10'000 });
    }
    staging.simulator.advance(1000);
}

Pack edited(Pack pack, const Edit &edit)
{
    edit(pack);
    return pack;
}

QString statuses(const Staging &staging)
{
    QStringList words;
    for (const Operation &operation : staging.simulator.operations().all())
        words += statusName(operation.status);
    return words.join(u' ');
}

QString lines(const Staging &staging)
{
    return staging.tree().trimmed().replace(u'\n', u", "_s);
}

Renames renames(Name what, const QString &from, const QString &to, const QString &machine = {})
{
    Renames names;
    names.add(what, from, to, machine);
    return names;
}

} // namespace

void TestCarriedOver::settles_data()
{
    QTest::addColumn<QString>("resources");
    QTest::addColumn<QString>("operations");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<Renames>("names");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("statuses");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("quiet");

    const QString works = u"InProgress"_s, canceled = u"Canceled"_s;
    const auto row = [](const char *name) -> QTestData & { return QTest::newRow(name); };
    row("nothing that matters") << u"/racks/a full"_s << u"check /racks/a"_s
                                << Edit([](Pack &pack) {
                                       state(pack, u"full"_s).position = QPointF(3, 4);
                                       state(pack, u"full"_s).label = u"Full"_s;
                                       pack.about = u"about"_s;
                                       shelf(pack).transitions[2].bend = 7;
                                   })
                                << Renames() << u"/racks/a checking"_s << works << QString()
                                << u"/racks/a full"_s;
    row("a stable state is gone")
        << u"/racks/a full, /racks/b full, /racks/c"_s << QString() << without(u"full"_s)
        << Renames() << u"/racks/a idle, /racks/b idle, /racks/c idle"_s << QString()
        << u"2 resources were in \"full\", where they cannot be any more; they are in \"idle\" now: /racks/a, /racks/b."_s
        << u"/racks/a idle, /racks/b idle, /racks/c idle"_s;
    row("a transitional state is gone")
        << u"/racks/a full"_s << u"check /racks/a"_s << without(u"checking"_s) << Renames()
        << u"/racks/a full"_s << canceled
        << u"1 resource was in \"checking\", where it cannot be any more; it is in \"full\" now: "
           u"/racks/a.\n"
           "1 operation is canceled, for nothing works in \"checking\" any more: op1."_s
        << u"/racks/a full"_s;
    row("a transitional state and where it last rested are gone")
        << u"/racks/a full"_s << u"sort /racks/a"_s << Edit([](Pack &pack) {
               removeState(shelf(pack), u"sorting"_s);
               removeState(shelf(pack), u"full"_s);
               shelf(pack).transitions[0].on += u"sort"_s;
           })
        << Renames() << u"/racks/a idle"_s << canceled
        << u"1 resource was in \"sorting\", where it cannot be any more; it is in \"idle\" now: "
           u"/racks/a.\n"
           "1 operation is canceled, for nothing works in \"sorting\" any more: op1."_s
        << u"/racks/a idle"_s;
    row("where it last rested is gone: it never rested")
        << u"/racks/a full"_s << u"check /racks/a"_s << without(u"full"_s) << Renames()
        << u"/racks/a checking"_s << works << QString() << QString();
    row("nothing rests in the state any more")
        << u"/racks/a full"_s << QString()
        << Edit([](Pack &pack) { state(pack, u"full"_s).kind = State::Kind::Transitional; })
        << Renames() << u"/racks/a idle"_s << QString()
        << u"1 resource was in \"full\", where it cannot be any more; it is in \"idle\" now: /racks/a."_s
        << u"/racks/a idle"_s;
    row("nothing works in the state any more")
        << u"/racks/a full"_s << u"fill /racks/a"_s
        << Edit([](Pack &pack) { state(pack, u"filling"_s).kind = State::Kind::Stable; })
        << Renames() << u"/racks/a filling"_s << canceled
        << u"1 operation is canceled, for nothing works in \"filling\" any more: op1."_s
        << u"/racks/a filling"_s;
    row("a type is gone") << u"/racks/a/slots/x, /racks/a/slots/y, /racks/b"_s
                          << u"fill /racks/a/slots/x, fill /racks/a"_s
                          << Edit([](Pack &pack) { pack.types.removeAt(1); }) << Renames()
                          << u"/racks/a filling, /racks/b idle"_s << u"Canceled InProgress"_s
                          << u"2 resources are removed, for there is no type \"racks/slots\" any "
                             u"more: /racks/a/slots/x, /racks/a/slots/y.\n"
                             "1 operation is canceled, for the resource is gone: op1."_s
                          << u"/racks/a full, /racks/b idle"_s;
    row("a type above is gone")
        << u"/racks/a/slots/x, /boxes/b"_s << u"check /racks/a/slots/x"_s
        << Edit([](Pack &pack) { pack.types.removeFirst(); }) << Renames() << u"/boxes/b idle"_s
        << canceled
        << u"1 resource is removed, for there is no type \"racks\" any more: /racks/a.\n"
           "1 resource below one that is removed is removed: /racks/a/slots/x.\n"
           "1 operation is canceled, for the resource is gone: op1."_s
        << u"/boxes/b idle"_s;
    row("a type has another machine")
        << u"/racks/a, /racks/b full, /racks/c"_s << u"fill /racks/c"_s
        << Edit([](Pack &pack) { pack.types[0].machine = u"box"_s; }) << Renames()
        << u"/racks/a idle, /racks/b idle, /racks/c idle"_s << canceled
        << u"1 resource was in \"full\", where it cannot be any more; it is in \"idle\" now: "
           u"/racks/b.\n"
           "1 resource was in \"filling\", where it cannot be any more; it is in \"idle\" now: "
           "/racks/c.\n"
           "1 operation is canceled, for nothing works in \"filling\" any more: op1."_s
        << u"/racks/a idle, /racks/b idle, /racks/c idle"_s;
    row("an operation is gone")
        << u"/racks/a full, /racks/b"_s << u"fill /racks/a, check /racks/b"_s
        << withoutTrigger(u"fill"_s) << Renames() << u"/racks/a full, /racks/b checking"_s
        << u"Canceled InProgress"_s
        << u"1 operation is canceled, for nothing is done on \"fill\" any more: op1.\n"
           "1 canceled operation left resources behind that are at rest now: /racks/a."_s
        << u"/racks/a full, /racks/b idle"_s;
    row("a required operation goes with who required it")
        << u"/racks/a full, /racks/a/slots/x full"_s << u"empty /racks/a"_s
        << Edit([](Pack &pack) { state(pack, u"emptying"_s).work.removeFirst(); }) << Renames()
        << u"/racks/a full, /racks/a/slots/x full"_s << u"Canceled Canceled"_s
        << u"1 operation is canceled, for what was being done in \"emptying\" is not to be done "
           u"there any more: op1.\n"
           "1 operation is canceled, for the operation that required it cannot go on: op1.1.\n"
           "2 canceled operations left resources behind that are at rest now: /racks/a/slots/x, /racks/a."_s
        << u"/racks/a full, /racks/a/slots/x full"_s;
    row("who required one that cannot go on hears of it")
        << u"/racks/a full, /racks/a/slots/x full"_s << u"empty /racks/a"_s << Edit([](Pack &pack) {
               removeState(shelf(pack), u"checking"_s);
               shelf(pack).transitions[0].on += u"check"_s;
           })
        << Renames() << u"/racks/a full, /racks/a/slots/x full"_s << u"Canceled Canceled"_s
        << u"1 resource was in \"checking\", where it cannot be any more; it is in \"full\" now: "
           u"/racks/a/slots/x.\n"
           "1 operation is canceled, for nothing works in \"checking\" any more: op1.1."_s
        << u"/racks/a full, /racks/a/slots/x full"_s;
    row("a step comes before the present one")
        << u"/racks/a full, /racks/a/slots/x full"_s << u"empty /racks/a"_s
        << Edit([](Pack &pack) { state(pack, u"emptying"_s).work.prepend(Step()); }) << Renames()
        << u"/racks/a emptying, /racks/a/slots/x checking"_s << u"InProgress InProgress"_s
        << QString() << u"/racks/a idle, /racks/a/slots/x full"_s;
    row("the planned outcome is gone")
        << u"/racks/a full"_s << u"fill /racks/a partial"_s << withoutTrigger(u"partial"_s)
        << Renames() << u"/racks/a filling"_s << works
        << u"1 operation was to end in \"partial\", which is gone; it will succeed: op1."_s
        << u"/racks/a full"_s;
    row("an operation is called otherwise")
        << u"/racks/a"_s << u"fill /racks/a"_s
        << Edit([](Pack &pack) { pack = renamed(pack, Name::Operation, u"fill"_s, u"stuff"_s); })
        << renames(Name::Operation, u"fill"_s, u"stuff"_s) << u"/racks/a filling"_s << works
        << QString() << u"/racks/a full"_s;
    row("a machine is called otherwise")
        << u"/racks/a full"_s << u"fill /racks/a"_s
        << Edit([](Pack &pack) { pack = renamed(pack, Name::Machine, u"shelf"_s, u"board"_s); })
        << renames(Name::Machine, u"shelf"_s, u"board"_s) << u"/racks/a filling"_s << works
        << QString() << u"/racks/a full"_s;
    row("a state is called otherwise, and nobody knows")
        << u"/racks/a full"_s << QString() << Edit([](Pack &pack) {
               pack = renamed(pack, Name::State, u"full"_s, u"laden"_s, u"shelf"_s);
           })
        << Renames() << u"/racks/a idle"_s << QString()
        << u"1 resource was in \"full\", where it cannot be any more; it is in \"idle\" now: /racks/a."_s
        << u"/racks/a idle"_s;
    Renames swapped;
    swapped.add(Name::State, u"full"_s, u"idle"_s, u"shelf"_s);
    swapped.add(Name::State, u"idle"_s, u"full"_s, u"shelf"_s);
    row("two states change their names")
        << u"/racks/a full, /racks/b, /boxes/b"_s << QString()
        << Edit([=](Pack &pack) { pack = swapped.applied(pack); }) << swapped
        << u"/racks/a idle, /racks/b full, /boxes/b idle"_s << QString() << QString()
        << u"/racks/a idle, /racks/b full, /boxes/b idle"_s;
    row("a state has the name of one that is gone")
        << u"/racks/a full, /racks/b"_s << QString() << Edit([](Pack &pack) {
               removeState(shelf(pack), u"full"_s);
               pack = renamed(pack, Name::State, u"idle"_s, u"full"_s, u"shelf"_s);
           })
        << renames(Name::State, u"idle"_s, u"full"_s, u"shelf"_s)
        << u"/racks/a full, /racks/b full"_s << QString()
        << u"1 resource was in \"full\", where it cannot be any more; it is in \"full\" now: /racks/a."_s
        << u"/racks/a full, /racks/b full"_s;
    row("a type is called otherwise")
        << u"/racks/a/slots/x full"_s << u"fill /racks/a/slots/x"_s
        << Edit([](Pack &pack) { pack = renamed(pack, Name::Type, u"racks"_s, u"cases"_s); })
        << renames(Name::Type, u"racks"_s, u"cases"_s)
        << u"/cases/a idle, /cases/a/slots/x filling"_s << works << QString()
        << u"/cases/a idle, /cases/a/slots/x full"_s;
}

void TestCarriedOver::settles()
{
    QFETCH(QString, resources);
    QFETCH(QString, operations);
    QFETCH(Edit, edit);
    QFETCH(Renames, names);
    Staging staging(rulesOf(packOf(store)), resourcesFrom(resources));
    ask(staging, operations);
    const QString said =
        staging.simulator.goOn(rulesOf(edited(packOf(store), edit)), names).join(u'\n');
    QTEST(lines(staging), "after");
    QTEST(statuses(staging), "statuses");
    QTEST(said, "said");
    QCOMPARE(brokenPromise(staging.simulator.rules(), staging.simulator.world()), QString());
    QVERIFY(staging.simulator.runUntilQuiet(100));
    QTEST(lines(staging), "quiet");
    QCOMPARE(brokenPromise(staging.simulator.rules(), staging.simulator.world()), QString());
}

void TestCarriedOver::canceledOperationsSayWhy()
{
    Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a/slots/x"_s));
    ask(staging, u"check /racks/a"_s);
    staging.simulator.runUntilQuiet();
    ask(staging, u"empty /racks/a"_s);
    staging.simulator.goOn(rulesOf(edited(packOf(store), without(u"emptying"_s))));
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(staging.operation(u"op2"_s).errorMessage,
        u"The rules have changed: nothing is done on \"empty\" any more."_s);
    QCOMPARE(staging.operation(u"op2.1"_s).errorMessage,
        u"The rules have changed: the operation that required it cannot go on."_s);
    QCOMPARE(staging.operation(u"op2"_s).ended.value_or(-1), staging.simulator.world().now);
    QCOMPARE(staging.operation(u"op2"_s).canceledBy, QString());
}

/// Where something cannot go on, the last moment is known from which all could.
void TestCarriedOver::startsOverFromTheLastWholeMoment()
{
    Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a/slots/x"_s));
    Simulator &simulator = staging.simulator;
    const Rules others = rulesOf(edited(packOf(store), without(u"emptying"_s)));
    ask(staging, u"check /racks/a"_s);
    simulator.runUntilQuiet();
    for (int i = 0; i < 200; ++i) // more than there are between the worlds that are kept
        ask(staging, u"glance /racks/a"_s);
    const QString tree = lines(staging);
    const qint64 then = simulator.records().last().event.time;
    simulator.advance(50);
    ask(staging, u"empty /racks/a"_s);
    simulator.advance(10);
    QVERIFY(!simulator.lastWhole());
    QVERIFY(!simulator.goOn(others).isEmpty());
    QCOMPARE(simulator.lastWhole().value_or(-1), then);
    QVERIFY(lines(staging) != tree || !simulator.world().running.empty()
        || staging.status(u"op202"_s) == u"Canceled"_s);
    simulator.backToWhole();
    QCOMPARE(lines(staging), tree);
    QCOMPARE(simulator.world().now, then);
    QCOMPARE(simulator.moment(), 0);
    QVERIFY(simulator.operations().find(u"op201"_s));
    QVERIFY(!simulator.operations().find(u"op202"_s));
    QVERIFY(!simulator.lastWhole());
    simulator.backToWhole(); // there is none any more
    QCOMPARE(lines(staging), tree);
    // Nor when all begins again.
    ask(staging, u"check /racks/a"_s);
    QVERIFY(!simulator.goOn(rulesOf(edited(packOf(store), without(u"checking"_s)))).isEmpty());
    QVERIFY(simulator.lastWhole());
    simulator.reset();
    QVERIFY(!simulator.lastWhole());
    simulator.goOn(others);
    ask(staging, u"check /racks/a"_s);
    QVERIFY(simulator.runUntilQuiet(100));
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    // Rules that let everything go on have nothing to go back to.
    QCOMPARE(simulator.goOn(others), QStringList());
    QVERIFY(!simulator.lastWhole());
}

/// What could never have been so has no such moment.
void TestCarriedOver::nothingWholeToGoBackTo()
{
    Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a full"_s));
    ask(staging, u"glance /racks/a"_s);
    QVERIFY(!staging.simulator.goOn(rulesOf(edited(packOf(store), without(u"full"_s)))).isEmpty());
    QVERIFY(!staging.simulator.lastWhole());
    const QString tree = lines(staging);
    staging.simulator.backToWhole();
    QCOMPARE(lines(staging), tree);
}

void TestCarriedOver::timesGoOn_data()
{
    QTest::addColumn<QString>("operation");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<qint64>("quiet");
    QTest::addColumn<QString>("tree");
    // The rules change after one second.
    const QString soak = u"soak /racks/a"_s, wait = u"wait /racks/a"_s;
    QTest::newRow("a limit") << soak << Edit([](Pack &) {}) << qint64(5000) << u"/racks/a idle"_s;
    QTest::newRow("no limit any more")
        << soak << Edit([](Pack &pack) { state(pack, u"soaking"_s).timer.reset(); })
        << qint64(10'000) << u"/racks/a full"_s;
    QTest::newRow("another limit")
        << soak << Edit([](Pack &pack) { state(pack, u"soaking"_s).timer->after = 7000; })
        << qint64(8000) << u"/racks/a idle"_s;
    QTest::newRow("a limit that ends otherwise")
        << soak << Edit([](Pack &pack) { state(pack, u"soaking"_s).timer->outcome = u"partial"_s; })
        << qint64(5000) << u"/racks/a full"_s;
    QTest::newRow("a new limit") << u"sort /racks/a"_s << Edit([](Pack &pack) {
        state(pack, u"sorting"_s).timer = Timer { .outcome = u"failed"_s, .after = 3000 };
    }) << qint64(4000) << u"/racks/a idle"_s;
    QTest::newRow("a timer") << wait << Edit([](Pack &) {}) << qint64(3000) << u"/racks/a idle"_s;
    QTest::newRow("another timer")
        << wait << Edit([](Pack &pack) { state(pack, u"waiting"_s).timer->after = 4000; })
        << qint64(4000) << u"/racks/a idle"_s;
    QTest::newRow("no timer any more")
        << wait << Edit([](Pack &pack) { state(pack, u"waiting"_s).timer.reset(); }) << qint64(1000)
        << u"/racks/a waiting"_s;
    QTest::newRow("a new timer") << u"glance /racks/a"_s << Edit([](Pack &pack) {
        state(pack, u"idle"_s).timer = Timer { .operation = u"wait"_s, .after = 1500 };
        state(pack, u"waiting"_s).timer.reset();
    }) << qint64(2500) << u"/racks/a waiting"_s;
}

void TestCarriedOver::timesGoOn()
{
    QFETCH(QString, operation);
    QFETCH(Edit, edit);
    Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a"_s));
    ask(staging, operation);
    QCOMPARE(staging.simulator.goOn(rulesOf(edited(packOf(store), edit))), QStringList());
    staging.simulator.runUntilQuiet(100);
    QTEST(staging.simulator.world().now, "quiet");
    QTEST(lines(staging), "tree");
}

/// Steps have no names: they are counted.
void TestCarriedOver::secondStepStaysTheSecond()
{
    const auto quiet = [](const Edit &edit) {
        Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a full"_s));
        staging.ask(u"sort"_s, u"/racks/a"_s, { .duration = 1000 });
        staging.simulator.advance(1500);
        staging.simulator.goOn(rulesOf(edited(packOf(store), edit)));
        staging.simulator.runUntilQuiet();
        return u"%1 %2"_s.arg(staging.simulator.world().now).arg(lines(staging));
    };
    QCOMPARE(
        quiet([](Pack &pack) { pack.operations.first().duration = 7; }), u"2000 /racks/a idle"_s);
    QCOMPARE(quiet([](Pack &pack) { state(pack, u"sorting"_s).work.append(Step()); }),
        u"3000 /racks/a idle"_s);
    QCOMPARE(quiet([](Pack &pack) { state(pack, u"sorting"_s).work.removeFirst(); }),
        u"1500 /racks/a full"_s);
}

/// What comes to rest is left by operations that go on.
void TestCarriedOver::whoRestsIsAnsweredForByNobody()
{
    Pack pack = packOf(store);
    State swept;
    swept.id = u"swept"_s;
    swept.kind = State::Kind::Transitional;
    shelf(pack).states += swept;
    Step send;
    send.kind = Step::Kind::Send;
    send.name = u"sweep"_s;
    send.to = { u"descendants"_s };
    state(pack, u"sorting"_s).work.prepend(send);
    Transition row;
    row.from = { u"*"_s };
    row.on = { u"sweep"_s };
    row.to = { u"swept"_s };
    shelf(pack).transitions += row;
    row.from = { u"swept"_s };
    row.on = { u"succeeded"_s };
    row.to = { u"(last)"_s };
    shelf(pack).transitions += row;
    Staging staging(
        rulesOf(pack), resourcesFrom(u"/racks/a/slots/x full, /racks/a/slots/y full"_s));
    ask(staging, u"sort /racks/a"_s);
    QCOMPARE(lines(staging), u"/racks/a sorting, /racks/a/slots/x swept, /racks/a/slots/y swept"_s);
    staging.simulator.goOn(rulesOf(edited(pack, without(u"swept"_s))));
    QCOMPARE(lines(staging), u"/racks/a sorting, /racks/a/slots/x full, /racks/a/slots/y full"_s);
    const Running &running = *staging.simulator.world().running.front();
    QCOMPARE(running.cover.size(), size_t(1));
    QCOMPARE(running.cover.front().size(), 1u);
}

/// How often a row may still be taken is not forgotten when it stands elsewhere.
void TestCarriedOver::triesAreCounted()
{
    for (const bool edits : { false, true }) {
        Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a"_s));
        staging.ask(u"fill"_s, u"/racks/a"_s, { .transientFailures = 9, .duration = 1000 });
        staging.simulator.advance(2500);
        if (edits) {
            Pack pack = packOf(store);
            shelf(pack).transitions.prepend(Transition(shelf(pack).transitions[2]));
            shelf(pack).transitions.prepend(Transition(shelf(pack).transitions[11]));
            shelf(pack).transitions.first().from = { u"sorting"_s };
            shelf(pack).transitions.first().limit = 7;
            staging.simulator.goOn(rulesOf(pack));
        }
        staging.simulator.runUntilQuiet();
        QCOMPARE(staging.operation(u"op1"_s).attempts, 3);
        QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
    }
}

void TestCarriedOver::queueIsJudgedAnew()
{
    const auto waiting = [](const Edit &edit) {
        Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a"_s));
        ask(staging, u"fill /racks/a, sort /racks/a"_s);
        const QString before = statuses(staging);
        staging.simulator.goOn(rulesOf(edited(packOf(store), edit)));
        const QString after = statuses(staging);
        staging.simulator.runUntilQuiet();
        return QStringList { before, after, statuses(staging) }.join(u", "_s);
    };
    QCOMPARE(
        waiting([](Pack &) {}), u"InProgress Waiting, InProgress Waiting, Succeeded Succeeded"_s);
    QCOMPARE(waiting([](Pack &pack) { pack.conflicts[0].about = u"in turn"_s; }),
        u"InProgress Waiting, InProgress Waiting, Succeeded Succeeded"_s);
    QCOMPARE(waiting([](Pack &pack) {
        pack.conflicts.clear();
        shelf(pack).transitions[2].from += u"filling"_s;
    }),
        u"InProgress Waiting, InProgress InProgress, Succeeded Succeeded"_s);
    QCOMPARE(waiting(withoutTrigger(u"sort"_s)),
        u"InProgress Waiting, InProgress Canceled, Succeeded Canceled"_s);
}

void TestCarriedOver::referencesFollowTypes()
{
    Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/boxes/b -> /racks/a, /racks/a"_s));
    const Resource box = staging.simulator.world().tree.find(u"/boxes/b");
    const QString etag = staging.etag(u"/racks/a"_s);
    staging.simulator.goOn(rulesOf(renamed(packOf(store), Name::Type, u"racks"_s, u"cases"_s)),
        renames(Name::Type, u"racks"_s, u"cases"_s));
    const World &world = staging.simulator.world();
    QCOMPARE(world.tree.find(u"/boxes/b"), box);
    QCOMPARE(world.references.value(box), QStringList { u"/cases/a"_s });
    QCOMPARE(world.referrers.keys(), QStringList { u"/cases/a"_s });
    QCOMPARE(staging.etag(u"/cases/a"_s), etag);
    // Who goes refers to nothing.
    staging.simulator.goOn(
        rulesOf(edited(renamed(packOf(store), Name::Type, u"racks"_s, u"cases"_s),
            [](Pack &pack) { pack.types.removeLast(); })));
    QVERIFY(staging.simulator.world().references.isEmpty());
    QVERIFY(staging.simulator.world().referrers.isEmpty());
}

void TestCarriedOver::caseMattersNoMore()
{
    Staging staging(rulesOf(packOf(store)),
        resourcesFrom(u"/boxes/b -> /racks/A, /racks/a/slots/x, /racks/A/slots/y, /racks/C"_s));
    ask(staging, u"fill /racks/A, fill /racks/C"_s);
    const auto folding = [](Pack &pack) { pack.ignoreCase = true; };
    const QStringList said = staging.simulator.goOn(rulesOf(edited(packOf(store), folding)));
    QCOMPARE(
        lines(staging), u"/boxes/b idle, /racks/a idle, /racks/a/slots/x idle, /racks/C filling"_s);
    QCOMPARE(said.join(u'\n'),
        u"1 resource is removed, for it is called like another, now that case does not matter: "
        u"/racks/A.\n"
        "1 resource below one that is removed is removed: /racks/A/slots/y.\n"
        "1 operation is canceled, for the resource is gone: op1."_s);
    const World &world = staging.simulator.world();
    QCOMPARE(world.tree.find(u"/RACKS/c"), world.tree.find(u"/racks/C"));
    QCOMPARE(world.referrers.keys(), QStringList { u"/racks/a"_s });
    QCOMPARE(brokenPromise(staging.simulator.rules(), world), QString());
    staging.simulator.goOn(rulesOf(packOf(store)));
    QCOMPARE(staging.simulator.world().tree.find(u"/RACKS/c"), NoResource);
    QCOMPARE(staging.simulator.world().referrers.keys(), QStringList { u"/racks/A"_s });
}

void TestCarriedOver::brokenConstraintsAreToldOnce()
{
    const auto guarded = [](Pack &pack) {
        Condition none;
        none.kind = Condition::Kind::Related;
        none.text = u"slots"_s;
        none.match = Condition::Match::None;
        shelf(pack).constraints = { Constraint { {}, { u"full"_s }, { none } } };
    };
    Staging staging(
        rulesOf(packOf(store)), resourcesFrom(u"/racks/a full, /racks/a/slots/x, /racks/b full"_s));
    QCOMPARE(staging.simulator.goOn(rulesOf(edited(packOf(store), guarded))),
        QStringList {
            u"1 resource is where this constraint does not let it be: constraints/0: /racks/a."_s });
    QCOMPARE(staging.simulator.goOn(rulesOf(edited(edited(packOf(store), guarded),
                 [](Pack &pack) {
                     shelf(pack).constraints.prepend(shelf(pack).constraints.first());
                     shelf(pack).constraints.first().in = { u"waiting"_s };
                 }))),
        QStringList());
}

void TestCarriedOver::sentencesAreBounded()
{
    Pack pack = packOf(store);
    QString resources;
    for (int i = 0; i < 30; ++i) {
        State more;
        more.id = u"more %1"_s.arg(i);
        shelf(pack).states += more;
        for (int k = 0; k < 5; ++k)
            resources += u"/racks/r%1-%2 more %1,"_s.arg(i).arg(k);
    }
    Staging staging(rulesOf(pack), resourcesFrom(resources));
    const QStringList said = staging.simulator.goOn(rulesOf(packOf(store)));
    QCOMPARE(said.size(), 20);
    QCOMPARE(said.first(),
        u"5 resources were in \"more 0\", where they cannot be any more; they are in \"idle\" now: "
        "/racks/r0-0, /racks/r0-1, /racks/r0-2 and 2 more."_s);
    QCOMPARE(said.last(), u"11 more kinds of things had to be settled."_s);
}

void TestCarriedOver::historyBeginsAnew()
{
    Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a full"_s));
    Simulator &simulator = staging.simulator;
    ask(staging, u"fill /racks/a"_s);
    simulator.runUntilQuiet();
    ask(staging, u"sort /racks/a"_s);
    simulator.stepBack();
    QStringList told;
    connect(&simulator, &Controller::rewound, this, [&] { told += u"rewound"_s; });
    connect(&simulator, &Controller::rulesChanged, this, [&] {
        told += u"rules %1 %2"_s.arg(simulator.rules().states().size()).arg(lines(staging));
    });
    ask(staging, u"sort /racks/a"_s);
    QuietRun run(simulator);
    run.step();
    simulator.goOn(rulesOf(edited(packOf(store), without(u"checking"_s))));
    QCOMPARE(told, (QStringList { u"rules 11 /racks/a sorting"_s, u"rewound"_s }));
    QVERIFY(!simulator.adopt(std::move(run)));
    QCOMPARE(simulator.moment(), 0);
    QCOMPARE(simulator.lastMoment(), 0);
    QVERIFY(!simulator.stepBack());
    QCOMPARE(simulator.timeOf(0), 11'000);
    QCOMPARE(statuses(staging), u"Succeeded InProgress"_s);

    staging.ask(u"fill"_s, u"/racks/b"_s);
    QCOMPARE(staging.operation(u"op3"_s).serial, 3u);
    simulator.runUntilQuiet();
    QCOMPARE(lines(staging), u"/racks/a idle, /racks/b full"_s);
    simulator.jump(0);
    QCOMPARE(lines(staging), u"/racks/a sorting"_s);
    QCOMPARE(statuses(staging), u"Succeeded InProgress"_s);
    simulator.jump(simulator.lastMoment());
    QCOMPARE(lines(staging), u"/racks/a idle, /racks/b full"_s);

    simulator.reset();
    QCOMPARE(lines(staging), u"/racks/a full"_s);
    QCOMPARE(simulator.world().now, 0);
    QVERIFY(simulator.operations().all().isEmpty());
    simulator.reset();
    QCOMPARE(lines(staging), u"/racks/a full"_s);
}

/// As with undo and redo.
void TestCarriedOver::forthAndBack()
{
    const Rules one = rulesOf(packOf(store));
    const Rules two =
        rulesOf(renamed(packOf(store), Name::State, u"full"_s, u"laden"_s, u"shelf"_s));
    Staging staging(one, resourcesFrom(u"/racks/a full, /racks/b"_s));
    ask(staging, u"fill /racks/a, empty /racks/b"_s);
    const QString before = everything(one, staging.simulator.world());
    for (int i = 0; i < 3; ++i) {
        staging.simulator.goOn(two, renames(Name::State, u"full"_s, u"laden"_s, u"shelf"_s));
        staging.simulator.goOn(one, renames(Name::State, u"laden"_s, u"full"_s, u"shelf"_s));
        QCOMPARE(everything(one, staging.simulator.world()), before);
    }
    staging.simulator.runUntilQuiet();
    QCOMPARE(lines(staging), u"/racks/a full, /racks/b idle"_s);
}

void TestCarriedOver::modelsShowTheNewRules()
{
    Staging staging(rulesOf(packOf(store)), resourcesFrom(u"/racks/a full"_s));
    const ResourceModel model(staging.simulator);
    const auto word = [&] { return model.index(0, ResourceModel::StateWord); };
    QCOMPARE(word().data(ResourceModel::Word).toString(), u"full"_s);
    Pack pack = renamed(packOf(store), Name::State, u"full"_s, u"laden"_s, u"shelf"_s);
    for (int i = 0; i < 5; ++i) {
        State more;
        more.id = u"more %1"_s.arg(i);
        more.kind = State::Kind::Transitional;
        shelf(pack).states.prepend(more);
    }
    const QVariant mood = word().data(ResourceModel::MoodOf);
    staging.simulator.goOn(rulesOf(pack), renames(Name::State, u"full"_s, u"laden"_s, u"shelf"_s));
    QCOMPARE(word().data(ResourceModel::Word).toString(), u"laden"_s);
    QCOMPARE(word().data(ResourceModel::MoodOf), mood);
}

// ---- What always holds

namespace {

void check(bool holds, const char *what, const QString &story)
{
    if (!holds)
        RC_FAIL(std::string(what) + "\n" + story.toStdString());
}

/// A playground in the middle of something.
Playground played(Playground ground, QString *story)
{
    *story = shownTree(ground.rules, ground.world);
    for (int i = below(20); i >= 0; --i) {
        const Event event = anyEvent(ground, ground.world, i);
        *story += told(event);
        ground.world = step(ground.rules, std::move(ground.world), event).world;
    }
    return ground;
}

/// Everything that still happens by itself, at most so many events.
bool run(const Rules &rules, World *world, int most)
{
    for (int i = 0; i < most; ++i) {
        const Event next = nextEvent(rules, *world);
        if (next.kind == Event::Kind::Wait)
            return true;
        *world = step(rules, std::move(*world), next).world;
    }
    return false;
}

QString spelled(const Rules &rules, const World &world)
{
    QString text = u"%1 %2 %3\n"_s.arg(world.now).arg(world.running.size()).arg(world.queue.size());
    for (const Resource resource : world.tree.resources())
        text += u"%1 %2 %3\n"_s.arg(world.tree.path(resource),
            rules.state(rules.stateOf(world.tree.code(resource))).id, etag(world, resource));
    return text;
}

/// The same world goes the same way for some events.
void goTheSameWay(
    const Rules &one, World a, const Rules &two, World b, const QString &story,
    const std::function<QString(const QString &)> &named = [](const QString &text) { return text; })
{
    check(named(spelled(one, a)) == spelled(two, b), "the worlds differ", story);
    for (int i = 0; i < 100; ++i) {
        const Event nextA = nextEvent(one, a), nextB = nextEvent(two, b);
        check(
            nextA.kind == nextB.kind && nextA.time == nextB.time, "other things come next", story);
        if (nextA.kind == Event::Kind::Wait)
            break;
        a = step(one, std::move(a), nextA).world;
        b = step(two, std::move(b), nextB).world;
        check(named(spelled(one, a)) == spelled(two, b), "the worlds become different", story);
    }
}

void keepsTheSame(const Playground &start)
{
    QString story;
    const Playground ground = played(start, &story);
    // Names that concern nothing: all is taken over as if the rules were others.
    const Renames names = below(3) ? renames(Name::Machine, u"nobody"_s, u"somebody"_s) : Renames();
    const CarriedOver same = carriedOver(ground.world, ground.rules, ground.rules, names);
    check(same.said.isEmpty() && same.record.changes.empty(), "something is settled",
        story + same.said.join(u'\n'));
    check(sameWorld(ground.rules, same.world, ground.world), "it is another world", story);
    goTheSameWay(ground.rules, ground.world, ground.rules, same.world, story);
}

} // namespace

void TestCarriedOver::sameRules()
{
    QVERIFY(holdsFor(400, 60, [] { keepsTheSame(randomPlayground()); }));
}

void TestCarriedOver::sameRulesOfKnownPacks_data()
{
    QTest::addColumn<QString>("id");
    for (const QString &id : knownPacks())
        QTest::newRow(qPrintable(id)) << id;
}

void TestCarriedOver::sameRulesOfKnownPacks()
{
    QFETCH(QString, id);
    QVERIFY(holdsFor(40, 60, [&] { keepsTheSame(knownPlayground(id)); }));
}

/// States and machines in another order, and rows that concern nobody: every number is another one.
void TestCarriedOver::otherNumbers()
{
    QVERIFY(holdsFor(400, 60, [] {
        QString story;
        const Playground ground = played(randomPlayground(), &story);
        Pack pack = ground.rules.pack();
        std::ranges::reverse(pack.machines);
        for (Machine &machine : pack.machines) {
            std::ranges::rotate(machine.states, machine.states.begin() + 1 + below(3));
            State aside;
            aside.id = u"Aside"_s;
            machine.states.insert(below(int(machine.states.size())), aside);
            Transition row;
            row.from = { u"Aside"_s };
            row.on = { u"turn aside"_s };
            row.to = { u"Aside"_s };
            machine.transitions.insert(below(int(machine.transitions.size())), row);
        }
        const Rules now = rulesOf(pack, ground.rules.switches());
        CarriedOver other = carriedOver(ground.world, ground.rules, now);
        check(other.said.isEmpty(), "something is settled", story + other.said.join(u'\n'));
        check(brokenPromise(now, other.world).isEmpty(), "a promise is broken", story);
        goTheSameWay(ground.rules, ground.world, now, other.world, story);
        const CarriedOver back = carriedOver(other.world, now, ground.rules);
        check(sameWorld(ground.rules, back.world, ground.world), "no way back", story);
    }));
}

void TestCarriedOver::renamedState()
{
    QVERIFY(holdsFor(400, 60, [] {
        QString story;
        const Playground ground = played(randomPlayground(), &story);
        const Machine &machine = ground.rules.pack().machines.first();
        const QString from = machine.states[below(int(machine.states.size()))].id;
        const Renames names = renames(Name::State, from, u"Zz"_s, machine.id);
        const Rules now =
            rulesOf(renamed(ground.rules.pack(), Name::State, from, u"Zz"_s, machine.id),
                ground.rules.switches());
        const CarriedOver other = carriedOver(ground.world, ground.rules, now, names);
        check(other.said.isEmpty(), "something is settled", story + other.said.join(u'\n'));
        check(brokenPromise(now, other.world).isEmpty(), "a promise is broken", story);
        // A condition on others' last states may mean theirs alone now: then these are not kept.
        if (!std::ranges::equal(ground.rules.machines(), now.machines(), {},
                &Rules::MachineRule::keepsLast, &Rules::MachineRule::keepsLast))
            return;
        const CarriedOver back = carriedOver(
            other.world, now, ground.rules, renames(Name::State, u"Zz"_s, from, machine.id));
        check(everything(ground.rules, back.world) == everything(ground.rules, ground.world),
            "no way back", story);
        if (ground.rules.pack().machines.size() > 1)
            return; // others' resources are in states of that name, too
        goTheSameWay(ground.rules, ground.world, now, other.world, story,
            [&](QString text) { return text.replace(u' ' + from + u' ', u" Zz "_s); });
    }));
}

/// Operations, outcomes, machines and types: there and back.
void TestCarriedOver::renamedThings()
{
    QVERIFY(holdsFor(400, 60, [] {
        QString story;
        const Playground ground = played(randomPlayground(), &story);
        const QList<std::pair<Name, QString>> things { { Name::Operation, u"PUT"_s },
            { Name::Operation, u"DELETE"_s }, { Name::Outcome, u"partial"_s },
            { Name::Machine, ground.rules.pack().machines.first().id }, { Name::Type, u"t"_s },
            { Name::Condition, u"has children"_s } };
        const auto [what, from] = things[below(int(things.size()))];
        story += from + u'\n';
        const Rules now =
            rulesOf(renamed(ground.rules.pack(), what, from, u"zz"_s), ground.rules.switches());
        const CarriedOver other =
            carriedOver(ground.world, ground.rules, now, renames(what, from, u"zz"_s));
        check(other.said.isEmpty(), "something is settled", story + other.said.join(u'\n'));
        check(brokenPromise(now, other.world).isEmpty(), "a promise is broken", story);
        const CarriedOver back =
            carriedOver(other.world, now, ground.rules, renames(what, u"zz"_s, from));
        check(everything(ground.rules, back.world) == everything(ground.rules, ground.world),
            "no way back", story);
        goTheSameWay(ground.rules, ground.world, ground.rules, back.world, story);
        World end = other.world;
        run(now, &end, 100);
        check(brokenPromise(now, end).isEmpty(), "a promise is broken at the end", story);
    }));
}

namespace {

/// Something is not in the pack any more.
QString removeAny(Pack *pack)
{
    Machine &machine = pack->machines[below(int(pack->machines.size()))];
    if (machine.states.isEmpty() || machine.transitions.isEmpty())
        return {};
    switch (below(8)) {
    case 0:
    case 1: {
        const QString id = machine.states[below(int(machine.states.size()))].id;
        removeState(machine, id);
        for (State &state : machine.states) {
            if (state.parent == id)
                state.parent.clear();
        }
        return u"state "_s + id;
    }
    case 2:
        machine.transitions.removeAt(below(int(machine.transitions.size())));
        return u"a transition"_s;
    case 3: {
        if (pack->types.isEmpty())
            return {};
        const Type type = pack->types.takeAt(below(int(pack->types.size())));
        return u"type "_s + type.path;
    }
    case 4: {
        const QStringList names = pack->operationNames();
        const QString name = names.value(below(int(names.size())));
        removeTrigger(*pack, name);
        return u"operation "_s + name;
    }
    case 5: {
        removeTrigger(*pack, u"partial"_s);
        return u"outcome partial"_s;
    }
    case 6: {
        if (pack->machines.size() < 2)
            return {};
        const Machine gone = machine;
        pack->machines.removeIf([&](const Machine &other) { return other.id == gone.id; });
        for (Type &type : pack->types) {
            if (type.machine == gone.id)
                type.machine = pack->machines.first().id;
        }
        return gone.id;
    }
    default: {
        State &state = machine.states[below(int(machine.states.size()))];
        if (!state.work.isEmpty())
            state.work.removeAt(below(int(state.work.size())));
        return u"a step of "_s + state.id;
    }
    }
}

} // namespace

void TestCarriedOver::removedRows()
{
    int made = 0;
    QVERIFY(holdsFor(1500, 60, [&] {
        QString story;
        Playground ground = played(
            below(5) ? randomPlayground() : knownPlayground(u"network-controller"_s), &story);
        for (int round = 0; round < 3; ++round) {
            Pack pack = ground.rules.pack();
            for (int i = below(3); i >= 0; --i)
                story += u"- "_s + removeAny(&pack) + u'\n';
            const Result<Rules> now = Rules::make(pack, ground.rules.switches());
            if (!now)
                return;
            ++made;
            const CarriedOver other = carriedOver(ground.world, ground.rules, *now);
            story += other.said.join(u'\n') + u'\n';
            const QString broken = brokenPromise(*now, other.world);
            if (!broken.isEmpty())
                RC_FAIL((broken + u'\n' + story).toStdString());
            const CarriedOver again = carriedOver(other.world, *now, *now);
            check(sameWorld(*now, again.world, other.world), "it is not settled at once", story);
            ground.world = other.world;
            ground.rules = *now;
            ground.operations = now->pack().operationNames();
            ground.operations += u"PUT"_s;
        }
        World end = ground.world;
        if (!run(ground.rules, &end, 3000))
            return;
        QList<Event> cancels;
        for (const auto &running : end.running)
            cancels += Event {
                .kind = Event::Kind::Cancel, .time = end.now, .operation = running->serial
            };
        for (const Event &cancel : std::as_const(cancels))
            end = step(ground.rules, std::move(end), cancel).world;
        run(ground.rules, &end, 3000);
        const QString broken = brokenPromise(ground.rules, end);
        if (!broken.isEmpty())
            RC_FAIL((u"at the end: "_s + broken + u'\n' + story).toStdString());
    }));
    QVERIFY(made > 500);
}

/// Rows come and go with the switches.
void TestCarriedOver::otherSwitches()
{
    QVERIFY(holdsFor(400, 60, [] {
        static const QStringList known { u"network-controller"_s, u"blazar"_s, u"pulumi"_s };
        QString story;
        const Playground ground =
            played(below(2) ? randomPlayground() : knownPlayground(known[below(3)]), &story);
        const QList<Switches> all = switchCombinations(ground.rules.pack());
        const Rules now = rulesOf(ground.rules.pack(), all[below(int(all.size()))]);
        CarriedOver other = carriedOver(ground.world, ground.rules, now);
        story += other.said.join(u'\n');
        check(brokenPromise(now, other.world).isEmpty(), "a promise is broken", story);
        run(now, &other.world, 200);
        check(brokenPromise(now, other.world).isEmpty(), "a promise is broken at the end", story);
    }));
}

const instar::TestClass<TestCarriedOver> registered;
#include "tst_carriedover.moc"
