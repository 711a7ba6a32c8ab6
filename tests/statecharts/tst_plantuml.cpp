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
#include <QStringEncoder>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestPlantUml : public QObject
{
    Q_OBJECT

private slots:
    void showsWhatPlantUmlShows_data();
    void showsWhatPlantUmlShows();
    void newerForms_data();
    void newerForms();
    void turnedArrows_data();
    void turnedArrows();
    void ids();
    void labels_data();
    void labels();
    void choices_data();
    void choices();
    void leavesOutAsides();
    void readsLooks_data();
    void readsLooks();
    void paintsStatesAtArrows();
    void linesOfNotes();
    void diagnostics_data();
    void diagnostics();
    void refusesWhatIsNone_data();
    void refusesWhatIsNone();
    void leavesOutOtherDiagrams();
    void readsEncodings_data();
    void readsEncodings();
    void namesOfSeveralLines();
    void isQuick();
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

void TestPlantUml::showsWhatPlantUmlShows_data()
{
    addFileRows(folder(), u".puml"_s);
}

/// *.expected is what PlantUML 1.2020.2 makes of the file: its entities and links, asked for in
/// Java.
void TestPlantUml::showsWhatPlantUmlShows()
{
    QFETCH(QString, file);
    QStringList facts;
    for (const Statechart &chart : read(contents(file)).charts)
        facts += QStringList(u"diagram"_s) + chartFacts(chart);
    QString expected = file;
    expected.replace(u".puml"_s, u".expected"_s);
    QCOMPARE(facts, QString::fromUtf8(contents(expected)).split(u'\n', Qt::SkipEmptyParts));
}

void TestPlantUml::newerForms_data()
{
    const Rows<QByteArray, QString> row("lines", "facts");
    row("deep history", "state A {\nB --> [H*]\n}\nC --> A[H*] : back",
        "composite A\nhistory A/[H]\nstate A/B\nstate C\narrow A/B -> A/[H]\n"
        "arrow C -> A/[H] : back");
    row("from right to left", "A <-- B : x\nA <-up[#red]- C\nA <-[dashed]-- D",
        "state A\nstate B\nstate C\nstate D\narrow B -> A : x\narrow C -> A\narrow D -> A");
    row("dots by name",
        "state s <<start>>\nstate h <<history>>\nstate d <<history*>>\nstate e <<end>>",
        "final e\nhistory d\nhistory h\ninitial s");
    row("tags", "state A $one $two <<x>> : text", "state A || text");
    row("a comment behind joined lines", "A --> B : a \\\nlong label /' x '/",
        "state A\nstate B\narrow A -> B : a long label");
    row("the text after the colon is missing", "A --> B :", "state A\nstate B\narrow A -> B");
    row("texts below a label", "A : one\nA : two\\nthree\nB : one",
        "state A || one || two || three\nstate B || one");
    row("note in braces", "state A\nnote right of A {\n text\n}", "state A\nnote of A : text");
}

void TestPlantUml::newerForms()
{
    QFETCH(QByteArray, lines);
    QTEST(
        chartFacts(read("@startuml\n" + lines + "\n@enduml").charts.first()).join(u'\n'), "facts");
}

void TestPlantUml::turnedArrows_data()
{
    QTest::addColumn<ChartStyle>("look");
    for (const char *const written :
        { "<-", "<---", "<-up-", "<-left--", "<-d", "<-do-x", "o <-u--" })
        QTest::newRow(written) << ChartStyle();
    QTest::newRow("<-[dotted]--") << ChartStyle { .dash = ChartStyle::Dash::Dotted };
    QTest::newRow("<-[#red]right--") << ChartStyle { .stroke = u"red"_s };
}

/// An arrow that points to the left is read as one that points to the right.
void TestPlantUml::turnedArrows()
{
    const QByteArray written = QTest::currentDataTag();
    const StatechartsRead result = read("@startuml\nA --> B\nA " + written + " B : back\n@enduml");
    QCOMPARE(texts(result.remarks), QStringList());
    const Statechart &chart = result.charts.first();
    QCOMPARE(chart.arcs.size(), 2);
    QCOMPARE(chart.arcs.last().from, u"B"_s);
    QCOMPARE(chart.arcs.last().to, QStringList(u"A"_s));
    QTEST(chart.arcs.last().style, "look");
    QCOMPARE(read(writePlantUml({ chart }).bytes).charts, result.charts);
}

/// What has no name is called after what it lies in, and never like something else.
void TestPlantUml::ids()
{
    const Statechart chart =
        read("@startuml gate\n[*] --> A\nA --> [*]\nstate A.initial\nstate A {\n[*] --> B\n"
             "B --> [*]\nB --> [H]\nC --> [H*]\n--\n[*] --> D\n}\nstate initial\nstate "
             "A_region2\n@enduml")
            .charts.first();
    QStringList ids;
    for (const Vertex &vertex : chart.vertices)
        ids += vertex.id + (vertex.isNamed ? QString() : u"?"_s);
    QCOMPARE(chart.id, u"gate"_s);
    QCOMPARE(ids,
        QStringList({ u"initial.2?"_s, u"A"_s, u"A_region1?"_s, u"A_region1.initial?"_s,
            u"A_region1.history?"_s, u"A_region1.deepHistory?"_s, u"B"_s, u"C"_s,
            u"A_region1.final?"_s, u"A_region2_2?"_s, u"A_region2_2.initial?"_s, u"D"_s,
            u"A.initial"_s, u"initial"_s, u"A_region2"_s, u"final?"_s }));
    QCOMPARE(chart.vertex(u"A"_s)->kind, Vertex::Kind::Parallel);
    QVERIFY(chart.waitsForFinals);
}

void TestPlantUml::labels_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("parts"); // event, condition, action, label
    const auto row = [](const char *text, const QString &event, const QString &condition,
                         const QString &action, const QString &label) {
        QTest::newRow(text) << QByteArray(text) << QStringList({ event, condition, action, label });
    };
    row("go", u"go"_s, {}, {}, {});
    row("go [x > 1] / run", u"go"_s, u"x > 1"_s, u"run"_s, {});
    row("go[x]/run", u"go"_s, u"x"_s, u"run"_s, u"go[x]/run"_s);
    row("[x]", {}, u"x"_s, {}, {});
    row("[x[1]] / y[2]", {}, u"x[1]"_s, u"y[2]"_s, {});
    row("go / run", u"go"_s, {}, u"run"_s, {});
    row("/ run", {}, {}, u"run"_s, {});
    row("go\\n/ run", u"go"_s, {}, u"run"_s, u"go\n/ run"_s);
    row("PUT /x", u"PUT /x"_s, {}, {}, {});
    row("202/error", u"202/error"_s, {}, {}, {});
    row("go /", u"go /"_s, {}, {}, {});
    row("go [x] twice", u"go [x] twice"_s, {}, {}, {});
    row("go [x", u"go [x"_s, {}, {}, {});
    row("go\\nnow [x]", u"go now"_s, u"x"_s, {}, u"go\nnow [x]"_s);
}

