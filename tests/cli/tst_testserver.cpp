// SPDX-License-Identifier: Apache-2.0
// A test server that others made for their own clients, whose long-running operations behave in
// every way, well and badly: packs of its descriptions drive all of them to their end. npm brings
// it; without npm the test is left out.

#include "tests/cli/served.h"
#include "tests/support/bytesof.h"
#include "tests/support/testclass.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace instar;
using namespace Qt::StringLiterals;

class TestTestServer : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void everyDescription();
    void everyLongRunningRoute();

private:
    struct Route
    {
        QString op, path; ///< as the pack has them
    };
    struct Ending
    {
        int exit = -1;
        QString status, code, line;
    };
    QString packOf(const QString &description) const
    {
        return m_folder.filePath(description + u".pack.json"_s);
    }
    QStringList importing(const QString &description) const
    {
        return { cli(), u"import"_s, m_server + u"/swagger/"_s + description, u"-o"_s,
            packOf(description) };
    }
    QList<Route> routesOf(const QString &pack) const;
    Ending endingOf(const Done &done) const;
    QMap<QString, Ending> driven(const QList<Route> &routes, const QString &pack);

    QTemporaryDir m_folder;
    QString m_server; ///< where the package is
    std::unique_ptr<QProcess> m_process;
    quint16 m_port = 0;
};

void TestTestServer::initTestCase()
{
    const QString npm = QStandardPaths::findExecutable(u"npm"_s),
                  node = QStandardPaths::findExecutable(u"node"_s);
    if (npm.isEmpty() || node.isEmpty())
        QSKIP("npm or node is not installed");
    const QString sources = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/autorest/");
    for (const QString &name : { u"package.json"_s, u"loopback.cjs"_s })
        QVERIFY(QFile::copy(sources + name, m_folder.filePath(name)));
    const Done installed = ran(npm,
        { u"install"_s, u"--no-audit"_s, u"--no-fund"_s, u"--prefer-offline"_s,
            u"--ignore-scripts"_s },
        m_folder.path(), 200'000);
    if (installed.exit != 0)
        QSKIP("npm cannot install the test server");
    m_server = m_folder.filePath(u"node_modules/@microsoft.azure/autorest.testserver"_s);
    {
        QTcpServer free;
        QVERIFY(free.listen(QHostAddress::LocalHost));
        m_port = free.serverPort();
    }
    m_process = std::make_unique<QProcess>();
    m_process->setWorkingDirectory(m_folder.path());
    m_process->setStandardOutputFile(QProcess::nullDevice());
    m_process->setStandardErrorFile(QProcess::nullDevice());
    m_process->start(node,
        { u"-r"_s, m_folder.filePath(u"loopback.cjs"_s), m_server + u"/dist/cli/cli.js"_s,
            u"--port"_s, QString::number(m_port), u"--coverageDirectory"_s, m_folder.path() });
    const auto listens = [this] {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, m_port);
        return socket.waitForConnected(1000);
    };
    QTRY_VERIFY_WITH_TIMEOUT(listens(), 60'000);
}

void TestTestServer::cleanupTestCase()
{
    if (m_process) {
        m_process->kill();
        m_process->waitForFinished();
    }
}

void TestTestServer::everyDescription()
{
    if (m_server.isEmpty())
        QSKIP("there is no test server");
    const QStringList names =
        QDir(m_server + u"/swagger"_s).entryList({ u"*.json"_s }, QDir::Files);
    QVERIFY(names.size() > 60);
    QList<QStringList> imports, checks;
    for (const QString &name : names)
        imports.append(importing(name));
    const QList<Done> imported = ranAtOnce(imports);
    QStringList empty;
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (imported[i].exit == 0)
            checks.append({ cli(), u"check"_s, packOf(names[i]) });
        else
            empty += names[i];
    }
    const QList<Done> checked = ranAtOnce(checks);
    for (const Done &check : checked)
        QVERIFY2(check.exit == 0, (check.out + check.error).constData());
    // They hold nothing, or HEAD alone.
    QCOMPARE(empty,
        (QStringList { u"client-enum.json"_s, u"head-exceptions.json"_s, u"head.json"_s,
            u"no-operations.json"_s, u"security-aad.json"_s, u"security-key.json"_s }));
}

/// The operations of a pack, each with the path that its request is about.
QList<TestTestServer::Route> TestTestServer::routesOf(const QString &pack) const
{
    const QJsonObject json = QJsonDocument::fromJson(bytesOf(pack)).object();
    const QJsonObject operations = json.value("operations"_L1).toObject();
    QList<Route> routes;
    for (const QJsonValue row : json.value("wire"_L1).toObject().value("requests"_L1).toArray()) {
        const QString op = row.toObject().value("ask"_L1).toString();
        if (operations.contains(op))
            routes += Route { op, row.toObject().value("of"_L1).toString() };
    }
    return routes;
}

