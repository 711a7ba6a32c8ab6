// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/connectdialog.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QStringList>

#include <functional>
#include <optional>

class QJsonObject;

namespace instar {

/// Persistent settings of the program, in a JSON file.
class Settings
{
    Q_DECLARE_TR_FUNCTIONS(instar::Settings)
public:
    static QString file();
    /// Calls `report` with one sentence when settings cannot be stored, once for each reason.
    void reportProblems(const std::function<void(const QString &)> &report) { m_report = report; }

    QStringList recentFiles() const;
    void addRecentFile(const QString &file);

    QString theme() const; ///< name of a theme, or "system"
    void setTheme(const QString &name);
    std::optional<bool> isStill() const; ///< animations are off; absent: the desktop decides
    void setStill(bool still);

    QByteArray geometry() const;
    QByteArray rooms() const; ///< layout of the panels in each room
    void setWindow(const QByteArray &geometry, const QByteArray &rooms);

    /// Recently connected servers, newest first, without their secrets.
    QList<ConnectChoice> connections() const;
    void setConnections(const QList<ConnectChoice> &connections);

    /// Branch of a window's run.
    struct Branch
    {
        QByteArray run;    ///< all requests since the run's beginning, as a scenario
        qint64 time = 0;   ///< end of the run (virtual ms)
        qint64 moment = 0; ///< the moment shown
        QString name {};
        quint32 id = 0, trunk = 0; ///< of this branch (0: the first), and of the one it forked from
        qint64 fork = 0;           ///< moment of the fork
        bool operator==(const Branch &) const = default;
    };
    /// Content of a window in the last session.
    struct Open
    {
        QString source, path;      ///< `path`: of the selected resource
        QByteArray burst {};       ///< requests of the burst, as a scenario; empty: none
        QList<Branch> branches {}; ///< the original branch first; empty: nothing was run
        quint32 branch = 0;        ///< id of the branch shown
        bool operator==(const Open &) const = default;
    };
    /// Windows of the last session, without those whose file is gone.
    QList<Open> session() const;
    void setSession(const QList<Open> &session);

    /// Files of the completed lessons.
    QStringList doneLessons() const;
    void addDoneLesson(const QString &file);

private:
    /// Writes changed settings to the file; keeps the others.
    void store(const QJsonObject &changed);
    void report(const QString &problem);

    std::function<void(const QString &)> m_report;
    QString m_problem; ///< reason reported last
};

} // namespace instar
