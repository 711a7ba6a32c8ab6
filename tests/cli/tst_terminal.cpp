// SPDX-License-Identifier: Apache-2.0
// What comes from elsewhere commands no terminal, and waits for nobody.

#include "model/foreigntext.h"
#include "tests/cli/served.h"
#include "tests/support/testclass.h"
#include "tests/support/trap.h"

#include <QJsonArray>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestTerminal : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void namesAreSpelledOut_data();
    void namesAreSpelledOut();
    void convertedIsSpelledOut_data();
    void convertedIsSpelledOut();
    void driven();
    void pipes();
    void pipesOfOthers();
};

namespace {

/// Sets the clipboard, is red, and reads backwards.
const QString hostile = u"a\u001b]52;c;aGk=\u0007\u009b31m\u202eb\u0085"_s;

QByteArray scenarioText()
{
    const QJsonObject resource { { u"path"_s, u"/logicalNetworks/"_s + hostile } };
    const QJsonObject step { { u"at"_s, 0 }, { u"op"_s, u"PUT"_s },
        { u"path"_s, u"/logicalNetworks/"_s + hostile }, { u"id"_s, hostile },
        { u"client"_s, hostile } };
    const QJsonObject expect { { u"at"_s, 100 },
        { u"expect"_s,
            QJsonObject { { u"operations"_s, QJsonObject { { hostile, u"Failed"_s } } } } } };
    return QJsonDocument(QJsonObject { { u"pack"_s, u"network-controller"_s },
                             { u"x-about"_s, hostile }, { u"resources"_s, QJsonArray { resource } },
                             { u"steps"_s, QJsonArray { step, expect } } })
        .toJson();
}

/// The smallest pack that is one, called so everywhere.
QByteArray packText(const QString &title)
{
    const QString shipped =
        QStringLiteral(INSTAR_SOURCE_DIR "/resources/packs/network-controller.json");
    QJsonObject pack = QJsonDocument::fromJson(bytesOf(shipped)).object();
    for (const QString &key : { u"title"_s, u"origin"_s, u"about"_s })
        pack[key] = title;
    return QJsonDocument(pack).toJson();
}

} // namespace

void TestTerminal::namesAreSpelledOut_data()
{
    QTest::addColumn<QStringList>("arguments");
    const QString scenario = written(u"hostile.scenario.json"_s, scenarioText());
    const QString pack = written(u"hostile.pack.json"_s, packText(hostile));
    const QString other = written(u"other.pack.json"_s, packText(u"other"_s));
    const QString broken = written(u"broken.json"_s,
        "{\"pack\": \"network-controller\", \""
            + hostile.toUtf8().replace('\x1b', "\\u001b").replace('\x07', "\\u0007")
            + "\": 1, \"steps\": []}");
    const auto row = [](const QStringList &arguments) {
        QTest::newRow(qPrintable(arguments.join(u' ').section(u'/', 0, 0) + arguments.last()))
            << arguments;
    };
    for (const QString &format : { u"text"_s, u"json"_s, u"junit"_s })
        row({ u"run"_s, scenario, u"--format"_s, format });
    for (const QString &format : { u"text"_s, u"json"_s })
        row({ u"explore"_s, scenario, u"--format"_s, format });
    for (const QString &format : { u"text"_s, u"json"_s })
        row({ u"diff"_s, pack, other, u"--max-worlds"_s, u"0"_s, u"--format"_s, format });
    row({ u"check"_s, broken });
    row({ u"run"_s, broken });
    row({ u"check"_s, path(hostile) });
    row({ u"run"_s, scenario, u"--"_s + hostile });
    for (const QString &format : { u"svg"_s, u"html"_s })
        row({ u"render"_s, scenario, u"-"_s, u"--to"_s, format });
}

