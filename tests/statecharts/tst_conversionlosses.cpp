// SPDX-License-Identifier: Apache-2.0
// What of a statechart is not in the machine made from it is told, with its line.

#include "model/statecharts/conversion.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/notation/notations.h"
#include "tests/support/testclass.h"

#include <QSet>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestConversionLosses : public QObject
{
    Q_OBJECT

private slots:
    void told_data();
    void told();
    void historyOfNothing();
    void namesOutcomesAfterTargets_data();
    void namesOutcomesAfterTargets();
    void compositesKeepTargets_data();
    void compositesKeepTargets();
    void forksNeedRegions();
    void saysWhichArrow();
    void saysLabelsOnce();
    void drawsSoManyArrows();
};

namespace {

Statechart chartIn(const QString &text)
{
    const bool isXml = text.startsWith(u'<');
    const QByteArray bytes = isXml
        ? "<scxml xmlns='http://www.w3.org/2005/07/scxml' " + text.sliced(1).toUtf8()
        : "@startuml\n" + text.toUtf8() + "\n@enduml\n";
    const Result<StatechartsRead> read =
        isXml ? readScxml(bytes, u"test"_s) : readPlantUml(bytes, u"test"_s);
    if (!read)
        qFatal("%s", qPrintable(read.error()));
    return read->charts.first();
}

/// "LINE: text" of each loss.
QStringList losses(const PackMade &made)
{
    QStringList result;
    for (const Diagnostic &remark : made.remarks) {
        if (remark.isLoss())
            result += u"%1: %2"_s.arg(remark.line).arg(remark.text);
    }
    return result;
}

} // namespace

void TestConversionLosses::told_data()
{
    QTest::addColumn<QString>("chart");
    QTest::addColumn<QStringList>("lines");
    const auto row = [](const char *name, const QString &chart, const QStringList &lines) {
        QTest::newRow(name) << chart << lines;
    };
    row("a state without regions", u"[*] --> A\nA --> B : go\nstate Z\nZ --> A : never"_s,
        { u"4: nothing leads to \"Z\"; it is not in the pack, nor are its arrows"_s });
    row("a condition that never holds", u"[*] --> A\nA --> B : go [false]\nA --> B : by"_s,
        { u"3: the arrow from \"A\" to \"B\" on \"go\" is never taken; it is not in the pack"_s });
    row("what is to be executed",
        u"< datamodel='ecmascript'>\n<datamodel><data id='n'/></datamodel>\n<state id='a'><onentry><log/></onentry>\n<onexit><log/></onexit>\n<transition event='go' target='b'><assign location='n' expr='1'/></transition>\n<transition event='to' target='b'/></state>\n<state id='b'><invoke src='y'/><transition event='x' target='a'/></state></scxml>"_s,
        { u"1: <datamodel> of the chart is not heeded; what conditions ask is answered from outside"_s,
            u"3: <onentry> and <onexit> of \"a\" are not executed; events raised there do not come"_s,
            u"5: what is in the arrow from \"a\" to \"b\" on \"go\" is not executed; events raised there do not come"_s,
            u"7: <invoke> of \"b\" is not executed; events raised there do not come"_s });
    row("many events in one",
        u"<><state id='a'>\n<transition event='x.*' target='b'/></state>\n<state id='b'><transition event='x.y' target='a'/>\n<transition event='*' target='a'/></state></scxml>"_s,
        { u"2: \"x.*\" at an arrow of \"a\" means every event of that kind; in the pack it means those that the chart names"_s,
            u"4: \"*\" at an arrow of \"b\" means every event of that kind; in the pack it means those that the chart names"_s });
}

void TestConversionLosses::told()
{
    QFETCH(QString, chart);
    QFETCH(QStringList, lines);
    const Result<PackMade> made = packOf(chartIn(chart));
    QVERIFY2(made, made ? "" : qPrintable(made.error()));
    QCOMPARE(losses(*made).join(u'\n'), lines.join(u'\n'));
}

