// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/bytesof.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <csignal>
#include <memory>
#include <vector>

// `instar-cli serve` as a process, and clients that are processes, too.

namespace instar {

using namespace Qt::StringLiterals;

struct Done
{
    int exit = -1;
    QByteArray out, error;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// What a program has printed; exit -1: it did not begin, or did not end by itself.
inline Done doneOf(QProcess &process)
{
    const bool hasEnded = !process.program().isEmpty() && process.state() == QProcess::NotRunning
        && process.error() != QProcess::FailedToStart
        && process.exitStatus() == QProcess::NormalExit;
    return { hasEnded ? process.exitCode() : -1, process.readAllStandardOutput(),
        process.readAllStandardError() };
}

inline Done ran(const QString &program, const QStringList &arguments, const QString &folder = {},
    int ms = 60'000, const QByteArray &input = {})
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(ms)) {
        process.kill();
        process.waitForFinished();
        return { -1, {}, "it did not end" };
    }
    return doneOf(process);
}

inline QString cli()
{
    return qEnvironmentVariable("INSTAR_CLI");
}

inline Done ran(const QStringList &arguments)
{
    return ran(cli(), arguments, {}, 120'000);
}

/// Folder with the files of a test.
struct FolderUnderTest
{
    QTemporaryDir m_folder;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    QString written(const QString &name, const QByteArray &bytes) const
    {
        return instar::written(path(name), bytes);
    }
};

/// What the program prints, as text.
struct Ended
{
    int exit = -1;
    QString out, err;
};

/// Without the display that the tests may have.
inline Ended ranAlone(const QStringList &arguments, const QString &folder = {}, int ms = 120'000,
    const QString &locale = {})
{
    QStringList command { u"-u"_s, u"DISPLAY"_s, u"-u"_s, u"QT_QPA_PLATFORM"_s };
    if (!locale.isEmpty())
        command += u"LC_ALL="_s + locale;
    const Done done = ran(u"env"_s, command + QStringList { cli() } + arguments, folder, ms);
    return { done.exit, QString::fromUtf8(done.out), QString::fromUtf8(done.error) };
}

/// Bad usage or input: nothing but one line on stderr, which says so.
inline void compareRefused(const Ended &ended, const QString &says)
{
    QVERIFY2(ended.exit == 2,
        qPrintable(u"exit %1: "_s.arg(ended.exit) + ended.out.left(300) + ended.err.left(300)));
    QCOMPARE(ended.out, QString());
    QVERIFY2(ended.err.startsWith(u"instar-cli: "_s), qPrintable(ended.err));
    QVERIFY2(ended.err.count(u'\n') == 1 && ended.err.endsWith(u'\n'), qPrintable(ended.err));
    QVERIFY2(ended.err.size() < 1500, qPrintable(ended.err.left(300)));
    QVERIFY2(ended.err.contains(says), qPrintable(ended.err));
}

/// A controller that runs until it is told to stop.
class Served
{
public:
    explicit Served(const QStringList &arguments)
    {
        m_process.start(cli(), QStringList { u"serve"_s } + arguments);
        const QString line = nextLine();
        static const QRegularExpression first(
            u"^listening on (https?://127\\.0\\.0\\.1:[0-9]+)$"_s);
        origin = first.match(line).captured(1);
        if (arguments.contains(u"--no-token"_s) || arguments.contains(u"--proxy"_s))
            return;
        token = nextLine().section(u"token: "_s, 1);
    }
    ~Served()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    /// What it says after a signal; exit -1: it does not end, or not of itself.
    Done ended(int signal)
    {
        ::kill(pid_t(m_process.processId()), signal);
        m_process.waitForFinished(60'000);
        return doneOf(m_process);
    }
    int stopped(int signal) { return ended(signal).exit; }
    quint16 port() const { return quint16(origin.section(u':', -1).toUInt()); }

    QString token;  ///< that plans and resets show; empty: none was told
    QString origin; ///< empty: it did not say in the right words where it listens

private:
    QString nextLine()
    {
        while (!m_process.canReadLine() && m_process.waitForReadyRead(20'000)) { }
        return QString::fromUtf8(m_process.readLine()).trimmed();
    }

    QProcess m_process;
};

/// A server of a scenario, and the program that drives the scenario against it.
class DrivenServer
{
public:
    DrivenServer(const QString &file, const QStringList &options)
        : m_options(options + QStringList { file })
    {
        m_server.start(cli(), { u"serve"_s, file, u"--port"_s, u"0"_s, u"--no-token"_s });
        m_clock.start();
    }
    virtual ~DrivenServer()
    {
        for (QProcess *process : { &m_driver, &m_server }) {
            process->kill();
            process->waitForFinished();
        }
    }

    /// Drives as soon as the server listens. Returns true once it is over, or too late.
    bool isOver()
    {
        if (m_url.isEmpty() && m_server.canReadLine()) {
            m_url = QString::fromUtf8(m_server.readLine()).trimmed().section(u' ', 2);
            begin();
            return false;
        }
        const bool hasEnded =
            (m_url.isEmpty() ? m_server : m_driver).state() == QProcess::NotRunning && !m_isWaiting;
        return hasEnded || m_clock.elapsed() > 60'000;
    }
    /// Exit -1: it did not end by itself.
    Done driven() { return doneOf(m_driver); }

protected:
    virtual void begin() { drive(); }
    void drive()
    {
        m_isWaiting = false;
        m_driver.start(cli(), QStringList { u"drive"_s, m_url } + m_options);
    }

    QString m_url;
    bool m_isWaiting = false; ///< begin() drives later

private:
    QStringList m_options;
    QProcess m_server, m_driver;
    QElapsedTimer m_clock;
};

/// Lets so many of them run at once, until all are over.
template<typename Next, typename Over>
void runAll(qsizetype count, size_t atOnce, Next next, Over over)
{
    std::vector<decltype(next(0))> runs;
    for (qsizetype begun = 0; begun < count || !runs.empty();) {
        while (runs.size() < atOnce && begun < count)
            runs.push_back(next(begun++));
        QTest::qWait(20);
        std::erase_if(runs, [&](const auto &run) {
            const bool isOver = run->isOver();
            if (isOver)
                over(*run);
            return isOver;
        });
    }
}

/// Runs programs, so many at once, while servers of this process go on. Each has its arguments
/// behind it, and at most two minutes. What they printed is in the same order.
inline QList<Done> ranAtOnce(const QList<QStringList> &commands, size_t most = 4)
{
    struct Run
    {
        Run(qsizetype place, const QStringList &command) : at(place)
        {
            clock.start();
            process.start(command.first(), command.mid(1), QIODevice::ReadOnly);
        }
        ~Run()
        {
            process.kill();
            process.waitForFinished();
        }
        bool isOver() const
        {
            return process.state() == QProcess::NotRunning || clock.elapsed() > 120'000;
        }

        qsizetype at;
        QProcess process;
        QElapsedTimer clock;
    };
    QList<Done> done(commands.size());
    runAll(
        commands.size(), most, [&](qsizetype i) { return std::make_unique<Run>(i, commands[i]); },
        [&](Run &run) { done[run.at] = doneOf(run.process); });
    return done;
}

/// The names of an XML document's elements; none: it is not well-formed.
inline QStringList elementsOf(const QByteArray &xml)
{
    QStringList elements;
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement)
            elements += reader.name().toString();
    }
    return reader.hasError() ? QStringList() : elements;
}

/// A response as curl shows it with -i: the status of the last one, and its body.
struct Answer
{
    int status = 0;
    QMap<QString, QString> headers; ///< folded names
    QByteArray body;
    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
};

inline Answer curl(const QStringList &arguments)
{
    const Done done =
        ran(u"curl"_s, QStringList { u"-s"_s, u"-i"_s, u"--max-time"_s, u"20"_s } + arguments);
    Answer answer;
    QByteArray rest = done.out;
    while (rest.startsWith("HTTP/")) {
        const qsizetype end = rest.indexOf("\r\n\r\n");
        const QList<QByteArray> lines = rest.left(end).split('\n');
        rest = rest.mid(end + 4);
        answer.status = lines.first().split(' ').value(1).toInt();
        answer.headers.clear();
        for (const QByteArray &line : lines.mid(1)) {
            const qsizetype colon = line.indexOf(':');
            answer.headers.insert(QString::fromLatin1(line.left(colon)).toLower(),
                QString::fromLatin1(line.mid(colon + 1)).trimmed());
        }
    }
    answer.body = rest;
    return answer;
}

} // namespace instar
