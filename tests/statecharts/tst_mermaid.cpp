// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/notations.h"
#include "tests/support/chartfacts.h"
#include "tests/support/chartfiles.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestMermaid : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void diagnostics_data();
    void diagnostics();
    void refusesWhatIsNone_data();
    void refusesWhatIsNone();
    void readsMarkdown();
    void readsTitlesAndSettings();
    void readsLooks();
    void comesBackTheSame_data();
    void comesBackTheSame();
    void randomChartsComeBack();
    void writes();
    void movesNothingToDots();
    void tellsWhatItLeavesOut();
    void readsNothingInComments_data();
    void readsNothingInComments();
    void writesReservedNames();
    void asksAtChoices();
    void directions();
    void isTakenByMermaid();
    void isQuick_data();
    void isQuick();
};

namespace {

QString folder()
{
    return QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/mermaid/");
}

StatechartsRead read(const QByteArray &text)
{
    return readCharts(*statechartFormat(u"mermaid"_s), text);
}

Statechart chart(const QByteArray &lines)
{
    return read("stateDiagram-v2\n" + lines).charts.first();
}

/// For which Mermaid has no form: from outside to a final state, from its composite, or from a
/// region in that.
bool leadsIntoDot(const Statechart &made, const Arc &arc)
{
    const Vertex *const to = made.vertex(arc.to.value(0));
    const Vertex *from = made.vertex(arc.from);
    if (to->kind != Vertex::Kind::Final || to->parent.isEmpty())
        return false;
    bool isInRegion = false;
    while (from && from->parent != to->parent) {
        from = made.vertex(from->parent);
        isInRegion = isInRegion || (from && from->kind == Vertex::Kind::Parallel);
    }
    return !from || isInRegion;
}

} // namespace

void TestMermaid::reads_data()
{
    const Rows<QByteArray, QString> row("lines", "facts");
    row("arrow", "A --> B", "state A\nstate B\narrow A -> B");
    row("dots", "[*] --> A\nA-->[*]: done",
        "final [*]end\ninitial [*]\nstate A\narrow [*] -> A\narrow A -> [*]end : done");
    row("labels", "state \"one\" as a\nb : two\nb : below\nb: more<br>lines\nc",
        "state a | one\nstate b | two || below || more || lines\nstate c");
    row("nested", "state A {\nstate B {\n[*] --> C\n}\n}",
        "composite A\ncomposite A/B\ninitial A/B/[*]\nstate A/B/C\narrow A/B/[*] -> A/B/C");
    row("on one line", "state A { B --> C }\nA --> D",
        "composite A\nstate A/B\nstate A/C\nstate D\narrow A/B -> A/C\narrow A -> D");
    row("regions", "state A {\nB --> C\n--\nD --> E\n}",
        "composite A\nregion A/region1\nregion A/region2\nstate A/region1/B\nstate A/region1/C\n"
        "state A/region2/D\nstate A/region2/E\narrow A/region1/B -> A/region1/C\n"
        "arrow A/region2/D -> A/region2/E");
    row("pseudo-states", "state f <<fork>>\nstate j [[join]]\nstate c <<choice>>",
        "bar f\nbar j\nchoice c");
    row("notes", "A\nnote left of A : short\nnote right of A\n  A --> B\n   --\nend note",
        "state A\nnote of A : A --> B ~  --\nnote of A : short");
    row("in each other on one line", "state A { state \"b:\" as B { C --> D } }\nE",
        "composite A\ncomposite A/B | b:\nstate A/B/C\nstate A/B/D\nstate E\narrow A/B/C -> A/B/D");
    row("notes with number signs",
        "A\nnote left of A\n # one\n#32;two\n %% none\n#three;\nend note\n# none",
        "state A\nnote of A :  # one ~  two ~ #three;");
    row("a note with a comment behind its head", "note left of A %% x\n# one\nend note\n# two",
        "state A\nnote of A : # one");
    row("a brace on a line of its own", "state A\n{\nB\n}\nstate \"two\" as C\n\n%% c\n{ D }\nE",
        "composite A\ncomposite C | two\nstate A/B\nstate C/D\nstate E");
    row("a label with a text", "state \"one\" as A : two\nstate \"x\" as B:three {",
        "state A | one || two\nstate B | x || three {");
    row("comments behind braces",
        "state A { %% one }\nB %% two {\nC } %% three\nstate D { E } %% four",
        "composite A\ncomposite D\nstate A/B\nstate A/C\nstate D/E");
    row("comments", "%% A --> B\n# C --> D\nE --> F %% G\nE: %% no comment",
        "state E | %% no comment\nstate F\narrow E -> F");
    row("a body without a name",
        "A --> B\nstate two words {\nX --> B\nstate Y {\nZ\n}\n}\nstate C {\nD\n}",
        "composite C\ncomposite Y\nstate A\nstate B\nstate C/D\nstate X\nstate Y/Z\n"
        "arrow A -> B\narrow X -> B");
    row("a body takes in", "A --> B\nstate C {\nB --> D\n}",
        "composite C\nstate A\nstate C/B\nstate C/D\narrow A -> C/B\narrow C/B -> C/D");
    row("entities", "A --> B : a#59; b #quot;c#quot; #35; d\\ne",
        "state A\nstate B\narrow A -> B : a; b \"c\" # d ~ e");
}

