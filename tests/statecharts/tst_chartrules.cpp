// SPDX-License-Identifier: Apache-2.0
// Statecharts that run in a simulator are where the interpreter says.

#include "model/engine/simulator.h"
#include "model/pack/run.h"
#include "model/statecharts/chartrules.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/machinefile.h"
#include "model/statecharts/notation/notations.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestChartRules : public QObject
{
    Q_OBJECT

private slots:
    void runsAsTheInterpreter();
    void saysWhyNot();
};

namespace {

Rules rulesOf(const Statechart &chart)
{
    MachineFile file;
    file.name = u"test.scxml"_s;
    file.charts = { chart };
    const Result<PackMade> made = draftIn(file, Drawn::Always);
    return valueOf(runnableRules(made->pack));
}

/// Ids of the innermost states that the resources of a chart are in.
QStringList leaves(const Simulator &simulator)
{
    const Rules &rules = simulator.rules();
    QSet<QString> shown, around;
    for (const Resource resource : simulator.world().tree.resources()) {
        const Rules::StateRule &state =
            rules.state(rules.stateOf(simulator.world().tree.code(resource)));
        const QStringList line = lineage(rules.pack().machines[state.machine], state.id);
        shown.insert(state.id);
        around.unite(QSet<QString>(line.begin() + 1, line.end()));
    }
    QStringList result = (shown - around).values();
    result.sort();
    return result;
}

QStringList leaves(const Interpreter &interpreter, const Situation &situation)
{
    QStringList result;
    for (qsizetype i = 0; i < situation.active.size(); ++i) {
        const ChartPlan::Node &node = interpreter.plan().nodes[situation.active[i]];
        if (i + 1 == situation.active.size() || situation.active[i + 1] >= node.end)
            result += node.id;
    }
    result.sort();
    return result;
}

} // namespace

void TestChartRules::runsAsTheInterpreter()
{
    int moves = 0, regions = 0;
    QVERIFY(holdsFor(700, 100, [&] {
        const Statechart chart = *runnableStatechart();
        RC_LOG() << writeScxml({ chart }).bytes.toStdString();
        const Result<ChartPlan> plan = planOf(chart);
        if (!plan || chart.vertices.isEmpty())
            return;
        const Interpreter interpreter(*plan);
        const Rules rules = rulesOf(chart);
        Simulator simulator(rules, makeWorld(rules, rules.pack().sample).world);
        const QString path = rules.pack().sample.first().path;
        const Answers no = [](const QString &) { return false; };
        Move move = interpreter.begun(no);
        QList<QStringList> seen;
        const auto compare = [&] {
            RC_LOG() << leaves(simulator).join(u' ').toStdString() << " | "
                     << leaves(interpreter, move.to).join(u' ').toStdString() << '\n';
            RC_ASSERT(leaves(simulator) == leaves(interpreter, move.to));
            regions += simulator.world().tree.size() > 1;
            seen += leaves(simulator);
        };
        compare();
        for (int i = *rc::gen::inRange(0, 12); i > 0 && !move.to.isOver; --i) {
            static const QStringList events { u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s };
            const QString event = events[*rc::gen::inRange(0, 5)];
            move = interpreter.after(move.to, event, no);
            Request request;
            request.op = event;
            request.path = path;
            const quint32 serial = simulator.submit(request);
            RC_ASSERT(simulator.operations().find(serial)->status
                == (move.isTaken ? Status::Succeeded : Status::Rejected));
            moves += move.isTaken;
            compare();
        }
        // Every moment can be shown again, and gone on from.
        for (qsizetype moment = seen.size(); moment-- > 0;) {
            simulator.jump(moment);
            RC_ASSERT(leaves(simulator) == seen[moment]);
        }
    }));
    qInfo("%d moves, %d times in regions", moves, regions);
    QVERIFY(moves > 300 && regions > 100);
}

/// An event that nothing waits for, or whose condition does not hold, is refused with a sentence.
void TestChartRules::saysWhyNot()
{
    const QByteArray text =
        "<scxml xmlns='http://www.w3.org/2005/07/scxml' name='door'><parallel id='p'>"
        "<state id='a'><transition event='e' cond='key' target='a'/></state><state id='b'/>"
        "<transition event='end' target='done'/></parallel><final id='done'/></scxml>";
    const Rules rules = rulesOf(readScxml(text, u"x.scxml"_s)->charts.first());
    QCOMPARE(whyNotRun(rules), QString());
    QCOMPARE(rules.openLabels(), QStringList(u"key"_s));
    Simulator simulator(rules, makeWorld(rules, rules.pack().sample).world);
    const QString region = u"/door/one/regions/a"_s;
    QCOMPARE(simulator.admission({ .op = u"e"_s, .path = region }).target,
        simulator.world().tree.find(region));
    const auto fired = [&](const QString &event, bool hasKey = false) {
        Request request;
        request.op = event;
        request.path = region; // an event reaches all regions, or the chart if there are none
        if (hasKey)
            request.conditions.insert(u"key"_s, true);
        const Operation *operation = simulator.operations().find(simulator.submit(request));
        return operation->errorCode;
    };
    QCOMPARE(fired(u"e"_s), u"NotAwaited"_s);
    QCOMPARE(simulator.records().last().unanswered.size(), size_t(1));
    QCOMPARE(fired(u"e"_s, true), QString());
    QCOMPARE(fired(u"f"_s), u"NotAwaited"_s);
    QCOMPARE(fired(u"end"_s), QString());
    QCOMPARE(leaves(simulator), QStringList(u"done"_s));
    QCOMPARE(fired(u"e"_s), u"Ended"_s);

    const Rules endless = rulesOf(readScxml(
        "<scxml xmlns='http://www.w3.org/2005/07/scxml'><parallel id='p'><state id='a'><state "
        "id='x'><transition target='y'/></state><state id='y'><transition target='x'/></state>"
        "</state><state id='b'/></parallel></scxml>",
        u"x.scxml"_s)
                                      ->charts.first());
    QVERIFY2(whyNotRun(endless).contains(u"endless loop"_s), qPrintable(whyNotRun(endless)));
}

const instar::TestClass<TestChartRules> registered;
#include "tst_chartrules.moc"
