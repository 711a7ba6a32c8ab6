// SPDX-License-Identifier: Apache-2.0
#include "model/explore/explore.h"
#include "model/json/library.h"
#include "tests/support/promela.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

using Model = PromelaModel;

const QList<int> Chain { -1, 0, 1 };           // ln / sn / p
const QList<int> OneTwoOne { -1, 0, 1, 0, 3 }; // ln / sn1 / p, sn2 / p
const QList<int> OneTwoTwo { -1, 0, 1, 1, 0, 4, 4 };
const QList<int> TwoRoots { -1, 0, -1, 2 };

Model::Operation put(int node, const QString &client = {})
{
    return { .client = client, .remove = false, .targets = { node } };
}

Model::Operation remove(int node, const QString &client = {})
{
    return { .client = client, .put = false, .targets = { node } };
}

/// So many operations, each any on any node.
QList<Model::Operation> any(int count, qsizetype nodes, const QString &client = {})
{
    Model::Operation operation { .client = client };
    for (int node = 0; node < nodes; ++node)
        operation.targets += node;
    return QList<Model::Operation>(count, operation);
}

QList<Model::Switches> everySwitch()
{
    QList<Model::Switches> all;
    for (int i = 0; i < 24; ++i)
        all += Model::Switches { bool(i & 1), bool(i & 2), bool(i & 4), i / 8 };
    return all;
}

QStringList pathsOf(const QList<int> &parents)
{
    static const QStringList types { u"/logicalNetworks/n"_s, u"/subnets/n"_s, u"/ipPools/n"_s };
    QStringList paths;
    for (qsizetype node = 0; node < parents.size(); ++node) {
        const QString above = parents[node] < 0 ? QString() : paths[parents[node]];
        paths += above + types[above.count(u'/') / 2] + QString::number(node);
    }
    return paths;
}

Switches switchesOf(const Model::Switches &with)
{
    static const QStringList policies { u"restore"_s, u"followTree"_s, u"fail"_s };
    const auto word = [](bool value) { return value ? u"true"_s : u"false"_s; };
    return { { u"siblingsRunConcurrently"_s, word(with.siblingsRun) },
        { u"midLevelCancelsSubtree"_s, word(with.middleCancels) },
        { u"ancestorOutcome"_s, with.ancestorsRestore ? u"restore"_s : u"operation"_s },
        { u"orphanPolicy"_s, policies[with.orphans] } };
}

Scenario scenarioOf(const Model &model, const Model::Switches &with)
{
    const QStringList paths = pathsOf(model.parents);
    Scenario scenario;
    scenario.switches = switchesOf(with);
    scenario.resources.emplace();
    for (const QString &path : paths)
        scenario.resources->append({ .path = path });
    for (const Model::Operation &operation : model.operations) {
        ScenarioStep step { .anyOutcome = true };
        step.request.id = QChar(u'a' + int(scenario.steps.size()));
        step.request.client = operation.client;
        if (operation.put)
            step.ops += u"PUT"_s;
        if (operation.remove)
            step.ops += u"DELETE"_s;
        for (const int target : operation.targets)
            step.paths += paths[target];
        step.request.op = step.ops.first();
        step.request.path = step.paths.first();
        scenario.steps += step;
    }
    return scenario;
}

/// The checker's spelling of an ending: a letter a node, a letter an operation.
QByteArray spelled(const Ending &ending, const QStringList &paths)
{
    QByteArray text;
    for (const QString &path : paths)
        text += ending.resources.contains(path) ? ending.resources[path].front().toLatin1() : '-';
    text += ' ';
    for (const QString &status : ending.operations)
        text += status.front().toLatin1();
    return text;
}

} // namespace

class TestSpin : public QObject
{
    Q_OBJECT

private slots:
    void sameEndings_data();
    void sameEndings();
};

