// SPDX-License-Identifier: Apache-2.0
// What a statechart does, example by example; tst_interpreter_scxml compares at random.

#include "model/statecharts/conversion.h"
#include "model/statecharts/interpreter.h"
#include "model/statecharts/notation/notations.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestInterpreter : public QObject
{
    Q_OBJECT

private slots:
    void runs_data();
    void runs();
    void doneWithAllRegions_data();
    void doneWithAllRegions();
    void historyWithoutMemory_data();
    void historyWithoutMemory();
    void layoutIsNotExecuted();
    void eventsWithDataAreNotSent();
    void describing();
    void guards_data();
    void guards();
    void endless();
    void deep();
};

namespace {

using Kind = Vertex::Kind;

/// "kind id in parent" and "from -> to: event [condition]", a line each; several targets with "+".
Statechart chartOf(const QString &text)
{
    static const QMap<QString, Kind> kinds { { u"state"_s, Kind::State },
        { u"parallel"_s, Kind::Parallel }, { u"initial"_s, Kind::Initial },
        { u"final"_s, Kind::Final }, { u"shallow"_s, Kind::ShallowHistory },
        { u"deep"_s, Kind::DeepHistory }, { u"choice"_s, Kind::Choice }, { u"fork"_s, Kind::Fork },
        { u"join"_s, Kind::Join }, { u"entry"_s, Kind::Entry }, { u"exit"_s, Kind::Exit },
        { u"end"_s, Kind::Final }, { u"dot"_s, Kind::Initial } };
    Statechart chart;
    for (const QString &line : text.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList words = line.split(u' ');
        if (words.value(1) != u"->" && words.value(1) != u"=>") {
            Vertex vertex;
            vertex.kind = kinds.value(words[0]);
            vertex.id = words[1];
            vertex.parent = words.value(3);
            vertex.isNamed = words[0] != u"end" && words[0] != u"dot";
            chart.vertices.append(vertex);
            continue;
        }
        Arc arc;
        arc.from = words[0];
        arc.isInternal = words[1] == u"=>";
        arc.to = words[2].split(u'+', Qt::SkipEmptyParts);
        QString rest = words.mid(3).join(u' ');
        if (rest.endsWith(u']')) {
            arc.condition = rest.section(u'[', 1).chopped(1);
            rest = rest.section(u'[', 0, 0).trimmed();
        }
        arc.event = rest;
        chart.arcs.append(arc);
    }
    return chart;
}

QString configurations(
    const Statechart &chart, const QString &events, const QStringList &conditions)
{
    const Result<ChartPlan> plan = planOf(chart);
    if (!plan)
        return plan.error();
    const Interpreter interpreter(*plan);
    const Answers answers = [&](const QString &name) { return conditions.contains(name); };
    Move move = interpreter.begun(answers);
    QStringList all { interpreter.configuration(move.to).join(u'+') };
    for (const QString &event : events.split(u',', Qt::SkipEmptyParts)) {
        move = interpreter.after(move.to, event, answers);
        all += interpreter.configuration(move.to).join(u'+');
    }
    return all.join(u' ');
}

} // namespace

