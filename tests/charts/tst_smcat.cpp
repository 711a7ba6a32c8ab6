// SPDX-License-Identifier: Apache-2.0
// What state-machine-cat draws: what is read, compared with what it reads itself.
#include "model/charts/smcat/smcat.h"
#include "tests/support/chartfiles.h"
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

StatechartsRead readText(const QByteArray &text)
{
    return readCharts(*statechartFormat(u"smcat"_s), text);
}

QString kindWord(Vertex::Kind kind)
{
    static const QStringList words { u"state"_s, u"parallel"_s, u"initial"_s, u"final"_s,
        u"history"_s, u"deephistory"_s, u"choice"_s, u"fork"_s, u"join"_s, u"entry"_s, u"exit"_s };
    return words[int(kind)];
}

/// "state a in b", and "a -> b: event [condition] / action".
QStringList facts(const Statechart &chart)
{
    QStringList result;
    for (const Vertex &vertex : chart.vertices)
        result += u"%1 %2 in %3"_s.arg(kindWord(vertex.kind), vertex.id, vertex.parent);
    for (const Arc &arc : chart.arcs)
        result += u"%1 -> %2: %3|%4|%5"_s.arg(
            arc.from, arc.to.join(u'+'), arc.event, arc.condition, arc.action);
    result.sort();
    return result;
}

void gather(const QJsonObject &machine, const QString &parent, QStringList &result)
{
    static const QMap<QString, QString> words { { u"regular"_s, u"state"_s },
        { u"terminate"_s, u"final"_s }, { u"junction"_s, u"choice"_s },
        { u"forkjoin"_s, u"choice"_s } };
    const QJsonArray states = machine.value("states"_L1).toArray();
    for (const QJsonValue each : states) {
        const QJsonObject state = each.toObject();
        const QString type = state.value("type"_L1).toString();
        const QString name = state.value("name"_L1).toString();
        result += u"%1 %2 in %3"_s.arg(words.value(type, type), name, parent);
        gather(state.value("statemachine"_L1).toObject(), name, result);
    }
    const QJsonArray arcs = machine.value("transitions"_L1).toArray();
    for (const QJsonValue each : arcs) {
        const QJsonObject arc = each.toObject();
        const auto text = [&](QLatin1StringView key) {
            return arc.value(key).toString().simplified();
        };
        result += u"%1 -> %2: %3|%4|%5"_s.arg(
            text("from"_L1), text("to"_L1), text("event"_L1), text("cond"_L1), text("action"_L1));
    }
}

const QList<QByteArray> &samples()
{
    static const QList<QByteArray> all { "a;", "a, b; a => b;", "a => b: go;",
        "initial, on, off, final;\ninitial => on;\non => off: flip [is set]/ click;\noff -> final;",
        "# note\na: entry/ x\n exit/ y;\n", "a { b, c; b => c: in; }, d;\na => d: out;\nd => b;",
        "p.parallel { r1 { a => b; }, r2 { c => d; }; };",
        "^x, ]f; a => ^x; ^x => b: [yes]; ^x => ]f: [no];\n]f=>c; ]f=>d; c=>]j; d=>]j; ]j=>e;",
        "\"with blanks\" [label=\"shown\" color=\"red\"], b; \"with blanks\" -> b: \"a;b\";",
        "a [type=choice], h [type=deephistory], t [type=terminate]; a >> h; a :> t;",
        "a <- b: back; b <= c; c == d; d -- e;",
        "a => b: [only]; a => c: / act; a => d: e / f / g;", "a { initial => a1; }; a => a: self;",
        "/* x */ a // y\n, b; a => b;", "a => b: e [up/down] / f;",
        "a { p; p => c: e; }, b { c; };", "a => b [type=internal width=2 color=\"#f00\"]: e;" };
    return all;
}

} // namespace

class TestSmcat : public QObject
{
    Q_OBJECT

private slots:
    void states();
    void arrows();
    void namedBeforeItIsDeclared();
    void remarks_data() const;
    void remarks();
    void mistakes();
    void asSmcatReadsIt();
    void isQuick();
};

void TestSmcat::states()
{
    const StatechartsRead read = readText("# first\n# second\non [label=\"Switched on\" "
                                          "color=red]: entry/ light\n  exit/dark\n  hums,\n"
                                          "off;\non => off: flip;");
    QCOMPARE(texts(read.remarks), QStringList());
    const Statechart &chart = read.charts.first();
    const Vertex &on = *chart.vertex(u"on"_s);
    QCOMPARE(on.label, u"Switched on"_s);
    QCOMPARE(on.description, QStringList({ u"entry / light"_s, u"exit / dark"_s, u"hums"_s }));
    QCOMPARE(on.look.stroke, u"red"_s);
    QCOMPARE(chart.notes.size(), 1);
    QCOMPARE(chart.notes.first().of, u"on"_s);
    QCOMPARE(chart.notes.first().lines, QStringList({ u"first"_s, u"second"_s }));
    QCOMPARE(on.line, 3);
}

