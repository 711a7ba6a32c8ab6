// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenariowarnings.h"
#include "model/json/scenariofile.h"
#include "tests/support/packtext.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

/// What a scenario says but hardly means.
class TestScenarioWarnings : public QObject
{
    Q_OBJECT

private slots:
    void expectedPaths_data();
    void expectedPaths();
    void everyKindOfExpectation_data();
    void everyKindOfExpectation();
    void caseCountsWhereItDoes();
    void copiesStandBesideTheirOriginal();
    void errorCodes_data();
    void errorCodes();
    void order();
    void nearestOnlyForTheFirst();
};

namespace {

/// Of the steps after a PUT of a subnet d of c, on a tree with the subnet b of a.
QList<Diagnostic> warningsOf(const QByteArray &steps, const QString &pack = u"network-controller"_s)
{
    const Result<Scenario> scenario =
        readScenario(parsed(R"({"pack": ")" + pack.toUtf8()
                         + R"(", "resources": [{"path": "/logicalNetworks/a/subnets/b"}],
 "steps": [{"at": 5, "op": "PUT", "path": "/logicalNetworks/c/subnets/d", "id": "put", "references": ["/gateways/g"]}, )"
                         + steps + "]}"),
            packNamed(pack));
    if (!scenario)
        qFatal("%s", qPrintable(scenario.error()));
    return scenarioWarnings(*scenario, packNamed(pack));
}

} // namespace

/// What is above resources is made with them, and what is below a step's may be brought by its
/// body.
void TestScenarioWarnings::expectedPaths_data()
{
    // nearest: of an unknown one
    const Rows<QString, QString> add("path", "nearest");
    add("at the beginning", u"/logicalNetworks/a/subnets/b"_s, {});
    add("above it", u"/logicalNetworks/a"_s, {});
    add("another case", u"/LogicalNetworks/A"_s, {});
    add("below it", u"/logicalNetworks/a/subnets/b/ipPools/p"_s, u"none"_s);
    add("asked for", u"/logicalNetworks/c/subnets/d"_s, {});
    add("above what is asked for", u"/logicalNetworks/c"_s, {});
    add("below what is asked for", u"/logicalNetworks/c/subnets/d/ipPools/p"_s, {});
    add("referred to", u"/gateways/g"_s, {});
    add("beside", u"/logicalNetworks/c/subnets/dd"_s, u"/logicalNetworks/c/subnets/d"_s);
    add("a copy that no row makes", u"/logicalNetworks/a/subnets/b#old"_s,
        u"/logicalNetworks/a/subnets/b"_s);
}

void TestScenarioWarnings::expectedPaths()
{
    QFETCH(QString, path);
    QFETCH(QString, nearest);
    const QList<Diagnostic> found =
        warningsOf(R"({"at": 6, "expect": {"resources": {")" + path.toUtf8() + R"(": null}}})");
    if (nearest.isEmpty()) {
        QCOMPARE(found, QList<Diagnostic>());
        return;
    }
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].line, 2);
    QCOMPARE(
        found[0].pointer, pointerTo({ u"steps"_s, u"1"_s, u"expect"_s, u"resources"_s, path }));
    QCOMPARE(found[0].code, u"unknown-name"_s);
    QCOMPARE(found[0].text,
        u"there is no resource \"%1\" here"_s.arg(path)
            + (nearest == u"none" ? QString() : u"; did you mean \"%1\"?"_s.arg(nearest)));
}

void TestScenarioWarnings::everyKindOfExpectation_data()
{
    const Rows<QByteArray, QString> row("expected", "last");
    const QString path = u"/logicalNetworks/zz"_s;
    row("resources", R"("resources": {"/logicalNetworks/zz": null})", path);
    row("properties", R"("properties": {"/logicalNetworks/zz": {}})", path);
    row("etagsChanged", R"("etagsChanged": ["/logicalNetworks/a", "/logicalNetworks/zz"])", u"1"_s);
    row("etagsUnchanged", R"("etagsUnchanged": ["/logicalNetworks/zz"])", u"0"_s);
}

void TestScenarioWarnings::everyKindOfExpectation()
{
    QFETCH(QByteArray, expected);
    QFETCH(QString, last);
    const QList<Diagnostic> found = warningsOf(R"({"at": 6, "expect": {)" + expected + "}}");
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].pointer,
        pointerTo(
            { u"steps"_s, u"1"_s, u"expect"_s, QString::fromUtf8(QTest::currentDataTag()), last }));
}

