// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/dot.h"
#include "model/charts/plantuml/plantuml.h"
#include "tests/support/chartfiles.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestDot : public QObject
{
    Q_OBJECT

private slots:
    void writes();
    void writesSeveral();
    void keepsStrangeTexts();
    void tellsWhatItLeavesOut();
    void isTakenByGraphviz();
    void readsWhatPeopleDraw();
    void inWhateverOrder();
    void readsItsOwn();
    void mistakes_data() const;
    void mistakes();
    void asGraphvizReadsIt();
    void isQuick_data() const;
    void isQuick();
    void piecesAreQuick();
    void subgraphsOfTwoGraphs();
    void lettersOfLabels_data() const;
    void lettersOfLabels();
};

namespace {

QList<Statechart> read(const QByteArray &text)
{
    Result<StatechartsRead> result = readPlantUml(text, u"f.puml"_s);
    if (!result)
        qFatal("%s", qPrintable(result.error()));
    return result->charts;
}

/// Nodes within levels of subgraphs with names.
QByteArray nested(int levels, int nodes)
{
    QByteArray text = "digraph {";
    for (int i = 0; i < levels; ++i)
        text += "subgraph s" + QByteArray::number(i) + " {";
    for (int i = 0; i < nodes; ++i)
        text += " n" + QByteArray::number(i);
    return text + QByteArray("}").repeated(levels + 1);
}

QString canonical(const QString &program, const QByteArray &text, QByteArray &errors)
{
    QProcess process;
    process.start(program, {});
    process.write(text);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        qFatal("nop does not end");
    errors = process.readAllStandardError();
    return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

} // namespace

void TestDot::writes()
{
    const QByteArray text = writeDot(
        read("@startuml gate\n[*] --> Shut\nShut --> Open : lift [paid] / beep\n"
             "state Open {\n state Up\n --\n state Lit\n}\nnote left of Shut : always\n@enduml"))
                                .bytes;
    QCOMPARE(QString::fromUtf8(text),
        u"digraph \"gate\" {\n"
        "    compound=true\n"
        "    node [shape=box, style=rounded]\n"
        "    \"initial\" [shape=circle, style=filled, fillcolor=black, width=0.2, label=\"\", "
        "xlabel=\"\"]\n"
        "    \"Shut\" [label=\"Shut\"]\n"
        "    subgraph \"cluster Open\" {\n"
        "        label=\"Open\"\n"
        "        style=rounded\n"
        "        \"Open\" [shape=point, style=invis, width=0, label=\"\"]\n"
        "        subgraph \"cluster Open_region1\" {\n"
        "            label=\"\"\n"
        "            style=dashed\n"
        "            \"Open_region1\" [shape=point, style=invis, width=0, label=\"\"]\n"
        "            \"Up\" [label=\"Up\"]\n"
        "        }\n"
        "        subgraph \"cluster Open_region2\" {\n"
        "            label=\"\"\n"
        "            style=dashed\n"
        "            \"Open_region2\" [shape=point, style=invis, width=0, label=\"\"]\n"
        "            \"Lit\" [label=\"Lit\"]\n"
        "        }\n"
        "    }\n"
        "    \"initial\" -> \"Shut\"\n"
        "    \"Shut\" -> \"Open\" [label=\"lift [paid] / beep\", lhead=\"cluster Open\"]\n"
        "    \"note 1\" [shape=note, style=solid, label=\"always\"]\n"
        "    \"note 1\" -> \"Shut\" [style=dashed, dir=none]\n"
        "}\n"_s);
}

/// Of the same states; Graphviz lays out one graph a file.
void TestDot::writesSeveral()
{
    const QByteArray one =
        "[*] --> A\nA --> B : go\nstate B {\n C --> D\n}\nnote left of A : x\n@enduml\n";
    const QByteArray text = writeDot(read("@startuml one\n" + one + "@startuml two\n" + one)).bytes;
    QCOMPARE(text.count("digraph"), 1);
    for (const char *const part :
        { "subgraph \"cluster 1\" {", "label=\"one\"", "label=\"two\"", "\"1/A\" [label=\"A\"]",
            "\"2/A\" [label=\"A\"]", "subgraph \"cluster 2/B\" {",
            "\"2/A\" -> \"2/B\" [label=\"go\", lhead=\"cluster 2/B\"]", "\"2/note 1\" -> \"2/A\"" })
        QVERIFY2(text.contains(part), (QByteArray(part) + " in " + text).constData());
    QVERIFY(!text.contains("\"A\" ["));
    const QString program = QStandardPaths::findExecutable(u"dot"_s);
    if (program.isEmpty())
        QSKIP("graphviz is not installed");
    QByteArray errors;
    const QString answer = canonical(program, text, errors);
    QVERIFY2(!answer.isEmpty() && errors.isEmpty(), errors.constData());
    QCOMPARE(answer.count(u"digraph "_s), 1);
}

void TestDot::keepsStrangeTexts()
{
    Statechart chart;
    Vertex vertex;
    vertex.id = u"a \"b\" \\ c"_s;
    vertex.description = { u"<&>"_s, u"\\N"_s };
    chart.vertices += vertex;
    Arc inside;
    inside.from = vertex.id;
    inside.event = u"tick"_s;
    inside.isInternal = true;
    inside.to = { vertex.id };
    chart.arcs += inside;
    const QString text = QString::fromUtf8(writeDot({ chart }).bytes);
    QVERIFY2(text.contains(uR"("a \"b\" \\ c" [label="a \"b\" \\ c\n<&amp;>\n\\N\ntick"])"_s),
        qPrintable(text));
    QVERIFY(!text.contains(u"->"_s));
}

void TestDot::tellsWhatItLeavesOut()
{
    const StatechartsWritten written =
        writeDot(read("@startuml\nstate A #red\nstate B #blue\nA -up-> B\n@enduml"));
    QStringList texts;
    for (const Remark &remark : written.remarks)
        texts += remark.text;
    QCOMPARE(texts,
        QStringList(
            { u"the direction of an arrow (\"up\") has no place in a graph; it is left out"_s }));
}

void TestDot::isTakenByGraphviz()
{
    const QString program =
        QStandardPaths::findExecutable(u"nop"_s); // reads and prints, lays nothing out
    if (program.isEmpty())
        QSKIP("graphviz is not installed");
    QByteArray all;
    qsizetype arcs = 0;
    QVERIFY(holdsFor(80, 50, [&] {
        const Statechart chart = *randomStatechart();
        for (const Arc &arc : chart.arcs)
            arcs += arc.isInternal ? 0 : arc.to.size();
        for (const Note &note : chart.notes)
            arcs += note.of.isEmpty() ? 0 : 1;
        all += writeDot({ chart }).bytes;
    }));
    QByteArray errors;
    const QString answer = canonical(program, all, errors);
    QVERIFY2(!answer.isEmpty() && errors.isEmpty(), errors.constData());
    QCOMPARE(answer.count(u"digraph "_s), all.count("digraph "));
    QCOMPARE(answer.count(u" -> "_s), arcs);
}

/// The usual pictures of state machines.
void TestDot::readsWhatPeopleDraw()
{
    const StatechartsRead read = readCharts(*statechartFormat(u"dot"_s),
        "digraph door {\n rankdir=LR; node [shape=circle]\n start [shape=point]; shut; end "
        "[shape=doublecircle]\n"
        " ask [shape=diamond label=\"?\"]; more [shape=note label=\"a\\nb\"]\n"
        " start -> shut -> open [label=\"push [free] / creak\"]\n"
        " subgraph cluster_in { label=Inside; x -> y }\n"
        " open -> x [lhead=cluster_in]; y -> end [ltail=cluster_in, dir=forward]\n"
        " open -> ask; ask -> shut [label=no]; ask -> end [label=<<i>yes</i> &amp; now>]\n"
        " more -> open [dir=none]; open -> shut [dir=back, label=pull, color=\"#ff0000\", "
        "style=\"bold,dotted\"]\n}\n");
    QCOMPARE(texts(read.remarks), QStringList());
    const Statechart &chart = read.charts.first();
    QCOMPARE(chart.id, u"door"_s);
    const auto kind = [&](const QString &id) { return chart.vertex(id)->kind; };
    QCOMPARE(kind(u"start"_s), Vertex::Kind::Initial);
    QCOMPARE(kind(u"end"_s), Vertex::Kind::Final);
    QCOMPARE(kind(u"ask"_s), Vertex::Kind::Choice);
    QCOMPARE(kind(u"open"_s), Vertex::Kind::State);
    QCOMPARE(chart.vertex(u"in"_s)->label, u"Inside"_s);
    QCOMPARE(chart.vertex(u"x"_s)->parent, u"in"_s);
    QVERIFY(!chart.vertex(u"more"_s));
    QCOMPARE(chart.notes.size(), 1);
    QCOMPARE(chart.notes.first().of, u"open"_s);
    QCOMPARE(chart.notes.first().lines, QStringList({ u"a"_s, u"b"_s }));
    QStringList arrows;
    for (const Arc &arc : chart.arcs)
        arrows += arc.from + u' ' + arc.to.join(u'+') + u' ' + arc.event + u'|' + arc.condition
            + u'|' + arc.action;
    arrows.sort();
    QCOMPARE(arrows,
        QStringList({ u"ask end |yes & now|"_s, u"ask shut |no|"_s, u"in end ||"_s,
            u"open ask ||"_s, u"open in ||"_s, u"shut open pull||"_s,
            u"shut open push|free|creak"_s, u"start shut push|free|creak"_s, u"x y ||"_s }));
    const auto pull = std::ranges::find(chart.arcs, u"pull"_s, &Arc::event);
    QCOMPARE(pull->look.stroke, u"#ff0000"_s);
    QVERIFY(pull->look.isBold);
    QCOMPARE(pull->look.dash, Look::Dash::Dotted);
}

/// Edges may name what lies in a cluster before the cluster does, and lead to notes or from them.
void TestDot::inWhateverOrder()
{
    const Statechart chart = readCharts(*statechartFormat(u"dot"_s),
        "digraph {\n a -> b; a -> said [dir=none]; of -> b\n said [shape=note]; of [shape=note]\n"
        " subgraph cluster_x { b; c }\n}\n")
                                 .charts.first();
    QStringList facts;
    for (const Vertex &vertex : chart.vertices)
        facts += vertex.id + u" in "_s + vertex.parent;
    for (const Note &note : chart.notes)
        facts += note.lines.join(u'|') + u" of "_s + note.of;
    facts.sort();
    QCOMPARE(facts,
        QStringList(
            { u"a in "_s, u"b in x"_s, u"c in x"_s, u"of of b"_s, u"said of a"_s, u"x in "_s }));
    QCOMPARE(chart.arcs.size(), 1);
}

/// What it writes of a chart can be seen in what it reads.
void TestDot::readsItsOwn()
{
    const Statechart chart =
        read("@startuml gate\n[*] --> Shut\nShut --> Open : lift [paid] / beep\nstate c "
             "<<choice>>\nShut --> c\nc --> Shut : [no]\nc --> [*] : [yes]\n"
             "state Open {\n [*] --> Up\n Up --> Down : d\n --\n state Lit\n}\n"
             "Open --> Shut : drop\nnote left of Shut : always\n@enduml")
            .first();
    const StatechartsRead again =
        readCharts(*statechartFormat(u"dot"_s), writeDot({ chart }).bytes);
    QCOMPARE(texts(again.remarks), QStringList());
    const auto facts = [](const Statechart &of) {
        QStringList result;
        for (const Vertex &each : of.vertices)
            result += u"%1 %2 in %3"_s.arg(int(each.kind)).arg(each.id, each.parent);
        for (const Arc &arc : of.arcs)
            result += arc.from + u" -> "_s + arc.to.join(u'+') + u": "_s + arc.text();
        for (const Note &note : of.notes)
            result += note.of + u": "_s + note.lines.join(u'|');
        result.sort();
        return result;
    };
    QCOMPARE(facts(again.charts.first()), facts(chart));
}

void TestDot::mistakes_data() const
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const char *text, const QString &error) {
        QTest::newRow(name) << QByteArray(text) << error;
    };
    row("nothing", "", u"x.dot: found no graph with nodes; expected \"digraph { a -> b }\""_s);
    row("no graph", "hello", u"x.dot:1: expected \"digraph {\", found \"hello\""_s);
    row("without arrows", "graph { a -- b }",
        u"x.dot:1: expected a graph with arrows, found one without; write \"digraph\" and \"->\""_s);
    row("line without arrow", "digraph {\n a -- b }",
        u"x.dot:2: expected \"->\" in a digraph, found \"--\""_s);
    row("no end", "digraph {\n a\n", u"x.dot:3: the graph that begins in line 1 has no \"}\""_s);
    row("no end of a string", "digraph {\n a [label=\"x]\n}",
        u"x.dot:2: the string that begins here has no end; add a \""_s);
    row("no end of attributes", "digraph { a [label=x",
        u"x.dot:1: the \"[\" in line 1 has no \"]\""_s);
    QTest::newRow("many nodes in many levels") << nested(200,
        6'000) << u"x.dot:1: expected at most 1000000 nodes in subgraphs with names, found more"_s;
    row("no node", "digraph {\n a -> ; }", u"x.dot:2: expected a node behind \"->\""_s);
}

