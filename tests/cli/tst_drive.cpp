// SPDX-License-Identifier: Apache-2.0
// `instar-cli drive` against `instar-cli serve`: two processes, in real time.

#include "tests/cli/served.h"
#include "tests/remote/lonenetwork.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <memory>

using namespace instar;
using namespace Qt::StringLiterals;

class TestDrive : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void drives();
    void text();
    void failures();
    void tolerance_data();
    void tolerance();
    void resourcesAreMade();
    void statesAreMade_data();
    void statesAreMade();
    void sameAsRun_data();
    void sameAsRun();
    void token();
    void unreachable();
    void goneWhileDriven();
    void notPossible();
    void usage_data();
    void usage();
    void notDrivable_data();
    void notDrivable();
    void conditionsAreNotDrivable();
    void whatCannotBeAskedForIsNotDrivable();
    void workInOnePiece();
    void workThatIsNotTriedAgain();
    void answersHeldBack();
    void whatTheServerDoesByItself();
    void waitingLooksLikeWork();
    void refusedProbe();
    void retryAfterZero();
    void unknownWord();
    void notJudged();
    void endUnknown_data();
    void endUnknown();
    void secrets_data();
    void secrets();
    void historyGrows();
    void unknownIsNotAbsent_data();
    void unknownIsNotAbsent();
    void absentIsMade();
    void thereWithoutList();
    void oneListIsForbidden();
    void dryRun();
    void requestIds();
    void polls();

private:
    QString written(const QString &name, const QByteArray &text) const
    {
        return instar::written(m_folder->filePath(name), text);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

const QString pack = u"network-controller"_s;
const QString scenarios =
    QStringLiteral(INSTAR_SOURCE_DIR "/resources/scenarios/network-controller/");

struct RunEnd
{
    int exit = -1;
    QByteArray out;
    QString err;
};

RunEnd ran(const QStringList &arguments)
{
    const Done done = instar::ran(cli(), arguments, {}, 100'000);
    return { done.exit, done.out, QString::fromUtf8(done.error) };
}

/// Servers of this process go on meanwhile.
RunEnd driven(const QString &url, const QString &scenario, const QStringList &more = {},
    const QMap<QString, QString> &variables = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto it = variables.begin(); it != variables.end(); ++it)
        environment.insert(it.key(), it.value());
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("INSTAR_CLI"),
        QStringList { u"drive"_s, url, u"--pack"_s, pack, scenario } + more, QIODevice::ReadOnly);
    QByteArray out;
    const bool ended = QTest::qWaitFor(
        [&] {
            out += process.readAllStandardOutput();
            return process.state() == QProcess::NotRunning;
        },
        100'000);
    if (!ended)
        process.kill();
    process.waitForFinished();
    out += process.readAllStandardOutput();
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, out,
        QString::fromUtf8(process.readAllStandardError()) };
}

/// A reference controller that asks for no token.
struct OpenServer : Served
{
    explicit OpenServer(const QStringList &more = {}, const QString &of = pack)
        : Served(QStringList { of, u"--no-token"_s } + more)
    { }
};

QJsonObject objectIn(const QByteArray &json)
{
    QJsonParseError error {};
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        qFatal("%s: %s", qPrintable(error.errorString()), json.constData());
    return document.object();
}

/// "a Canceled" for each operation, "/x Succeeded" for each resource, one a line.
QString outcome(const QJsonObject &answer, const QString &below = {})
{
    QStringList lines;
    const QJsonArray operations = answer.value(u"operations"_s).toArray();
    for (const auto &value : operations) {
        const QJsonObject row = value.toObject();
        lines += u"%1 %2 %3 %4 %5"_s.arg(row.value(u"id"_s).toString(),
            row.value(u"status"_s).toString(),
            row.value(u"error"_s).toObject().value(u"code"_s).toString(),
            row.value(u"canceledBy"_s).toString(), row.value(u"conflictsWith"_s).toString());
    }
    QStringList resources;
    const QJsonArray rows = answer.value(u"resources"_s).toArray();
    for (const auto &value : rows) {
        const QJsonObject row = value.toObject();
        if (row.value(u"path"_s).toString().startsWith(below))
            resources +=
                u"%1 %2"_s.arg(row.value(u"path"_s).toString(), row.value(u"state"_s).toString());
    }
    resources.sort();
    return (lines + resources).join(u'\n');
}

const QByteArray collision = R"({
 "pack": "network-controller",
 "resources": [{"path": "/logicalNetworks/own"}, {"path": "/logicalNetworks/own/subnets/sn1/ipPools/p1"}, {"path": "/logicalNetworks/own/subnets/sn2"}, {"path": "/GatewayPools/own"}],
 "steps": [
  {"at": 0, "op": "PUT", "path": "/logicalNetworks/own", "id": "a", "client": "A", "duration": 1000},
  {"at": 200, "op": "DELETE", "path": "/logicalNetworks/own/subnets/sn1", "id": "b", "client": "B", "outcome": "Failed", "duration": 500},
  {"at": 200, "op": "PUT", "path": "/GatewayPools/own", "id": "c", "client": "C"},
  {"at": 300, "expect": {"resources": {"/logicalNetworks/own": "Updating", "/logicalNetworks/own/subnets/sn1": "Deleting", "/logicalNetworks/own/subnets/sn2": "Succeeded"},
                         "operations": {"a": "Canceled", "b": "InProgress", "c": "InProgress"}, "errors": {"a": "Canceled"}}},
  {"at": 400, "op": "PUT", "path": "/logicalNetworks/own/subnets/sn2", "id": "d"},
  {"at": 400, "expect": {"operations": {"d": "Rejected"}, "errors": {"d": "AnotherOperationInProgress"}, "etagsUnchanged": ["/logicalNetworks/own/subnets/sn2"]}},
  {"at": 1500, "expect": {"resources": {"/logicalNetworks/own": "Failed", "/GatewayPools/own": "Succeeded", "/nobody/x": null}, "operations": {"b": "Failed", "c": "Succeeded"}}}
 ]
})";

} // namespace

