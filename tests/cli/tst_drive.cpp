// SPDX-License-Identifier: Apache-2.0
// `instar-cli drive` against `instar-cli serve`: two processes, in real time.

#include "tests/cli/served.h"
#include "tests/remote/lonenetwork.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <memory>

using namespace instar;
using namespace Qt::StringLiterals;

class TestDrive : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void init() { m_folder = QTemporaryDir(); }
    void drives();
    void text();
    void failures();
    void tolerance();
    void resourcesAreMade();
    void statesAreMade_data();
    void statesAreMade();
    void token();
    void unreachable();
    void goneWhileDriven();
    void notPossible();
    void notDrivable_data();
    void notDrivable();
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
    void unknownIsNotAbsent_data();
    void unknownIsNotAbsent();
    void absentIsMade();
    void thereWithoutList();
    void oneListIsForbidden();
    void dryRun();
    void requestIds();
    void polls();
};

namespace {

const QString pack = u"network-controller"_s;

QStringList driving(const QString &url, const QString &scenario, const QStringList &more = {})
{
    return QStringList { cli(), u"drive"_s, url, u"--pack"_s, pack, scenario } + more;
}

/// Servers of this process go on meanwhile.
Done driven(const QString &url, const QString &scenario, const QStringList &more = {})
{
    return ranAtOnce({ driving(url, scenario, more) }).first();
}

/// Drives scenarios at the same time, each against a server of its own.
QList<Done> drivenApart(
    const QStringList &files, const QString &of, const QList<QStringList> &options = {})
{
    struct Run : DrivenServer
    {
        Run(qsizetype place, const QString &file, const QStringList &more)
            : DrivenServer(file, more), at(place)
        { }
        qsizetype at;
    };
    QList<Done> done(files.size());
    runAll(
        files.size(), 4,
        [&](qsizetype i) {
            return std::make_unique<Run>(
                i, files[i], QStringList { u"--pack"_s, of } + options.value(i));
        },
        [&](Run &run) { done[run.at] = run.driven(); });
    return done;
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
    const QString history = path(u"history.ndjson"_s);
    const Done ended = driven(server.origin, written(u"s.scenario.json"_s, known),
        { u"--format"_s, u"json"_s, u"--history"_s, history });
    QCOMPARE(ended.error, QByteArray());
    QVERIFY2(ended.exit == 0, ended.out.constData());
    const QJsonObject answer = objectIn(ended.out);
    QCOMPARE(answer.value(u"expectations"_s).toObject().value(u"passed"_s).toInt(), 3);
    QVERIFY(answer.value(u"quiescent"_s).toBool());
    QCOMPARE(answer[u"verdict"_s][u"verdict"_s].toString(), u"conforms"_s);
    QVERIFY(answer[u"verdict"_s][u"of"_s].toInt() > 50);
    const Done judged = ran({ u"judge"_s, history, u"--pack"_s, pack });
    QCOMPARE(judged.error, QByteArray());
    QVERIFY2(judged.exit == 0, judged.out.constData());
    QVERIFY(judged.out.contains("end c succeeded"));
    QCOMPARE(ran({ u"judge"_s, history }).exit, 2); // exchanges name no pack
    QCOMPARE(outcome(answer, u"/logicalNetworks/own"_s),
        u"a Canceled Canceled b \nb Failed InternalServerError  \nc Succeeded   \nd Rejected "
        u"AnotherOperationInProgress  b\n"
        "/logicalNetworks/own Failed\n/logicalNetworks/own/subnets/sn1 Failed\n/logicalNetworks/own/subnets/sn1/ipPools/p1 Failed\n/logicalNetworks/own/subnets/sn2 Succeeded"_s);
    const QJsonArray bursts = answer.value(u"bursts"_s).toArray();
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
    const Done ended = driven(server.origin,
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "duration": 100}, {"at": 0, "op": "DELETE", "path": "/GatewayPools/none", "id": "b"},
        {"at": 500, "expect": {"resources": {"/GatewayPools/x": "Succeeded"}, "operations": {"b": "Succeeded"}}}]})"));
    QCOMPARE(ended.error, QByteArray());
    QCOMPARE(ended.exit, 0);
    for (const char *part : { "a PUT /GatewayPools/x was sent; the answer is pending",
             "verdict: conforms: ", "1 of 1 expectations came true",
             "2 requests were sent together and left within " })
        QVERIFY2(ended.out.contains(part), ended.out.constData());
}

