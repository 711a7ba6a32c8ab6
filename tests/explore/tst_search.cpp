// SPDX-License-Identifier: Apache-2.0
#include "model/explore/worldkey.h"
#include "tests/support/exploring.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

Exploration explored(const Scenario &scenario, const Pack &pack, const ExploreOptions &options = {})
{
    return valueOf(explore(scenario, stageFor(scenario, pack), options));
}

/// One machine: idle, busy when asked to go, then good or bad.
Pack lottery()
{
    Machine machine;
    machine.id = u"ticket"_s;
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
    state(u"good"_s, State::Kind::Stable);
    state(u"bad"_s, State::Kind::Stable);
    const auto transition = [&](const QString &from, const QString &on, const QString &to,
                                const QString &label = {}) {
        Transition row;
        row.from = { from };
        row.on = { on };
        row.to = { to };
        if (!label.isEmpty())
            row.condition = { .kind = Condition::Kind::Label, .text = label };
        machine.transitions += row;
    };
    transition(u"idle"_s, u"go"_s, u"busy"_s);
    transition(u"busy"_s, u"succeeded"_s, u"good"_s, u"lucky"_s);
    transition(u"busy"_s, u"succeeded"_s, u"bad"_s);
    transition(u"busy"_s, u"failed"_s, u"idle"_s);
    transition(u"good"_s, u"remove"_s, u"absent"_s);
    Pack pack;
    pack.id = u"lottery"_s;
    pack.machines = { machine };
    Type type;
    type.path = u"tickets"_s;
    type.machine = u"ticket"_s;
    pack.types = { type };
    return pack;
}

} // namespace

class TestSearch : public QObject
{
    Q_OBJECT

private slots:
    void keysTellWorkApart();
    void essenceForgets();
    void essenceKeeps_data();
    void essenceKeeps();
    void twoOperations();
    void hanging();
    void retries();
    void attemptsUnderALimit();
    void choices();
    void plannedPieces();
    void plannedRequirements();
    void openConditions();
    void deadEnds();
    void blinkingForEver();
    void repeatedRequest();
    void etagsInRequests();
    void budgets();
    void endSteps();
    void json();
};

void TestSearch::essenceForgets()
{
    const QString other = u"/logicalNetworks/m"_s;
    const Scenario scenario = scenarioOf({ Net, Sub, other }, {});
    const Stage stage = stageFor(scenario, networks());
    const ScenarioStep a = submitted(u"a"_s, u"PUT"_s, Net), b = submitted(u"b"_s, u"PUT"_s, other);

    // Two orders, at other times, under other names: the same situation, and other etags.
    Play first(stage.rules, stage.world), second(stage.rules, stage.world);
    first.submit(a, 10);
    first.submit(b, 20);
    second.submit(submitted(u"x"_s, u"PUT"_s, other), 500);
    second.submit(submitted(u"y"_s, u"PUT"_s, Net), 7000);
    QCOMPARE(first.bytes(), second.bytes());
    QVERIFY(sameWorld(stage.rules, first.world, second.world));
    const auto etagOf = [](const Play &play) {
        return etag(play.world, play.world.tree.find(Net));
    };
    QVERIFY(etagOf(first) != etagOf(second));

    // What has ended leaves nothing behind, and neither does what was made and removed.
    for (Play *play : { &first, &second }) {
        play->end(1, 9000);
        play->end(2, 9000);
    }
    QCOMPARE(first.bytes(), worldKey(stage.rules, stage.world));
    const QString extra = u"/logicalNetworks/extra"_s;
    first.end(first.submit(submitted(u"e"_s, u"PUT"_s, extra)));
    QVERIFY(first.bytes() != second.bytes());
    first.end(first.submit(submitted(u"f"_s, u"DELETE"_s, extra)));
    QCOMPARE(first.bytes(), second.bytes());

    // Siblings made in another order are the same siblings.
    for (const QString &name : { u"p"_s, u"q"_s })
        first.end(first.submit(submitted(name, u"PUT"_s, Net + u"/subnets/"_s + name)));
    for (const QString &name : { u"q"_s, u"p"_s })
        second.end(second.submit(submitted(name, u"PUT"_s, Net + u"/subnets/"_s + name)));
    QCOMPARE(first.bytes(), second.bytes());
}

