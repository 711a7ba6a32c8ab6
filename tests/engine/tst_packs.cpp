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
    void everySwitch_data();
    void everySwitch();
    void pulumiCreates();
    void pulumiReplaces();
    void pulumiFailures_data();
    void pulumiFailures();
    void blazarByTheClock();
    void blazarReservationFails();
    void apsPolls();
    void apsMayNotGoOn();
    void apsKeepsTheLinked();
    void kubernetesWaits_data();
    void kubernetesWaits();
    void kubernetesNamespace();
    void novaTriesOtherHosts();
    void novaClock();
    void pushCancelsMerge();
};

void TestPacks::everySwitch_data()
{
    QTest::addColumn<QString>("id");
    for (const QString &id : knownPacks())
        QTest::newRow(qPrintable(id)) << id;
}

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

void TestPacks::pulumiCreates()
{
    Staging staging(u"pulumi"_s, u"/programs/main running"_s);
    const QString path = u"/resources/site"_s;
    staging.ask(u"manage"_s, path);
    QCOMPARE(staging.at(path), u"manage_check"_s); // 100 ms a step
    staging.simulator.advanceTo(100);
    QCOMPARE(staging.at(path), u"manage_create"_s); // no last state
    staging.simulator.advanceTo(200);
    QCOMPARE(staging.at(path), u"managed"_s);
    QCOMPARE(staging.operation(u"op1"_s).attempts, 2);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    // With a last state and nothing to change it is the same afterwards.
    staging.ask(u"manage"_s, path);
    staging.simulator.advanceTo(300);
    QCOMPARE(staging.at(path), u"manage_diff"_s);
    staging.simulator.advanceTo(400);
    QCOMPARE(staging.at(path), u"managed"_s);
}

