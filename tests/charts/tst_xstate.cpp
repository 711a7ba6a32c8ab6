// SPDX-License-Identifier: Apache-2.0
// Machines for XState: what is read, what is written, and that both run as XState runs them.
#include "model/charts/interpreter.h"
#include "model/charts/machinefile.h"
#include "model/charts/xstate/xstate.h"
#include "tests/support/chartfiles.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

const QString sources = QStringLiteral(INSTAR_SOURCE_DIR);

Statechart chartOf(const QByteArray &text)
{
    return readCharts(*statechartFormat(u"xstate"_s), text).charts.first();
}

/// "A -E[c]/a-> B" for each arrow.
QStringList arrows(const Statechart &chart)
{
    QStringList result;
    for (const Arc &arc : chart.arcs)
        result += u"%1 -%2-> %3%4"_s.arg(
            arc.from, arc.text(), arc.to.join(u'+'), arc.isInternal ? u" (internal)"_s : QString());
    return result;
}

QStringList run(const Statechart &chart, const QStringList &events, const QStringList &conditions)
{
    const Result<ChartPlan> plan = planOf(chart);
    if (!plan)
        return { plan.error() };
    const Interpreter interpreter(*plan);
    const Answers answers = [&](const QString &name) { return conditions.contains(name); };
    Move move = interpreter.begun(answers);
    QStringList result { interpreter.configuration(move.to).join(u'+') };
    for (const QString &event : events) {
        move = interpreter.after(move.to, event, answers);
        result += interpreter.configuration(move.to).join(u'+');
    }
    return result;
}

/// A machine and what happens to it.
struct Walk
{
    QByteArray machine;
    QStringList events, conditions;
    int version = 5;
};