void TestSearch::essenceKeeps_data()
{
    const Rows<ScenarioStep, ScenarioStep> add("one", "other");
    const ScenarioStep put = submitted(u"a"_s, u"PUT"_s, Sub);
    const auto submittedAs = [&](const QString &requestId) {
        ScenarioStep step = put;
        step.request.requestId = requestId;
        return step;
    };
    const auto row = [&](const char *name, const std::function<void(Request &)> &change) {
        ScenarioStep other = put;
        change(other.request);
        add(name, put, other);
    };
    row("operation", [](Request &request) { request.op = u"DELETE"_s; });
    row("target", [](Request &request) { request.path = Net; });
    row("new resource", [](Request &request) { request.path = Net + u"/subnets/new"_s; });
    row("outcome", [](Request &request) { request.outcome = u"failed"_s; });
    row("transient failures", [](Request &request) { request.transientFailures = 2; });
    row("hanging", [](Request &request) { request.hang = true; });
    row("request id", [](Request &request) { request.requestId = u"r"_s; });
    add("two request ids", submittedAs(u"r"_s), submittedAs(u"s"_s));
    row("planned work", [](Request &request) {
        request.work[u"Deleting"_s].outcomes = QStringList { u"failed"_s };
    });
    row("no operation", [](Request &request) { request.path = u"/nothing/x/nowhere/y"_s; });
}

void TestSearch::essenceKeeps()
{
    QFETCH(ScenarioStep, one);
    QFETCH(ScenarioStep, other);
    const Stage stage = stageFor(scenarioOf({ Net, Sub }, {}), networks());
    Play first(stage.rules, stage.world), second(stage.rules, stage.world);
    first.submit(one);
    second.submit(other);
    QVERIFY(first.bytes() != second.bytes());
    QVERIFY(!sameWorld(stage.rules, first.world, second.world));
}

void TestSearch::twoOperations()
{
    const Scenario scenario = scenarioOf({ Net },
        { submitted(u"a"_s, u"PUT"_s, Net, u"any"_s),
            submitted(u"b"_s, u"DELETE"_s, Net, u"any"_s) });
    const Exploration trees = explored(scenario, networks());
    // Nothing asked: 1. Only a: running, or ended either way: 3. Only b: the same: 3. Both: b runs
    // and the network rested in Succeeded or Failed before: 2; a runs on a new network or on a
    // Failed one: 2; ended: 3.
    QCOMPARE(trees.worlds, 14);
    QVERIFY(trees.complete);
    QCOMPARE(trees.finalTrees, 3);
    QCOMPARE(trees.endingCount, 3);
    QVERIFY(trees.deadEnds.isEmpty() && trees.brokenConstraints.isEmpty());
    for (const Ending &ending : trees.endings)
        QCOMPARE(ending.trace.size(),
            ending.resources.isEmpty()               ? 3
                : ending.resources[Net] == u"Failed" ? 3
                                                     : 4);

    const Exploration all =
        explored(scenario, networks(), { .by = ExploreOptions::By::Operations });
    QCOMPARE(all.finalTrees, 3);
    const QStringList expected {
        u" | a Canceled, b Succeeded"_s,
        u" | a Failed, b Succeeded"_s,
        u" | a Rejected, b Succeeded"_s,
        u" | a Succeeded, b Succeeded"_s,
        u"n Failed | a Canceled, b Failed"_s,
        u"n Failed | a Failed, b Failed"_s,
        u"n Failed | a Failed, b Succeeded"_s,
        u"n Failed | a Rejected, b Failed"_s,
        u"n Failed | a Succeeded, b Failed"_s,
        u"n Succeeded | a Succeeded, b Failed"_s,
        u"n Succeeded | a Succeeded, b Succeeded"_s,
    };
    QCOMPARE(spelled(all.endings), expected);
    for (const Ending &ending : all.endings) {
        if (ending.operations[u"a"_s] == u"Canceled" && ending.resources.isEmpty())
            QCOMPARE(ending.trace, QStringList({ u"submit a"_s, u"submit b"_s, u"succeeded b"_s }));
    }
}