void TestDrive::failures()
{
    const OpenServer server;
    const QString file = written(u"s.scenario.json"_s,
        R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "duration": 100},
        {"at": 300, "expect": {"resources": {"/GatewayPools/x": "Failed"}}}, {"at": 300, "expect": {"operations": {"a": "Succeeded"}}}]})");
    const Done ended = driven(server.origin, file, { u"--format"_s, u"junit"_s });
    QCOMPARE(ended.exit, 1);
    QCOMPARE(elementsOf(ended.out).count(u"testcase"_s), 2);
    QCOMPARE(elementsOf(ended.out).count(u"failure"_s), 1);
    const QJsonObject answer =
        objectIn(driven(server.origin, file, { u"--format"_s, u"json"_s }).out);
    QCOMPARE(answer[u"expectations"_s][u"failures"_s][0][u"text"_s].toString(),
        u"/GatewayPools/x: expected Failed, found Succeeded"_s);
}

/// What is expected at a time may have been true a little before, or come a little after.
void TestDrive::tolerance()
{
    const struct
    {
        int at; ///< the work ends after 1000 ms
        const char *state, *tolerance;
        int exit;
    } rows[] = { { 999, "Updating", "", 0 }, { 1000, "Succeeded", "", 0 },
        { 1500, "Updating", "100", 1 }, { 1500, "Updating", "1000", 0 },
        { 500, "Succeeded", "100", 1 }, { 500, "Succeeded", "1000", 0 },
        { 500, "Updating", "0", 0 }, { 500, "Failed", "1000", 1 } };
    QStringList files;
    QList<QStringList> options;
    for (const auto &row : rows) {
        QByteArray text =
            R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "duration": 1000},
        {"at": AT, "expect": {"resources": {"/GatewayPools/x": "STATE"}}}]})";
        text.replace("AT,", QByteArray::number(row.at) + ',').replace("STATE", row.state);
        files += written(u"%1.scenario.json"_s.arg(files.size()), text);
        options.append({ u"--format"_s, u"json"_s });
        if (*row.tolerance)
            options.last() += { u"--tolerance"_s, QString::fromLatin1(row.tolerance) };
    }
    const QList<Done> done = drivenApart(files, pack, options);
    for (qsizetype i = 0; i < done.size(); ++i) {
        const Done &ended = done[i];
        QVERIFY2(
            ended.exit == rows[i].exit, (bytesOf(files[i]) + ended.out + ended.error).constData());
        const int used = objectIn(ended.out).value(u"tolerance"_s).toInt(-1);
        if (*rows[i].tolerance)
            QCOMPARE(used, QByteArray(rows[i].tolerance).toInt());
        else
            QVERIFY2(used >= 100 && used <= 5000, ended.out.constData());
    }
}

void TestDrive::resourcesAreMade()
{
    const OpenServer server;
    const Done ended = driven(server.origin,
        written(u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [
        {"path": "/gateways/mine", "references": ["/GatewayPools/mine"], "properties": {"x": 1}}, {"path": "/GatewayPools/mine"},
        {"path": "/logicalNetworks/mine/subnets/a/ipPools/b"}],
        "steps": [{"at": 0, "expect": {"resources": {"/gateways/mine": "Succeeded", "/logicalNetworks/mine": "Succeeded", "/logicalNetworks/mine/subnets/a/ipPools/b": "Succeeded"}}},
                  {"at": 0, "op": "DELETE", "path": "/GatewayPools/mine", "id": "a"}, {"at": 50, "expect": {"errors": {"a": "ResourceInUse"}}}]})"),
        { u"--format"_s, u"json"_s });
    QVERIFY2(ended.exit == 0, (ended.out + ended.error).constData());
    const QJsonObject answer = objectIn(ended.out);
    QCOMPARE(answer.value(u"operations"_s).toArray().size(), 1); // what made them is not part of it
}

