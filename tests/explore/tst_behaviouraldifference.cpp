// SPDX-License-Identifier: Apache-2.0
#include "model/explore/behaviouraldifference.h"
#include "model/json/comparison.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/pack/runnablepack.h"
#include "tests/support/packtext.h"
#include "tests/support/property.h"
#include "tests/support/randompack.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QElapsedTimer>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// Two systems that go through the same until one of them answers otherwise.
class TestBehaviouralDifference : public QObject
{
    Q_OBJECT

private slots:
    void packs_data();
    void packs();
    void rules_data();
    void rules();
    void renamedAlone_data() { addRowsOf("id", builtInPacks()); }
    void renamedAlone();
    void renamedAndBroken();
    void worldsThatBeginOtherwise();
    void timePasses();
    void openConditions();
    void budget();
    void randomRenamed();
    void randomBroken();
};

namespace {

/// What did not come true of what a scenario expects on a pack, one fact a line.
QString failures(const Scenario &scenario, const Pack &pack)
{
    const Result<Stage> stage = stageOf(scenario, pack);
    if (!stage)
        return stage.error();
    Simulator simulator(stage->rules, stage->world);
    QStringList lines;
    for (const Failure &failure : play(scenario, simulator).failures)
        lines += failure.text;
    return lines.join(u'\n');
}

struct Found
{
    BehaviouralDifference difference;
    Scenario own, other; ///< in either pack's names
};

Found foundIn(const Pack &a, const Pack &b, qint64 worlds = 20'000)
{
    const QList<Renaming> names = compared({ {}, a, {} }, { {}, b, {} }).renamings;
    const Pack alike = renamed(a, names);
    Found found { behaviouralDifference(
                      rulesOf(alike), rulesOf(b), alike.sample, { .states = worlds }),
        {}, {} };
    if (found.difference.scenario) {
        found.other = *found.difference.scenario;
        found.own = inNamesBefore(names, rulesOf(alike), found.other);
    }
    return found;
}

/// The steps in words.
QString steps(const Scenario &scenario)
{
    QStringList lines;
    for (const ScenarioStep &step : scenario.steps) {
        if (step.kind == ScenarioStep::Kind::Submit)
            lines += u"%1 %2"_s.arg(step.request.op, step.request.path);
        else if (step.kind == ScenarioStep::Kind::End)
            lines += u"%1 %2"_s.arg(step.operation, step.outcome);
    }
    return lines.join(u", "_s);
}

/// What is found really is so on the first, and not on the second; and a file can hold it.
void verifyPlayed(const Found &found, const Pack &a, const Pack &b)
{
    QVERIFY(found.difference.scenario);
    QVERIFY(!found.difference.facts.isEmpty());
    for (const ScenarioStep &step : found.own.steps)
        QVERIFY(step.kind != ScenarioStep::Kind::Submit || step.request.hang);
    QCOMPARE(failures(found.own, a), QString());
    QVERIFY(!failures(found.other, b).isEmpty());
    const JsonText text = valueOf(JsonText::parse(writeScenario(found.own), u"own.json"_s));
    const Scenario read = valueOf(readScenario(text, a));
    QCOMPARE(failures(read, a), QString());
}

/// A boiler that is heated and cooled, and may boil over.
const QByteArray boilerText = R"({
  "id": "boiler",
  "types": {"boilers": {"machine": "boiler"}},
  "operations": {"heat": {}, "cool": {}},
  "outcomes": {"late": {}},
  "machines": {"boiler": {"rest": "cold",
    "states": {"none": {"kind": "initial"}, "cold": {}, "hot": {}, "broken": {},
      "heating": {"kind": "transitional"}, "cooling": {"kind": "transitional"}},
    "transitions": [
      {"from": "none", "on": "heat", "to": "heating"},
      {"from": "cold", "on": "heat", "to": "heating"},
      {"from": ["hot", "heating"], "on": "cool", "to": "cooling"},
      {"from": "heating", "on": "succeeded", "to": "hot"},
      {"from": "heating", "on": "failed", "to": "broken"},
      {"from": "cooling", "on": "succeeded", "to": "cold"},
      {"from": "cooling", "on": "failed", "to": "broken"}]}},
  "conflicts": [{"on": "cool", "running": "heat", "then": "cancel"},
    {"then": "reject", "code": "busy"}],
  "refusals": {"busy": {"http": 409}},
  "sample": {"resources": [{"path": "/boilers/b1"}, {"path": "/boilers/b2", "state": "hot"}]}
})";

using Edit = void (*)(Pack &);

QString factsOf(const BehaviouralDifference &difference)
{
    QStringList texts;
    for (const Fact &fact : difference.facts)
        texts += factText(fact);
    return texts.join(u"; "_s);
}

} // namespace
Q_DECLARE_METATYPE(Edit)

