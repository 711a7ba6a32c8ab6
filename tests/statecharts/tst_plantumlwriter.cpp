// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/notations.h"
#include "tests/support/chartfacts.h"
#include "tests/support/chartfiles.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestPlantUmlWriter : public QObject
{
    Q_OBJECT

private slots:
    void comesBackTheSame_data();
    void comesBackTheSame();
    void randomChartsComeBack();
    void randomChartsAreSaid();
    void writes_data();
    void writes();
    void keepsNames();
    void declaresHistoriesInRegions();
    void tellsWhatItCannotSay();
    void arrowsCrossRegions();
    void forksIntoRegions();
    void keepsWhatOthersWrote();
    void isTakenByPlantUml();
};

namespace {

QString folder()
{
    return QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/plantuml/");
}

StatechartsRead read(const QByteArray &text)
{
    return readCharts(*statechartFormat(u"plantuml"_s), text);
}

} // namespace

void TestPlantUmlWriter::comesBackTheSame_data()
{
    addFileRows(folder(), u".puml"_s);
}

void TestPlantUmlWriter::comesBackTheSame()
{
    QFETCH(QString, file);
    const QList<Statechart> charts = sortedArrows(read(contents(file)).charts);
    const StatechartsWritten written = writePlantUml(charts);
    const QList<Statechart> again = sortedArrows(read(written.bytes).charts);
    QCOMPARE(again.size(), charts.size());
    for (qsizetype i = 0; i < charts.size(); ++i) {
        QCOMPARE(chartFacts(again[i]), chartFacts(charts[i]));
        QVERIFY2(again[i] == charts[i], written.bytes.constData());
    }
    QCOMPARE(writePlantUml(again).bytes, written.bytes);
}

void TestPlantUmlWriter::randomChartsComeBack()
{
    QVERIFY(holdsFor(300, 60, [] {
        const Statechart chart = *randomStatechart();
        const QList<Statechart> once = sortedArrows(read(writePlantUml({ chart }).bytes).charts);
        const StatechartsWritten written = writePlantUml(once);
        const QList<Statechart> twice = sortedArrows(read(written.bytes).charts);
        RC_LOG() << writePlantUml({ chart }).bytes.constData() << "\n---\n"
                 << written.bytes.constData();
        RC_ASSERT(twice.size() == once.size());
        RC_ASSERT(chartFacts(twice.first()) == chartFacts(once.first()));
        RC_ASSERT(twice == once);
    }));
}

/// Nothing is lost of what PlantUML has a form for, but the order of arrows that leave different
/// states.
void TestPlantUmlWriter::randomChartsAreSaid()
{
    ChartTaste taste;
    taste.regions = taste.severalTargets = taste.internals = taste.places = false;
    QVERIFY(holdsFor(300, 60, [&] {
        const Statechart chart = *randomStatechart(taste);
        const StatechartsWritten written = writePlantUml({ chart });
        QStringList before = chartFacts(chart);
        QStringList after = chartFacts(read(written.bytes).charts.first());
        const auto isFinal = [](const QString &line) { return line.startsWith(u"final"_s); };
        before.removeIf(isFinal); // without an arrow, a final state needs a name
        after.removeIf(isFinal);
        before.sort();
        after.sort();
        RC_LOG() << qPrintable(before.join(u'\n')) << "\n---\n" << written.bytes.constData();
        RC_ASSERT(after == before);
    }));
}