void TestDrive::statesAreMade_data()
{
    const Rows<QByteArray, QByteArray, QString> row("resources", "expected", "problem");
    const QByteArray alone = R"("/GatewayPools/mine": "Failed")";
    row("alone", R"({"path": "/GatewayPools/mine", "state": "Failed"})", alone, {});
    // Whatever is made or asked for last decides what stands above it.
    row("not as its child",
        R"({"path": "/logicalNetworks/p"}, {"path": "/logicalNetworks/p/subnets/c", "state": "Failed"})",
        {},
        u"/logicalNetworks/p cannot be brought to rest: preparing the other resources leaves /logicalNetworks/p in the state Failed"_s);
    row("as one of its children",
        R"({"path": "/logicalNetworks/p", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/a", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/b"})",
        R"("/logicalNetworks/p": "Failed", "/logicalNetworks/p/subnets/a": "Failed", "/logicalNetworks/p/subnets/b": "Succeeded")",
        {});
    row("together with all below",
        R"({"path": "/logicalNetworks/p", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/a", "state": "Failed"}, {"path": "/logicalNetworks/p/subnets/b", "state": "Failed"})",
        R"("/logicalNetworks/p": "Failed", "/logicalNetworks/p/subnets/a": "Failed", "/logicalNetworks/p/subnets/b": "Failed")",
        {});
}

/// All of them at once: making one may move another that was made before.
void TestDrive::statesAreMade()
{
    QFETCH(const QByteArray, resources);
    QFETCH(const QByteArray, expected);
    QFETCH(const QString, problem);
    const OpenServer server;
    const Done ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [)" + resources + R"(],
        "steps": [{"at": 0, "expect": {"resources": {)"
                + expected + "}}}]}"));
    QVERIFY2(ended.exit == (problem.isEmpty() ? 0 : 1), (ended.out + ended.error).constData());
    QVERIFY2(ended.error.contains(problem.toUtf8()), ended.error.constData());
    QCOMPARE(ended.out.isEmpty(), !problem.isEmpty());
}

void TestDrive::token()
{
    const QString right = written(u"right"_s, "secret-token\n"),
                  wrong = written(u"wrong"_s, "other\n");
    const OpenServer server({ u"--token-file"_s, right });
    const QString file = written(
        u"s.scenario.json"_s, R"({"pack": "network-controller", "resources": [], "steps": []})");
    const QString history = path(u"h"_s);
    const Done good =
        driven(server.origin, file, { u"--token-file"_s, right, u"--history"_s, history });
    QVERIFY2(good.exit == 0, good.error.constData());
    const QByteArray text = bytesOf(history);
    QVERIFY(text.contains("Authorization") && !text.contains("secret-token"));
    const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther;
    QVERIFY(!(QFile::permissions(history) & others));
    const Done bad = driven(server.origin, file, { u"--token-file"_s, wrong });
    QCOMPARE(bad.exit, 3);
    QCOMPARE(bad.error.count('\n'), 1);
    QVERIFY2(bad.error.contains("401"), bad.error.constData());
    QCOMPARE(bad.out, QByteArray());
}

void TestDrive::unreachable()
{
    OpenServer server;
    server.stopped(SIGKILL);
    const Done ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [], "steps": []})"),
        { u"--format"_s, u"json"_s });
    QCOMPARE(ended.exit, 3);
    QCOMPARE(ended.out, QByteArray());
    QCOMPARE(ended.error.count('\n'), 1);
    QVERIFY2(ended.error.contains("Connection refused"), ended.error.constData());
}

