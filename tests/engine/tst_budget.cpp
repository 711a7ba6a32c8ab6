// SPDX-License-Identifier: Apache-2.0
// What a budget stops says which limit it was, and keeps what was found so far.

#include "model/conformance/verdict.h"
#include "model/explore/behaviouraldifference.h"
#include "model/items/report.h"
#include "tests/support/exploring.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

class TestBudget : public QObject
{
    Q_OBJECT

private slots:
    void firstLimit();
    void exploreSaysWhich_data();
    void exploreSaysWhich();
    void judgeSaysWhich_data();
    void judgeSaysWhich();
    void nobodyIsBlamedWithoutAnswers();
    void behaviouralDifferenceSaysWhich();
    void runStopsAtEvents();
    void runStopsInAStep();
    void runIsCanceled();
    void repeatedAttemptsAreCounted();
    void fewAttemptsAreTold();
    void interleavedAttemptsAreCounted();
};

namespace {

std::atomic<bool> canceled = true;

/// A budget that one limit ends: of nine operations that may be anything nobody sees the end.
Budget limitedBy(Limit limit)
{
    Budget budget;
    switch (limit) {
    case Limit::Time:
        budget.deadline = QDeadlineTimer(0);
        break;
    case Limit::Memory:
        budget.bytes = 1;
        break;
    case Limit::States:
        budget.states = 20;
        break;
    case Limit::Canceled:
        budget.isCanceled = &canceled;
        break;
    case Limit::None:
    case Limit::Arrows:
        break;
    }
    return budget;
}

void addLimits()
{
    QTest::addColumn<Limit>("limit");
    for (const Limit limit : { Limit::Time, Limit::Memory, Limit::States, Limit::Canceled })
        QTest::newRow(qPrintable(limitName(limit))) << limit;
}

Scenario manyOrders()
{
    ScenarioStep any = submitted({}, u"PUT"_s, Sub, u"any"_s, u"A"_s);
    any.ops = { u"PUT"_s, u"DELETE"_s };
    any.paths = { Net, Sub, Sub + u"/ipPools/p"_s, Net + u"/subnets/r"_s };
    QList<ScenarioStep> steps(9, any);
    for (int i = 0; i < steps.size(); ++i)
        steps[i].request.id = QString::number(i);
    return scenarioOf({ Net }, steps);
}

/// Many requests at once, and a state that nothing explains.
History crowd(const QString &lastly, int requests = 9)
{
    History history;
    history.resources = { { Net } };
    for (int i = 0; i < requests; ++i) {
        RecordedRequest asked;
        asked.request.id = QString::number(i);
        asked.request.op = u"PUT"_s;
        asked.request.path = Net;
        asked.sent = 0;
        asked.answered = 100;
        asked.answer = RecordedRequest::Answer::Unknown;
        asked.line = i + 2;
        history.requests += asked;
    }
    Observation seen;
    seen.path = Net;
    seen.word = lastly;
    seen.from = seen.to = 200;
    seen.line = 20;
    history.observations += seen;
    return history;
}

struct Aps : Simulator
{
    explicit Aps(const Scenario &scenario) : Aps(*stageOf(scenario, packNamed(u"aps"_s))) { }
    explicit Aps(const Stage &stage) : Simulator(stage.rules, stage.world) { }
};

/// Calls again after each "accepted", which is what the pack repeats.
Scenario endlessScenario(int attempts)
{
    Scenario scenario;
    scenario.resources.emplace();
    Request request;
    request.id = u"a"_s;
    request.op = u"provision"_s;
    request.path = u"/resources/r"_s;
    request.transientFailures = attempts;
    scenario.steps += submitStep(request);
    return scenario;
}

} // namespace