QList<Walk> courses()
{
    return {
        { R"({"id":"m","initial":"a","states":{"a":{"on":{"E":"b"}},"b":{"on":{"E":{"target":"a"}}}}})",
            { u"E"_s, u"X"_s, u"E"_s }, {} },
        { R"({"id":"m","initial":"a","states":{"a":{"on":{"E":[{"target":"b","guard":"g"},{"target":"c"}]}},
            "b":{"always":"c"},"c":{"type":"final"}}})",
            { u"E"_s, u"E"_s }, { u"g"_s } },
        { R"({"id":"m","initial":"a","states":{"a":{"on":{"E":[{"target":"b","guard":"g"},{"target":"c"}]}},
            "b":{},"c":{"type":"final"}}})",
            { u"E"_s }, {} },
        // Children, ids, siblings, the machine's own transitions.
        { R"({"id":"m","initial":"p","on":{"RESET":".p","DEEP":"#deep"},"states":{
            "p":{"initial":"p1","on":{"IN":".p2","OUT":"q"},"states":{"p1":{"on":{"N":"p2"}},"p2":{}}},
            "q":{"initial":"q1","states":{"q1":{"on":{"N":"#m.p.p2"}},"q2":{"id":"deep"}}}}})",
            { u"IN"_s, u"OUT"_s, u"N"_s, u"RESET"_s, u"N"_s, u"DEEP"_s }, {} },
        // Regions, their end, history.
        { R"({"id":"m","initial":"w","states":{"w":{"type":"parallel","onDone":"end","on":{"PAUSE":"s"},"states":{
            "r1":{"initial":"a1","states":{"a1":{"on":{"A":"f1"}},"f1":{"type":"final"}}},
            "r2":{"initial":"a2","states":{"a2":{"on":{"B":"b2"}},"b2":{"on":{"C":"f2"}},"f2":{"type":"final"}}},
            "h":{"type":"history","history":"deep"}}},"s":{"on":{"GO":"w.h"}},"end":{}}})",
            { u"B"_s, u"PAUSE"_s, u"GO"_s, u"A"_s, u"C"_s, u"C"_s }, {} },
        { R"({"id":"m","initial":"w","states":{"w":{"initial":"a","on":{"P":"s"},"states":{"a":{"on":{"N":"b"}},"b":{},
            "h":{"type":"history"}}},"s":{"on":{"GO":"w.h"}}}})",
            { u"N"_s, u"P"_s, u"GO"_s, u"P"_s }, {} },
        { R"({"id":"m","initial":"s","states":{"w":{"initial":"b","states":{"a":{},"b":{},
            "h":{"type":"history"}}},"s":{"on":{"GO":"w.h"}}}})",
            { u"GO"_s }, {} },
        { R"({"id":"m","initial":"s","states":{"w":{"initial":"b","states":{"a":{},"b":{},
            "h":{"type":"history","target":"a"}}},"s":{"on":{"GO":"w.h"}}}})",
            { u"GO"_s }, {} },
        // Delays, services, wildcards, several targets.
        { R"({"id":"m","initial":"a","states":{"a":{"after":{"1000":"b","10":{"target":"c","guard":"g"}}},"b":{},"c":{}}})",
            { u"after 10 ms"_s, u"after 1000 ms"_s }, {} },
        { R"({"id":"m","initial":"a","states":{"a":{"invoke":{"id":"load","src":"fetch","onDone":"b","onError":"c"}},"b":{},"c":{}}})",
            { u"error.platform.load"_s }, {} },
        { R"({"id":"m","initial":"a","states":{"a":{"on":{"*":"c","mouse.*":"b","mouse.up":{"target":"a","guard":"g"}}},"b":{"on":{"*":"a"}},"c":{"on":{"E":"a"}}}})",
            { u"mouse.up"_s, u"x"_s, u"mouse.up.left"_s, u"x"_s, u"key"_s, u"E.1"_s, u"E"_s }, {} },
        { R"({"id":"m","initial":"a","states":{"a":{"on":{"*":"d","k.*":"c","k.up.*":"b"}},"b":{"on":{"E":"a"}},"c":{"on":{"E":"a"}},"d":{}}})",
            { u"k.up.1"_s, u"E"_s, u"k.down"_s, u"E"_s, u"l"_s }, {} },
        { R"({"id":"m","initial":"s","states":{"s":{"on":{"GO":["#x"],"BOTH":{"target":["p.r1.b1","p.r2.b2"]}}},"p":{"type":"parallel","states":{
            "r1":{"initial":"a1","states":{"a1":{},"b1":{}}},"r2":{"initial":"a2","states":{"a2":{},"b2":{"id":"x"}}}}}}})",
            { u"BOTH"_s }, {} },
        { R"({"id":"m","initial":"s","states":{"s":{"on":{"GO":["#x"]}},"p":{"type":"parallel","states":{
            "r1":{"initial":"a1","states":{"a1":{},"b1":{}}},"r2":{"initial":"a2","states":{"a2":{},"b2":{"id":"x"}}}}}}})",
            { u"GO"_s }, {} },
        // The machine is parallel; what is forbidden inside does not bubble up.
        { R"({"id":"m","type":"parallel","states":{"r1":{"initial":"a1","states":{"a1":{"on":{"E":"b1"}},"b1":{"on":{"X":{}}}}},
            "r2":{"initial":"a2","states":{"a2":{"on":{"E":"b2"}},"b2":{}}}},"on":{"X":".r1"}})",
            { u"X"_s, u"E"_s, u"X"_s }, {} },
        { R"({"id":"m","initial":"a","states":{"a":{"initial":"x","on":{"S":{"target":"a","reenter":true},"T":"a"},"states":{"x":{"on":{"N":"y"}},"y":{}}}}})",
            { u"N"_s, u"T"_s, u"N"_s, u"S"_s }, {} },
        // Version 4.
        { R"({"id":"m","initial":"a","states":{"a":{"on":{"E":[{"target":"b","cond":"g","actions":["x"]},{"target":"c"}]}},"b":{"on":{"":"c"}},"c":{}}})",
            { u"E"_s }, { u"g"_s }, 4 },
        { R"({"id":"m","initial":"p","states":{"p":{"initial":"p1","onEntry":"x","on":{"IN":".p2","OUT":{"target":"q","internal":false}},
            "states":{"p1":{"after":{"20":"p2"}},"p2":{}}},"q":{"on":{"B":{"target":"p","in":"#m.q"}}}}})",
            { u"after 20 ms"_s, u"OUT"_s, u"B"_s, u"IN"_s }, {}, 4 },
        { R"({"id":"m","type":"parallel","states":{"r1":{"initial":"a1","states":{"a1":{"on":{"A":{"target":"b1","in":"r2.b2"}}},"b1":{}}},
            "r2":{"initial":"a2","states":{"a2":{"on":{"B":"b2"}},"b2":{}}}}})",
            { u"A"_s, u"B"_s, u"A"_s }, {}, 4 },
    };
}

QJsonObject question(const Walk &course)
{
    return { { u"version"_s, course.version },
        { u"machine"_s, QJsonDocument::fromJson(course.machine).object() },
        { u"events"_s, QJsonArray::fromStringList(course.events) },
        { u"conditions"_s, QJsonArray::fromStringList(course.conditions) } };
}