void TestPlantUml::labels()
{
    QFETCH(QByteArray, text);
    const Arc arc = read("@startuml\nA --> B : " + text + "\n@enduml").charts.first().arcs.first();
    QTEST(QStringList({ arc.event, arc.condition, arc.action, arc.label }), "parts");
}

void TestPlantUml::choices_data()
{
    // parts: event, condition, action, label
    const Rows<QByteArray, QStringList> add("text", "parts");
    const auto row = [&](const char *text, const QString &condition, const QString &action,
                         const QString &label) {
        add(text, QByteArray(text), QStringList({ QString(), condition, action, label }));
    };
    row("yes", u"yes"_s, {}, u"yes"_s);
    row("yes / run", u"yes"_s, u"run"_s, u"yes / run"_s);
    row("[yes]", u"yes"_s, {}, {});
    row("many [n > 1]", u"many && n > 1"_s, {}, u"many [n > 1]"_s);
    row("many [n > 1 || all]", u"many && (n > 1 || all)"_s, {}, u"many [n > 1 || all]"_s);
    row("[else]", u"else"_s, {}, {});
    row("else", u"else"_s, {}, u"else"_s);
    row("Otherwise", u"else"_s, {}, u"Otherwise"_s);
    row("/ run", {}, u"run"_s, {});
}