void TestSearch::hanging()
{
    ScenarioStep a = submitted(u"a"_s, u"PUT"_s, Net);
    a.request.hang = true;
    const Exploration alone = explored(scenarioOf({ Net }, { a }), networks());
    QCOMPARE(spelled(alone.endings), QStringList { u"n Updating | a InProgress"_s });
    QVERIFY(alone.deadEnds.isEmpty()); // a DELETE would always bring it back
    const Exploration both =
        explored(scenarioOf({ Net }, { a, submitted(u"b"_s, u"DELETE"_s, Net) }), networks(),
            { .by = ExploreOptions::By::Operations });
    QCOMPARE(spelled(both.endings),
        QStringList({ u" | a Canceled, b Succeeded"_s, u" | a Rejected, b Succeeded"_s,
            u"n Updating | a InProgress, b Succeeded"_s }));
}

void TestSearch::retries()
{
    ScenarioStep a = submitted(u"a"_s, u"PUT"_s, Net);
    a.request.transientFailures = 2;
    const Exploration some = explored(scenarioOf({ Net }, { a }), networks());
    QCOMPARE(some.worlds, 7);
    QCOMPARE(some.endings.first().trace,
        QStringList({ u"submit a"_s, u"retried a"_s, u"begin a"_s, u"retried a"_s, u"begin a"_s,
            u"succeeded a"_s }));
    a.request.transientFailures = 6;
    const Exploration many = explored(scenarioOf({ Net }, { a }), networks());
    QCOMPARE(spelled(many.endings), QStringList { u"n Failed | a Failed"_s });
}

/// How often a row has been taken tells worlds apart where it may be taken so often only.
void TestSearch::attemptsUnderALimit()
{
    const QString ticket = u"/tickets/t"_s;
    Pack pack = lottery();
    Transition &again = pack.machines[0].transitions[3];
    again.to = { u"(same)"_s };
    again.limit = 3;
    Transition &lucky = pack.machines[0].transitions[1];
    lucky.condition = {};
    const Exploration all =
        explored(scenarioOf({ ticket }, { submitted(u"a"_s, u"go"_s, ticket, u"any"_s) }), pack);
    // Not asked; busy after 0, 1, 2 and 3 failures; good; idle again after the fourth.
    QCOMPARE(all.worlds, 1 + 4 + 2);
    QCOMPARE(
        spelled(all.endings), QStringList({ u"t good | a Succeeded"_s, u"t idle | a Failed"_s }));
    again.after = 100; // before each new attempt there is a pause
    QCOMPARE(
        explored(scenarioOf({ ticket }, { submitted(u"a"_s, u"go"_s, ticket, u"any"_s) }), pack)
            .worlds,
        10);
}

void TestSearch::choices()
{
    ScenarioStep a = submitted(u"a"_s, u"PUT"_s, Net);
    a.ops = { u"PUT"_s, u"DELETE"_s };
    a.paths = { Net, Sub };
    const Exploration all = explored(scenarioOf({ Net, Sub }, { a }), networks());
    QCOMPARE(all.worlds, 1 + 4 + 3);
    QStringList traces;
    for (const Ending &ending : all.endings)
        traces += spelled(ending.resources, {}) + ending.trace.join(u"; "_s);
    traces.sort();
    QCOMPARE(traces,
        QStringList({ u" | submit a DELETE %1; succeeded a"_s.arg(Net),
            u"n Succeeded | submit a DELETE %1; succeeded a"_s.arg(Sub),
            u"n Succeeded, s Succeeded | submit a PUT %1; succeeded a"_s.arg(Net) }));
}