void TestPlantUmlWriter::writes_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *name, const char *before, const char *after) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after);
    };
    row("arrows among states", "[*]->A\nA --> B : x", "state A\nstate B\n[*] -> A\nA --> B : x\n");
    row("bodies", "state A {\n[*] --> B\nB --> C\n}\nA --> C : out",
        "state A {\n  state B\n  state C\n  [*] --> B\n  B --> C\n}\nA --> C : out\n");
    row("arrows before bodies", "A --> B\nstate A {\nC --> D\n}",
        "state A {\n  state C\n  state D\n  C --> D\n}\nstate B\nA --> B\n");
    row("regions", "state A {\nstate B\n--\nstate C\n||\n[*] --> D\n}",
        "state A {\n  state B\n--\n  state C\n--\n  state D\n  [*] --> D\n}\n");
    row("a body in two parts", "state A {\nB --> C\n}\nX --> A\nstate A {\n[*] --> B\n}",
        "state A {\n  state B\n  state C\n  B --> C\n  [*] --> B\n}\nstate X\nX --> A\n");
    row("labels and texts", "state \"a\\nb\" as A #red : text\nA : more\n\"C D\" : x",
        "state \"a\\nb\" as A #red\nA : text\nA : more\nstate \"C D\"\n\"C D\" : x\n");
    row("histories", "state A {\nB --> [H]\n[H] --> B\n}\nC --> A[H]",
        "state A {\n  state B\n  B --> [H]\n  [H] --> B\n}\nstate C\nC --> A[H]\n");
    row("notes",
        "state A\nnote left : one\nnote right of A\ntwo\n  lines\nend note\nA --> B\nnote on link "
        ": x\nnote as N\nfree\nendnote",
        "state A\nstate B\nA --> B\nnote on link : x\nnote left of A : one\nnote right of A\ntwo\n "
        " lines\nend note\n"
        "note \"free\" as N1\n");
    row("notes of a state called link",
        "A --> link\nnote left of link : state\nnote on link : arrow",
        "state A\nstate link\nA --> link\nnote on link : arrow\nnote left of link : state\n");
    row("bars", "A --> ==b==\n==b== --> C\n==b== --> D",
        "state A\nstate b <<fork>>\nstate C\nstate D\nA --> b\nb --> C\nb --> D\n");
    row("arrows of one state",
        "A --> X : first\nstate B {\nA --> C\n}\nstate B {\nC --> X : a\nC --> [*] : b\n}",
        "state A\nstate X\nstate B {\n  state C\n}\nA --> X : first\nA --> C\nC --> X : a\n"
        "state B {\n  C --> [*] : b\n}\n");
}

void TestPlantUmlWriter::writes()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const StatechartsRead once = read("@startuml\n" + before + "\n@enduml");
    const StatechartsWritten written = writePlantUml(once.charts);
    QCOMPARE(
        QString::fromUtf8(written.bytes), QString::fromUtf8("@startuml\n" + after + "@enduml\n"));
    QVERIFY(written.remarks.isEmpty());
    QVERIFY(sortedArrows(read(written.bytes).charts) == sortedArrows(once.charts));
}

void TestPlantUmlWriter::keepsNames()
{
    for (const QByteArray name : { "parcel", "two words" }) {
        const QByteArray text = "@startuml " + name + "\nstate A\n@enduml\n";
        QCOMPARE(writePlantUml(read(text).charts).bytes, text);
    }
    const QList<Statechart> loose = read("@startuml(id= parcel )\nstate A\n@enduml").charts;
    QCOMPARE(loose.first().id, u"parcel"_s);
    QVERIFY(read(writePlantUml(loose).bytes).charts == loose);
}

/// A history to which no arrow leads, beside the regions of its state, where nothing is declared.
void TestPlantUmlWriter::declaresHistoriesInRegions()
{
    Statechart chart =
        read("@startuml\nstate A {\nstate B\n--\nstate C\n}\n@enduml").charts.first();
    chart.vertices.insert(
        1, Vertex { .kind = Vertex::Kind::ShallowHistory, .id = u"h"_s, .parent = u"A"_s });
    QCOMPARE(QString::fromUtf8(writePlantUml({ chart }).bytes),
        u"@startuml\nstate A {\n  state h <<history>>\n  state B\n--\n  state C\n}\n@enduml\n"_s);
}

