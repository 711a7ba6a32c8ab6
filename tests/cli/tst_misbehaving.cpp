// SPDX-License-Identifier: Apache-2.0
// Servers that break a rule on purpose, each in a process of its own, and `drive` that finds it.

#include "model/conformance/misbehaviour.h"
#include "tests/cli/served.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QNetworkAccessManager>
#include <QNetworkReply>
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
class Run : public DrivenServer
{
public:
    Run(const Case &broken, const QString &file)
        : DrivenServer(file, { u"--pack"_s, u"network-controller"_s, u"--format"_s, u"json"_s }),
          m_case(broken)
    { }

    QString problem()
    {
        const Done done = driven();
        const QJsonValue verdict = done.json()["verdict"_L1];
        const QString all = m_case.fault + u": "_s + QString::fromUtf8(done.out + done.error);
        if (m_case.rules.isEmpty())
            return verdict["verdict"_L1].toString() == u"conforms" && done.exit == 0 ? QString()
                                                                                     : all;
        const QString rule = verdict["violation"_L1]["rule"_L1].toString();
        const bool isNamed = std::ranges::any_of(
            m_case.rules, [&](const QString &row) { return rule.contains(row); });
        const bool isFound = verdict["verdict"_L1].toString() == u"violates" && done.exit == 1
            && isNamed && !verdict["minimal"_L1].toArray().isEmpty();
        return isFound ? QString() : all;
    }

private:
    void begin() override
    {
        m_isWaiting = true;
        QNetworkRequest request(QUrl(m_url + u"/_instar/plan"_s));
        request.setHeader(QNetworkRequest::ContentTypeHeader, "application/json");
        const QByteArray body = m_case.fault.isEmpty()
            ? QByteArray("{\"duration\": 1000}")
            : "{\"fault\": \"" + m_case.fault.toLatin1() + "\"}";
        QNetworkReply *reply = m_network.post(request, body);
        QObject::connect(reply, &QNetworkReply::finished, reply, [this, reply] {
            reply->deleteLater();
            drive();
        });
    }

    Case m_case;
    QNetworkAccessManager m_network;
};

} // namespace

void TestMisbehaving::all()
{
    const QString stamps = u"one new etag to every resource that it moves"_s;
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
    add(u"siblingMoved"_s, putBelow, { u"no operation is running"_s });
    add(u"missingConflict"_s, removal + ",\n" + collision,
        { u"is running in this tree"_s, u"on a descendant"_s });
    add(u"wrongCanceled"_s, put, { u"A newer PUT cancels"_s });
    add(u"etagUnchanged"_s, put, { stamps });
    add(u"etagLate"_s, put, { stamps });
    QCOMPARE(cases.size(), faults().size() + 1);
    const QTemporaryDir folder;
    QStringList problems;
    runAll(
        cases.size(), 4,
        [&](qsizetype i) {
            const QString file = folder.filePath(u"s%1.scenario.json"_s.arg(i));
            return std::make_unique<Run>(cases[i], written(file, scenario(cases[i].steps)));
        },
        [&](Run &run) {
            if (const QString problem = run.problem(); !problem.isEmpty())
                problems += problem;
        });
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u"\n\n"_s)));
}

const TestClass<TestMisbehaving> registered;
#include "tst_misbehaving.moc"
