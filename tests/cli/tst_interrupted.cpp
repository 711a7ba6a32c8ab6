// SPDX-License-Identifier: Apache-2.0
// Ctrl+C in a long command: what was found so far is printed, and the exit is 130.

#include "tests/cli/served.h"
#include "tests/support/testclass.h"

#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace instar;
using namespace Qt::StringLiterals;

class TestInterrupted : public QObject, private FolderUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase();
    void explore();
    void judge();
    void diff();
    void run();
    void render();
    void limitsAreNamed();

private:
    QString endlessRun(const QByteArray &expectation = {}) const;
};

namespace {

/// Whether a process has a handler of its own for a signal.
bool catches(qint64 process, int signal)
{
    for (const QByteArray &line : bytesOf(u"/proc/%1/status"_s.arg(process)).split('\n')) {
        if (line.startsWith("SigCgt:"))
            return line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1;
    }
    return false;
}

/// Work that would take for ever gets SIGINT as soon as the program would notice.
Done interrupted(const QStringList &arguments)
{
    QProcess process;
    process.start(qEnvironmentVariable("INSTAR_CLI"), arguments, QIODevice::ReadOnly);
    if (!process.waitForStarted()
        || !QTest::qWaitFor([&] { return catches(process.processId(), SIGINT); }, 60'000))
        return {};
    QTest::qWait(200);                        // so that something is found
    if (process.state() != QProcess::Running) // kill(0) would end the test itself
        return {};
    ::kill(pid_t(process.processId()), SIGINT);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return { process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError() };
}

} // namespace

void TestInterrupted::initTestCase()
{
    QVERIFY2(QFile::exists(qEnvironmentVariable("INSTAR_CLI")), "INSTAR_CLI names the program");
}

void TestInterrupted::explore()
{
    QByteArray steps;
    for (int i = 0; i < 12; ++i)
        steps += QByteArray(i > 0 ? "," : "")
            + R"({"at": 0, "op": ["PUT", "DELETE"], "path": ["/logicalNetworks/n", "/logicalNetworks/n/subnets/s", "/logicalNetworks/n/subnets/t"], "outcome": "any"})";
    const QString file = written(u"crowd.scenario.json"_s,
        R"({"pack": "network-controller", "resources": [{"path": "/logicalNetworks/n"}], "steps": [)"
            + steps + "]}");
    const Done run = interrupted(
        { u"explore"_s, file, u"--format"_s, u"json"_s, u"--max-memory"_s, u"1000000"_s });
    QCOMPARE(run.exit, 130);
    QCOMPARE(run.json().value(u"complete"_s), QJsonValue(false));
    QCOMPARE(run.json().value(u"stoppedBy"_s), QJsonValue(u"canceled"_s));
    QVERIFY(run.json().value(u"worlds"_s).toInteger() > 0);
}

void TestInterrupted::judge()
{
    QByteArray lines =
        R"({"history": 1, "pack": "network-controller", "resources": [{"path": "/logicalNetworks/n"}, {"path": "/logicalNetworks/n/subnets/s"}]})"
        "\n";
    for (int i = 0; i < 40; ++i)
        lines += R"({"request": "r)" + QByteArray::number(i) + R"(", "op": ")"
            + (i % 3 ? "PUT" : "DELETE") + R"(", "path": "/logicalNetworks/n)"
            + (i % 2 ? "" : "/subnets/s")
            + R"(", "sent": 0, "answer": {"lost": true}})"
              "\n";
    lines += R"({"seen": "/logicalNetworks/n", "from": 90, "to": 91, "state": "Odd"})"
             "\n";
    const Done run = interrupted({ u"judge"_s, written(u"crowd.ndjson"_s, lines), u"--format"_s,
        u"json"_s, u"--budget"_s, u"1000000000"_s });
    QCOMPARE(run.exit, 130);
    QCOMPARE(run.json().value(u"complete"_s), QJsonValue(false));
    QCOMPARE(run.json().value(u"stoppedBy"_s), QJsonValue(u"canceled"_s));
    QCOMPARE(run.json().value(u"verdict"_s), QJsonValue(u"undecided"_s));
}