void TestInterpreter::runs_data()
{
    const Rows<QString, QString, QStringList, QString> add(
        "chart", "events", "conditions", "configurations");
    const auto row = [&](const char *name, const QString &chart, const QString &events,
                         const QString &configurations, const QStringList &conditions = {}) {
        add(name, chart, events, conditions, configurations);
    };
    row("nothing", {}, u"a"_s, u" "_s);
    row("unheard", u"state x"_s, u"a"_s, u"x x"_s);
    row("the dot", u"dot i\nstate x\nstate y\ni -> y"_s, {}, u"y"_s);
    row("the dot inside",
        u"state p\ndot i in p\nstate x in p\nstate y in p\nstate z\nz -> p a\ni -> y\np -> z b"_s,
        u"b,a"_s, u"y z y"_s);
    row("a choice of beginnings", u"dot i\nstate x\nstate y\ni -> x read it\ni -> y write it"_s,
        u"read,write it,read it"_s, u"initial initial y y"_s);
    row("a beginning by condition", u"dot i\nstate x\nstate y\ni -> x [c]\ni -> y"_s, {}, u"x"_s,
        { u"c"_s });
    row("at once, on a condition", u"state x\nstate y\nstate z\nx -> y\ny -> z [c && !d]"_s, {},
        u"z"_s, { u"c"_s });
    row("final names", u"state p\nstate x in p\nend f in p\nend g\nx -> f a\np -> g b"_s, u"a,b"_s,
        u"x p.final final"_s);
    row("a final name in a region",
        u"parallel p\nstate r in p\nstate s in p\nstate x in r\nend f in r\nx -> f a"_s, u"a"_s,
        u"s+x r.final+s"_s);
    row("a named final", u"state x\nfinal over\nx -> over a\nover -> x b"_s, u"a,b"_s,
        u"x over over"_s);
    row("history of nothing",
        u"state x\nstate p\ndeep h in p\nshallow i in p\nx -> h a\np -> x b\nx -> i c"_s,
        u"a,b,c,b"_s, u"x p x p x"_s);
    row("completion", u"state p\nstate x in p\nend f in p\nstate z\nx -> f a\np -> z"_s, u"a"_s,
        u"x z"_s);
    row("completion of all regions",
        u"parallel p\nstate r in p\nstate x in r\nend f in r\nstate s in p\nstate y in s\nend g in s\nstate z\nx -> f a\ny -> g b\np -> z"_s,
        u"a,b"_s, u"x+y r.final+y z"_s);
    row("a region without a final state",
        u"parallel p\nstate r in p\nstate x in r\nend f in r\nstate s in p\nstate y in s\nstate z\nx -> f a\np -> z"_s,
        u"a"_s, u"x+y r.final+y"_s);
    row("history that its composite begins with",
        u"state o\nstate p\ndot i in p\nshallow h in p\nstate x in p\nstate y in p\ni -> h\nx -> y a\no -> p in\np -> o out"_s,
        u"in,a,out,in"_s, u"o x y o y"_s);
    row("history of regions without memory",
        u"state o\nparallel p\ndeep h in p\nstate r in p\ndot i in r\nstate x in r\nstate y in r\nstate s in p\nstate v in s\ni -> y\no -> h in"_s,
        u"in"_s, u"o v+y"_s);
    row("left at once without final states", u"state p\nstate x in p\nstate z\np -> z"_s, {},
        u"z"_s);
    row("the first region wins",
        u"parallel p\nstate r in p\nstate x in r\nstate s in p\nstate v in s\nstate y\nstate z\nx -> y a\nv -> z a"_s,
        u"a"_s, u"v+x y"_s);
    row("into regions",
        u"state i\nparallel p\nstate r in p\nstate x in r\nstate y in r\nstate s in p\nstate v in s\nstate w in s\ni -> y+w a"_s,
        u"a"_s, u"i w+y"_s);
    row("where another region is",
        u"parallel p\nstate r in p\nstate x in r\nstate y in r\nstate s in p\nstate v in s\nstate w in s\nx -> y a [In('w')]\nv -> w b"_s,
        u"a,b,a"_s, u"v+x v+x w+x w+y"_s);
    row("internal", u"state p\nstate x in p\nstate y in p\nshallow h in p\np => y a\np -> p b"_s,
        u"a,b"_s, u"x y x"_s);
    row("to nowhere", u"state x\nx ->  a"_s, u"a"_s, u"x x"_s);
    row("choice", u"state x\nchoice c\nstate y\nstate z\nx -> c a\nc -> y [else]\nc -> z [big]"_s,
        u"a"_s, u"x z"_s, { u"big"_s });
    row("entry and exit",
        u"state x\nstate p\nentry i in p\nstate y in p\nexit o in p\nstate z\nx -> i a\ni -> y\ny -> o b\no -> z"_s,
        u"a,b"_s, u"x y z"_s);
    row("fork and join",
        u"state i\nfork f\nparallel p\nstate r in p\nstate x in r\nstate y in r\nstate s in "
        u"p\nstate v in s\nstate w in s\njoin j\nstate z\n"
        "i -> f a\nf -> x\nf -> v\nx -> y b\nv -> w c\ny -> j\nw -> j\nj -> z"_s,
        u"a,b,c"_s, u"i v+x v+y z"_s);
    row("fork and join without regions",
        u"state i\nfork f\nstate x\nstate y\nstate v\njoin j\nstate z\n"
        "i -> f a\nf -> x\nf -> v\nx -> y b\ny -> j\nv -> j d\nj -> z"_s,
        u"a,d,b,d"_s, u"i v+x j+x z z"_s);
    row("what it tells itself",
        u"state p\nstate x in p\nend f in p\nx -> f a\np -> p done.state.p"_s, u"a"_s, u"x x"_s);
    row("any event", u"state x\nstate y\nx -> y *"_s, u"what.ever"_s, u"x y"_s);
    row("unknown target", u"state x\nx -> y a"_s, u"a"_s, u"x x"_s);
}

void TestInterpreter::runs()
{
    QFETCH(QString, chart);
    QFETCH(QString, events);
    QFETCH(QStringList, conditions);
    QTEST(::configurations(chartOf(chart), events, conditions), "configurations");
}