void TestSmcat::arrows()
{
    const StatechartsRead read =
        readText("a => b: e [c]/ x;\nb <- c: \"two\\nlines\";\na => a [type=internal]: i;"
                 "\nd => d: on [up/down] / h;");
    const QList<Arc> &arcs = read.charts.first().arcs;
    QCOMPARE(arcs.size(), 4);
    QCOMPARE(arcs[0].event + u'|' + arcs[0].condition + u'|' + arcs[0].action, u"e|c|x"_s);
    QVERIFY(arcs[1].isInternal);
    QCOMPARE(arcs[2].from, u"c"_s);
    QCOMPARE(arcs[2].text(), u"two\nlines"_s);
    QCOMPARE(arcs[3].event + u'|' + arcs[3].condition + u'|' + arcs[3].action, u"on|up/down|h"_s);
}

/// A state is where it is declared, wherever an arrow has named it before.
void TestSmcat::namedBeforeItIsDeclared()
{
    const StatechartsRead read = readText("x => b: e;\na { b, c { x; }; };");
    QCOMPARE(texts(read.remarks), QStringList());
    const Statechart &chart = read.charts.first();
    QStringList parents;
    for (const Vertex &vertex : chart.vertices)
        parents += vertex.id + u" in "_s + vertex.parent;
    parents.sort();
    QCOMPARE(parents, QStringList({ u"a in "_s, u"b in a"_s, u"c in a"_s, u"x in c"_s }));
}

void TestSmcat::remarks_data() const
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("remark");
    QTest::newRow("unknown type") << QByteArray("a,\nb [type=round];")
                                  << u"2!: there is no type \"round\" of states; it is left out"_s;
    QTest::newRow("out of a final state")
        << QByteArray("a => final;\nfinal => a;")
        << u"2!: nothing leaves the final state \"final\"; the arrow is left out"_s;
    QTest::newRow("no end of a body") << QByteArray("a {\nb;") << u"2!: \"a\" has no \"}\""_s;
    QTest::newRow("an end of nothing") << QByteArray("a;\n}") << u"2!: \"}\" closes nothing"_s;
    QTest::newRow("no target") << QByteArray("b;\na => ;")
                               << u"2!: not understood and left out: ;"_s;
}

void TestSmcat::remarks()
{
    QFETCH(QByteArray, text);
    const QStringList all = texts(readText(text).remarks);
    QCOMPARE(all.size(), 1);
    QTEST(all.first(), "remark");
}

void TestSmcat::mistakes()
{
    for (const QByteArray &text :
        { QByteArray(), QByteArray("   \n"), QByteArray("// only this") }) {
        const Result<StatechartsRead> read = readSmcat(text, u"x.smcat"_s);
        QVERIFY(!read);
        QVERIFY2(
            read.error().startsWith(u"x.smcat: found no state machine"), qPrintable(read.error()));
    }
}

/// The parser of the package says the same of the same texts.
void TestSmcat::asSmcatReadsIt()
{
    const QString npm = QStandardPaths::findExecutable(u"npm"_s);
    const QString node = QStandardPaths::findExecutable(u"node"_s);
    if (npm.isEmpty() || node.isEmpty())
        QSKIP("npm or node is not installed");
    QTemporaryDir folder;
    for (const QString &name : { u"package.json"_s, u"read.mjs"_s })
        QVERIFY(QFile::copy(sources + u"/tests/data/smcat-js/"_s + name, folder.filePath(name)));
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(npm, { u"install"_s, u"--no-audit"_s, u"--no-fund"_s, u"--prefer-offline"_s });
    if (!process.waitForFinished(200'000) || process.exitCode() != 0)
        QSKIP("npm cannot install state-machine-cat");
    QJsonArray questions;
    for (const QByteArray &text : samples())
        questions.append(QString::fromUtf8(text));
    process.start(node, { u"read.mjs"_s });
    process.write(QJsonDocument(questions).toJson());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(60'000));
    const QJsonArray answers = QJsonDocument::fromJson(process.readAllStandardOutput()).array();
    QCOMPARE(answers.size(), samples().size());
    for (qsizetype i = 0; i < answers.size(); ++i) {
        QStringList theirs;
        gather(answers[i].toObject(), {}, theirs);
        theirs.sort();
        QVERIFY2(!theirs.isEmpty(), samples()[i].constData());
        const QStringList ours = facts(readText(samples()[i]).charts.first());
        QVERIFY2(ours == theirs,
            qPrintable(u"%1\nsmcat:\n%2\nours:\n%3"_s.arg(
                QString::fromUtf8(samples()[i]), theirs.join(u'\n'), ours.join(u'\n'))));
    }
}

/// It ends at all, and well in the time of a test.
void TestSmcat::isQuick()
{
    for (const QByteArray &piece : { QByteArray("a {"), QByteArray("a, "),
             QByteArray("a => b: e;\n"), QByteArray("# x\n"), QByteArray("}"), QByteArray("[["),
             QByteArray("\""), QByteArray("/*"), QByteArray("a [") })
        (void)readSmcat(piece.repeated(20'000), u"big"_s);
}

const instar::TestClass<TestSmcat> registered;
#include "tst_smcat.moc"