void TestDrive::drives()
{
    const OpenServer server;
    QByteArray known = collision;
    known.replace(", \"/nobody/x\": null", "");
    const QString history = m_folder->filePath(u"history.ndjson"_s);
    const RunEnd ended = driven(server.origin, written(u"s.scenario.json"_s, known),
        { u"--format"_s, u"json"_s, u"--history"_s, history });
    QCOMPARE(ended.err, QString());
    QVERIFY2(ended.exit == 0, ended.out.constData());
    const QJsonObject answer = objectIn(ended.out);
    QCOMPARE(answer.value(u"expectations"_s).toObject().value(u"passed"_s).toInt(), 3);
    QVERIFY(answer.value(u"quiescent"_s).toBool());
    QCOMPARE(answer[u"verdict"_s][u"verdict"_s].toString(), u"conforms"_s);
    QVERIFY(answer[u"verdict"_s][u"of"_s].toInt() > 50);
    const RunEnd judged = ran({ u"judge"_s, history, u"--pack"_s, pack });
    QCOMPARE(judged.err, QString());
    QVERIFY2(judged.exit == 0, judged.out.constData());
    QVERIFY(judged.out.contains("end c succeeded"));
    QCOMPARE(ran({ u"judge"_s, history }).exit, 2); // exchanges name no pack
    QCOMPARE(outcome(answer, u"/logicalNetworks/own"_s),
        u"a Canceled Canceled b \nb Failed InternalServerError  \nc Succeeded   \nd Rejected "
        u"AnotherOperationInProgress  b\n"
        "/logicalNetworks/own Failed\n/logicalNetworks/own/subnets/sn1 Failed\n/logicalNetworks/own/subnets/sn1/ipPools/p1 Failed\n/logicalNetworks/own/subnets/sn2 Succeeded"_s);
    const QJsonArray bursts = answer.value(u"volleys"_s).toArray();
    QCOMPARE(bursts.size(), 3);
    QCOMPARE(bursts[1].toObject().value(u"requests"_s).toInt(), 2);
    QVERIFY(bursts[1].toObject().value(u"spreadNs"_s).toInteger() > 0);
    QVERIFY(qAbs(bursts[1].toObject().value(u"time"_s).toInt() - 200) < 150);
    const QJsonArray operations = answer.value(u"operations"_s).toArray();
    for (const auto &value : operations) {
        const QJsonObject row = value.toObject();
        const int planned = row.value(u"id"_s).toString() == u"a" ? 0
            : row.value(u"id"_s).toString() == u"d"               ? 400
                                                                  : 200;
        const int since = operations.first().toObject().value(u"submitted"_s).toInt();
        QVERIFY2(
            qAbs(row.value(u"submitted"_s).toInt() - since - planned) < 150, ended.out.constData());
    }

    const QList<QByteArray> lines = bytesOf(history).trimmed().split('\n');
    QCOMPARE(lines.size(), answer.value(u"exchanges"_s).toInt());
    int fired = 0;
    for (const QByteArray &line : lines)
        fired += objectIn(line).value(u"client"_s).toString() == u"C"
            && objectIn(line).value(u"method"_s).toString() == u"PUT";
    QCOMPARE(fired, 1);
}

void TestDrive::text()
{
    const OpenServer server;
    const RunEnd ended = driven(server.origin,
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "duration": 100}, {"at": 0, "op": "DELETE", "path": "/GatewayPools/none", "id": "b"},
        {"at": 500, "expect": {"resources": {"/GatewayPools/x": "Succeeded"}, "operations": {"b": "Succeeded"}}}]})"));
    QCOMPARE(ended.err, QString());
    QCOMPARE(ended.exit, 0);
    for (const char *part : { "a PUT /GatewayPools/x sent, not yet answered", "verdict: conforms: ",
             "1 of 1 expectations came true", "2 requests were sent together and left within " })
        QVERIFY2(ended.out.contains(part), ended.out.constData());
}

void TestDrive::failures()
{
    const OpenServer server;
    const QString file = written(u"s.scenario.json"_s,
        R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "duration": 100},
        {"at": 300, "expect": {"resources": {"/GatewayPools/x": "Failed"}}}, {"at": 300, "expect": {"operations": {"a": "Succeeded"}}}]})");
    const RunEnd ended = driven(server.origin, file, { u"--format"_s, u"junit"_s });
    QCOMPARE(ended.exit, 1);
    QXmlStreamReader xml(ended.out);
    int cases = 0, failed = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        cases += xml.isStartElement() && xml.name() == u"testcase";
        failed += xml.isStartElement() && xml.name() == u"failure";
    }
    QVERIFY2(!xml.hasError(), ended.out.constData());
    QCOMPARE(cases, 2);
    QCOMPARE(failed, 1);
    const QJsonObject answer =
        objectIn(driven(server.origin, file, { u"--format"_s, u"json"_s }).out);
    QCOMPARE(answer[u"expectations"_s][u"failures"_s][0][u"text"_s].toString(),
        u"/GatewayPools/x: expected Failed, found Succeeded"_s);
}

void TestDrive::tolerance_data()
{
    QTest::addColumn<int>("at");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("tolerance");
    QTest::addColumn<int>("exit");
    // The work ends after 1000 ms.
    QTest::newRow("just before") << 999 << u"Updating"_s << QString() << 0;
    QTest::newRow("just then") << 1000 << u"Succeeded"_s << QString() << 0;
    QTest::newRow("too late") << 1500 << u"Updating"_s << u"100"_s << 1;
    QTest::newRow("late, and borne") << 1500 << u"Updating"_s << u"1000"_s << 0;
    QTest::newRow("too early") << 500 << u"Succeeded"_s << u"100"_s << 1;
    QTest::newRow("early, and borne") << 500 << u"Succeeded"_s << u"1000"_s << 0;
    QTest::newRow("exactly") << 500 << u"Updating"_s << u"0"_s << 0;
    QTest::newRow("never") << 500 << u"Failed"_s << u"1000"_s << 1;
}

/// What is expected at a time may have been true a little before, or come a little after.
void TestDrive::tolerance()
{
    QFETCH(const int, at);
    QFETCH(const QString, state);
    QFETCH(const QString, tolerance);
    QFETCH(const int, exit);
    const OpenServer server;
    const QString file = written(u"s.scenario.json"_s,
        u"{\"pack\": \"network-controller\", \"resources\": [{\"path\": \"/GatewayPools/x\"}], "
        u"\"steps\": ["
        "{\"at\": 0, \"op\": \"PUT\", \"path\": \"/GatewayPools/x\", \"id\": \"a\", \"duration\": "
        "1000},"
        "{\"at\": %1, \"expect\": {\"resources\": {\"/GatewayPools/x\": \"%2\"}}}]}"_s.arg(at)
            .arg(state)
            .toUtf8());
    QStringList options { u"--format"_s, u"json"_s };
    if (!tolerance.isEmpty())
        options += { u"--tolerance"_s, tolerance };
    const RunEnd ended = driven(server.origin, file, options);
    QVERIFY2(ended.exit == exit, (ended.out + ended.err.toUtf8()).constData());
    const int used = objectIn(ended.out).value(u"tolerance"_s).toInt(-1);
    if (tolerance.isEmpty())
        QVERIFY2(used >= 100 && used <= 5000, ended.out.constData());
    else
        QCOMPARE(used, tolerance.toInt());
}

void TestDrive::resourcesAreMade()
{
    const OpenServer server;
    const RunEnd ended = driven(server.origin,
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [
        {"path": "/gateways/mine", "references": ["/GatewayPools/mine"], "properties": {"x": 1}}, {"path": "/GatewayPools/mine"},
        {"path": "/logicalNetworks/mine/subnets/a/ipPools/b"}],
        "steps": [{"at": 0, "expect": {"resources": {"/gateways/mine": "Succeeded", "/logicalNetworks/mine": "Succeeded", "/logicalNetworks/mine/subnets/a/ipPools/b": "Succeeded"}}},
                  {"at": 0, "op": "DELETE", "path": "/GatewayPools/mine", "id": "a"}, {"at": 50, "expect": {"errors": {"a": "ResourceInUse"}}}]})"),
        { u"--format"_s, u"json"_s });
    QVERIFY2(ended.exit == 0, (ended.out + ended.err.toUtf8()).constData());
    const QJsonObject answer = objectIn(ended.out);
    QCOMPARE(answer.value(u"operations"_s).toArray().size(), 1); // what made them is not part of it
}