/// A chart in every notation that can hold it: what is drawn, and that by way of SCXML.
static void addNotations(const QByteArray &lines)
{
    QTest::addColumn<Statechart>("chart");
    const auto row = [](const char *name, const Result<StatechartsRead> &read) {
        if (!read)
            qFatal("%s", qPrintable(read.error()));
        QTest::newRow(name) << read->charts.first();
        return read->charts;
    };
    const QList<Statechart> drawn =
        row("PlantUML", readPlantUml("@startuml\n" + lines + "@enduml\n", u"d.puml"_s));
    row("PlantUML by way of SCXML", readScxml(writeScxml(drawn).bytes, u"d.scxml"_s));
    if (!lines.contains("[H]"))
        row("Mermaid", readMermaid("stateDiagram-v2\n" + lines, u"d.mmd"_s));
}

void TestInterpreter::doneWithAllRegions_data()
{
    addNotations(
        "[*] --> C\nstate C {\n[*] --> C1\nC1 --> [*] : n\n--\n[*] --> D1\nD1 --> [*] : m\n"
        "}\nC --> E : done.state.C\n");
    QTest::newRow("SCXML") << readScxml(
        "<scxml xmlns='http://www.w3.org/2005/07/scxml'><parallel id='C'><transition "
        "event='done.state.C' target='E'/>"
        "<state><state id='C1'><transition event='n' target='f'/></state><final "
        "id='f'/></state>"
        "<state><state id='D1'><transition event='m' target='g'/></state><final "
        "id='g'/></state></parallel><state id='E'/></scxml>",
        u"d.scxml"_s)
                                  ->charts.first();
}

/// A state is done when its regions all are, whatever the reader calls them.
void TestInterpreter::doneWithAllRegions()
{
    QFETCH(Statechart, chart);
    const QStringList one = configurations(chart, u"n"_s, {}).split(u' ');
    QCOMPARE(one.size(), 2);
    QCOMPARE(one.first(), u"C1+D1"_s);
    QVERIFY2(one.last().contains(u"D1"_s) && !one.last().contains(u'E'), qPrintable(one.last()));
    QCOMPARE(configurations(chart, u"n,m"_s, {}).section(u' ', -1), u"E"_s);
    QCOMPARE(configurations(chart, u"m,n"_s, {}).section(u' ', -1), u"E"_s);
}

void TestInterpreter::historyWithoutMemory_data()
{
    addNotations("[*] --> Out\nOut --> W[H] : in\nW --> Out : out\nstate W {\nstate A\n"
                 "[*] --> Z\nZ --> A : on\n}\n");
    QTest::newRow("SCXML without the history's arrow")
        << readScxml("<scxml xmlns='http://www.w3.org/2005/07/scxml'>"
                     "<state id='Out'><transition event='in' target='h'/></state>"
                     "<state id='W' initial='Z'><history id='h'/>"
                     "<transition event='out' target='Out'/><state id='A'/>"
                     "<state id='Z'><transition event='on' target='A'/></state></state></scxml>",
               u"d.scxml"_s)
               ->charts.first();
}

/// It enters its composite as any other arrow to that does, and nothing is said to be unreached.
void TestInterpreter::historyWithoutMemory()
{
    QFETCH(Statechart, chart);
    QCOMPARE(configurations(chart, u"in,on,out,in"_s, {}), u"Out Z A Out A"_s);
    const ChartPlan plan = valueOf(planOf(chart));
    for (const Diagnostic &remark : plan.remarks)
        QVERIFY2(!remark.isLoss(), qPrintable(remark.text));
    const QByteArray written = writeScxml({ chart }).bytes;
    QVERIFY2(written.contains("<transition target=\"Z\" "), written.constData());
    QCOMPARE(readScxml(written, u"d.scxml"_s)->charts.first(), chart);
}

/// Qt Creator writes where it draws an arrow into it.
void TestInterpreter::layoutIsNotExecuted()
{
    const Result<StatechartsRead> read = readScxml(
        "<scxml xmlns='http://www.w3.org/2005/07/scxml' "
        "xmlns:q='http://www.qt.io/2015/02/scxml-ext'><state id='A'><onentry>"
        "<q:editorinfo geometry='1;2'/><raise event='x'/></onentry><transition event='x' "
        "target='B'><q:editorinfo movePoint='1;2'><q:part/></q:editorinfo><raise event='y'/>"
        "</transition></state><state id='B'><transition event='y' target='C'/></state>"
        "<state id='C'/></scxml>",
        u"d.scxml"_s);
    QVERIFY(read);
    const ChartPlan plan = valueOf(planOf(read->charts.first()));
    QVERIFY2(plan.remarks.isEmpty(), qPrintable(plan.remarks.value(0).text));
    QCOMPARE(configurations(read->charts.first(), {}, {}), u"C"_s);
}

