// SPDX-License-Identifier: Apache-2.0
// Why something is so: the row that spoke, and what it looked at.

#include "model/engine/explanation.h"
#include "model/explore/rerun.h"
#include "tests/support/exploring.h"
#include "tests/support/packtext.h"
#include "tests/support/playground.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString Sibling = Net + u"/subnets/t"_s;
const QString Pool = Sub + u"/ipPools/p"_s;

std::unique_ptr<Simulator> simulatorOf(const QList<ResourceSpec> &resources)
{
    Result<Rules> rules = Rules::make(networks());
    Loaded loaded = makeWorld(*rules, resources);
    if (!loaded.problem.isEmpty())
        qFatal("%s", qPrintable(loaded.problem));
    return std::make_unique<Simulator>(*std::move(rules), std::move(loaded.world));
}

std::unique_ptr<Simulator> tree()
{
    return simulatorOf({ { .path = Net }, { .path = Sub }, { .path = Pool }, { .path = Sibling } });
}

/// "PUT on /a: from → to by the row's words [sources]; looked at ..."
QString told(const std::optional<Explanation> &why)
{
    if (!why)
        return u"nothing"_s;
    static const QStringList kinds { u"refused"_s, u"canceled"_s, u"waits"_s, u"moved"_s,
        u"failed"_s };
    QStringList looked;
    for (const QString &path : why->examined)
        looked += path.section(u'/', -1);
    return u"%1 %2 %3→%4 by \"%5\" [%6] looked at %7"_s.arg(kinds[int(why->kind)],
        why->path.section(u'/', -1), why->before, why->after,
        why->row ? why->row->about : QString(), why->row ? why->row->sources.join(u' ') : QString(),
        looked.join(u' '));
}

} // namespace

class TestExplanation : public QObject
{
    Q_OBJECT

private slots:
    void refusedByWhatRuns();
    void refusedByWhatItLookedAt();
    void refusedByNoRow();
    void refusedByWhatWouldBeReplaced();
    void canceled();
    void canceledByHand();
    void moved();
    void putToRest();
    void gone();
    void nothingMoved();
    void failedAtOnce();
    void waitsForACondition();
    void inThePast();
    void everyMoveHasOne();
    void rerunGoesOnToTheSameTime();
    void rerunThereAndBack();
};

/// The step says what an operation waits for, and which resource decides.
void TestExplanation::waitsForACondition()
{
    const Pack pack = packOf(R"pack({
      "id": "books",
      "types": {"books": {"machine": "book"}},
      "machines": {
        "book": {
          "rest": "there",
          "states": {"none": {"kind": "initial"}, "there": {},
            "lending": {"kind": "transitional", "work": [
              {"until": {"/books/b": ["none"]}, "about": "Waits for b to go."}, "attempt"]}},
          "transitions": [
            {"from": "there", "on": "lend", "to": "lending"},
            {"from": "lending", "on": ["succeeded", "failed"], "to": "there"}
          ]
        }
      }
    })pack");
    Result<Rules> rules = Rules::make(pack);
    World world = worldOf(*rules, { { .path = u"/books/a"_s }, { .path = u"/books/b"_s } });
    Simulator simulator(*std::move(rules), std::move(world));
    QCOMPARE(
        told(whyOperation(simulator, simulator.submit({ .op = u"lend"_s, .path = u"/books/a"_s }))),
        u"waits a → by \"Waits for b to go.\" [] looked at b"_s);
}