void TestInterrupted::diff()
{
    // Etags are not compared, so that no scenario shows the difference.
    const Done run = interrupted({ u"diff"_s, u"network-controller"_s, u"network-controller"_s,
        u"--switch-a"_s, u"etagOnCompletion=false"_s, u"--switch-b"_s, u"etagOnCompletion=true"_s,
        u"--format"_s, u"json"_s, u"--max-worlds"_s, u"1000000000"_s });
    QCOMPARE(run.exit, 130);
    QVERIFY(run.json().value(u"changes"_s).toArray().size() > 0);
    QCOMPARE(run.json()[u"searched"][u"complete"], QJsonValue(false));
    QCOMPARE(run.json()[u"searched"][u"stoppedBy"], QJsonValue(u"canceled"_s));
}

QString TestInterrupted::endlessRun(const QByteArray &expectation) const
{
    return written(u"endless.scenario.json"_s,
        R"({"pack": "aps", "resources": [], "steps": [{"at": 0, "op": "provision", "path": "/resources/r", "id": "a", "transientFailures": 1000000000})"
            + expectation + "]}");
}

void TestInterrupted::run()
{
    const Done run = interrupted(
        { u"run"_s, endlessRun(), u"--format"_s, u"json"_s, u"--max-events"_s, u"100000000"_s });
    QCOMPARE(run.exit, 130);
    QCOMPARE(run.json().value(u"complete"_s), QJsonValue(false));
    QCOMPARE(run.json().value(u"stoppedBy"_s), QJsonValue(u"canceled"_s));
    QVERIFY2(run.out.size() < 100'000, qPrintable(QString::number(run.out.size())));
    QVERIFY2(run.error.contains("canceled after"), run.error.constData());
}

void TestInterrupted::render()
{
    QByteArray text = "@startuml\n[*] --> s0\n";
    for (int i = 0; i < 20'000; ++i)
        text += "s" + QByteArray::number(i % 2'000) + " --> s"
            + QByteArray::number((qint64(i) * 7919 + 13) % 2'000) + " : e" + QByteArray::number(i)
            + "\n";
    const QString out = path(u"dense.svg"_s);
    const Done run =
        interrupted({ u"render"_s, written(u"dense.puml"_s, text + "@enduml\n"), out });
    QCOMPARE(run.exit, 130);
    const QByteArray svg = bytesOf(out);
    QVERIFY(svg.contains("Drawn simply"));
    QVERIFY(svg.trimmed().endsWith("</svg>"));
    QVERIFY2(run.error.contains("Drawn simply"), run.error.constData());
}

void TestInterrupted::limitsAreNamed()
{
    const QString file =
        endlessRun(R"(, {"at": 100000000000, "expect": {"operations": {"a": "Failed"}}})");
    const QStringList few { u"run"_s, file, u"--max-events"_s, u"5000"_s, u"--format"_s };
    const Done done = ran(few + QStringList { u"json"_s });
    QCOMPARE(done.exit, 4); // what is expected later was not seen
    QCOMPARE(done.json().value(u"complete"_s), QJsonValue(false));
    QCOMPARE(done.json().value(u"stoppedBy"_s), QJsonValue(u"events"_s));
    QVERIFY2(done.error.contains("stopped at the limit of events after 5000 events")
            && done.error.contains("with 1 of 2 steps taken"),
        done.error.constData());
    QVERIFY2(done.out.size() < 100'000, qPrintable(QString::number(done.out.size())));
    const Done junit = ran(few + QStringList { u"junit"_s });
    QCOMPARE(junit.exit, 4);
    QVERIFY2(!junit.out.contains("<testcase"), junit.out.constData());
}

const instar::TestClass<TestInterrupted> registered;
#include "tst_interrupted.moc"