void TestBudget::firstLimit()
{
    Budget budget { .states = 2, .bytes = 100, .arrows = 3 };
    QCOMPARE(budget.exceeded(2, 3, 100), Limit::None);
    QCOMPARE(budget.exceeded(3, 4, 101), Limit::States);
    QCOMPARE(budget.exceeded(2, 4, 101), Limit::Arrows);
    QCOMPARE(budget.exceeded(2, 3, 101), Limit::Memory);
    budget.deadline = QDeadlineTimer(0);
    QCOMPARE(budget.exceeded(2, 3), Limit::Time);
    budget.goesOn = [](qint64) { return false; };
    QCOMPARE(budget.interruption(), Limit::Time);
    budget.deadline = QDeadlineTimer(QDeadlineTimer::Forever);
    QCOMPARE(budget.interruption(), Limit::None); // nobody was asked
    QCOMPARE(budget.interruption(1), Limit::Canceled);
    budget.isCanceled = &canceled;
    QCOMPARE(budget.interruption(), Limit::Canceled);
}

void TestBudget::exploreSaysWhich_data()
{
    addLimits();
}

void TestBudget::exploreSaysWhich()
{
    QFETCH(Limit, limit);
    const Scenario scenario = manyOrders();
    const Stage stage = stageFor(scenario, networks());
    const Exploration part = valueOf(explore(scenario, stage, { .budget = limitedBy(limit) }));
    QVERIFY(!part.complete);
    QCOMPARE(part.stoppedBy, limit);
    QVERIFY(part.worlds >= 1); // the beginning is known
    if (limit == Limit::States)
        QCOMPARE(part.worlds, 20);
    const QJsonObject json = explorationJson(part);
    QCOMPARE(json.value(u"complete"_s), QJsonValue(false));
    QCOMPARE(json.value(u"stoppedBy"_s).toString(), limitName(limit));
    QVERIFY(explorationText(part).contains(stoppedText(limit)));
}

void TestBudget::judgeSaysWhich_data()
{
    addLimits();
}

void TestBudget::judgeSaysWhich()
{
    QFETCH(Limit, limit);
    const Rules rules = rulesOf(networks());
    const HistoryVerdict verdict = valueOf(verdictOn(crowd(u"Odd"_s), rules, limitedBy(limit)));
    QCOMPARE(verdict.outcome, HistorySearch::Outcome::Undecided);
    QCOMPARE(verdict.stoppedBy, limit);
    const QJsonObject json = verdictJson(verdict);
    QCOMPARE(json.value(u"complete"_s), QJsonValue(false));
    QCOMPARE(json.value(u"stoppedBy"_s).toString(), limitName(limit));
    QVERIFY(verdictText(verdict, u"h"_s).contains(stoppedText(limit)));
}

/// A search that is stopped while it looks for whom to blame says that there is a violation, and
/// names nobody.
void TestBudget::nobodyIsBlamedWithoutAnswers()
{
    const Rules rules = rulesOf(networks());
    const History history = crowd(u"Odd"_s, 5);
    int asked = 0;
    std::atomic<bool> flag = false;
    const auto cancelAfter = [&](int times) {
        asked = 0;
        return Budget { .goesOn =
                            [&, times](qint64) {
                                flag = ++asked > times;
                                return !flag;
                            },
            .isCanceled = &flag };
    };
    const Budget patient = cancelAfter(1'000'000);
    QCOMPARE(HistorySearch(rules, history).run(patient), HistorySearch::Outcome::Violates);
    const int first = asked;
    QVERIFY(first > 0);
    QVERIFY(verdictOn(history, rules, cancelAfter(1'000'000))->violation);
    QVERIFY(asked > first);
    const Result<HistoryVerdict> verdict = verdictOn(history, rules, cancelAfter(first));
    QCOMPARE(verdict->outcome, HistorySearch::Outcome::Violates);
    QCOMPARE(verdict->stoppedBy, Limit::Canceled);
    QVERIFY(!verdict->violation);
}

