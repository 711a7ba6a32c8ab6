// SPDX-License-Identifier: Apache-2.0
#include "tests/support/playground.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Virtual time: steps of one time happen in file order; synchronous work is over before anybody can
// look; any moment can be shown again, and a long run forgets. TestOracle compares which of two
// things at one time comes first, and what repeated requests are answered.

class TestTime : public QObject
{
    Q_OBJECT

private slots:
    void stepsOfOneTime();
    void synchronousOperations_data();
    void synchronousOperations();
    void synchronousPropagation();
    void until();
    void cancelAfterSteppingBack();
    void stepsBackThroughALongRun();
    void whatIsKeptIsFound();
    void whatIsOverForLongestIsForgotten();
};

namespace {

const QString ln = u"/logicalNetworks/ln"_s, sn = ln + u"/subnets/sn"_s;

Scenario scenarioOf(const QList<ScenarioStep> &steps)
{
    Scenario scenario;
    scenario.steps = steps;
    return scenario;
}

ScenarioStep asked(qint64 at, const QString &op, const QString &path, qint64 duration)
{
    return { .at = at, .request = { .op = op, .path = path, .duration = duration } };
}

} // namespace

void TestTime::stepsOfOneTime()
{
    Staging staging(u"network-controller"_s, ln);
    play(scenarioOf({ asked(500, u"DELETE"_s, ln, 1000), asked(0, u"PUT"_s, ln, 2000),
             asked(500, u"PUT"_s, ln, 1000) }),
        staging.simulator);
    QCOMPARE(staging.operation(u"op1"_s).op, u"PUT"_s); // times first, file order within one
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    QCOMPARE(staging.operation(u"op2"_s).op, u"DELETE"_s);
    QCOMPARE(staging.status(u"op3"_s), u"Rejected"_s);
    QCOMPARE(staging.at(ln), u"absent"_s);
}

void TestTime::synchronousOperations_data()
{
    addColumns<QString, QString, QString, QString, QString>(
        "before", "op", "outcome", "after", "status");
    const auto row = [](const char *before, const char *op, const char *outcome, const char *after,
                         const char *status) {
        QTest::addRow("%s %s %s", before, op, outcome[0] ? outcome : "succeeded")
            << QString::fromLatin1(before) << QString::fromLatin1(op)
            << QString::fromLatin1(outcome) << QString::fromLatin1(after)
            << QString::fromLatin1(status);
    };
    for (const char *before : { "absent", "Succeeded", "Failed" }) {
        row(before, "PUT", "", "Succeeded", "Succeeded");
        row(before, "PUT", "failed", "Failed", "Failed");
    }
    for (const char *before : { "Succeeded", "Failed" }) {
        row(before, "DELETE", "", "absent", "Succeeded");
        row(before, "DELETE", "failed", "Failed", "Failed");
        row(before, "GET", "", before, "Succeeded");
    }
    row("absent", "DELETE", "", "absent", "Succeeded");
    row("absent", "GET", "", "absent", "Rejected");
}

/// Figure 6: only ever Succeeded or Failed, at once.
void TestTime::synchronousOperations()
{
    QFETCH(QString, before);
    QFETCH(QString, op);
    QFETCH(QString, outcome);
    Staging staging(
        u"network-controller-sync"_s, before == u"absent" ? QString() : ln + u' ' + before);
    staging.ask({ .op = op, .path = ln, .outcome = outcome });
    QVERIFY(staging.at(ln) == before
        || staging.status(u"op1"_s) != u"InProgress"); // the work does not show
    staging.simulator.advance(0);
    QTEST(staging.status(u"op1"_s), "status");
    QTEST(staging.at(ln), "after");
    QCOMPARE(staging.simulator.world().now, 0);
}

/// A synchronous operation moves nobody else; relatives get its etag all the same.
void TestTime::synchronousPropagation()
{
    const QString p = sn + u"/ipPools/p"_s, other = ln + u"/subnets/other"_s;
    Staging staging(
        u"network-controller-sync"_s, u"%1 Failed\n%2\n%3 Failed\n%4"_s.arg(ln, sn, p, other));
    const QString etag = staging.etag(other);
    staging.ask(u"PUT"_s, sn);
    QCOMPARE(staging.states({ ln, sn, p, other }), u"Failed Succeeded Failed Succeeded"_s);
    staging.simulator.advance(0);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(staging.states({ ln, sn, p, other }), u"Failed Succeeded Failed Succeeded"_s);
    QCOMPARE(staging.etag(other), etag);
    QCOMPARE(staging.etag(ln), staging.etag(sn));
    QCOMPARE(staging.etag(p), staging.etag(sn));
    QVERIFY(staging.etag(sn) != etag);
    // Held back in the retry loop it is in the way of its line, and of nobody else.
    staging.ask({ .op = u"PUT"_s, .path = sn, .transientFailures = 1 });
    staging.simulator.advance(0);
    QCOMPARE(staging.ask(u"PUT"_s, ln).errorCode, u"AnotherOperationInProgress"_s);
    QCOMPARE(staging.ask(u"PUT"_s, p).errorCode, u"AnotherOperationInProgress"_s);
    QVERIFY(staging.ask(u"PUT"_s, other).status != Status::Rejected);
    staging.simulator.runUntilQuiet();
    QCOMPARE(staging.operation(u"op2"_s).ended, std::optional<qint64>(1000));
}

