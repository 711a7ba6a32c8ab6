// SPDX-License-Identifier: Apache-2.0
// What is written is read again as the same scenario, and a world becomes one that can be played.

#include "model/engine/simulator.h"
#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestScenarioWriter : public QObject
{
    Q_OBJECT

private slots:
    void sample();
    void layout();
    void worlds();
    void motion();
    void byHand_data();
    void byHand();
};

namespace {

Scenario readAgain(const QByteArray &json, const Pack &pack)
{
    const Result<JsonText> document = JsonText::parse(json, u"written"_s);
    if (!document)
        qFatal("%s\n%s", qPrintable(document.error()), json.constData());
    Result<Scenario> scenario = readScenario(*document, pack);
    if (!scenario)
        qFatal("%s\n%s", qPrintable(scenario.error()), json.constData());
    return *std::move(scenario);
}

} // namespace

/// Without resources it stays the pack's sample; with none it stays none.
void TestScenarioWriter::sample()
{
    const Pack &pack = packNamed(u"network-controller"_s);
    Scenario scenario;
    scenario.pack = pack.id;
    QVERIFY(!readAgain(writeScenario(scenario), pack).resources);
    scenario.resources.emplace();
    QVERIFY(readAgain(writeScenario(scenario), pack).resources);
    QVERIFY(readAgain(writeScenario(scenario), pack).resources->isEmpty());
}

void TestScenarioWriter::layout()
{
    Scenario scenario;
    scenario.pack = u"network-controller"_s;
    scenario.resources = QList<ResourceSpec> { { .path = u"/logicalNetworks/a"_s },
        { .path = u"/logicalNetworks/b"_s, .state = u"Failed"_s } };
    scenario.switches = { { u"siblingsRunConcurrently"_s, u"true"_s },
        { u"orphanPolicy"_s, u"fail"_s } };
    QCOMPARE(writeScenario(scenario), QByteArray(R"({
 "pack": "network-controller",
 "resources": [
  {"path": "/logicalNetworks/a"},
  {"path": "/logicalNetworks/b", "state": "Failed"}
 ],
 "switches": {"orphanPolicy": "fail", "siblingsRunConcurrently": true},
 "steps": []
}
)"));
}

void TestScenarioWriter::worlds()
{
    for (const QString &id : builtInPacks()) {
        const Pack &pack = packNamed(id);
        const Rules rules = rulesOf(pack);
        const World world = worldOf(rules, pack.sample);
        const Scenario scenario = scenarioOf(rules, world);
        QVERIFY(scenario.switches.isEmpty());
        const Result<Stage> stage = stageOf(readAgain(writeScenario(scenario), pack), pack);
        QVERIFY2(stage, stage ? "" : qPrintable(stage.error()));
        QVERIFY(sameWorld(rules, world, stage->world));
        QCOMPARE(shownTree(rules, stage->world), shownTree(rules, world));
    }
}

/// What is in motion goes back to where it rested last; switches that are not at their default are
/// kept.
void TestScenarioWriter::motion()
{
    Staging staging(u"network-controller"_s,
        u"/logicalNetworks/a Failed, /logicalNetworks/a/subnets/s, /GatewayPools/p, /gateways/g -> /GatewayPools/p"_s,
        { { u"ancestorOutcome"_s, u"restore"_s } });
    staging.ask(u"PUT"_s, u"/logicalNetworks/a"_s);
    staging.ask(u"PUT"_s, u"/logicalNetworks/new"_s);
    const Scenario scenario = scenarioOf(staging.simulator.rules(), staging.simulator.world());
    QCOMPARE(scenario.switches, (Switches { { u"ancestorOutcome"_s, u"restore"_s } }));
    const Pack &pack = packNamed(u"network-controller"_s);
    const Result<Stage> stage = stageOf(readAgain(writeScenario(scenario), pack), pack);
    QVERIFY2(stage, stage ? "" : qPrintable(stage.error()));
    QCOMPARE(shownTree(stage->rules, stage->world),
        u"/logicalNetworks/a Failed\n/logicalNetworks/a/subnets/s Succeeded\n/GatewayPools/p Succeeded\n/gateways/g Succeeded\n/logicalNetworks/new Succeeded\n"_s);
    QCOMPARE(stage->world.references.size(), 1);
}

void TestScenarioWriter::byHand_data()
{
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QString>("status");
    QTest::newRow("succeeded") << u"succeeded"_s << u"Succeeded"_s;
    QTest::newRow("failed") << u"failed"_s << u"Failed"_s;
    QTest::newRow("canceled") << u"canceled"_s << u"Canceled"_s;
}

/// What a person ended or withdrew is ended or withdrawn again, in every system alike.
void TestScenarioWriter::byHand()
{
    QFETCH(QString, outcome);
    QFETCH(QString, status);
    Staging staging(u"network-controller"_s, u"/logicalNetworks/a"_s);
    const Operation &asked = staging.ask(u"PUT"_s, u"/logicalNetworks/a"_s, { .hang = true });
    const quint32 serial = asked.serial;
    staging.simulator.advance(700);
    if (outcome == u"canceled")
        staging.simulator.cancel(serial);
    else
        staging.end(u"op1"_s, outcome);
    const Pack &pack = packNamed(u"network-controller"_s);
    const Scenario again = readAgain(writeScenario(scenarioOf(staging.simulator)), pack);
    const Result<Stage> stage = stageOf(again, pack);
    QVERIFY2(stage, stage ? "" : qPrintable(stage.error()));
    Simulator simulator(stage->rules, stage->world);
    play(again, simulator);
    const Operation *operation = simulator.operations().find(u"op1"_s);
    QVERIFY(operation);
    QCOMPARE(statusName(operation->status), status);
    QCOMPARE(operation->ended, std::optional<qint64>(700));
    QVERIFY(sameWorld(simulator.rules(), simulator.world(), staging.simulator.world()));
}

const instar::TestClass<TestScenarioWriter> registered;
#include "tst_scenariowriter.moc"
