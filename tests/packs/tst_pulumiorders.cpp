// SPDX-License-Identifier: Apache-2.0
// A replaced resource and its old copy, from beginning to end and in every order of what clients
// ask.

#include "model/explore/explore.h"
#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "tests/support/rulefile.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestPulumiOrders : public QObject
{
    Q_OBJECT

private slots:
    void oldAndNewSideBySide();
    void oldAndNewInEveryOrder();
    void nobodyTakesTheOldCopy();
    void canceledByHand_data();
    void canceledByHand();
    void shippedExplorations_data();
    void shippedExplorations();
};

namespace {

const Pack &pulumi()
{
    return packNamed(u"pulumi"_s);
}

const QString bucket = u"/resources/bucket"_s, site = u"/resources/site"_s,
              old = u"/resources/bucket#old"_s, program = u"/programs/main"_s;

} // namespace

/// From the moment in which the new one is there until the program has exited and the old one is
/// gone.
void TestPulumiOrders::oldAndNewSideBySide()
{
    Staging staging(u"pulumi"_s, u"%1\n%2\n%3 -> %2"_s.arg(program, bucket, site));
    staging.ask(
        { .op = u"manage"_s, .path = bucket, .conditions = { { u"must be replaced"_s, true } } });
    const auto both = [&] {
        return staging.at(old) != u"absent" && staging.at(bucket) != u"absent";
    };
    for (qint64 now = 0; now < 2000; now += 50) {
        staging.simulator.advanceTo(now);
        QCOMPARE(both(), now >= 400);
        QCOMPARE(staging.at(site), u"managed"_s); // nothing that depends on it is touched
    }
    staging.ask(u"exit"_s, program);
    QVERIFY(both());
    staging.simulator.runUntilQuiet();
    QVERIFY(!both());
    QCOMPARE(staging.states({ bucket, old, site, program }), u"managed absent managed exited"_s);
    const Operation &deletion = staging.operation(u"op1.2"_s);
    QCOMPARE(deletion.op + u' ' + deletion.path, u"delete "_s + old);
    QCOMPARE(deletion.requiredBy, u"op1"_s);
    QCOMPARE(*deletion.started, 1950);
}

/// However a replacement, the end of the program, another registration and a client's delete of the
/// old copy fall together: one resource is managed at the end, and an old copy only where its
/// deletion could fail.
void TestPulumiOrders::oldAndNewInEveryOrder()
{
    Scenario scenario;
    scenario.pack = u"pulumi"_s;
    scenario.resources = resourcesFrom(program + u'\n' + bucket);
    const auto step = [&](const QString &id, const QString &op, const QString &path,
                          const QMap<QString, bool> &conditions) {
        ScenarioStep submit { .kind = ScenarioStep::Kind::Submit };
        submit.request = { .op = op, .path = path, .id = id, .conditions = conditions };
        submit.anyOutcome = op == u"manage";
        scenario.steps += submit;
    };
    step(u"a"_s, u"manage"_s, bucket,
        { { u"can be updated"_s, false }, { u"must be replaced"_s, true } });
    step(u"x"_s, u"exit"_s, program, {});
    step(u"b"_s, u"manage"_s, bucket,
        { { u"can be updated"_s, false }, { u"must be replaced"_s, false } });
    step(u"d"_s, u"delete"_s, old, {});
    const Stage stage = valueOf(stageOf(scenario, pulumi()));
    const Exploration all = valueOf(explore(scenario, stage));
    QVERIFY(all.complete);
    QCOMPARE(all.deadEndCount, 0);
    QSet<QString> rests, copies;
    for (const Ending &ending : all.endings) {
        rests.insert(ending.resources.value(bucket, u"absent"_s));
        copies.insert(ending.resources.value(old, u"absent"_s));
        QCOMPARE(ending.resources.value(program), u"exited"_s);
    }
    // The order of the two ways of replacing is open, so it is tried both ways.
    QCOMPARE(
        rests, QSet<QString>({ u"managed"_s, u"partially managed"_s, u"pendingReplacement"_s }));
    QCOMPARE(copies, QSet<QString>({ u"absent"_s, u"pending deletion"_s }));
}