void TestTime::until()
{
    Staging staging(u"network-controller"_s, ln);
    const Played played =
        play(scenarioOf({ asked(0, u"PUT"_s, ln, 5000), asked(9000, u"DELETE"_s, ln, 1000) }),
            staging.simulator, 3000);
    QVERIFY(!played.quiescent);
    QCOMPARE(staging.simulator.world().now, 3000);
    QCOMPARE(staging.simulator.operations().all().size(), 1);
    QCOMPARE(staging.at(ln), u"Updating"_s);
}

/// What was stepped back over is another story from then on.
void TestTime::cancelAfterSteppingBack()
{
    Staging staging(u"network-controller"_s, ln);
    const quint32 serial = staging.ask(u"PUT"_s, ln).serial;
    QVERIFY(staging.simulator.runUntilQuiet());
    staging.ask(u"GET"_s, ln);
    QCOMPARE(staging.simulator.lastMoment(), 3);
    staging.simulator.jump(1);
    QCOMPARE(staging.simulator.lastMoment(), 3);
    staging.simulator.cancel(serial);
    QCOMPARE(staging.simulator.moment(), 2);
    QCOMPARE(staging.simulator.lastMoment(), 2);
    QVERIFY(!staging.simulator.step());
    QCOMPARE(staging.status(u"op1"_s), u"Canceled"_s);
    staging.simulator.cancel(serial); // nothing to cancel: nothing is forgotten
    staging.simulator.stepBack();
    staging.simulator.cancel(99);
    QCOMPARE(staging.simulator.lastMoment(), 2);
}

/// Further than the worlds are apart that are kept: each moment is what it was, backwards, and
/// forwards again.
void TestTime::stepsBackThroughALongRun()
{
    Staging staging(u"network-controller"_s, ln);
    Simulator &simulator = staging.simulator;
    const auto now = [&] {
        return std::pair(everything(simulator.rules(), simulator.world()), simulator.operations());
    };
    QList<std::pair<QString, OperationLog>> moments { now() };
    while (simulator.moment() < 900) {
        if (simulator.moment() % 3 == 2)
            simulator.step();
        else
            staging.ask(simulator.moment() % 2 == 0 ? u"PUT"_s : u"DELETE"_s, ln);
        moments += now();
    }
    QCOMPARE(moments.size(), 901);
    QCOMPARE_GT(simulator.world().now, 0);
    for (qsizetype moment = 899; moment >= 0; --moment) {
        QVERIFY(simulator.stepBack());
        QCOMPARE(simulator.moment(), moment);
        QVERIFY(now() == moments[moment]);
    }
    QVERIFY(!simulator.stepBack());
    for (const qsizetype moment : { 900, 130, 129, 20, 640, 639 }) {
        simulator.jump(moment);
        QVERIFY(now() == moments[moment]);
    }
}

/// Where old operations are forgotten, those that are left keep their names.
void TestTime::whatIsKeptIsFound()
{
    Staging staging(u"network-controller"_s, ln);
    Simulator &simulator = staging.simulator;
    simulator.keepRecent(10, 200);
    for (int i = 0; i < 1500; ++i)
        simulator.submit({ .op = u"GET"_s, .path = ln });
    const auto &all = simulator.operations().all();
    QVERIFY(all.size() >= 200 && all.size() < 600);
    for (const Operation &operation : all) {
        QCOMPARE(simulator.operations().find(operation.id), &operation);
        QCOMPARE(simulator.operations().find(operation.serial), &operation);
    }
    QVERIFY(!simulator.operations().find(u"op1"_s));
    QCOMPARE(simulator.operations().forgotten() + all.size(), 1500);
    QCOMPARE(all.last().id, u"op1500"_s);
    QCOMPARE(simulator.forgotten() + simulator.records().size(), 1500);
}

/// Not what was asked for first; of several that ended together no more than are too many.
void TestTime::whatIsOverForLongestIsForgotten()
{
    const auto is = [](int n) { return u"/logicalNetworks/n%1"_s.arg(n); };
    Staging staging(u"network-controller"_s, ln);
    for (int i = 0; i < 6; ++i)
        staging.ask({ .op = u"PUT"_s, .path = is(i), .duration = i < 3 ? 10 : i < 5 ? 5 : 1000 });
    staging.simulator.advance(10);
    OperationLog log = staging.simulator.operations();
    const auto kept = [&] {
        QStringList ids;
        for (const Operation &operation : log.all())
            ids += operation.id;
        return ids.join(u' ');
    };
    QCOMPARE(kept(), u"op1 op2 op3 op4 op5 op6"_s);
    log.keep(5);
    QCOMPARE(kept(), u"op1 op2 op3 op5 op6"_s);
    log.keep(3);
    QCOMPARE(kept(), u"op2 op3 op6"_s);
    log.keep(0);
    QCOMPARE(kept(), u"op6"_s); // it still runs
    QCOMPARE(log.forgotten(), 5);
    QCOMPARE(log.nextId(), u"op7"_s);
}

const instar::TestClass<TestTime> registered;
#include "tst_time.moc"