QStringList told(const QJsonValue &answer)
{
    if (answer.isObject())
        return { u"error: "_s + answer.toObject().value(u"error"_s).toString() };
    QStringList result;
    const QJsonArray all = answer.toArray();
    for (const QJsonValue each : all)
        result += each.toVariant().toStringList().join(u'+');
    return result;
}

} // namespace

class TestXState : public QObject
{
    Q_OBJECT

private slots:
    void arrowsOfAll();
    void whatStatesDo();
    void isRead_data() const;
    void isRead();
    void machinesThatAreStates_data() const;
    void machinesThatAreStates();
    void histories();
    void beginsWithAHistory();
    void keysWithDots();
    void longestWildcardFirst();
    void remarks_data() const;
    void remarks();
    void mistakes_data() const;
    void mistakes();
    void isRecognised_data() const;
    void isRecognised();
    void comesBack_data() const;
    void comesBack();
    void keepsWhatItHas();
    void everyChart();
    void runsAsXState();
    void isQuick_data() const;
    void isQuick();
};

void TestXState::arrowsOfAll()
{
    const Statechart chart = chartOf(R"({"id":"door","initial":"shut","states":{
      "shut":{"on":{"OPEN":{"target":"open","guard":{"type":"isAbove","params":{"least":3}},"actions":["creak",{"type":"log"}]},
                    "KNOCK":{"actions":"answer"}},
              "after":{"500":"locked","soon":"locked"}},
      "open":{"initial":"wide","on":{"PUSH":[".narrow","shut"]},"states":{"wide":{},"narrow":{}}},
      "locked":{"always":[{"target":"#shut2","guard":"hasKey"}]},
      "other":{"id":"shut2"}}})");
    QCOMPARE(arrows(chart),
        QStringList({ u"initial --> shut"_s,
            u"shut -OPEN [isAbove({\"least\": 3})] / creak; log-> open"_s,
            u"shut -KNOCK / answer-> "_s, u"shut -after 500 ms-> locked"_s,
            u"shut -after soon-> locked"_s, u"open -PUSH-> narrow (internal)"_s,
            u"open -PUSH-> shut"_s, u"open.initial --> wide"_s, u"locked -[hasKey]-> other"_s }));
    QCOMPARE(chart.id, u"door"_s);
}

void TestXState::whatStatesDo()
{
    const Statechart chart = chartOf(R"({"id":"m","initial":"a","states":{
      "a":{"entry":["x",{"type":"y","params":{"n":1}}],"exit":"z","invoke":{"src":"load","onDone":"b"},
           "description":"waits\nfor it","tags":["t"],"meta":{"w":1}},
      "b":{"type":"final","output":3}}})");
    const Vertex &a = *chart.vertex(u"a"_s);
    QCOMPARE(a.description,
        QStringList({ u"entry / x"_s, u"entry / y"_s, u"do / load"_s, u"exit / z"_s, u"waits"_s,
            u"for it"_s }));
    QCOMPARE(a.particulars.value(u"xstate.tags"_s), u"[\"t\"]"_s);
    QCOMPARE(a.particulars.value(u"xstate.@meta"_s), u"{\"w\": 1}"_s);
    QCOMPARE(chart.vertex(u"b"_s)->kind, Vertex::Kind::Final);
    QCOMPARE(chart.arcs.last().event, u"done.invoke.load"_s);
}

void TestXState::isRead_data() const
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("vertices");
    QTest::newRow("keys that several have") << QByteArray(
        R"({"id":"m","initial":"a","states":{"a":{"initial":"x","states":{"x":{}}},"b":{"initial":"x","states":{"x":{}}}}})")
                                            << QStringList { u"initial"_s, u"a"_s, u"a.initial"_s,
                                                   u"a.x"_s, u"b"_s, u"b.initial"_s, u"b.x"_s };
    QTest::newRow("the machine does something")
        << QByteArray(R"({"id":"m","initial":"a","on":{"E":".a"},"states":{"a":{}}})")
        << QStringList { u"m"_s, u"m.initial"_s, u"a"_s };
    QTest::newRow("no id") << QByteArray(R"({"initial":"a","states":{"a":{}}})")
                           << QStringList { u"initial"_s, u"a"_s };
    QTest::newRow("parallel of version 3") << QByteArray(
        R"({"id":"m","initial":"p","states":{"p":{"parallel":true,"states":{"r":{},"s":{}}}}})")
                                           << QStringList { u"initial"_s, u"p"_s, u"r"_s, u"s"_s };
    QTest::newRow("as a machine is written out") << QByteArray(
        R"({"id":"m","key":"m","type":"compound","initial":{"target":["#m.a"],"source":"#m","actions":[]},
           "states":{"a":{"id":"m.a","key":"a","type":"atomic","states":{},"on":{"E":[{"target":["#m.b"],"source":"#m.a","actions":[],"eventType":"E"}]},
           "entry":[],"exit":[],"order":1,"invoke":[],"tags":[]},"b":{"id":"m.b","key":"b","type":"atomic","states":{},"on":{}}},
           "on":{},"transitions":[],"entry":[],"exit":[],"order":-1,"invoke":[],"tags":[]})")
                                                 << QStringList { u"initial"_s, u"a"_s, u"b"_s };
}