void TestMermaid::reads()
{
    QFETCH(QByteArray, lines);
    QTEST(chartFacts(chart(lines)).join(u'\n'), "facts");
}

void TestMermaid::diagnostics_data()
{
    const Rows<QByteArray, QStringList> row("lines", "remarks");
    row("nothing to say", "A --> B : x", {});
    row("another arrow", "A --> B\nA ==> B", { u"3!: not understood and left out: A ==> B"_s });
    row("a strange block", "package X {\nA --> B\n}\nC",
        { u"2!: not understood and left out: package X {"_s });
    row("a name of several words",
        "state this thing is Door {\n[*] --> A\nstate B { C }\nA --> B : x {y}\nstate \"a:b\" as D "
        "{\n}\n}\nE",
        { u"2!: not understood and left out: state this thing is Door {"_s });
    row("a name of several words inside",
        "state A { state this thing is Door {\nB } }\nstate C {\nD\n}",
        { u"2!: not understood and left out: state this thing is Door {"_s });
    row("a name of several words with its body",
        "state A {\nstate this thing is Door { B }\nC\n}\nD",
        { u"3!: not understood and left out: state this thing is Door { B"_s });
    row("no name", "state A--B {\nC\n}\nD", { u"2!: not understood and left out: state A--B {"_s });
    row("too many braces", "A\n}", { u"3!: \"}\" closes no block"_s });
    row("a region outside", "A\n--\nB",
        { u"3!: the line is left out, because only a composite state can have regions"_s });
    row("the text after the colon is missing",
        "A --> B :", { u"2: the text after the colon is missing, which Mermaid refuses"_s });
    row("a label without end", "A\nstate \"x\nB",
        { u"3!: not understood and left out: state \"x"_s });
    row("a brace behind an arrow", "A --> B\n{\nC\n}", { u"3!: not understood and left out: {"_s });
    row("a free note", "A\nnote \"x\" as N",
        { u"3: Mermaid does not show the note N, because the note belongs to no state"_s });
    row("declared twice", "state A {\nX : x\n}\nstate B {\nX : y\n}",
        { u"6: X was declared in another composite state in line 3 and stays in that one"_s });
    row("a keyword as a name", "note --> A\nB",
        { u"2!: not understood and left out: note --> A"_s });
    row("a setting as a name", "scale --> A\nhide empty description --> A\nB",
        { u"2!: not understood and left out: scale --> A"_s,
            u"3!: not understood and left out: hide empty description --> A"_s });
}

