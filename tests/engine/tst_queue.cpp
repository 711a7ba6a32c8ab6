// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Conflict rows that say "wait": an operation is accepted, waits for its turn, and is judged again
// when it has come.

class TestQueue : public QObject
{
    Q_OBJECT

private slots:
    void waitsForItsTurn();
    void theFirstInTheWayIsNamed();
    void oneAfterAnother();
    void nobodyGoesPastWhoWaits();
    void oneRejectRefusesAll();
    void whatIsToBeMadeIsASibling();
    void isJudgedAgain();
    void whatItWouldCancelRunsOn();
    void canceledByHand();
    void goesWithItsResource();
    void goesWithWhoRequiredIt();
    void requiredWorkWaits();
    void aRingIsNamed();
    void noRingThroughThoseBehind();
    void repeatedRequest();
    void explored();
};

namespace {

/// Looking goes on beside looking; everything else waits for what is at work on the same line.
/// Selling cancels looking and waits for painting; polishing is refused while something is painted.
const QByteArray desks = R"pack({
  "id": "desks",
  "types": {"desks": {"machine": "desk"}, "desks/drawers": {"machine": "desk"}},
  "machines": {"desk": {
    "rest": "plain",
    "states": {
      "none": {"kind": "initial"}, "plain": {}, "painted": {},
      "painting": {"kind": "transitional"}, "looking": {"kind": "transitional"},
      "selling": {"kind": "transitional"},
      "refitting": {"kind": "transitional", "work": ["attempt", {"op": "paint", "to": ["siblings", "drawers"]}]}
    },
    "transitions": [
      {"from": ["none", "plain", "painted"], "on": "paint", "to": "painting"},
      {"from": ["plain", "painted"], "on": "look", "to": "looking"},
      {"from": "painted", "on": "polish", "to": "painting"},
      {"from": ["plain", "painted"], "on": "refit", "to": "refitting"},
      {"from": ["plain", "painted", "looking"], "on": "sell", "to": "selling"},
      {"from": "*", "on": "glance"},
      {"from": ["painting", "refitting"], "on": "succeeded", "to": "painted"},
      {"from": "looking", "on": "succeeded", "to": "(last)"},
      {"from": "selling", "on": "succeeded", "to": "none"},
      {"from": ["painting", "looking", "selling", "refitting"], "on": ["failed", "canceled"], "to": "(last)"}
    ]
  }},
  "conflicts": [
    {"on": "look", "running": "look", "then": "allow"},
    {"on": "polish", "running": "paint", "then": "reject", "code": "Wet"},
    {"on": "sell", "running": "look", "at": ["self", "descendant"], "then": "cancel"},
    {"at": ["self", "ancestor", "descendant"], "then": "wait", "about": "one at a time"}
  ],
  "refusals": {"Wet": {"http": 409, "message": "{0} is at it."}, "transition": {"code": "NotNow", "http": 409}}
})pack";

const QString a = u"/desks/a"_s, b = u"/desks/b"_s, top = a + u"/drawers/top"_s,
              low = a + u"/drawers/low"_s;

class Desks : public Staging
{
public:
    explicit Desks(const QString &resources = a + u", "_s + b)
        : Staging(rulesOf(packOf(desks)), resourcesFrom(resources))
    { }
    qint64 began(const QString &id) const { return operation(id).started.value_or(-1); }
};

} // namespace

void TestQueue::waitsForItsTurn()
{
    Desks desks;
    desks.ask(u"paint"_s, a);
    const Admission admission = instar::admission(
        desks.simulator.rules(), desks.simulator.world(), { .op = u"sell"_s, .path = a });
    QCOMPARE(admission.verdict, Admission::Verdict::Waits);
    QCOMPARE(admission.rule, u"one at a time"_s);

    desks.ask(u"sell"_s, a);
    QCOMPARE(desks.status(u"op2"_s), u"Waiting"_s);
    QCOMPARE(desks.began(u"op2"_s), -1);
    QCOMPARE(desks.at(a), u"painting"_s);
    QCOMPARE(desks.simulator.records().last().changes.front().kind, Change::Kind::Queued);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.status(u"op1"_s) + desks.status(u"op2"_s), u"SucceededSucceeded"_s);
    QCOMPARE(desks.began(u"op2"_s), 1000);
    QCOMPARE(desks.operation(u"op2"_s).ended, std::optional<qint64>(2000));
    QCOMPARE(desks.at(a), u"absent"_s);
}