void TestDrive::statesAreMade_data()
{
    QTest::addColumn<QByteArray>("resources");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QString>("problem");
    const QByteArray alone = R"("/GatewayPools/mine": "Failed")";
    QTest::newRow("alone") << QByteArray(R"({"path": "/GatewayPools/mine", "state": "Failed"})")
                           << alone << QString();
    // Whatever is made or asked for last decides what stands above it.
    QTest::newRow("not as its child")
        << QByteArray(
               R"({"path": "/logicalNetworks/p"}, {"path": "/logicalNetworks/p/subnets/c", "state": "Failed"})")
        << QByteArray()
        << u"/logicalNetworks/p cannot be brought to rest together with the others: making them leaves it Failed"_s;
    QTest::newRow("as one of its children")
        << QByteArray(
               R"({"path": "/logicalNetworks/p", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/a", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/b"})")
        << QByteArray(
               R"("/logicalNetworks/p": "Failed", "/logicalNetworks/p/subnets/a": "Failed", "/logicalNetworks/p/subnets/b": "Succeeded")")
        << QString();
    QTest::newRow("together with all below")
        << QByteArray(
               R"({"path": "/logicalNetworks/p", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/a", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/b", "state": "Failed"})")
        << QByteArray(
               R"("/logicalNetworks/p": "Failed", "/logicalNetworks/p/subnets/a": "Failed", "/logicalNetworks/p/subnets/b": "Failed")")
        << QString();
}

/// All of them at once: making one may move another that was made before.
void TestDrive::statesAreMade()
{
    QFETCH(const QByteArray, resources);
    QFETCH(const QByteArray, expected);
    QFETCH(const QString, problem);
    const OpenServer server;
    const RunEnd ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [)" + resources + R"(],
        "steps": [{"at": 0, "expect": {"resources": {)"
                + expected + "}}}]}"));
    QVERIFY2(
        ended.exit == (problem.isEmpty() ? 0 : 1), (ended.out + ended.err.toUtf8()).constData());
    QVERIFY2(ended.err.contains(problem), qPrintable(ended.err));
    QCOMPARE(ended.out.isEmpty(), !problem.isEmpty());
}

void TestDrive::sameAsRun_data()
{
    QTest::addColumn<QString>("file");
    for (const char *name : { "delete-of-nothing", "oracle-07", "oracle-15", "orphans-restored",
             "preconditions", "singleton" })
        QTest::newRow(name) << scenarios + QString::fromLatin1(name) + u".scenario.json"_s;
}

/// What the local engine says of a shipped scenario, and what a server of it does.
void TestDrive::sameAsRun()
{
    QFETCH(const QString, file);
    const RunEnd local = ran({ u"run"_s, file, u"--format"_s, u"json"_s });
    QCOMPARE(local.exit, 0);
    const OpenServer server({ u"--tree"_s, file });
    const RunEnd remote = driven(server.origin, file, { u"--format"_s, u"json"_s });
    QVERIFY2(remote.exit == 0, (remote.out + remote.err.toUtf8()).constData());
    const QJsonObject here = objectIn(local.out), there = objectIn(remote.out);
    QCOMPARE(outcome(there), outcome(here));
    QCOMPARE(there.value(u"expectations"_s), here.value(u"expectations"_s));
}

void TestDrive::token()
{
    const QString right = written(u"right"_s, "secret-token\n"),
                  wrong = written(u"wrong"_s, "other\n");
    const OpenServer server({ u"--token-file"_s, right });
    const QString file = written(
        u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [], "steps": []})");
    const QString history = m_folder->filePath(u"h"_s);
    const RunEnd good =
        driven(server.origin, file, { u"--token-file"_s, right, u"--history"_s, history });
    QVERIFY2(good.exit == 0, qPrintable(good.err));
    const QByteArray text = bytesOf(history);
    QVERIFY(text.contains("Authorization") && !text.contains("secret-token"));
    const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther;
    QVERIFY(!(QFile::permissions(history) & others));
    const RunEnd bad = driven(server.origin, file, { u"--token-file"_s, wrong });
    QCOMPARE(bad.exit, 3);
    QCOMPARE(bad.err.count(u'\n'), 1);
    QVERIFY2(bad.err.contains(u"401"_s), qPrintable(bad.err));
    QCOMPARE(bad.out, QByteArray());
}

void TestDrive::unreachable()
{
    OpenServer server;
    server.stopped(SIGKILL);
    const RunEnd ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [], "steps": []})"),
        { u"--format"_s, u"json"_s });
    QCOMPARE(ended.exit, 3);
    QCOMPARE(ended.out, QByteArray());
    QCOMPARE(ended.err.count(u'\n'), 1);
    QVERIFY2(ended.err.contains(u"Connection refused"_s), qPrintable(ended.err));
}

void TestDrive::goneWhileDriven()
{
    OpenServer server;
    const QString file =
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "hang": true}, {"at": 4000, "expect": {"operations": {"a": "InProgress"}}}]})");
    QProcess process;
    const QString history = m_folder->filePath(u"history.ndjson"_s);
    process.start(qEnvironmentVariable("INSTAR_CLI"),
        { u"drive"_s, server.origin, u"--pack"_s, pack, file, u"--history"_s, history },
        QIODevice::ReadOnly);
    const auto isTold = [&] { return bytesOf(history).contains("\"method\": \"PUT\""); }; // at once
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), 60'000);
    server.stopped(SIGKILL);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 3);
    QCOMPARE(process.readAllStandardError().count('\n'), 1);
    QVERIFY(isTold()); // what led to the end is kept
}

/// A resource that no operation can bring where it is to be.
void TestDrive::notPossible()
{
    const OpenServer server;
    const RunEnd ended =
        driven(server.origin, written(u"s.scenario.json"_s, R"({"pack": "network-controller",
        "resources": [{"path": "/gateways/lost", "references": ["/GatewayPools/none"]}], "steps": []})"));
    QCOMPARE(ended.exit, 1);
    QCOMPARE(ended.out, QByteArray());
    QVERIFY(has(ended.err, { u"/gateways/lost cannot be brought to rest"_s }));
}

