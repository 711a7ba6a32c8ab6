// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Every pack there is runs under every combination of its switches, and does what its sources say,
// worked out by hand.

class TestPacks : public QObject
{
    Q_OBJECT

private slots:
    void everySwitch_data() { addRowsOf("id", knownPacks()); }
    void everySwitch();
    void kubernetesWaits();
    void kubernetesNamespace();
    void novaTriesOtherHosts();
    void novaClock();
    void pushCancelsMerge();
};

void TestPacks::everySwitch()
{
    QFETCH(QString, id);
    const Pack &pack = packNamed(id);
    for (const Switches &switches : switchCombinations(pack)) {
        const Rules rules = rulesOf(pack, switches);
        QCOMPARE(rules.switches(), switches);
        Simulator simulator(rules, worldOf(rules, pack.sample));
        QCOMPARE(brokenPromise(rules, simulator.world()), QString());
        // Every operation on every resource, one after the other: whatever it does, it comes to an
        // end.
        for (const QString &operation : pack.operationNames()) {
            for (const ResourceSpec &resource : pack.sample) {
                simulator.submit({ .op = operation, .path = resource.path });
                QVERIFY2(
                    simulator.runUntilQuiet(5000), qPrintable(operation + u' ' + resource.path));
                QCOMPARE(brokenPromise(rules, simulator.world()), QString());
            }
        }
    }
}

void TestPacks::kubernetesWaits()
{
    const QString claim = u"/namespaces/shop/claims/data"_s, pod = u"/namespaces/shop/pods/web"_s,
                  volume = u"/volumes/pv"_s;
    for (const auto &[policy, left] :
        { std::pair(u"Delete"_s, u"absent"_s), std::pair(u"Retain"_s, u"Released"_s) }) {
        Staging staging(u"kubernetes-storage"_s,
            u"%1 Bound\n%2 Bound -> %1\n%3 Running -> %2"_s.arg(volume, claim, pod),
            { { u"reclaimPolicy"_s, policy } });
        staging.ask(u"delete"_s, claim);
        staging.simulator.advance(100'000);
        QCOMPARE(
            staging.states({ claim, pod, volume }), u"Terminating Running Bound"_s); // it is in use
        QCOMPARE(staging.status(u"op1"_s), u"Waiting"_s);
        staging.ask(u"delete"_s, pod);
        staging.simulator.runUntilQuiet();
        QCOMPARE(staging.states({ claim, pod }), u"absent absent"_s);
        QCOMPARE(staging.at(volume), left);
        QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    }
}

void TestPacks::kubernetesNamespace()
{
    const QString space = u"/namespaces/shop"_s, claim = space + u"/claims/data"_s,
                  pod = space + u"/pods/web"_s, volume = u"/volumes/pv"_s;
    Staging staging(u"kubernetes-storage"_s,
        u"%1 Bound\n%2\n%3 Bound -> %1\n%4 Running -> %3"_s.arg(volume, space, claim, pod));
    staging.ask(u"delete"_s, space);
    QCOMPARE(staging.states({ space, claim, pod, volume }),
        u"Terminating Terminating Terminating Bound"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.tree(), QString());
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
}

void TestPacks::novaTriesOtherHosts()
{
    const QString server = u"/servers/s"_s;
    for (const int times : { 0, 1, 2, 3, 7 }) {
        Staging staging(u"nova-server"_s, QString());
        staging.ask({ .op = u"create"_s, .path = server, .transientFailures = times });
        QCOMPARE(staging.at(server), u"BUILD"_s);
        const int attempts = std::min(times, 2) + 1;
        staging.simulator.advanceTo(attempts * 5000 + (attempts - 1) * 1000 - 1);
        QCOMPARE(staging.at(server), u"BUILD"_s);
        staging.simulator.advance(1);
        QCOMPARE(staging.at(server), times <= 2 ? u"ACTIVE"_s : u"ERROR"_s);
        QCOMPARE(staging.operation(u"op1"_s).attempts, attempts);
        QCOMPARE(
            staging.operation(u"op1"_s).errorCode, times <= 2 ? QString() : u"InstanceFault"_s);
    }
}

void TestPacks::novaClock()
{
    const QString server = u"/servers/s"_s;
    Staging staging(u"nova-server"_s, server + u" ACTIVE"_s);
    staging.ask(u"resize"_s, server);
    staging.simulator.advanceTo(3000);
    QCOMPARE(staging.at(server), u"VERIFY_RESIZE"_s);
    staging.simulator.advanceTo(3'602'999);
    QCOMPARE(staging.simulator.operations().all().size(), 1);
    staging.simulator.advanceTo(
        3'603'000); // confirmed by the clock, which takes a while and does not show
    QCOMPARE(staging.simulator.operations().all().last().op, u"confirmResize"_s);
    QCOMPARE(staging.at(server), u"VERIFY_RESIZE"_s);
    staging.simulator.advanceTo(3'604'000);
    QCOMPARE(staging.at(server), u"ACTIVE"_s);

    staging.ask(u"delete"_s, server);
    staging.simulator.advance(500);
    QCOMPARE(staging.at(server), u"SOFT_DELETED"_s);
    staging.simulator.advance(86'399'999);
    QCOMPARE(staging.at(server), u"SOFT_DELETED"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(server), u"absent"_s);
}

/// In the template of a review, as its conflict row says.
void TestPacks::pushCancelsMerge()
{
    const Pack pack =
        valueOf(loadPack(QStringLiteral(INSTAR_SOURCE_DIR "/resources/templates/4-review.json")));
    Staging staging(rulesOf(pack), resourcesFrom(u"/requests/1 approved"_s));
    staging.ask({ .op = u"merge"_s, .path = u"/requests/1"_s, .hang = true });
    QCOMPARE(staging.at(u"/requests/1"_s), u"merging"_s);
    staging.ask(u"push"_s, u"/requests/1"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    QCOMPARE(staging.status(u"op2"_s), u"Succeeded"_s);
    QCOMPARE(staging.at(u"/requests/1"_s), u"in review"_s);
}

const instar::TestClass<TestPacks> registered;
#include "tst_packs.moc"