/// What has happened is in the file at once, and stays there however the program ends.
void TestDrive::goneWhileDriven()
{
    OpenServer server;
    const QString history = path(u"history.ndjson"_s);
    QProcess process;
    process.start(cli(),
        { u"drive"_s, server.origin, u"--pack"_s, pack, u"--history"_s, history,
            written(u"s.scenario.json"_s,
                R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/made"}], "steps": [
                {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "hang": true},
                {"at": 5000, "expect": {"operations": {"a": "InProgress"}}}]})") },
        QIODevice::ReadOnly);
    QVERIFY(process.waitForStarted());
    const auto count = [&](const QByteArray &path) {
        return std::ranges::count_if(bytesOf(history).split('\n'), [&](const QByteArray &line) {
            return line.contains("\"PUT\"") && line.contains(path);
        });
    };
    QTRY_COMPARE_WITH_TIMEOUT(count("/x"), 1, 60'000);
    server.stopped(SIGKILL);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 3);
    QCOMPARE(process.readAllStandardError().count('\n'), 1);
    QCOMPARE(count("/made"), 1);
    QSet<int> numbers; // although the tree was prepared by another controller
    const QList<QByteArray> lines = bytesOf(history).trimmed().split('\n');
    for (const QByteArray &line : lines)
        numbers.insert(objectIn(line).value(u"number"_s).toInt());
    QCOMPARE(numbers.size(), lines.size());
}

/// A resource that no operation can bring where it is to be.
void TestDrive::notPossible()
{
    const OpenServer server;
    const Done ended =
        driven(server.origin, written(u"s.scenario.json"_s, R"({"pack": "network-controller",
        "resources": [{"path": "/gateways/lost", "references": ["/GatewayPools/none"]}], "steps": []})"));
    QCOMPARE(ended.exit, 1);
    QCOMPARE(ended.out, QByteArray());
    QVERIFY(has(QString::fromUtf8(ended.error),
        { u"no operation of the pack brings /gateways/lost to rest"_s }));
}

void TestDrive::notDrivable_data()
{
    const Rows<QString, QByteArray, QString> add("system", "step", "problem");
    const auto row = [&](const char *name, const QByteArray &step, const QString &problem) {
        add(name, step.contains("lease") ? u"blazar"_s : pack, step, problem);
    };
    const auto put = [](const QByteArray &more) {
        return R"({"at": 1, "op": "PUT", "path": "/GatewayPools/x", )" + more + "}";
    };
    row("an end", R"({"at": 100, "end": "a", "outcome": "Succeeded"})",
        u"the step ends operation a by hand"_s);
    row("a name of the server's",
        R"({"at": 1, "op": "PUT", "path": "/GatewayPools/{n}", "id": "n"})",
        u"{n} stands for a name given by the server, but PUT sends the name in its path"_s);
    row("requests", put(R"("requests": {"/GatewayPools/y": {"properties": {"x": 1}}})"),
        u"\"requests\""_s);
    row("work elsewhere", put(R"("work": {"Deleting": {"outcome": "Failed"}})"), u"\"work\""_s);
    row("work twice",
        put(R"("work": {"Updating": {"outcome": "Failed"}, "Deleting": {"duration": 5}})"),
        u"\"work\""_s);
    row("work of another operation",
        put(R"("work": {"PUT /GatewayPools/y": {"outcome": "Failed"}})"), u"\"work\""_s);
    const auto update = [](const QByteArray &condition) {
        return R"({"at": 0, "op": "update_lease", "path": "/leases/l", "conditions": {")"
            + condition + R"(": true}})";
    };
    // A condition that the pack leaves open is the server's to decide.
    row("a condition of the body", update("changes dates"),
        u"\"conditions\" says that \"changes dates\" is true, but the body says the opposite"_s);
    row("a condition of nobody", update("changes date"), u"\"changes dates\""_s);
    row("a condition of the server",
        R"({"at": 0, "op": "create_lease", "path": "/leases/{a}", "id": "a", "conditions": {"changes dates": true}})",
        u"\"conditions\" sets a condition that only the server can decide"_s);
    row("no request", R"({"at": 0, "op": "fire", "path": "/leases/l/events/end_lease"})",
        u"the pack blazar has no HTTP request for fire; remove the step, or use the command run\n"_s);
}

