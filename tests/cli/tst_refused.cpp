// SPDX-License-Identifier: Apache-2.0
// Bad usage and unreadable input of every command: exit 2, one line on stderr, nothing printed and
// nothing written.

#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRefused : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase();
    void usage_data();
    void usage();
    void inputs_data();
    void inputs();
};

namespace {

const QByteArray DoorPuml = "@startuml door\n[*] --> closed\nclosed --> opened : open\n@enduml\n";

void addRow(const QString &typed, const QString &says)
{
    QTest::newRow(qPrintable(typed.isEmpty() ? u"nothing"_s : typed)) << typed << says;
}

} // namespace

void TestRefused::initTestCase()
{
    const QString shipped = QStringLiteral(INSTAR_SOURCE_DIR "/resources/");
    const auto copy = [&](const QString &from, const QString &to) {
        QVERIFY(QFile::copy(shipped + from, path(to)));
    };
    copy(u"scenarios/network-controller/oracle-01.scenario.json"_s, u"good.json"_s);
    copy(u"scenarios/network-controller-sync/figure-6-put.scenario.json"_s, u"sync.json"_s);
    copy(u"lessons/network-controller/10-siblings.md"_s, u"lesson.md"_s);
    QVERIFY(QFile::copy(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/packs/print-job.json"),
        path(u"print-job.json"_s)));
    written(u"empty"_s, {});
    written(u"text"_s, "hello\n");
    written(u"door.puml"_s, DoorPuml);
    written(u"two.puml"_s, DoorPuml + QByteArray(DoorPuml).replace("door", "gate"));
    written(u"lamps.puml"_s,
        "@startuml\n[*] --> Off\n@enduml\n@startuml lamps\n[*] --> On\n@enduml\n@startuml\n"
        "[*] --> Dim\n@enduml\n");
    written(u"broken.scxml"_s, "<scxml xmlns='http://www.w3.org/2005/07/scxml'>\n<state>");
    written(u"nothing.puml"_s, "hello\n");
    written(u"gone.dot"_s, "{}");
    written(u"broken.json"_s, "{\n\"swagger\": }");
    written(u"none.json"_s, "{}");
    written(u"idle.json"_s, R"({"openapi": "3.0.0"})");
}