void TestMermaid::diagnostics()
{
    QFETCH(QByteArray, lines);
    QTEST(texts(read("stateDiagram-v2\n" + lines).remarks), "remarks");
}

void TestMermaid::refusesWhatIsNone_data()
{
    const Rows<QByteArray, QString> row("bytes", "error");
    const QString lines = u"\"stateDiagram-v2\" and lines such as \"A --> B : event\""_s;
    const QString none = u"x.mmd: found no state diagram; expected "_s + lines;
    row("empty", {}, none);
    row("garbage", QByteArray("\xff\x00\xfe\x01 nothing", 13), none);
    row("no states", "stateDiagram-v2\n%% nothing", none);
    const auto other = [&](const QByteArray &bytes, const QString &what) {
        row(bytes.left(12).constData(), bytes,
            u"x.mmd:1: expected a state diagram, %1; found %2"_s.arg(lines, what));
    };
    other("flowchart LR\nA --> B", u"\"flowchart\""_s);
    other("stateDiagram-v3\nA --> B", u"\"stateDiagram-v3\""_s);
    other("whatever-beta\nA", u"\"whatever-beta\""_s);
}

void TestMermaid::refusesWhatIsNone()
{
    QFETCH(QByteArray, bytes);
    const QString result = errorIn(readMermaid(bytes, u"x.mmd"_s));
    QTEST(result, "error");
}

void TestMermaid::readsMarkdown()
{
    const StatechartsRead result =
        read("# Text\n\n```mermaid\nstateDiagram-v2\nA --> B\n```\n\nC --> D\n\n"
             "```mermaid\nflowchart LR\nE --> F\n```\n```cpp\nint i;\n```\n"
             "~~~mermaid\nstateDiagram\n  G --> H\n  oops!\n~~~\n");
    QCOMPARE(result.charts.size(), 2);
    QCOMPARE(chartFacts(result.charts[0]).last(), u"arrow A -> B"_s);
    QCOMPARE(chartFacts(result.charts[1]).last(), u"arrow G -> H"_s);
    QCOMPARE(texts(result.remarks),
        QStringList(u"11!: \"flowchart\" is left out, because it is not a state diagram"_s));
}

void TestMermaid::readsTitlesAndSettings()
{
    const Statechart result = read(
        "---\ntitle: \"a \\\"b\\\"\"\nconfig:\n  theme: dark\n---\nstateDiagram-v2\ndirection LR\n"
        "state A {\n direction TB\n B:::quiet --> C\n}\nclassDef quiet fill:#fff\nclick C x\n"
        "accTitle: y")
                                  .charts.first();
    QCOMPARE(result.title, u"a \"b\""_s);
    QCOMPARE(result.direction, ChartDirection::Right);
    QCOMPARE(result.vertex(u"B"_s)->style, ChartStyle { .fill = u"#fff"_s });
    QCOMPARE(texts(result.ignoredParts),
        QStringList({ u"9!: a direction (\"TB\") is left out"_s,
            u"0!: a line of the head (\"config:\" ...) is left out 2 times"_s,
            u"13!: a link (\"x\") is left out"_s,
            u"14!: a setting (\"accTitle: y\") is left out"_s }));
}

void TestMermaid::readsLooks()
{
    const Statechart made = chart("A:::good --> B\nC\nclassDef good,fine fill:#0F0,color:white\n"
                                  "classDef default stroke:Red\nclass B fine\n"
                                  "style B stroke-width:4px,stroke-dasharray: 5 5,fill:pink");
    QCOMPARE(made.vertex(u"A"_s)->style,
        (ChartStyle { .fill = u"#0f0"_s, .stroke = u"red"_s, .text = u"white"_s }));
    QCOMPARE(made.vertex(u"B"_s)->style,
        (ChartStyle { .fill = u"pink"_s,
            .stroke = u"red"_s,
            .text = u"white"_s,
            .dash = ChartStyle::Dash::Dashed,
            .isBold = true }));
    QCOMPARE(made.vertex(u"C"_s)->style, ChartStyle { .stroke = u"red"_s });
    QCOMPARE(read(writeMermaid({ made }).bytes).charts, QList<Statechart> { made });
}