/// What no server can be asked for is not left out silently: it is told before anything is sent.
void TestDrive::notDrivable()
{
    QFETCH(const QString, system);
    QFETCH(const QByteArray, step);
    QFETCH(const QString, problem);
    const QByteArray begin = system == pack
        ? R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "hang": true},
        )"
        : R"({"pack": "blazar", "resources": [{"path": "/leases/l"}, {"path": "/leases/l/events/end_lease"}], "steps": [
        {"at": 0, "op": "delete_lease", "path": "/leases/l", "id": "d"},
        )";
    const QString file = written(u"s.scenario.json"_s, begin + step + "]}");
    const Ended ended =
        ranAlone({ u"drive"_s, u"http://127.0.0.1:1"_s, u"--pack"_s, system, file });
    compareRefused(ended, u"s.scenario.json:3: "_s);
    QVERIFY2(ended.err.contains(problem), qPrintable(ended.err));
}

/// It is planned as the operation's own.
void TestDrive::workInOnePiece()
{
    const OpenServer server;
    const Done ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}, {"path": "/GatewayPools/y"}, {"path": "/GatewayPools/z"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "work": {"Updating": {"outcome": "Failed", "duration": 200}}},
        {"at": 0, "op": "PUT", "path": "/GatewayPools/y", "id": "b", "work": {"Updating": {"outcome": ["retried", "retried", "Failed"], "duration": 100}}},
        {"at": 0, "op": "DELETE", "path": "/GatewayPools/z", "id": "c", "duration": 100, "work": {"Deleting": {"hang": true}}},
        {"at": 3500, "expect": {"resources": {"/GatewayPools/x": "Failed", "/GatewayPools/y": "Failed", "/GatewayPools/z": "Deleting"}}}]})"),
        { u"--format"_s, u"json"_s });
    QVERIFY2(ended.exit == 0, (ended.out + ended.error).constData());
    QCOMPARE(outcome(objectIn(ended.out), u"/nothing"_s),
        u"a Failed InternalServerError  \nb Failed InternalServerError  \nc InProgress   "_s);
}

/// It may be told to end as what would be tried again elsewhere: nothing takes that here.
void TestDrive::workThatIsNotTriedAgain()
{
    const QString file = QStringLiteral(
        INSTAR_SOURCE_DIR "/resources/scenarios/aps/switch-async-configure.scenario.json");
    const OpenServer server({}, file);
    const Done ended = ran({ u"drive"_s, server.origin, u"--pack"_s, u"aps"_s, file });
    QVERIFY2(ended.exit == 0, (ended.out + ended.error).constData());
}

/// A server that answers when the work has ended says nothing of it before; what it shows is looked
/// at all the same.
void TestDrive::answersHeldBack()
{
    const auto expects = [&](const QString &name, const QByteArray &expected) {
        QByteArray text = R"({"pack": "aps", "resources": [{"path": "/resources/r"}], "steps": [
            {"at": 0, "op": "unprovision", "path": "/resources/r", "id": "a", "duration": 2500},
            {"at": 1000, "expect": EXPECTED},
            {"at": 3500, "expect": {"operations": {"a": "Succeeded"}}}]})";
        return written(name + u".scenario.json"_s, text.replace("EXPECTED", expected));
    };
    const QList<Done> done = drivenApart(
        { expects(u"fine"_s,
              R"({"operations": {"a": "InProgress"}, "resources": {"/resources/r": "aps:unprovisioning"}})"),
            expects(u"wrong"_s,
                R"({"operations": {"a": "InProgress"}, "resources": {"/resources/r": "aps:ready"}})"),
            expects(u"early"_s, R"({"operations": {"a": "Succeeded"}})") },
        u"aps"_s);
    const QString unseen =
        u"1000 ms: the status of operation a (running) was not checked, because its request had no answer yet"_s;
    const Done &fine = done[0], &wrong = done[1], &early = done[2];
    QVERIFY2(fine.exit == 0, (fine.out + fine.error).constData());
    QVERIFY2(QString::fromUtf8(fine.out + fine.error).contains(unseen), fine.out.constData());
    QCOMPARE(wrong.exit, 1);
    QVERIFY2(QString::fromUtf8(wrong.out + wrong.error)
                 .contains(u"expected aps:ready, found aps:unprovisioning"_s),
        wrong.out.constData());
    QCOMPARE(early.exit, 1);
}

