// SPDX-License-Identifier: Apache-2.0
#include "tests/support/networktree.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Where the sources are silent a switch says which reading runs. TestOracle compares all readings.

class TestSwitches : public QObject
{
    Q_OBJECT

private slots:
    void defaults();
    void unknownOnesAreRefused();
    void canceledByHand();
};

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
    const QString unknown = errorIn(Rules::make(pack, { { u"orphanPolice"_s, u"fail"_s } }));
    QVERIFY2(unknown.contains(u"orphanPolice"), qPrintable(unknown));
    const QString value = errorIn(Rules::make(pack, { { u"orphanPolicy"_s, u"forget"_s } }));
    QVERIFY2(value.contains(u"forget") || value.contains(u"orphanPolicy"), qPrintable(value));
}

/// Withdrawn by a person: there is no new operation whose outcome anything could follow.
void TestSwitches::canceledByHand()
{
    for (const QString &policy : { u"restore"_s, u"followTree"_s, u"fail"_s }) {
        Staging staging(u"network-controller"_s,
            networkTree.join(u'\n').replace(u"subnets/sn2\n"_s, u"subnets/sn2 Failed\n"_s),
            { { u"orphanPolicy"_s, policy } });
        const Operation &operation = staging.ask(u"PUT"_s, networkTree[0]);
        staging.simulator.cancel(operation.serial);
        QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
        QCOMPARE(staging.operation(u"op1"_s).canceledBy, QString());
        QCOMPARE(letters(staging), policy == u"restore" ? u"SSSSFS"_s : u"FFFFFF"_s);
        QCOMPARE(brokenPromise(staging.simulator.rules(), staging.simulator.world()), QString());
    }
}

const instar::TestClass<TestSwitches> registered;
#include "tst_switches.moc"
