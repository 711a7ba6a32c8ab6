// SPDX-License-Identifier: Apache-2.0
// SCXML: what is read, what is said of the rest, and that writing and reading is the identity.

#include "model/statecharts/interpreter.h"
#include "model/statecharts/notation/notations.h"
#include "tests/support/property.h"
#include "tests/support/randomstatechart.h"
#include "tests/support/testclass.h"

#include <QLibraryInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <ctime>

using namespace instar;
using namespace Qt::StringLiterals;

class TestScxml : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void diagnostics_data();
    void diagnostics();
    void errors_data();
    void errors();
    void keeps_data();
    void keeps();
    void identity();
    void leavesOutAsides();
    void controlCharacters();
    void wordsBecomeVariables();
    void eventsOthersTake_data();
    void eventsOthersTake();
    void arrowsOfAHistory();
    void historyOfTheWhole_data();
    void historyOfTheWhole();
    void compiles();
    void hugeFiles_data();
    void hugeFiles();
};

namespace {

const QString Open =
    u"<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"door\">"_s;

QString document(const QString &inside)
{
    return Open + inside + u"</scxml>"_s;
}

/// A chart in lines: "state s1 in p", "s1 -> s2 on a [c]".
QStringList told(const Statechart &chart)
{
    static const QStringList kinds { u"state"_s, u"parallel"_s, u"initial"_s, u"final"_s,
        u"shallow"_s, u"deep"_s, u"choice"_s, u"fork"_s, u"join"_s, u"entry"_s, u"exit"_s };
    QStringList lines;
    for (const Vertex &vertex : chart.vertices) {
        lines += kinds[int(vertex.kind)] + u' ' + vertex.id
            + (vertex.parent.isEmpty() ? QString() : u" in "_s + vertex.parent)
            + (vertex.isNamed ? QString() : u" unnamed"_s);
    }
    for (const Arc &arc : chart.arcs)
        lines += arc.from + (arc.isInternal ? u" => "_s : u" -> "_s) + arc.to.join(u'+')
            + (arc.event.isEmpty() ? QString() : u" on "_s + arc.events().join(u'|'))
            + (arc.condition.isEmpty() ? QString() : u" ["_s + arc.condition + u']');
    return lines;
}

Statechart read(const QString &text)
{
    return valueOf(readScxml(text.toUtf8(), u"test.scxml"_s)).charts.first();
}

QString compiler()
{
    return QLibraryInfo::path(QLibraryInfo::LibraryExecutablesPath) + u"/qscxmlc"_s;
}

bool hasCompiler()
{
    return QFile::exists(compiler());
}

/// What Qt's compiler has against a file; empty: nothing.
QString compiled(const QByteArray &bytes)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"chart.scxml"_s));
    if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size())
        return file.errorString();
    file.close();
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(compiler(), { u"chart.scxml"_s, u"-o"_s, u"out"_s, u"--classname"_s, u"Chart"_s },
        QIODevice::ReadOnly);
    if (!process.waitForFinished(20'000) || process.exitCode() != 0)
        return u"refused: "_s + QString::fromUtf8(process.readAllStandardError());
    return {};
}

} // namespace