/// Where no call fails a replacement succeeds, whenever a client asks for the deletion of its old
/// copy.
void TestPulumiOrders::nobodyTakesTheOldCopy()
{
    Scenario scenario;
    scenario.pack = u"pulumi"_s;
    scenario.resources = resourcesFrom(program + u'\n' + bucket);
    const auto step = [&](const QString &id, const QString &op, const QString &path) {
        ScenarioStep submit { .kind = ScenarioStep::Kind::Submit };
        submit.request = { .op = op, .path = path, .id = id };
        scenario.steps += submit;
    };
    step(u"a"_s, u"manage"_s, bucket);
    scenario.steps.last().request.conditions = { { u"must be replaced"_s, true } };
    step(u"d"_s, u"delete"_s, old);
    step(u"x"_s, u"exit"_s, program);
    const Stage stage = valueOf(stageOf(scenario, pulumi()));
    const Exploration all =
        valueOf(explore(scenario, stage, { .by = ExploreOptions::By::Operations }));
    QVERIFY(all.complete && !all.endings.isEmpty());
    for (const Ending &ending : all.endings) {
        QCOMPARE(ending.operations.value(u"a"_s), u"Succeeded"_s);
        QCOMPARE(ending.operations.value(u"d"_s), u"Rejected"_s);
        QVERIFY(!ending.resources.contains(old));
    }
}

void TestPulumiOrders::canceledByHand_data()
{
    // first: a replacement deletes first
    // during: bucket, its old copy and the program
    const Rows<QString, QString, bool, int, QString, QString> row(
        "op", "path", "first", "at", "during", "after");
    row("Check", u"manage"_s, bucket, false, 50, u"manage_check absent running"_s,
        u"managed absent running"_s);
    row("Delete before Create", u"manage"_s, bucket, true, 350,
        u"manage_replace_delete_before_create absent running"_s, u"managed absent running"_s);
    row("Create after Delete", u"manage"_s, bucket, true, 450,
        u"manage_replace_create_after_delete absent running"_s,
        u"pendingReplacement absent running"_s);
    row("old and new", u"manage"_s, bucket, false, 450,
        u"manage_replace_delete_after_create pending deletion running"_s,
        u"managed pending deletion running"_s);
    row("read instead", u"read"_s, bucket, false, 150, u"external pending deletion running"_s,
        u"external pending deletion running"_s);
    row("delete", u"delete"_s, bucket, false, 50, u"deleting absent running"_s,
        u"managed absent running"_s);
}

/// Whoever cancels a step leaves what the state says at that moment, and it can be gone on with.
void TestPulumiOrders::canceledByHand()
{
    QFETCH(QString, op);
    QFETCH(QString, path);
    QFETCH(bool, first);
    QFETCH(int, at);
    Staging staging(u"pulumi"_s, program + u'\n' + bucket);
    const QStringList all { bucket, old, program };
    const Operation &asked = staging.ask({ .op = op,
        .path = path,
        .conditions = { { u"must be replaced"_s, true }, { u"delete after craete"_s, first },
            { u"other id"_s, true } } });
    const quint32 serial = asked.serial;
    staging.simulator.advanceTo(at);
    QTEST(staging.states(all), "during");
    staging.simulator.cancel(serial);
    QTEST(staging.states(all), "after");
    QCOMPARE(staging.operation(u"op1"_s).errorCode, u"PendingOperation"_s);
    QCOMPARE(brokenPromise(staging.simulator.rules(), staging.simulator.world()), QString());
    staging.ask(u"exit"_s, program);
    staging.ask(u"manage"_s, bucket);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.at(bucket), u"managed"_s);
    // An old copy is kept for the end of the next run.
    staging.ask(u"start"_s, program);
    staging.ask(u"exit"_s, program);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.states(all), u"managed absent exited"_s);
}

void TestPulumiOrders::shippedExplorations_data()
{
    addRowsOf("name",
        { u"replace-create-before-delete"_s, u"dependents-in-reverse-order"_s,
            u"deletes-that-meet"_s, u"failure-cancels-the-rest"_s, u"continue-on-error"_s,
            u"unregistered-is-deleted"_s });
}

/// Every order of a few scenarios can be looked through, and none gets stuck.
void TestPulumiOrders::shippedExplorations()
{
    QFETCH(QString, name);
    const JsonText document = valueOf(loadDocument(scenarioFile(u"pulumi"_s, name)));
    const Scenario scenario = valueOf(readScenario(document, pulumi()));
    const Stage stage = valueOf(stageOf(scenario, pulumi()));
    const Exploration all = valueOf(explore(scenario, stage));
    QVERIFY(all.complete);
    QVERIFY(all.worlds < 100'000);
    QVERIFY(all.finalTrees >= 1);
    QCOMPARE(all.deadEndCount, 0);
    QCOMPARE(all.brokenConstraintCount, 0);
}

const instar::TestClass<TestPulumiOrders> registered;
#include "tst_pulumiorders.moc"