void TestRefused::usage_data()
{
    addColumns<QString, QString>("typed", "says");
    addRow(u""_s, u"expected a command (packs, check, run, explore"_s);
    addRow(u"rum"_s, u"did you mean \"run\"?"_s);
    addRow(u"--versoin"_s, u"did you mean \"--version\"?"_s);
    addRow(u"packs x"_s, u"x"_s);
    addRow(u"check network-controler"_s, u"did you mean \"network-controller\"?"_s);
    addRow(u"run"_s, u"SCENARIO is required"_s);
    addRow(u"run good.json --foo"_s, u"there is no option \"--foo\""_s);
    addRow(u"run good.json one two"_s, u"unexpected argument: \"one\", \"two\""_s);
    addRow(u"run good.json --fromat json"_s, u"\"--fromat\"; did you mean \"--format\"?"_s);
    addRow(u"run --untill=7"_s, u"there is no option \"--untill\"; did you mean \"--until\"?"_s);
    addRow(u"run good.json --format jsn"_s,
        u"there is no choice \"jsn\"; did you mean \"json\"? (text, json, junit)"_s);
    addRow(u"run good.json --until soon"_s, u"soon"_s);
    addRow(u"run good.json --until -1"_s, u"-1"_s);
    addRow(u"run good.json --until 99999999999999999999"_s, u"--until"_s);
    addRow(u"run network-controller"_s, u"expected a scenario file"_s);
    addRow(u"explore good.json --format junit"_s, u"junit"_s);
    addRow(u"explore good.json --by operation"_s, u"did you mean \"operations\"?"_s);
    addRow(u"explore good.json --max-worlds 0"_s, u"--max-worlds"_s);

    addRow(u"convert door.puml"_s, u"OUT is required"_s);
    addRow(u"convert dor.puml x.scxml"_s, u"dor.puml: there is no such file"_s);
    addRow(u"convert text x.scxml"_s, u"the suffix names no format to read"_s);
    addRow(u"convert door.puml x.txt"_s, u"name one with --to"_s);
    addRow(u"convert blazar o --to mermiad"_s, u"did you mean \"mermaid\"?"_s);
    addRow(u"trace blazar --from scxlm"_s, u"did you mean \"scxml\"?"_s);
    addRow(u"convert nofile o.odd"_s, u"\"nofile\" is neither a built-in pack"_s);
    addRow(u"convert broken.scxml x.puml"_s, u"broken.scxml:2: expected well-formed XML"_s);
    addRow(u"convert nothing.puml x.scxml"_s, u"nothing.puml"_s);
    for (const QString &to : { u"x.scxml"_s, u"x.mmd"_s })
        addRow(u"convert two.puml "_s + to,
            u"there are 2 machines (door, gate); choose one with --machine"_s);
    addRow(u"convert lamps.puml x.scxml"_s,
        u"there are 3 machines (lamps-2, lamps, lamps-3); choose one with --machine"_s);
    addRow(u"trace blazar"_s, u"choose one with --machine"_s);
    addRow(u"trace two.puml --machine gatte"_s, u"did you mean \"gate\"?"_s);
    addRow(u"convert door.puml no/where/x.scxml"_s, u"cannot be written"_s);
    addRow(u"convert door.puml x.scenario.json"_s, u"first convert to .pack.json"_s);
    addRow(u"convert blazar x.pack.json --machine lease"_s, u"omit --machine"_s);
    for (const QString &typed :
        { u"check %1"_s, u"render %1 x.svg"_s, u"trace %1"_s, u"convert %1 x.svg"_s })
        addRow(typed.arg(u"gone.dot"_s), u"use PlantUML, SCXML or Mermaid"_s);

    addRow(u"render door.puml"_s, u"OUT is required"_s);
    addRow(u"render nofile o.svg"_s, u"\"nofile\" is neither a built-in pack"_s);
    addRow(u"render door.puml x.bmp"_s, u"--to"_s);
    addRow(
        u"render blazar o --to pgn"_s, u"\"pgn\"; did you mean \"png\"? (svg, png, pdf, html)"_s);
    addRow(u"render blazar x.svg --machine leese"_s, u"did you mean \"lease\"?"_s);
    addRow(u"render blazar x.svg --theme drak"_s, u"did you mean \"dark\"?"_s);
    addRow(u"render door.puml no/such/x.svg"_s, u"cannot be written"_s);
    addRow(u"render blazar x.html"_s, u"only a run can be written as html"_s);
    addRow(u"render lesson.md x.apng"_s, u".html"_s);

    addRow(u"diff"_s, u"A is required"_s);
    addRow(u"diff blazar"_s, u"B is required"_s);
    addRow(u"diff blazar blazer"_s, u"did you mean \"blazar\"?"_s);
    addRow(u"diff blazar aps --switch-a relationship=code"_s,
        u"blazar: there is no switch \"relationship\"; did you mean \"relationships\"?"_s);
    addRow(u"diff blazar aps --switch-b relationships=code"_s,
        u"aps: there is no switch \"relationships\""_s);
    addRow(u"diff blazar blazar --switch-b relationships=coed"_s, u"did you mean \"code\"?"_s);
    addRow(u"diff blazar blazar --switch-b relationships"_s, u"expected NAME=VALUE"_s);

    addRow(u"serve"_s, u"PACK is required"_s);
    addRow(u"serve netwrk"_s, u"did you mean \"network-controller\"?"_s);
    addRow(u"serve print-job.json"_s, u"wire"_s);
    addRow(u"serve good.json --tree good.json"_s, u"--tree"_s);
    addRow(u"serve good.json --tree none"_s, u"--tree"_s);
    const QString serve = u"serve network-controller "_s;
    addRow(serve + u"--port 70000"_s, u"--port"_s);
    addRow(serve + u"--listen localhost?"_s, u"IP address"_s);
    addRow(serve + u"--listen 0.0.0.0"_s, u"token"_s);
    addRow(serve + u"--token-file none"_s, u"none: "_s);
    addRow(serve + u"--token-file empty"_s, u"empty: "_s);
    addRow(serve + u"--cert text"_s, u"--key"_s);
    addRow(serve + u"--cert text --key text"_s, u"certificate"_s);
    addRow(serve + u"--speed 0"_s, u"--speed"_s);
    addRow(serve + u"--tree sync.json"_s, u"network-controller-sync"_s);
    addRow(serve + u"--tree none"_s, u"none"_s);
    addRow(serve + u"--proxy nowhere"_s, u"nowhere"_s);
    for (const QString &own : { u"--speed 2"_s, u"--token-file t"_s, u"--listen 0.0.0.0"_s })
        addRow(serve + u"--proxy http://127.0.0.1:1 "_s + own, {});

    addRow(serve + u"--max-body 2"_s, u" was removed: omit the option"_s);
    addRow(u"rules blazar"_s, u"rules was removed: use the program instar"_s);
    addRow(u"run s --max-time 1"_s, u"--max-time was removed: use timeout -s INT"_s);
    addRow(u"judge h --next x"_s, u"--next was removed: use --coverage"_s);

    const QString drive = u"drive http://127.0.0.1:1 --pack network-controller "_s;
    addRow(u"drive http://127.0.0.1:1 good.json"_s, u"--pack"_s);
    addRow(u"drive http://127.0.0.1:1 --pack nobody good.json"_s, u"nobody"_s);
    addRow(
        u"drive nonsense --pack network-controller good.json"_s, u"is not the URL of a server"_s);
    addRow(u"drive http://me:secret@127.0.0.1:1 --pack network-controller good.json"_s,
        u"without user and password"_s);
    addRow(drive, u"SCENARIO"_s);
    addRow(drive + u"none.scenario.json"_s, u"none.scenario.json"_s);
    for (const char *gone : { "--keystone", "--token-url", "--client-id", "--scope", "--user" })
        addRow(drive + u"good.json "_s + QString::fromLatin1(gone) + u" x"_s,
            u" was removed: use --token-command"_s);
    addRow(drive + u"good.json --token-file none"_s, u"none"_s);
    addRow(drive + u"good.json --token-file text --token-command x"_s,
        u"expected one of --token-file"_s);
    addRow(drive + u"good.json --token-command \" \""_s, u"command"_s);
    addRow(drive + u"good.json --history /nowhere/h"_s, u"/nowhere/h: cannot be written"_s);
    addRow(drive + u"good.json --timeout -1"_s, u"--timeout"_s);
    addRow(drive + u"good.json --tolerance -1"_s, u"--tolerance"_s);
    addRow(drive + u"good.json --ca text"_s, u"PEM"_s);

    addRow(u"import nofile.yaml -o x.json"_s, u"nofile.yaml"_s);
    addRow(u"import broken.json -o x.json"_s, u"broken.json:2:12: expected a value"_s);
    addRow(u"import none.json -o x.json"_s, u"none.json:1: expected an OpenAPI 3"_s);
    addRow(u"import idle.json -o x.json"_s, u"idle.json:1: the description has no operations"_s);
}