/// Nothing sets off what leaves a choice, so that what is written there is what must hold.
void TestPlantUml::choices()
{
    QFETCH(QByteArray, text);
    const QList<Statechart> charts =
        read("@startuml\nc --> B : " + text + "\nstate c <<choice>>\n@enduml").charts;
    const Arc &arc = charts.first().arcs.first();
    QTEST(QStringList({ arc.event, arc.condition, arc.action, arc.label }), "parts");
    const StatechartsWritten written = writePlantUml(charts);
    QVERIFY2(written.bytes.contains(": " + text + '\n'), written.bytes.constData());
    QVERIFY(read(written.bytes).charts == charts);
}

/// What stands beside the chart is no part of it, and each writer says that it leaves it out.
void TestPlantUml::leavesOutAsides()
{
    const Statechart chart =
        read("@startuml\n' a comment\nhide empty description\nskinparam state {\n  A red\n}\n"
             "left to right direction\nstate A <<x>> <<y>> [[http://z]] #pink ##[dashed]red\n"
             "A -[#red]up-> B #blue\nnote left on link #grey : n\nA -[hidden]-> B\n"
             "note \"free\" as N #pink\nB --> N\n@enduml")
            .charts.first();
    QCOMPARE(texts(chart.ignoredParts),
        QStringList({ u"0!: a comment (\"' a comment\") is left out"_s,
            u"8!: a link (\"[[http://z]]\") is left out"_s,
            u"3!: a setting (\"hide empty description\" ...) is left out 2 times"_s,
            u"10!: the colour of a note (\"#grey\" ...) is left out 2 times"_s,
            u"8!: a stereotype (\"<<x>> <<y>>\") is left out"_s }));
    QCOMPARE(chart.direction, ChartDirection::Right);
    QCOMPARE(chart.arcs.size(), 1);
    QCOMPARE(chart.notes.first().of, u"B"_s);
    QCOMPARE(chart.notes.first().lines, QStringList(u"free"_s));
    for (const StatechartFormat &format : statechartFormats())
        for (const Diagnostic &aside : chart.ignoredParts)
            QVERIFY2(format.write({ chart }).remarks.contains(aside), qPrintable(format.name));
}

void TestPlantUml::readsLooks_data()
{
    const Rows<QString, ChartStyle, Towards> row("written", "look", "towards");
    using Dash = ChartStyle::Dash;
    const auto state = [&](const char *written, const ChartStyle &look) {
        row(written, u"state A "_s + written, look, Towards::Anywhere);
    };
    state("#pink", { .fill = u"pink"_s });
    state("#FF00aa", { .fill = u"#ff00aa"_s });
    state("#red-green", { .fill = u"red"_s });
    state("##[dotted]blue", { .stroke = u"blue"_s, .dash = Dash::Dotted });
    state("#pink ##[bold]", { .fill = u"pink"_s, .isBold = true });
    state("#back:Pink;text:red;line:00ff00;line.dashed",
        { .fill = u"pink"_s, .stroke = u"#00ff00"_s, .text = u"red"_s, .dash = Dash::Dashed });
    const auto arrow = [&](const char *written, const ChartStyle &look, Towards towards) {
        row(written, u"A %1 A"_s.arg(QLatin1StringView(written)), look, towards);
    };
    arrow("-->", {}, Towards::Anywhere);
    arrow("->", {}, Towards::Right);
    arrow("<-", {}, Towards::Left);
    arrow("-u->", {}, Towards::Up);
    arrow("-[#green]do->", { .stroke = u"green"_s }, Towards::Down);
    arrow("-le[dotted]->", { .dash = Dash::Dotted }, Towards::Left);
    arrow("-[bold,#ff0,dashed]->", { .stroke = u"#ff0"_s, .dash = Dash::Dashed, .isBold = true },
        Towards::Anywhere);
    arrow("-[thickness=4]--->", { .isBold = true }, Towards::Anywhere);
}