void TestQueue::theFirstInTheWayIsNamed()
{
    Desks desks;
    desks.ask(u"paint"_s, a);
    desks.ask(u"paint"_s, a);
    const quint32 first = desks.operation(u"op1"_s).serial;
    const quint32 third = desks.ask(u"paint"_s, a).serial;
    const Change &queued = desks.simulator.records().last().changes.front();
    QCOMPARE(queued.operation, third);
    QCOMPARE(queued.other, first);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.began(u"op3"_s), 2000); // it waited for both
}

void TestQueue::oneAfterAnother()
{
    Desks desks;
    for (int i = 0; i < 4; ++i)
        desks.ask({ .op = u"paint"_s, .path = a, .duration = 1000 - 100 * i });
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.began(u"op2"_s), 1000);
    QCOMPARE(desks.began(u"op3"_s), 1900);
    QCOMPARE(desks.began(u"op4"_s), 2700);
    QCOMPARE(desks.simulator.world().now, 3400);
}

/// A drawer can be looked into while the other one is; not once somebody waits to paint the desk.
void TestQueue::nobodyGoesPastWhoWaits()
{
    Desks desks(u"%1, %2, %3"_s.arg(a, top, low));
    desks.ask(u"look"_s, top);
    desks.simulator.advance(10);
    desks.ask(u"paint"_s, a);
    desks.simulator.advance(10);
    desks.ask(u"look"_s, low);
    QCOMPARE(desks.status(u"op3"_s), u"Waiting"_s);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.began(u"op2"_s), 1000);
    QCOMPARE(desks.began(u"op3"_s), 2000);
    QCOMPARE(desks.simulator.world().now, 3000);
}

void TestQueue::oneRejectRefusesAll()
{
    Desks desks(u"%1, %2"_s.arg(a, top));
    desks.ask(u"look"_s, a);    // polishing would wait for this one
    desks.ask(u"paint"_s, top); // and is refused by one that waits itself
    QCOMPARE(desks.status(u"op2"_s), u"Waiting"_s);
    const Operation &refused = desks.ask(u"polish"_s, a);
    QCOMPARE(refused.status, Status::Rejected);
    QCOMPARE(refused.errorCode, u"Wet"_s);
    QCOMPARE(refused.errorMessage, u"op2 is at it."_s);
    QCOMPARE(refused.conflictsWith, u"op2"_s);
    QCOMPARE(desks.simulator.world().queue.size(), size_t(1));
}

/// Two drawers that are still to be made meet each other as those that are there do.
void TestQueue::whatIsToBeMadeIsASibling()
{
    const Pack pack = packOf(QByteArray(desks).replace(R"("conflicts": [)", R"("conflicts": [
    {"on": "paint", "running": "paint", "at": "sibling", "then": "reject", "code": "Wet"},)"));
    Staging staging(rulesOf(pack), resourcesFrom(a));
    staging.ask(u"look"_s, a);
    staging.ask(u"paint"_s, top); // makes it, when nobody looks any more
    QCOMPARE(staging.status(u"op2"_s), u"Waiting"_s);
    const Operation &refused = staging.ask(u"paint"_s, low);
    QCOMPARE(refused.status, Status::Rejected);
    QCOMPARE(refused.conflictsWith, u"op2"_s);
}

/// What has become impossible meanwhile fails with the refusal's code.
void TestQueue::isJudgedAgain()
{
    Desks desks;
    desks.ask({ .op = u"look"_s, .path = a });
    desks.ask(u"polish"_s, a); // only what is painted can be polished
    QCOMPARE(desks.status(u"op2"_s), u"Waiting"_s);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.status(u"op2"_s), u"Failed"_s);
    QCOMPARE(desks.operation(u"op2"_s).errorCode, u"NotNow"_s);
    QCOMPARE(desks.operation(u"op2"_s).httpStatus, 409);
    QCOMPARE(desks.began(u"op2"_s), -1);
    QCOMPARE(desks.at(a), u"plain"_s);
}