void TestMermaid::comesBackTheSame_data()
{
    addFileRows(folder(), u".mmd"_s);
}

void TestMermaid::comesBackTheSame()
{
    QFETCH(QString, file);
    const StatechartsRead once = read(contents(file));
    QCOMPARE(texts(once.remarks), QStringList());
    const StatechartsWritten written = writeMermaid(once.charts);
    QVERIFY2(sortedArrows(read(written.bytes).charts) == sortedArrows(once.charts),
        written.bytes.constData());
}

void TestMermaid::randomChartsComeBack()
{
    QVERIFY(holdsFor(300, 60, [] {
        const QList<Statechart> once = read(writeMermaid({ *randomStatechart() }).bytes).charts;
        const StatechartsWritten written = writeMermaid(once);
        RC_LOG() << written.bytes.constData();
        RC_ASSERT(sortedArrows(read(written.bytes).charts) == sortedArrows(once));
    }));
    // What Mermaid can say is said: the same diagram but for the order of arrows.
    ChartTaste taste;
    taste.histories = taste.pseudos = taste.severalTargets = taste.internals = taste.places = false;
    taste.letters = u"abc xyz"_s;
    QVERIFY(holdsFor(200, 50, [&] {
        Statechart chart = *randomStatechart(taste);
        for (Vertex &vertex : chart.vertices)
            vertex.description.clear();
        chart.notes.clear();
        for (Arc &arc : chart.arcs)
            arc.note.clear();
        chart.arcs.removeIf([&](const Arc &arc) { return leadsIntoDot(chart, arc); });
        QStringList before = chartFacts(chart);
        QStringList after = chartFacts(read(writeMermaid({ chart }).bytes).charts.first());
        // A final state without an arrow is left out, and what holds nothing else is no composite.
        for (QStringList *const facts : { &before, &after }) {
            facts->removeIf([](const QString &line) { return line.startsWith(u"final"_s); });
            facts->replaceInStrings(u"composite "_s, u"state "_s);
            facts->sort();
        }
        RC_LOG() << qPrintable(before.join(u'\n')) << "\n---\n"
                 << writeMermaid({ chart }).bytes.constData();
        RC_ASSERT(after == before);
    }));
}

void TestMermaid::writes()
{
    Statechart made = chart(
        "[*] --> A\nA --> B : go [x > 1] / run\nstate \"Long\" as B {\n C --> [*]\n}\nA --> C");
    made.title = u"T: 1"_s;
    QCOMPARE(QString::fromUtf8(writeMermaid({ made }).bytes),
        u"---\ntitle: \"T: 1\"\n---\nstateDiagram-v2\n    A\n    state \"Long\" as B {\n"
        "        C\n        C --> [*]\n    }\n    [*] --> A\n    A --> B : go [x > 1] / run\n"
        "    A --> C\n"_s);
}