/// What they mean comes back.
void TestPlantUml::readsLooks()
{
    QFETCH(const QString, written);
    QFETCH(const ChartStyle, look);
    QFETCH(const Towards, towards);
    StatechartsRead result = read("@startuml\n" + written.toUtf8() + "\n@enduml\n");
    QCOMPARE(texts(result.remarks), QStringList());
    Statechart &chart = result.charts.first();
    const bool isArrow = !chart.arcs.isEmpty();
    QCOMPARE(isArrow ? chart.arcs.first().style : chart.vertices.first().style, look);
    QCOMPARE(isArrow ? chart.arcs.first().towards : Towards::Anywhere, towards);
    const QByteArray plain = writePlantUml({ chart }).bytes;
    QCOMPARE(read(plain).charts, QList<Statechart> { chart });
}

/// A colour at an arrow's end is the state's.
void TestPlantUml::paintsStatesAtArrows()
{
    const Statechart chart =
        read("@startuml\nstate A #red ##blue\nA #pink --> B #Green\n@enduml").charts.first();
    QCOMPARE(chart.vertex(u"A"_s)->style, (ChartStyle { .fill = u"pink"_s, .stroke = u"blue"_s }));
    QCOMPARE(chart.vertex(u"B"_s)->style, ChartStyle { .fill = u"green"_s });
}

/// In a note signs of other notations are text; behind its head they make it none.
void TestPlantUml::linesOfNotes()
{
    const StatechartsRead fine =
        read("@startuml\nstate A\nnote left of A #pink\n# one\n%% two\nend note\n@enduml");
    QCOMPARE(texts(fine.remarks), QStringList());
    QCOMPARE(fine.charts.first().notes.size(), 1);
    QCOMPARE(fine.charts.first().notes.first().lines, QStringList({ u"# one"_s, u"%% two"_s }));
    const StatechartsRead none =
        read("@startuml\nstate A\nnote left of A %% x\n# one\nend note\n@enduml");
    QVERIFY(none.charts.first().notes.isEmpty());
    QCOMPARE(
        texts(none.remarks).value(0), u"3!: not understood and left out: note left of A %% x"_s);
}