void TestXState::isRead()
{
    QFETCH(QByteArray, text);
    const StatechartsRead read = readCharts(*statechartFormat(u"xstate"_s), text);
    QCOMPARE(texts(read.remarks), QStringList());
    QStringList ids;
    for (const Vertex &vertex : read.charts.first().vertices)
        ids += vertex.id;
    QTEST(ids, "vertices");
}

void TestXState::machinesThatAreStates_data() const
{
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<QString>("fact");
    const auto row = [](const char *says, const QString &fact) {
        QTest::newRow(QByteArray(says).left(QByteArray(says).indexOf(':')).constData())
            << QByteArray(says) << fact;
    };
    row(R"("on": {"E": ".a"})", u"m -E-> a (internal)"_s);
    row(R"("always": {"target": ".a", "guard": "g"})", u"m -[g]-> a (internal)"_s);
    row(R"("after": {"7": ".a"})", u"m -after 7 ms-> a (internal)"_s);
    row(R"("onDone": {"actions": "bye"})", u"m -done.state.m / bye-> "_s);
    row(R"("invoke": {"src": "load", "id": "l", "onDone": ".a"})",
        u"m -done.invoke.l-> a (internal)"_s);
    row(R"("entry": "x")", u"entry / x"_s);
    row(R"("onEntry": "x")", u"entry / x"_s);
    row(R"("exit": "x")", u"exit / x"_s);
    row(R"("onExit": "x")", u"exit / x"_s);
}

/// Whatever a machine does itself, it does as the state around all others; nothing of it is lost.
void TestXState::machinesThatAreStates()
{
    QFETCH(QByteArray, says);
    QFETCH(QString, fact);
    const StatechartsRead read = readCharts(*statechartFormat(u"xstate"_s),
        R"({"id":"m","initial":"a","states":{"a":{"on":{"F":"b"}},"b":{"type":"final"}},)" + says
            + '}');
    QCOMPARE(texts(read.remarks), QStringList());
    const Statechart &chart = read.charts.first();
    QCOMPARE(chart.vertices.first().id, u"m"_s);
    QCOMPARE(chart.vertex(u"a"_s)->parent, u"m"_s);
    const QStringList facts = arrows(chart) + chart.vertices.first().description;
    QVERIFY2(facts.contains(fact), qPrintable(facts.join(u'\n')));
    // And it comes back.
    const StatechartsRead again =
        readCharts(*statechartFormat(u"xstate"_s), writeXState({ chart }).bytes);
    QCOMPARE(arrows(again.charts.first()), arrows(chart));
    QCOMPARE(again.charts.first().vertices.first().description, chart.vertices.first().description);
}

void TestXState::histories()
{
    const Statechart chart =
        chartOf(R"({"id":"m","initial":"s","states":{"s":{"initial":"a","states":{
      "a":{},"b":{},"typed":{"type":"history"},"deep":{"type":"history","history":"deep"},
      "of3":{"history":"shallow","target":"b"},"deepOf3":{"history":"deep"}}}}})");
    const auto kind = [&](const QString &id) { return chart.vertex(id)->kind; };
    QCOMPARE(kind(u"typed"_s), Vertex::Kind::ShallowHistory);
    QCOMPARE(kind(u"deep"_s), Vertex::Kind::DeepHistory);
    QCOMPARE(kind(u"of3"_s), Vertex::Kind::ShallowHistory);
    QCOMPARE(kind(u"deepOf3"_s), Vertex::Kind::DeepHistory);
    QVERIFY(arrows(chart).contains(u"of3 --> b"_s));
}