/// Mermaid moves a state that a body mentions into that body. A dot with an arrow out of its body
/// is written as a state.
void TestMermaid::movesNothingToDots()
{
    Statechart made { .id = {} };
    const auto add = [&](const QString &id, const QString &parent, Vertex::Kind kind) {
        const bool isDot = kind != Vertex::Kind::State;
        made.vertices += Vertex { .kind = kind, .id = id, .parent = parent, .isNamed = !isDot };
    };
    const auto lead = [&](const QString &from, const QString &to) {
        made.arcs += Arc { .from = from, .to = { to }, .line = int(made.arcs.size()) + 1 };
    };
    add(u"X"_s, {}, Vertex::Kind::State);
    add(u"X.initial"_s, u"X"_s, Vertex::Kind::Initial);
    add(u"Y"_s, u"X"_s, Vertex::Kind::State);
    add(u"Z"_s, u"Y"_s, Vertex::Kind::State);
    add(u"Y.final"_s, u"Y"_s, Vertex::Kind::Final);
    add(u"X.final"_s, u"X"_s, Vertex::Kind::Final);
    lead(u"X.initial"_s, u"Z"_s); // to any depth
    lead(u"Z"_s, u"Y.final"_s);
    lead(u"Z"_s, u"X.final"_s);
    lead(u"X"_s, u"Y.final"_s); // from outside
    const auto factsOf = [](const Statechart &chart) {
        QStringList facts;
        for (const Vertex &vertex : chart.vertices)
            facts += vertex.id + u" in "_s + vertex.parent;
        for (const Arc &arc : chart.arcs)
            facts += arc.from + u" > "_s + arc.to.join(u'+');
        facts.sort();
        return facts;
    };
    const StatechartsWritten written = writeMermaid({ made });
    const Statechart again = read(written.bytes).charts.first();
    QCOMPARE(factsOf(again), factsOf(made));
    QCOMPARE(again.vertex(u"X.final"_s)->kind, Vertex::Kind::Final);
    QVERIFY(
        texts(written.remarks)
            .contains(u"0!: the initial or final state Y.final is written as a normal state"_s));
}

void TestMermaid::tellsWhatItLeavesOut()
{
    Statechart made = chart("state A {\n B --> C\n}");
    made.id = u"name"_s;
    Vertex history { .kind = Vertex::Kind::DeepHistory,
        .id = u"A.deepHistory"_s,
        .parent = u"A"_s,
        .isNamed = false };
    made.vertices.insert(1, history);
    made.arcs.first().note = { u"n"_s };
    made.arcs.first().towards = Towards::Up;
    QCOMPARE(texts(writeMermaid({ made }).remarks),
        QStringList({ u"0!: Mermaid has no histories; A.deepHistory is written as a state"_s,
            u"3!: a note of an arrow (\"n\") cannot be expressed in Mermaid and is left out"_s,
            u"3!: the direction of an arrow (\"up\") cannot be expressed in Mermaid and is left out"_s,
            u"0!: the name of the diagram (\"name\") cannot be expressed in Mermaid and is left out"_s }));
}

void TestMermaid::readsNothingInComments_data()
{
    // comment: the first, and how many
    const Rows<QByteArray, QString, QString> row("lines", "states", "comment");
    row("in a description", "accDescr {\n# one\n %% two\nnote left of A\n#three\n}\n#four\nA",
        u"A"_s, u"(\"#four\") is left out"_s);
    row("behind a description", "accDescr {\none\n# two }\n# three\nA", u"A"_s,
        u"(\"# three\") is left out"_s);
    row("behind lines", "%% one\nA --> B %% two\nB: %% text\nstate C { %%{ three\nD\n} %% four",
        u"A B C D"_s, u"(\"%% one\" ...) is left out 4 times"_s);
}

void TestMermaid::readsNothingInComments()
{
    QFETCH(QByteArray, lines);
    QFETCH(QString, comment);
    const Statechart once = chart(lines);
    QStringList ids;
    for (const Vertex &vertex : once.vertices)
        ids += vertex.id;
    QTEST(ids.join(u' '), "states");
    QCOMPARE(texts(once.ignoredParts).first(), u"0!: a comment "_s + comment);
}