void TestScxml::reads_data()
{
    const Rows<QString, QStringList> row("inside", "lines");
    row("nothing", {}, {});
    row("two states", u"<state id='a'><transition event='e' target='b'/></state><state id='b'/>"_s,
        { u"state a"_s, u"state b"_s, u"a -> b on e"_s });
    row("events and a condition",
        u"<state id='a'><transition event='e  f.*' cond='x &lt; 3' target='a'/></state>"_s,
        { u"state a"_s, u"a -> a on e|f.* [x < 3]"_s });
    row("nested, with an attribute",
        u"<state id='a' initial='c'><state id='b'/><state id='c'/></state>"_s,
        { u"state a"_s, u"initial a.initial in a unnamed"_s, u"state b in a"_s, u"state c in a"_s,
            u"a.initial -> c"_s });
    row("an element for the beginning",
        u"<state id='a'><initial><transition target='b'/></initial><state id='b'/></state>"_s,
        { u"state a"_s, u"initial a.initial in a unnamed"_s, u"state b in a"_s,
            u"a.initial -> b"_s });
    row("regions", u"<parallel id='p'><state id='a'/><state id='b'/></parallel>"_s,
        { u"parallel p"_s, u"state a in p"_s, u"state b in p"_s });
    row("several targets",
        u"<state id='s'><transition event='e' target='a  b'/></state><parallel id='p'><state id='a'/><state id='b'/></parallel>"_s,
        { u"state s"_s, u"parallel p"_s, u"state a in p"_s, u"state b in p"_s,
            u"s -> a+b on e"_s });
    row("histories",
        u"<state id='s'><history id='h'><transition target='a'/></history><history id='d' type='deep'/><state id='a'/></state>"_s,
        { u"state s"_s, u"shallow h in s"_s, u"deep d in s"_s, u"state a in s"_s, u"h -> a"_s });
    row("final states", u"<state id='s'><final/><final id='f'/><final/></state>"_s,
        { u"state s"_s, u"final s.final in s unnamed"_s, u"final f in s"_s,
            u"final s.final.2 in s unnamed"_s });
    row("a made-up id that is taken", u"<state id='s'><state id='s.final'/><final/></state>"_s,
        { u"state s"_s, u"state s.final in s"_s, u"final s.final.2 in s unnamed"_s });
    row("internal, and nowhere",
        u"<state id='s'><transition type='internal' event='e' target='a'/><transition event='f'/><state id='a'/></state>"_s,
        { u"state s"_s, u"state a in s"_s, u"s => a on e"_s, u"s ->  on f"_s });
    row("transitions behind children",
        u"<state id='s'><state id='a'><transition event='e' target='s'/></state><transition event='f' target='a'/></state>"_s,
        { u"state s"_s, u"state a in s"_s, u"s -> a on f"_s, u"a -> s on e"_s });
    row("forward",
        u"<state id='a'><transition target='z'/></state><state id='b'><state id='z'/></state>"_s,
        { u"state a"_s, u"state b"_s, u"state z in b"_s, u"a -> z"_s });
}

void TestScxml::reads()
{
    QFETCH(QString, inside);
    const StatechartsRead result = valueOf(readScxml(document(inside).toUtf8(), u"test.scxml"_s));
    QCOMPARE(result.remarks.size(), 0);
    QCOMPARE(result.charts.size(), 1);
    QTEST(told(result.charts.first()), "lines");
    QCOMPARE(result.charts.first().id, u"door"_s);
    QVERIFY(!result.charts.first().waitsForFinals);
}

void TestScxml::diagnostics_data()
{
    const Rows<QString, int, QString> row("inside", "line", "says");
    row("no such target", u"<state id='a'>\n<transition event='e' target='b'/></state>"_s, 2,
        u"there is no state \"b\""_s);
    row("no such beginning", u"\n\n<state id='a' initial='x'><state id='b'/></state>"_s, 3,
        u"initial state \"x\" does not exist"_s);
    row("an id twice", u"<state id='a'/>\n<state id='a'/>"_s, 2, u"already used in line 1"_s);
    row("text", u"<state id='a'>\nhello</state>"_s, 2, u"the text \"hello\" is left out"_s);
    row("unknown element", u"\n<stat id='a'/>"_s, 2, u"the element <stat> is left out"_s);
    row("out of a final state", u"<final id='f'>\n<transition target='f'/></final>"_s, 2,
        u"no transition can leave a final state"_s);
    row("kind of history", u"<state id='s'>\n<history id='h' type='long'/></state>"_s, 2,
        u"read as shallow"_s);
    row("kind of transition", u"<state id='s'>\n<transition type='x' target='s'/></state>"_s, 2,
        u"read as external"_s);
    row("processing instruction", u"\n<?play it?>"_s, 2, u"processing instruction"_s);
    row("a beginning of regions", u"\n<parallel id='p' initial='q'><state id='q'/></parallel>"_s, 2,
        u"<parallel> has no \"initial\" because all its regions begin; \"q\" is left out"_s);
}