void TestPlantUml::diagnostics_data()
{
    const Rows<QByteArray, QStringList> row("lines", "remarks");
    row("nothing to say", "state A : x\nA --> B", {});
    row("layout", "left to right direction\ntop to bottom direction\nright header x\nA --> B", {});
    row("not known", "A --> B\nA --> \"x y\"\nA ..> B",
        { u"3!: not understood and left out: A --> \"x y\""_s,
            u"4!: not understood and left out: A ..> B"_s });
    row("an unknown block", "whatever P {\nA --> B\n}\nC --> D",
        { u"2!: not understood and left out: whatever P {"_s });
    row("of another kind of diagram", "package P {\n[*] --> B\n}\nstate C",
        { u"2!: not understood and left out: package P {"_s });
    row("too many braces", "state A\n}", { u"3!: \"}\" closes no block"_s });
    row("too few", "state A {\nB --> C",
        { u"2: the \"{\" of A is not closed; add a \"}\" before the end of the diagram in line 3"_s });
    row("too few in each other", "state A {\nstate B {\nC\n}\nD --> E\nstate F {",
        { u"2: the \"{\" of A is not closed; add a \"}\" before the end of the diagram in line 7"_s,
            u"4!: not understood and left out: C"_s,
            u"7: the \"{\" of F is not closed; add a \"}\" before the end of the diagram in line 7"_s });
    row("a note without end", "state A\nnote right of A\nA --> B",
        { u"3!: the note has no end; the following lines are read as the diagram"_s });
    row("the preprocessor",
        "!include x.puml\n!define F(x) x\nstate A\n!procedure $p()\nstate B\n!endprocedure\n!theme "
        "plain",
        { u"2!: the preprocessor is not supported; left out: !include x.puml"_s,
            u"3!: the preprocessor is not supported; left out: !define F(x) x"_s,
            u"5!: the preprocessor is not supported; 3 lines are left out: !procedure $p()"_s });
    row("out of a region", "state A {\nB --> C\n--\nD --> E\n}\nF --> D : x\nA --> F", {});
    row("out of a region to a dot", "state A {\nB --> C\n--\nD --> E\nE --> A[H] : x\n}",
        { u"6!: the arrow from E to an unnamed state is left out: only arrows between named states can cross the border of a region"_s });
    row("declared elsewhere", "A --> B\nstate C {\nstate B\n}",
        { u"4: B was mentioned before in line 2 and stays in the state given there"_s });
    row("hidden", "A -[hidden]-> B",
        { u"2: a hidden arrow affects only the layout; it does not become a transition"_s });
    row("a note of a dot", "A --> B\n[*] --> A\nnote left : x",
        { u"4!: the note is left out, because it belongs to an initial or final state without a name"_s });
    row("no arrow to note", "state A\nnote on link : x",
        { u"3!: the note is left out, because no arrow precedes it"_s });
    row("two notes", "A --> B\nnote on link : x\nnote on link : y",
        { u"4: the arrow already has a note, which PlantUML 1.2020.2 would replace; both are kept"_s });
    row("an open comment", "A --> B\n/' no end\nC --> D",
        { u"3!: the comment has no end, so the rest of the diagram is read as a comment"_s });
    row("an open block", "state A\nlegend\nA --> B",
        { u"3!: the block that begins here is left out, because it has no end: legend"_s });
}

void TestPlantUml::diagnostics()
{
    QFETCH(QByteArray, lines);
    QTEST(texts(read("@startuml\n" + lines + "\n@enduml").remarks), "remarks");
}

void TestPlantUml::refusesWhatIsNone_data()
{
    const Rows<QByteArray, QString> row("bytes", "error");
    const QString lines = u"lines such as \"A --> B : event\" between @startuml and @enduml"_s;
    const QString none = u"x.puml: found no state diagram; expected "_s + lines;
    row("empty", {}, none);
    row("garbage", QByteArray("\xff\x00\xfe<a href>", 11), none);
    row("no states", "@startuml\ntitle x\n@enduml", none);
    const auto other = [&](const char *name, const QByteArray &bytes, const QString &what) {
        row(name, bytes,
            u"x.puml:%1: expected a state diagram, %2; found %3"_s.arg(
                what.section(u' ', 0, 0), lines, what.section(u' ', 1)));
    };
    other(
        "another kind", "@startmindmap\n* A --> B\n@endmindmap", u"1 the @startmindmap diagram"_s);
    const auto uml = [&](const char *name, const QByteArray &bytes, const QString &what) {
        other(name, "@startuml\n" + bytes + "\n@enduml\n", what);
    };
    const QString kind = u"%1 another kind of diagram (%2)"_s;
    uml("classes", "class A {\n+size() : int\n}\nA : int i\nA <|-- B",
        kind.arg(2).arg(u"class A {"_s));
    uml("classes by arrows", "A -- B\nB o-- C\nA <|.. D", kind.arg(3).arg(u"B o-- C"_s));
    uml("sequence", "Alice -> Bob : hi\nactivate Bob\nBob --> Alice\ndeactivate Bob",
        kind.arg(3).arg(u"activate Bob"_s));
    uml("components", "[First] --> [Second] : uses\nX --> Y",
        kind.arg(2).arg(u"[First] --> [Second] : uses"_s));
    uml("use cases", "A --> B\nusecase (Login) as B", kind.arg(3).arg(u"usecase (Login) as B"_s));
    uml("activities", ":do it;\nif (so?) then (yes)\nendif", kind.arg(2).arg(u":do it;"_s));
}