/// What a request says of a piece of work alone goes before what it says of the whole, "any" too.
void TestSearch::plannedPieces()
{
    const QString ticket = u"/tickets/t"_s;
    ScenarioStep a = submitted(u"a"_s, u"go"_s, ticket, u"any"_s);
    QVERIFY(explored(scenarioOf({ ticket }, { a }), lottery()).endingCount > 1);
    a.request.work.insert(u"busy"_s, { .outcomes = { u"failed"_s } });
    QCOMPARE(spelled(explored(scenarioOf({ ticket }, { a }), lottery()).endings),
        QStringList { u"t idle | a Failed"_s });
    a.request.work[u"busy"_s] = { .outcomes = {}, .duration = 5 };
    QVERIFY(explored(scenarioOf({ ticket }, { a }), lottery()).endingCount > 1);
}

/// Also of an operation that the work requires.
void TestSearch::plannedRequirements()
{
    const QString boss = u"/tickets/t"_s;
    const QString ticket = boss + u"/stubs/s"_s;
    Pack pack = lottery();
    State &busy = pack.machines.first().states[2];
    busy.ownWork = true;
    busy.work = QList<Step> { Step {
        .kind = Step::Kind::Require, .name = u"go"_s, .to = { u"children"_s } } };
    Machine stub = lottery().machines.first();
    stub.id = u"stub"_s;
    pack.machines += stub;
    Type type;
    type.path = u"tickets/stubs"_s;
    type.machine = stub.id;
    pack.types += type;
    ScenarioStep a = submitted(u"a"_s, u"go"_s, boss, u"any"_s);
    QVERIFY(explored(scenarioOf({ boss, ticket }, { a }), pack).endingCount > 1);
    a.request.work.insert(u"go "_s + ticket, { .outcomes = { u"failed"_s } });
    QCOMPARE(spelled(explored(scenarioOf({ boss, ticket }, { a }), pack).endings),
        QStringList { u"t idle, s idle | a Failed"_s });
}

void TestSearch::openConditions()
{
    const QString ticket = u"/tickets/t"_s;
    const Scenario open = scenarioOf({ ticket }, { submitted(u"a"_s, u"go"_s, ticket) });
    const Exploration both = explored(open, lottery());
    QCOMPARE(both.worlds, 4);
    QStringList traces;
    for (const Ending &ending : both.endings)
        traces += ending.resources[ticket] + u": "_s + ending.trace.join(u"; "_s);
    traces.sort();
    QCOMPARE(traces,
        QStringList({ u"bad: submit a; succeeded a (!lucky)"_s,
            u"good: submit a; succeeded a (lucky)"_s }));

    Scenario answered = open;
    answered.steps[0].request.conditions.insert(u"lucky"_s, true);
    QCOMPARE(
        spelled(explored(answered, lottery()).endings), QStringList { u"t good | a Succeeded"_s });

    // An operation that asks twice gets the same answer twice.
    Pack twice = lottery();
    twice.machines[0].transitions[0].condition = { .kind = Condition::Kind::Label,
        .text = u"lucky"_s };
    const QStringList found = spelled(explored(open, twice).endings);
    QCOMPARE(found, QStringList({ u"t good | a Succeeded"_s, u"t idle | a Rejected"_s }));
}

void TestSearch::deadEnds()
{
    const QString ticket = u"/tickets/t"_s;
    Pack pack = lottery();
    const Scenario scenario =
        scenarioOf({ ticket, u"/tickets/u"_s }, { submitted(u"a"_s, u"go"_s, ticket, u"any"_s) });
    QVERIFY(explored(scenario, pack).deadEnds.isEmpty()); // without a goal, resting is enough
    pack.types[0].goal = u"absent"_s;
    const Exploration found = explored(scenario, pack);
    QVERIFY(found.complete);
    QCOMPARE(found.deadEndCount, 1);
    QCOMPARE(found.deadEnds.first().stuck, QStringList { ticket });
    QCOMPARE(found.deadEnds.first().resources[ticket], u"bad"_s);
    QCOMPARE(
        found.deadEnds.first().trace, QStringList({ u"submit a"_s, u"succeeded a (!lucky)"_s }));

    // What hangs and can never be canceled is stuck, too.
    Scenario hangs = scenario;
    hangs.steps[0].request.hang = true;
    Conflict conflict;
    conflict.then = Conflict::Then::Reject;
    Pack strict = lottery();
    strict.conflicts = { conflict };
    QCOMPARE(explored(hangs, strict).deadEndCount, 1);
    QCOMPARE(explored(hangs, strict).deadEnds.first().resources[ticket], u"busy"_s);
}

