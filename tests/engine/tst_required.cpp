// SPDX-License-Identifier: Apache-2.0
#include "model/json/packfile.h"
#include "model/pack/check.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Work that others do: a parent's other children, what a request plans for them and gives them; and
// whose turn it is when several timers are due at once.

class TestRequired : public QObject
{
    Q_OBJECT

private slots:
    void isWellMade();
    void parentsChildren();
    void unknownChildrenOfTheParent();
    void planGoesToThoseWhoWork();
    void outcomeIsUsedOnce();
    void ownAttemptComesFirst();
    void planOfSinglePiecesComesFirst();
    void requestsAreStored();
    void turns_data();
    void turns();
    void turnsAreOfOneMoment();
    void firstCodeStands_data();
    void firstCodeStands();
    void requirementsOfOneDoNotMeet();
    void worstOutcomeStands_data();
    void worstOutcomeStands();
    void whatTheVictimRequiredRestsFirst_data();
    void whatTheVictimRequiredRestsFirst();
};

namespace {

const QByteArray houses = R"({
  "id": "houses",
  "title": "Lamps and bells",
  "sources": {"m": {"document": "Manual", "section": "1"}},
  "types": {
    "houses": {"machine": "house"}, "houses/lamps": {"machine": "lamp"}, "houses/bells": {"machine": "bell"}
  },
  "conditions": {"hall is lit": {"some parent/lamps/hall": ["on"]}},
  "machines": {
    "house": {
      "rest": "dark",
      "states": {
        "none": {"kind": "initial"}, "dark": {}, "lit": {}, "sold": {},
        "lighting": {"kind": "transitional", "work": [{"op": "light", "to": "lamps", "hear": {"broken": "succeeded"}}]},
        "selling": {"kind": "transitional", "work": ["attempt", {"op": "set", "to": "bells"}]},
        "mending": {"kind": "transitional", "work": [{"op": "light", "to": "lamps/hall"}, "attempt"]}
      },
      "transitions": [
        {"from": "none", "on": "build", "to": "dark", "source": "m"},
        {"from": "*", "on": "light all", "to": "lighting", "source": "m"},
        {"from": "*", "on": "sell", "to": "selling", "source": "m"},
        {"from": "*", "on": "mend", "to": "mending", "source": "m"},
        {"from": ["lighting", "mending"], "on": "succeeded", "to": "lit", "source": "m"},
        {"from": "selling", "on": "succeeded", "to": "sold", "source": "m"},
        {"from": ["lighting", "selling", "mending"], "on": "failed", "to": "dark", "source": "m"},
        {"from": "*", "on": "tear down", "to": "none", "source": "m"}
      ]
    },
    "lamp": {
      "rest": "off",
      "states": {"none": {"kind": "initial"}, "off": {}, "on": {}, "smashed": {}, "glowing": {"kind": "transitional"}},
      "transitions": [
        {"from": "none", "on": "hang up", "to": "off", "source": "m"},
        {"from": ["off", "on", "smashed"], "on": "light", "to": "glowing", "source": "m"},
        {"from": "glowing", "on": "succeeded", "to": "on", "source": "m"},
        {"from": "glowing", "on": "failed", "to": "off", "source": "m"},
        {"from": "glowing", "on": "broken", "to": "smashed", "source": "m"},
        {"from": "*", "on": "take down", "to": "none", "source": "m"}
      ]
    },
    "bell": {
      "rest": "quiet",
      "states": {
        "none": {"kind": "initial"}, "rung": {},
        "quiet": {"timer": {"op": "ring", "at": "time", "every": 1000, "order": [{"id": ["alarm"]}, "hall is lit"]}},
        "ringing": {"kind": "transitional", "work": [{"op": "light", "to": "parent/lamps", "where": {"self": ["off"]}}]}
      },
      "transitions": [
        {"from": "none", "on": "hang up", "to": "quiet", "source": "m"},
        {"from": "quiet", "on": "ring", "to": "ringing", "source": "m"},
        {"from": ["quiet", "rung"], "on": "set", "to": "quiet", "source": "m"},
        {"from": "ringing", "on": ["succeeded", "failed"], "to": "rung", "source": "m"},
        {"from": "*", "on": "take down", "to": "none", "source": "m"}
      ]
    }
  },
  "outcomes": {"broken": {"code": "Broken", "source": "m"}}
})";

