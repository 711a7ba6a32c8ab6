// SPDX-License-Identifier: Apache-2.0
// Every shipped scenario of the packs that are spoken over HTTP, driven against a server of its
// own, several at once, in real time.

#include "tests/support/testclass.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;

class TestDriveShipped : public QObject
{
    Q_OBJECT

private slots:
    void all();
};

namespace {

constexpr int AtOnce = 4;
constexpr int PatienceMs = 60'000; ///< for one scenario

/// A server of a scenario, and the program that drives the scenario against it.
class Run
{
public:
    Run(const QString &pack, const QString &file) : m_pack(pack), m_file(file)
    {
        m_server.start(qEnvironmentVariable("INSTAR_CLI"),
            { u"serve"_s, file, u"--port"_s, u"0"_s }, QIODevice::ReadOnly);
        m_clock.start();
    }
    ~Run()
    {
        for (QProcess *process : { &m_driver, &m_server }) {
            process->kill();
            process->waitForFinished();
        }
    }

    /// Whether it is over; what went wrong is in problem().
    bool isOver()
    {
        if (m_driver.state() == QProcess::NotRunning && m_driver.program().isEmpty()
            && m_server.canReadLine()) {
            const QString url = QString::fromUtf8(m_server.readLine()).trimmed().section(u' ', 2);
            m_driver.start(qEnvironmentVariable("INSTAR_CLI"),
                { u"drive"_s, url, u"--pack"_s, m_pack, m_file }, QIODevice::ReadOnly);
            return false;
        }
        const bool hasBegun = !m_driver.program().isEmpty();
        const bool hasEnded = (hasBegun ? m_driver : m_server).state() == QProcess::NotRunning;
        return hasEnded || m_clock.elapsed() > PatienceMs;
    }
    QString problem()
    {
        if (m_driver.state() != QProcess::NotRunning || m_driver.program().isEmpty())
            return m_file + u": did not end"_s;
        if (m_driver.exitStatus() == QProcess::NormalExit && m_driver.exitCode() == 0)
            return {};
        return QString::fromUtf8(
            m_driver.readAllStandardOutput() + m_driver.readAllStandardError());
    }

private:
    QString m_pack, m_file;
    QProcess m_server, m_driver;
    QElapsedTimer m_clock;
};

} // namespace

void TestDriveShipped::all()
{
    QList<std::pair<QString, QString>> waiting; // pack, file
    for (const QString &pack : { u"network-controller"_s, u"network-controller-sync"_s }) {
        const QDir folder(QStringLiteral(INSTAR_SOURCE_DIR "/resources/scenarios/") + pack);
        for (const QString &name :
            folder.entryList({ u"*.scenario.json"_s }, QDir::Files, QDir::Name))
            waiting.emplaceBack(pack, folder.filePath(name));
    }
    QVERIFY(waiting.size() > 50);
    std::vector<std::unique_ptr<Run>> runs;
    QStringList problems;
    while (!waiting.isEmpty() || !runs.empty()) {
        while (runs.size() < AtOnce && !waiting.isEmpty()) {
            const auto [pack, file] = waiting.takeFirst();
            runs.push_back(std::make_unique<Run>(pack, file));
        }
        std::erase_if(runs, [&](const std::unique_ptr<Run> &run) {
            if (!run->isOver())
                return false;
            if (const QString problem = run->problem(); !problem.isEmpty())
                problems += problem;
            return true;
        });
        QTest::qWait(20);
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
}

const instar::TestClass<TestDriveShipped> registered;
#include "tst_driveshipped.moc"