/// The clock goes on for ever, and leads nowhere.
void TestSearch::blinkingForEver()
{
    Pack pack = lottery();
    Machine &machine = pack.machines[0];
    machine.transitions = {};
    const auto transition = [&](const QString &from, const QString &on, const QString &to) {
        Transition row;
        row.from = { from };
        row.on = { on };
        row.to = { to };
        machine.transitions += row;
    };
    transition(u"idle"_s, u"blink"_s, u"good"_s);
    transition(u"good"_s, u"blink"_s, u"idle"_s);
    transition(u"bad"_s, u"end"_s, u"absent"_s);
    for (State &state : machine.states) {
        if (state.id == u"idle" || state.id == u"good")
            state.timer = Timer { .operation = u"blink"_s, .after = 1000 };
    }
    pack.types[0].goal = u"absent"_s;
    const Exploration found = explored(scenarioOf({ u"/tickets/t"_s }, {}), pack);
    QVERIFY(found.complete);
    QCOMPARE(found.worlds, 2);
    QCOMPARE(found.endingCount, 0);
    QCOMPARE(found.deadEndCount, 2);
}

void TestSearch::repeatedRequest()
{
    ScenarioStep a = submitted(u"a"_s, u"PUT"_s, Net, u"any"_s), b = a;
    a.request.requestId = b.request.requestId = u"r"_s;
    b.request.id = u"b"_s;
    const Exploration all = explored(
        scenarioOf({ Net }, { a, b }), networks(), { .by = ExploreOptions::By::Operations });
    QCOMPARE(spelled(all.endings),
        QStringList(
            { u"n Failed | a Failed, b Failed"_s, u"n Succeeded | a Succeeded, b Succeeded"_s }));
}

void TestSearch::etagsInRequests()
{
    ScenarioStep a = submitted(u"a"_s, u"PUT"_s, Net), b = submitted(u"b"_s, u"PUT"_s, Net);
    const Scenario bare = scenarioOf({ Net }, {});
    const Stage stage = stageFor(bare, networks());
    b.request.ifMatch = etag(stage.world, stage.world.tree.find(Net));
    const Exploration all = explored(
        scenarioOf({ Net }, { a, b }), networks(), { .by = ExploreOptions::By::Operations });
    QCOMPARE(spelled(all.endings),
        QStringList({ u"n Succeeded | a Succeeded, b Canceled"_s,
            u"n Succeeded | a Succeeded, b Rejected"_s,
            u"n Succeeded | a Succeeded, b Succeeded"_s }));
}

void TestSearch::budgets()
{
    const Scenario scenario = scenarioOf({ Net, Sub },
        { submitted(u"a"_s, u"PUT"_s, Sub, u"any"_s), submitted(u"b"_s, u"DELETE"_s, Sub, u"any"_s),
            submitted(u"c"_s, u"PUT"_s, Net, u"any"_s) });
    const Exploration whole = explored(scenario, networks());
    QVERIFY(whole.complete);
    const Exploration part = explored(scenario, networks(), { .budget = { .states = 20 } });
    QVERIFY(!part.complete);
    QCOMPARE(part.worlds, 20);
    const Exploration exact =
        explored(scenario, networks(), { .budget = { .states = whole.worlds } });
    QVERIFY(exact.complete);
    ScenarioStep any = submitted({}, u"PUT"_s, Sub, u"any"_s, u"A"_s);
    any.ops = { u"PUT"_s, u"DELETE"_s };
    any.paths = { Net, Sub, Sub + u"/ipPools/p"_s, Net + u"/subnets/r"_s };
    QList<ScenarioStep> many(9, any);
    for (int i = 0; i < 9; ++i)
        many[i].request.id = QString::number(i);
    const Scenario large = scenarioOf({ Net }, many);
    const Exploration all = explored(large, networks());
    QVERIFY(all.complete);
    QVERIFY(all.worlds > 512);
    const Exploration small = explored(large, networks(), { .budget = { .bytes = 1 } });
    QVERIFY(!small.complete);
    QVERIFY(small.worlds < all.worlds);
    const Exploration stopped = explored(
        large, networks(), { .budget = { .goesOn = [](qint64 worlds) { return worlds < 1; } } });
    QVERIFY(!stopped.complete);
    QCOMPARE(stopped.worlds, small.worlds);

    const Exploration cut = explored(scenario, networks(), { .limit = 1 });
    QCOMPARE(cut.endings.size(), 1);
    QCOMPARE(cut.endingCount, whole.endingCount);
}