/// XState begins in a state: a history is what the dot's arrow leads to, not the beginning itself.
void TestXState::beginsWithAHistory()
{
    Statechart chart;
    chart.id = u"m"_s;
    const auto add = [&](Vertex::Kind kind, const QString &id, const QString &parent = {}) {
        chart.vertices.append({ .kind = kind, .id = id, .parent = parent });
    };
    using Kind = Vertex::Kind;
    add(Kind::State, u"s"_s);
    const QString dot = madeUpId(u"s"_s, u"initial");
    add(Kind::Initial, dot, u"s"_s);
    chart.vertices.last().isNamed = false;
    add(Kind::ShallowHistory, u"h"_s, u"s"_s);
    add(Kind::State, u"a"_s, u"s"_s);
    add(Kind::State, u"b"_s, u"s"_s);
    add(Kind::State, u"away"_s);
    for (const QStringList &arc : QList<QStringList> { { dot, u"h"_s, {} }, { u"h"_s, u"a"_s, {} },
             { u"a"_s, u"b"_s, u"E"_s }, { u"s"_s, u"away"_s, u"E2"_s },
             { u"away"_s, u"s"_s, u"E2"_s } })
        chart.arcs.append({ .from = arc[0], .to = { arc[1] }, .event = arc[2] });
    const StatechartsWritten written = writeXState({ chart });
    QCOMPARE(texts(written.remarks), QStringList());
    const QJsonObject state =
        QJsonDocument::fromJson(written.bytes)[u"states"_s][u"s"_s].toObject();
    const QJsonObject first = state[u"states"_s][state[u"initial"_s].toString()].toObject();
    QVERIFY2(!first[u"always"_s].isUndefined(), written.bytes.constData());
    const Statechart again = chartOf(written.bytes);
    QVERIFY2(arrows(again).contains(dot + u" --> h"_s), written.bytes.constData());
    const QStringList events { u"E"_s, u"E2"_s, u"E2"_s };
    QCOMPARE(run(again, events, {}), run(chart, events, {}));
}

/// What is begun in is a key, not a path.
void TestXState::keysWithDots()
{
    const StatechartsRead read = readCharts(*statechartFormat(u"xstate"_s),
        R"({"id":"m","initial":"a.b","states":{"c":{},"a.b":{"on":{"E":"c"}}}})");
    QCOMPARE(texts(read.remarks), QStringList());
    QCOMPARE(run(read.charts.first(), { u"E"_s }, {}), QStringList({ u"a.b"_s, u"c"_s }));
}

void TestXState::longestWildcardFirst()
{
    const Statechart chart = chartOf(R"({"id":"m","initial":"a","states":{
      "a":{"on":{"*":"d","k.*":"c","k.up.*":"b"}},"b":{},"c":{},"d":{}}})");
    for (const auto &[event, to] : QList<std::pair<QString, QString>> {
             { u"k.up.1"_s, u"b"_s }, { u"k.down"_s, u"c"_s }, { u"l"_s, u"d"_s } })
        QCOMPARE(run(chart, { event }, {}).last(), to);
}

void TestXState::remarks_data() const
{
    QTest::addColumn<QByteArray>("inside");
    QTest::addColumn<QString>("remark");
    const auto row = [](const char *name, const char *inside, const QString &remark) {
        QTest::newRow(name) << QByteArray(inside) << remark;
    };
    row("unknown target", "\"a\": {\"on\": {\"E\": \"aa\"}}",
        u"2!: there is no state \"aa\"; the transition to it is left out"_s);
    row("unknown type", "\"a\": {\"type\": \"round\"}",
        u"2!: there is no type \"round\"; the state is read as an ordinary one"_s);
    row("unknown property", "\"a\": {\"onn\": 1}",
        u"2: \"onn\" is no property that XState has here; it is kept as it is"_s);
    row("property of an arrow", "\"a\": {\"on\": {\"E\": {\"target\": \"b\", \"go\": 1}}}",
        u"2: \"go\" is no property that a transition of XState has; it is kept as it is"_s);
    row("no state", "\"a\": 3",
        u"2!: expected a state, an object, found a number; \"a\" is left out"_s);
    row("out of a final state", "\"a\": {\"type\": \"final\", \"on\": {\"E\": \"b\"}}",
        u"2!: nothing leaves a final state; the transition is left out"_s);
    row("twice", "\"a\": {}, \"b\": {}",
        u"2!: there is a state \"b\" already; this one is left out"_s);
    row("for ever", "\"a\": {\"always\": {\"actions\": \"x\"}}",
        u"2!: what is done always, without a target, is done for ever; it is left out"_s);
    row("no name of a guard", "\"a\": {\"on\": {\"E\": {\"target\": \"b\", \"guard\": 3}}}",
        u"2: expected a guard, a name or an object with \"type\", found 3"_s);
}