/// Who waits cancels nobody before its turn.
void TestQueue::whatItWouldCancelRunsOn()
{
    Desks desks(u"%1, %2, %3"_s.arg(a, top, low));
    desks.ask({ .op = u"paint"_s, .path = top, .duration = 500 });
    desks.ask(u"look"_s, low);
    desks.ask(u"sell"_s, a);
    QCOMPARE(desks.status(u"op3"_s), u"Waiting"_s);
    QCOMPARE(desks.status(u"op2"_s), u"InProgress"_s);
    desks.simulator.advance(500);
    QCOMPARE(desks.status(u"op2"_s), u"Canceled"_s);
    QCOMPARE(desks.operation(u"op2"_s).canceledBy, u"op3"_s);
    QCOMPARE(desks.status(u"op3"_s), u"InProgress"_s);
}

void TestQueue::canceledByHand()
{
    Desks desks;
    desks.ask(u"paint"_s, a);
    const quint32 serial = desks.ask(u"sell"_s, a).serial;
    desks.ask(u"look"_s, a);
    desks.simulator.cancel(serial);
    QCOMPARE(desks.status(u"op2"_s), u"Canceled"_s);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.began(u"op3"_s), 1000);
    QCOMPARE(desks.at(a), u"painted"_s);
    desks.simulator.jump(3); // and the past is the past
    QCOMPARE(desks.simulator.world().queue.size(), size_t(2));
}

void TestQueue::goesWithItsResource()
{
    Desks desks(u"%1, %2"_s.arg(a, top));
    desks.ask(u"sell"_s, a);
    desks.ask(u"paint"_s, a);
    desks.ask(u"paint"_s, top);
    desks.ask(u"paint"_s, low); // to be made
    desks.ask(u"paint"_s, b);
    QCOMPARE(desks.status(u"op4"_s), u"Waiting"_s);
    QVERIFY(desks.simulator.runUntilQuiet());
    for (const QString &id : { u"op2"_s, u"op3"_s, u"op4"_s }) {
        QCOMPARE(desks.status(id), u"Canceled"_s);
        QCOMPARE(desks.operation(id).canceledBy, u"op1"_s);
    }
    QCOMPARE(desks.tree(), b + u" painted\n"_s);
}

void TestQueue::goesWithWhoRequiredIt()
{
    Desks desks(u"%1, %2"_s.arg(a, b));
    desks.ask({ .op = u"look"_s, .path = b, .hang = true });
    const quint32 refit = desks.ask(u"refit"_s, a).serial;
    desks.simulator.advance(1000);
    QCOMPARE(desks.status(u"op2.1"_s), u"Waiting"_s);
    desks.simulator.cancel(refit);
    QCOMPARE(desks.status(u"op2.1"_s), u"Canceled"_s);
    QVERIFY(desks.simulator.world().queue.empty());
    QCOMPARE(desks.at(a), u"plain"_s);
}

void TestQueue::requiredWorkWaits()
{
    Desks desks(u"%1, %2"_s.arg(a, b));
    desks.ask({ .op = u"look"_s, .path = b, .duration = 5000 });
    desks.ask(u"refit"_s, a);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.began(u"op2.1"_s), 5000);
    QCOMPARE(desks.operation(u"op2"_s).ended, std::optional<qint64>(6000));
    QCOMPARE(desks.tree(), u"%1 painted\n%2 painted\n"_s.arg(a, b));
}