void TestDrive::usage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const QString url = u"http://127.0.0.1:1"_s;
    const QString good = scenarios + u"oracle-01.scenario.json"_s;
    const auto row = [](const char *name, const QStringList &arguments, const QString &part) {
        QTest::newRow(name) << arguments << part;
    };
    row("no pack", { url, good }, u"--pack"_s);
    row("unknown pack", { url, u"--pack"_s, u"nobody"_s, good }, u"nobody"_s);
    row("no scenario", { url, u"--pack"_s, pack }, u"SCENARIO"_s);
    row("no such scenario", { url, u"--pack"_s, pack, u"/nowhere.scenario.json"_s },
        u"/nowhere.scenario.json"_s);
    row("no url", { u"nonsense"_s, u"--pack"_s, pack, good }, u"is no address of a server"_s);
    row("a user in the URL", { u"http://me:secret@127.0.0.1:1"_s, u"--pack"_s, pack, good },
        u"without a user"_s);
    const auto with = [&](const char *name, const QStringList &options, const QString &part) {
        row(name, QStringList { url, u"--pack"_s, pack, good } + options, part);
    };
    with("no token", { u"--token-file"_s, u"/nowhere"_s }, u"/nowhere"_s);
    with("two credentials", { u"--token-file"_s, good, u"--user"_s, u"me"_s },
        u"expected one of --token-file"_s);
    for (const char *gone : { "--keystone", "--token-url", "--client-id", "--scope", "--project" })
        with(gone, { QString::fromLatin1(gone), u"x"_s }, u" is gone: use --token-command"_s);
    with("an empty command", { u"--token-command"_s, u" "_s }, u"command"_s);
    with("no password", { u"--user"_s, u"me"_s }, u"--password-file"_s);
    with("no user", { u"--password-file"_s, good }, u"--user"_s);
    with(
        "history nowhere", { u"--history"_s, u"/nowhere/h"_s }, u"/nowhere/h: cannot be written"_s);
    with("timeout", { u"--timeout"_s, u"-1"_s }, u"--timeout"_s);
    with("tolerance", { u"--tolerance"_s, u"-1"_s }, u"--tolerance"_s);
    with("bad authorities", { u"--ca"_s, good }, u"PEM"_s);
}

void TestDrive::usage()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, part);
    const RunEnd ended = ran(QStringList { u"drive"_s } + arguments);
    QCOMPARE(ended.exit, 2);
    QCOMPARE(ended.out, QByteArray());
    QCOMPARE(ended.err.count(u'\n'), 1);
    QVERIFY2(ended.err.contains(part), qPrintable(ended.err));
}

void TestDrive::notDrivable_data()
{
    QTest::addColumn<QByteArray>("step");
    QTest::addColumn<QString>("problem");
    QTest::newRow("an end") << QByteArray(R"({"at": 100, "end": "a", "outcome": "Succeeded"})")
                            << u"the step ends operation a by hand"_s;
    const auto put = [](const QByteArray &more) {
        return R"({"at": 1, "op": "PUT", "path": "/GatewayPools/x", )" + more + "}";
    };
    QTest::newRow("a name of the server's")
        << QByteArray(R"({"at": 1, "op": "PUT", "path": "/GatewayPools/{n}", "id": "n"})")
        << u"no server makes up a name in place of {n}: PUT is asked for by the path"_s;
    QTest::newRow("requests") << put(R"("requests": {"/GatewayPools/y": {"properties": {"x": 1}}})")
                              << u"\"requests\""_s;
    QTest::newRow("work elsewhere")
        << put(R"("work": {"Deleting": {"outcome": "Failed"}})") << u"\"work\""_s;
    QTest::newRow("work twice") << put(
        R"("work": {"Updating": {"outcome": "Failed"}, "Deleting": {"duration": 5}})")
                                << u"\"work\""_s;
    QTest::newRow("work of another operation")
        << put(R"("work": {"PUT /GatewayPools/y": {"outcome": "Failed"}})") << u"\"work\""_s;
}

/// What no server can be asked for is not left out silently.
void TestDrive::notDrivable()
{
    QFETCH(const QByteArray, step);
    QFETCH(const QString, problem);
    const QString file = written(u"s.scenario.json"_s,
        R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "hang": true},
        )" + step
            + "]}");
    const RunEnd ended = driven(u"http://127.0.0.1:1"_s, file);
    QCOMPARE(ended.exit, 2);
    QCOMPARE(ended.err.count(u'\n'), 1);
    QVERIFY2(ended.err.contains(u"s.scenario.json:3: "_s + problem), qPrintable(ended.err));
    QVERIFY2(ended.err.contains(u"leave it out, or use run"_s), qPrintable(ended.err));
}

/// A condition that the pack leaves open is the server's to decide; one that no pack knows is an
/// error for drive as for everybody.
void TestDrive::conditionsAreNotDrivable()
{
    const auto problem = [this](const QString &system, const QByteArray &condition) {
        const QString file = written(u"c.scenario.json"_s,
            "{\"pack\": \"" + system.toUtf8()
                + R"(", "resources": [{"path": "/leases/l"}], "steps": [
        {"at": 0, "op": "update_lease", "path": "/leases/l", "conditions": {")"
                + condition + R"(": true}}]})");
        const RunEnd ended =
            ran({ u"drive"_s, u"http://127.0.0.1:1"_s, u"--pack"_s, system, file });
        return u"%1 %2"_s.arg(ended.exit).arg(ended.err.section(u"c.scenario.json:"_s, 1));
    };
    QCOMPARE(problem(u"blazar"_s, "changes dates"), // no date of it is known
        u"2 2: \"conditions\" says that \"changes dates\" is true, and the body would say otherwise; leave it out, or use run\n"_s);
    const QString unknown = problem(u"blazar"_s, "changes date");
    QVERIFY(begins(unknown, u"2 2: "_s)
        && has(unknown, { u"\"changes date\""_s, u"\"changes dates\""_s }));
}

void TestDrive::whatCannotBeAskedForIsNotDrivable()
{
    const QString file = written(u"s.scenario.json"_s,
        R"({"pack": "blazar", "resources": [{"path": "/leases/l"}, {"path": "/leases/l/events/end_lease"}], "steps": [
        {"at": 0, "op": "delete_lease", "path": "/leases/l"},
        {"at": 0, "op": "fire", "path": "/leases/l/events/end_lease"}]})");
    const RunEnd ended =
        ran({ u"drive"_s, u"http://127.0.0.1:1"_s, u"--pack"_s, u"blazar"_s, file });
    QCOMPARE(ended.exit, 2);
    QVERIFY2(ended.err.endsWith(u"s.scenario.json:3: the pack blazar has no HTTP request for fire; "
                                u"leave it out, or use run\n"_s),
        qPrintable(ended.err));
}

/// It is planned as the operation's own.
void TestDrive::workInOnePiece()
{
    const OpenServer server;
    const RunEnd ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}, {"path": "/GatewayPools/y"}, {"path": "/GatewayPools/z"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "work": {"Updating": {"outcome": "Failed", "duration": 200}}},
        {"at": 0, "op": "PUT", "path": "/GatewayPools/y", "id": "b", "work": {"Updating": {"outcome": ["retried", "retried", "Failed"], "duration": 100}}},
        {"at": 0, "op": "DELETE", "path": "/GatewayPools/z", "id": "c", "duration": 100, "work": {"Deleting": {"hang": true}}},
        {"at": 3500, "expect": {"resources": {"/GatewayPools/x": "Failed", "/GatewayPools/y": "Failed", "/GatewayPools/z": "Deleting"}}}]})"),
        { u"--format"_s, u"json"_s });
    QVERIFY2(ended.exit == 0, (ended.out + ended.err.toUtf8()).constData());
    QCOMPARE(outcome(objectIn(ended.out), u"/nothing"_s),
        u"a Failed InternalServerError  \nb Failed InternalServerError  \nc InProgress   "_s);
}

