// SPDX-License-Identifier: Apache-2.0
// The console program as a process: what it prints where, and how it ends.

#include "model/json/library.h"
#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <unistd.h>

using namespace instar;
using namespace Qt::StringLiterals;

class TestCli : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase();
    void rows_data();
    void rows();
    void errorsInThePack();
    void helps();
    void serveHelpSaysEverything();
    void packs();
    void runJson();
    void exploreJson();
    void checkedPacks();
    void junitIsXml();
    void manySteps();
    void fullDisk();
    void anyLocale();
};

namespace {

QString scenario(const QString &name)
{
    return QStringLiteral(INSTAR_SOURCE_DIR "/resources/scenarios/") + name + u".scenario.json"_s;
}

QJsonObject objectOf(const QString &text)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8(), &error);
    if (error.error != QJsonParseError::NoError)
        qWarning("%s", qPrintable(error.errorString()));
    return document.object();
}

QStringList sorted(QStringList list)
{
    list.sort();
    return list;
}

} // namespace

void TestCli::initTestCase()
{
    QVERIFY2(QFile::exists(qEnvironmentVariable("INSTAR_CLI")), "INSTAR_CLI names the program");
}

/// Folders: what is typed, the exit code, and what the output must contain, line by line.
void TestCli::rows_data()
{
    QTest::addColumn<QString>("folder");
    const QDir all(QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/cli"));
    const QStringList names = all.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QVERIFY(names.size() >= 40);
    for (const QString &name : names)
        QTest::newRow(qPrintable(name)) << all.filePath(name);
}

void TestCli::rows()
{
    QFETCH(QString, folder);
    const Result<QByteArray> expected = fileBytes(folder + u"/expected.txt"_s);
    QVERIFY2(expected, expected ? "" : qPrintable(expected.error()));
    QStringList lines = QString::fromUtf8(*expected).split(u'\n', Qt::SkipEmptyParts);
    const QStringList arguments = lines.takeFirst().split(u' ');
    const int exit = lines.takeFirst().toInt();
    const Ended ended = ranAlone(arguments, folder);
    if (exit == 2)
        compareRefused(ended, {});
    else
        QCOMPARE(ended.err, QString());
    QCOMPARE(ended.exit, exit);
    const QString said = ended.out + ended.err;
    for (const QString &line : std::as_const(lines))
        QVERIFY2(said.contains(line), qPrintable(u"expected \"%1\" in:\n%2"_s.arg(line, said)));
    if (lines.isEmpty())
        QCOMPARE(said, QString());
}

/// What check() finds wrong in the pack is said by everybody who uses it.
void TestCli::errorsInThePack()
{
    const QByteArray pack =
        R"({"id": "lamps", "sources": {}, "types": {"lamps": {"machine": "lamp"}},
 "machines": {"lamp": {"rest": "dark",
  "states": {"absent": {"kind": "initial"}, "dark": {}, "lit": {}, "nowhere": {}},
  "transitions": [
   {"from": "absent", "on": "make", "to": "dark"},
   {"from": "dark", "on": "press", "to": "lit"}, {"from": "lit", "on": "press", "to": "dark"}
  ]}}})";
    written(u"lamps.json"_s, pack);
    const QString file = written(u"a.scenario.json"_s,
        R"({"pack": "lamps.json", "steps": [{"at": 0, "op": "make", "path": "/lamps/a"}]})");
    const QString error = u"lamps.json:3: error: /machines/lamp/states/nowhere: "_s;
    for (const QString &command : { u"run"_s, u"explore"_s }) {
        const Ended ended = ranAlone({ command, file, u"--format"_s, u"json"_s });
        QCOMPARE(ended.exit, 1);
        QVERIFY2(ended.err.contains(error), qPrintable(ended.err));
        QVERIFY2(!objectOf(ended.out).isEmpty(), qPrintable(ended.out));
    }
    const Ended checked = ranAlone({ u"check"_s, file });
    QCOMPARE(checked.exit, 1);
    QVERIFY2(checked.out.contains(error), qPrintable(checked.out));

    QByteArray corrected = pack;
    corrected.replace(R"(, "nowhere": {})", "");
    written(u"lamps.json"_s, corrected);
    const Ended good = ranAlone({ u"run"_s, file });
    QCOMPARE(good.err, QString());
    QCOMPARE(good.exit, 0);
    QCOMPARE(ranAlone({ u"check"_s, file }).exit, 0);
}