/// Everything is refused while anything runs, but a rollback, which cancels; and parts have two
/// reasons not to be updated.
const QByteArray stacks = R"({
  "id": "stacks",
  "types": {"stacks": {"machine": "stack"}, "stacks/parts": {"machine": "part"}},
  "outcomes": {"slow": {"status": "Succeeded"}, "failed": {"code": "Fault"}},
  "machines": {
    "stack": {
      "rest": "complete",
      "states": {
        "none": {"kind": "initial"}, "complete": {}, "complete, slowly": {}, "broken": {},
        "updating": {"kind": "transitional", "work": [{"op": "update", "to": "parts", "together": true, "hear": {"slow": "slow"}}]},
        "rolling back": {"kind": "transitional", "work": [{"op": "revert", "to": "parts", "where": {"self": ["updated"]}}]}
      },
      "transitions": [
        {"from": ["complete", "broken"], "on": "upgrade", "to": "updating"},
        {"from": "*", "on": "roll back", "to": "rolling back"},
        {"from": ["updating", "rolling back"], "on": "succeeded", "to": "complete"},
        {"from": "updating", "on": "slow", "to": "complete, slowly"},
        {"from": ["updating", "rolling back"], "on": ["failed", "rejected", "canceled"], "to": "broken"}
      ]
    },
    "part": {
      "rest": "plain",
      "states": {
        "none": {"kind": "initial"}, "plain": {}, "locked": {}, "lost": {}, "updated": {}, "faulty": {},
        "updating": {"kind": "transitional"}, "reverting": {"kind": "transitional"}
      },
      "transitions": [
        {"from": "locked", "on": "update", "refuse": "Locked"},
        {"from": "lost", "on": "update", "refuse": "Lost"},
        {"from": ["plain", "updated"], "on": "update", "to": "updating"},
        {"from": "updated", "on": "revert", "to": "reverting"},
        {"from": "updating", "on": ["succeeded", "slow", "canceled"], "to": "updated"},
        {"from": "updating", "on": "failed", "to": "faulty"},
        {"from": "reverting", "on": "succeeded", "to": "plain"},
        {"from": "reverting", "on": ["failed", "canceled"], "to": "faulty"}
      ]
    }
  },
  "conflicts": [
    {"on": "roll back", "running": "upgrade", "then": "cancel"},
    {"on": "roll back", "running": "update", "then": "cancel"},
    {"then": "reject", "code": "Busy"}
  ],
  "refusals": {"Locked": {"http": 423}, "Lost": {"http": 410}, "Busy": {"http": 409}}
})";

const QString stack = u"/stacks/s"_s, one = stack + u"/parts/one"_s, two = stack + u"/parts/two"_s;

Staging stackWith(const QString &parts, const QByteArray &pack = stacks)
{
    return Staging(rulesOf(packOf(pack)), resourcesFrom(stack + u", "_s + parts));
}

Rules rulesOfHouses()
{
    return rulesOf(packOf(houses));
}

QString lamp(const QString &house, const QString &name)
{
    return u"/houses/%1/lamps/%2"_s.arg(house, name);
}

/// Bells ring in a thousand seconds, so that nothing happens by itself.
QList<ResourceSpec> oneHouse()
{
    QList<ResourceSpec> resources = resourcesFrom(
        u"/houses/a\n/houses/a/lamps/hall\n/houses/a/lamps/attic\n/houses/a/bells/door"_s);
    resources.last().properties.insert(u"time"_s, 1'000'000);
    return resources;
}

const QString house = u"/houses/a"_s, hall = lamp(u"a"_s, u"hall"_s),
              attic = lamp(u"a"_s, u"attic"_s), door = u"/houses/a/bells/door"_s;

} // namespace

void TestRequired::isWellMade()
{
    const Pack pack = packOf(houses);
    for (const Diagnostic &diagnostic : check(pack))
        QFAIL(qPrintable(diagnostic.pointer + u": "_s + diagnostic.text));
    QVERIFY(packOf(writePack(pack)) == pack);
}

