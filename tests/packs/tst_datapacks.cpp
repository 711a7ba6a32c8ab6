// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/json/scenariofile.h"
#include "model/pack/check.h"
#include "model/statecharts/machinefile.h"
#include "tests/support/rulefile.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

// Systems that are not built in: a file and a folder of scenarios beside it, and not a line of C++.
// What is finished in this way is finished in every way.

class TestDataPacks : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void complete_data() { addRowsOf("id", m_packs); }
    void complete();
    void scenarios_data();
    void scenarios();

private:
    QStringList m_packs;
};

void TestDataPacks::initTestCase()
{
    for (const QString &id : knownPacks()) {
        if (!builtInPacks().contains(id) && !scenarioNames(id).isEmpty())
            m_packs += id;
    }
    QVERIFY(m_packs.size() >= 2);
}

/// Nothing to complain of, a place and a meaning for every state, a source for every row, and a
/// tree to begin with.
void TestDataPacks::complete()
{
    QFETCH(QString, id);
    const Pack &pack = packNamed(id);
    QStringList diagnostics;
    for (const Diagnostic &diagnostic : check(pack))
        diagnostics += diagnostic.pointer + u": "_s + diagnostic.text;
    QCOMPARE(diagnostics, QStringList());
    QVERIFY(!pack.about.isEmpty() && !pack.origin.isEmpty() && !pack.sample.isEmpty());
    for (const Source &source : pack.sourceList)
        QVERIFY2(!source.section.isEmpty() && !source.about.isEmpty(), qPrintable(source.id));
    QStringList bare;
    const auto look = [&](const Row &row, const QString &what) {
        if (row.sources.isEmpty())
            bare += what;
    };
    for (const Machine &machine : pack.machines) {
        look(machine, machine.id);
        for (const State &state : machine.states) {
            look(state, state.id);
            if (!state.position || state.about.isEmpty())
                bare += state.id;
        }
        for (const Transition &row : machine.transitions)
            look(row, row.from.join(u' ') + u" on "_s + row.on.join(u' '));
        for (const Constraint &row : machine.constraints)
            look(row, row.in.join(u' '));
    }
    for (const Type &row : pack.types)
        look(row, row.path);
    for (const Switch &row : pack.switches)
        look(row, row.id);
    for (const OperationKind &row : pack.operations)
        look(row, row.id);
    for (const Conflict &row : pack.conflicts)
        look(row, row.code + u" conflict"_s);
    for (const Refusal &row : pack.refusals)
        look(row, row.id);
    QCOMPARE(bare, QStringList());
}

void TestDataPacks::scenarios_data()
{
    QTest::addColumn<QString>("file");
    for (const QString &id : std::as_const(m_packs)) {
        for (const QString &name : scenarioNames(id))
            QTest::newRow(qPrintable(id + u' ' + name)) << scenarioFile(id, name);
    }
}

/// What it expects comes true, in this order; and in every other one nobody is stuck.
void TestDataPacks::scenarios()
{
    QFETCH(QString, file);
    QCOMPARE(problemOf(file), QString());
    const JsonText document = valueOf(loadDocument(file));
    QVERIFY(!document.root().find("x-about").string().isEmpty());
    const ScenarioPack pack = valueOf(scenarioPack(document));
    Scenario scenario = valueOf(readScenario(document, pack.pack));
    int client = 0;
    for (ScenarioStep &step : scenario.steps)
        step.request.client =
            QString::number(++client % 3); // three clients, who do not wait for one another
    const Stage stage = valueOf(stageOf(scenario, pack.pack));
    const Exploration all = valueOf(explore(scenario, stage));
    QVERIFY(all.complete);
    QCOMPARE(all.deadEndCount, 0);
    QCOMPARE(all.brokenConstraintCount, 0);
}

const instar::TestClass<TestDataPacks> registered;
#include "tst_datapacks.moc"