void TestBehaviouralDifference::packs_data()
{
    const Rows<Pack, Pack> row("a", "b");
    const auto under = [](const QString &name, const QString &value) {
        return withSwitches(packNamed(u"blazar"_s), { { name, value } });
    };
    row("at once or not", packNamed(u"network-controller"_s),
        packNamed(u"network-controller-sync"_s));
    row("relationships", under(u"relationships"_s, u"document"_s),
        under(u"relationships"_s, u"code"_s));
    row("and back", under(u"relationships"_s, u"code"_s), under(u"relationships"_s, u"document"_s));
    Pack broken = packNamed(u"network-controller"_s);
    for (Conflict &conflict : broken.conflicts) {
        if (conflict.then == Conflict::Then::Reject) {
            conflict.then = Conflict::Then::Cancel;
            conflict.code.clear();
            break;
        }
    }
    row("a conflict cancels", packNamed(u"network-controller"_s), broken);
}

void TestBehaviouralDifference::packs()
{
    QFETCH(Pack, a);
    QFETCH(Pack, b);
    QElapsedTimer clock;
    clock.start();
    const Found found = foundIn(a, b, 60'000);
    qInfo("%s: %lld worlds, %lld ms", qPrintable(steps(found.own)), found.difference.worlds,
        clock.elapsed());
    verifyPlayed(found, a, b);
}

void TestBehaviouralDifference::rules_data()
{
    // expected: steps, and what is otherwise; empty: nothing is
    const Rows<Edit, QString> row("edit", "expected");
    row("nothing", [](Pack &) {}, {});
    row("what nobody meets", [](Pack &pack) { pack.machines[0].states[3].label = u"Oh"_s; }, {});
    row("a row that never speaks",
        [](Pack &pack) {
            pack.machines[0].transitions.append(pack.machines[0].transitions.first());
            pack.machines[0].transitions.last().to = { u"broken"_s };
        },
        {});
    row(
        "a conflict rejects",
        [](Pack &pack) {
            pack.conflicts[0].then = Conflict::Then::Reject;
            pack.conflicts[0].code = u"busy"_s;
        },
        u"heat /boilers/b1, cool /boilers/b1: operation op1: Canceled, InProgress; "
        u"operation op2: InProgress, Rejected; /boilers/b1: cooling, heating"_s);
    row(
        "another code", [](Pack &pack) { pack.refusals[0].code = u"Busy"_s; },
        u"heat /boilers/b1, heat /boilers/b1: error code of op2: busy, Busy"_s);
    row(
        "another end", [](Pack &pack) { pack.machines[0].transitions[4].to = { u"cold"_s }; },
        u"heat /boilers/b1, op1 failed: /boilers/b1: broken, cold"_s);
    row(
        "another end later", [](Pack &pack) { pack.machines[0].transitions[6].to = { u"cold"_s }; },
        u"cool /boilers/b2, op1 failed: /boilers/b2: broken, cold"_s);
    row(
        "another status",
        [](Pack &pack) {
            Outcome outcome;
            outcome.id = u"failed"_s;
            outcome.status = u"Succeeded"_s;
            pack.outcomes.append(outcome);
        },
        u"heat /boilers/b1, op1 failed: operation op1: Failed, Succeeded"_s);
    row(
        "another word", [](Pack &pack) { pack.machines[0].states[4].as = u"hot"_s; },
        u"heat /boilers/b1: /boilers/b1: heating, hot"_s);
    row(
        "no way to make one", [](Pack &pack) { pack.machines[0].transitions.removeFirst(); },
        u"heat /boilers/new: operation op1: InProgress, Rejected; /boilers/new: heating, "
        u"nothing"_s);
}

void TestBehaviouralDifference::rules()
{
    QFETCH(Edit, edit);
    QFETCH(QString, expected);
    const Pack a = packOf(boilerText);
    Pack b = a;
    edit(b);
    const Found found = foundIn(a, b, 3000);
    if (expected.isEmpty()) {
        QVERIFY(!found.difference.scenario);
        QVERIFY(found.difference.worlds > 100);
        return;
    }
    QCOMPARE(steps(found.own) + u": "_s + factsOf(found.difference), expected);
    verifyPlayed(found, a, b);
}

void TestBehaviouralDifference::renamedAlone()
{
    QFETCH(QString, id);
    const Pack pack = packNamed(id);
    const Machine &machine = pack.machines[0];
    const QString other = u"fresh-name"_s;
    const Pack changed = renamed(renamed(pack, Name::State, machine.rest, other, machine.id),
        Name::Machine, machine.id, other);
    const Found found = foundIn(pack, changed, 1000);
    QVERIFY2(!found.difference.scenario, qPrintable(factsOf(found.difference)));
    QVERIFY(found.difference.worlds >= 1000 || found.difference.complete);
}

/// Each side has the scenario in its own names.
void TestBehaviouralDifference::renamedAndBroken()
{
    const Pack a = packOf(boilerText);
    Pack b = renamed(a,
        { { Name::State, u"boiler"_s, u"broken"_s, u"burst"_s },
            { Name::State, u"boiler"_s, u"heating"_s, u"warming"_s },
            { Name::Operation, {}, u"heat"_s, u"warm"_s },
            { Name::Type, {}, u"boilers"_s, u"kettles"_s } });
    b.machines[0].transitions[4].to = { u"cold"_s };
    const Found found = foundIn(a, b);
    QCOMPARE(steps(found.own), u"heat /boilers/b1, op1 failed"_s);
    QCOMPARE(steps(found.other), u"warm /kettles/b1, op1 failed"_s);
    QCOMPARE(found.own.steps.last().expectation.resources,
        (QMap<QString, QString> { { u"/boilers/b1"_s, u"broken"_s } }));
    QCOMPARE(found.other.steps.last().expectation.resources,
        (QMap<QString, QString> { { u"/kettles/b1"_s, u"burst"_s } }));
    verifyPlayed(found, a, b);
}

void TestBehaviouralDifference::worldsThatBeginOtherwise()
{
    const Pack a = packOf(boilerText);
    Pack b = a;
    b.machines[0].rest = u"hot"_s;
    const Found found = foundIn(a, b);
    QCOMPARE(steps(found.own), QString());
    QCOMPARE(factsOf(found.difference), u"/boilers/b1: cold, hot"_s);
    verifyPlayed(found, a, b);
    Pack more = a; // what only one of them can have is left out
    more.types.append(a.types[0]);
    more.types[1].path = u"pipes"_s;
    more.sample.prepend(ResourceSpec { u"/pipes/p"_s, {}, {}, {} });
    const BehaviouralDifference left =
        behaviouralDifference(rulesOf(a), rulesOf(more), more.sample, { .states = 10 });
    QVERIFY(left.worlds > 0 && left.facts.isEmpty());
}

/// What only time shows.
void TestBehaviouralDifference::timePasses()
{
    Pack a = packOf(boilerText);
    Timer timer;
    timer.operation = u"heat"_s;
    timer.after = 5000;
    a.machines[0].states[1].timer = timer;
    Pack b = a;
    b.machines[0].states[1].timer->after = 7000;
    const Found found = foundIn(a, b);
    QCOMPARE(steps(found.own), QString());
    QCOMPARE(found.own.steps.last().at, 5000);
    verifyPlayed(found, a, b);
}

void TestBehaviouralDifference::openConditions()
{
    Pack a = packOf(boilerText);
    Transition row = a.machines[0].transitions[1];
    row.condition.kind = Condition::Kind::Label;
    row.condition.text = u"it rains"_s;
    row.to = { u"cooling"_s };
    a.machines[0].transitions.prepend(row);
    Pack b = a;
    b.machines[0].transitions[0].to = { u"broken"_s };
    const Found found = foundIn(a, b);
    QCOMPARE(found.difference.depth, 1);
    QCOMPARE(
        found.own.steps[0].request.conditions, (QMap<QString, bool> { { u"it rains"_s, true } }));
    verifyPlayed(found, a, b);
}

void TestBehaviouralDifference::budget()
{
    const Pack pack = packOf(boilerText);
    const Rules rules = rulesOf(pack);
    const BehaviouralDifference few =
        behaviouralDifference(rules, rules, pack.sample, { .states = 50 });
    QVERIFY(!few.scenario && !few.complete);
    QVERIFY2(few.worlds >= 50 && few.worlds < 400, qPrintable(QString::number(few.worlds)));
    int asked = 0;
    const BehaviouralDifference stopped = behaviouralDifference(rules, rules, pack.sample,
        { .states = 1'000'000, .goesOn = [&](qint64) { return ++asked > 1; } });
    QVERIFY(!stopped.scenario && !stopped.complete);
    QCOMPARE(asked, 1);
    const BehaviouralDifference none = behaviouralDifference(rules, rules, {}, { .states = 100 });
    QVERIFY(none.worlds > 0);
}

void TestBehaviouralDifference::randomRenamed()
{
    QVERIFY(holdsFor(30, 60, [] {
        const Pack pack = *randomPack();
        const Machine &machine = pack.machines[0];
        Pack changed = renamed(pack, Name::State, u"Updating"_s, u"fresh"_s, machine.id);
        changed = renamed(changed, Name::Machine, machine.id, u"fresh"_s);
        changed = renamed(changed, Name::Operation, u"PUT"_s, u"fresh"_s);
        const Found found = foundIn(pack, changed, 100);
        RC_ASSERT(factsOf(found.difference).toStdString() == std::string());
    }));
}

/// Whatever is found plays so.
void TestBehaviouralDifference::randomBroken()
{
    int differ = 0;
    QVERIFY(holdsFor(40, 60, [&differ] {
        const Pack pack = *randomPack();
        Pack changed = pack;
        QList<Transition> &rows = changed.machines[0].transitions;
        rows.removeAt(*rc::gen::inRange<qsizetype>(0, rows.size()));
        const Found found = foundIn(pack, changed, 300);
        if (!found.difference.scenario)
            return;
        ++differ;
        RC_ASSERT(failures(found.own, pack).toStdString() == std::string());
        RC_ASSERT(!failures(found.other, changed).isEmpty());
    }));
    QVERIFY2(differ >= 10, qPrintable(QString::number(differ)));
}

const instar::TestClass<TestBehaviouralDifference> registered;
#include "tst_behaviouraldifference.moc"
