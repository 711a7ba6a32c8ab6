// SPDX-License-Identifier: Apache-2.0
// What can happen, as it is told: which resources it is about, where each story leads, and that it
// can be played from where it was asked.

#include "model/engine/treegroups.h"
#include "model/explore/outcomes.h"
#include "model/explore/rehearsal.h"
#include "model/json/condition.h"
#include "tests/support/exploring.h"
#include "tests/support/packtext.h"
#include "tests/support/playground.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString Other = u"/logicalNetworks/m"_s;
const QString Pool = Sub + u"/ipPools/p"_s;

const QByteArray Pots = R"pack({
  "id": "pots", "types": {"pots": {"machine": "pot"}}, "retry": "again",
  "outcomes": {"burnt": {"code": "TooLong"}, "again": {"code": "Again"}},
  "machines": {"pot": {
    "rest": "cold",
    "states": {
      "none": {"kind": "initial"}, "cold": {}, "ruined": {},
      "aside": {"timer": {"op": "pour", "after": 10}},
      "hot": {"timer": {"op": "cool", "after": 3000}},
      "boiling": {"kind": "transitional", "timer": {"outcome": "burnt", "after": 5000}},
      "drawing": {"kind": "transitional", "work": [{"until": {"elapsed": {"since": "tea"}}}]}
    },
    "transitions": [
      {"from": "cold", "on": "boil", "to": "boiling"},
      {"from": "cold", "on": "put aside", "to": "aside"},
      {"from": "aside", "on": "pour", "if": {"id": ["another"]}, "to": "cold"},
      {"from": "cold", "on": "draw", "to": "drawing"},
      {"from": "boiling", "on": "succeeded", "to": "hot"},
      {"from": "boiling", "on": "again", "to": "(same)", "limit": 1, "after": 100},
      {"from": "boiling", "on": "burnt", "to": "ruined"},
      {"from": "drawing", "on": "succeeded", "to": "cold"},
      {"from": "hot", "on": "cool", "to": "cold"}
    ]
  }}
})pack";
const QString Pot = u"/pots/p"_s;

const QByteArray Soups = R"pack({
  "id": "soups", "types": {"soups": {"machine": "soup"}},
  "machines": {"soup": {
    "rest": "cold",
    "states": {"none": {"kind": "initial"}, "cold": {}, "hot": {},
      "boiling": {"kind": "transitional"},
      "waiting": {"kind": "transitional", "work": [{"until": [{"/soups/other": ["hot"]}, "tastes good"]}]}},
    "transitions": [
      {"from": "cold", "on": "boil", "to": "boiling"},
      {"from": "cold", "on": "serve", "to": "waiting"},
      {"from": ["boiling", "waiting"], "on": "succeeded", "to": "hot"}
    ]
  }}
})pack";

const QByteArray Desks = R"pack({
  "id": "desks",
  "types": {"desks": {"machine": "desk"}, "desks/drawers": {"machine": "desk"}},
  "machines": {"desk": {
    "rest": "plain",
    "states": {"none": {"kind": "initial"}, "plain": {}, "sold": {},
      "looking": {"kind": "transitional"}, "selling": {"kind": "transitional"},
      "fitting": {"kind": "transitional", "work": [{"op": "look", "to": "drawers"}]}},
    "transitions": [
      {"from": "plain", "on": "look", "to": "looking"},
      {"from": "plain", "on": "fit", "to": "fitting"},
      {"from": ["plain", "looking"], "on": "sell", "to": "selling"},
      {"from": "sold", "on": "sell", "refuse": "Gone", "about": "It is sold."},
      {"from": "selling", "on": "succeeded", "to": "sold"},
      {"from": ["looking", "fitting"], "on": ["succeeded", "canceled"], "to": "plain"}
    ]
  }},
  "conflicts": [
    {"on": "sell", "running": "look", "at": ["self"], "then": "cancel", "about": "A sale goes first."},
    {"on": "sell", "running": "fit", "then": "allow"},
    {"on": "look", "running": "sell", "then": "allow"},
    {"at": ["self", "ancestor"], "then": "wait"}
  ],
  "refusals": {"Gone": {"http": 410, "message": "It is gone."}}
})pack";