void TestXState::remarks()
{
    QFETCH(QByteArray, inside);
    const QByteArray text = "{\"id\": \"m\", \"states\": {\"b\": {},\n" + inside + "}}";
    const Result<StatechartsRead> read = readXState(text, u"x.xstate.json"_s);
    QVERIFY2(read, read ? "" : qPrintable(read.error()));
    QCOMPARE(texts(read->remarks).size(), 1);
    QTEST(texts(read->remarks).first(), "remark");
}

void TestXState::mistakes_data() const
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const QByteArray &text, const QString &error) {
        QTest::newRow(name) << text << error;
    };
    row("nothing", "", u"x.json:1:1: expected a value"_s);
    row("a list", "[]",
        u"x.json:1: expected a machine for XState, an object with \"states\", found a list"_s);
    row("none of its words", "{\"a\": 1}", u"found none"_s);
    row("no state", "{\"states\": {}}", u"x.json:1: expected a machine with states, found none"_s);
    row("a beginning only", "{\"initial\": \"a\", \"id\": \"m\"}",
        u"x.json:1: expected a machine with states, found none"_s);
    row("a program", "import { createMachine } from 'xstate';\n",
        u"write it out with JSON.stringify(machine.config)"_s);
    row("broken", "{\"states\": {\"a\": {}}", u"x.json:1:"_s);
    QByteArray deep = "{\"states\": {";
    for (int i = 0; i < 300; ++i)
        deep += "\"a\": {\"states\": {";
    row("deep", deep + QByteArray(600, '}') + "}}", u"at most"_s);
}

void TestXState::mistakes()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, error);
    const Result<StatechartsRead> read = readXState(text, u"x.json"_s);
    QVERIFY(!read);
    QVERIFY2(read.error().contains(error), qPrintable(read.error()));
    QVERIFY(!read.error().contains(u'\n'));
}

void TestXState::isRecognised_data() const
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("format");
    QTest::newRow("xstate") << QByteArray(
        R"({"initial":"a","states":{"a":{"on":{"E":"b"}},"b":{}}})")
                            << u"xstate"_s;
    QTest::newRow("xstate, bare states")
        << QByteArray(R"({"initial":"a","states":{"a":{},"b":{}}})") << u"xstate"_s;
    QTest::newRow("a machine of ours") << QByteArray(
        R"({"rest":"b","states":{"a":{"kind":"initial"},"b":{}},"transitions":[{"from":"a","on":"E","to":"b"}]})")
                                       << u"machine"_s;
}

/// A file whose name says only that it is JSON.
void TestXState::isRecognised()
{
    QFETCH(QByteArray, text);
    QTemporaryDir folder;
    const QString name = folder.filePath(u"some.json"_s);
    QFile file(name);
    QVERIFY(file.open(QFile::WriteOnly) && file.write(text) == text.size());
    file.close();
    const Result<MachineFile> loaded = loadMachines(name);
    QVERIFY2(loaded, loaded ? "" : qPrintable(loaded.error()));
    QTEST(loaded->format, "format");
    QCOMPARE(loaded->charts.isEmpty(), loaded->format != u"xstate");
    if (!loaded->charts.isEmpty())
        QCOMPARE(loaded->ids(), QStringList(u"some"_s));
}

void TestXState::comesBack_data() const
{
    QTest::addColumn<QByteArray>("text");
    int number = 0;
    for (const Walk &course : courses())
        QTest::addRow("course %d", ++number) << course.machine;
    QTest::newRow("an empty key") << QByteArray(
        R"({"id": "m", "initial": "a", "states": {"a": {}, "": {"on": {"E": "a"}}}})");
    QTest::newRow("another delimiter")
        << QByteArray(R"({"id": "m", "delimiter": "/", "initial": "a", "states": {
            "a": {"initial": "d", "on": {"N": "/e", "O": "c/x", "P": "#m/c/x"},
                "states": {"d": {"on": {"N": "e"}}, "e": {"on": {"O": "#top"}}}},
            "c": {"id": "top", "states": {"x": {"on": {"N": "#m/a/e", "O": "#top"}}}}}})");
    QTest::newRow("one state that does nothing")
        << QByteArray(R"({"id": "m", "on": {"E": "nowhere"}})");
    QTest::newRow("one state") << QByteArray(R"({"id": "m", "on": {"E": {"actions": "beep"}}})");
    for (const QString &file :
        QDir(sources + u"/tests/data/corpus/xstate"_s).entryList(QDir::Files))
        QTest::newRow(qPrintable(file))
            << contents(sources + u"/tests/data/corpus/xstate/"_s + file);
}