/// The actions after such an event are executed.
void TestInterpreter::eventsWithDataAreNotSent()
{
    const Result<StatechartsRead> read =
        readScxml("<scxml xmlns='http://www.w3.org/2005/07/scxml'><state id='A'><onentry>"
                  "<send event='x'><param name='p' expr='1'/></send><raise event='y'/></onentry>"
                  "<transition event='x' target='B'/><transition event='y' target='C'/></state>"
                  "<state id='B'/><state id='C'/></scxml>",
            u"d.scxml"_s);
    QVERIFY(read);
    QCOMPARE(valueOf(planOf(read->charts.first())).remarks.size(), 1);
    QCOMPARE(configurations(read->charts.first(), {}, {}), u"C"_s);
}

void TestInterpreter::describing()
{
    using Pairs = QList<std::pair<QString, QString>>; // descriptors and events
    for (const auto &[descriptor, event] : Pairs { { u"a.b"_s, u"a.b"_s }, { u"a"_s, u"a.b"_s },
             { u"*"_s, u"a"_s }, { u"a.*"_s, u"a.b.c"_s }, { u"a.*"_s, u"a"_s },
             { u"a."_s, u"a.b"_s }, { u"read it"_s, u"read it"_s } })
        QVERIFY2(describes(descriptor, event), qPrintable(descriptor));
    for (const auto &[descriptor, event] :
        Pairs { { u"a"_s, u"ab"_s }, { u"a.b"_s, u"a"_s }, { u"a"_s, u"A"_s } })
        QVERIFY2(!describes(descriptor, event), qPrintable(descriptor));
}

void TestInterpreter::guards_data()
{
    const Rows<QString, QString> add("text", "told");
    const auto row = [&](const QString &text, const QString &told) {
        add(qPrintable(text.left(40) + u'/'), text, told);
    };
    row({}, u"yes"_s);
    row(u" "_s, u"yes"_s);
    row(u"true"_s, u"yes"_s);
    row(u"false"_s, u"no"_s);
    row(u"else"_s, u"else"_s);
    row(u"must be replaced"_s, u"<must be replaced>"_s);
    row(u"!x"_s, u"not(<x>)"_s);
    row(u"a && b || !c"_s, u"any(all(<a>,<b>),not(<c>))"_s);
    row(u"a && (b || c)"_s, u"all(<a>,any(<b>,<c>))"_s);
    row(u"In('x') && In(\"y\") && In(z)"_s, u"all(in x,in y,in z)"_s);
    row(u"f(a, b) != 'x && y'"_s, u"<f(a, b) != 'x && y'>"_s);
    row(u"a && "_s, u"<a &&>"_s);
    row(u"(a"_s, u"<(a>"_s);
    row(u"a)"_s, u"<a)>"_s);
    row(u"it's"_s, u"<it's>"_s);
    row(u"("_s.repeated(100) + u"a"_s + u")"_s.repeated(100),
        u"<"_s + u"("_s.repeated(100) + u"a"_s + u")"_s.repeated(100) + u">"_s);
}

void TestInterpreter::guards()
{
    QFETCH(QString, text);
    const std::function<QString(const Guard &)> tell = [&](const Guard &guard) {
        static const QStringList words { u"yes"_s, u"no"_s, u"else"_s, {}, u"in "_s, u"not"_s,
            u"all"_s, u"any"_s };
        if (guard.kind == Guard::Kind::Name)
            return u'<' + guard.text + u'>';
        QStringList parts;
        for (const Guard &part : guard.parts)
            parts += tell(part);
        return words[int(guard.kind)] + guard.text
            + (parts.isEmpty() ? QString() : u'(' + parts.join(u',') + u')');
    };
    QTEST(tell(guardOf(text)), "told");
}

void TestInterpreter::endless()
{
    const ChartPlan plan = valueOf(planOf(chartOf(u"state x\nstate y\nx -> y\ny -> x"_s)));
    QVERIFY(Interpreter(plan).begun([](const QString &) { return false; }).isEndless);
}

void TestInterpreter::deep()
{
    Statechart chart;
    for (int i = 0; i < 300; ++i)
        chart.vertices.append(Vertex {
            .id = QString::number(i), .parent = i > 0 ? QString::number(i - 1) : QString() });
    QVERIFY(!planOf(chart));
    chart.vertices.resize(200);
    const ChartPlan plan = valueOf(planOf(chart));
    QCOMPARE(Interpreter(plan).begun([](const QString &) { return false; }).to.active.size(), 200);
    chart.vertices = { Vertex { .id = u"a"_s, .parent = u"b"_s },
        Vertex { .id = u"b"_s, .parent = u"a"_s } };
    QVERIFY(!planOf(chart));
    chart.vertices = { Vertex { .id = u"a"_s }, Vertex { .id = u"a"_s } };
    QVERIFY(!planOf(chart));
}

const instar::TestClass<TestInterpreter> registered;
#include "tst_interpreter.moc"