void TestBudget::behaviouralDifferenceSaysWhich()
{
    const Rules rules = rulesOf(networks());
    for (const Limit limit : { Limit::Time, Limit::States, Limit::Canceled }) {
        const BehaviouralDifference none =
            behaviouralDifference(rules, rules, networks().sample.mid(0, 2), limitedBy(limit));
        QVERIFY(!none.complete && !none.scenario);
        QCOMPARE(none.stoppedBy, limit);
    }
}

void TestBudget::runStopsAtEvents()
{
    const Scenario scenario = endlessScenario(1'000'000'000);
    Aps simulator(scenario);
    const Played played = play(scenario, simulator, {}, { .states = 1000 });
    QCOMPARE(played.stoppedBy, Limit::States);
    QCOMPARE(simulator.moment(), 1000);
    QCOMPARE(played.steps, 1);
    QCOMPARE(played.left, 0);
    QVERIFY(!played.quiescent);
}

/// What was to be expected later is not taken for true.
void TestBudget::runStopsInAStep()
{
    Scenario scenario = endlessScenario(1'000'000'000);
    ScenarioStep expect { .kind = ScenarioStep::Kind::Expect, .at = qint64(1) << 40 };
    expect.expectation.operations = { { u"a"_s, u"Failed"_s } };
    scenario.steps += expect;
    Aps simulator(scenario);
    const Played played = play(scenario, simulator, {}, { .states = 1000 });
    QCOMPARE(played.stoppedBy, Limit::States);
    QCOMPARE(simulator.moment(), 1000);
    QCOMPARE(played.steps, 1);
    QCOMPARE(played.left, 1);
    QCOMPARE(played.passed + played.failed, 0);
}

void TestBudget::runIsCanceled()
{
    const Scenario scenario = endlessScenario(1'000'000'000);
    Aps simulator(scenario);
    const Played played = play(scenario, simulator, {}, limitedBy(Limit::Canceled));
    QCOMPARE(played.stoppedBy, Limit::Canceled);
    QCOMPARE(played.left, 1);
    QCOMPARE(simulator.moment(), 0);
}

void TestBudget::repeatedAttemptsAreCounted()
{
    const Scenario scenario = endlessScenario(1'000'000'000);
    Aps simulator(scenario);
    play(scenario, simulator, {}, { .states = 5000 });
    const QJsonObject json = worldJson(
        simulator.rules(), simulator.world(), simulator.operations(), simulator.records());
    const QJsonArray records = json.value(u"records"_s).toArray();
    QVERIFY2(records.size() < 100, qPrintable(QString::number(records.size())));
    qint64 told = 0;
    for (const QJsonValue &record : records)
        told += 1 + record[u"repeated"].toInteger();
    qint64 happened = 0;
    for (const Record &record : simulator.records())
        happened += qint64(record.changes.size());
    QCOMPARE(told, happened);
    QCOMPARE(records.last()[u"until"].toInteger(), simulator.world().now);
}

void TestBudget::fewAttemptsAreTold()
{
    const Scenario scenario = endlessScenario(15);
    Aps simulator(scenario);
    QVERIFY(play(scenario, simulator).quiescent);
    for (const ReportedChange &told : reportedChanges(simulator.records()))
        QCOMPARE(told.repeated, 0);
}

/// Two operations that take turns are counted each on its own.
void TestBudget::interleavedAttemptsAreCounted()
{
    Scenario scenario = endlessScenario(1000);
    ScenarioStep second = scenario.steps.first();
    second.request.id = u"b"_s;
    second.request.path = u"/resources/q"_s;
    second.paths = { second.request.path };
    scenario.steps += second;
    Aps simulator(scenario);
    play(scenario, simulator, {}, { .states = 5000 });
    const QList<ReportedChange> told = reportedChanges(simulator.records());
    QVERIFY2(told.size() < 200, qPrintable(QString::number(told.size())));
    const auto counted =
        std::ranges::count_if(told, [](const ReportedChange &each) { return each.repeated > 900; });
    QVERIFY(counted >= 2);
}

const instar::TestClass<TestBudget> registered;
#include "tst_budget.moc"