/// The state is called otherwise and shows its id, and the arrows still lead to it.
void TestMermaid::writesReservedNames()
{
    for (const QString &id : { u"default"_s, u"note"_s, u"state"_s, u"class"_s, u"style"_s,
             u"click"_s, u"direction"_s, u"Hide"_s, u"scale"_s, u"end"_s }) {
        Statechart made = chart("A --> B : go\nB --> A : back");
        made.vertices[1].id = made.arcs[0].to[0] = made.arcs[1].from = id;
        const StatechartsWritten written = writeMermaid({ made });
        QCOMPARE(texts(written.remarks).join(u'\n'),
            u"2: %1 is not a valid name in this notation; the name becomes %1_"_s.arg(id));
        const StatechartsRead again = read(written.bytes);
        QCOMPARE(texts(again.remarks), QStringList());
        QCOMPARE(chartFacts(again.charts.first()).join(u'\n'),
            u"state A\nstate %1_ | %1\narrow A -> %1_ : go\narrow %1_ -> A : back"_s.arg(id));
    }
}

/// As Mermaid's own manual writes a choice.
void TestMermaid::asksAtChoices()
{
    const Statechart made = chart("state c <<choice>>\nA --> c : go / run\nc --> B : if n #lt; 0\n"
                                  "c --> D : else");
    QCOMPARE(made.arcs[1].condition, u"if n < 0"_s);
    QCOMPARE(made.arcs[2].condition, u"else"_s);
    QCOMPARE(read(writeMermaid({ made }).bytes).charts, QList<Statechart>({ made }));
}

/// Which way a diagram goes is the same in both notations, and SCXML keeps it.
void TestMermaid::directions()
{
    const StatechartFormat &other = *statechartFormat(u"plantuml"_s);
    const StatechartFormat &scxml = *statechartFormat(u"scxml"_s);
    for (const auto &[mermaid, plantuml] :
        { std::pair<QByteArray, QByteArray>("direction LR", "left to right direction"),
            std::pair<QByteArray, QByteArray>("direction TB", "top to bottom direction") }) {
        const QList<Statechart> one = read("stateDiagram-v2\n" + mermaid + "\nA --> B\n").charts;
        const StatechartsWritten written = other.write(one);
        QCOMPARE(texts(written.remarks), QStringList());
        QVERIFY2(written.bytes.contains('\n' + plantuml + '\n'), written.bytes.constData());
        const QList<Statechart> two = readCharts(other, written.bytes).charts;
        QCOMPARE(other.write(two).bytes, written.bytes);
        QCOMPARE(statechartFormat(u"dot"_s)->write(one).bytes.contains("rankdir=LR"),
            mermaid == "direction LR");
        const StatechartsWritten back = writeMermaid(two);
        QCOMPARE(texts(back.remarks), QStringList());
        QVERIFY2(back.bytes.contains(' ' + mermaid + '\n'), back.bytes.constData());
        QCOMPARE(
            other.write(readCharts(scxml, scxml.write(one).bytes).charts).bytes.count(plantuml), 1);
    }
}

namespace {

// A diagram as somebody else reads it: its states and what they lie in, and how many arrows it has.

QStringList readingOf(const Statechart &chart)
{
    QStringList facts;
    for (const Vertex &vertex : chart.vertices) {
        const Vertex *around = chart.vertex(vertex.parent);
        while (around && !around->isNamed)
            around = chart.vertex(around->parent);
        if (vertex.isNamed)
            facts += u"\"%1\" in \"%2\""_s.arg(vertex.id, around ? around->id : QString());
    }
    facts.sort();
    return facts + QStringList(u"%1 arrows"_s.arg(chart.arcs.size()));
}

QStringList readingIn(const QJsonValue &json)
{
    QStringList facts;
    const QJsonObject states = json["states"_L1].toObject();
    for (auto state = states.begin(); state != states.end(); ++state)
        facts += u"\"%1\" in \"%2\""_s.arg(state.key(), state.value().toString());
    facts.sort();
    return facts + QStringList(u"%1 arrows"_s.arg(json["arrows"_L1].toInt()));
}

/// Every chart that some file in tests/data holds.
QList<Statechart> allCharts()
{
    QList<Statechart> result;
    QDirIterator files(
        QStringLiteral(INSTAR_SOURCE_DIR "/tests/data"), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        const StatechartFormat *const format = statechartFormat(file);
        if (!format || !format->read)
            continue;
        if (const Result<StatechartsRead> found = format->read(contents(file), file))
            result += found->charts;
    }
    return result;
}

} // namespace