void TestSearch::endSteps()
{
    Scenario scenario = scenarioOf({ Net }, { submitted(u"a"_s, u"PUT"_s, Net) });
    scenario.steps.append({ .kind = ScenarioStep::Kind::Expect, .at = 5 });
    QVERIFY(explore(scenario, stageFor(scenario, networks())));
    scenario.steps.append(
        { .kind = ScenarioStep::Kind::End, .at = 9, .line = 12, .operation = u"a"_s });
    const QString refused = errorIn(explore(scenario, stageFor(scenario, networks())));
    QVERIFY2(refused.startsWith(u"test:12: "_s), qPrintable(refused));
}

void TestSearch::json()
{
    const Exploration all =
        explored(scenarioOf({ Net }, { submitted(u"a"_s, u"DELETE"_s, Net) }), networks());
    QCOMPARE(explorationJson(all),
        QJsonDocument::fromJson(R"({
        "worlds": 3, "complete": true, "finalTrees": 1, "outcomeCount": 1,
        "outcomes": [{"resources": {}, "operations": {"a": "Succeeded"},
            "trace": ["submit a", "succeeded a"]}],
        "deadEnds": [], "violations": []})")
            .object());
    QVERIFY(explorationText(all).startsWith(u"3 states, 1 final trees, 1 outcomes\n"_s));
}

/// Worlds in which an operation goes on differently have different keys.
void TestSearch::keysTellWorkApart()
{
    const Rules rules = rulesOf(lottery());
    Staging staging(rules, resourcesFrom(u"/tickets/t"_s));
    const quint32 serial = staging.ask(u"go"_s, u"/tickets/t"_s).serial;
    const World world = staging.simulator.world();
    WorldKeyWriter writer(rules);
    const auto keyWith = [&](const std::function<void(Running &)> &change) {
        World changed = world;
        change(*changed.change(serial));
        QByteArray key;
        writer.write(changed, key);
        return key;
    };
    const QByteArray key = keyWith([](Running &) {});
    QCOMPARE(keyWith([](Running &) {}), key);
    QVERIFY(keyWith([](Running &running) { ++running.cursor; }) != key);
    QVERIFY(keyWith([](Running &running) { running.phase = Running::Phase::Until; }) != key);
    QVERIFY(keyWith([&](Running &running) { running.outcomeSoFar = rules.failed; }) != key);
    QVERIFY(keyWith([&](Running &running) { running.planned = rules.failed; }) != key);
    QVERIFY(keyWith([](Running &running) { ++running.transientsLeft; }) != key);
    QVERIFY(keyWith([](Running &running) { running.due = -1; }) != key);
    const auto keyOf = [&](const QStringList &replaces, const std::vector<Request> &contents) {
        return keyWith([&](Running &running) {
            running.request = QSharedPointer<Request>::create(
                Request { .contents = contents, .replaces = replaces });
        });
    };
    const QString a = u"/a"_s, b = u"/b"_s;
    QVERIFY(keyOf({ a, b }, {}) != keyOf({ a }, { { .path = b } }));
}

const instar::TestClass<TestSearch> registered;
#include "tst_search.moc"
