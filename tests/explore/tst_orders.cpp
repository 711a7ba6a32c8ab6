// SPDX-License-Identifier: Apache-2.0
// What a search says of orders: how many lead to an ending, and one that can be played. Beside it
// every order is tried, one after the other.

#include "model/engine/timeline.h"
#include "model/explore/explore.h"
#include "tests/support/exploring.h"
#include "tests/support/playground.h"
#include "tests/support/randompack.h"
#include "tests/support/ring.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

/// Tries every order of a scenario, remembering nothing.
class OrderTrial
{
public:
    OrderTrial(const Scenario &scenario, const Stage &stage)
        : m_rules(stage.rules),
          m_script(stage.rules, scenario, Script::By::Operations, stage.world),
          m_start(m_script.startOf(stage.world))
    { }

    /// Ending -> orders that lead there; nothing: they are too many.
    std::optional<QMap<QString, double>> endings() { return endsFrom(m_start); }

private:
    QString picture(const SearchState &now) const
    {
        return spelled(shownWords(m_rules, now.world), m_script.statuses(now));
    }
    std::vector<SearchEdge> ways(const SearchState &now)
    {
        std::vector<SearchEdge> all;
        for (const Event &move : m_script.moves(now)) {
            for (SearchEdge &edge : edgesOf(m_rules, m_script, now, move))
                all.push_back(std::move(edge));
        }
        m_steps -= qint64(all.size());
        return all;
    }
    std::optional<QMap<QString, double>> endsFrom(const SearchState &now, int depth = 0)
    {
        if (m_steps < 0 || depth > 60) {
            m_steps = -1;
            return {};
        }
        QMap<QString, double> ends;
        const std::vector<SearchEdge> all = ways(now);
        if (all.empty())
            ends.insert(picture(now), 1);
        for (const SearchEdge &edge : all) {
            const auto further = endsFrom(edge.next, depth + 1);
            if (!further)
                return {};
            for (auto it = further->cbegin(); it != further->cend(); ++it)
                ends[it.key()] += *it;
        }
        return ends;
    }

    const Rules &m_rules;
    Script m_script;
    SearchState m_start;
    qint64 m_steps = 60'000;
};

QString one(const QStringList &words)
{
    return words[below(int(words.size()))];
}

Scenario anyScenario(const QStringList &start, const QStringList &ops, const QStringList &paths)
{
    QList<ScenarioStep> steps;
    const int count = 1 + below(3);
    for (int i = 0; i < count; ++i) {
        steps += submitted(QChar(u'a' + i), one(ops), one(paths),
            one({ u""_s, u"failed"_s, u"any"_s }), one({ u""_s, u"A"_s }));
    }
    return scenarioOf(start, steps);
}

/// A scenario of the built-in pack, or of any one; then what is asked of it.
bool ofManyScenarios(const std::function<void(const Scenario &, const Stage &)> &check)
{
    return rc::check([&] {
        if (below(2)) {
            const Scenario scenario =
                anyScenario({ Net, Sub, Sub + u"/ipPools/p"_s }, { u"PUT"_s, u"DELETE"_s },
                    { Net, Sub, Sub + u"/ipPools/p"_s, Net + u"/subnets/new"_s });
            check(scenario, stageFor(scenario, networks()));
            return;
        }
        const Pack pack = *randomPack();
        QStringList start { u"/t/a"_s, u"/t/b"_s, u"/p/z"_s };
        if (pack.machines.size() > 1)
            start += u"/t/a/u/c"_s;
        const Scenario scenario = anyScenario(
            start, { u"PUT"_s, u"DELETE"_s, u"poke"_s }, start + QStringList { u"/t/new"_s });
        check(scenario, stageFor(scenario, pack));
    });
}

