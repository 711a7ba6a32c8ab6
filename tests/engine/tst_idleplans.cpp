// SPDX-License-Identifier: Apache-2.0
// Planned outcomes and transient failures of which nothing comes.

#include "model/engine/idleplans.h"
#include "tests/support/exploring.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

class TestIdlePlans : public QObject
{
    Q_OBJECT

private slots:
    void ran_data();
    void ran();
    void untilThen();
    void foreseen_data();
    void foreseen();
    void whatTheOperationRequires();
    void workThatIsAllRequired_data();
    void workThatIsAllRequired();
};

namespace {

/// One machine: idle, busy when asked to go, idle again, also after these endings. Of its outcomes
/// "lost" has an error code of its own, "torn" has none.
Pack errands(const QStringList &endings = {})
{
    Machine machine;
    machine.id = u"errand"_s;
    machine.rest = u"idle"_s;
    const auto state = [&](const QString &id, State::Kind kind) {
        State row;
        row.id = id;
        row.kind = kind;
        machine.states += row;
    };
    state(u"absent"_s, State::Kind::Initial);
    state(u"idle"_s, State::Kind::Stable);
    state(u"busy"_s, State::Kind::Transitional);
    const auto transition = [&](const QString &from, const QString &on, const QString &to) {
        Transition row;
        row.from = { from };
        row.on = { on };
        row.to = { to };
        machine.transitions += row;
    };
    transition(u"idle"_s, u"go"_s, u"busy"_s);
    for (const QString &ending : QStringList { u"succeeded"_s, u"failed"_s } + endings)
        transition(u"busy"_s, ending, u"idle"_s);
    Pack pack;
    pack.id = u"errands"_s;
    pack.machines = { machine };
    Type type;
    type.path = u"errands"_s;
    type.machine = u"errand"_s;
    pack.types = { type };
    Outcome torn, lost;
    torn.id = u"torn"_s;
    lost.id = u"lost"_s;
    lost.code = u"Lost"_s;
    pack.outcomes = { torn, lost };
    return pack;
}

/// The same where an outcome that nothing takes has an error of its own.
Pack strictErrands()
{
    Pack pack = errands();
    Outcome invalid;
    invalid.id = u"invalid"_s;
    invalid.code = u"NotExpected"_s;
    pack.outcomes += invalid;
    return pack;
}

const QString Errand = u"/errands/e"_s;

ScenarioStep planned(ScenarioStep step, const QString &outcome, int transientFailures = 0)
{
    step.request.outcome = outcome;
    step.request.transientFailures = transientFailures;
    return step;
}

ScenarioStep hanging(ScenarioStep step)
{
    step.request.hang = true;
    return step;
}

ScenarioStep later(ScenarioStep step, qint64 at)
{
    step.at = at;
    return step;
}

ScenarioStep expects(const QString &id, const QString &status, const QString &error = {})
{
    ScenarioStep step { .kind = ScenarioStep::Kind::Expect, .at = 100'000 };
    if (!status.isEmpty())
        step.expectation.operations.insert(id, status);
    if (!error.isEmpty())
        step.expectation.errors.insert(id, error);
    return step;
}

ScenarioStep endsByHand(const QString &id, const QString &outcome)
{
    ScenarioStep step { .kind = ScenarioStep::Kind::End, .at = 100 };
    step.operation = id;
    step.outcome = outcome;
    return step;
}

QStringList remarksOn(const Scenario &scenario, const Pack &pack, std::optional<qint64> until = {})
{
    Stage stage = stageFor(scenario, pack);
    Simulator simulator(std::move(stage.rules), std::move(stage.world));
    play(scenario, simulator, until);
    QStringList texts;
    for (const Remark &remark : idlePlans(scenario, simulator))
        texts += u"%1: %2"_s.arg(remark.line).arg(remark.text);
    return texts;
}

} // namespace

void TestIdlePlans::ran_data()
{
    QTest::addColumn<Pack>("pack");
    QTest::addColumn<QList<ScenarioStep>>("steps");
    QTest::addColumn<QString>("remark");
    const auto row = [](const char *name, const Pack &pack, const QList<ScenarioStep> &steps,
                         const QString &remark = {}) {
        QTest::newRow(name) << pack << steps << remark;
    };
    const Pack nets = networks();
    const ScenarioStep put = submitted(u"a"_s, u"PUT"_s, Net);
    const ScenarioStep astray = submitted(u"a"_s, u"PUT"_s, u"/logicalNetworks/m/subnets/s"_s);
    const ScenarioStep remove = later(submitted(u"b"_s, u"DELETE"_s, Net), 100);
    const ScenarioStep go = submitted(u"a"_s, u"go"_s, Errand);
    const QString failed = u"failed"_s;
    const QString nothing = u"7: nothing came of %1 planned for operation a: it is %2"_s;
    const QString noFailure = nothing.arg(u"the outcome \"failed\""_s);

    row("nothing planned", nets, { put });
    row("success planned, and refused", nets, { planned(astray, u"succeeded"_s) });
    row("fails", nets, { planned(put, failed) });
    row("fails after transient failures", nets, { planned(put, failed, 2) });
    row("more transient failures than the limit", nets, { planned(put, {}, 6) });
    row("refused", nets, { planned(astray, failed) }, noFailure.arg(u"Rejected"_s));
    row("refused, both planned", nets, { planned(astray, failed, 3) },
        nothing.arg(u"the outcome \"failed\" and the 3 transient failures"_s, u"Rejected"_s));
    row("refused as expected", nets, { planned(astray, failed), expects(u"a"_s, u"Rejected"_s) });
    row("refused with the error expected", nets,
        { planned(astray, failed), expects(u"a"_s, {}, u"NotFound"_s) });
    row("refused, not as expected", nets,
        { planned(astray, failed), expects(u"a"_s, u"Failed"_s, u"Other"_s) },
        noFailure.arg(u"Rejected"_s));
    row("canceled", nets, { planned(put, failed), remove }, noFailure.arg(u"Canceled"_s));
    row("canceled as expected", nets,
        { planned(put, failed), remove, expects(u"a"_s, u"Canceled"_s) });
    row("canceled before the outcome, after a transient failure", nets,
        { planned(put, failed, 1), later(remove, 1500) }, noFailure.arg(u"Canceled"_s));
    row("nothing there to delete", nets,
        { planned(submitted(u"a"_s, u"DELETE"_s, u"/logicalNetworks/m"_s), failed) },
        noFailure.arg(u"Succeeded"_s));
    row("ended otherwise by hand", nets,
        { planned(put, failed), endsByHand(u"a"_s, u"succeeded"_s) },
        noFailure.arg(u"Succeeded"_s));
    row("ended so by hand", nets, { hanging(planned(put, failed)), endsByHand(u"a"_s, failed) });
    row("hangs for ever", nets, { hanging(planned(put, failed)) }, noFailure.arg(u"InProgress"_s));
    ScenarioStep first = planned(put, failed);
    ScenarioStep again = later(planned(submitted(u"b"_s, u"PUT"_s, Net), failed), 10);
    first.request.requestId = again.request.requestId = u"r"_s;
    row("answered as the first was", nets, { first, again });

    row("an outcome that nothing takes", errands(), { planned(go, u"torn"_s) },
        nothing.arg(u"the outcome \"torn\""_s, u"Failed"_s));
    row("an outcome that a row takes", errands({ u"torn"_s }), { planned(go, u"torn"_s) });
    row("an outcome whose error tells it", errands(), { planned(go, u"lost"_s) });
    row("an outcome taken as invalid", errands({ u"invalid"_s }), { planned(go, u"torn"_s) });
    row("an outcome that is said to be invalid", strictErrands(), { planned(go, u"torn"_s) });
    row("a repetition that is said to be invalid", strictErrands(), { planned(go, u"retried"_s) });
    // Single pieces.
    const auto piece = [&](const ScenarioStep &step, const QString &key, const Piece &how) {
        ScenarioStep result = step;
        result.request.work.insert(key, how);
        return result;
    };
    const Piece fails { .outcomes = { failed } };
    row("a piece that fails", errands(), { piece(go, u"busy"_s, fails) });
    row("a piece that lasts", errands(), { piece(go, u"busy"_s, { .duration = 5 }) });
    row("a piece that is never reached", errands(),
        { piece(go, u"elsewhere"_s, { .duration = 5 }) },
        nothing.arg(u"the work in \"elsewhere\""_s, u"Succeeded"_s));
    row("a piece that ends before its plan", errands(),
        { piece(go, u"busy"_s, { .outcomes = { u"succeeded"_s, failed } }) },
        nothing.arg(u"the outcome \"failed\" in \"busy\""_s, u"Succeeded"_s));
    row("a piece that nothing requires", errands(), { piece(go, u"go /errands/f"_s, fails) },
        nothing.arg(u"the work of \"go /errands/f\""_s, u"Succeeded"_s));
    row("a piece of a refused operation", nets, { piece(astray, u"Updating"_s, fails) },
        nothing.arg(u"the work in \"Updating\""_s, u"Rejected"_s));
    row("repeats as the piece says", nets,
        { piece(put, u"Updating"_s, { .outcomes = { u"retried"_s, u"retried"_s, failed } }) });
    row("hangs that nothing makes wait", nets, { hanging(astray) },
        nothing.arg(u"\"hang\""_s, u"Rejected"_s));
    ScenarioStep asked = go;
    asked.request.requests.insert(u"/errands/f"_s, {});
    row("what it gives others is given nobody", errands(), { asked },
        nothing.arg(u"the request to /errands/f"_s, u"Succeeded"_s));

    row("nothing repeats", errands(), { planned(go, {}, 2) },
        nothing.arg(u"the 2 transient failures"_s, u"Succeeded"_s));
    row("nothing repeats, once", errands(), { planned(go, failed, 1) },
        nothing.arg(u"the transient failure"_s, u"Failed"_s));
}

void TestIdlePlans::ran()
{
    QFETCH(Pack, pack);
    QFETCH(QList<ScenarioStep>, steps);
    QFETCH(QString, remark);
    for (ScenarioStep &step : steps)
        step.line = 7;
    const Scenario scenario = scenarioOf({ pack.id == u"errands" ? Errand : Net }, steps);
    QCOMPARE(remarksOn(scenario, pack), remark.isEmpty() ? QStringList() : QStringList { remark });
}

void TestIdlePlans::untilThen()
{
    const Scenario scenario =
        scenarioOf({ Net }, { planned(submitted(u"a"_s, u"PUT"_s, Net), u"failed"_s, 2) });
    QCOMPARE(remarksOn(scenario, networks(), 500), QStringList());
    QCOMPARE(remarksOn(scenario, networks()), QStringList());
}

void TestIdlePlans::foreseen_data()
{
    QTest::addColumn<Pack>("pack");
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<bool>("idleOutcome");
    QTest::addColumn<bool>("idleTransients");
    const auto row = [](const char *name, const Pack &pack, const QString &op,
                         const QString &outcome, bool idleOutcome, bool idleTransients) {
        QTest::newRow(name) << pack << op << outcome << idleOutcome << idleTransients;
    };
    const QString go = u"go"_s;
    row("no plan but success", errands(), go, u"succeeded"_s, false, true);
    row("a failure", errands(), go, u"failed"_s, false, true);
    row("nothing takes it", errands(), go, u"torn"_s, true, true);
    row("its error tells it", errands(), go, u"lost"_s, false, true);
    row("said to be invalid", strictErrands(), go, u"torn"_s, false, true);
    row("taken as invalid", errands({ u"invalid"_s }), go, u"torn"_s, false, true);
    row("a row takes it", errands({ u"torn"_s }), go, u"torn"_s, false, true);
    row("repeats", errands({ u"retried"_s }), go, u"failed"_s, false, false);
    row("no work at all", errands(), u"look"_s, u"failed"_s, true, true);
}

void TestIdlePlans::foreseen()
{
    QFETCH(Pack, pack);
    QFETCH(QString, op);
    QFETCH(QString, outcome);
    QFETCH(bool, idleOutcome);
    QFETCH(bool, idleTransients);
    Transition look;
    look.from = { u"idle"_s };
    look.on = { u"look"_s };
    look.to = { u"idle"_s };
    pack.machines.first().transitions += look;
    const Result<Rules> rules = Rules::make(pack);
    QVERIFY2(rules, rules ? "" : qPrintable(rules.error()));
    const Request request { .op = op, .outcome = outcome, .transientFailures = 1 };
    QStringList idle;
    for (const IdlePlan &plan : Foresight(*rules).idlePlans(0, request))
        idle += plan.keys.join(u'/');
    QCOMPARE(idle.contains(u"outcome"_s), idleOutcome);
    QCOMPARE(idle.contains(u"transientFailures"_s), idleTransients);
    QCOMPARE(Foresight(*rules).idlePlans(0, { .op = op }), QList<IdlePlan>());
}

namespace {

const QString Chief = u"/bosses/b"_s;

/// A boss that works by sending its errands.
Pack bosses()
{
    Pack pack = errands({ u"torn"_s, u"retried"_s });
    Machine boss = pack.machines.first();
    boss.id = u"boss"_s;
    boss.states[2].id = u"ordering"_s;
    boss.states[2].ownWork = true;
    boss.states[2].work = QList<Step> { Step {
        .kind = Step::Kind::Require, .name = u"go"_s, .to = { u"children"_s } } };
    boss.transitions.erase(boss.transitions.end() - 2, boss.transitions.end());
    for (Transition &row : boss.transitions) {
        row.from = row.from == QStringList { u"busy"_s } ? QStringList { u"ordering"_s } : row.from;
        row.to = row.to == QStringList { u"busy"_s } ? QStringList { u"ordering"_s } : row.to;
    }
    boss.transitions.first().on = { u"order"_s };
    pack.machines += boss;
    Type type;
    type.path = u"bosses"_s;
    type.machine = boss.id;
    pack.types += type;
    pack.types.first().path = u"bosses/errands"_s;
    return pack;
}

} // namespace

/// Work that is all required passes the outcome on, but not the transient failures.
void TestIdlePlans::whatTheOperationRequires()
{
    const Pack pack = bosses();
    const ScenarioStep order = planned(submitted(u"a"_s, u"order"_s, Chief), u"torn"_s, 1);
    const Scenario scenario = scenarioOf({ Chief, Chief + u"/errands/e"_s }, { order });
    const Rules rules = stageFor(scenario, pack).rules;
    const QList<IdlePlan> idle = Foresight(rules).idlePlans(1, order.request);
    QCOMPARE(idle.size(), 1);
    QCOMPARE(idle.first().keys, QStringList { u"transientFailures"_s });
    QCOMPARE(remarksOn(scenario, pack),
        QStringList {
            u"0: nothing came of the transient failure planned for operation a: it is Failed"_s });
}

void TestIdlePlans::workThatIsAllRequired_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<Piece>("piece");
    QTest::addColumn<QStringList>("statuses"); ///< of a, a.1, a.2
    QTest::addColumn<qint64>("ended");
    QTest::addColumn<QString>("idle");     ///< what is left over after the run
    QTest::addColumn<QString>("foreseen"); ///< what check knows before it
    const QString ok = u"Succeeded"_s;
    const QString bad = u"Failed"_s;
    const auto row = [](const char *name, const QString &key, const Piece &piece,
                         const QStringList &statuses, qint64 ended, const QString &idle = {},
                         const QString &foreseen = {}) {
        QTest::newRow(name) << key << piece << statuses << ended << idle << foreseen;
    };
    const QString here = u"ordering"_s;
    row("fails", here, { .outcomes = { u"failed"_s } }, { bad, bad, {} }, 1000);
    row("the second fails", here, { .outcomes = { u"succeeded"_s, u"failed"_s } }, { bad, ok, bad },
        2000);
    row("the third would", here, { .outcomes = { u"succeeded"_s, u"succeeded"_s, u"failed"_s } },
        { ok, ok, ok }, 2000, u"the outcome \"failed\" in \"ordering\""_s);
    row("takes its time", here, { .duration = 10 }, { ok, ok, ok }, 20);
    row("fails and takes its time", here, { .outcomes = { u"failed"_s }, .duration = 10 },
        { bad, bad, {} }, 10);
    row("one that is required", u"go /bosses/b/errands/f"_s, { .outcomes = { u"failed"_s } },
        { bad, ok, bad }, 2000);
    row("the state of what is required", u"busy"_s, { .outcomes = { u"failed"_s } }, { ok, ok, ok },
        2000, u"the work in \"busy\""_s,
        u"work/busy: the operation itself never works in \"busy\"; what it requires is planned as \"operation /path\""_s);
    row("what it never requires", u"order /bosses/b"_s, { .outcomes = { u"failed"_s } },
        { ok, ok, ok }, 2000, u"the work of \"order /bosses/b\""_s,
        u"work/order /bosses/b: the operation never requires \"order\""_s);
    row("one that is not there", u"go /bosses/b/errands/g"_s, { .outcomes = { u"failed"_s } },
        { ok, ok, ok }, 2000, u"the work of \"go /bosses/b/errands/g\""_s);
}

