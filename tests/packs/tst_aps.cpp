// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "model/pack/run.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>
#include <ranges>

using namespace instar;
using namespace Qt::StringLiterals;

// The pack against its sources: what there is, and what no scenario can say.

namespace {

const Pack &aps()
{
    return packNamed(u"aps"_s);
}

/// Where a trigger leads from a state, as the rows stand under default switches: "A|B" for rows
/// with and without an if.
QString leadsTo(const QString &machine, const QString &from, const QString &trigger,
    const Switches &switches = {})
{
    const Rules rules = rulesOf(aps(), switches);
    QStringList targets;
    for (const Transition &row : aps().machine(machine)->transitions) {
        if (rules.applies(row) && leaves(*aps().machine(machine), row, from)
            && row.on.contains(trigger))
            targets += row.to;
    }
    targets.removeDuplicates();
    return targets.join(u'|');
}

/// The virtual times at which the calls of an operation's task begin, as its records tell.
QList<qint64> callsOf(const Staging &staging, const QString &id)
{
    QList<qint64> times;
    const quint32 serial = staging.operation(id).serial;
    for (const Record &record : staging.simulator.records()) {
        for (const Change &change : record.changes) {
            const bool goesOn = change.kind == Change::Kind::Worked && change.from != change.to;
            if (change.operation == serial && (goesOn || change.kind == Change::Kind::Began))
                times += record.event.time;
        }
    }
    return times;
}

} // namespace

class TestAps : public QObject
{
    Q_OBJECT

private slots:
    void isBuiltIn();
    void statuses();
    void statechart_data();
    void statechart();
    void callTimes_data();
    void callTimes();
    void eachPhaseIsSaidOnce();
    void transactionIsOne();
    void steppingBackRestoresTheCounter();
};

void TestAps::isBuiltIn()
{
    QVERIFY(builtInPacks().contains(u"aps"_s));
    QVERIFY(!aps().title.isEmpty() && !aps().origin.isEmpty() && !aps().about.isEmpty());
    QVERIFY(!aps().sample.isEmpty());
    const QStringList names = aps().operationNames();
    for (const QString &name : { u"provision"_s, u"configure"_s, u"unprovision"_s, u"register"_s,
             u"activate"_s, u"upgrade"_s, u"link"_s, u"unlink"_s, u"rerun"_s })
        QVERIFY2(names.contains(name), qPrintable(name));
    QCOMPARE(names.size(), 9);
    QCOMPARE(aps().retry, u"accepted"_s);
}

/// What is shown are the words of aps.status and no others; none of them stands for a failure.
void TestAps::statuses()
{
    const QStringList words { u"aps:proto"_s, u"aps:provisioning"_s, u"aps:ready"_s,
        u"aps:activating"_s, u"aps:configuring"_s, u"aps:unprovisioning"_s, u"aps:deleted"_s,
        u"aps:upgrading"_s };
    QStringList shown;
    for (const State &state : aps().machine(u"resource"_s)->states) {
        if (state.kind != State::Kind::Initial && state.as != u"(last)")
            shown += state.as.isEmpty() ? state.id : state.as;
        if (state.id.contains(u"failed"))
            QVERIFY2(words.contains(state.as), qPrintable(state.id));
    }
    shown.removeDuplicates();
    std::ranges::sort(shown);
    QStringList expected = words;
    std::ranges::sort(expected);
    QCOMPARE(shown, expected);
    QCOMPARE(aps().machine(u"resource"_s)->rest, u"aps:ready"_s);
}

void TestAps::statechart_data()
{
    const Rows<QString, QString, QString> add("from", "trigger", "to");
    const auto row = [&](const QString &from, const QString &trigger, const QString &to) {
        add(qPrintable(from + u' ' + trigger), from, trigger, to);
    };
    row(u"none"_s, u"provision"_s, u"provision (sync)"_s);
    row(u"aps:proto"_s, u"provision"_s, u"provision (sync)"_s);
    row(u"none"_s, u"register"_s, u"aps:ready|aps:proto"_s);
    row(u"provision (sync)"_s, u"succeeded"_s, u"aps:ready"_s);
    row(u"provision (sync)"_s, u"accepted"_s, u"aps:provisioning"_s);
    row(u"provision (sync)"_s, u"failed"_s, u"(last)"_s);
    row(u"aps:provisioning"_s, u"accepted"_s, u"(same)"_s);
    row(u"aps:provisioning"_s, u"succeeded"_s, u"aps:ready"_s);
    row(u"aps:provisioning"_s, u"failed"_s, u"provision failed"_s);
    row(u"aps:provisioning"_s, u"canceled"_s, u"provision failed"_s);
    row(u"provision failed"_s, u"rerun"_s, u"aps:provisioning"_s);
    row(u"provision failed"_s, u"provision"_s, {});
    row(u"aps:ready"_s, u"configure"_s, u"configure (sync)"_s);
    row(u"configure (sync)"_s, u"succeeded"_s, u"aps:ready"_s);
    row(u"configure (sync)"_s, u"accepted"_s, u"aps:configuring"_s);
    row(u"aps:configuring"_s, u"succeeded"_s, u"aps:ready"_s);
    row(u"aps:configuring"_s, u"failed"_s, u"configure failed"_s);
    row(u"aps:ready"_s, u"unprovision"_s, u"aps:unprovisioning"_s);
    row(u"aps:unprovisioning"_s, u"succeeded"_s, u"unlinking|none"_s);
    row(u"aps:unprovisioning"_s, u"accepted"_s, u"aps:deleted"_s);
    row(u"aps:unprovisioning"_s, u"refused"_s, u"(last)"_s);
    row(u"aps:deleted"_s, u"succeeded"_s, u"unlinking|none"_s);
    row(u"aps:deleted"_s, u"failed"_s, u"delete failed"_s);
    row(u"aps:ready"_s, u"activate"_s, u"aps:activating"_s);
    row(u"aps:activating"_s, u"activate"_s, u"aps:ready"_s);
    row(u"aps:ready"_s, u"upgrade"_s, u"aps:upgrading"_s);
    row(u"aps:upgrading"_s, u"succeeded"_s, u"aps:ready"_s);
    row(u"aps:upgrading"_s, u"accepted"_s, {}); // not among its codes
    row(u"aps:provisioning"_s, u"configure"_s, {});
    row(u"aps:proto"_s, u"configure"_s, {});
}