Exploration exploredByOperations(const Scenario &scenario, const Stage &stage)
{
    const Result<Exploration> all = explore(
        scenario, stage, { .by = ExploreOptions::By::Operations, .budget = { .states = 3'000 } });
    RC_ASSERT(bool(all));
    RC_PRE(all->complete);
    return *all;
}

/// What a run shows, of these operations.
std::string shownIn(const Simulator &simulator, const QMap<QString, QString> &operations)
{
    QMap<QString, QString> statuses;
    for (const QString &id : operations.keys())
        statuses.insert(id, statusName(simulator.operations().find(id)->status));
    return spelled(shownWords(simulator.rules(), simulator.world()), statuses).toStdString();
}

std::string spelledEnd(const Trace &trace)
{
    return spelled(trace.resources, trace.operations).toStdString();
}

} // namespace

class TestOrders : public QObject
{
    Q_OBJECT

private slots:
    void ordersAreCounted();
    void endlessRounds();
    void stopsWhileJudging();
    void everySchedulePlays();
    void playsFromALaterMoment();
    void whatRunsIsTold();
    void knownRequestIds();
    void aPlayedTraceHasATimeline();
    void anyMomentsWorld();
};

void TestOrders::ordersAreCounted()
{
    QVERIFY(ofManyScenarios([](const Scenario &scenario, const Stage &stage) {
        const Exploration all = exploredByOperations(scenario, stage);
        const auto counted = OrderTrial(scenario, stage).endings();
        RC_PRE(counted.has_value());
        RC_ASSERT(counted->size() == all.endings.size());
        for (const Ending &ending : all.endings) {
            RC_ASSERT(
                counted->value(spelled(ending.resources, ending.operations)) == ending.orders);
        }
    }));
}

void TestOrders::endlessRounds()
{
    Pack ring = ringOf(2, false);
    Machine &machine = ring.machines.first();
    for (int i = 0; i < 2; ++i) {
        Timer &timer = machine.states[1 + i].timer.emplace();
        timer.after = 1000;
        timer.operation = u"go%1"_s.arg(i);
    }
    machine.states.append({ .id = u"end"_s });
    machine.transitions.append(
        { .from = { u"s0"_s, u"s1"_s }, .on = { u"stop"_s }, .to = { u"end"_s } });
    const Scenario scenario =
        scenarioOf({ u"/t/x"_s }, { submitted(u"a"_s, u"stop"_s, u"/t/x"_s) });
    const Result<Exploration> all = explore(scenario, stageFor(scenario, ring));
    QVERIFY(all && all->complete);
    QCOMPARE(spelled(all->endings), QStringList({ u"x end | a Succeeded"_s }));
    QVERIFY(std::isinf(all->endings.first().orders));
}

void TestOrders::stopsWhileJudging()
{
    QStringList paths { Net };
    for (int i = 0; i < 400; ++i)
        paths += Net + u"/subnets/s%1"_s.arg(i);
    ScenarioStep hanging = submitted(u"a"_s, u"PUT"_s, Net);
    hanging.request.hang = true;
    const Scenario scenario = scenarioOf(paths, { hanging });
    const Stage stage = stageFor(scenario, networks());
    ExploreOptions options;
    int asked = 0;
    options.goesOn = [&](qint64, qint64) { return ++asked < 3; };
    const Result<Exploration> some = explore(scenario, stage, options);
    QVERIFY(some && !some->complete);
    QCOMPARE(some->endingCount, 1); // what was found before is told
    QCOMPARE(asked, 3);
}

void TestOrders::everySchedulePlays()
{
    QVERIFY(ofManyScenarios([](const Scenario &scenario, const Stage &stage) {
        const Exploration all = exploredByOperations(scenario, stage);
        Simulator simulator(stage.rules, stage.world);
        qsizetype branches = 1;
        for (const Ending &ending : all.endings) {
            if (ending.schedule.isEmpty())
                continue;
            simulator.jump(0);
            const quint32 branch = simulator.playOnNewBranch(ending.schedule, 300, u"an ending"_s);
            RC_ASSERT(simulator.branches().size() == ++branches);
            RC_ASSERT(simulator.branch() == branch);
            RC_ASSERT(simulator.branches().last().name == u"an ending"_s);
            RC_ASSERT(simulator.moment() == ending.schedule.size());
            RC_ASSERT(shownIn(simulator, ending.operations) == spelledEnd(ending));
            qint64 time = 0;
            for (const Record &record : simulator.records())
                RC_ASSERT(std::exchange(time, record.event.time) < record.event.time);
            simulator.jump(below(int(ending.schedule.size())));
            while (simulator.moment() < simulator.lastMoment())
                simulator.step();
            RC_ASSERT(shownIn(simulator, ending.operations) == spelledEnd(ending));
        }
        simulator.switchTo(0);
        RC_ASSERT(simulator.lastMoment() == 0);
    }));
}

void TestOrders::playsFromALaterMoment()
{
    int played = 0;
    QVERIFY(rc::check([&] {
        const Playground ground = randomPlayground();
        Simulator simulator(ground.rules, ground.world);
        const int count = 1 + below(6);
        for (int i = 0; i < count; ++i) {
            if (below(3) || !simulator.step())
                simulator.submit(anyRequest(ground, i));
        }
        const qsizetype moment = simulator.moment();
        Scenario scenario;
        for (int i = 0; i < 1 + below(2); ++i) {
            const Request request = anyRequest(ground, 100 + i);
            scenario.steps += submitted(request.id, request.op, request.path);
            scenario.steps.last().request = request;
            scenario.steps.last().anyOutcome = below(3) == 0;
        }
        const RunningEnds begun = below(2) ? RunningEnds::EveryOutcome : RunningEnds::AsPlanned;
        const Result<Exploration> all = explore(scenario, { ground.rules, simulator.world() },
            { .by = ExploreOptions::By::Operations,
                .budget = { .states = 1'000 },
                .premises = { .runningEnds = begun } });
        RC_ASSERT(bool(all));
        for (const Ending &ending : all->endings) {
            simulator.switchTo(0);
            simulator.jump(moment);
            simulator.playOnNewBranch(ending.schedule, 300, u"an ending"_s);
            RC_ASSERT(shownIn(simulator, ending.operations) == spelledEnd(ending));
            ++played;
        }
    }));
    QVERIFY(played > 100);
}

void TestOrders::whatRunsIsTold()
{
    const Scenario nothing = scenarioOf({ Net, Sub }, {});
    const Stage stage = stageFor(nothing, networks());
    Simulator simulator(stage.rules, stage.world);
    simulator.submit({ .op = u"PUT"_s, .path = Net, .id = u"before"_s });
    const Scenario scenario = scenarioOf({}, { submitted(u"a"_s, u"DELETE"_s, Net) });
    ExploreOptions options { .by = ExploreOptions::By::Operations };
    const Stage now { stage.rules, simulator.world() };
    const QString canceled = u" | a Succeeded, before Canceled"_s;
    const QString late = u" | a Succeeded, before Succeeded"_s;
    QCOMPARE(spelled(explore(scenario, now, options)->endings), QStringList({ canceled, late }));
    options.premises.runningEnds = RunningEnds::EveryOutcome;
    QCOMPARE(spelled(explore(scenario, now, options)->endings),
        QStringList({ canceled, u" | a Succeeded, before Failed"_s, late }));
}

void TestOrders::knownRequestIds()
{
    const Scenario nothing = scenarioOf({ Net, Sub }, {});
    const Stage stage = stageFor(nothing, networks());
    Simulator simulator(stage.rules, stage.world);
    const Request first { .op = u"PUT"_s, .path = Net, .id = u"before"_s, .requestId = u"r"_s };
    simulator.submit(first);
    Scenario scenario = scenarioOf({}, { submitted(u"a"_s, u"PUT"_s, Net) });
    scenario.steps.first().request.requestId = u"r"_s;
    const ExploreOptions options { .by = ExploreOptions::By::Operations };
    const auto endings = [&] {
        return explore(scenario, { stage.rules, simulator.world() }, options)->endings;
    };
    QCOMPARE(spelled(endings()),
        QStringList({ u"n Succeeded, s Succeeded | a Succeeded, before Succeeded"_s }));
    simulator.runUntilQuiet();
    QCOMPARE(spelled(endings()), QStringList({ u"n Succeeded, s Succeeded | "_s }));
    simulator.playOnNewBranch(endings().first().schedule, 300, u"an ending"_s);
    QCOMPARE(simulator.operations().find(u"a"_s)->replayOf, u"before"_s);
}

void TestOrders::aPlayedTraceHasATimeline()
{
    const Scenario scenario = scenarioOf({ Net, Sub }, { submitted(u"a"_s, u"PUT"_s, Net) });
    const Stage stage = stageFor(scenario, networks());
    const Result<Exploration> all = explore(scenario, stage);
    QVERIFY(all && all->endings.size() == 1);
    Simulator simulator(stage.rules, stage.world);
    simulator.playOnNewBranch(all->endings.first().schedule, 300, u"an ending"_s);
    Timeline timeline(simulator.beginning());
    for (const Record &record : simulator.records())
        timeline.add(simulator.rules(), record);
    QCOMPARE(timeline.spans().size(), size_t(1));
    QCOMPARE(timeline.spans()[0].first, timeline.find(Net));
    QCOMPARE(timeline.spans()[0].last, timeline.find(Sub));
    QCOMPARE(timeline.spans()[0].from, 300);
    QCOMPARE(timeline.spans()[0].to, 600);
}

void TestOrders::anyMomentsWorld()
{
    QVERIFY(rc::check([] {
        const Playground ground = randomPlayground();
        Simulator simulator(ground.rules, ground.world);
        QStringList worlds { everything(ground.rules, simulator.world()) };
        const int count = below(150);
        for (int i = 0; i < count; ++i) {
            if (below(3) || !simulator.step())
                simulator.submit(anyRequest(ground, i));
            worlds += everything(ground.rules, simulator.world());
        }
        const qsizetype shown = below(count + 1);
        simulator.jump(shown);
        const qsizetype moment = below(count + 1);
        RC_ASSERT(everything(ground.rules, simulator.worldAt(moment)) == worlds[moment]);
        RC_ASSERT(simulator.moment() == shown);
    }));
}

const instar::TestClass<TestOrders> registered;
#include "tst_orders.moc"