/// No client sees what the server asks for by itself, and what was broken before is nobody's doing.
void TestDrive::whatTheServerDoesByItself()
{
    const auto deletes = [&](const QString &name, const QByteArray &expected) {
        return written(name + u".scenario.json"_s,
            R"({"pack": "blazar", "resources": [
            {"path": "/leases/l", "state": "ACTIVE"}, {"path": "/leases/l/reservations/r", "state": "active"},
            {"path": "/leases/l/events/start_lease", "state": "UNDONE", "properties": {"time": 3600000}},
            {"path": "/leases/l/events/end_lease", "properties": {"time": 7200000}}], "steps": [
            {"at": 0, "op": "delete_lease", "path": "/leases/l", "id": "a"},
            {"at": 1000, "expect": )"
                + expected + "}]}");
    };
    const QList<Done> done = drivenApart(
        { deletes(u"fine"_s,
              R"({"operations": {"a": "Succeeded", "a.1": "InProgress"}, "errors": {"a.2": "InUse"}, "violations": 0})"),
            deletes(u"broken"_s, R"({"violations": 1})") },
        u"blazar"_s);
    const Done &fine = done[0], &broken = done[1];
    QVERIFY2(fine.exit == 0, (fine.out + fine.error).constData());
    QVERIFY2(fine.out.contains("breaks a rule"), fine.out.constData()); // in the beginning
    for (const char *inner : { "a.1", "a.2" })
        QVERIFY2(fine.out.contains("1000 ms: operation "_ba + inner
                     + " was not checked, because the server starts the operation by itself\n"),
            fine.out.constData());
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
    const auto expects = [&](const QString &name, const QByteArray &expected) {
        QByteArray text =
            R"({"pack": "things.pack.json", "resources": [{"path": "/things/t"}], "steps": [
            {"at": 0, "op": "put", "path": "/things/t", "id": "a", "duration": 2000},
            {"at": 500, "op": "put", "path": "/things/t", "id": "b", "duration": 1000},
            {"at": 1200, "expect": {"operations": {"a": "InProgress", "b": "Waiting"}}},
            {"at": 4000, "expect": {"operations": EXPECTED}}]})";
        return written(name + u".scenario.json"_s, text.replace("EXPECTED", expected));
    };
    const QList<Done> done =
        drivenApart({ expects(u"fine"_s, R"({"a": "Succeeded", "b": "Succeeded"})"),
                        expects(u"late"_s, R"({"a": "Succeeded", "b": "Waiting"})") },
            things);
    const Done &fine = done[0], &late = done[1];
    const QByteArray unseen = "the status of operation b (waiting) was not checked, because the "
                              "server reports only the ends of accepted operations";
    QVERIFY2(fine.exit == 0, (fine.out + fine.error).constData());
    QVERIFY2(fine.out.contains("1200 ms: " + unseen), fine.out.constData());
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
    const Done ended = driven(server.url().toString(), written(u"s.scenario.json"_s, with({})),
        { u"--format"_s, u"json"_s });
    QCOMPARE(ended.error, QByteArray());
    QCOMPARE(ended.exit, 0);
    QCOMPARE(probes, 1);
    QCOMPARE(outcome(objectIn(ended.out)), u"a Succeeded   \n/logicalNetworks/ln Succeeded"_s);
}