void TestScxml::diagnostics()
{
    QFETCH(QString, inside);
    QFETCH(QString, says);
    const StatechartsRead result = valueOf(readScxml(document(inside).toUtf8(), u"test.scxml"_s));
    QCOMPARE(result.remarks.size(), 1);
    const Diagnostic remark = result.remarks.first();
    QVERIFY2(remark.text.contains(says), qPrintable(remark.text));
    QTEST(remark.line, "line");
    QVERIFY(remark.isLoss());
}

void TestScxml::errors_data()
{
    const Rows<QByteArray, QString> row("bytes", "error");
    row("empty", {}, u"bad.scxml:1: expected well-formed XML"_s);
    row("no XML", "@startuml\n", u"bad.scxml:1: expected well-formed XML"_s);
    row("another document", "<?xml version='1.0'?>\n<html/>",
        u"bad.scxml:2: expected an SCXML document"_s);
    row("another namespace", "<scxml xmlns='urn:x'/>",
        u"bad.scxml:1: expected an SCXML document"_s);
    row("cut off", (Open + u"\n<state id='a'>"_s).toUtf8(),
        u"bad.scxml:2: expected well-formed XML"_s);
    row("crossed", document(u"\n<state id='a'></final>"_s).toUtf8(),
        u"bad.scxml:2: expected well-formed XML"_s);
    row("no UTF-8", (Open + u"<state id='"_s).toUtf8() + "\xff'/></scxml>",
        u"save the file as UTF-8"_s);
    row("entities",
        "<!DOCTYPE scxml [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n"
            + document(u"<state id='&b;'/>"_s).toUtf8(),
        u"expected a document without entities"_s);
    QByteArray deep = Open.toUtf8();
    for (int i = 0; i < 100'000; ++i)
        deep += "<state>";
    row("very deep", deep, u"expected states nested at most 256 deep"_s);
}

void TestScxml::errors()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, error);
    const QString result = errorIn(readScxml(bytes, u"bad.scxml"_s));
    QVERIFY2(result.contains(error), qPrintable(result));
    QVERIFY2(!result.contains(u'\n'), qPrintable(result));
}

void TestScxml::keeps_data()
{
    const Rows<QString, QStringList> row("text", "kept");
    row("executable content",
        document(
            u"<state id='a'><onentry>\r\n  <log expr=\"'&lt;a'\"/>\r\n</onentry><onentry/><onexit><raise event='x'/></onexit></state>"_s),
        { u"<onentry>\r\n  <log expr=\"'&lt;a'\"/>\r\n</onentry>"_s, u"<onentry/>"_s,
            u"<onexit><raise event='x'/></onexit>"_s });
    row("data",
        document(
            u"<datamodel><data id='x' expr=\"3\"/></datamodel><script>f( 1 );</script><state id='a'><invoke type='t'/></state><final id='f'><donedata/></final>"_s),
        { u"<datamodel><data id='x' expr=\"3\"/></datamodel>"_s, u"<script>f( 1 );</script>"_s,
            u"<invoke type='t'/>"_s, u"<donedata/>"_s });
    row("in a transition",
        document(
            u"<state id='a'><transition event='e' target='a'> <log label='x'/><send event='y'/>\n</transition></state>"_s),
        { u"<log label='x'/><send event='y'/>"_s });
    row("attributes",
        u"<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.1' datamodel='ecmascript' binding='late'><state id='a' src='b.xml'/></scxml>"_s,
        { u"version=\"1.1\""_s, u"datamodel=\"ecmascript\""_s, u"binding=\"late\""_s,
            u"src=\"b.xml\""_s });
    row("a condition as it is",
        document(
            u"<state id='a'><transition cond=\"_event.data.x == 'y' || !z\" event='e' target='a'/></state>"_s),
        { u"cond=\"_event.data.x == 'y' || !z\""_s });
}