void TestCli::helps()
{
    for (const auto &[typed, says] :
        { std::pair(u"--version"_s, u"instar-cli "_s), std::pair(u"--help"_s, u"explore"_s),
            std::pair(u"explore --help"_s, u"--max-memory"_s) }) {
        const Ended ended = ranAlone(typed.split(u' '));
        QCOMPARE(ended.err, QString());
        QCOMPARE(ended.exit, 0);
        QVERIFY2(ended.out.contains(says), qPrintable(ended.out));
    }
}

/// Every option has a meaning and a default. The example at the end is valid.
void TestCli::serveHelpSaysEverything()
{
    const QString help = ranAlone({ u"serve"_s, u"--help"_s }).out;
    QMap<QString, QString> options; // name -> the rest of its line and what follows
    QString name;
    for (const QString &line :
        help.section(u"Options:"_s, 1).section(u"Example:"_s, 0, 0).split(u'\n')) {
        if (line.startsWith(u"  --"_s) || line.startsWith(u"  -h"_s))
            name = line.trimmed().section(u' ', 0, 0);
        if (!name.isEmpty())
            options[name] += u' ' + line.trimmed();
    }
    options.remove(u"-h,--help"_s);
    QVERIFY2(options.size() >= 14, qPrintable(help));
    static const QRegularExpression usual(
        u"[\\]}]=\\S"_s);                               // behind a range, or words to choose from
    const QStringList needed { u"--key"_s, u"--ca"_s }; // only beside others
    for (const auto &[option, said] : options.asKeyValueRange()) {
        const QString words = said.simplified();
        QVERIFY2(words.size() > option.size() + 25, qPrintable(words));
        QVERIFY2(needed.contains(option) || words.contains(u"default"_s) || words.contains(usual),
            qPrintable(words));
    }
    // What is shown as an example is understood.
    const QString example = help.section(u"  instar-cli "_s, -1).trimmed();
    QVERIFY2(example.startsWith(u"serve "_s), qPrintable(help));
    const Ended tried = ranAlone(example.split(u' ') + QStringList(u"--help"_s));
    QCOMPARE(tried.exit, 0);
    const Ended wrong = ranAlone(example.split(u' ') + QStringList(u"--listen=nowhere"_s));
    compareRefused(wrong, u"--listen expects"_s);
}

void TestCli::packs()
{
    const Ended ended = ranAlone({ u"packs"_s });
    QCOMPARE(ended.exit, 0);
    QCOMPARE(ended.err, QString());
    QStringList ids;
    for (const QString &line : ended.out.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList columns = line.split(u'\t');
        QCOMPARE(columns.size(), 3);
        QVERIFY(!columns[1].isEmpty() && !columns[2].isEmpty());
        ids += columns[0];
    }
    QCOMPARE(ids, builtInPacks());
    QVERIFY(ids.contains(u"network-controller"_s));
}