void TestTerminal::namesAreSpelledOut()
{
    QFETCH(QStringList, arguments);
    const Done done = ran(cli(), arguments);
    QVERIFY(done.exit >= 0);
    QVERIFY(!done.out.isEmpty() || !done.error.isEmpty());
    QCOMPARE(done.out, visible(done.out));
    QCOMPARE(done.error, visible(done.error));
    if (!arguments.contains(u"junit"_s)) // XML knows no such character at all
        QVERIFY2((done.out + done.error).contains("u001b"), done.out.left(1000).constData());
    if (arguments.contains(u"json"_s) && arguments.first() == u"run"_s)
        QCOMPARE(
            QJsonDocument::fromJson(done.out)[u"operations"_s][0][u"id"_s].toString(), hostile);
}

void TestTerminal::convertedIsSpelledOut_data()
{
    const Rows<QString, QByteArray> row("suffix", "holds");
    row("SCXML", u"scxml"_s, "A&#8238;B");
    row("PlantUML", u"puml"_s, "A\\u202eB");
    row("Mermaid", u"mmd"_s, "A\\u202eB");
    row("DOT", u"dot"_s, "A\\\\u202eB");
    row("machine", u"machine.json"_s, "A\\u202eB");
    row("SVG", u"svg"_s, "A\\u202eB");
}

/// A statechart whose name reads backwards, in every notation that it can be written in.
void TestTerminal::convertedIsSpelledOut()
{
    QFETCH(QString, suffix);
    QFETCH(QByteArray, holds);
    const QString chart = written(u"in.scxml"_s,
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"A&#x202e;B\" "
        "initial=\"s\"><state id=\"s\"><transition event=\"A&#x202e;B\" target=\"t\"/></state>"
        "<state id=\"t\"/></scxml>");
    const QString out = path(u"out."_s + suffix);
    const QString command = suffix == u"svg" ? u"render"_s : u"convert"_s;
    const Done done = ran(cli(), { command, chart, out });
    QVERIFY2(done.exit == 0, done.error.constData());
    const QByteArray bytes = bytesOf(out);
    QCOMPARE(bytes, visible(bytes));
    QVERIFY2(bytes.contains(holds), bytes.constData());
}

void TestTerminal::driven()
{
    const Served served({ u"network-controller"_s });
    QVERIFY(!served.origin.isEmpty());
    for (const QString &format : { u"text"_s, u"json"_s }) {
        const Done done = ran(cli(),
            { u"drive"_s, served.origin, written(u"driven.scenario.json"_s, scenarioText()),
                u"--pack"_s, u"network-controller"_s, u"--format"_s, format });
        QVERIFY2((done.out + done.error).contains("u001b"), done.out.left(1000).constData());
        QCOMPARE(done.out, visible(done.out));
        QCOMPARE(done.error, visible(done.error));
    }
}

/// A pipe that the command line names is read.
void TestTerminal::pipes()
{
    const QString file = QStringLiteral(
        INSTAR_SOURCE_DIR "/resources/scenarios/network-controller/put-over-put.scenario.json");
    const Done whole = ran(cli(), { u"run"_s, file });
    QCOMPARE(whole.exit, 0);
    for (const QString &words :
        { u"cat \"$1\" | \"$0\" run /dev/stdin"_s, u"\"$0\" run <(cat \"$1\")"_s }) {
        const Done done = ran(u"bash"_s, { u"-c"_s, words, cli(), file });
        QVERIFY2(done.exit == 0, done.error.constData());
        QCOMPARE(done.out, whole.out);
    }
}

/// One that a file names is not.
void TestTerminal::pipesOfOthers()
{
    const Trap trap;
    const QString scenario = written(
        u"s.scenario.json"_s, "{\"pack\": \"" + trap.path().toUtf8() + "\", \"steps\": []}");
    const Done done = ran(cli(), { u"run"_s, scenario });
    QCOMPARE(done.exit, 2);
    QVERIFY2(done.error.contains("expected a file, found a pipe"), done.error.constData());
    QVERIFY(!trap.isSprung());
}

const instar::TestClass<TestTerminal> registered;
#include "tst_terminal.moc"