/// A bell lights the lamps of its own house, one after another, and only those that are off.
void TestRequired::parentsChildren()
{
    QList<ResourceSpec> resources = oneHouse();
    resources += resourcesFrom(u"/houses/a/lamps/cellar on\n/houses/b\n/houses/b/lamps/hall"_s);
    Staging staging(rulesOfHouses(), resources);
    staging.ask(u"ring"_s, door);
    QCOMPARE(staging.states({ hall, attic, door }), u"glowing off ringing"_s);
    staging.simulator.advanceTo(1000);
    QCOMPARE(staging.states({ hall, attic, door }), u"on glowing ringing"_s);
    staging.simulator.advanceTo(2000);
    QCOMPARE(
        staging.states({ hall, attic, lamp(u"a"_s, u"cellar"_s), lamp(u"b"_s, u"hall"_s), door }),
        u"on on on off rung"_s);
    QCOMPARE(staging.operation(u"op1.2"_s).path, attic);
    QCOMPARE(staging.simulator.operations().all().size(), 3);
}

void TestRequired::unknownChildrenOfTheParent()
{
    const auto diagnostics = [](const QByteArray &relation) {
        QString text;
        const Pack pack = packOf(QByteArray(houses).replace("\"parent/lamps\"", relation));
        for (const Diagnostic &diagnostic : check(pack))
            text += diagnostic.pointer + u' ' + diagnostic.code + u'\n';
        return text;
    };
    QCOMPARE(diagnostics("\"parent/lamps/hall\""), QString());
    QCOMPARE(diagnostics("\"parent/lambs\""),
        u"/machines/bell/states/ringing/work/0/to unknown-relation\n"_s);
    QCOMPARE(diagnostics("\"parent/self\""),
        u"/machines/bell/states/ringing/work/0/to unknown-relation\n"_s);
    QCOMPARE(diagnostics("\"parent/parent/lamps\""),
        u"/machines/bell/states/ringing/work/0/to unknown-relation\n"_s);
    // Bells do not take it.
    QCOMPARE(diagnostics("\"parent/bells\""),
        u"/machines/bell/states/ringing/work/0/op nobody-hears\n"_s);
}

