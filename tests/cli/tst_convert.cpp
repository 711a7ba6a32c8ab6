// SPDX-License-Identifier: Apache-2.0
// `trace`, `convert`, and `check` of machine files, as a process.

#include "model/json/library.h"
#include "model/statecharts/machinefile.h"
#include "tests/cli/served.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestConvert : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase();
    void traces_data();
    void traces();
    void everyWay_data()
    {
        addRowsOf("from", { u"door.puml"_s, u"door.scxml"_s, u"door.machine.json"_s });
    }
    void everyWay();
    void lossesAreTold();
    void keepsWhatWasThere();
    void standardOutput();
    void checks_data();
    void checks();

private:
    Ended ran(const QStringList &arguments) { return ranAlone(arguments, m_folder.path()); }
};

namespace {

const QByteArray DoorPuml = R"(@startuml door
[*] --> closed
closed --> opening : open
opening --> opened
opened --> closed : close [free] / ring
opened --> [*] : break
@enduml
)";

const QByteArray DoorScxml = R"(<scxml xmlns='http://www.w3.org/2005/07/scxml' name='door'>
<state id='closed'><transition event='open' cond='key' target='p'/></state>
<parallel id='p'><state id='a'/><state id='b'><state id='b1'><transition event='x' target='b2'/></state>
<state id='b2'/></state><transition event='close' target='closed'/></parallel>
<statt id='typo'/>
</scxml>
)";

const QByteArray DoorMachine = R"({
 "rest": "closed",
 "states": {"absent": {"kind": "initial"}, "closed": {}, "opening": {"kind": "transitional"}, "opened": {}},
 "transitions": [
  {"from": "absent", "on": "build", "to": "closed"},
  {"from": "closed", "on": "open", "to": "opening"},
  {"from": "opening", "on": "succeeded", "to": "opened"},
  {"from": "opening", "on": "failed", "to": "closed"},
  {"from": "opened", "on": "close", "to": "closed"},
  {"from": ["closed", "opened"], "on": "demolish", "to": "absent"}
 ]
}
)";

} // namespace

void TestConvert::initTestCase()
{
    QVERIFY2(QFile::exists(qEnvironmentVariable("INSTAR_CLI")), "INSTAR_CLI names the program");
    written(u"door.puml"_s, DoorPuml);
    written(u"door.scxml"_s, DoorScxml);
    written(u"door.machine.json"_s, DoorMachine);
    written(u"door.txt"_s, DoorScxml);
    written(u"two.puml"_s, DoorPuml + QByteArray(DoorPuml).replace("door", "gate"));
    written(u"broken.scxml"_s, "<scxml xmlns='http://www.w3.org/2005/07/scxml'>\n<state>");
    written(u"busy.scxml"_s,
        "<scxml xmlns='http://www.w3.org/2005/07/scxml'>\n<state id='a'><onentry><raise "
        "event='g'/></onentry>\n"
        "<transition event='g' target='b'><log label='x'/></transition></state>\n<state "
        "id='b'><onexit><log label='y'/></onexit></state></scxml>");
    written(u"lamps.puml"_s,
        "@startuml\n[*] --> Off\n@enduml\n@startuml lamps\n[*] --> On\n@enduml\n"
        "@startuml\n[*] --> Dim\nstate c <<choice>>\nDim --> c : turn / click\nc --> On : power\n"
        "c --> Off : else\n@enduml\n");
    written(u"endless.scxml"_s,
        "<scxml xmlns='http://www.w3.org/2005/07/scxml'><state id='a'><transition "
        "target='b'/></state><state id='b'><transition target='a'/></state></scxml>");
}