/// The W3C has a history in a compound state only.
void TestConversionLosses::historyOfNothing()
{
    const Result<PackMade> made =
        packOf(chartIn(u"[*] --> A\nA --> B : go\nA --> B[H] : again\nB --> A : x"_s));
    QVERIFY2(made, made ? "" : qPrintable(made.error()));
    QCOMPARE(losses(*made),
        QStringList(
            u"4: \"B\" has no states of which a history could tell; arrows to its history lead to \"B\""_s));
    QStringList states;
    for (const State &state : made->pack.machines.first().states)
        states += state.id;
    QCOMPARE(states, QStringList({ u"absent"_s, u"A"_s, u"B"_s }));
    const auto again = std::ranges::find_if(made->pack.machines.first().transitions,
        [](const Transition &row) { return row.on.contains(u"again"_s); });
    QVERIFY(again != made->pack.machines.first().transitions.end());
    QCOMPARE(again->to, QStringList(u"B"_s));
}

void TestConversionLosses::namesOutcomesAfterTargets_data()
{
    QTest::addColumn<QString>("chart");
    QTest::newRow("states") << u"[*] --> A\nA --> B : go\nB --> C\nB --> D\nB --> E\nB --> D\n"
                               "C --> A : C"_s;
    QTest::newRow("one of them last") << u"[*] --> A\nA --> B : go\nB --> C\nB --> D\nB --> E\n"
                                         "C --> A : C\nB --> C"_s;
}

/// No target of arrows without a label is lost; the first one is also where work leads that says
/// nothing else.
void TestConversionLosses::namesOutcomesAfterTargets()
{
    QFETCH(const QString, chart);
    const Result<PackMade> made = packOf(chartIn(chart));
    QVERIFY2(made, made ? "" : qPrintable(made.error()));
    const Machine &machine = made->pack.machines.first();
    QStringList rows;
    for (const Transition &row : machine.transitions)
        if (row.from == QStringList { u"B"_s })
            for (const QString &on : row.on)
                rows += on + u" > "_s + row.to.join(u',');
    rows.sort();
    QCOMPARE(rows, QStringList({ u"D > D"_s, u"E > E"_s, u"succeeded > C"_s, u"to C > C"_s }));
    const State *const state = machine.state(u"B"_s);
    QVERIFY(state && state->kind == State::Kind::Transitional);
    QCOMPARE(state->work.value(0).name, u"to C"_s);
    QStringList outcomes;
    for (const Outcome &outcome : made->pack.outcomes)
        outcomes += outcome.id + u' ' + outcome.status;
    QCOMPARE(outcomes, QStringList({ u"to C Succeeded"_s, u"D Succeeded"_s, u"E Succeeded"_s }));
    const QString said =
        u"\"B\" is left by 3 arrows without a label; each is an outcome of its work: to C, D, E"_s;
    QCOMPARE(std::ranges::count(made->remarks, said, &Diagnostic::text), 1);
}

void TestConversionLosses::compositesKeepTargets_data()
{
    QTest::addColumn<QString>("chart");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QStringList>("rows");
    QTest::newRow("without an end")
        << u"[*] --> S\nstate S {\n[*] --> s1\ns1 --> s2 : e\n}\nS --> X\nS --> Y"_s << u"S"_s
        << QStringList({ u"X > X"_s, u"Y > Y"_s, u"succeeded > X"_s });
    QTest::newRow("the dot") << u"[*] --> X\n[*] --> Y"_s << u"initial"_s
                             << QStringList({ u"X > X"_s, u"Y > Y"_s, u"succeeded > X"_s });
}

/// The same where the arrows leave a composite without an end, or a dot.
void TestConversionLosses::compositesKeepTargets()
{
    QFETCH(const QString, chart);
    QFETCH(const QString, from);
    QFETCH(const QStringList, rows);
    const Result<PackMade> made = packOf(chartIn(chart));
    QVERIFY2(made, made ? "" : qPrintable(made.error()));
    const Machine &machine = made->pack.machines.first();
    QStringList found;
    QSet<QString> reached;
    for (const Transition &row : machine.transitions) {
        reached.unite(QSet<QString>(row.to.begin(), row.to.end()));
        if (row.from == QStringList { from })
            for (const QString &on : row.on)
                found += on + u" > "_s + row.to.join(u',');
    }
    found.sort();
    QCOMPARE(found, rows);
    QVERIFY(reached.contains(u"X"_s) && reached.contains(u"Y"_s));
    for (const State &state : machine.states) {
        if (state.id == from && state.kind != State::Kind::Composite)
            QCOMPARE(state.work.value(0).name, u"X"_s);
    }
    for (const Diagnostic &remark : made->remarks)
        if (remark.text.contains(u"arrows without a label"))
            QVERIFY2(remark.text.startsWith(u'"' + from.section(u'.', 0, 0).section(u'_', 0, 0)),
                qPrintable(remark.text));
}