/// A server that wants to be asked at once keeps nobody from looking at its tree.
void TestDrive::retryAfterZero()
{
    const OpenServer server({ u"--retry-after"_s, u"0"_s });
    const Done ended = driven(server.origin,
        written(u"s.scenario.json"_s,
            R"({"pack": "network-controller", "resources": [{"path": "/GatewayPools/x"}], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/x", "id": "a", "duration": 2000},
        {"at": 700, "expect": {"resources": {"/GatewayPools/x": "Updating"}, "operations": {"a": "InProgress"}}},
        {"at": 1400, "expect": {"resources": {"/GatewayPools/x": "Updating"}}},
        {"at": 3000, "expect": {"resources": {"/GatewayPools/x": "Succeeded"}}}]})"),
        { u"--format"_s, u"json"_s });
    QVERIFY2(ended.exit == 0, (ended.out + ended.error).constData());
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
    const Done ended = driven(server.url().toString(), file);
    QCOMPARE(ended.exit, 1);
    QVERIFY2(ended.out.contains("expected Succeeded, found Melting"), ended.out.constData());
    QVERIFY2(ended.out.contains("The server shows a value that the pack network-controller does "
                                "not define: logicalNetworks: Melting."),
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
    const Done text = driven(url, file);
    QVERIFY2(text.out.endsWith("\nverdict: nothing judged\n/logicalnetworks/ln is not judged, "
                               "because its initial state is unknown\n"),
        text.out.constData());
    QCOMPARE(text.exit, 5);
    const Done json = driven(url, file, { u"--format"_s, u"json"_s });
    QCOMPARE(objectIn(json.out).value(u"notJudged"_s).toArray(),
        QJsonArray { u"/logicalnetworks/ln"_s });
}

void TestDrive::endUnknown_data()
{
    // put: what is answered instead of 200; 0: nothing
    const Rows<int, QString, QString> row("put", "format", "reason");
    row("too long", 0, u"json"_s, u"a: the operation had not ended 1 s after the last step"_s);
    row("too long, for machines", 0, u"junit"_s,
        u"a: the operation had not ended 1 s after the last step"_s);
    row("lost", 502, u"text"_s, u"a: A gateway answered"_s);
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
    const Done ended = driven(server.url().toString(), written(u"s.scenario.json"_s, with({})),
        { u"--timeout"_s, u"1"_s, u"--format"_s, format });
    QCOMPARE(ended.exit, 1);
    QCOMPARE(ended.error.count('\n'), 1);
    QVERIFY(has(QString::fromUtf8(ended.error),
        { u"the outcome of an operation is unknown: "_s + reason }));
    if (format == u"json") {
        const QJsonObject answer = objectIn(ended.out);
        QVERIFY(!answer.value(u"quiescent"_s).toBool());
        QVERIFY(answer.value(u"unknownEnds"_s).toArray().first().toString().startsWith(reason));
    } else if (format == u"junit") {
        QCOMPARE(elementsOf(ended.out).count(u"failure"_s), 1);
    }
}