void TestCli::runJson()
{
    const Ended ended = ranAlone(
        { u"run"_s, scenario(u"network-controller/conflict-409"_s), u"--format"_s, u"json"_s });
    QCOMPARE(ended.exit, 0);
    QCOMPARE(ended.err, QString());
    const QJsonObject answer = objectOf(ended.out);
    QCOMPARE(answer.keys(),
        sorted({ u"pack"_s, u"time"_s, u"quiescent"_s, u"resources"_s, u"operations"_s,
            u"records"_s, u"expectations"_s, u"violations"_s }));
    QCOMPARE(answer[u"pack"].toString(), u"network-controller"_s);
    QCOMPARE(answer[u"quiescent"].toBool(), true);
    QCOMPARE(answer[u"resources"][0].toObject().keys(),
        sorted({ u"path"_s, u"type"_s, u"state"_s, u"etag"_s }));
    QCOMPARE(answer[u"resources"][1].toObject()[u"type"].toString(), u"logicalNetworks/subnets"_s);
    const QJsonObject refused = answer[u"operations"][1].toObject();
    for (const char *key : { "id", "op", "path", "client", "status", "submitted", "attempts",
             "error", "httpStatus", "rule", "conflictsWith" })
        QVERIFY2(refused.contains(QLatin1StringView(key)), key);
    QCOMPARE(refused[u"status"].toString(), u"Rejected"_s);
    QCOMPARE(refused[u"httpStatus"].toInt(), 409);
    QCOMPARE(refused[u"conflictsWith"].toString(), u"a"_s);
    for (const QJsonValue record : answer[u"records"].toArray()) {
        for (const char *key : { "time", "event", "operation", "path", "moved" })
            QVERIFY2(record.toObject().contains(QLatin1StringView(key)), key);
    }
    const QJsonObject early =
        objectOf(ranAlone({ u"run"_s, scenario(u"network-controller/conflict-409"_s), u"--format"_s,
                              u"json"_s, u"--until"_s, u"10"_s })
                     .out);
    QCOMPARE(early[u"time"].toInt(), 10);
    QCOMPARE(early[u"quiescent"].toBool(), false);
    QCOMPARE(early[u"operations"].toArray().size(), 1);
}

void TestCli::exploreJson()
{
    const QStringList command { u"explore"_s, scenario(u"network-controller/put-over-put"_s),
        u"--format"_s, u"json"_s };
    const Ended ended = ranAlone(command);
    QCOMPARE(ended.exit, 0);
    QCOMPARE(ended.err, QString());
    const QJsonObject answer = objectOf(ended.out);
    for (const char *key : { "worlds", "complete", "finalTrees", "outcomeCount", "outcomes",
             "deadEnds", "violations" })
        QVERIFY2(answer.contains(QLatin1StringView(key)), key);
    QCOMPARE(answer[u"complete"].toBool(), true);
    QCOMPARE(answer[u"outcomes"].toArray().size(), answer[u"outcomeCount"].toInt());
    for (const char *key : { "resources", "operations", "trace" })
        QVERIFY2(answer[u"outcomes"][0].toObject().contains(QLatin1StringView(key)), key);

    const QJsonObject byOperations =
        objectOf(ranAlone(command + QStringList { u"--by"_s, u"operations"_s }).out);
    QVERIFY(byOperations[u"outcomeCount"].toInt() >= answer[u"outcomeCount"].toInt());
    const QJsonObject cut = objectOf(ranAlone(command + QStringList { u"--limit"_s, u"0"_s }).out);
    QCOMPARE(cut[u"outcomeCount"], answer[u"outcomeCount"]);
    QCOMPARE(cut[u"outcomes"].toArray().size(), 0);
    const QJsonObject stopped =
        objectOf(ranAlone(command + QStringList { u"--max-worlds"_s, u"2"_s }).out);
    QCOMPARE(stopped[u"complete"].toBool(true), false);
}

void TestCli::checkedPacks()
{
    QCOMPARE(ranAlone({ u"check"_s, u"network-controller"_s }).exit, 0);
    const QString rows = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/check/");
    const Ended wrong = ranAlone({ u"check"_s, u"pack.json"_s }, rows + u"unreachable-state"_s);
    QCOMPARE(wrong.exit, 1);
    QCOMPARE(wrong.err, QString());
    QVERIFY2(wrong.out.startsWith(u"pack.json:"_s)
            && wrong.out.endsWith(u" [unreachable-state]\n"_s)
            && wrong.out.contains(u": error: "_s),
        qPrintable(wrong.out));
    const Ended warned = ranAlone({ u"check"_s, u"pack.json"_s }, rows + u"no-way-out"_s);
    QCOMPARE(warned.exit, 0);
    QVERIFY2(warned.out.contains(u": warning: "_s), qPrintable(warned.out));
    const QByteArray pack = bytesOf(rows + u"no-way-out/pack.json"_s);
    QCOMPARE(ranAlone({ u"check"_s, written(u"p.json"_s, pack.leftJustified(packBytes)) }).exit, 0);
    const Ended large =
        ranAlone({ u"check"_s, written(u"p.json"_s, pack.leftJustified(packBytes + 1)) });
    QVERIFY2(large.err.contains(u"expected a pack of at most 16 MB"_s), qPrintable(large.err));
}