/// States beside each other are never active at once without regions.
void TestConversionLosses::forksNeedRegions()
{
    const Statechart chart =
        chartIn(u"state F <<fork>>\nstate J <<join>>\n[*] --> A\nA --> F : go\nF --> B\n"
                "F --> C\nB --> C : x\nC --> B : y\nB --> J\nC --> J\nJ --> A"_s);
    const Result<ChartPlan> plan = planOf(chart);
    QVERIFY(plan);
    const Interpreter interpreter(*plan);
    const Answers none = [](const QString &) { return false; };
    Move move = interpreter.begun(none);
    move = interpreter.after(move.to, u"go"_s, none);
    QCOMPARE(interpreter.configuration(move.to), QStringList { u"B"_s });
    const StatechartsWritten written = writeScxml({ chart });
    QVERIFY2(!written.bytes.contains("target=\"B C\""), written.bytes.constData());
    QVERIFY(std::ranges::any_of(written.remarks, [](const Diagnostic &remark) {
        return remark.isLoss() && remark.text.startsWith(u"\"F\" leads to \"B\" and \"C\" at once");
    }));
    const auto arrows = [](const Statechart &of) {
        QStringList result;
        for (const Arc &arc : of.arcs)
            result += arc.from + u" > "_s + arc.to.join(u',');
        result.sort();
        return result;
    };
    const Result<StatechartsRead> again = readScxml(written.bytes, u"x"_s);
    QVERIFY(again);
    QCOMPARE(arrows(again->charts.first()), arrows(chart));
}

void TestConversionLosses::saysWhichArrow()
{
    const Result<PackMade> made =
        packOf(chartIn(u"[*] --> A\nA --> B : go [x]\nA --> C : go [x]\nB --> C : on"_s));
    QVERIFY2(made, made ? "" : qPrintable(made.error()));
    QCOMPARE(losses(*made),
        QStringList(u"4: the arrow from \"A\" on \"go\" is never taken; it is not in the pack"_s));
}

/// From a diagram to a pack and back, arrows say what they said.
void TestConversionLosses::saysLabelsOnce()
{
    const Result<PackMade> made = packOf(chartIn(
        u"[*] --> A\nA --> B : go / run\nB --> C : do [it is so] / walk\nC --> A : just"_s));
    QVERIFY2(made, made ? "" : qPrintable(made.error()));
    const Result<StatechartMade> drawn = statechartOf(made->pack.machines.first());
    QVERIFY(drawn);
    QStringList texts;
    for (const Arc &arc : drawn->chart.arcs)
        texts += arc.text();
    QCOMPARE(
        texts, QStringList({ QString(), u"go / run"_s, u"do [it is so] / walk"_s, u"just"_s }));
}

/// `count` states, and as many rows that lead from any state to each of them.
Machine anyToEach(int count)
{
    Machine machine;
    machine.id = u"dense"_s;
    for (int i = 0; i < count; ++i) {
        State state;
        state.id = u"S%1"_s.arg(i);
        machine.states += state;
        Transition row;
        row.from = { u"*"_s };
        row.on = { u"go%1"_s.arg(i) };
        row.to = { state.id };
        machine.transitions += row;
    }
    return machine;
}

/// A row from any state is an arrow from each: too many are an error, and take no time.
void TestConversionLosses::drawsSoManyArrows()
{
    const Result<StatechartMade> drawn = statechartOf(anyToEach(316));
    QVERIFY(drawn);
    QCOMPARE(drawn->chart.arcs.size(), 316 * 316);
    const Result<StatechartMade> refused = statechartOf(anyToEach(9000));
    QVERIFY(!refused);
    QVERIFY(refused.error().contains(u"\"dense\" has more than 100000 arrows"_s));
    QVERIFY(refused.error().contains(u".pack.json"_s));
}

const instar::TestClass<TestConversionLosses> registered;
#include "tst_conversionlosses.moc"