void TestPacks::pulumiReplaces()
{
    Staging staging(u"pulumi"_s, u"/programs/main running\n/resources/site managed"_s);
    const QString path = u"/resources/site"_s, old = u"/resources/site#old"_s;
    staging.ask(
        { .op = u"manage"_s, .path = path, .conditions = { { u"must be replaced"_s, true } } });
    const QStringList steps { u"manage_check"_s, u"manage_diff"_s, u"manage_replace_check"_s,
        u"manage_replace_create_before_delete"_s };
    for (qsizetype i = 0; i < steps.size(); ++i) {
        QCOMPARE(staging.at(path), steps[i]);
        staging.simulator.advanceTo(100 * (i + 1));
    }
    // Old and new side by side, until the program has exited.
    QCOMPARE(staging.at(path), u"manage_replace_delete_after_create"_s);
    QCOMPARE(staging.at(old), u"pending deletion"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Waiting"_s);
    staging.simulator.advanceTo(5000);
    QCOMPARE(staging.status(u"op1"_s), u"Waiting"_s);
    staging.ask(u"exit"_s, u"/programs/main"_s);
    QCOMPARE(staging.at(old), u"deleting"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(old), u"absent"_s);
    QCOMPARE(staging.at(path), u"managed"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(staging.simulator.world().now, 5100);

    // Deleted first: dependents before it, then itself, then created anew.
    Staging first(u"pulumi"_s,
        u"/programs/main running\n/resources/bucket managed\n/resources/site managed -> /resources/bucket"_s);
    first.ask({ .op = u"manage"_s,
        .path = u"/resources/bucket"_s,
        .conditions = { { u"must be replaced"_s, true }, { u"delete after craete"_s, true } } });
    first.simulator.advanceTo(300);
    QCOMPARE(first.at(u"/resources/bucket"_s), u"manage_replace_delete_dependents"_s);
    QCOMPARE(first.at(u"/resources/site"_s), u"deleting for replacement"_s);
    first.simulator.runUntilQuiet();
    QCOMPARE(first.at(u"/resources/bucket"_s), u"managed"_s);
    QCOMPARE(first.at(u"/resources/site"_s), u"pendingReplacement"_s);
    QCOMPARE(first.operation(u"op1.2"_s).op, u"delete"_s);
}

void TestPacks::pulumiFailures_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("code");
    QTest::newRow("rolled back, new")
        << u"none"_s << u"failed"_s << u"absent"_s << u"ProviderError"_s;
    QTest::newRow("rolled back, known")
        << u"managed"_s << u"failed"_s << u"managed"_s << u"ProviderError"_s;
    QTest::newRow("partial, new") << u"none"_s << u"failedPartially"_s << u"partially managed"_s
                                  << u"ResourceInitFailed"_s;
    QTest::newRow("unknown, new") << u"none"_s << u"failedUnknown"_s << u"absent"_s << u"Unknown"_s;
}

/// What a failed step leaves behind.
void TestPacks::pulumiFailures()
{
    QFETCH(QString, before);
    QFETCH(QString, outcome);
    const QString path = u"/resources/site"_s;
    Staging staging(u"pulumi"_s,
        u"/programs/main running"_s
            + (before == u"none" ? QString() : u'\n' + path + u' ' + before));
    staging.ask({ .op = u"manage"_s, .path = path, .outcome = outcome });
    staging.simulator.runUntilQuiet();
    QTEST(staging.at(path), "after");
    QTEST(staging.operation(u"op1"_s).errorCode, "code");
    QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
}

namespace {

const QString lease = u"/leases/l"_s, reservation = u"/leases/l/reservations/r"_s,
              startEvent = u"/leases/l/events/start_lease"_s,
              endEvent = u"/leases/l/events/end_lease"_s;

QList<ResourceSpec> leaseResources()
{
    QList<ResourceSpec> resources =
        resourcesFrom(QStringList { lease, reservation, startEvent, endEvent }.join(u'\n'));
    resources[2].properties.insert(u"time"_s, 20'000);
    resources[3].properties.insert(u"time"_s, 60'000);
    return resources;
}

} // namespace

void TestPacks::blazarByTheClock()
{
    for (const Switches &switches : switchCombinations(packNamed(u"blazar"_s))) {
        Staging staging(rulesOf(packNamed(u"blazar"_s), switches), leaseResources());
        const QStringList paths { lease, reservation, startEvent, endEvent };
        QCOMPARE(staging.states(paths), u"PENDING pending UNDONE UNDONE"_s);
        staging.simulator.advanceTo(19'999);
        QCOMPARE(staging.states(paths), u"PENDING pending UNDONE UNDONE"_s);
        staging.simulator.advanceTo(20'000);
        QCOMPARE(staging.states(paths), u"STARTING pending IN_PROGRESS UNDONE"_s);
        staging.simulator.advanceTo(21'000);
        QCOMPARE(staging.states(paths), u"ACTIVE active DONE UNDONE"_s);
        staging.simulator.advanceTo(60'500);
        QCOMPARE(staging.states(paths), u"TERMINATING active DONE IN_PROGRESS"_s);
        staging.simulator.runUntilQuiet();
        QCOMPARE(staging.states(paths), u"TERMINATED deleted DONE DONE"_s);
        QCOMPARE(staging.simulator.world().now, 61'000);
        QVERIFY(staging.simulator.world().broken.empty());
    }
}

void TestPacks::blazarReservationFails()
{
    Staging staging(rulesOf(packNamed(u"blazar"_s)), leaseResources());
    staging.simulator.advanceTo(20'500);
    // The clock's operation fires the event, which starts the lease, which starts the reservation.
    const Operation &inner = staging.simulator.operations().all().last();
    QCOMPARE(inner.op, u"on_start"_s);
    QCOMPARE(inner.path, reservation);
    staging.end(inner.id, u"failed"_s);
    QCOMPARE(staging.states({ lease, reservation, startEvent, endEvent }),
        u"ERROR error ERROR UNDONE"_s);
}

void TestPacks::apsPolls()
{
    Staging staging(u"aps"_s, QString());
    const QString path = u"/resources/vps"_s;
    staging.ask({ .op = u"provision"_s, .path = path, .transientFailures = 5 });
    QCOMPARE(staging.at(path), u"absent"_s); // the first call does not show
    staging.simulator.advanceTo(100);
    QCOMPARE(staging.at(path), u"aps:provisioning"_s);
    // The task calls at once, then every 30 s: four times 202, the fifth is the answer.
    for (int call = 1; call <= 5; ++call) {
        const qint64 ends = 200 + (call - 1) * 30'100;
        staging.simulator.advanceTo(ends - 1);
        QCOMPARE(staging.operation(u"op1"_s).attempts, call + 1);
        QCOMPARE(staging.at(path), u"aps:provisioning"_s);
        staging.simulator.advanceTo(ends);
    }
    QCOMPARE(staging.at(path), u"aps:ready"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(staging.operation(u"op1"_s).ended, std::optional<qint64>(120'600));
}

/// A resource made for another's requirement must not go asynchronous: a 202 there is an error that
/// passes up.
void TestPacks::apsMayNotGoOn()
{
    Staging staging(u"aps"_s, QString());
    const QString needed = u"/resources/context"_s, path = u"/resources/vps"_s;
    staging.ask({ .op = u"provision"_s,
        .path = path,
        .work = { { u"provision /resources/context"_s, { .outcomes = { u"accepted"_s } } } },
        .references = { needed } });
    QCOMPARE(staging.operation(u"op1.1"_s).requiredBy, u"op1"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.status(u"op1.1"_s), u"Failed"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Failed"_s);
    QVERIFY(!staging.operation(u"op1"_s).errorCode.isEmpty());
    QCOMPARE(staging.operation(u"op1"_s).errorCode, staging.operation(u"op1.1"_s).errorCode);
    QCOMPARE(staging.tree(), QString());
    staging.ask({ .op = u"provision"_s, .path = path, .references = { needed } });
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.states({ needed, path }), u"aps:ready aps:ready"_s);
}

void TestPacks::apsKeepsTheLinked()
{
    Staging staging(u"aps"_s, u"/resources/context\n/resources/vps -> /resources/context"_s);
    staging.ask(u"unprovision"_s, u"/resources/context"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(u"/resources/context"_s), u"aps:deleted"_s); // as long as it is linked
    QCOMPARE(staging.status(u"op1"_s), u"Waiting"_s);
    staging.ask(u"unprovision"_s, u"/resources/vps"_s);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.tree(), QString());
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
}

void TestPacks::kubernetesWaits_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("volume");
    QTest::newRow("Delete") << u"Delete"_s << u"absent"_s;
    QTest::newRow("Retain") << u"Retain"_s << u"Released"_s;
}

void TestPacks::kubernetesWaits()
{
    QFETCH(QString, policy);
    const QString claim = u"/namespaces/shop/claims/data"_s, pod = u"/namespaces/shop/pods/web"_s,
                  volume = u"/volumes/pv"_s;
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
    QTEST(staging.at(volume), "volume");
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
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
    const Result<Pack> pack =
        loadPack(QStringLiteral(INSTAR_SOURCE_DIR "/resources/templates/4-review.json"));
    QVERIFY(pack);
    Staging staging(rulesOf(*pack), resourcesFrom(u"/requests/1 approved"_s));
    staging.ask({ .op = u"merge"_s, .path = u"/requests/1"_s, .hang = true });
    QCOMPARE(staging.at(u"/requests/1"_s), u"merging"_s);
    staging.ask(u"push"_s, u"/requests/1"_s);
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    QCOMPARE(staging.status(u"op2"_s), u"Succeeded"_s);
    QCOMPARE(staging.at(u"/requests/1"_s), u"in review"_s);
}

const instar::TestClass<TestPacks> registered;
#include "tst_packs.moc"