void TestScxml::keeps()
{
    QFETCH(QString, text);
    QFETCH(QStringList, kept);
    const Statechart chart = read(text);
    const StatechartsWritten written = writeScxml({ chart });
    QCOMPARE(written.remarks.size(), 0);
    const QString again = QString::fromUtf8(written.bytes);
    for (const QString &part : kept)
        QVERIFY2(again.contains(part), qPrintable(u"%1 in %2"_s.arg(part, again)));
    QVERIFY2(read(again) == chart, qPrintable(again));
    QCOMPARE(writeScxml({ read(again) }).bytes, written.bytes);
}

/// Comments and what other programs say in their namespaces are no part of the chart.
void TestScxml::leavesOutAsides()
{
    const Statechart chart = read(
        u"<!-- 0 --><scxml xmlns='http://www.w3.org/2005/07/scxml' xmlns:v='urn:v'>\n<!-- 1 -->"
        "<v:y><v:z/>t</v:y><state id='a' v:x='1'><v:y/></state></scxml>"_s);
    QStringList texts;
    for (const Diagnostic &aside : chart.ignoredParts)
        texts += QString::number(aside.line) + u": "_s + aside.text;
    QCOMPARE(texts,
        QStringList({ u"1: a comment (\"0\" ...) is left out 2 times"_s,
            u"2: an element of another namespace (\"<v:y><v:z/>t</v:y>\" ...) is left out 2 times"_s }));
    const StatechartsWritten written = writeScxml({ chart });
    QCOMPARE(written.remarks, chart.ignoredParts);
    QVERIFY(read(QString::fromUtf8(written.bytes)) == chart);
}

void TestScxml::identity()
{
    QVERIFY(holdsFor(1000, 100, [] {
        const Statechart chart = *randomStatechart();
        const StatechartsWritten written = writeScxml({ chart });
        RC_LOG() << written.bytes.toStdString();
        RC_ASSERT(std::ranges::none_of(written.remarks, [](const Diagnostic &remark) {
            return remark.isLoss() && !remark.text.contains(u"which are not in parallel regions");
        })); // other programs are led elsewhere, but nothing is lost in the file
        const Result<StatechartsRead> again = readScxml(written.bytes, u"test.scxml"_s);
        RC_ASSERT(bool(again));
        RC_ASSERT(again->remarks.isEmpty());
        RC_LOG() << told(chart).join(u'\n').toStdString() << "\n\n"
                 << told(again->charts.first()).join(u'\n').toStdString() << '\n';
        RC_ASSERT(again->charts.size() == 1);
        RC_ASSERT(again->charts.first() == chart);
    }));
}

void TestScxml::controlCharacters()
{
    Statechart chart { .id = u"door"_s };
    chart.vertices = { { .id = u"a"_s, .label = u"\x07"_s } };
    const StatechartsWritten written = writeScxml({ chart });
    QVERIFY2(written.bytes.contains("\"\ufffd\""), written.bytes.constData());
    QCOMPARE(written.remarks.size(), 1);
    QCOMPARE(written.remarks.first().text,
        u"a control character, which XML cannot express, became U+FFFD"_s);
}

void TestScxml::wordsBecomeVariables()
{
    Statechart chart;
    chart.id = u"door"_s;
    chart.vertices = { Vertex { .id = u"a b"_s }, Vertex { .id = u"aps:ready"_s },
        Vertex { .id = u"c"_s } };
    chart.arcs = { { .from = u"a b"_s,
                       .to = { u"c"_s },
                       .event = u"go on"_s,
                       .condition = u"must be && !(else || In('c'))"_s },
        { .from = u"a b"_s, .to = { u"c"_s }, .condition = u"else"_s },
        { .from = u"a b"_s, .to = { u"aps:ready"_s }, .condition = u"ready"_s } };
    const StatechartsWritten written = writeScxml({ chart });
    const QString text = QString::fromUtf8(written.bytes);
    for (const QString &part :
        { u"datamodel=\"ecmascript\""_s, u"<data id=\"must_be\" expr=\"false\"/>"_s,
            u"event=\"go_on\""_s, u"cond=\"must_be &amp;&amp; !(is_else || In('c'))\""_s,
            u"id=\"a_b\""_s, u"target=\"aps_ready\""_s,
            u"cond=\"!(must_be &amp;&amp; !(is_else || In('c'))) &amp;&amp; !(ready)\""_s })
        QVERIFY2(text.contains(part), qPrintable(part + u" in "_s + text));
    QVERIFY2(read(text) == chart, qPrintable(text));
}

