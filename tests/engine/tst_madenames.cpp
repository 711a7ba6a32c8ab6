// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenario.h"
#include "model/explore/explore.h"
#include "model/json/jsontext.h"
#include "model/json/scenariofile.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Children whose names the server makes up: the step that makes one says "{id}" instead of the
// name, and so do later steps that speak of it.

class TestMadeNames : public QObject
{
    Q_OBJECT

private slots:
    void laterStepsSpeakOfIt();
    void isNobodyElsesName();
    void isTheSameInEveryOrder();
    void isWrittenAsItWasRead();
};

namespace {

Scenario scenarioFrom(const QByteArray &resources, const QByteArray &steps)
{
    const QByteArray text = "{\"pack\": \"network-controller\", \"resources\": [" + resources
        + "], \"steps\": [" + steps + "]}";
    const Result<JsonText> document = JsonText::parse(text, u"made.scenario.json"_s);
    const Result<Scenario> scenario = document
        ? readScenario(*document, packNamed(u"network-controller"_s))
        : Result<Scenario>(Error { document.error() });
    if (!scenario)
        qFatal("%s", qPrintable(scenario.error()));
    return *scenario;
}

const QByteArray net = R"({"path": "/logicalNetworks/ln"})";
const QByteArray make =
    R"({"at": 0, "op": "PUT", "path": "/logicalNetworks/ln/subnets/{new one}", "id": "new one"})";
const QString made = u"/logicalNetworks/ln/subnets/new-one"_s;

} // namespace

void TestMadeNames::laterStepsSpeakOfIt()
{
    const Scenario scenario = scenarioFrom(net + R"(, {"path": "/gateways/g"})", make + R"(,
        {"at": 2000, "expect": {"resources": {"/logicalNetworks/ln/subnets/{new one}": "Succeeded"}}},
        {"at": 2000, "op": "PUT", "id": "below",
         "path": "/logicalNetworks/ln/subnets/{new one}/ipPools/{below}"},
        {"at": 4000, "op": "DELETE", "id": "last", "duration": 10000,
         "path": "/logicalNetworks/ln/subnets/{new one}"},
        {"at": 5000, "expect": {"resources": {
            "/logicalNetworks/ln/subnets/{new one}/ipPools/{below}": "Deleting"}}})");
    const Stage stage = valueOf(stageOf(scenario, packNamed(u"network-controller"_s)));
    Simulator simulator(Rules(stage.rules), World(stage.world));
    const Played played = play(scenario, simulator, 5000);
    QCOMPARE(played.failures.value(0).text, QString());
    QCOMPARE(played.passed, 2);
    QCOMPARE(simulator.operations().find(u"new one"_s)->path, made);
    QCOMPARE(simulator.operations().find(u"below"_s)->path, made + u"/ipPools/below"_s);
}

void TestMadeNames::isNobodyElsesName()
{
    const Scenario scenario =
        scenarioFrom(net + R"(, {"path": "/logicalNetworks/ln/subnets/NEW-one"})", make + R"(,
        {"at": 0, "op": "PUT", "path": "/logicalNetworks/ln/subnets/new-one-2", "id": "other"})");
    const Stage stage = valueOf(stageOf(scenario, packNamed(u"network-controller"_s)));
    QCOMPARE(generatedNames(scenario, stage.world.tree),
        (GeneratedNames { { u"new one"_s, u"new-one-3"_s } }));
}

void TestMadeNames::isTheSameInEveryOrder()
{
    const Scenario scenario = scenarioFrom(net, make + R"(, {"at": 0, "op": "DELETE", "id": "d",
        "path": "/logicalNetworks/ln/subnets/{new one}"})");
    const Stage stage = valueOf(stageOf(scenario, packNamed(u"network-controller"_s)));
    const Exploration exploration = valueOf(explore(scenario, stage));
    QVERIFY(exploration.complete);
    QStringList trees;
    for (const Ending &ending : exploration.endings)
        trees += QStringList(ending.resources.keys()).join(u' ');
    trees.sort();
    QCOMPARE(trees, QStringList({ u"/logicalNetworks/ln"_s, u"/logicalNetworks/ln "_s + made }));
}

void TestMadeNames::isWrittenAsItWasRead()
{
    const Scenario scenario = scenarioFrom(net, make);
    QVERIFY(writeScenario(scenario).contains("/subnets/{new one}"));
}

const TestClass<TestMadeNames> registered;

#include "tst_madenames.moc"