void TestDrive::secrets_data()
{
    // variable: in which the secret is, too
    const Rows<QStringList, QString, QByteArray, QByteArray> row(
        "options", "variable", "header", "value");
    row("a token", { u"--token-file"_s, u"F"_s }, {}, "Authorization", "Bearer se cret");
    row("a token around us", {}, u"INSTAR_TOKEN"_s, "Authorization", "Bearer se cret");
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
    bool running = false;
    ScriptedServer server(quickNetwork(&running));
    const QString history = path(u"h"_s);
    QStringList command = driving(server.url().toString(), written(u"s.scenario.json"_s, with({})),
        options + QStringList { u"--history"_s, history });
    if (!variable.isEmpty())
        command = QStringList { u"env"_s, variable + u"=se cret"_s } + command;
    const Done ended = ranAtOnce({ command }).first();
    QVERIFY2(ended.exit == 0, ended.error.constData());
    for (const HttpRequest &request : server.requests)
        QCOMPARE(instar::header(request.headers, header), value);
    const QByteArray text = bytesOf(history);
    QVERIFY(text.contains(header));
    for (const char *secret : { "se cret", "secret" }) {
        QVERIFY(!text.contains(secret));
        QVERIFY(!ended.out.contains(secret));
    }
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
    row("a page", "200 OK\r\nContent-Type: text/html", "<html>Maintenance</html>");
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
    const QList<Done> done = ranAtOnce({ driving(url, made), driving(url, asked) });
    for (const Done &ended : done) {
        QVERIFY2(ended.exit == 3, (QByteArray::number(ended.exit) + ended.out).constData());
        QVERIFY2(ended.error.contains("because /logicalNetworks/ln may already exist"),
            ended.error.constData());
        QCOMPARE(ended.error.count('\n'), 1);
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
        const Done ended = driven(server.url().toString(), written(u"s.scenario.json"_s, with({})));
        // 5: this server says nothing that could be judged.
        QVERIFY2(ended.exit == 0 || ended.exit == 5, (ended.out + ended.error).constData());
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
    const Done ended = driven(server.url().toString(),
        written(u"s.scenario.json"_s,
            with(R"({"at": 500, "expect": {"resources": {"/logicalNetworks/ln": "Succeeded"}}})")));
    QVERIFY2(ended.exit == 0, (ended.out + ended.error).constData());
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
    const Done fine = driven(url, written(u"s.scenario.json"_s, with({})));
    QVERIFY2(fine.exit == 0, (fine.out + fine.error).constData());
    QVERIFY2(fine.out.contains(url.toUtf8() + "/networking/v1/GatewayPools cannot be read: 403"),
        fine.out.constData());
    const qsizetype before = writes(server).size();
    const Done touched = driven(url,
        written(u"g.scenario.json"_s, R"({"pack": "network-controller", "resources": [], "steps": [
        {"at": 0, "op": "PUT", "path": "/GatewayPools/p", "id": "a"}]})"));
    QCOMPARE(touched.exit, 3);
    QVERIFY(has(QString::fromUtf8(touched.error), { u"/GatewayPools/p cannot be read: 403"_s }));
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
    const Done text = driven(server.url().toString(), file, { u"--dry-run"_s });
    QCOMPARE(text.error, QByteArray());
    QCOMPARE(text.exit, 0);
    QStringList lines = QString::fromUtf8(text.out).split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY(begins(lines[0], u"before: PUT "_s + base + u"/GatewayPools/p {"_s)
        && has(lines[0], { u"\"size\""_s }));
    QVERIFY(begins(lines[1], u"0 ms: PUT "_s + base + u"/logicalNetworks/ln {"_s));
    QCOMPARE(lines[2], u"250 ms: DELETE "_s + base + u"/GatewayPools/p"_s);
    const Done json =
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
    const Done ended = driven(server.url().toString(),
        written(u"s.scenario.json"_s,
            with(R"({"at": 1500, "op": "PUT", "path": "/logicalNetworks/ln", "id": "b"},
                    {"at": 3000, "op": "PUT", "path": "/logicalNetworks/ln", "id": "c", "requestId": "mine"})")));
    QVERIFY2(ended.exit == 0, (ended.out + ended.error).constData());
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
        const Done ended = driven(server.url().toString(),
            written(u"s.scenario.json"_s,
                with(
                    R"({"at": 1500, "expect": {"resources": {"/logicalNetworks/ln": "Failed"}}})")),
            options + QStringList { u"--tolerance"_s, u"1500"_s });
        if (ended.exit != 1)
            qFatal("%s", ended.error.constData());
        return std::ranges::count_if(server.requests,
            [](const HttpRequest &request) { return request.target.endsWith("/logicalNetworks"); });
    };
    const auto seldom = lists({}), often = lists({ u"--poll"_s, u"50"_s });
    // To load twice, at the beginning, the time and the end of what is expected, and at the end.
    QVERIFY2(seldom <= 9, qPrintable(QString::number(seldom)));
    QVERIFY2(often > seldom, qPrintable(QString::number(often)));
}

const instar::TestClass<TestDrive> registered;
#include "tst_drive.moc"