/// It may be told to end as what would be tried again elsewhere: nothing takes that here.
void TestDrive::workThatIsNotTriedAgain()
{
    const QString file = QStringLiteral(
        INSTAR_SOURCE_DIR "/resources/scenarios/aps/switch-async-configure.scenario.json");
    const OpenServer server({}, file);
    const RunEnd ended = ran({ u"drive"_s, server.origin, u"--pack"_s, u"aps"_s, file });
    QVERIFY2(ended.exit == 0, (ended.out + ended.err.toUtf8()).constData());
}

/// A server that answers when the work has ended says nothing of it before; what it shows is looked
/// at all the same.
void TestDrive::answersHeldBack()
{
    const OpenServer server({}, u"aps"_s);
    const auto ends = [&](const QByteArray &name, const QByteArray &expected) {
        QByteArray text = R"({"pack": "aps", "resources": [{"path": "/resources/NAME"}], "steps": [
            {"at": 0, "op": "unprovision", "path": "/resources/NAME", "id": "a", "duration": 2500},
            {"at": 1000, "expect": EXPECTED},
            {"at": 3500, "expect": {"operations": {"a": "Succeeded"}}}]})";
        text.replace("NAME", name).replace("EXPECTED", expected);
        return ran({ u"drive"_s, server.origin, u"--pack"_s, u"aps"_s,
            written(QString::fromUtf8(name) + u".scenario.json"_s, text) });
    };
    const QString unseen =
        u"1000 ms: whether operation a is at work was not looked at: its request had no answer yet"_s;
    const RunEnd fine = ends("one",
        R"({"operations": {"a": "InProgress"}, "resources": {"/resources/one": "aps:unprovisioning"}})");
    QVERIFY2(fine.exit == 0, (fine.out + fine.err.toUtf8()).constData());
    QVERIFY2((QString::fromUtf8(fine.out) + fine.err).contains(unseen), fine.out.constData());
    const RunEnd wrong = ends("two",
        R"({"operations": {"a": "InProgress"}, "resources": {"/resources/two": "aps:ready"}})");
    QCOMPARE(wrong.exit, 1);
    QVERIFY2((QString::fromUtf8(wrong.out) + wrong.err)
                 .contains(u"expected aps:ready, found aps:unprovisioning"_s),
        wrong.out.constData());
    const RunEnd early = ends("three", R"({"operations": {"a": "Succeeded"}})");
    QCOMPARE(early.exit, 1);
}

/// No client sees what the server asks for by itself, and what was broken before is nobody's doing.
void TestDrive::whatTheServerDoesByItself()
{
    const auto deleted = [&](const QByteArray &expected) {
        const QString file = written(u"s.scenario.json"_s,
            R"({"pack": "blazar", "resources": [
            {"path": "/leases/l", "state": "ACTIVE"}, {"path": "/leases/l/reservations/r", "state": "active"},
            {"path": "/leases/l/events/start_lease", "state": "UNDONE", "properties": {"time": 3600000}},
            {"path": "/leases/l/events/end_lease", "properties": {"time": 7200000}}], "steps": [
            {"at": 0, "op": "delete_lease", "path": "/leases/l", "id": "a"},
            {"at": 1000, "expect": )"
                + expected + "}]}");
        const OpenServer server({}, file);
        return ran({ u"drive"_s, server.origin, u"--pack"_s, u"blazar"_s, file });
    };
    const RunEnd fine = deleted(
        R"({"operations": {"a": "Succeeded", "a.1": "InProgress"}, "errors": {"a.2": "InUse"}, "violations": 0})");
    QVERIFY2(fine.exit == 0, (fine.out + fine.err.toUtf8()).constData());
    QVERIFY2(fine.out.contains("breaks a rule"), fine.out.constData()); // in the beginning
    for (const char *inner : { "a.1", "a.2" })
        QVERIFY2(fine.out.contains("1000 ms: operation "_ba + inner
                     + " was not looked at: the server asks for it by itself\n"),
            fine.out.constData());
    const RunEnd broken = deleted(R"({"violations": 1})");
    QCOMPARE(broken.exit, 1);
    QVERIFY2(broken.out.contains("violations: expected 1, found 0"), broken.out.constData());
}

/// Where a server says of what waits only that it has not ended.
void TestDrive::waitingLooksLikeWork()
{
    const QString things = written(u"things.pack.json"_s,
        R"({"id": "things", "types": {"things": {"machine": "m"}},
      "machines": {"m": {"rest": "there", "states": {"absent": {"kind": "initial"}, "there": {},
        "busy": {"kind": "transitional", "work": ["attempt"]}}, "transitions": [
          {"from": ["absent", "there"], "on": "put", "to": "busy"},
          {"from": "busy", "on": "succeeded", "to": "there"},
          {"from": "busy", "on": "failed", "to": "there"}]}},
      "conflicts": [{"at": ["self"], "then": "wait"}],
      "wire": {"base": "/v1", "requests": [
          {"ask": "put", "method": "PUT", "path": "{base}/things/{t}", "of": "/things/{t}"},
          {"ask": "resource", "method": "GET", "path": "{base}/things/{t}", "of": "/things/{t}"},
          {"ask": "collection", "method": "GET", "path": "{base}/things", "of": "/things"},
          {"ask": "operation", "method": "GET", "path": "{base}/operations/{operation}"}],
        "answers": [
          {"to": "put", "at": "started", "code": 202, "headers": {"Operation-Location": "{operation url}"}},
          {"to": "operation", "at": ["running", "succeeded"], "code": 200, "body": "operation"},
          {"to": "resource", "at": "found", "code": 200, "body": "resource"},
          {"to": "collection", "at": "found", "code": 200, "body": "collection"},
          {"code": "{http}"}],
        "documents": {"resource": {"json": {"name": "{name}", "state": "{state}"}},
          "collection": {"json": ["{resources}"]}, "operation": {"json": {"status": "{status}"}}},
        "follow": {"order": ["operation"], "operation": ["Operation-Location"],
          "running": ["InProgress", "Waiting"], "succeeded": ["Succeeded"]}}})");
    const OpenServer server({}, things);
    const auto driven = [&](const QByteArray &name, const QByteArray &expected) {
        QByteArray text =
            R"({"pack": "things.pack.json", "resources": [{"path": "/things/NAME"}], "steps": [
            {"at": 0, "op": "put", "path": "/things/NAME", "id": "a", "duration": 2000},
            {"at": 500, "op": "put", "path": "/things/NAME", "id": "b", "duration": 1000},
            {"at": 1200, "expect": {"operations": {"a": "InProgress", "b": "Waiting"}}},
            {"at": 4000, "expect": {"operations": EXPECTED}}]})";
        text.replace("NAME", name).replace("EXPECTED", expected);
        return ran({ u"drive"_s, server.origin, u"--pack"_s, things,
            written(QString::fromUtf8(name) + u".scenario.json"_s, text) });
    };
    const QByteArray unseen =
        "whether operation b waits was not looked at: of what was accepted only the end is told";
    const RunEnd fine = driven("one", R"({"a": "Succeeded", "b": "Succeeded"})");
    QVERIFY2(fine.exit == 0, (fine.out + fine.err.toUtf8()).constData());
    QVERIFY2(fine.out.contains("1200 ms: " + unseen), fine.out.constData());
    const RunEnd late = driven("two", R"({"a": "Succeeded", "b": "Waiting"})");
    QCOMPARE(late.exit, 1); // it is over
    QVERIFY2(
        late.out.contains("operation b: expected Waiting, found Succeeded"), late.out.constData());
}