void TestDot::mistakes()
{
    QFETCH(QByteArray, text);
    const Result<StatechartsRead> read = readDot(text, u"x.dot"_s);
    QVERIFY(!read);
    QTEST(read.error(), "error");
}

/// Graphviz finds the same nodes and edges in random graphs and in what it takes of itself.
void TestDot::asGraphvizReadsIt()
{
    const QString program = QStandardPaths::findExecutable(u"dot"_s);
    if (program.isEmpty())
        QSKIP("graphviz is not installed");
    QList<QByteArray> graphs { "digraph { a -> b -> {c d} [label=x]; {a; b} -> e; a:n -> \"f\" + "
                               "\"g\":s:w; 1.5 -> -2; b -> b }",
        "digraph { subgraph cluster_a { a; subgraph cluster_b { b -> a } } a -> c; subgraph s { d "
        "-> e }; subgraph t { d } -> f }",
        "digraph { subgraph s { a }; subgraph s { b } -> c; subgraph cluster_q { subgraph s { e } "
        "-> g }; subgraph s {} -> f; {x x} -> y }",
        "digraph x { edge [label=\"\\\"q\\\"\"] // c\n# p\n a -> b /* -> z */; node "
        "[shape=box]; \"n \\\\ m\" -> b }" };
    QVERIFY(holdsFor(30, 30, [&] { graphs += writeDot({ *randomStatechart() }).bytes; }));
    for (const QByteArray &graph : std::as_const(graphs)) {
        QProcess process;
        process.start(program, { u"-Tjson0"_s });
        process.write(graph);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60'000));
        const QJsonObject theirs =
            QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        QMap<int, QString> names;
        QSet<QString> notes, gone;
        const QJsonArray objects = theirs.value("objects"_L1).toArray();
        for (const QJsonValue each : objects) {
            const QJsonObject object = each.toObject();
            const QString name = object.value("name"_L1).toString();
            if (object.contains("nodes"_L1) || object.contains("subgraphs"_L1)
                || !object.contains("width"_L1))
                continue;
            names.insert(object.value("_gvid"_L1).toInt(), name);
            if (object.value("shape"_L1) == "note"_L1)
                notes.insert(name);
            if (object.value("style"_L1) == "invis"_L1)
                gone.insert(name);
        }
        qsizetype edges = 0;
        const QJsonArray arcs = theirs.value("edges"_L1).toArray();
        for (const QJsonValue each : arcs) {
            const QString from = names.value(each.toObject().value("tail"_L1).toInt());
            const QString to = names.value(each.toObject().value("head"_L1).toInt());
            edges += !notes.contains(from) && !notes.contains(to);
        }
        const Result<StatechartsRead> read = readDot(graph, u"g.dot"_s);
        QVERIFY2(read, read ? "" : qPrintable(read.error() + QString::fromUtf8(graph)));
        const Statechart &chart = read->charts.first();
        for (const QString &name : std::as_const(names)) {
            if (!notes.contains(name) && !gone.contains(name))
                QVERIFY2(chart.vertex(name), qPrintable(name + u'\n' + QString::fromUtf8(graph)));
        }
        qsizetype lost = 0;
        for (const Remark &remark : read->remarks)
            lost += remark.text.contains(u"nothing leaves");
        QVERIFY2(chart.arcs.size() + lost == edges,
            qPrintable(
                u"%1 of %2\n"_s.arg(chart.arcs.size()).arg(edges) + QString::fromUtf8(graph)));
    }
}