void TestConvert::traces_data()
{
    const Rows<QStringList, QStringList, QString> add("arguments", "lines", "says");
    const auto row = [&](const char *name, const QStringList &arguments, const QStringList &lines,
                         const QString &says = {}) { add(name, arguments, lines, says); };
    row("PlantUML", { u"door.puml"_s, u"--events"_s, u"open,close,break"_s },
        { u"null closed"_s, u"open opened"_s, u"close opened"_s, u"break final"_s });
    row("a condition",
        { u"door.puml"_s, u"--events"_s, u"open, close"_s, u"--conditions"_s, u"free,!other"_s },
        { u"null closed"_s, u"open opened"_s, u"close closed"_s },
        u"door.puml:1: warning: no transition has the condition \"other\" as a guard"_s);
    row("regions",
        { u"door.scxml"_s, u"--events"_s, u"open,x,close,nothing"_s, u"--conditions"_s, u"key"_s },
        { u"null closed"_s, u"open a+b1"_s, u"x a+b2"_s, u"close closed"_s, u"nothing closed"_s },
        u"door.scxml:5: warning: the element <statt> is left out"_s);
    row("one machine",
        { u"door.machine.json"_s, u"--events"_s, u"build,open,succeeded,demolish,build"_s },
        { u"null absent"_s, u"build closed"_s, u"open opening"_s, u"succeeded opened"_s,
            u"demolish absent"_s, u"build closed"_s });
    row("one of two", { u"two.puml"_s, u"--machine"_s, u"gate"_s, u"--events"_s, u"open"_s },
        { u"null closed"_s, u"open opened"_s });
    row("the first without name", { u"lamps.puml"_s, u"--machine"_s, u"lamps-2"_s },
        { u"null Off"_s });
    row("one with a name", { u"lamps.puml"_s, u"--machine"_s, u"lamps"_s }, { u"null On"_s });
    row("what is executed, and what is not", { u"busy.scxml"_s, u"--events"_s, u"g"_s },
        { u"null b"_s, u"g b"_s },
        u"busy.scxml:3: warning: <content> of the arrow from \"a\" to \"b\" on \"g\" is not executed, except for events sent to the chart itself\nbusy.scxml:4: warning: <onexit> of \"b\" is not executed, except for events sent to the chart itself\n"_s);
    row("events that nothing waits for", { u"door.puml"_s, u"--events"_s, u"opn,open,opn"_s },
        { u"null closed"_s, u"opn closed"_s, u"open opened"_s, u"opn opened"_s },
        u"door.puml:1: warning: no arrow waits for the event \"opn\"; did you mean \"open\"?\n"_s);
    row("no events", { u"door.puml"_s }, { u"null closed"_s });
    row("another name", { u"door.txt"_s, u"--from"_s, u"scxml"_s }, { u"null closed"_s },
        u"door.txt:5: warning: the element <statt> is left out"_s);
}

void TestConvert::traces()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Ended ended = ran(QStringList { u"trace"_s } + arguments);
    QVERIFY2(ended.exit == 0, qPrintable(ended.err));
    if (says.isEmpty())
        QCOMPARE(ended.err, QString());
    QVERIFY2(!ended.err.contains(u"<onentry>"), qPrintable(ended.err));
    QVERIFY2(ended.err.contains(says), qPrintable(ended.err));
    QStringList told;
    for (const QString &line : ended.out.split(u'\n', Qt::SkipEmptyParts)) {
        const QJsonObject object = QJsonDocument::fromJson(line.toUtf8()).object();
        QCOMPARE(object.keys(), QStringList({ u"configuration"_s, u"event"_s }));
        const QString event = object[u"event"].isNull() ? u"null"_s : object[u"event"].toString();
        told += event + u' ' + object[u"configuration"].toVariant().toStringList().join(u'+');
    }
    QTEST(told, "lines");
}

/// To each format, and from there to a pack that check() and run take.
void TestConvert::everyWay()
{
    QFETCH(QString, from);
    QStringList suffixes { u".pack.json"_s, u".machine.json"_s };
    for (const StatechartFormat &format : statechartFormats()) {
        if (format.write)
            suffixes += format.suffixes.first();
    }
    for (const QString &suffix : std::as_const(suffixes)) {
        const QString to = u"made"_s + suffix;
        const Ended ended = ran({ u"convert"_s, from, to });
        const StatechartFormat *format = statechartFormat(to);
        const bool hasRegions = from == u"door.scxml"; // only statecharts can hold these
        if (hasRegions && !format) {
            QCOMPARE(ended.exit, 2);
            QVERIFY2(ended.err.contains(u"a pack cannot express the regions of \"p\" (line 3)"_s),
                qPrintable(ended.err));
            continue;
        }
        QVERIFY2(ended.exit == 0, qPrintable(suffix + ended.err));
        QCOMPARE(ended.out, QString());
        if (format && !format->read)
            continue;
        const Ended checked = ran({ u"check"_s, to });
        QVERIFY2(checked.exit == 0, qPrintable(suffix + checked.out + checked.err));
        QVERIFY2(!checked.out.contains(u": error: "), qPrintable(checked.out));
        if (hasRegions)
            continue;

        const Ended packed = ran({ u"convert"_s, to, u"again.pack.json"_s });
        QVERIFY2(packed.exit == 0, qPrintable(suffix + packed.err));
        const Ended scenario =
            ran({ u"convert"_s, u"again.pack.json"_s, u"again.scenario.json"_s });
        QVERIFY2(scenario.exit == 0, qPrintable(suffix + scenario.err));
        const Ended run = ran({ u"run"_s, u"again.scenario.json"_s, u"--format"_s, u"json"_s });
        QVERIFY2(run.exit == 0, qPrintable(suffix + run.err));
        // A machine's dot is where nothing is; as a chart, that is where it begins.
        const bool isChart = from == u"door.machine.json" && format;
        const QString expected = !isChart                     ? u"closed"_s
            : to.endsWith(u".scxml") || to.endsWith(u".json") ? u"absent"_s
                                                              : u"initial"_s;
        QVERIFY2(run.out.contains(u"\"state\": \"%1\""_s.arg(expected)), qPrintable(to + run.out));
    }
}