void TestRefused::usage()
{
    QFETCH(QString, typed);
    QFETCH(QString, says);
    const QStringList before = QDir(m_folder.path()).entryList();
    compareRefused(ranAlone(QProcess::splitCommand(typed), m_folder.path()), says);
    QCOMPARE(QDir(m_folder.path()).entryList(), before);
}

void TestRefused::inputs_data()
{
    // bytes: empty: the file of that name
    addColumns<QByteArray, QString, QString>("bytes", "name", "says");
    const auto row = [](const char *name, const QByteArray &bytes, const QString &says) {
        QTest::newRow(name) << bytes << u"bad.json"_s << says;
    };
    row("100 MB of brackets", QByteArray(100'000'000, '['), u"512 levels"_s);
    row("100 MB of objects", QByteArray("{\"a\":").repeated(20'000'000), u"512 levels"_s);
    row("a string without an end", '"' + QByteArray(50'000'000, 'a'), u"bad.json:1:"_s);
    row("not UTF-8", "{\"pack\": \"\xff\xfe\"}", u"UTF-8"_s);
    row("UTF-16", QByteArray("\xff\xfe{\0}\0", 6), u"UTF-8"_s);
    row("zeroes", QByteArray(1000, '\0'), u"bad.json:1:1"_s);
    row("line feeds in a name", R"({"pack": "a\nb\u001b[31mc"})", u"neither a built-in pack"_s);
    for (const auto &[name, says] : std::initializer_list<std::pair<const char *, const char *>> {
             { "nowhere.json", "nowhere.json" }, { ".", "directory" },
             { "/dev/null", "the end of the file" }, { "/dev/zero", "larger" }, { "", "empty" } })
        QTest::addRow("file \"%s\"", name)
            << QByteArray() << QString::fromLatin1(name) << QString::fromLatin1(says);
}

void TestRefused::inputs()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, name);
    QFETCH(QString, says);
    if (!bytes.isEmpty())
        written(name, bytes);
    for (const QString &command : { u"run"_s, u"explore"_s, u"check"_s }) {
        const Ended ended = ranAlone({ command, name }, m_folder.path());
        if (command != u"check"
            || ended.exit != 1) // JSON, but no scenario: every diagnostic is told
            compareRefused(ended, says);
    }
    QFile::remove(path(u"bad.json"_s));
}

const instar::TestClass<TestRefused> registered;
#include "tst_refused.moc"