/// Who chose the outcome, and the step that has it, also of an operation that required it.
void TestExplanation::failedAtOnce()
{
    const Pack pack = packOf(R"pack({
      "id": "books",
      "types": {"books": {"machine": "book"}},
      "outcomes": {"burnt": {}},
      "machines": {
        "book": {
          "rest": "there",
          "states": {"none": {"kind": "initial"}, "there": {},
            "lending": {"kind": "transitional", "work": [
              {"outcome": "failed", "if": "is chained", "about": "It is chained."},
              {"outcome": "failed", "if": "is wet", "about": "It is wet."}, "attempt"]},
            "moving": {"kind": "transitional", "work": [{"op": "lend", "to": "references",
              "hear": {"canceled": "failed"}, "about": "It is lent first."}]},
            "gathering": {"kind": "transitional",
              "work": [{"op": "lend", "to": "references", "together": true}]}},
          "transitions": [
            {"from": "there", "on": "lend", "to": "lending"},
            {"from": "there", "on": "move", "to": "moving"},
            {"from": "there", "on": "gather", "to": "gathering"},
            {"from": ["lending", "moving", "gathering"], "on": ["succeeded", "failed", "burnt"], "to": "there"}
          ]
        }
      }
    })pack");
    Result<Rules> rules = Rules::make(pack);
    const QString a = u"/books/a"_s, b = u"/books/b"_s, c = u"/books/c"_s, d = u"/books/d"_s;
    World world = worldOf(*rules,
        { { .path = a, .properties = { { u"is chained"_s, true } } },
            { .path = b, .references = { a } }, { .path = c, .references = { b } },
            { .path = d, .references = { b, c } } });
    Simulator simulator(*std::move(rules), std::move(world));
    using Choice = Explanation::Choice;
    const auto check = [&](const Request &request, Choice choice, const QString &about) {
        const auto why = whyOperation(simulator, simulator.submit(request));
        QVERIFY(why && why->row);
        QCOMPARE(why->kind, Explanation::Kind::Failed);
        QCOMPARE(why->choice, choice);
        QCOMPARE(why->row->about, about);
        QVERIFY(why->rule.startsWith(about));
    };
    check({ .op = u"lend"_s, .path = a }, Choice::Condition, u"It is chained."_s);
    check({ .op = u"lend"_s, .path = b, .conditions = { { u"is wet"_s, true } } }, Choice::Option,
        u"It is wet."_s);
    check({ .op = u"move"_s, .path = b }, Choice::Required, u"It is chained."_s);
    check({ .op = u"move"_s, .path = c, .conditions = { { u"is wet"_s, true } } }, Choice::Required,
        u"It is wet."_s);
    // Of operations that are required at one instant, the first one to end badly is blamed.
    for (const bool isFirst : { true, false }) {
        const auto failsAfter = [](int ms) {
            return WorkPlan { .outcomes = { u"failed"_s }, .duration = ms };
        };
        const quint32 gathered = simulator.submit({ .op = u"gather"_s,
            .path = d,
            .work = { { u"lend "_s + b, failsAfter(isFirst ? 10 : 20) },
                { u"lend "_s + c, failsAfter(isFirst ? 20 : 10) } } });
        simulator.runUntilQuiet();
        const auto why = whyOperation(simulator, gathered);
        QVERIFY(why && why->choice == Choice::Required);
        QCOMPARE(simulator.operations().find(why->other)->path, isFirst ? b : c);
    }
    const quint32 burnt =
        simulator.submit({ .op = u"lend"_s, .path = b, .outcome = u"burnt"_s, .duration = 0 });
    simulator.runUntilQuiet();
    QCOMPARE(whyOperation(simulator, burnt)->choice, Choice::Option);
    QVERIFY(whyOperation(simulator, burnt)->rule.contains(u"burnt"_s));
    // No rule cancels a required operation by hand, so the step that required it is cited.
    const quint32 mover = simulator.submit({ .op = u"move"_s, .path = c });
    simulator.cancel(simulator.operations().all().last().serial);
    const auto why = whyOperation(simulator, mover);
    QVERIFY(why && why->choice == Choice::Required && why->row);
    QCOMPARE(why->row->about, u"It is lent first."_s);
    const quint32 byHand = simulator.submit({ .op = u"lend"_s, .path = b, .hang = true });
    simulator.end(byHand, simulator.rules().failed);
    QCOMPARE(whyOperation(simulator, byHand)->choice, Choice::Hand);
}

void TestExplanation::refusedByWhatRuns()
{
    const auto simulator = tree();
    const quint32 first = simulator->submit({ .op = u"PUT"_s, .path = Sub });
    const quint32 second = simulator->submit({ .op = u"PUT"_s, .path = Sibling });
    const auto why = whyOperation(*simulator, second);
    QCOMPARE(told(why),
        u"refused t → by \"Another operation is running in this tree.\" [R9 G 4.3 c 4.3 d 4.3 e] looked at s"_s);
    QCOMPARE(why->other, first);
    QCOMPARE(why->code, u"AnotherOperationInProgress"_s);
    QVERIFY(!why->message.isEmpty());
}