void TestCli::junitIsXml()
{
    const QString odd = written(u"<a & \"b\">.json"_s,
        R"({"pack": "network-controller", "resources": [], "steps": [
        {"at": 0, "expect": {"resources": {"/logicalNetworks/<&\u0001\">": "Updating"}}}, {"at": 1, "expect": {"violations": 0}}]})");
    const Ended ended = ranAlone({ u"run"_s, odd, u"--format"_s, u"junit"_s });
    QCOMPARE(ended.exit, 1);
    QCOMPARE(elementsOf(ended.out.toUtf8()),
        QStringList(
            { u"testsuites"_s, u"testsuite"_s, u"testcase"_s, u"failure"_s, u"testcase"_s }));
}

void TestCli::manySteps()
{
    QByteArray text =
        R"({"pack": "network-controller", "resources": [{"path": "/logicalNetworks/a"}], "steps": [)";
    for (int i = 0; i < 3000; ++i)
        text += R"({"at": )" + QByteArray::number(i)
            + R"(, "op": "PUT", "path": "/logicalNetworks/a", "duration": 0},)"
              "\n";
    for (int i = 0; i < 200'000; ++i)
        text += R"({"at": 3000, "expect": {"resources": {"/logicalNetworks/a": "Succeeded"}}},)"
                "\n";
    text += R"({"at": 3000, "expect": {"operations": {"op3000": "Succeeded"}}}]})";
    const QString file = written(u"many.scenario.json"_s, text);
    const Ended ended = ranAlone({ u"run"_s, file }, {}, 120'000);
    QCOMPARE(ended.err, QString());
    QCOMPARE(ended.exit, 0);
    QVERIFY2(ended.out.contains(u"200001 of 200001 expectations came true"_s),
        qPrintable(ended.out.right(300)));
}

void TestCli::fullDisk()
{
    if (!QFile::exists(u"/dev/full"_s))
        QSKIP("there is no /dev/full");
    QProcess process;
    process.setStandardOutputFile(u"/dev/full"_s);
    process.start(qEnvironmentVariable("INSTAR_CLI"), { u"packs"_s }, QIODevice::ReadOnly);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 2);
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()),
        u"instar-cli: cannot write to the standard output\n"_s);
}

/// Names are read and numbers printed the same everywhere.
void TestCli::anyLocale()
{
    QByteArray resources = R"({"path": "/logicalNetworks/a", "state": "Succeeded"})";
    for (int i = 0; i < 1500; ++i)
        resources += R"(, {"path": "/logicalNetworks/a/subnets/s)" + QByteArray::number(i)
            + R"(", "state": "Succeeded"})";
    const QString file = written(u"größe.json"_s,
        R"({"pack": "network-controller", "resources": [)" + resources
            + R"(], "steps": [{"op": "PUT", "path": "/logicalNetworks/a"}]})");
    for (const QString &locale :
        { u"C"_s, u"C.UTF-8"_s, u"nonsense"_s, u"de_DE.UTF-8"_s, u"hi_IN.UTF-8"_s }) {
        const Ended ended = ranAlone({ u"run"_s, file }, {}, 60'000, locale);
        QCOMPARE(ended.err, QString());
        QVERIFY2(ended.out.contains(u" 1501 resources moved"), qPrintable(ended.out.left(300)));
    }
}

const instar::TestClass<TestCli> registered;
#include "tst_cli.moc"