/// What is planned for a state without an attempt of its own is for what is required there.
void TestIdlePlans::workThatIsAllRequired()
{
    QFETCH(QString, key);
    QFETCH(Piece, piece);
    QFETCH(QStringList, statuses);
    QFETCH(qint64, ended);
    QFETCH(QString, idle);
    QFETCH(QString, foreseen);
    const Pack pack = bosses();
    ScenarioStep order = submitted(u"a"_s, u"order"_s, Chief);
    order.request.work.insert(key, piece);
    const Scenario scenario =
        scenarioOf({ Chief, Chief + u"/errands/e"_s, Chief + u"/errands/f"_s }, { order });
    Stage stage = stageFor(scenario, pack);
    Simulator simulator(std::move(stage.rules), std::move(stage.world));
    play(scenario, simulator);
    const QStringList ids { u"a"_s, u"a.1"_s, u"a.2"_s };
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const Operation *const operation = simulator.operations().find(ids[i]);
        QCOMPARE(operation ? statusName(operation->status) : QString(), statuses[i]);
    }
    QCOMPARE(*simulator.operations().find(u"a"_s)->ended, ended);
    QStringList left;
    for (const Remark &remark : idlePlans(scenario, simulator))
        left += remark.text;
    QCOMPARE(left,
        idle.isEmpty()
            ? QStringList()
            : QStringList {
                u"nothing came of %1 planned for operation a: it is %2"_s.arg(idle, statuses[0]) });
    QStringList known;
    for (const IdlePlan &plan : Foresight(simulator.rules()).idlePlans(1, order.request))
        known += plan.keys.join(u'/') + u": "_s + plan.why;
    QCOMPARE(known, foreseen.isEmpty() ? QStringList() : QStringList { foreseen });
}

const instar::TestClass<TestIdlePlans> registered;
#include "tst_idleplans.moc"