void TestDot::isQuick_data() const
{
    QTest::addColumn<QByteArray>("text");
    const auto labelled = [](const char *shape, const char *piece) {
        return "digraph { a [shape=" + QByteArray(shape) + ", label=\""
            + QByteArray(piece).repeated(200'000) + "\"] }";
    };
    QTest::newRow("no entities") << labelled("box", "&");
    QTest::newRow("no ports") << labelled("record", "<");
    QTest::newRow("a name of lines")
        << "digraph { subgraph cluster" + QByteArray("_").repeated(200'000) + "x { a } }";
    QTest::newRow("deep") << nested(100, 5'000);
}

/// It ends at all, and well in the time of a test.
void TestDot::isQuick()
{
    QFETCH(QByteArray, text);
    const Result<StatechartsRead> read = readDot(text, u"big"_s);
    QVERIFY2(read, read ? "" : qPrintable(read.error()));
}

void TestDot::piecesAreQuick()
{
    for (const QByteArray &piece : { QByteArray("a -> b;\n"), QByteArray("{"),
             QByteArray("subgraph cluster_x {"), QByteArray("a ["), QByteArray("<"),
             QByteArray("\""), QByteArray("{a b c} -> {d e f} -> "), QByteArray("a -> ") })
        (void)readDot("digraph {" + piece.repeated(20'000), u"big"_s);
}

/// One name in two graphs names two subgraphs.
void TestDot::subgraphsOfTwoGraphs()
{
    const StatechartsRead read = readCharts(*statechartFormat(u"dot"_s),
        "digraph a { subgraph x { p; q; r } }\ndigraph b { subgraph x { p } -> z }\n");
    QCOMPARE(read.charts.size(), 2);
    QCOMPARE(read.charts[1].arcs.size(), 1);
    QCOMPARE(read.charts[1].arcs.first().from, u"p"_s);
}

void TestDot::lettersOfLabels_data() const
{
    QTest::addColumn<QString>("attributes");
    QTest::addColumn<QString>("label");
    const auto row = [](const QString &attributes, const QString &label) {
        QTest::newRow(qPrintable(attributes)) << attributes << label;
    };
    row(u"label=\"a &amp; b &lt;&gt; &quot;\""_s, u"a & b <> \""_s);
    row(u"label=\"&#65;&#x42;&#1114112;\""_s, u"AB&#1114112;"_s);
    row(u"label=\"& && &amp &nothing; &;\""_s, u"& && &amp &nothing; &;"_s);
    row(u"label=\"&thetasymx; &thetasymxy;\""_s, u"&thetasymx; &thetasymxy;"_s);
    row(u"shape=record, label=\"{<p> a | <q> b}\""_s, u"a|b"_s);
    row(u"shape=record, label=\"a \\< b | <q> c\""_s, u"a < b|c"_s);
    row(u"shape=record, label=\"<q> a | b < c < d\""_s, u"a|b < c < d"_s);
}

/// Entities, and the fields of records without their ports.
void TestDot::lettersOfLabels()
{
    QFETCH(QString, attributes);
    QFETCH(QString, label);
    const StatechartsRead read =
        readCharts(*statechartFormat(u"dot"_s), "digraph { n [" + attributes.toUtf8() + "] }");
    const Vertex &vertex = read.charts.first().vertices.first();
    QCOMPARE((QStringList { vertex.label } + vertex.description).join(u'|'), label);
}

const instar::TestClass<TestDot> registered;
#include "tst_dot.moc"