namespace {

const QByteArray oneNetwork =
    R"({"pack": "network-controller", "resources": [{"path": "/logicalNetworks/ln"}], "steps": [
  {"at": 0, "op": "PUT", "path": "/logicalNetworks/ln", "id": "a"}%1]})";

QByteArray with(const QByteArray &steps)
{
    return QByteArray(oneNetwork).replace("%1", steps.isEmpty() ? "" : ",\n  " + steps);
}

} // namespace

/// A server that answers 400 to what it does not know is there.
void TestDrive::refusedProbe()
{
    bool running = false;
    const ScriptedServer::Handler network = quickNetwork(&running);
    int probes = 0;
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (!request.target.startsWith("/_instar"))
            return network(request, socket);
        ++probes;
        ScriptedServer::answer(socket, 400, R"({"error": {"code": "InvalidUri"}})");
    });
    const RunEnd ended = driven(server.url().toString(), written(u"s.scenario.json"_s, with({})),
        { u"--format"_s, u"json"_s });
    QCOMPARE(ended.err, QString());
    QCOMPARE(ended.exit, 0);
    QCOMPARE(probes, 1);
    QCOMPARE(outcome(objectIn(ended.out)), u"a Succeeded   \n/logicalNetworks/ln Succeeded"_s);
}

/// A server that wants to be asked at once keeps nobody from looking at its tree.
void TestDrive::retryAfterZero()
{
    const OpenServer server({ u"--retry-after"_s, u"0"_s });
    const RunEnd ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "duration": 3000},
        {"at": 1000, "expect": {"resources": {"/GatewayPools/x": "Updating"}, "operations": {"a": "InProgress"}}},
        {"at": 2000, "expect": {"resources": {"/GatewayPools/x": "Updating"}}},
        {"at": 4500, "expect": {"resources": {"/GatewayPools/x": "Succeeded"}}}]})"),
        { u"--format"_s, u"json"_s });
    QVERIFY2(ended.exit == 0, (ended.out + ended.err.toUtf8()).constData());
}

/// What the pack does not know is neither rest nor anything else that is expected.
void TestDrive::unknownWord()
{
    bool running = false;
    const ScriptedServer::Handler network = loneNetwork(&running);
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 200,
                R"({"value": [{"resourceId": "ln", "properties": {"provisioningState": "Melting"}}]})");
        else
            network(request, socket);
    });
    const QString file = written(u"s.scenario.json"_s,
        R"({"pack": "network-controller", "resources": [{"path": "/logicalNetworks/ln"}], "steps": [
        {"at": 0, "expect": {"resources": {"/logicalNetworks/ln": "Succeeded"}}}]})");
    const RunEnd ended = driven(server.url().toString(), file);
    QCOMPARE(ended.exit, 1);
    QVERIFY2(ended.out.contains("expected Succeeded, found Melting"), ended.out.constData());
    QVERIFY2(ended.out.contains("The server shows a value unknown to the pack network-controller: "
                                "logicalNetworks: Melting."),
        ended.out.constData());
}

/// What was never seen in a state that the pack knows is not called right.
void TestDrive::notJudged()
{
    bool running = false;
    const ScriptedServer::Handler network = quickNetwork(&running);
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.method == "GET" && request.target.contains("/logicalNetworks")) {
            const QByteArray one =
                R"({"resourceId": "ln", "properties": {"provisioningState": "Melting"}})";
            const bool isAll = request.target.endsWith("/logicalNetworks");
            ScriptedServer::answer(socket, 200, isAll ? R"({"value": [)" + one + "]}" : one);
        } else {
            network(request, socket);
        }
    });
    const QString url = server.url().toString(), file = written(u"s.scenario.json"_s, with({}));
    const RunEnd text = driven(url, file);
    QVERIFY2(text.out.endsWith("\nverdict: nothing judged\n/logicalnetworks/ln is not judged: "
                               "what it was before is not known\n"),
        text.out.constData());
    QCOMPARE(text.exit, 5);
    const RunEnd json = driven(url, file, { u"--format"_s, u"json"_s });
    QCOMPARE(objectIn(json.out).value(u"notJudged"_s).toArray(),
        QJsonArray { u"/logicalnetworks/ln"_s });
}

void TestDrive::endUnknown_data()
{
    QTest::addColumn<int>("put"); // what is answered instead of 200; 0: nothing
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("reason");
    QTest::newRow("too long") << 0 << u"json"_s << u"a: It had not ended 1 s after the last step"_s;
    QTest::newRow("too long, for machines")
        << 0 << u"junit"_s << u"a: It had not ended 1 s after the last step"_s;
    QTest::newRow("lost") << 502 << u"text"_s << u"a: A gateway answered"_s;
}

void TestDrive::endUnknown()
{
    QFETCH(const int, put);
    QFETCH(const QString, format);
    QFETCH(const QString, reason);
    bool running = false;
    ScriptedServer server(loneNetwork(
        &running, [](QTcpSocket *) { return false; },
        [put](QTcpSocket *socket) {
            if (put)
                ScriptedServer::answer(socket, put);
            return put != 0;
        }));
    const RunEnd ended = driven(server.url().toString(), written(u"s.scenario.json"_s, with({})),
        { u"--timeout"_s, u"1"_s, u"--format"_s, format });
    QCOMPARE(ended.exit, 1);
    QCOMPARE(ended.err.count(u'\n'), 1);
    QVERIFY(has(ended.err, { u"how an operation ended is not known: "_s + reason }));
    if (format == u"json") {
        const QJsonObject answer = objectIn(ended.out);
        QVERIFY(!answer.value(u"quiescent"_s).toBool());
        QVERIFY(answer.value(u"unknownEnds"_s).toArray().first().toString().startsWith(reason));
    } else if (format == u"junit") {
        QXmlStreamReader xml(ended.out);
        int failures = 0;
        while (!xml.atEnd())
            failures +=
                xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"failure";
        QVERIFY2(!xml.hasError() && failures == 1, ended.out.constData());
    }
}