/// One operation on one pot.
OutcomesQuestion atThePot(const QString &op, Timers timers, const QString &outcome = {})
{
    Scenario scenario;
    scenario.resources = { { .path = Pot, .properties = { { u"tea"_s, 60'000 } } } };
    return { .stage = stageFor(scenario, packOf(Pots)),
        .steps = { submitted(u"a"_s, op, Pot, outcome) },
        .timers = timers,
        .worlds = 50'000,
        .bytes = qint64(1) << 30 };
}

OutcomesQuestion questionOf(const QStringList &paths, const QList<ScenarioStep> &steps)
{
    return { .stage = stageFor(scenarioOf(paths, {}), networks()),
        .steps = steps,
        .worlds = 50'000,
        .bytes = qint64(1) << 30 };
}

const QString Lease = u"/leases/workshop"_s;

/// Operations on Blazar's sample.
OutcomesQuestion atTheLease(const QStringList &ops)
{
    const Pack &pack = packNamed(u"blazar"_s);
    Scenario sample;
    sample.resources = pack.sample;
    OutcomesQuestion question {
        .stage = stageFor(sample, pack), .worlds = 50'000, .bytes = qint64(1) << 30
    };
    for (qsizetype i = 0; i < ops.size(); ++i)
        question.steps += submitted(QChar(u'a' + int(i)), ops[i], Lease);
    return question;
}

Outcomes found(const OutcomesQuestion &question)
{
    OutcomesCounts counts;
    return valueOf(instar::outcomes(question, counts));
}

QString rowsText(const Outcomes &outcomes)
{
    QStringList lines;
    for (const Outcomes::Row &row : outcomes.rows)
        lines += QString(row.depth, u' ') + row.path.section(u'/', -1) + u' ' + row.before
            + (row.isChanged ? u" *"_s : u""_s);
    return lines.join(u'\n');
}

QStringList tracesText(const Outcomes &outcomes)
{
    QStringList lines;
    for (const Outcomes::Trace &trace : outcomes.traces)
        lines +=
            trace.words.join(u' ') + u" | "_s + QStringList(trace.operations.values()).join(u' ');
    return lines;
}

QList<ScenarioStep> anySteps(const Playground &ground, int count)
{
    QList<ScenarioStep> steps;
    for (int i = 0; i < count; ++i) {
        const Request request = anyRequest(ground, 100 + i);
        steps += submitted(request.id, request.op, request.path);
        steps.last().request = request;
    }
    return steps;
}

Property anyProperty(const Playground &ground)
{
    const QStringList words = shownWords(ground.rules, ground.world).values();
    return { .quantifier = Property::Quantifier(below(3)),
        .condition = { .kind = Condition::Kind::Related,
            .text = below(2) ? u"self"_s : u"children"_s,
            .some = below(2) == 1,
            .states = { words.isEmpty() ? u"Ready"_s : words[below(int(words.size()))] } } };
}

} // namespace

class TestOutcomes : public QObject
{
    Q_OBJECT

private slots:
    void rowsAreInTheTreesOrder();
    void whatIsBesideChangesNothing();
    void referencesHoldTogether();
    void clocksOfOthersStandStill();
    void waitingOperationsAreAnsweredBothWays();
    void timersMayStand();
    void everyClockStands();
    void whatNeedsAClock();
    void derivedOnesHaveTheirRequirer();
    void everyRefusalHasItsRule();
    void whatIsMadeComesLast();
    void tracesEndAsTheySay();
    void handsAreFree();
    void anyhow();
    void propertiesOfSituations_data();
    void propertiesOfSituations();
    void refusedProperties();
    void propertiesAreWhereTheTraceEnds();
    void overdueFactsAreFoundByTrying();
    void stoppedIsStillTold();
    void budget();
    void rehearsed();
    void whatWasGoneOnWithStays();
    void originsGo();
};

void TestOutcomes::rowsAreInTheTreesOrder()
{
    const Outcomes outcomes = found(
        questionOf({ Other, Net, Sub, Pool }, { submitted(u"a"_s, u"DELETE"_s, Sub, u"any"_s) }));
    QCOMPARE(rowsText(outcomes), u"n Succeeded *\n s Succeeded *\n  p Succeeded *"_s);
    QCOMPARE(tracesText(outcomes),
        QStringList({ u"Succeeded   | Succeeded"_s, u"Failed Failed Failed | Failed"_s }));
    QCOMPARE(outcomes.endings, 2);
    QVERIFY(outcomes.complete && !outcomes.isStopped);
    QCOMPARE(outcomes.traces[0].orders, 1.0);
    // In whatever order they are asked for.
    const Outcomes both = found(questionOf({ Other, Net, Sub },
        { submitted(u"a"_s, u"PUT"_s, Sub), submitted(u"b"_s, u"PUT"_s, Other) }));
    QCOMPARE(rowsText(both), u"m Succeeded\nn Succeeded\n s Succeeded"_s);
}

void TestOutcomes::whatIsBesideChangesNothing()
{
    int narrowed = 0, withOthers = 0;
    const auto endings = [](const Exploration &all, const Scope &scope, const QStringList &ids) {
        QSet<QString> found;
        for (const Ending &end : all.endings) {
            QStringList parts;
            for (const auto &[path, word] : end.resources.asKeyValueRange()) {
                if (scope.has(path))
                    parts += path + u' ' + word;
            }
            for (const QString &id : ids)
                parts += id + u' ' + end.operations.value(id);
            found += parts.join(u'\n');
        }
        return found;
    };
    QVERIFY(rc::check([&] {
        const Playground ground = below(3) ? randomPlayground() : knownPlayground(u"blazar"_s);
        Simulator simulator(ground.rules, ground.world);
        const int before = below(4);
        for (int i = 0; i < before; ++i) {
            simulator.submit(anyRequest(ground, i));
            if (below(2))
                simulator.step();
        }
        const Scenario scenario { .steps = anySteps(ground, 1 + below(2)) };
        const auto ids = mapped<QStringList>(
            scenario.steps, [](const ScenarioStep &step) { return step.request.id; });
        const Stage stage { ground.rules, simulator.world() };
        const Scope scope(stage.rules, stage.world, requestsIn(scenario.steps));
        ExploreOptions options { .by = ExploreOptions::By::Operations };
        options.budget.states = 400;
        const Result<Exploration> whole = explore(scenario, stage, options);
        options.premises.scope = scope;
        const Result<Exploration> narrow = explore(scenario, stage, options);
        RC_ASSERT(bool(whole) == bool(narrow));
        RC_PRE(whole && whole->complete && narrow->complete);
        RC_ASSERT(narrow->worlds <= whole->worlds);
        narrowed += narrow->worlds < whole->worlds;
        withOthers += std::ranges::any_of(stage.world.tree.resources(),
            [&](Resource resource) { return !scope.has(stage.world, resource); });
        RC_ASSERT(endings(*narrow, scope, ids) == endings(*whole, scope, ids));
        const auto isStuck = [&](const Exploration &all) {
            return std::ranges::any_of(all.deadEnds, [&](const Ending &end) {
                return std::ranges::any_of(
                    end.stuck, [&](const QString &path) { return scope.has(path); });
            });
        };
        RC_ASSERT(isStuck(*narrow) == isStuck(*whole));
        RC_ASSERT(std::ranges::all_of(narrow->deadEnds, [&](const Ending &end) {
            return std::ranges::all_of(
                end.stuck, [&](const QString &path) { return scope.has(path); });
        }));
    }));
    QVERIFY2(
        withOthers > 10 && narrowed > 3, qPrintable(u"%1 of %2"_s.arg(narrowed).arg(withOthers)));
}

void TestOutcomes::referencesHoldTogether()
{
    const QString pool = u"/GatewayPools/p"_s, tied = u"/gateways/tied"_s,
                  free = u"/gateways/free"_s;
    Scenario scenario;
    scenario.resources = { { .path = pool }, { .path = tied, .references = { pool } },
        { .path = free }, { .path = Net } };
    const Stage stage = stageFor(scenario, networks());
    const auto seen = [&](const Request &request) {
        const Scope scope(stage.rules, stage.world, { request });
        QStringList names;
        for (const QString &path : { pool, tied, free, Net, u"/gateways/made"_s }) {
            if (scope.has(path))
                names += path.section(u'/', -1);
        }
        return names.join(u' ');
    };
    QCOMPARE(seen({ .op = u"DELETE"_s, .path = pool }), u"p tied made"_s);
    QCOMPARE(seen({ .op = u"PUT"_s, .path = tied }), u"p tied made"_s);
    QCOMPARE(seen({ .op = u"PUT"_s, .path = free }), u"free made"_s);
    QCOMPARE(seen({ .op = u"PUT"_s, .path = free, .references = { pool } }), u"p tied free made"_s);
    QCOMPARE(Scope(stage.rules, stage.world, {}).has(Net), true);
}

void TestOutcomes::clocksOfOthersStandStill()
{
    const Outcomes outcomes = found(atTheLease({ u"update_lease"_s, u"delete_lease"_s }));
    QVERIFY(outcomes.complete);
    QVERIFY2(outcomes.worlds < 1'000, qPrintable(QString::number(outcomes.worlds)));
    QVERIFY(!outcomes.rows.isEmpty());
    for (const Outcomes::Row &row : outcomes.rows)
        QVERIFY2(row.path.startsWith(Lease), qPrintable(row.path));
    for (const Outcomes::Trace &trace : outcomes.traces)
        QVERIFY(!trace.trace.join(u' ').contains(u"/leases/rendering"_s));
    QVERIFY(std::ranges::any_of(outcomes.traces, [](const Outcomes::Trace &trace) {
        return trace.operations.value(u"a"_s) == u"Canceled"_s;
    }));
}

void TestOutcomes::waitingOperationsAreAnsweredBothWays()
{
    const QString soup = u"/soups/s"_s, other = u"/soups/other"_s;
    Scenario scenario;
    scenario.resources = { { .path = soup }, { .path = other } };
    const Outcomes outcomes = found({ .stage = stageFor(scenario, packOf(Soups)),
        .steps = { submitted(u"a"_s, u"serve"_s, soup), submitted(u"b"_s, u"boil"_s, other) },
        .worlds = 50'000,
        .bytes = qint64(1) << 30 });
    QCOMPARE(outcomes.deadEnds, 1); // the first trace, which is an ending, too
    QCOMPARE(tracesText(outcomes),
        QStringList({ u"waiting hot | Waiting Succeeded"_s, u"waiting hot | Waiting Succeeded"_s,
            u"hot hot | Succeeded Succeeded"_s }));
}

void TestOutcomes::timersMayStand()
{
    OutcomesQuestion question = atTheLease({ u"update_lease"_s });
    const auto fires = [](const Outcomes &outcomes) {
        return std::ranges::any_of(outcomes.traces, [](const Outcomes::Trace &trace) {
            return std::ranges::any_of(
                trace.schedule, [](const Event &event) { return event.kind == Event::Kind::Fire; });
        });
    };
    const Outcomes passing = found(question);
    QVERIFY(fires(passing));
    question.timers = Timers::Stopped;
    const Outcomes standing = found(question);
    QVERIFY(standing.complete && standing.worlds < passing.worlds);
    QVERIFY(standing.timers == Timers::Stopped && !fires(standing));
    QCOMPARE(standing.deadEnds, 0);
    QCOMPARE(standing.endings, 1);
}

void TestOutcomes::everyClockStands()
{
    const auto told = [](const QString &op, Timers timers, const QString &outcome = {}) {
        QStringList lines;
        const Outcomes outcomes = found(atThePot(op, timers, outcome));
        for (const Outcomes::Trace &trace : outcomes.traces)
            lines += trace.words.join(u' ') + u" | "_s + trace.operations.value(u"a"_s);
        lines.sort();
        return lines.join(u'\n');
    };
    QCOMPARE(told(u"boil"_s, Timers::Fire), u"cold | Succeeded\nruined | Failed"_s);
    QCOMPARE(told(u"boil"_s, Timers::Stopped), u"hot | Succeeded"_s);
    QCOMPARE(told(u"put aside"_s, Timers::Stopped), u"aside | Succeeded"_s);
    QCOMPARE(told(u"draw"_s, Timers::Fire), u"cold | Succeeded"_s);
    QCOMPARE(told(u"draw"_s, Timers::Stopped), u"drawing | Waiting"_s);
    OutcomesQuestion again = atThePot(u"boil"_s, Timers::Stopped);
    again.steps.first().request.transientFailures = 1;
    const Outcomes outcomes = found(again);
    QVERIFY(std::ranges::any_of(outcomes.traces, [](const Outcomes::Trace &trace) {
        return trace.trace.contains(u"begin a"_s) && trace.words == QStringList(u"hot"_s);
    }));
}

void TestOutcomes::whatNeedsAClock()
{
    QVERIFY(!needClock(rulesOf(networks())));
    QVERIFY(needClock(rulesOf(packNamed(u"blazar"_s))));
    const QByteArray limit = R"(, "timer": {"outcome": "burnt", "after": 5000})";
    const QByteArray until = R"({"until": {"elapsed": {"since": "tea"}}})";
    const QByteArray cools = R"("timer": {"op": "cool", "after": 3000})",
                     pours = R"("timer": {"op": "pour", "after": 10})";
    const auto needs = [&](const QList<QByteArray> &left) {
        QByteArray text = Pots;
        for (const QByteArray &each : { limit, cools, pours }) {
            if (!left.contains(each))
                text.replace(each, "");
        }
        if (!left.contains(until))
            text.replace(until, R"({"until": "somebody pours"})");
        return needClock(rulesOf(packOf(text)));
    };
    QVERIFY(!needs({}));
    QVERIFY(needs({ limit }));
    QVERIFY(needs({ until }));
    QVERIFY(needs({ pours }));
}

void TestOutcomes::derivedOnesHaveTheirRequirer()
{
    OutcomesQuestion question = atTheLease({ u"delete_lease"_s });
    const auto derivedOf = [](const Outcomes &outcomes) {
        QSet<QString> texts;
        for (const Outcomes::Trace &trace : outcomes.traces) {
            for (const auto &[id, derived] : trace.derived.asKeyValueRange())
                texts += u"%1 %2 %3 < %4"_s.arg(
                    id, derived.request->op, derived.request->path, derived.requirer);
        }
        return texts;
    };
    const QSet<QString> all = derivedOf(found(question));
    const QString list = QStringList(all.values()).join(u'\n');
    QVERIFY2(all.contains(u"a.1 release %1/reservations/hosts < a"_s.arg(Lease)), qPrintable(list));
    // And what the clock began, with what that required.
    QVERIFY2(all.contains(u"clock.1 fire %1/events/end_lease < "_s.arg(Lease))
            && all.contains(u"clock.1.1 end_lease %1 < clock.1"_s.arg(Lease)),
        qPrintable(list));
    for (const QString &one : all)
        QVERIFY2(!one.startsWith(u"a "_s), qPrintable(one)); // what was asked for is its asker's
    // Also those that were required before anybody asked.
    Simulator simulator(question.stage.rules, question.stage.world);
    simulator.submit({ .op = u"delete_lease"_s, .path = Lease, .id = u"before"_s, .hang = true });
    question.stage.world = simulator.world();
    question.steps = { submitted(u"a"_s, u"update_lease"_s, Lease) };
    question.timers = Timers::Stopped;
    const QSet<QString> begun = derivedOf(found(question));
    QVERIFY2(begun.contains(u"before.1 release %1/reservations/hosts < before"_s.arg(Lease)),
        qPrintable(QStringList(begun.values()).join(u'\n')));
}

void TestOutcomes::everyRefusalHasItsRule()
{
    const QString desk = u"/desks/a"_s, drawer = desk + u"/drawers/d"_s;
    Scenario scenario;
    scenario.resources = { { .path = desk }, { .path = drawer } };
    OutcomesQuestion question {
        .stage = stageFor(scenario, packOf(Desks)), .worlds = 50'000, .bytes = qint64(1) << 30
    };
    Simulator simulator(question.stage.rules, question.stage.world);
    simulator.submit({ .op = u"look"_s, .path = desk, .id = u"first"_s });
    simulator.submit({ .op = u"fit"_s, .path = desk, .id = u"fit"_s });
    simulator.submit({ .op = u"sell"_s, .path = drawer, .id = u"sale"_s });
    simulator.submit({ .op = u"sell"_s, .path = drawer, .id = u"late"_s });
    question.stage.world = simulator.world();
    const Outcomes::Trace trace = found(question).traces.value(0);
    QCOMPARE(trace.refusals.value(u"late"_s).text(), u"410 Gone"_s);
    QCOMPARE(trace.deciding,
        (QMap<QString, QString> {
            { u"fit.1"_s, u"A sale goes first."_s }, { u"late"_s, u"It is sold."_s } }));
}

void TestOutcomes::whatIsMadeComesLast()
{
    const QString made = Net + u"/subnets/a"_s; // first in the alphabet, last in the tree
    const Outcomes outcomes =
        found(questionOf({ Net, Sub }, { submitted(u"a"_s, u"PUT"_s, made) }));
    QCOMPARE(rowsText(outcomes), u"n Succeeded\n a  *"_s);
    QCOMPARE(tracesText(outcomes), QStringList({ u"Succeeded Succeeded | Succeeded"_s }));
}

void TestOutcomes::tracesEndAsTheySay()
{
    int told = 0;
    QVERIFY(rc::check([&] {
        const Playground ground = randomPlayground();
        Simulator simulator(ground.rules, ground.world);
        const int before = below(5);
        for (int i = 0; i < before; ++i)
            simulator.submit(anyRequest(ground, i));
        OutcomesQuestion question {
            .stage = { ground.rules, simulator.world() }, .worlds = 1'000, .bytes = 1 << 30
        };
        question.steps = anySteps(ground, 2);
        const Outcomes outcomes = found(question);
        Rehearsal rehearsal(simulator);
        const Rehearsal::Origin origin = rehearsal.origin(simulator.moment());
        for (qsizetype i = 0; i < outcomes.traces.size(); ++i) {
            const Outcomes::Trace &trace = outcomes.traces[i];
            RC_ASSERT(trace.trace.size() == trace.schedule.size());
            RC_ASSERT(rehearsal.show(
                { quint64(i), u"it"_s, origin, trace.schedule }, trace.schedule.size()));
            const QMap<QString, QString> shown = shownWords(simulator.rules(), simulator.world());
            for (qsizetype row = 0; row < outcomes.rows.size(); ++row)
                RC_ASSERT(shown.value(outcomes.rows[row].path) == trace.words[row]);
            for (auto it = trace.operations.cbegin(); it != trace.operations.cend(); ++it)
                RC_ASSERT(statusName(simulator.operations().find(it.key())->status) == *it);
            // What is no row stays as it was.
            const QMap<QString, QString> first = shownWords(ground.rules, question.stage.world);
            for (auto it = shown.cbegin(); it != shown.cend(); ++it) {
                const bool isRow = std::ranges::any_of(
                    outcomes.rows, [&](const Outcomes::Row &row) { return row.path == it.key(); });
                RC_ASSERT(isRow || first.value(it.key()) == it.value());
            }
            RC_ASSERT(simulator.branches().size() <= 2);
            ++told;
        }
    }));
    QVERIFY2(told > 40, qPrintable(QString::number(told)));
}

void TestOutcomes::handsAreFree()
{
    OutcomesQuestion question = questionOf({ Net }, {});
    Simulator simulator(question.stage.rules, question.stage.world);
    simulator.submit({ .op = u"PUT"_s, .path = Net, .id = u"before"_s, .hang = true });
    question.stage.world = simulator.world();
    QCOMPARE(tracesText(found(question)),
        QStringList({ u"Succeeded | Succeeded"_s, u"Failed | Failed"_s }));

    question = questionOf({ Net }, { submitted(u"a"_s, u"PUT"_s, Net) });
    question.steps.first().request.hang = true;
    QCOMPARE(tracesText(found(question)),
        QStringList({ u"Succeeded | Succeeded"_s, u"Failed | Failed"_s }));
}

void TestOutcomes::anyhow()
{
    OutcomesQuestion question = questionOf({ Net }, { submitted(u"a"_s, u"PUT"_s, Net) });
    QCOMPARE(found(question).endings, 1);
    question.openAll();
    QCOMPARE(found(question).endings, 2);
    Simulator simulator(question.stage.rules, question.stage.world);
    simulator.submit({ .op = u"PUT"_s, .path = Net, .id = u"before"_s });
    question.stage.world = simulator.world();
    question.steps.clear();
    QCOMPARE(found(question).endings, 2);
}

void TestOutcomes::propertiesOfSituations_data()
{
    using Quantifier = Property::Quantifier;
    using When = Property::When;
    QTest::addColumn<Property>("property");
    QTest::addColumn<QString>("trace"); // "holds nowhere": none
    const auto row = [](Quantifier quantifier, const char *of, const char *words, const char *trace,
                         Property::When when = Property::When::Is, const char *other = nullptr,
                         int within = 0) {
        Property property { .quantifier = quantifier,
            .of = QString::fromUtf8(of),
            .condition = *conditionFromWords(QString::fromUtf8(words)),
            .when = when,
            .within = within };
        if (other)
            property.other = { { .of =
                                     when == When::Overdue ? Property::Same.toString() : QString(),
                .condition = *conditionFromWords(QString::fromUtf8(other)) } };
        QTest::addRow(
            "%d %s %s %d %s %d", int(quantifier), of, words, int(when), other ? other : "", within)
            << property << QString::fromUtf8(trace);
    };
    const char *nowhere = "holds nowhere";
    row(Quantifier::Some, "", "self is Failed", "submit a; failed a");
    row(Quantifier::Some, "", "self is Updating", "submit a");
    row(Quantifier::Some, "", "self is Updating", nowhere, When::ForEver);
    row(Quantifier::Some, "", "self is Failed", "submit a; failed a", When::ForEver);
    row(Quantifier::Some, "logicalNetworks", "self is Updating", "submit a");
    row(Quantifier::Some, "logicalNetworks/subnets", "self is Deleting and parent is Succeeded",
        nowhere);
    row(Quantifier::Every, "logicalNetworks/subnets", "parent is Updating", "submit a");
    row(Quantifier::Every, "logicalNetworks/subnets/ipPools", "self is Failed", nowhere);
    row(Quantifier::No, "logicalNetworks/subnets", "self is Succeeded", "submit a");
    row(Quantifier::No, "", "self is Succeeded and no children", "submit a");
    row(Quantifier::Some, "", "not /logicalNetworks/n is Succeeded", "submit a");
    const char *net = "/logicalNetworks/n", *succeeded = "self is Succeeded";
    row(Quantifier::Some, net, "self is Updating", "submit a");
    row(Quantifier::Some, net, "self is Deleting", nowhere);
    row(Quantifier::No, net, "self exists", nowhere);
    row(Quantifier::No, "/logicalNetworks/gone", "self exists", "");
    // A resource that does not exist is in its initial state.
    row(Quantifier::Some, "/logicalNetworks/gone",
        "self is absent and /logicalNetworks/n is Updating", "submit a");
    row(Quantifier::Some, net, "self is absent and some children is Updating", nowhere);
    row(Quantifier::Some, net, succeeded, "");
    row(Quantifier::Some, net, succeeded, "submit a; succeeded a", When::Becomes);
    row(Quantifier::Some, net, "self exists", nowhere, When::Becomes);
    row(Quantifier::Some, net, succeeded, "submit a; succeeded a", When::After, "self is Updating");
    row(Quantifier::Some, net, succeeded, nowhere, When::After, "self is Failed");
    row(Quantifier::Some, net, "self is Updating", "submit a", When::After, succeeded);
    const char *updating = "self is Updating", *settled = "self is Succeeded or Failed";
    row(Quantifier::Some, net, updating, "submit a", When::Overdue, settled);
    row(Quantifier::Some, net, updating, nowhere, When::Overdue, settled, 1);
    row(Quantifier::Some, "", updating, nowhere, When::Overdue, settled, 1);
    row(Quantifier::Some, "", updating, "submit a; failed a", When::Overdue, succeeded, 9);
    row(Quantifier::Some, "logicalNetworks", succeeded, "submit a; succeeded a", When::Overdue,
        "self is Deleting", 2);
}

void TestOutcomes::propertiesOfSituations()
{
    QFETCH(Property, property);
    OutcomesQuestion question = questionOf({ Net, Sub }, { submitted(u"a"_s, u"PUT"_s, Sub) });
    question.steps.first().anyOutcome = true;
    property.text = u"asked"_s;
    question.property = property;
    const Outcomes outcomes = found(question);
    QVERIFY(outcomes.complete);
    QCOMPARE(outcomes.property, u"asked"_s);
    QTEST(outcomes.hasProperty() ? outcomes.traces[0].trace.join(u"; "_s) : u"holds nowhere"_s,
        "trace");
    question.property.reset();
    QCOMPARE(found(question).traces.size(), outcomes.traces.size() - outcomes.hasProperty());
}

void TestOutcomes::refusedProperties()
{
    OutcomesQuestion question = questionOf({ Net }, { submitted(u"a"_s, u"PUT"_s, Net) });
    for (const char *words : { "self is Sleeping", "n is Failed", "unheard of",
             "property unheard is 1", "last was Succeeded", "required by parent" }) {
        question.property = Property { .condition = *conditionFromWords(QString::fromUtf8(words)) };
        OutcomesCounts counts;
        QVERIFY2(!instar::outcomes(question, counts), words);
    }
    for (const QString &of : { u"unheard"_s, u"/unheard/of"_s, u"/logicalNetworks"_s }) {
        question.property = Property { .of = of };
        OutcomesCounts counts;
        QVERIFY(!instar::outcomes(question, counts));
    }
}

void TestOutcomes::propertiesAreWhereTheTraceEnds()
{
    int with = 0, without = 0;
    QVERIFY(rc::check([&] {
        const Playground ground = randomPlayground();
        OutcomesQuestion question {
            .stage = { ground.rules, ground.world }, .worlds = 1'000, .bytes = 1 << 30
        };
        question.steps = anySteps(ground, 2);
        question.property = anyProperty(ground);
        question.property->when = Property::When(below(4));
        if (question.property->when == Property::When::After)
            question.property->other = { anyProperty(ground) };
        const auto has = compiledProperty(*question.property, ground.rules);
        RC_PRE(bool(has));
        const Outcomes outcomes = found(question);
        Simulator simulator(ground.rules, ground.world);
        Rehearsal rehearsal(simulator);
        const Rehearsal::Origin origin = rehearsal.origin(simulator.moment());
        for (qsizetype i = 0; i < outcomes.traces.size(); ++i) {
            const Outcomes::Trace &trace = outcomes.traces[i];
            RC_ASSERT(rehearsal.show(
                { quint64(i), u"it"_s, origin, trace.schedule }, trace.schedule.size()));
            const auto isMet = [&] {
                const auto heldAt = [&](const Property &property, qsizetype moment) {
                    return (*compiledProperty(property, ground.rules))(simulator.worldAt(moment));
                };
                const qsizetype last = simulator.moment();
                const bool becomes = question.property->when == Property::When::Becomes;
                bool isTime = becomes ? last > 0 && !heldAt(*question.property, last - 1)
                                      : question.property->other.empty();
                for (qsizetype moment = 0; !becomes && !isTime && moment < last; ++moment)
                    isTime = heldAt(question.property->other[0], moment);
                return isTime && (*has)(simulator.world());
            };
            if (trace.kind == Ending::Kind::HasProperty)
                RC_ASSERT(isMet());
            else if (!outcomes.hasProperty() && trace.kind == Ending::Kind::Ending)
                RC_ASSERT(!isMet());
        }
        ++(outcomes.hasProperty() ? with : without);
    }));
    QVERIFY2(with > 10 && without > 10, qPrintable(u"%1, %2"_s.arg(with).arg(without)));
}

void TestOutcomes::overdueFactsAreFoundByTrying()
{
    int with = 0, without = 0;
    QVERIFY(rc::check([&] {
        const Playground ground = randomPlayground();
        const Stage stage { ground.rules, ground.world };
        const Scenario scenario { .steps = anySteps(ground, 2) };
        Property property = anyProperty(ground), other = anyProperty(ground);
        property.quantifier = Property::Quantifier::Some;
        other.of = Property::Same.toString();
        property.when = Property::When::Overdue;
        property.other = { other };
        property.within = below(4);
        const Premises premises { .timers = Timers::Stopped };
        const auto found = explore(scenario, stage,
            { .budget = { .states = 1'000 }, .premises = premises, .property = property });
        const Result<Scenario> named = explorable(scenario, stage);
        RC_PRE(found && named);
        const Script script(
            ground.rules, *named, ExploreOptions::By::Trees, ground.world, premises);
        const SearchState start = script.startOf(ground.world);
        int tries = 0;
        // True if a fact is overdue on a path that goes on from a state, with these words if any.
        const auto isLate = [&](const auto &again, const auto &facts, const QStringList &trace,
                                const SearchState &state, qsizetype depth, bool wasTrue,
                                int age) -> bool {
            const bool isTrue = facts.first(state.world);
            age = facts.second(state.world) ? -1 : age >= 0 ? age + 1 : isTrue && !wasTrue ? 0 : -1;
            if (age == property.within || --tries < 0)
                return age == property.within;
            bool isEnd = true;
            for (const Event &move : script.moves(state)) {
                for (const SearchEdge &edge : edgesOf(ground.rules, script, state, move)) {
                    isEnd = false;
                    if ((trace.isEmpty() || script.words(state.world, edge) == trace.value(depth))
                        && again(again, facts, trace, edge.next, depth + 1, isTrue, age))
                        return true;
                }
            }
            return isEnd && age >= 0;
        };
        const auto isAnyLate = [&](const QStringList &trace) {
            tries = 5'000;
            return std::ranges::any_of(ground.paths, [&](const QString &path) {
                Property fact = property, next = other;
                fact.of = next.of = path;
                const auto begins = compiledProperty(fact, ground.rules),
                           follows = compiledProperty(next, ground.rules);
                const auto beginsHere = [&](const World &world) {
                    return world.tree.find(path) != NoResource && (*begins)(world);
                };
                return begins && follows
                    && isLate(isLate, std::pair(beginsHere, *follows), trace, start, 0, false, -1);
            });
        };
        const bool isFound = isAnyLate({});
        if (found->worlds >= 1'000 || tries < 0)
            return;
        RC_ASSERT(bool(found->hasProperty) == isFound);
        if (isFound) // RC_ASSERT evaluates both sides of ||
            RC_ASSERT(isAnyLate(found->hasProperty->trace));
        ++(isFound ? with : without);
    }));
    QVERIFY2(with > 10 && without > 10, qPrintable(u"%1, %2"_s.arg(with).arg(without)));
}

void TestOutcomes::stoppedIsStillTold()
{
    QList<ScenarioStep> steps;
    for (int i = 0; i < 5; ++i)
        steps +=
            submitted(QChar(u'a' + i), i % 2 ? u"DELETE"_s : u"PUT"_s, i % 3 ? Sub : Net, u"any"_s);
    OutcomesCounts counts;
    counts.isStopped = true;
    const Result<Outcomes> some = outcomes(questionOf({ Net, Sub }, steps), counts);
    QVERIFY(some && some->isStopped && !some->complete);
    QVERIFY(counts.worlds > 0 && counts.worlds <= some->worlds);
    // An overdue fact is searched after the states.
    const Property late { .condition = *conditionFromWords(u"self is Updating"_s),
        .when = Property::When::Overdue,
        .other = { { .of = Property::Same.toString(),
            .condition = *conditionFromWords(u"self is Deleting"_s) } },
        .within = 1 };
    const Stage stage = questionOf({ Net }, {}).stage;
    const Scenario scenario { .steps = { submitted(u"a"_s, u"PUT"_s, Net) } };
    for (const bool goesOn : { true, false }) {
        const Result<Exploration> all = explore(scenario, stage,
            { .property = late, .goesOn = [goesOn](qint64, qint64) { return goesOn; } });
        QVERIFY(all && all->complete == goesOn && all->hasProperty.has_value() == goesOn);
        QCOMPARE(all->stoppedBy, goesOn ? Limit::None : Limit::Canceled);
    }
}

void TestOutcomes::budget()
{
    OutcomesQuestion question = questionOf(
        { Net, Sub }, { submitted(u"a"_s, u"PUT"_s, Net), submitted(u"b"_s, u"PUT"_s, Sub) });
    question.worlds = 4;
    const Outcomes some = found(question);
    QVERIFY(!some.complete && !some.isStopped);
    QCOMPARE(some.worlds, 4);
}

void TestOutcomes::rehearsed()
{
    const OutcomesQuestion question =
        questionOf({ Net, Sub }, { submitted(u"a"_s, u"PUT"_s, Net, u"any"_s) });
    const Outcomes outcomes = found(question);
    QCOMPARE(outcomes.traces.size(), 2);
    Simulator simulator(question.stage.rules, question.stage.world);
    Rehearsal rehearsal(simulator);
    const Rehearsal::Origin origin = rehearsal.origin(0);
    const auto trace = [&](int number) {
        return Rehearsal::Trace { quint64(number), u"story %1"_s.arg(number), origin,
            outcomes.traces[number].schedule };
    };
    QVERIFY(!rehearsal.steps(trace(0)));
    QVERIFY(rehearsal.show(trace(0), 0));
    QCOMPARE(simulator.branches().size(), 2);
    QCOMPARE(simulator.branches().last().name, u"story 0"_s);
    QCOMPARE(simulator.moment(), 0);
    QCOMPARE(simulator.lastMoment(), 2);
    QCOMPARE(*rehearsal.steps(trace(0)), 0);
    simulator.step();
    QCOMPARE(*rehearsal.steps(trace(0)), 1);
    QVERIFY(!rehearsal.steps(trace(1)));
    QVERIFY(rehearsal.show(trace(1), 2));
    QCOMPARE(simulator.branches().size(), 2); // it made room
    QCOMPARE(simulator.branches().last().name, u"story 1"_s);
    QCOMPARE(simulator.moment(), 2);
    simulator.switchTo(0);
    QVERIFY(!rehearsal.steps(trace(1)));
    QCOMPARE(simulator.lastMoment(), 0); // nothing of it is here
    QVERIFY(rehearsal.show(trace(1), 1));
    QCOMPARE(simulator.branches().size(), 2);
    QCOMPARE(simulator.timeOf(1), 1000);
}

void TestOutcomes::whatWasGoneOnWithStays()
{
    const OutcomesQuestion question =
        questionOf({ Net, Sub }, { submitted(u"a"_s, u"PUT"_s, Net, u"any"_s) });
    const Outcomes outcomes = found(question);
    Simulator simulator(question.stage.rules, question.stage.world);
    Rehearsal rehearsal(simulator);
    const Rehearsal::Origin origin = rehearsal.origin(0);
    const auto trace = [&](quint64 number) {
        return Rehearsal::Trace { number, u"story"_s, origin,
            outcomes.traces[qsizetype(number % 2)].schedule };
    };
    rehearsal.show(trace(0), 2);
    simulator.submit({ .op = u"PUT"_s, .path = Sub }); // more than the story
    rehearsal.show(trace(1), 2);
    QCOMPARE(simulator.branches().size(), 3);
    simulator.jump(1);
    simulator.submit({ .op = u"PUT"_s, .path = Sub }); // a branch on the story's
    rehearsal.show(trace(2), 2);
    QCOMPARE(simulator.branches().size(), 5);
    simulator.renameBranch(simulator.branch(), u"mine"_s);
    rehearsal.show(trace(3), 2);
    QCOMPARE(simulator.branches().size(), 6);
    // Something is asked from a story on: it is no longer only looked at.
    const Rehearsal::Origin further = rehearsal.origin(simulator.moment());
    rehearsal.show({ 4, u"story"_s, further, {} }, 0);
    QCOMPARE(simulator.branches().size(), 6);
    QVERIFY(rehearsal.exists(further));
}

void TestOutcomes::originsGo()
{
    const OutcomesQuestion question = questionOf({ Net }, { submitted(u"a"_s, u"PUT"_s, Net) });
    const Outcomes outcomes = found(question);
    Simulator simulator(question.stage.rules, question.stage.world);
    Rehearsal rehearsal(simulator);
    const Rehearsal::Trace trace { 1, u"story"_s, rehearsal.origin(0),
        outcomes.traces.first().schedule };
    QVERIFY(rehearsal.exists(trace.origin));
    simulator.reset();
    QVERIFY(!rehearsal.exists(trace.origin));
    QVERIFY(!rehearsal.show(trace, 0));
    QCOMPARE(simulator.branches().size(), 1);

    simulator.submit({ .op = u"PUT"_s, .path = Net });
    simulator.jump(0);
    simulator.submit({ .op = u"DELETE"_s, .path = Net });
    const Rehearsal::Origin onBranch = rehearsal.origin(1);
    QVERIFY(rehearsal.exists(onBranch));
    simulator.removeBranch(simulator.branch());
    QVERIFY(!rehearsal.exists(onBranch));
}

const instar::TestClass<TestOutcomes> registered;
#include "tst_outcomes.moc"