void TestPlantUmlWriter::tellsWhatItCannotSay()
{
    Statechart chart = read(
        "@startuml\nstate P {\nstate A\n--\nstate B\n}\nstate Q {\nQ1 --> [*]\n}\nP --> Q\n@enduml")
                           .charts.first();
    chart.arcs += Arc { .from = u"A"_s, .to = { u"Q"_s }, .event = u"out"_s };
    chart.arcs += Arc { .from = u"Q"_s, .to = { u"A"_s, u"B"_s }, .event = u"both"_s };
    chart.arcs +=
        Arc { .from = u"Q1"_s, .event = u"tick"_s, .action = u"count"_s, .isInternal = true };
    chart.arcs += Arc { .from = u"Q"_s, .to = { u"P"_s }, .event = u"a [b]"_s };
    chart.arcs += Arc { .from = u"Q"_s, .to = { u"P"_s } };
    chart.vertices += Vertex { .kind = Vertex::Kind::DeepHistory,
        .id = u"Q.deepHistory"_s,
        .parent = u"Q"_s,
        .isNamed = false };
    chart.arcs += Arc { .from = u"P"_s, .to = { u"Q.deepHistory"_s } };
    chart.vertices +=
        Vertex { .id = u"on-hold"_s, .label = u"held"_s, .place = QRectF(1, 2, 3, 4) };
    chart.vertices.last().particulars.insert(u"scxml.onentry"_s, u"<log/>"_s);
    chart.waitsForFinals = false;
    const StatechartsWritten written = writePlantUml({ chart });
    QStringList texts;
    for (const Diagnostic &each : written.remarks)
        texts += (each.isLoss() ? u"!"_s : QString()) + each.text;
    QCOMPARE(texts,
        QStringList({
            u"!an arrow from Q leads to A and B at once; it is written to P"_s,
            u"!\"tick / count\" of Q1 leads nowhere; it is written as a text of the state"_s,
            u"!Q is left at once by an arrow without event; in the text that waits for its final state"_s,
            u"!on-hold cannot be called so in the text; it is called on_hold"_s,
            u"\"a [b]\" will not be taken apart again as it was"_s,
            u"the arrow from A to Q crosses a region's border, which PlantUML 1.2020.2 refuses; newer versions draw it"_s,
            u"!<onentry> of SCXML (\"<log/>\") has no place in PlantUML; it is left out"_s,
        }));
    QVERIFY(written.bytes.contains("Q1 : tick / count\n"));
    QVERIFY(written.bytes.contains("A --> Q : out\n"));
}

/// As newer versions of PlantUML have it; other notations do, too.
void TestPlantUmlWriter::arrowsCrossRegions()
{
    for (const QByteArray &lines :
        { QByteArray("state P {\n[*] --> A\nA --> A1 : x\n--\n[*] --> B\nB --> B1 : y\n}\nA --> "
                     "B1 : over\nstate Q\nQ --> A1 : in\nB1 --> Q : out\nP --> Q : all"),
            QByteArray("state A\nA --> A1 : x\n--\nstate B\nB --> B1\nA1 --> B1 : over") }) {
        const QList<Statechart> charts = read("@startuml\n" + lines + "\n@enduml\n").charts;
        const auto arrows = [](const Statechart &chart) {
            QStringList result;
            for (const Arc &arc : chart.arcs)
                result += arc.from + u" > "_s + arc.to.join(u'+') + u": "_s + arc.text();
            result.sort();
            return result;
        };
        const QStringList drawn = arrows(charts.first());
        QVERIFY(drawn.filter(u"over"_s).size() == 1);
        QCOMPARE(drawn.size(), lines.count("-->"));
        const StatechartsWritten written = writePlantUml(charts);
        QVERIFY2(sortedArrows(read(written.bytes).charts) == sortedArrows(charts),
            written.bytes.constData());
        for (const StatechartFormat &format : statechartFormats()) {
            const QByteArray text = format.write(charts).bytes;
            if (format.read)
                QCOMPARE(arrows(readCharts(format, text).charts.first()).filter(u"over"_s),
                    drawn.filter(u"over"_s));
        }
    }
}