void TestScxml::eventsOthersTake_data()
{
    const Rows<QString, QString> row("event", "written");
    row(u"it's"_s, u"it_s"_s);
    row(u"a(b)"_s, u"a_b_"_s);
    row(u"a/b"_s, u"a_b"_s);
    row(u"foo()"_s, u"foo__"_s);
    row(u"a..b"_s, u"a.b"_s);
    row(u".a."_s, u"a"_s);
    row(u"..."_s, u"_"_s);
    row(u"a \"b\" <c> & d"_s, u"a__b___c____d"_s);
    row(u"\U0001F600"_s, u"__"_s);
    row(u"größer-als:2"_s, u"größer-als:2"_s);
    row(u"a.*"_s, u"a.*"_s);
    row(u"*"_s, u"*"_s);
    row(u"a*"_s, u"a_"_s);
}

/// Other programs get a name that they take, and we get the event back.
void TestScxml::eventsOthersTake()
{
    QFETCH(QString, event);
    QFETCH(QString, written);
    Statechart chart;
    chart.id = u"door"_s;
    chart.vertices = { Vertex { .id = u"a"_s }, Vertex { .id = u"b"_s } };
    chart.arcs = { { .from = u"a"_s, .to = { u"b"_s }, .event = event } };
    const QString text = QString::fromUtf8(writeScxml({ chart }).bytes);
    QVERIFY2(text.contains(u" event=\"%1\""_s.arg(written)), qPrintable(text));
    QVERIFY2(read(text) == chart, qPrintable(text));
    if (hasCompiler())
        QCOMPARE(compiled(text.toUtf8()), QString());
}

/// The W3C lets one leave it, whatever stands at it.
void TestScxml::arrowsOfAHistory()
{
    Statechart chart { .id = u"m"_s };
    const auto add = [&](const QString &id, Vertex::Kind kind, const QString &parent) {
        chart.vertices += Vertex { .kind = kind, .id = id, .parent = parent };
    };
    add(u"s"_s, Vertex::Kind::State, {});
    add(u"h"_s, Vertex::Kind::ShallowHistory, u"s"_s);
    add(u"a"_s, Vertex::Kind::State, u"s"_s);
    add(u"b"_s, Vertex::Kind::State, u"s"_s);
    chart.arcs += Arc { .from = u"h"_s, .to = { u"b"_s }, .line = 7 };
    chart.arcs += Arc { .from = u"h"_s, .to = { u"a"_s }, .line = 8 };
    const StatechartsWritten written = writeScxml({ chart });
    QCOMPARE(written.remarks,
        QList<Diagnostic>({ Diagnostic {
            8, u"only one arrow can leave the history \"h\"; a second arrow is left out"_s } }));
    const StatechartsRead again = valueOf(readScxml(written.bytes, u"m.scxml"_s));
    QList<Arc> left;
    for (const Arc &arc : again.charts.first().arcs)
        if (arc.from == u"h")
            left += arc;
    QCOMPARE(left.size(), 1);
    QCOMPARE(left.first().to, QStringList(u"b"_s));
}

void TestScxml::historyOfTheWhole_data()
{
    const Rows<Vertex::Kind, bool> row("kind", "leads");
    row("shallow", Vertex::Kind::ShallowHistory, false);
    row("deep", Vertex::Kind::DeepHistory, false);
    row("with an arrow", Vertex::Kind::DeepHistory, true);
}