void TestPlantUml::refusesWhatIsNone()
{
    QFETCH(QByteArray, bytes);
    QTEST(errorIn(readPlantUml(bytes, u"x.puml"_s)), "error");
}

/// Of several diagrams those of states are read.
void TestPlantUml::leavesOutOtherDiagrams()
{
    const StatechartsRead both =
        read("@startuml\nclass A\n@enduml\n@startuml\n[*] --> A\nclass --> A\n@enduml\n");
    QCOMPARE(both.charts.size(), 1);
    QCOMPARE(texts(both.remarks),
        QStringList(
            u"2!: another kind of diagram (class A) is left out, because it is not a state diagram"_s));
}

void TestPlantUml::readsEncodings_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QString text = u"@startuml\n[*] --> Größe : \u2713 \U0001f600\n@enduml\n"_s;
    const auto row = [&](const char *name, QStringConverter::Encoding encoding, bool isMarked) {
        QStringEncoder encoder(encoding,
            isMarked ? QStringConverter::Flag::WriteBom : QStringConverter::Flag::Default);
        QTest::newRow(name) << QByteArray(encoder(text));
    };
    row("UTF-8", QStringConverter::Utf8, false);
    row("UTF-8, marked", QStringConverter::Utf8, true);
    row("UTF-16 LE, marked", QStringConverter::Utf16LE, true);
    row("UTF-16 BE, marked", QStringConverter::Utf16BE, true);
    row("UTF-32, marked", QStringConverter::Utf32LE, true);
}

void TestPlantUml::readsEncodings()
{
    QFETCH(QByteArray, bytes);
    const StatechartsRead file = read(bytes);
    QCOMPARE(texts(file.remarks), QStringList());
    QCOMPARE(file.charts.first().vertices.last().id, u"Größe"_s);
    QCOMPARE(file.charts.first().arcs.first().event, u"\u2713 \U0001f600"_s);
}

/// A name between quotes is what is shown; it may break.
void TestPlantUml::namesOfSeveralLines()
{
    const StatechartsRead once =
        read("@startuml\nstate \"Two\\nlines\"\n\"Two\\nlines\" : more\nstate \"One\" #pink\n"
             "\"a\\nb\" : first\nnote left of \"c\\nd\" : n\n@enduml\n");
    QCOMPARE(texts(once.remarks), QStringList());
    const Statechart &chart = once.charts.first();
    QStringList labels;
    for (const Vertex &vertex : chart.vertices)
        labels += vertex.label;
    QCOMPARE(labels, QStringList({ u"Two\nlines"_s, {}, u"a\nb"_s, u"c\nd"_s }));
    QCOMPARE(chart.vertices.first().description, QStringList(u"more"_s));
    const StatechartsWritten written = writePlantUml(once.charts);
    QVERIFY2(written.bytes.contains("state \"Two\\nlines\"\n"), written.bytes.constData());
    QCOMPARE(written.remarks, QList<Diagnostic>());
    QVERIFY(read(written.bytes).charts == once.charts);
}