void TestDrive::secrets_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("variable"); // in which the secret is, too
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("value");
    const QByteArray basic = "Basic " + QByteArray("me:se cret").toBase64();
    const auto row = [](const char *name, const QStringList &options, const QString &variable,
                         const QByteArray &header, const QByteArray &value) {
        QTest::newRow(name) << options << variable << header << value;
    };
    row("a token", { u"--token-file"_s, u"F"_s }, {}, "Authorization", "Bearer se cret");
    row("a token around us", {}, u"INSTAR_TOKEN"_s, "Authorization", "Bearer se cret");
    row("a password", { u"--user"_s, u"me"_s, u"--password-file"_s, u"F"_s }, {}, "Authorization",
        basic);
    row("a password around us", { u"--user"_s, u"me"_s }, u"INSTAR_PASSWORD"_s, "Authorization",
        basic);
    row("a key", { u"--api-key-file"_s, u"F"_s }, {}, "X-Api-Key", "se cret");
    row("a key elsewhere", { u"--api-key-file"_s, u"F"_s, u"--api-key-header"_s, u"X-Odd"_s }, {},
        "X-Odd", "se cret");
    row("a key around us", {}, u"INSTAR_API_KEY"_s, "X-Api-Key", "se cret");
    row("a command", { u"--token-command"_s, u"echo se''cret"_s }, {}, "Authorization",
        "Bearer secret");
}

/// They are sent with everything, and written nowhere.
void TestDrive::secrets()
{
    QFETCH(QStringList, options);
    QFETCH(const QString, variable);
    QFETCH(const QByteArray, header);
    QFETCH(const QByteArray, value);
    options.replaceInStrings(QRegularExpression(u"^F$"_s), written(u"secret"_s, "se cret\n"));
    QMap<QString, QString> variables;
    if (!variable.isEmpty())
        variables.insert(variable, u"se cret"_s);
    bool running = false;
    ScriptedServer server(quickNetwork(&running));
    const QString history = m_folder->filePath(u"h"_s);
    const RunEnd ended = driven(server.url().toString(), written(u"s.scenario.json"_s, with({})),
        options + QStringList { u"--history"_s, history }, variables);
    QVERIFY2(ended.exit == 0, qPrintable(ended.err));
    for (const HttpRequest &request : server.requests)
        QCOMPARE(instar::header(request.headers, header), value);
    const QByteArray text = bytesOf(history);
    QVERIFY(text.contains(header));
    for (const QByteArray &secret :
        { QByteArray("se cret"), QByteArray("secret"), QByteArray("me:se cret").toBase64() }) {
        QVERIFY(!text.contains(secret));
        QVERIFY(!ended.out.contains(secret));
    }
}

/// What has happened is in the file, however the program ends.
void TestDrive::historyGrows()
{
    const OpenServer server;
    const QString history = m_folder->filePath(u"history.ndjson"_s);
    QProcess process;
    process.start(qEnvironmentVariable("INSTAR_CLI"),
        { u"drive"_s, server.origin, u"--pack"_s, pack, u"--history"_s, history,
            written(u"s.scenario.json"_s,
                R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/made"}], "steps": [
                {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "hang": true},
                {"at": 60000, "expect": {"operations": {"a": "InProgress"}}}]})") },
        QIODevice::ReadOnly);
    QVERIFY(process.waitForStarted());
    const auto lines = [&] { return bytesOf(history).split('\n'); };
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::any_of(lines(),
            [](const QByteArray &line) { return line.contains("\"PUT\"") && line.contains("/x"); }),
        30'000);
    process.kill();
    process.waitForFinished();
    QSet<int> numbers; // although the tree was prepared by another controller
    int made = 0;
    for (const QByteArray &line : lines()) {
        if (line.isEmpty())
            continue;
        const QJsonObject exchange = objectIn(line);
        QVERIFY(!numbers.contains(exchange.value(u"number"_s).toInt()));
        numbers.insert(exchange.value(u"number"_s).toInt());
        made += line.contains("\"PUT\"") && line.contains("/made");
    }
    QCOMPARE(made, 1);
}

namespace {

/// A server of the resource "ln", whose reading is answered as a test says, and of no list.
ScriptedServer::Handler unlisted(const std::function<void(QTcpSocket *)> &read, bool *running)
{
    const ScriptedServer::Handler network = quickNetwork(running);
    return [=](const HttpRequest &request, QTcpSocket *socket) {
        if (request.method == "GET" && request.target.endsWith("/logicalNetworks/ln"))
            read(socket);
        else if (request.target.endsWith("/login"))
            ScriptedServer::answer(socket, 404, "<html>Who are you?</html>");
        else if (request.target.endsWith("/logicalNetworks"))
            ScriptedServer::answer(socket, 404);
        else
            network(request, socket);
    };
}

/// "PUT /a" for each request that could change something.
QStringList writes(const ScriptedServer &server)
{
    QStringList found;
    for (const HttpRequest &request : server.requests) {
        if (request.method != "GET")
            found += QString::fromUtf8(request.method + ' ' + request.target);
    }
    return found;
}

} // namespace

void TestDrive::unknownIsNotAbsent_data()
{
    QTest::addColumn<QByteArray>("answer"); // to the reading of the resource, as bytes
    const auto row = [](const char *name, const QByteArray &head, const QByteArray &body = {}) {
        QTest::newRow(name) << "HTTP/1.1 " + head
                + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    };
    row("503", "503 Service Unavailable");
    row("429", "429 Too Many Requests\r\nRetry-After: 0");
    row("403", "403 Forbidden");
    row("500", "500 Internal Server Error");
    row("a page", "200 OK\r\nContent-Type: text/html", "<html>Maintenance</html>");
    row("an empty answer", "200 OK");
    row("a list", "200 OK\r\nContent-Type: application/json", "[]");
    row("a redirect to what is not there", "302 Found\r\nLocation: /login");
    row("a redirect to nowhere", "302 Found");
    QTest::newRow("a broken chunk")
        << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"res\r\nzz\r\n");
}

/// Where reading fails nothing is written; with --create it is, for who says so.
void TestDrive::unknownIsNotAbsent()
{
    QFETCH(const QByteArray, answer);
    bool running = false;
    ScriptedServer server(unlisted(
        [&](QTcpSocket *socket) {
            socket->write(answer);
            if (answer.contains("chunked"))
                socket->disconnectFromHost();
        },
        &running));
    const QString url = server.url().toString();
    const QString made = written(u"made.scenario.json"_s, with({})),
                  asked = written(u"asked.scenario.json"_s,
                      R"({"pack": "network-controller", "resources": [], "steps": [
        {"at": 0, "op": "PUT", "path": "/logicalNetworks/ln", "id": "a"}]})");
    for (const QString &file : { made, asked }) {
        const RunEnd ended = driven(url, file);
        QVERIFY2(ended.exit == 3, (QByteArray::number(ended.exit) + ended.out).constData());
        QVERIFY2(ended.err.contains(u"/logicalNetworks/ln is there"_s), qPrintable(ended.err));
        QCOMPARE(ended.err.count(u'\n'), 1);
        QCOMPARE(writes(server), QStringList());
    }
    if (!answer.startsWith("HTTP/1.1 503"))
        return;
    driven(url, asked, { u"--create"_s, u"--timeout"_s, u"1"_s });
    QCOMPARE(writes(server), QStringList { u"PUT /networking/v1/logicalNetworks/ln"_s });
}