void TestSpin::sameEndings_data()
{
    addColumns<QList<int>, QList<Model::Operation>, QList<Model::Switches>, bool>(
        "parents", "operations", "switches", "byOperations");

    const QList<Model::Switches> usual { {} };
    const QList<Model::Switches> each { {}, { .orphans = 2 }, { .orphans = 1 },
        { .middleCancels = true }, { .siblingsRun = true } };
    QTest::newRow("a chain, any two, every switch") << Chain << any(2, 3) << everySwitch() << true;
    QTest::newRow("a chain, any three in turn, every switch")
        << Chain << any(3, 3, u"A"_s) << everySwitch() << true;
    QTest::newRow("1x2x1, any two, every switch")
        << OneTwoOne << any(2, 5) << everySwitch() << true;
    QTest::newRow("1x2x1, any three in turn, each switch")
        << OneTwoOne << any(3, 5, u"A"_s) << each << true;
    QTest::newRow("1x2x2, any two, each switch") << OneTwoTwo << any(2, 7) << each << true;
    QTest::newRow("1x2x2, any four in turn, siblings run, orphans fail")
        << OneTwoTwo << any(4, 7, u"A"_s)
        << QList<Model::Switches> { { .siblingsRun = true, .orphans = 2 } } << false;
    QTest::newRow("1x2x1, siblings run over what was adopted")
        << OneTwoOne << QList { put(0, u"A"_s), put(1, u"A"_s), put(3, u"A"_s), remove(4, u"B"_s) }
        << QList<Model::Switches> { { .siblingsRun = true, .orphans = 1 } } << true;
    QTest::newRow("two roots, any two and a fixed one")
        << TwoRoots << any(2, 4) + QList { put(2, u"A"_s) } << usual << true;
    QTest::newRow("1x2x2, five clients")
        << OneTwoTwo << QList { put(0), remove(1), put(2), put(4), remove(0) } << each << true;
    QTest::newRow("1x2x2, two clients of three")
        << OneTwoTwo
        << QList { put(0, u"A"_s), remove(2, u"A"_s), put(1, u"A"_s), put(4, u"B"_s),
               remove(4, u"B"_s), put(0, u"B"_s) }
        << each << true;
    QTest::newRow("1x2x1, siblings made and removed")
        << OneTwoOne
        << QList { remove(1, u"A"_s), put(1, u"A"_s), put(2, u"A"_s), remove(3, u"B"_s),
               put(3, u"B"_s) }
        << everySwitch() << true;
}

void TestSpin::sameEndings()
{
    if (!spinIsInstalled())
        QSKIP("spin or cc is not installed: nothing to compare with");
    QFETCH(QList<int>, parents);
    QFETCH(QList<Model::Operation>, operations);
    QFETCH(QList<Model::Switches>, switches);
    QFETCH(bool, byOperations);
    const Model model { parents, operations, switches };
    const auto checked = model.endings();
    QVERIFY2(checked, qPrintable(checked ? QString() : checked.error()));
    QCOMPARE(checked->size(), switches.size());

    const Result<Pack> pack = loadPack(u"network-controller"_s);
    QVERIFY2(pack, qPrintable(pack ? QString() : pack.error()));
    const QStringList paths = pathsOf(parents);
    for (int i = 0; i < int(switches.size()); ++i) {
        const Scenario scenario = scenarioOf(model, switches[i]);
        const Result<Stage> stage = stageOf(scenario, *pack);
        QVERIFY2(stage, qPrintable(stage ? QString() : stage.error()));
        const QByteArray which = "with switches " + QByteArray::number(i) + ": ";
        const auto treesOf = [](const QSet<QByteArray> &endings) {
            QSet<QByteArray> trees;
            for (const QByteArray &ending : endings)
                trees.insert(ending.left(ending.indexOf(' ')));
            return trees;
        };
        for (const auto by : { ExploreOptions::By::Trees, ExploreOptions::By::Operations }) {
            const bool isByTrees = by == ExploreOptions::By::Trees;
            if (!isByTrees && !byOperations)
                continue;
            const Result<Exploration> all = explore(scenario, *stage, { .by = by });
            QVERIFY(all && all->complete);
            QSet<QByteArray> found;
            for (const Ending &ending : all->endings) {
                const QByteArray text = spelled(ending, paths);
                found.insert(text);
                QVERIFY2(checked->value(i).contains(text),
                    (which + text + " after " + ending.trace.join(u"; "_s).toUtf8()).constData());
            }
            QCOMPARE(treesOf(found), treesOf(checked->value(i)));
            QCOMPARE(all->finalTrees, qint64(treesOf(found).size()));
            if (!isByTrees)
                QCOMPARE(found, checked->value(i));
        }
    }
}

const instar::TestClass<TestSpin> registered;
#include "tst_spin.moc"
