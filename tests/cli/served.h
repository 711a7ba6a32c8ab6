// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>

#include <csignal>

// `instar-cli serve` as a process, and clients that are processes, too.

namespace instar {

using namespace Qt::StringLiterals;

struct Done
{
    int exit = -1;
    QByteArray out, error;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

inline Done ran(const QString &program, const QStringList &arguments, const QString &folder = {},
    int ms = 60'000)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForFinished(ms)) {
        process.kill();
        process.waitForFinished();
        return { -1, {}, "it did not end" };
    }
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        process.readAllStandardOutput(), process.readAllStandardError() };
}

inline QString cli()
{
    return qEnvironmentVariable("INSTAR_CLI");
}

/// What the program prints, as text.
struct Ended
{
    int exit = -1;
    QString out, err;
};

/// Without the display that the tests may have.
inline Ended ranAlone(const QStringList &arguments, const QString &folder = {}, int ms = 60'000,
    const QString &locale = {})
{
    QStringList command { u"-u"_s, u"DISPLAY"_s, u"-u"_s, u"QT_QPA_PLATFORM"_s };
    if (!locale.isEmpty())
        command += u"LC_ALL="_s + locale;
    const Done done = ran(u"env"_s, command + QStringList { cli() } + arguments, folder, ms);
    return { done.exit, QString::fromUtf8(done.out), QString::fromUtf8(done.error) };
}

/// A controller that runs until it is told to stop.
class Served
{
public:
    explicit Served(const QStringList &arguments)
    {
        m_process.start(cli(), QStringList { u"serve"_s } + arguments);
        QElapsedTimer waiting;
        waiting.start();
        while (!m_process.canReadLine() && m_process.state() != QProcess::NotRunning
            && waiting.elapsed() < 20'000)
            m_process.waitForReadyRead(100);
        const QString line = QString::fromUtf8(m_process.readLine()).trimmed();
        static const QRegularExpression first(
            u"^listening on (https?://127\\.0\\.0\\.1:[0-9]+)$"_s);
        origin = first.match(line).captured(1);
        if (arguments.contains(u"--no-token"_s) || arguments.contains(u"--proxy"_s))
            return;
        while (!m_process.canReadLine() && m_process.waitForReadyRead(20'000)) { }
        token = QString::fromUtf8(m_process.readLine()).trimmed().section(u"token: "_s, 1);
    }
    ~Served()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    /// The exit code after a signal; -1: it does not end, or not of itself.
    int stopped(int signal)
    {
        ::kill(pid_t(m_process.processId()), signal);
        return m_process.waitForFinished(10'000) && m_process.exitStatus() == QProcess::NormalExit
            ? m_process.exitCode()
            : -1;
    }
    quint16 port() const { return quint16(origin.section(u':', -1).toUInt()); }

    QString token;  ///< that plans and resets show; empty: none was told
    QString origin; ///< empty: it did not say in the right words where it listens

private:
    QProcess m_process;
};

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
