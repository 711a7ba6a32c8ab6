// SPDX-License-Identifier: Apache-2.0
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Where the sources are silent a switch says which reading runs. Each in both positions.

class TestSwitches : public QObject
{
    Q_OBJECT

private slots:
    void defaults();
    void unknownOnesAreRefused();
    void siblings();
    void siblingsEndTogether();
    void siblingsLastOneCounts_data();
    void siblingsLastOneCounts();
    void siblingsOfOneAreCanceledTogether();
    void midLevel();
    void ancestorOutcomeOfNewParent();
    void followers();
    void followersOfWhoEndsFirst();
};

namespace {

const QString ln = u"/logicalNetworks/ln"_s, sn1 = ln + u"/subnets/sn1"_s,
              p1 = sn1 + u"/ipPools/p1"_s, sn2 = ln + u"/subnets/sn2"_s,
              p2 = sn2 + u"/ipPools/p2"_s;

Staging stage(const Switches &switches = {}, const QString &lnState = u"Succeeded"_s)
{
    return Staging(u"network-controller"_s,
        ln + u' ' + lnState + u'\n' + QStringList { sn1, p1, sn2, p2 }.join(u'\n'), switches);
}

QString letters(const Staging &staging)
{
    QString text;
    for (const QString &path : { ln, sn1, p1, sn2, p2 }) {
        const QString state = staging.at(path);
        text += state == u"absent" ? u'-' : state[0];
    }
    return text;
}

const Switches concurrent { { u"siblingsRunConcurrently"_s, u"true"_s } };

} // namespace

void TestSwitches::defaults()
{
    QCOMPARE(rulesOf(packNamed(u"network-controller"_s)).switches(),
        (Switches { { u"siblingsRunConcurrently"_s, u"false"_s },
            { u"midLevelCancelsSubtree"_s, u"false"_s }, { u"ancestorOutcome"_s, u"operation"_s },
            { u"orphanPolicy"_s, u"restore"_s }, { u"etagOnCompletion"_s, u"false"_s } }));
    QCOMPARE(
        rulesOf(packNamed(u"network-controller-sync"_s)).switches().value(u"etagOnCompletion"_s),
        u"false"_s);
}

void TestSwitches::unknownOnesAreRefused()
{
    const Pack &pack = packNamed(u"network-controller"_s);
    const Result<Rules> unknown = Rules::make(pack, { { u"orphanPolice"_s, u"fail"_s } });
    QVERIFY(!unknown);
    QVERIFY2(unknown.error().contains(u"orphanPolice"), qPrintable(unknown.error()));
    const Result<Rules> value = Rules::make(pack, { { u"orphanPolicy"_s, u"forget"_s } });
    QVERIFY(!value);
    QVERIFY2(value.error().contains(u"forget") || value.error().contains(u"orphanPolicy"),
        qPrintable(value.error()));
}

void TestSwitches::siblings()
{
    for (const bool on : { false, true }) {
        Staging staging = stage(on ? concurrent : Switches());
        staging.ask(u"PUT"_s, sn1);
        QCOMPARE(staging.ask(u"PUT"_s, sn2).status, on ? Status::InProgress : Status::Rejected);
        QCOMPARE(staging.ask(u"DELETE"_s, sn2).status, on ? Status::InProgress : Status::Rejected);
        QCOMPARE(staging.status(u"op1"_s), u"InProgress"_s);
        QCOMPARE(letters(staging), on ? u"UUUDD"_s : u"UUUSS"_s);
        // A cousin is not a sibling.
        QCOMPARE(staging.ask(u"PUT"_s, p2).status, Status::Rejected);
    }
}

/// Ancestors stay Updating until the last one ends.
void TestSwitches::siblingsEndTogether()
{
    Staging staging = stage(concurrent);
    staging.ask({ .op = u"PUT"_s, .path = sn1, .duration = 1000 });
    staging.ask({ .op = u"PUT"_s, .path = sn2, .duration = 2000 });
    QCOMPARE(letters(staging), u"UUUUU"_s);
    staging.simulator.advanceTo(1000);
    QCOMPARE(letters(staging), u"USSUU"_s);
    staging.simulator.advanceTo(2000);
    QCOMPARE(letters(staging), u"SSSSS"_s);
}

void TestSwitches::siblingsLastOneCounts_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("last");
    QTest::addColumn<QString>("expected");
    QTest::newRow("both good") << QString() << QString() << u"SSSSS"_s;
    QTest::newRow("the first fails") << u"failed"_s << QString() << u"SFFSS"_s;
    QTest::newRow("the last fails") << QString() << u"failed"_s << u"FSSFF"_s;
    QTest::newRow("both fail") << u"failed"_s << u"failed"_s << u"FFFFF"_s;
}

void TestSwitches::siblingsLastOneCounts()
{
    QFETCH(QString, first);
    QFETCH(QString, last);
    // Whoever was first to start: the first to end is "first".
    for (const bool startsFirst : { true, false }) {
        Staging staging = stage(concurrent);
        const Request early { .op = u"PUT"_s, .path = sn1, .outcome = first, .duration = 1000 };
        const Request late { .op = u"PUT"_s, .path = sn2, .outcome = last, .duration = 1500 };
        staging.ask(startsFirst ? early : late);
        staging.ask(startsFirst ? late : early);
        staging.simulator.runUntilQuiet();
        QTEST(letters(staging), "expected");
    }
}