TestTestServer::Ending TestTestServer::endingOf(const Done &done) const
{
    Ending ending;
    ending.exit = done.exit;
    const QJsonObject operation = done.json()["operations"_L1][0].toObject();
    const QJsonObject error = operation.value("error"_L1).toObject();
    ending.status = operation.value("status"_L1).toString();
    ending.code = error.value("code"_L1).toString();
    ending.line = ending.status + u' ' + ending.code + u": "_s
        + error.value("message"_L1).toString() + QString::fromUtf8(done.error);
    return ending;
}

/// Each by a program of its own, since the server knows its clients by a cookie; many at a time,
/// since they wait most of the time until they may ask again.
QMap<QString, TestTestServer::Ending> TestTestServer::driven(
    const QList<Route> &routes, const QString &pack)
{
    QList<QStringList> commands;
    for (const Route &route : routes) {
        const QJsonObject step { { u"at"_s, 0 }, { u"op"_s, route.op }, { u"path"_s, route.path } };
        const QString scenario = written(m_folder.filePath(route.op + u".scenario.json"_s),
            QJsonDocument(QJsonObject { { u"pack"_s, pack }, { u"resources"_s, QJsonArray() },
                              { u"steps"_s, QJsonArray { step } } })
                .toJson());
        commands.append({ cli(), u"drive"_s, u"http://127.0.0.1:%1"_s.arg(m_port), scenario,
            u"--pack"_s, pack, u"--format"_s, u"json"_s, u"--create"_s });
    }
    const QList<Done> done = ranAtOnce(commands, 20);
    QMap<QString, Ending> endings;
    for (qsizetype i = 0; i < routes.size(); ++i)
        endings.insert(routes[i].op, endingOf(done[i]));
    return endings;
}

namespace {

/// The words of the server's own paths: what becomes of an operation there. "Lost" is what cannot
/// be known, with what the server did instead of saying it.
QString expectedEnding(const QString &id)
{
    const bool isBroken = id.startsWith(u"LROSADs_"_s);
    if (id == u"LROSADs_delete204Succeeded")
        return u"Succeeded"_s; // an answer without a place to ask, which nobody needs
    if (id.startsWith(u"LROSADs_delete"_s) && id.endsWith(u"InvalidHeader"_s))
        return u"Succeeded"_s; // the place to ask is missing, and so is what was to be deleted
    if (isBroken && !id.contains(u"400"_s))
        return u"Lost"_s;
    if (isBroken)
        return id.contains(u"NonRetry400"_s) && !id.contains(u"20"_s)  ? u"Rejected"_s
            : id.contains(u"NonRetry201"_s) || id.contains(u"Async"_s) ? u"Lost"_s
                                                                       : u"Failed"_s;
    if (id.startsWith(u"LROsCustomHeader_"_s))
        return u"Rejected"_s; // it wants a header that its description does not name
    if (id.startsWith(u"LRORetrys_"_s))
        return u"Failed"_s; // 500, which it wants to be taken for nothing
    return id.contains(u"canceled"_s) ? u"Canceled"_s
        : id.contains(u"Failed"_s)    ? u"Failed"_s
                                      : u"Succeeded"_s;
}

} // namespace

/// What its own description says goes on after the answer, comes to an end; where the server lets
/// it fail, in the server's own words.
void TestTestServer::everyLongRunningRoute()
{
    if (m_server.isEmpty())
        QSKIP("there is no test server");
    QCOMPARE(ranAtOnce({ importing(u"lro.json"_s) }).first().exit, 0);
    const QString pack = packOf(u"lro.json"_s);
    const QList<Route> routes = routesOf(pack);
    QCOMPARE(routes.size(), 81);
    const QMap<QString, Ending> endings = driven(routes, pack);
    QCOMPARE(endings.size(), 81);
    QStringList wrong;
    for (auto it = endings.cbegin(); it != endings.cend(); ++it) {
        const bool isLost = it->code == u"Lost" || it->code == u"Forgotten";
        const bool isGood = it->status == u"Succeeded";
        // 5: some of these servers say nothing that could be judged.
        const bool hasUsualExit = isLost ? it->exit == 1 : it->exit == 0 || it->exit == 5;
        if ((isLost ? u"Lost"_s : it->status) != expectedEnding(it.key()) || !hasUsualExit
            || it->code.isEmpty() != isGood)
            wrong += u"%1, expected %2: %3"_s.arg(it.key(), expectedEnding(it.key()), it->line);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

const instar::TestClass<TestTestServer> registered;
#include "tst_testserver.moc"