/// What is never left has nothing to remember: a state that leads on says the same.
void TestScxml::historyOfTheWhole()
{
    QFETCH(Vertex::Kind, kind);
    QFETCH(bool, leads);
    Statechart chart;
    chart.id = u"door"_s;
    chart.vertices = { Vertex { .kind = kind, .id = u"h"_s, .isNamed = false, .line = 4 },
        Vertex { .id = u"a"_s }, Vertex { .id = u"b"_s } };
    chart.arcs = { { .from = u"b"_s, .to = { u"h"_s }, .event = u"e"_s } };
    if (leads)
        chart.arcs.prepend({ .from = u"h"_s, .to = { u"b"_s } });
    const StatechartsWritten written = writeScxml({ chart });
    QCOMPARE(written.remarks,
        QList<Diagnostic>({ { 4,
            u"SCXML has no history of the whole chart; \"h\" becomes a state with a transition without an event"_s,
            Diagnostic::Severity::Note } }));
    QVERIFY(!written.bytes.contains("<history"));
    QVERIFY2(written.bytes.contains(leads ? "<transition target=\"b\"/>"
                                          : "<transition target=\"a\" instar:made=\"true\"/>"),
        written.bytes.constData());
    QVERIFY2(read(QString::fromUtf8(written.bytes)) == chart, written.bytes.constData());
    if (hasCompiler())
        QCOMPARE(compiled(written.bytes), QString());
}

/// What we write is what Qt's compiler takes.
void TestScxml::compiles()
{
    if (!hasCompiler())
        QSKIP("qscxmlc (qt6-scxml-dev) is not installed");
    ChartTaste taste;
    taste.letters = u"ab <&>\"'λ"_s;
    int count = 0;
    QVERIFY(holdsFor(60, 100, [&] {
        const Statechart chart = *randomStatechart(taste);
        const QByteArray bytes = writeScxml({ chart }).bytes;
        RC_LOG() << bytes.toStdString();
        const QString problem = compiled(bytes);
        RC_LOG() << problem.toStdString();
        RC_ASSERT(problem.isEmpty());
        ++count;
    }));
    QCOMPARE(count, 60);
}

void TestScxml::hugeFiles_data()
{
    QTest::addColumn<QByteArray>("inside");
    /// So many parts; "N" in them is their number, and "M" the next one.
    const auto times = [](int count, const QByteArray &part) {
        QByteArray result;
        for (int i = 0; i < count; ++i)
            result += QByteArray(part)
                          .replace('N', QByteArray::number(i))
                          .replace('M', QByteArray::number(i + 1));
        return result;
    };
    QTest::newRow("states") << times(
        100'000, "<state id='sN'><transition event='e' target='s0'/></state>");
    QTest::newRow("unnamed states") << times(100'000, "<state/>");
    QTest::newRow("the same id") << times(100'000, "<state id='a'/>");
    QTest::newRow("unknown targets")
        << "<state id='a'>" + times(100'000, "<transition target='tN'/>") + "</state>";
    QTest::newRow("many targets") << "<state id='a'><transition target='" + times(200'000, "a ")
            + "'/></state>";
    QTest::newRow("entries") << "<state id='a'>" + times(100'000, "<onentry/><!-- -->")
            + "</state>";
    QTest::newRow("text") << QByteArray(8'000'000, 'x');
    QTest::newRow("deep foreign elements")
        << "<x xmlns='urn:x'>" + times(200'000, "<y>") + times(200'000, "</y>") + "</x>";
}

void TestScxml::hugeFiles()
{
    QFETCH(QByteArray, inside);
    const std::clock_t begun = std::clock(); // of this process, however busy the machine is
    const Result<StatechartsRead> result =
        readScxml(Open.toUtf8() + inside + "</scxml>", u"huge.scxml"_s);
    if (result)
        QVERIFY(!writeScxml(result->charts).bytes.isEmpty());
    const double seconds = double(std::clock() - begun) / CLOCKS_PER_SEC;
    QVERIFY2(seconds < 20, qPrintable(QString::number(seconds)));
}

const instar::TestClass<TestScxml> registered;
#include "tst_scxml.moc"