/// Each of the two needs the other's desk.
void TestQueue::aRingIsNamed()
{
    Desks desks(u"%1, %2"_s.arg(a, b));
    desks.ask(u"refit"_s, a);
    desks.ask({ .op = u"refit"_s, .path = b, .duration = 1500 });
    desks.simulator.advance(1000);
    QCOMPARE(desks.status(u"op1.1"_s), u"Waiting"_s);
    desks.simulator.advance(500);
    QCOMPARE(desks.status(u"op2.1"_s), u"Rejected"_s);
    QCOMPARE(desks.operation(u"op2.1"_s).errorCode, u"WaitsForItself"_s);
    QCOMPARE(desks.operation(u"op2.1"_s).errorMessage,
        u"The operation on /desks/a would wait for itself: op2.1 waits for op1, op1 for op1.1, "
        "op1.1 for op2, op2 for op2.1."_s);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.status(u"op1"_s) + desks.status(u"op2"_s), u"SucceededFailed"_s);
}

/// Who waits for an operation does not stand before what that operation requires.
void TestQueue::noRingThroughThoseBehind()
{
    Desks desks(u"%1, %2"_s.arg(a, top));
    desks.ask(u"refit"_s, a);
    desks.simulator.advance(10);
    desks.ask(u"paint"_s, top); // waits for the refitting of its desk, which will paint it
    QCOMPARE(desks.status(u"op2"_s), u"Waiting"_s);
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.operation(u"op1"_s).ended, std::optional<qint64>(2000));
    QCOMPARE(desks.status(u"op1"_s) + desks.status(u"op2"_s), u"SucceededSucceeded"_s);
    QCOMPARE(desks.began(u"op2"_s), 2000);
}

void TestQueue::repeatedRequest()
{
    Desks desks;
    desks.ask(u"look"_s, a);
    desks.ask({ .op = u"paint"_s, .path = a, .requestId = u"r"_s });
    QCOMPARE(desks.ask({ .op = u"paint"_s, .path = a, .requestId = u"r"_s }).replayOf, u"op2"_s);
    QCOMPARE(desks.simulator.world().queue.size(), size_t(1));
    QVERIFY(desks.simulator.runUntilQuiet());
    QCOMPARE(desks.status(u"op2"_s) + desks.status(u"op3"_s), u"SucceededSucceeded"_s);
    QCOMPARE(desks.at(a), u"painted"_s);
}

/// In every order all are through in the end, whoever had to wait.
void TestQueue::explored()
{
    const Rules rules = rulesOf(packOf(desks));
    Scenario scenario;
    for (const QString &op : { u"paint"_s, u"look"_s, u"sell"_s })
        scenario.steps.append({ .request = { .op = op, .path = a, .id = op } });
    ExploreOptions options;
    options.by = ExploreOptions::By::Operations;
    const Exploration found =
        valueOf(explore(scenario, { rules, worldOf(rules, resourcesFrom(a)) }, options));
    QVERIFY(found.complete);
    QSet<QString> endings;
    for (const Ending &ending : found.endings) {
        QStringList statuses;
        for (auto it = ending.operations.cbegin(); it != ending.operations.cend(); ++it)
            statuses += it.key() + u' ' + it.value();
        endings.insert(
            statuses.join(u", "_s) + (ending.resources.contains(a) ? u" there"_s : u" gone"_s));
    }
    // What comes after the sale makes it anew or finds nothing; what waits for it goes with it.
    QCOMPARE(endings,
        (QSet<QString> {
            u"look Succeeded, paint Succeeded, sell Succeeded gone"_s,
            u"look Succeeded, paint Succeeded, sell Succeeded there"_s,
            u"look Canceled, paint Succeeded, sell Succeeded gone"_s,
            u"look Canceled, paint Succeeded, sell Succeeded there"_s,
            u"look Succeeded, paint Canceled, sell Succeeded gone"_s,
            u"look Canceled, paint Canceled, sell Succeeded gone"_s,
            u"look Rejected, paint Succeeded, sell Succeeded gone"_s,
            u"look Rejected, paint Succeeded, sell Succeeded there"_s,
            u"look Rejected, paint Canceled, sell Succeeded gone"_s,
        }));
}

const instar::TestClass<TestQueue> registered;
#include "tst_queue.moc"