/// What is read from XState is written and read the same.
void TestXState::comesBack()
{
    QFETCH(QByteArray, text);
    const Result<StatechartsRead> read = readXState(text, u"m"_s);
    QVERIFY2(read, read ? "" : qPrintable(read.error()));
    const StatechartsWritten written = writeXState(read->charts);
    const Result<StatechartsRead> again = readXState(written.bytes, u"m"_s);
    QVERIFY2(again, again ? "" : qPrintable(again.error()));
    QCOMPARE(texts(written.remarks), QStringList());
    for (qsizetype i = 0; i < read->charts.first().vertices.size(); ++i)
        QVERIFY2(read->charts.first().vertices[i] == again->charts.first().vertices.value(i),
            qPrintable(
                read->charts.first().vertices[i].id + u'\n' + QString::fromUtf8(written.bytes)));
    QCOMPARE(arrows(again->charts.first()), arrows(read->charts.first()));
    QVERIFY2(again->charts == read->charts, written.bytes.constData());
}

/// Nothing of a machine is lost on the way, whatever version it is for.
void TestXState::keepsWhatItHas()
{
    const QByteArray five = R"({"id":"m","context":{"n":1},"initial":"a","states":{
      "a":{"entry":[{"type":"x","params":{"k":1}}],"on":{"E":{"target":"b","guard":{"type":"g"},"actions":{"type":"y"},"meta":{"w":2}}},
           "invoke":[{"src":"s","input":{"q":1},"onDone":{"target":"b"}}]},"b":{"output":{"r":1},"type":"final"}}})";
    const QByteArray written = writeXState({ chartOf(five) }).bytes;
    for (const QByteArray piece :
        { "\"n\": 1", "\"k\": 1", "\"guard\"", "\"w\": 2", "\"q\": 1", "\"r\": 1" })
        QVERIFY2(written.contains(piece), (piece + '\n' + written).constData());
    QVERIFY(!written.contains("\"instar\""));
    const QByteArray four =
        R"({"id":"m","initial":"a","states":{"a":{"on":{"E":{"target":"b","cond":"g"}}},"b":{}}})";
    const QByteArray old = writeXState({ chartOf(four) }).bytes;
    QVERIFY2(old.contains("\"cond\"") && !old.contains("\"guard\""), old.constData());
}

/// Charts of any origin: what is written is read the same from then on, and runs the same, by
/// XState's rules.
void TestXState::everyChart()
{
    QVERIFY(holdsFor(300, 100, [&] {
        const Statechart chart = *randomStatechart();
        const StatechartsWritten written = writeXState({ chart });
        RC_LOG() << written.bytes.toStdString();
        const Result<StatechartsRead> read = readXState(written.bytes, u"made"_s);
        RC_ASSERT(bool(read));
        const bool hasFork = std::ranges::any_of(
            chart.vertices, [](const Vertex &vertex) { return vertex.kind == Vertex::Kind::Fork; });
        if (!hasFork && std::ranges::none_of(written.remarks, &Remark::isLoss)) // it has one arrow
            RC_ASSERT(read->charts.first().arcs.size() == chart.arcs.size());
        const StatechartsWritten twice = writeXState(read->charts);
        const Result<StatechartsRead> again = readXState(twice.bytes, u"made"_s);
        RC_LOG() << twice.bytes.toStdString();
        RC_ASSERT(bool(again));
        RC_ASSERT(again->charts == read->charts);
    }));
    QVERIFY(holdsFor(200, 60, [&] {
        Statechart chart = *runnableStatechart();
        const QByteArray bytes = writeXState({ chart }).bytes;
        RC_LOG() << bytes.toStdString();
        const Result<StatechartsRead> read = readXState(bytes, u"made"_s);
        RC_ASSERT(bool(read));
        const QStringList events { u"a"_s, u"b"_s, u"c"_s, u"b"_s, u"a"_s };
        // Where a state inside has heard an event, the W3C still asks those around it in other
        // regions.
        chart.particulars.insert(u"xstate.@for"_s, u"5"_s);
        RC_ASSERT(run(read->charts.first(), events, { u"x"_s }) == run(chart, events, { u"x"_s }));
    }));
}

