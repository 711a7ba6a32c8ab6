// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTcpSocket>
#include <QUrl>

namespace instar {

/// tests/data/keystone/gate.py as a process: gives tokens, and passes on what shows one.
class Gate
{
public:
    explicit Gate(const QJsonObject &settings)
    {
        m_process.start(QStringLiteral("python3"),
            { QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/keystone/gate.py"),
                QString::fromUtf8(QJsonDocument(settings).toJson(QJsonDocument::Compact)) });
        QElapsedTimer waiting;
        waiting.start();
        while (!m_process.canReadLine() && m_process.state() != QProcess::NotRunning
            && waiting.elapsed() < 20'000)
            m_process.waitForReadyRead(100);
        origin = QString::fromUtf8(m_process.readLine()).trimmed();
        if (origin.isEmpty())
            qFatal("the gate does not stand: %s", m_process.readAllStandardError().constData());
    }
    ~Gate()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
    }

    QUrl url(const QString &path = {}) const { return QUrl(origin + path); }
    int counted(const char *what) const { return asked().value(QLatin1String(what)).toInt(); }

    /// Who is let in, and where.
    struct User
    {
        QString name = QStringLiteral("alice"), password = QStringLiteral("pass word of alice"),
                domain = QStringLiteral("Default"), project = QStringLiteral("lab"), keystone;
    };
    User user() const { return { .keystone = origin + QStringLiteral("/identity/v3") }; }

    QString origin;

private:
    /// Returns the numbers of requests that the gate has counted.
    QJsonObject asked() const
    {
        QTcpSocket socket;
        socket.connectToHost(url().host(), quint16(url().port()));
        socket.waitForConnected();
        socket.write("GET /_gate HTTP/1.0\r\n\r\n");
        QByteArray answer;
        while (socket.waitForReadyRead())
            answer += socket.readAll();
        return QJsonDocument::fromJson(answer.mid(answer.indexOf("\r\n\r\n"))).object();
    }

    QProcess m_process;
};

} // namespace instar