/// A row's condition is about other resources: those are what it looked at, then and not now.
void TestExplanation::refusedByWhatItLookedAt()
{
    const QString pool = u"/GatewayPools/p"_s, gateway = u"/gateways/g"_s;
    const auto simulator =
        simulatorOf({ { .path = pool }, { .path = gateway, .references = { pool } } });
    const quint32 removed = simulator->submit({ .op = u"DELETE"_s, .path = pool });
    const auto inUse = whyOperation(*simulator, removed);
    QVERIFY(inUse->row);
    QCOMPARE(inUse->row->about,
        u"A resource outside the subtree still refers to this one or to a descendant."_s);
    QCOMPARE(inUse->examined, QStringList(gateway));
    simulator->submit({ .op = u"DELETE"_s, .path = gateway });
    simulator->runUntilQuiet();
    QCOMPARE(whyOperation(*simulator, removed)->examined, QStringList(gateway));
}

/// That there is no such resource is no row's doing.
void TestExplanation::refusedByNoRow()
{
    const auto simulator = tree();
    const quint32 lost =
        simulator->submit({ .op = u"PUT"_s, .path = u"/logicalNetworks/x/subnets/y"_s });
    const auto why = whyOperation(*simulator, lost);
    QVERIFY(why && !why->row);
    QCOMPARE(why->kind, Explanation::Kind::Refused);
    QCOMPARE(why->code, u"NotFound"_s);
    QVERIFY(!whyOperation(*simulator, 99));
}

/// What is to go with what is asked for may not: its own row says so.
void TestExplanation::refusedByWhatWouldBeReplaced()
{
    const Pack pack = packOf(R"pack({
      "id": "shelves",
      "types": {"shelves": {"machine": "shelf"}, "shelves/books": {"machine": "book"}},
      "machines": {
        "shelf": {
          "rest": "there",
          "states": {"none": {"kind": "initial"}, "there": {}, "filling": {"kind": "transitional"}},
          "transitions": [
            {"from": "*", "on": "fill", "to": "filling", "about": "It is filled."},
            {"from": "filling", "on": ["succeeded", "failed"], "to": "there"}
          ]
        },
        "book": {
          "rest": "there",
          "states": {"none": {"kind": "initial"}, "there": {}},
          "transitions": [
            {"from": "there", "on": "burn", "if": {"some siblings": ["there"]},
             "refuse": "Set", "about": "It is one of a set."},
            {"from": "there", "on": "burn", "to": "none"}
          ]
        }
      },
      "refusals": {"Set": {"http": 409, "message": "It belongs to {other}."}}
    })pack");
    Result<Rules> rules = Rules::make(pack);
    const QString book = u"/shelves/s/books/b"_s, other = u"/shelves/s/books/c"_s;
    World world =
        worldOf(*rules, { { .path = u"/shelves/s"_s }, { .path = book }, { .path = other } });
    Simulator simulator(*std::move(rules), std::move(world));
    const quint32 filled = simulator.submit({ .op = u"fill"_s,
        .path = u"/shelves/s"_s,
        .stores = true,
        .replaces = { u"/shelves/s/books"_s } });
    const auto why = whyOperation(simulator, filled);
    QCOMPARE(why->code, u"Set"_s);
    QVERIFY(why->row);
    QCOMPARE(why->row->about, u"It is one of a set."_s);
    QCOMPARE(why->examined, QStringList(other));
    // The row's condition is about every sibling, not only about the first one that is there.
    const QString third = u"/shelves/s/books/d"_s;
    World larger = worldOf(simulator.rules(),
        { { .path = u"/shelves/s"_s }, { .path = book }, { .path = other }, { .path = third } });
    Simulator direct(simulator.rules(), std::move(larger));
    const quint32 burnt = direct.submit({ .op = u"burn"_s, .path = book });
    QCOMPARE(whyOperation(direct, burnt)->examined, QStringList({ other, third }));
}