/// The library runs what is written, and what is read runs as there.
void TestXState::runsAsXState()
{
    const QString npm = QStandardPaths::findExecutable(u"npm"_s);
    const QString node = QStandardPaths::findExecutable(u"node"_s);
    if (npm.isEmpty() || node.isEmpty())
        QSKIP("npm or node is not installed");
    QTemporaryDir folder;
    for (const QString &name : { u"package.json"_s, u"run.mjs"_s })
        QVERIFY(QFile::copy(sources + u"/tests/data/xstate-js/"_s + name, folder.filePath(name)));
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(npm, { u"install"_s, u"--no-audit"_s, u"--no-fund"_s, u"--prefer-offline"_s });
    if (!process.waitForFinished(200'000) || process.exitCode() != 0)
        QSKIP("npm cannot install xstate");

    QJsonArray questions;
    QList<QStringList> ours;
    QStringList names;
    const auto ask = [&](const QString &name, const Walk &course) {
        questions.append(question(course));
        ours += run(chartOf(course.machine), course.events, course.conditions);
        names += name + u'\n' + QString::fromUtf8(course.machine);
    };
    for (const Walk &course : courses()) {
        ask(u"read"_s, course);
        Walk written = course;
        written.machine = writeXState({ chartOf(course.machine) }).bytes;
        ask(u"written"_s, written);
    }
    QVERIFY(holdsFor(80, 60, [&] {
        const Statechart chart = *runnableStatechart();
        QStringList events;
        for (int i = 0; i < 6; ++i) {
            const int arc = *rc::gen::inRange(0, int(chart.arcs.size()) + 1);
            const QStringList heard =
                arc < chart.arcs.size() ? chart.arcs[arc].events() : QStringList();
            events += heard.isEmpty() || heard.first().contains(u'*') ? u"none"_s : heard.first();
        }
        const bool asksStates = std::ranges::any_of(
            chart.arcs, [](const Arc &arc) { return arc.condition.contains(u"In("); });
        if (asksStates)
            return;
        ask(u"random"_s, { writeXState({ chart }).bytes, events, {}, 5 });
        ours.last().replaceInStrings(u"."_s, u"_"_s); // a key has no dot
    }));
    process.start(node, { u"run.mjs"_s });
    process.write(QJsonDocument(questions).toJson());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(60'000));
    const QJsonArray answers = QJsonDocument::fromJson(process.readAllStandardOutput()).array();
    QCOMPARE(answers.size(), ours.size());
    QVERIFY(ours.size() > 60);
    for (qsizetype i = 0; i < ours.size(); ++i)
        QVERIFY2(told(answers[i]) == ours[i],
            qPrintable(u"%1\n%2\nXState: %3\nours:   %4"_s.arg(names[i],
                questions[i].toObject().value(u"events"_s).toVariant().toStringList().join(u' '),
                told(answers[i]).join(u" | "), ours[i].join(u" | "))));
}

void TestXState::isQuick_data() const
{
    QTest::addColumn<QByteArray>("text");
    QByteArray many = "{\"states\": {";
    for (int i = 0; i < 50'000; ++i)
        many += "\"s" + QByteArray::number(i) + "\": {\"on\": {\"E\": \"s0\"}},";
    QTest::newRow("many states") << many + "\"z\": {}}}";
    QByteArray same = "{\"states\": {";
    for (int i = 0; i < 10'000; ++i)
        same += "\"s" + QByteArray::number(i) + "\": {\"states\": {\"x\": {}}},";
    QTest::newRow("one key often") << same + "\"z\": {}}}";
    QByteArray strange = "{\"states\": {";
    for (int i = 0; i < 10'000; ++i) // all of them like "___", "___", ...
        strange += "\"s" + QByteArray::number(i) + "\": {\"meta\": {\"instar\": {\"id\": \""
            + QByteArray::number(i, 2).rightJustified(14, '0').replace('0', '.').replace('1', '#')
            + "\"}}},";
    QTest::newRow("names that look alike") << strange + "\"z\": {}}}";
    QByteArray wide = "{";
    for (int i = 0; i < 10'000; ++i)
        wide += "\"x" + QByteArray::number(i) + "\": 1,";
    QByteArray back = "\"a\"";
    for (int i = 0; i < 10'000; ++i)
        back += ", \"a\"";
    QTest::newRow("a wide machine")
        << wide + "\"states\": {\"a\": {\"on\": {\"E\": [" + back + "]}}}}";
    QByteArray lines = "{\"states\": {\"a\": {\"on\": {\"E\": [";
    for (int i = 0; i < 50'000; ++i)
        lines += "\"b\",\n";
    QTest::newRow("many lines") << lines + "\"b\"]}}}}";
}

/// It ends at all, and well in the time of a test.
void TestXState::isQuick()
{
    QFETCH(QByteArray, text);
    const Result<StatechartsRead> read = readXState(text, u"big"_s);
    QVERIFY2(read, read ? "" : qPrintable(read.error()));
    QVERIFY(!writeXState(read->charts).bytes.isEmpty());
}

const instar::TestClass<TestXState> registered;
#include "tst_xstate.moc"