/// Every line on stderr names the file, the line where it was read, and what became of it.
void TestConvert::lossesAreTold()
{
    static const QRegularExpression line(u"^network-controller-sync:\\d+: (warning|note): .+$"_s);
    const Ended ended = ran({ u"convert"_s, u"network-controller-sync"_s, u"nc.scxml"_s,
        u"--machine"_s, loadPack(u"network-controller-sync"_s)->machines.first().id });
    QCOMPARE(ended.exit, 0);
    const QStringList lines = ended.err.split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(!lines.isEmpty());
    for (const QString &each : lines)
        QVERIFY2(line.match(each).hasMatch(), qPrintable(each));

    written(u"places.puml"_s,
        "@startuml\nstate A {\nB --> C : x\n--\nD --> E\n}\n\nstate note1\nC --> [H]\n@enduml\n");
    const Ended placed = ran({ u"convert"_s, u"places.puml"_s, u"places.mmd"_s });
    QVERIFY2(placed.exit == 0 && placed.err.contains(u"places.puml:9: "_s)
            && !placed.err.contains(u"places.puml:1: "_s),
        qPrintable(placed.err));
}

void TestConvert::keepsWhatWasThere()
{
    written(u"old.scxml"_s, "as it was");
    QCOMPARE(ran({ u"convert"_s, u"broken.scxml"_s, u"old.scxml"_s }).exit, 2);
    QCOMPARE(bytesOf(path(u"old.scxml"_s)), "as it was");
    const Ended endless = ran({ u"trace"_s, u"endless.scxml"_s });
    QCOMPARE(endless.exit, 2);
    QVERIFY2(endless.err.contains(u"form an endless loop"), qPrintable(endless.err));
}

/// What is no file is written to, not replaced by one.
void TestConvert::standardOutput()
{
    for (const QString &out : { u"-"_s, u"/dev/stdout"_s, u"/dev/null"_s }) {
        const Ended ended = ran({ u"convert"_s, u"door.puml"_s, out, u"--to"_s, u"scxml"_s });
        QVERIFY2(ended.exit == 0, qPrintable(ended.err));
        QVERIFY(out == u"/dev/null"
            || (begins(ended.out, u"<?xml"_s) && has(ended.out, { u"name=\"door\""_s })));
    }
    QVERIFY(!QFileInfo(u"/dev/null"_s).isFile());
}

void TestConvert::checks_data()
{
    const Rows<QString, QByteArray, int, QString> row("file", "bytes", "exit", "says");
    row("a good machine", u"a.machine.json"_s, DoorMachine, 0, {});
    row("a machine's misspelt state", u"a.machine.json"_s,
        QByteArray(DoorMachine).replace("\"to\": \"opened\"", "\"to\": \"opned\""), 1,
        u"a.machine.json:7: error: /transitions/2/to: there is no state \"opned\"; did you mean \"opened\"? [unknown-state]"_s);
    row("a machine's misspelt state beside others'", u"a.machine.json"_s,
        QByteArray(DoorMachine)
            .replace("\"to\": \"opened\"", "\"if\": {\"children\": [\"lit\"]}, \"to\": \"lit\""),
        1, u"a.machine.json:7: error: /transitions/2/to: there is no state \"lit\""_s);
    row("a machine that asks others", u"a.machine.json"_s,
        QByteArray(DoorMachine)
            .replace("\"to\": \"opened\"", "\"if\": {\"children\": [\"lit\"]}, \"to\": \"opened\""),
        0, {});
    row("a machine's misspelt key", u"a.machine.json"_s,
        QByteArray(DoorMachine).replace("\"rest\"", "\"resst\""), 1, u"a.machine.json:"_s);
    row("a chart", u"a.scxml"_s, DoorScxml, 0,
        u"a.scxml:5: warning: the element <statt> is left out: SCXML does not allow it here [not-understood]"_s);
    row("broken", u"a.scxml"_s, "<scxml", 2, u"a.scxml:1: expected well-formed XML"_s);
}

void TestConvert::checks()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, bytes);
    QFETCH(int, exit);
    QFETCH(QString, says);
    written(file, bytes);
    const Ended ended = ran({ u"check"_s, file });
    QVERIFY2(ended.exit == exit, qPrintable(ended.out + ended.err));
    QVERIFY2((ended.out + ended.err).contains(says), qPrintable(ended.out + ended.err));
    if (says.isEmpty())
        QCOMPARE(ended.out, QString());
}

const instar::TestClass<TestConvert> registered;
#include "tst_convert.moc"