void TestPlantUml::isQuick()
{
    for (const QByteArray &piece :
        { QByteArray("state a {\n"), QByteArray("note left of a\n"), QByteArray("a --> b : [[[\n"),
            QByteArray("/' x\n"), QByteArray("state c {\nd\n--\n}\n"), QByteArray("legend\n"),
            QByteArray("skinparam x {\n"), QByteArray("state c {\nstate d\n--\nstate e\n}\n"),
            QByteArray("x --> c[H]\nstate c {\n[*] --> d\n}\n"), QByteArray("/' '/"),
            QByteArray("--\n"), QByteArray("!procedure x\n"), QByteArray("a : text\n"),
            QByteArray("a : \\n\n") }) {
        QByteArray text = "@startuml\nx --> y\n";
        while (text.size() < 300'000)
            text += piece;
        QVERIFY(!read(text).charts.isEmpty()); // ends at all, and well in the time of a test
    }
}

void TestPlantUml::comesBackTheSame_data()
{
    addFileRows(folder(), u".puml"_s);
}

void TestPlantUml::comesBackTheSame()
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

void TestPlantUml::randomChartsComeBack()
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
void TestPlantUml::randomChartsAreSaid()
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

void TestPlantUml::writes_data()
{
    const Rows<QByteArray, QByteArray> row("before", "after");
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

void TestPlantUml::writes()
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

void TestPlantUml::keepsNames()
{
    for (const QByteArray name : { "parcel", "two words" }) {
        const QByteArray text = "@startuml " + name + "\nstate A\n@enduml\n";
        QCOMPARE(writePlantUml(read(text).charts).bytes, text);
    }
    const QList<Statechart> loose = read("@startuml(id= parcel )\nstate A\n@enduml").charts;
    QCOMPARE(loose.first().id, u"parcel"_s);
    QVERIFY(read(writePlantUml(loose).bytes).charts == loose);
    const QList<Statechart> inComment = read("// @startuml parcel\nstate A\n@enduml").charts;
    QCOMPARE(inComment.first().id, u"parcel"_s);
}

/// A history to which no arrow leads, beside the regions of its state, where nothing is declared.
void TestPlantUml::declaresHistoriesInRegions()
{
    Statechart chart =
        read("@startuml\nstate A {\nstate B\n--\nstate C\n}\n@enduml").charts.first();
    chart.vertices.insert(
        1, Vertex { .kind = Vertex::Kind::ShallowHistory, .id = u"h"_s, .parent = u"A"_s });
    QCOMPARE(QString::fromUtf8(writePlantUml({ chart }).bytes),
        u"@startuml\nstate A {\n  state h <<history>>\n  state B\n--\n  state C\n}\n@enduml\n"_s);
}

void TestPlantUml::tellsWhatItCannotSay()
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
        Vertex { .id = u"on-hold"_s, .label = u"held"_s, .bounds = QRectF(1, 2, 3, 4) };
    chart.vertices.last().scxmlExtras.insert(u"scxml.onentry"_s, u"<log/>"_s);
    chart.waitsForFinals = false;
    const StatechartsWritten written = writePlantUml({ chart });
    QStringList texts;
    for (const Diagnostic &each : written.remarks)
        texts += (each.isLoss() ? u"!"_s : QString()) + each.text;
    QCOMPARE(texts,
        QStringList({
            u"!an arrow from Q has several targets, A and B; only P is written"_s,
            u"!the transition \"tick / count\" of Q1 has no target, so it becomes a text of the state"_s,
            u"!an arrow without an event leaves Q at once; in this notation, the arrow waits for the final state"_s,
            u"!on-hold is not a valid name in this notation; the name becomes on_hold"_s,
            u"the label \"a [b]\" will be read again as different parts"_s,
            u"the arrow from A to Q crosses a region's border; PlantUML 1.2020.2 refuses that, newer versions draw the arrow"_s,
            u"!<onentry> of SCXML (\"<log/>\") cannot be expressed in PlantUML and is left out"_s,
        }));
    QVERIFY(written.bytes.contains("Q1 : tick / count\n"));
    QVERIFY(written.bytes.contains("A --> Q : out\n"));
}

/// As newer versions of PlantUML have it; other notations do, too.
void TestPlantUml::arrowsCrossRegions()
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
void TestPlantUml::forksIntoRegions()
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
void TestPlantUml::keepsWhatOthersWrote()
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
void TestPlantUml::isTakenByPlantUml()
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
            vertex.style.text.clear(); // which newer versions know
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

const instar::TestClass<TestPlantUml> registered;
#include "tst_plantuml.moc"