void TestSwitches::siblingsOfOneAreCanceledTogether()
{
    Staging staging = stage(concurrent);
    staging.ask(u"PUT"_s, sn1);
    staging.ask(u"DELETE"_s, sn2);
    const Request wanted { .op = u"PUT"_s, .path = ln };
    QCOMPARE(staging.simulator.admission(wanted).cancels.size(), size_t(2));
    QCOMPARE(staging.ask(wanted).status, Status::InProgress);
    QCOMPARE(staging.status(u"op1"_s) + staging.status(u"op2"_s), u"CanceledCanceled"_s);
    QCOMPARE(letters(staging), u"UUUUU"_s);

    // One in the way is enough, and then the other is not canceled either.
    Staging blocked = stage(concurrent);
    blocked.ask(u"PUT"_s, sn1);
    blocked.ask(u"PUT"_s, sn2);
    const Operation &refused =
        blocked.ask(u"PUT"_s, p1); // would cancel the first, meets the second
    QCOMPARE(refused.status, Status::Rejected);
    QCOMPARE(refused.conflictsWith, u"op2"_s);
    QCOMPARE(blocked.status(u"op1"_s) + blocked.status(u"op2"_s), u"InProgressInProgress"_s);
}

void TestSwitches::midLevel()
{
    for (const bool on : { false, true }) {
        for (const QString &op : { u"PUT"_s, u"DELETE"_s }) {
            Staging staging =
                stage({ { u"midLevelCancelsSubtree"_s, on ? u"true"_s : u"false"_s } });
            staging.ask(u"DELETE"_s, p1);
            QCOMPARE(staging.ask(op, sn1).status, on ? Status::InProgress : Status::Rejected);
            QCOMPARE(staging.status(u"op1"_s), on ? u"Canceled"_s : u"InProgress"_s);
            QCOMPARE(letters(staging), !on ? u"UUDSS"_s : op == u"PUT" ? u"UUUSS"_s : u"UDDSS"_s);
            // Only over its own subtree.
            QCOMPARE(staging.ask(op, p2).status, Status::Rejected);
        }
    }
}

/// An ancestor that never rested anywhere cannot go back: it has Failed, like any other that is
/// left so.
void TestSwitches::ancestorOutcomeOfNewParent()
{
    for (const QString &outcome : { u"operation"_s, u"restore"_s }) {
        Staging staging = stage({ { u"ancestorOutcome"_s, outcome } });
        const QString parent = ln + u"/subnets/new"_s;
        staging.ask(u"PUT"_s, parent);
        staging.ask(
            u"PUT"_s, parent + u"/ipPools/new"_s); // cancels the creation, and keeps what was made
        QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
        staging.simulator.runUntilQuiet();
        QCOMPARE(staging.at(parent + u"/ipPools/new"_s), u"Succeeded"_s);
        QCOMPARE(staging.at(parent), outcome == u"operation" ? u"Succeeded"_s : u"Failed"_s);
        QCOMPARE(staging.at(ln), u"Succeeded"_s);
    }
}

/// What two operations move hears only the one that ends last. What one of them merely took over is
/// the other one's once that moves it, with all that lies below.
void TestSwitches::followers()
{
    Staging staging = stage(
        { { u"orphanPolicy"_s, u"followTree"_s }, { u"siblingsRunConcurrently"_s, u"true"_s } });
    staging.ask(u"PUT"_s, ln);
    staging.ask({ .op = u"PUT"_s,
        .path = sn1,
        .outcome = u"failed"_s,
        .duration = 3000 }); // takes sn2 and p2 over
    QCOMPARE(letters(staging), u"UUUUU"_s);
    staging.ask({ .op = u"PUT"_s, .path = sn2, .duration = 1000 });
    staging.simulator.advanceTo(1000);
    QCOMPARE(staging.status(u"op3"_s), u"Succeeded"_s);
    QCOMPARE(letters(staging), u"UUUSS"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(letters(staging), u"FFFSS"_s);
}

/// Also where what was taken over stays at work longer than who took it over.
void TestSwitches::followersOfWhoEndsFirst()
{
    Staging staging = stage(
        { { u"orphanPolicy"_s, u"followTree"_s }, { u"siblingsRunConcurrently"_s, u"true"_s } });
    staging.ask(u"PUT"_s, ln);
    staging.ask({ .op = u"PUT"_s, .path = sn1, .outcome = u"failed"_s, .duration = 1000 });
    staging.ask({ .op = u"PUT"_s, .path = sn2, .duration = 3000 });
    staging.simulator.advanceTo(1000);
    QCOMPARE(letters(staging), u"UFFUU"_s);
    // A child below takes over what its parent's operation moved, which was adopted before.
    staging.ask({ .op = u"DELETE"_s, .path = p2, .duration = 500 });
    QCOMPARE(letters(staging), u"UFFUD"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(letters(staging), u"SFFS-"_s);
}

const instar::TestClass<TestSwitches> registered;
#include "tst_switches.moc"
