// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/notations.h"
#include "tests/support/chartfiles.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

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
    void keepsStrangeTexts();
    void tellsWhatItLeavesOut();
    void isTakenByGraphviz();
};

namespace {

QList<Statechart> read(const QByteArray &text)
{
    return readCharts(*statechartFormat(u"plantuml"_s), text).charts;
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

void TestDot::keepsStrangeTexts()
{
    Statechart chart;
    const QString id = u"a \"b\" \\ c"_s;
    chart.vertices += Vertex { .id = id, .description = { u"<&>"_s, u"\\N"_s } };
    chart.arcs += Arc { .from = id, .to = { id }, .event = u"tick"_s, .isInternal = true };
    const QString text = QString::fromUtf8(writeDot({ chart }).bytes);
    QVERIFY2(text.contains(uR"("a \"b\" \\ c" [label="a \"b\" \\ c\n<&amp;>\n\\N\ntick"])"_s),
        qPrintable(text));
    QVERIFY(!text.contains(u"->"_s));
}

void TestDot::tellsWhatItLeavesOut()
{
    QCOMPARE(texts(writeDot(read("@startuml\nA -up-> B\n@enduml")).remarks),
        QStringList(
            { u"2!: the direction of an arrow (\"up\") cannot be expressed in a graph and is left out"_s }));
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
    QProcess process;
    process.start(program, {});
    process.write(all);
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
    const QByteArray answer = process.readAllStandardOutput();
    QCOMPARE(answer.count("digraph "), all.count("digraph "));
    QCOMPARE(answer.count(" -> "), arcs);
}

const instar::TestClass<TestDot> registered;
#include "tst_dot.moc"