void TestExplanation::canceled()
{
    const auto simulator = tree();
    const quint32 first = simulator->submit({ .op = u"PUT"_s, .path = Net });
    const quint32 second = simulator->submit({ .op = u"DELETE"_s, .path = Sub });
    const auto why = whyOperation(*simulator, first);
    QCOMPARE(told(why),
        u"canceled n → by \"An operation on a descendant cancels a PUT on any ancestor, but not a DELETE.\" [R6 R8 4.3 b 4.3 f] looked at s"_s);
    QCOMPARE(why->other, second);
}

void TestExplanation::canceledByHand()
{
    const auto simulator = tree();
    const quint32 first = simulator->submit({ .op = u"PUT"_s, .path = Net });
    simulator->cancel(first);
    const auto why = whyOperation(*simulator, first);
    QVERIFY(why);
    QCOMPARE(why->kind, Explanation::Kind::Canceled);
    QVERIFY(!why->row && why->other == 0 && why->examined.isEmpty());
}

/// Its target by the operation itself, those around it by what it sends.
void TestExplanation::moved()
{
    const auto simulator = tree();
    const quint32 serial = simulator->submit({ .op = u"PUT"_s, .path = Sub });
    QCOMPARE(told(whyResource(*simulator, Sub)),
        u"moved s Succeeded→Updating by \"A PUT moves the resource, never the resources that refer to it.\" [figure 4 R1 S3 4.3 j] looked at "_s);
    QCOMPARE(whyResource(*simulator, Sub)->operation, serial);
    QCOMPARE(told(whyResource(*simulator, Pool)),
        u"moved p Succeeded→Updating by \"A PUT runs on an ancestor.\" [R1 S1 S2] looked at s"_s);
    QCOMPARE(told(whyResource(*simulator, Net)),
        u"moved n Succeeded→Updating by \"A PUT or DELETE runs on a descendant.\" [R5 R7 S2] looked at s"_s);
    QCOMPARE(told(whyResource(*simulator, Sibling)), u"nothing"_s);
    QCOMPARE(told(whyOperation(*simulator, serial)), told(whyResource(*simulator, Sub)));
    simulator->end(serial, simulator->rules().failed);
    const auto failed = whyResource(*simulator, Pool);
    QCOMPARE(failed->after, u"Failed"_s);
    QCOMPARE(failed->row->sources, QStringList({ u"figure 4"_s, u"figure 5"_s, u"S1"_s }));
    QCOMPARE(whyResource(*simulator, Net)->row->when.keys(), QStringList(u"ancestorOutcome"_s));
}

/// What a canceled operation had moved and nobody else answers for.
void TestExplanation::putToRest()
{
    const auto simulator = tree();
    simulator->submit({ .op = u"PUT"_s, .path = Net });
    simulator->submit({ .op = u"PUT"_s, .path = Sub });
    const auto why = whyResource(*simulator, Sibling);
    QCOMPARE(why->before + u' ' + why->after, u"Updating Succeeded"_s);
    QVERIFY(why->row);
    QCOMPARE(why->row->sources, QStringList(u"4.5"_s));
    QCOMPARE(why->row->when.keys(), QStringList(u"orphanPolicy"_s));
}

void TestExplanation::gone()
{
    const auto simulator = tree();
    const quint32 serial = simulator->submit({ .op = u"DELETE"_s, .path = Sub });
    simulator->runUntilQuiet();
    const auto why = whyResource(*simulator, Sub);
    QCOMPARE(told(why),
        u"moved s Deleting→ by \"The resource and all its descendants are gone.\" [figure 5] looked at "_s);
    QCOMPARE(why->operation, serial);
    QCOMPARE(whyResource(*simulator, Pool)->after, QString());
}

void TestExplanation::nothingMoved()
{
    const auto simulator = tree();
    QVERIFY(!whyResource(*simulator, Net));
    QVERIFY(!whyResource(*simulator, u"/logicalNetworks/none"_s));
    simulator->submit({ .op = u"GET"_s, .path = Net });
    QVERIFY(!whyResource(*simulator, Net));
}

/// What is told is as of the moment shown.
void TestExplanation::inThePast()
{
    const auto simulator = tree();
    simulator->submit({ .op = u"PUT"_s, .path = Net });
    const QString first = told(whyResource(*simulator, Pool));
    simulator->runUntilQuiet();
    QVERIFY(told(whyResource(*simulator, Pool)) != first);
    simulator->jump(1);
    QCOMPARE(told(whyResource(*simulator, Pool)), first);
    simulator->jump(0);
    QVERIFY(!whyResource(*simulator, Pool));
}