void TestDrive::absentIsMade()
{
    for (const int status : { 404, 410 }) {
        bool running = false, isThere = false;
        const ScriptedServer::Handler network = unlisted(
            [&](QTcpSocket *socket) {
                if (isThere)
                    ScriptedServer::answer(socket, 200,
                        R"({"resourceId": "ln", "properties": {"provisioningState": "Succeeded"}})");
                else
                    ScriptedServer::answer(socket, status);
            },
            &running);
        ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
            isThere = isThere || request.method == "PUT";
            network(request, socket);
        });
        const RunEnd ended =
            driven(server.url().toString(), written(u"s.scenario.json"_s, with({})));
        // 5: this server says nothing that could be judged.
        QVERIFY2(ended.exit == 0 || ended.exit == 5, (ended.out + ended.err.toUtf8()).constData());
        QCOMPARE(writes(server).size(), 2); // it is made, and asked for by the step
    }
}

/// A server that lists nothing has its resources all the same, and what they hold is said again.
void TestDrive::thereWithoutList()
{
    bool running = false;
    ScriptedServer server(unlisted(
        [](QTcpSocket *socket) {
            ScriptedServer::answer(socket, 200,
                R"({"resourceId": "ln", "properties": {"x": 1, "provisioningState": "Succeeded"}})");
        },
        &running));
    const RunEnd ended = driven(server.url().toString(),
        written(u"s.scenario.json"_s,
            with(R"({"at": 500, "expect": {"resources": {"/logicalNetworks/ln": "Succeeded"}}})")));
    QVERIFY2(ended.exit == 0, (ended.out + ended.err.toUtf8()).constData());
    QCOMPARE(writes(server).size(), 1);
    for (const HttpRequest &request : server.requests) {
        if (request.method == "PUT")
            QCOMPARE(objectIn(request.body)[u"properties"_s][u"x"_s].toInt(), 1);
    }
}

/// The rest is driven; what is in the forbidden list is not touched.
void TestDrive::oneListIsForbidden()
{
    bool running = false;
    const ScriptedServer::Handler network = quickNetwork(&running);
    ScriptedServer server([&](const HttpRequest &request, QTcpSocket *socket) {
        if (request.target.contains("/GatewayPools"))
            ScriptedServer::answer(socket, 403);
        else
            network(request, socket);
    });
    const QString url = server.url().toString();
    const RunEnd fine = driven(url, written(u"s.scenario.json"_s, with({})));
    QVERIFY2(fine.exit == 0, (fine.out + fine.err.toUtf8()).constData());
    QVERIFY2(fine.out.contains(url.toUtf8() + "/networking/v1/GatewayPools cannot be read: 403"),
        fine.out.constData());
    const qsizetype before = writes(server).size();
    const RunEnd touched = driven(url,
        written(u"g.scenario.json"_s, R"({"pack": "network-controller", "resources": [], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/p", "id": "a"}]})"));
    QCOMPARE(touched.exit, 3);
    QVERIFY(has(touched.err, { u"/GatewayPools/p cannot be read: 403"_s }));
    QCOMPARE(writes(server).size(), before);
}

/// What would be sent is told, and nothing is sent that writes.
void TestDrive::dryRun()
{
    bool running = false;
    ScriptedServer server(loneNetwork(&running));
    const QString file =
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [
        {"path": "/logicalNetworks/ln"}, {"path": "/GatewayPools/p", "properties": {"size": 3}}], "steps": [
        {"at": 250, "op": "DELETE", "path": "/GatewayPools/p", "id": "b"},
        {"at": 0, "op": "PUT", "path": "/logicalNetworks/ln", "id": "a"}]})");
    const QString base = server.url(u"/networking/v1"_s).toString();
    const RunEnd text = driven(server.url().toString(), file, { u"--dry-run"_s });
    QCOMPARE(text.err, QString());
    QCOMPARE(text.exit, 0);
    QStringList lines = QString::fromUtf8(text.out).split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY(begins(lines[0], u"before: PUT "_s + base + u"/GatewayPools/p {"_s)
        && has(lines[0], { u"\"size\""_s }));
    QVERIFY(begins(lines[1], u"0 ms: PUT "_s + base + u"/logicalNetworks/ln {"_s));
    QCOMPARE(lines[2], u"250 ms: DELETE "_s + base + u"/GatewayPools/p"_s);
    const RunEnd json =
        driven(server.url().toString(), file, { u"--dry-run"_s, u"--format"_s, u"json"_s });
    QCOMPARE(json.exit, 0);
    const QJsonArray requests = objectIn(json.out).value(u"requests"_s).toArray();
    QCOMPARE(requests.size(), 3);
    QCOMPARE(requests[0][u"body"_s][u"properties"_s][u"size"_s].toInt(), 3);
    QCOMPARE(requests[2][u"at"_s].toInt(), 250);
    QCOMPARE(writes(server), QStringList());
}

/// A server's log can be searched for every request that is made here.
void TestDrive::requestIds()
{
    bool running = false;
    ScriptedServer server(quickNetwork(&running));
    const RunEnd ended = driven(server.url().toString(),
        written(u"s.scenario.json"_s,
            with(R"({"at": 1500, "op": "PUT", "path": "/logicalNetworks/ln", "id": "b"},
                    {"at": 3000, "op": "PUT", "path": "/logicalNetworks/ln", "id": "c", "requestId": "mine"})")));
    QVERIFY2(ended.exit == 0, (ended.out + ended.err.toUtf8()).constData());
    QByteArrayList ids;
    for (const HttpRequest &request : server.requests) {
        if (request.method == "PUT")
            ids += header(request.headers, "x-ms-client-request-id");
    }
    QCOMPARE(ids.size(), 3);
    QVERIFY(ids[0].size() >= 16 && ids[1].size() >= 16 && ids[0] != ids[1]);
    QCOMPARE(ids[2], "mine");
}

/// Not more often than it is told to.
void TestDrive::polls()
{
    bool running = false;
    ScriptedServer server(quickNetwork(&running));
    const auto lists = [&](const QStringList &options) {
        server.requests.clear();
        const RunEnd ended = driven(server.url().toString(),
            written(u"s.scenario.json"_s,
                with(
                    R"({"at": 1500, "expect": {"resources": {"/logicalNetworks/ln": "Failed"}}})")),
            options + QStringList { u"--tolerance"_s, u"1500"_s });
        if (ended.exit != 1)
            qFatal("%s", qPrintable(ended.err));
        return std::ranges::count_if(server.requests,
            [](const HttpRequest &request) { return request.target.endsWith("/logicalNetworks"); });
    };
    const auto seldom = lists({}), often = lists({ u"--poll"_s, u"50"_s });
    // To load twice, at the beginning, the time and the end of what is expected, and at the end.
    QVERIFY2(seldom <= 9, qPrintable(QString::number(seldom)));
    QVERIFY2(often > 2 * seldom, qPrintable(QString::number(often)));
}

const instar::TestClass<TestDrive> registered;
#include "tst_drive.moc"