/// Also one that comes from SCXML, where it is one transition.
void TestPlantUmlWriter::forksIntoRegions()
{
    const QByteArray lines = "@startuml\n[*] --> Idle\nstate f <<fork>>\nIdle --> f : go\n"
                             "state P {\n[*] --> A\nA --> A1 : x\n--\n[*] --> B\nB --> B1 : y\n}\n"
                             "f --> A1\nf --> B1\n@enduml\n";
    const QList<Statechart> drawn = read(lines).charts;
    const StatechartFormat &scxml = *statechartFormat(u"scxml"_s);
    const StatechartsWritten between = scxml.write(drawn);
    const QList<Statechart> charts = readCharts(scxml, between.bytes).charts;
    for (const Statechart &chart : { drawn.first(), charts.first() }) {
        const StatechartsWritten written = writePlantUml({ chart });
        QVERIFY2(written.bytes.contains("f --> A1\n") && written.bytes.contains("f --> B1\n"),
            written.bytes.constData());
        QVERIFY2(!written.bytes.contains("f --> P"), written.bytes.constData());
        for (const Diagnostic &remark : written.remarks)
            QVERIFY2(!remark.isLoss(), qPrintable(remark.text));
    }
}

/// Texts that would be something else as they are.
void TestPlantUmlWriter::keepsWhatOthersWrote()
{
    const QStringList texts { u"a \"b\" \\n c\\"_s, u"/' x '/"_s, u"<U+0041> &#65;"_s,
        u"two\nlines"_s, u"end note"_s, u"' x"_s, u"!include y"_s, u"@enduml"_s, u"} @startuml"_s,
        u"title: x"_s, u"\ttab"_s, u"--> A"_s };
    for (const QString &text : texts) {
        Statechart chart;
        chart.title = text;
        chart.vertices += Vertex { .id = u"A"_s, .label = text, .description = text.split(u'\n') };
        chart.arcs += Arc { .from = u"A"_s, .to = { u"A"_s }, .event = text };
        chart.arcs.last().note = text.split(u'\n') + QStringList(u"x"_s);
        setText(chart.arcs.last(), text);
        chart.notes += Note {
            .of = u"A"_s, .side = u"left"_s, .lines = QStringList(u" in"_s) + text.split(u'\n')
        };
        const StatechartsWritten written = writePlantUml({ chart });
        const QList<Statechart> again = read(written.bytes).charts;
        QVERIFY2(again == QList<Statechart>({ chart }), written.bytes.constData());
    }
}

/// PlantUML takes many diagrams at once; of each it says "STATE" and how much is in it, or "ERROR",
/// the line, and why.
void TestPlantUmlWriter::isTakenByPlantUml()
{
    const QString program = QStandardPaths::findExecutable(u"plantuml"_s);
    if (program.isEmpty())
        QSKIP("plantuml is not installed");
    QList<QByteArray> all;
    for (const QString &file : QDir(folder()).entryList({ u"*.puml"_s }, QDir::Files, QDir::Name))
        for (const Statechart &chart : read(contents(folder() + file)).charts)
            all += writePlantUml({ chart }).bytes;
    const bool isMade = holdsFor(300, 60, [&] {
        Statechart chart = *randomStatechart();
        for (Vertex &vertex : chart.vertices)
            vertex.look.text.clear(); // which newer versions know
        Statechart alone = chart;
        chart.arcs.removeIf([&](const Arc &arc) { // so are arrows from region to region
            alone.arcs = { arc };
            return texts(writePlantUml({ alone }).remarks)
                .join(u' ')
                .contains(u"crosses a region"_s);
        });
        const StatechartsWritten written = writePlantUml({ chart });
        const bool isRefused =
            std::any_of(written.remarks.begin(), written.remarks.end(), [](const Diagnostic &each) {
                return each.text.contains(u"PlantUML 1.2020.2 refuses"_s);
            });
        if (!isRefused)
            all += written.bytes;
    });
    QVERIFY(isMade && all.size() > 200);
    QProcess process;
    process.start(program, { u"-charset"_s, u"UTF-8"_s, u"-syntax"_s });
    process.write(all.join());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(120'000));
    const QStringList words =
        QString::fromUtf8(process.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    qsizetype at = 0;
    for (const QByteArray &text : std::as_const(all)) {
        QVERIFY2(words.value(at) == u"STATE",
            qPrintable(words.mid(at, 5).join(u' ') + u'\n' + QString::fromUtf8(text)));
        at += 2;
    }
    QCOMPARE(at, words.size());
}

const instar::TestClass<TestPlantUmlWriter> registered;
#include "tst_plantumlwriter.moc"