/// Over random packs: what a resource shows is what its explanation says that it was moved to, at
/// the last moment at which it was moved.
void TestExplanation::everyMoveHasOne()
{
    int rows = 0, explained = 0;
    QVERIFY(rc::check([&] {
        const Playground ground = randomPlayground();
        Simulator simulator(ground.rules, ground.world);
        const int count = 1 + below(12);
        for (int i = 0; i < count; ++i) {
            if (below(3) || !simulator.step())
                simulator.submit(anyRequest(ground, i));
        }
        for (const QString &path : ground.paths) {
            qsizetype last = simulator.moment();
            const auto codeAt = [&](qsizetype moment) {
                const World world = simulator.worldAt(moment);
                const Resource resource = world.tree.find(path);
                return resource == NoResource ? -1 : int(world.tree.code(resource));
            };
            while (last > 0 && codeAt(last) == codeAt(last - 1))
                --last;
            const auto why = whyResource(simulator, path);
            RC_ASSERT(why.has_value() == (last > 0));
            if (!why)
                continue;
            RC_ASSERT(why->time == simulator.records()[last - 1].event.time);
            const Resource now = simulator.world().tree.find(path);
            const QString word = now == NoResource
                ? QString()
                : shownWord(simulator.rules(), simulator.world(), now);
            RC_ASSERT(why->after.toStdString() == word.toStdString());
            ++explained;
            rows += why->row ? 1 : 0;
        }
    }));
    QVERIFY(explained > 50);
    QVERIFY2(rows * 10 >= explained * 9,
        qPrintable(u"%1 of %2 name their row"_s.arg(rows).arg(explained)));
}

bool rerunOf(Simulator &simulator, const Switches &switches)
{
    Result<Rules> rules = Rules::make(simulator.rules().pack(), switches);
    if (rules)
        Replay(simulator).play(*std::move(rules));
    return bool(rules);
}

/// What takes longer than the last run did has ended by the time that is shown.
void TestExplanation::rerunGoesOnToTheSameTime()
{
    const auto simulator = tree();
    simulator->submit({ .op = u"PUT"_s, .path = Sub, .id = u"a"_s, .duration = 1000 });
    simulator->submit({ .op = u"PUT"_s, .path = Sibling, .id = u"b"_s, .duration = 3000 });
    simulator->advance(5000);
    QCOMPARE(simulator->operations().find(u"b"_s)->status, Status::Rejected);
    QVERIFY(rerunOf(*simulator, { { u"siblingsRunConcurrently"_s, u"true"_s } }));
    QCOMPARE(simulator->rules().switches().value(u"siblingsRunConcurrently"_s), u"true"_s);
    QCOMPARE(simulator->operations().find(u"b"_s)->status, Status::Succeeded);
    QCOMPARE(simulator->world().now, 5000);
}

/// Flipped back it is as it was.
void TestExplanation::rerunThereAndBack()
{
    QVERIFY(rc::check([] {
        const Playground ground = knownPlayground(u"network-controller"_s);
        Simulator simulator(ground.rules, ground.world);
        const int count = 1 + below(8);
        for (int i = 0; i < count; ++i) {
            simulator.submit(anyRequest(ground, i));
            simulator.advance(1 + 2 * below(400)); // never when something else is due
        }
        simulator.jump(below(int(simulator.moment()) + 1));
        simulator.showTime(simulator.world().now);
        const auto seen = [&] { return everything(simulator.rules(), simulator.world()); };
        const QString before = seen();
        const Switches first = simulator.rules().switches();
        Switches other = first;
        const QList<Switch> &switches = simulator.rules().pack().switches;
        const Switch &row = switches[below(int(switches.size()))];
        other[row.id] = row.values[below(int(row.values.size()))];
        RC_ASSERT(rerunOf(simulator, other));
        RC_ASSERT(simulator.rules().switches() == other);
        RC_ASSERT(rerunOf(simulator, first));
        RC_ASSERT(seen().toStdString() == before.toStdString());
    }));
}

const instar::TestClass<TestExplanation> registered;
#include "tst_explanation.moc"