void TestAps::statechart()
{
    QFETCH(QString, from);
    QFETCH(QString, trigger);
    QTEST(leadsTo(u"resource"_s, from, trigger), "to");
}

void TestAps::callTimes_data()
{
    QTest::addColumn<int>("answers202");
    for (const int times : { 1, 2, 5, 9 })
        QTest::addRow("%d", times) << times;
}

/// The first call of the task begins when the synchronous one has ended, and each later one exactly
/// when the time to wait has passed since the answer before: never earlier.
void TestAps::callTimes()
{
    QFETCH(int, answers202);
    Staging staging(u"aps"_s, QString());
    staging.ask({ .op = u"provision"_s,
        .path = u"/resources/r"_s,
        .transientFailures = answers202,
        .duration = 700 });
    staging.simulator.runUntilQuiet();
    QList<qint64> expected;
    for (int call = 0; call < answers202; ++call)
        expected += 700 + call * (700 + 30'000);
    QCOMPARE(callsOf(staging, u"op1"_s), expected);
    QCOMPARE(staging.operation(u"op1"_s).attempts, answers202 + 1);
    QCOMPARE(staging.status(u"op1"_s), u"Succeeded"_s);
    QCOMPARE(staging.simulator.world().now, expected.last() + 700);
}

/// A state works in one phase, and says which: what does not show is synchronous, what shows calls
/// again.
void TestAps::eachPhaseIsSaidOnce()
{
    const Rules rules = rulesOf(aps());
    for (const State &state : aps().machine(u"resource"_s)->states) {
        const bool isCall = state.kind == State::Kind::Transitional && state.id != u"unlinking";
        if (!isCall || !rules.applies(state))
            continue;
        const bool repeats = leadsTo(u"resource"_s, state.id, u"accepted"_s) == u"(same)";
        QVERIFY2(
            !repeats || state.as.isEmpty(), qPrintable(state.id)); // clients see that it goes on
        for (const Transition &row : aps().machine(u"resource"_s)->transitions) {
            if (row.to == QStringList { u"(same)"_s })
                QCOMPARE(row.after, 30'000);
            else
                QCOMPARE(row.after, 0);
        }
    }
}

/// What one request leads to is one tree of operations, of one client.
void TestAps::transactionIsOne()
{
    Staging staging(u"aps"_s, QString());
    staging.ask({ .op = u"provision"_s,
        .path = u"/resources/vps"_s,
        .id = u"t"_s,
        .client = u"A"_s,
        .references = { u"/resources/app"_s, u"/resources/net"_s } });
    staging.simulator.runUntilQuiet();
    const PersistentList<Operation> &all = staging.simulator.operations().all();
    QCOMPARE(all.size(), 3);
    for (const Operation &operation : std::views::drop(all, 1)) {
        QCOMPARE(operation.requiredBy, u"t"_s);
        QCOMPARE(operation.client, u"A"_s);
        QCOMPARE(operation.status, Status::Succeeded);
    }
    // One after another: the second begins when the first has ended.
    QCOMPARE(*all[2].started, *all[1].ended);
}

/// Properties are part of the moment: going back brings the counter back.
void TestAps::steppingBackRestoresTheCounter()
{
    Staging staging(u"aps"_s, QString());
    const QString path = u"/resources/vps"_s;
    staging.ask(
        { .op = u"provision"_s, .path = path, .conditions = { { u"hardware.VM"_s, true } } });
    staging.simulator.advanceTo(30'300);
    const auto retry = [&] {
        const World &world = staging.simulator.world();
        return world.properties.value(world.tree.find(path)).value(u"retry"_s).toInt(-1);
    };
    QCOMPARE(retry(), 3);
    QVERIFY(staging.simulator.stepBack()); // the second call has not been answered
    QCOMPARE(retry(), 4);
    staging.simulator.runUntilQuiet();
    QCOMPARE(retry(), 0);
    QCOMPARE(staging.at(path), u"aps:ready"_s);
}

const instar::TestClass<TestAps> registered;
#include "tst_aps.moc"