/// What is written is what Mermaid sees.
void TestMermaid::isTakenByMermaid()
{
    const QString npm = QStandardPaths::findExecutable(u"npm"_s);
    const QString node = QStandardPaths::findExecutable(u"node"_s);
    if (npm.isEmpty() || node.isEmpty())
        QSKIP("npm or node is not installed");
    QTemporaryDir place;
    const QString sources = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/mermaid-js/");
    for (const QString &name : { u"package.json"_s, u"read.mjs"_s })
        QVERIFY(QFile::copy(sources + name, place.filePath(name)));
    QProcess process;
    process.setWorkingDirectory(place.path());
    process.start(npm, { u"install"_s, u"--no-audit"_s, u"--no-fund"_s, u"--prefer-offline"_s });
    if (!process.waitForFinished(200'000) || process.exitCode() != 0)
        QSKIP("npm cannot install mermaid");

    QList<Statechart> charts = allCharts();
    QVERIFY(charts.size() > 60);
    QVERIFY(holdsFor(100, 60, [&] { charts += *randomStatechart(); }));
    QJsonArray texts;
    QList<QStringList> ours;
    for (const Statechart &chart : std::as_const(charts)) {
        const QByteArray text = writeMermaid({ chart }).bytes;
        const Result<StatechartsRead> again = readMermaid(text, u"x.mmd"_s);
        if (!again) // dots without arrows only
            continue;
        texts.append(QString::fromUtf8(text));
        ours += readingOf(again->charts.first());
    }
    QVERIFY(ours.size() + 5 > charts.size());
    process.start(node, { u"read.mjs"_s });
    process.write(QJsonDocument(texts).toJson());
    process.closeWriteChannel();
    // Ten seconds where nothing else is at work, and minutes where much is.
    QVERIFY2(process.waitForFinished(200'000), qPrintable(process.errorString()));
    const QJsonArray theirs = QJsonDocument::fromJson(process.readAllStandardOutput()).array();
    QCOMPARE(theirs.size(), ours.size());
    for (qsizetype i = 0; i < ours.size(); ++i) {
        const QString error = theirs[i]["error"_L1].toString(), text = texts[i].toString();
        QVERIFY2(error.isEmpty(), qPrintable(error + u'\n' + text));
        const QStringList seen = readingIn(theirs[i]);
        QVERIFY2(seen == ours[i],
            qPrintable(u"Mermaid: %1; ours: %2\n%3"_s.arg(
                seen.join(u", "_s), ours[i].join(u", "_s), text)));
    }
}

void TestMermaid::isQuick_data()
{
    QTest::addColumn<QByteArray>("piece");
    for (const QByteArray &piece : { QByteArray("state a {\n"), QByteArray("note left of a\n"),
             QByteArray("a --> b : [[[\n"), QByteArray("%%{\n"),
             QByteArray("state c {\nd\n--\n}\n"), QByteArray("accDescr {\n"), QByteArray("}"),
             QByteArray("state a { "), QByteArray("state \"a: {"), QByteArray("x : text\n") })
        QTest::newRow(piece.simplified().constData()) << piece;
}

/// It ends at all, and well in the time of a test.
void TestMermaid::isQuick()
{
    QFETCH(QByteArray, piece);
    QByteArray text = "stateDiagram-v2\nx --> y\n";
    while (text.size() < 300'000)
        text += piece;
    QVERIFY(!writeMermaid(read(text).charts).bytes.isEmpty());
}

const instar::TestClass<TestMermaid> registered;
#include "tst_mermaid.moc"