void TestScenarioWarnings::caseCountsWhereItDoes()
{
    const Pack boxes = packOf(
        R"({"id": "boxes", "types": {"boxes": {"machine": "m"}}, "machines": {"m": {"rest": "open",
        "states": {"none": {"kind": "initial"}, "open": {}}}}})");
    Scenario scenario;
    scenario.resources = resourcesFrom(u"/boxes/b"_s);
    scenario.steps = { { .kind = ScenarioStep::Kind::Expect } };
    scenario.steps[0].expectation.resources = { { u"/boxes/B"_s, QString() } };
    QCOMPARE(scenarioWarnings(scenario, boxes).size(), 1);
    scenario.steps[0].expectation.resources = { { u"/boxes/b"_s, QString() } };
    QCOMPARE(scenarioWarnings(scenario, boxes), QList<Diagnostic>());
}

void TestScenarioWarnings::copiesStandBesideTheirOriginal()
{
    Scenario scenario;
    scenario.resources = resourcesFrom(u"/resources/r"_s);
    scenario.steps = { { .kind = ScenarioStep::Kind::Expect } };
    scenario.steps[0].expectation.resources = { { u"/resources/r#old"_s, QString() } };
    QCOMPARE(scenarioWarnings(scenario, packNamed(u"pulumi"_s)), QList<Diagnostic>());
    scenario.steps[0].expectation.resources = { { u"/resources/s#old"_s, QString() } };
    QCOMPARE(scenarioWarnings(scenario, packNamed(u"pulumi"_s)).size(), 1);
}

void TestScenarioWarnings::errorCodes_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("nearest"); // of an unknown one
    QTest::newRow("none") << QString() << QString();
    QTest::newRow("of a type") << u"InUseSubnetCannotBeDeleted"_s << QString();
    QTest::newRow("the engine's") << u"InternalServerError"_s << QString();
    QTest::newRow("of a refusal that no row words") << u"malformedBody"_s << QString();
    QTest::newRow("too deep") << u"RequirementTooDeep"_s << QString();
    QTest::newRow("misspelt") << u"InternalServerEror"_s << u"InternalServerError"_s;
}

void TestScenarioWarnings::errorCodes()
{
    QFETCH(QString, code);
    QFETCH(QString, nearest);
    const QList<Diagnostic> found =
        warningsOf(R"({"at": 6, "expect": {"errors": {"put": ")" + code.toUtf8() + R"("}}})");
    QCOMPARE(found.size(), nearest.isEmpty() ? 0 : 1);
    if (!nearest.isEmpty()) {
        QCOMPARE(found[0].pointer, u"/steps/1/expect/errors/put"_s);
        QCOMPARE(found[0].code, u"unknown-name"_s);
        QCOMPARE(found[0].text,
            u"there is no error code \"%1\" here; did you mean \"%2\"?"_s.arg(code, nearest));
    }
}

void TestScenarioWarnings::order()
{
    const QList<Diagnostic> found = warningsOf(
        R"({"at": 4, "expect": {"operations": {"put": "Waiting"}, "errors": {"put": ""}}}, {"at": 5, "end": "put"},
        {"at": 5, "expect": {}})");
    QCOMPARE(found,
        (QList<Diagnostic> { { Diagnostic::Severity::Warning, u"/steps/1"_s,
            u"the step names operation \"put\" before it is requested"_s, u"out-of-order"_s,
            2 } }));
}

void TestScenarioWarnings::nearestOnlyForTheFirst()
{
    Scenario scenario;
    scenario.resources = resourcesFrom(u"/logicalNetworks/a"_s);
    scenario.steps.fill({ .kind = ScenarioStep::Kind::Expect }, 20);
    for (ScenarioStep &step : scenario.steps)
        step.expectation.resources = { { u"/logicalNetworks/b"_s, QString() } };
    const QList<Diagnostic> found = scenarioWarnings(scenario, packNamed(u"network-controller"_s));
    QCOMPARE(found.size(), 20);
    QVERIFY(found[9].text.contains(u"did you mean"_s));
    QVERIFY(!found[10].text.contains(u"did you mean"_s));
}

const TestClass<TestScenarioWarnings> registered;

#include "tst_scenariowarnings.moc"