/// Work that is all others': how long it takes, how it ends, and that it does not end, is asked of
/// them.
void TestRequired::planGoesToThoseWhoWork()
{
    Staging staging(rulesOfHouses(), oneHouse());
    staging.ask(u"light all"_s, house, { .duration = 300 });
    staging.simulator.advanceTo(299);
    QCOMPARE(staging.states({ hall, attic, house }), u"glowing off lighting"_s);
    staging.simulator.advanceTo(600);
    QCOMPARE(staging.states({ hall, attic, house }), u"on on lit"_s);

    staging.ask(u"light all"_s, house, { .id = u"b"_s, .outcome = u"failed"_s });
    staging.simulator.advance(1000);
    QCOMPARE(staging.states({ hall, attic, house }), u"off on dark"_s);
    QCOMPARE(staging.status(u"b"_s), u"Failed"_s);
    QCOMPARE(staging.status(u"b.1"_s), u"Failed"_s);

    staging.ask(u"light all"_s, house, { .id = u"c"_s, .hang = true });
    staging.simulator.advance(500'000);
    QCOMPARE(staging.states({ hall, house }), u"glowing lighting"_s);
    QCOMPARE(staging.status(u"c"_s), u"InProgress"_s);
    staging.end(u"c.1"_s, {});
    QCOMPARE(staging.states({ hall, attic }), u"on glowing"_s); // the next one hangs as well
}

/// The first piece that can end so does, and no other.
void TestRequired::outcomeIsUsedOnce()
{
    Staging staging(rulesOfHouses(), oneHouse());
    staging.ask(u"light all"_s, house, { .outcome = u"broken"_s });
    staging.simulator.advance(2000);
    QCOMPARE(staging.states({ hall, attic, house }), u"smashed on lit"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
}

void TestRequired::ownAttemptComesFirst()
{
    // "mending" has an attempt of its own, after what it requires: the lamp is asked as usual.
    Staging staging(rulesOfHouses(), oneHouse());
    staging.ask(u"mend"_s, house, { .outcome = u"failed"_s, .duration = 5000 });
    staging.simulator.advanceTo(1000);
    QCOMPARE(staging.states({ hall, house }), u"on mending"_s);
    staging.simulator.advanceTo(5999);
    QCOMPARE(staging.at(house), u"mending"_s);
    staging.simulator.advanceTo(6000);
    QCOMPARE(staging.at(house), u"dark"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
}

void TestRequired::planOfSinglePiecesComesFirst()
{
    Staging staging(rulesOfHouses(), oneHouse());
    staging.ask(u"light all"_s, house,
        { .outcome = u"failed"_s,
            .work = {
                { u"light "_s + hall, { .outcomes = { u"succeeded"_s }, .duration = 10 } } } });
    staging.simulator.advanceTo(10);
    QCOMPARE(staging.states({ hall, attic }), u"on glowing"_s);
    staging.simulator.advanceTo(1010);
    QCOMPARE(staging.states({ hall, attic, house }), u"on off dark"_s);
}

/// What a request gives a required operation becomes its target's, though that exists already.
void TestRequired::requestsAreStored()
{
    Staging staging(rulesOfHouses(), oneHouse());
    staging.ask(
        u"sell"_s, house, { .requests = { { door, { .properties = { { u"time"_s, 4000 } } } } } });
    staging.simulator.advanceTo(1000);
    QCOMPARE(staging.at(house), u"sold"_s);
    staging.simulator.advanceTo(3999);
    QCOMPARE(staging.at(door), u"quiet"_s);
    staging.simulator.advanceTo(4000);
    QCOMPARE(staging.at(door), u"ringing"_s);
    // Asked without, it keeps what it has.
    Staging other(rulesOfHouses(), oneHouse());
    other.ask(u"sell"_s, house);
    other.simulator.advanceTo(900'000);
    QCOMPARE(other.states({ house, door }), u"sold quiet"_s);
}

void TestRequired::turns_data()
{
    // bells: in the order of the tree
    const Rows<QString, QString> row("bells", "order");
    row("the tree's", u"a/door b/door c/door"_s, u"a/door b/door c/door"_s);
    row("the first condition", u"a/door b/door b/alarm c/alarm"_s,
        u"b/alarm c/alarm a/door b/door"_s);
    row("the second condition", u"a/door lit/door c/door"_s, u"lit/door a/door c/door"_s);
    row("both", u"a/door lit/door c/alarm lit/alarm"_s, u"lit/alarm c/alarm lit/door a/door"_s);
}

/// Of several that are due when the clock looks, those go first that the order names first.
void TestRequired::turns()
{
    QFETCH(QString, bells);
    QList<ResourceSpec> resources;
    qint64 time = 900;
    for (const QString &bell : bells.split(u' ')) {
        const QString name = u"/houses/"_s + bell.section(u'/', 0, 0);
        const bool isKnown = std::ranges::any_of(
            resources, [&](const ResourceSpec &known) { return known.path == name; });
        if (!isKnown)
            resources += resourcesFrom(name
                + (name.endsWith(u"lit") ? u'\n' + lamp(u"lit"_s, u"hall"_s) + u" on"_s
                                         : QString()));
        resources.append({ .path = name + u"/bells/"_s + bell.section(u'/', 1),
            .properties = { { u"time"_s, time } } });
        time -= 100; // the clock finds them at 1000, whichever was due first
    }
    Staging staging(rulesOfHouses(), resources);
    staging.simulator.advanceTo(999);
    QVERIFY(staging.simulator.operations().all().isEmpty());
    staging.simulator.advanceTo(1000);
    QStringList rung;
    for (const Operation &operation : staging.simulator.operations().all())
        rung += operation.path.section(u'/', 2, 2) + u'/' + operation.path.section(u'/', 4, 4);
    QTEST(rung.join(u' '), "order");
}

/// The order decides between those that are due together, not between now and later.
void TestRequired::turnsAreOfOneMoment()
{
    QList<ResourceSpec> resources =
        resourcesFrom(u"/houses/a\n/houses/a/bells/door\n/houses/a/bells/alarm"_s);
    resources[1].properties.insert(u"time"_s, 500);
    resources[2].properties.insert(u"time"_s, 1500);
    Staging staging(rulesOfHouses(), resources);
    staging.simulator.advanceTo(1999);
    QCOMPARE(staging.states({ door, u"/houses/a/bells/alarm"_s }), u"rung quiet"_s);
    staging.simulator.advanceTo(2000);
    QCOMPARE(staging.states({ door, u"/houses/a/bells/alarm"_s }), u"rung rung"_s);
}

void TestRequired::firstCodeStands_data()
{
    const Rows<QString, QString> row("parts", "code");
    row("locked first", one + u" locked, "_s + two + u" lost"_s, u"Locked"_s);
    row("lost first", one + u" lost, "_s + two + u" locked"_s, u"Lost"_s);
    row("none of them first", one + u", "_s + two + u" lost"_s, u"Lost"_s);
}

/// Both are refused at once, each with its own code.
void TestRequired::firstCodeStands()
{
    QFETCH(QString, parts);
    Staging staging = stackWith(parts);
    staging.ask(u"upgrade"_s, stack);
    QVERIFY(staging.simulator.runUntilQuiet());
    QCOMPARE(staging.at(stack), u"broken"_s);
    QTEST(staging.operation(u"op1"_s).errorCode, "code");
    QCOMPARE(staging.simulator.operations().all().size(), 3);
}

void TestRequired::requirementsOfOneDoNotMeet()
{
    Staging staging = stackWith(one + u", "_s + two);
    staging.ask(u"upgrade"_s, stack);
    QCOMPARE(staging.states({ one, two }), u"updating updating"_s);
    QCOMPARE(staging.ask(u"update"_s, one).errorCode, u"Busy"_s); // as anybody else is
    QVERIFY(staging.simulator.runUntilQuiet());
    QCOMPARE(staging.states({ stack, one, two }), u"complete updated updated"_s);
}

void TestRequired::worstOutcomeStands_data()
{
    // ofTwo: comes later
    const Rows<QString, QString, QString> row("ofOne", "ofTwo", "after");
    row("good, good", {}, {}, u"complete"_s);
    row("slow, good", u"slow"_s, {}, u"complete, slowly"_s);
    row("good, slow", {}, u"slow"_s, u"complete, slowly"_s);
    row("slow, failed", u"slow"_s, u"failed"_s, u"broken"_s);
    row("failed, slow", u"failed"_s, u"slow"_s, u"broken"_s);
}

void TestRequired::worstOutcomeStands()
{
    QFETCH(QString, ofOne);
    QFETCH(QString, ofTwo);
    QFETCH(QString, after);
    Staging staging = stackWith(one + u", "_s + two);
    const auto piece = [](const QString &outcome, qint64 duration) {
        return WorkPlan { .outcomes = outcome.isEmpty() ? QStringList() : QStringList { outcome },
            .duration = duration };
    };
    staging.ask({ .op = u"upgrade"_s,
        .path = stack,
        .work = {
            { u"update "_s + one, piece(ofOne, 10) }, { u"update "_s + two, piece(ofTwo, 20) } } });
    QVERIFY(staging.simulator.runUntilQuiet());
    QCOMPARE(staging.at(stack), after);
    QCOMPARE(staging.operation(u"op1"_s).errorCode, after == u"broken" ? u"Fault"_s : QString());
}

void TestRequired::whatTheVictimRequiredRestsFirst_data()
{
    QTest::addColumn<QByteArray>("pack");
    QTest::newRow("canceled with who required it") << QByteArray(stacks).replace(
        R"({"on": "roll back", "running": "update", "then": "cancel"},)",
        R"({"on": "roll back", "running": "update", "then": "allow"},)");
    QTest::newRow("canceled by a row of its own") << stacks;
}

/// A part that is being updated counts as updated when the update has been canceled: so it is
/// reverted.
void TestRequired::whatTheVictimRequiredRestsFirst()
{
    QFETCH(QByteArray, pack);
    Staging staging = stackWith(one + u", "_s + two, pack);
    staging.ask({ .op = u"upgrade"_s,
        .path = stack,
        .work = { { u"update "_s + one, WorkPlan { .duration = 100 } } } });
    staging.simulator.advanceTo(500);
    QCOMPARE(staging.states({ one, two }), u"updated updating"_s);
    staging.ask({ .op = u"roll back"_s, .path = stack, .id = u"back"_s });
    QCOMPARE(staging.status(u"op1.2"_s), u"Canceled"_s);
    QCOMPARE(staging.states({ stack, one, two }), u"rolling back reverting updated"_s);
    QVERIFY(staging.simulator.runUntilQuiet());
    QCOMPARE(staging.states({ stack, one, two }), u"complete plain plain"_s);
    QCOMPARE(staging.operation(u"back"_s).ended, std::optional<qint64>(2500));
}

const instar::TestClass<TestRequired> registered;
#include "tst_required.moc"
