// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

// Every order in which requests and answers can come: what always holds, and where nobody is stuck.

namespace {

const Pack &aps()
{
    return packNamed(u"aps"_s);
}

} // namespace

class TestApsOrders : public QObject
{
    Q_OBJECT

private slots:
    void nobodyLosesAStrongLink();
    void nobodyIsStuck();
    void everyOrderOfTheExample();
};

/// In every order of making, unmaking and failing: what is there has everything that it requires.
void TestApsOrders::nobodyLosesAStrongLink()
{
    for (const Switches &switches : switchCombinations(aps())) {
        Scenario scenario;
        scenario.pack = u"aps"_s;
        scenario.switches = switches;
        scenario.resources.emplace();
        const auto step = [&](const QString &id, const QString &op, const QString &path,
                              const QStringList &references = {}) {
            ScenarioStep submit { .kind = ScenarioStep::Kind::Submit };
            submit.request = { .op = op, .path = path, .id = id, .references = references };
            submit.ops = { op };
            submit.paths = { path };
            submit.anyOutcome = true;
            scenario.steps += submit;
        };
        const QString app = u"/resources/app"_s, vps = u"/resources/vps"_s;
        step(u"a"_s, u"provision"_s, vps, { app });
        scenario.steps.last().ops += u"register"_s;
        step(u"b"_s, u"unprovision"_s, app);
        step(u"c"_s, u"unprovision"_s, vps);
        step(u"d"_s, u"provision"_s, app);
        Stage stage = valueOf(stageOf(scenario, aps()));
        const Exploration all = valueOf(explore(scenario, stage));
        QVERIFY(all.complete);
        QVERIFY(all.finalTrees >= 3);
        for (const Ending &ending : all.endings) {
            if (ending.resources.contains(vps))
                QVERIFY2(ending.resources.contains(app), qPrintable(ending.trace.join(u"; "_s)));
        }
        QCOMPARE(all.deadEndCount, 0);
    }
}

/// Whatever is asked of two resources that are linked both ways, in any order and with any outcome:
/// there is a way on.
void TestApsOrders::nobodyIsStuck()
{
    const QString app = u"/resources/app"_s, vps = u"/resources/vps"_s,
                  link = app + u"/links/vps"_s;
    const auto step = [](const QString &id, const QStringList &ops, const QStringList &paths) {
        ScenarioStep any { .kind = ScenarioStep::Kind::Submit };
        any.request = { .op = ops.first(), .path = paths.first(), .id = id };
        any.ops = ops;
        any.paths = paths;
        any.anyOutcome = true;
        return any;
    };
    Scenario scenario;
    scenario.pack = u"aps"_s;
    scenario.resources = QList<ResourceSpec> { { .path = app } };
    scenario.steps = { step(u"a"_s, { u"provision"_s, u"register"_s }, { vps }),
        step(u"b"_s, { u"unprovision"_s, u"configure"_s, u"activate"_s, u"upgrade"_s },
            { vps, app }),
        step(u"c"_s, { u"rerun"_s, u"unprovision"_s, u"provision"_s }, { vps, app }),
        step(u"d"_s, { u"link"_s, u"unlink"_s }, { link }) };
    scenario.steps[0].request.references = { app };
    scenario.steps[0].request.properties = { { u"hardware"_s, QJsonObject { { u"VM"_s, true } } } };
    scenario.steps[3].request.references = { vps };
    const Stage stage = valueOf(stageOf(scenario, aps()));
    const Exploration all = valueOf(explore(scenario, stage));
    QVERIFY(all.complete);
    QVERIFY(all.worlds > 1000);
    QStringList stuck;
    for (const Ending &ending : all.deadEnds)
        stuck += ending.stuck.join(u' ') + u" by "_s + ending.trace.join(u"; "_s);
    QCOMPARE(stuck, QStringList());
}

/// However two clients' requests fall together with the calls of the example: it ends ready or
/// gone, and nobody is stuck.
void TestApsOrders::everyOrderOfTheExample()
{
    Scenario scenario;
    scenario.pack = u"aps"_s;
    ScenarioStep make { .kind = ScenarioStep::Kind::Submit };
    make.request = { .op = u"provision"_s, .path = u"/resources/vps"_s, .id = u"a"_s };
    make.request.properties = { { u"hardware"_s, QJsonObject { { u"VM"_s, true } } } };
    make.ops = { make.request.op };
    make.paths = { make.request.path };
    ScenarioStep other = make;
    other.request = { .op = u"unprovision"_s, .path = u"/resources/vps"_s, .id = u"b"_s };
    other.ops = { u"unprovision"_s, u"configure"_s };
    scenario.steps = { make, other };
    scenario.resources.emplace();
    const Stage stage = valueOf(stageOf(scenario, aps()));
    const Result<Exploration> all =
        explore(scenario, stage, { .by = ExploreOptions::By::Operations });
    QVERIFY(all && all->complete);
    QStringList found;
    for (const Ending &ending : all->endings)
        found += ending.resources.value(u"/resources/vps"_s, u"gone"_s) + u' '
            + ending.operations.value(u"b"_s);
    found.removeDuplicates();
    std::ranges::sort(found);
    QCOMPARE(found,
        QStringList({ u"aps:ready Rejected"_s, u"aps:ready Succeeded"_s, u"gone Succeeded"_s }));
    QCOMPARE(all->deadEndCount, 0);
}

const instar::TestClass<TestApsOrders> registered;
#include "tst_apsorders.moc"
