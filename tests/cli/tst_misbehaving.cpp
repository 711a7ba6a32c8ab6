// SPDX-License-Identifier: Apache-2.0
// Servers that break a rule on purpose, each in a process of its own, and `drive` that finds it.

#include "model/conformance/misbehaviour.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace instar;
using namespace Qt::StringLiterals;

class TestMisbehaving : public QObject
{
    Q_OBJECT

private slots:
    void all();
};

namespace {

constexpr int AtOnce = 4;
constexpr int PatienceMs = 60'000; ///< for one server and its driver

/// One rule that is broken: by which scenario, and which of the pack's rows are named for it. What
/// is noticed first depends on who is quicker.
struct Case
{
    QString fault;
    QByteArray steps; ///< beside looks at everything
    QStringList rules;
};

const QByteArray put =
    R"({"at": 0, "op": "PUT", "path": "/logicalNetworks/n", "id": "a", "client": "A"})";
const QByteArray putBelow =
    R"({"at": 0, "op": "PUT", "path": "/logicalNetworks/n/subnets/s", "id": "a", "client": "A"})";
const QByteArray removal =
    R"({"at": 0, "op": "DELETE", "path": "/logicalNetworks/n", "id": "a", "client": "A"})";
const QByteArray collision =
    R"({"at": 300, "op": "PUT", "path": "/logicalNetworks/n/subnets/s", "id": "b", "client": "B"})";

QByteArray scenario(const QByteArray &steps)
{
    QByteArray text = R"({"pack": "network-controller", "resources": [
        {"path": "/logicalNetworks/n"}, {"path": "/logicalNetworks/n/subnets/s"},
        {"path": "/logicalNetworks/n/subnets/t"}, {"path": "/logicalNetworks/m"}], "steps": [)"
        + steps;
    for (const char *at : { "200", "500", "800", "1500", "2600" })
        text += QByteArray(",\n{\"at\": ") + at + R"(, "expect": {"violations": 0}})";
    return text + "]}";
}

/// A server that was told to break a rule, and the program that drives it.
class Run
{
public:
    Run(const Case &broken, const QString &file) : m_case(broken), m_file(file)
    {
        m_server.start(qEnvironmentVariable("INSTAR_CLI"),
            { u"serve"_s, file, u"--port"_s, u"0"_s, u"--no-token"_s }, QIODevice::ReadOnly);
        m_clock.start();
    }
    ~Run()
    {
        for (QProcess *process : { &m_driver, &m_server }) {
            process->kill();
            process->waitForFinished();
        }
    }

    bool isOver()
    {
        if (m_url.isEmpty() && m_server.canReadLine()) {
            m_url = QString::fromUtf8(m_server.readLine()).trimmed().section(u' ', 2);
            plan();
        }
        const bool hasBegun = !m_driver.program().isEmpty();
        const bool hasEnded = (hasBegun ? m_driver : m_server).state() == QProcess::NotRunning;
        return hasEnded || m_clock.elapsed() > PatienceMs;
    }
    QString problem()
    {
        const QByteArray out = m_driver.readAllStandardOutput();
        const QJsonObject verdict =
            QJsonDocument::fromJson(out).object().value("verdict"_L1).toObject();
        const QString all = m_case.fault + u": "_s
            + QString::fromUtf8(QJsonDocument(verdict).toJson(QJsonDocument::Compact))
            + QString::fromUtf8(m_driver.readAllStandardError());
        const QString judged = verdict.value("verdict"_L1).toString();
        if (m_case.rules.isEmpty())
            return judged == u"conforms" && m_driver.exitCode() == 0 ? QString() : all;
        const QString rule = verdict.value("violation"_L1).toObject().value("rule"_L1).toString();
        const bool isNamed = std::ranges::any_of(
            m_case.rules, [&](const QString &row) { return rule.contains(row); });
        const bool isFound = judged == u"violates" && m_driver.exitCode() == 1 && isNamed
            && !verdict.value("minimal"_L1).toArray().isEmpty();
        return isFound ? QString() : all;
    }

private:
    void plan()
    {
        QNetworkRequest request(QUrl(m_url + u"/_instar/plan"_s));
        request.setHeader(QNetworkRequest::ContentTypeHeader, "application/json");
        const QByteArray body = m_case.fault.isEmpty()
            ? QByteArray("{\"duration\": 1000}")
            : "{\"fault\": \"" + m_case.fault.toLatin1() + "\"}";
        QNetworkReply *reply = m_network.post(request, body);
        QObject::connect(reply, &QNetworkReply::finished, reply, [this, reply] {
            reply->deleteLater();
            m_driver.start(qEnvironmentVariable("INSTAR_CLI"),
                { u"drive"_s, m_url, u"--pack"_s, u"network-controller"_s, m_file, u"--format"_s,
                    u"json"_s },
                QIODevice::ReadOnly);
        });
    }

    Case m_case;
    QString m_file, m_url;
    QProcess m_server, m_driver;
    QNetworkAccessManager m_network;
    QElapsedTimer m_clock;
};

} // namespace

void TestMisbehaving::all()
{
    const QString stamps = u"One new etag for everything that the operation moves"_s;
    const QString success = u"from Updating on succeeded to Succeeded"_s;
    const QString failure = u"from Updating, Deleting on failed to Failed"_s;
    QList<Case> cases;
    const auto add = [&](const QString &fault, const QByteArray &steps, const QStringList &rules) {
        cases += Case { fault, steps, rules };
    };
    add({}, put + ",\n" + collision, {});
    add(u"lostUpdate"_s, put, { stamps });
    add(u"stuckTransitional"_s, put, { success });
    add(u"wrongFinalState"_s, put, { success, failure });
    add(u"prematureSucceeded"_s, put, { success });
    add(u"zombieAfterDelete"_s, removal,
        { u"on DELETE to Deleting"_s, u"all its descendants are gone"_s });
    add(u"siblingMoved"_s, putBelow, { u"none is running"_s });
    add(u"missingConflict"_s, removal + ",\n" + collision,
        { u"is running in this tree"_s, u"on a descendant"_s });
    add(u"wrongCanceled"_s, put, { u"A newer PUT cancels"_s });
    add(u"etagUnchanged"_s, put, { stamps });
    add(u"etagLate"_s, put, { stamps });
    QCOMPARE(cases.size(), faults().size() + 1);
    const QTemporaryDir folder;
    QList<Case> waiting = cases;
    std::vector<std::unique_ptr<Run>> runs;
    QStringList problems;
    while (!waiting.isEmpty() || !runs.empty()) {
        while (int(runs.size()) < AtOnce && !waiting.isEmpty()) {
            const Case next = waiting.takeFirst();
            const QString name = folder.filePath(u"s%1.scenario.json"_s.arg(waiting.size()));
            written(name, scenario(next.steps));
            runs.push_back(std::make_unique<Run>(next, name));
        }
        QTest::qWait(20);
        std::erase_if(runs, [&](const std::unique_ptr<Run> &run) {
            if (!run->isOver())
                return false;
            if (const QString problem = run->problem(); !problem.isEmpty())
                problems += problem;
            return true;
        });
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u"\n\n"_s)));
}

const TestClass<TestMisbehaving> registered;
#include "tst_misbehaving.moc"
