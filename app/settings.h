// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/connectdialog.h"

#include <QByteArray>
#include <QStringList>
#include <QVariantMap>

#include <functional>
#include <optional>

namespace instar {

/// Which colours the user wants.
enum class ThemeChoice { System, Light, Dark, HighContrast, ColourBlind };
/// As it is written: "system", or the name of a theme.
QString themeName(ThemeChoice choice);
std::optional<ThemeChoice> themeNamed(const QString &name);
/// Whether things move: as the desktop says, or as somebody has chosen.
enum class MotionChoice { System, Full, Reduced };

/// What is remembered from one run to the next.
class Settings
{
public:
    /// `report` is called with one sentence when something cannot be kept, once for each reason.
    void reportProblems(const std::function<void(const QString &)> &report) { m_report = report; }

    QStringList recentFiles() const;
    void addRecentFile(const QString &file);

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);
    MotionChoice motion() const;
    void setMotion(MotionChoice choice);

    QByteArray geometry() const;
    QByteArray rooms() const;
    void setWindow(const QByteArray &geometry, const QByteArray &rooms);

    /// Servers that were connected to, newest first; never their secrets.
    QList<ConnectChoice> connections() const;
    void setConnections(const QList<ConnectChoice> &connections);

    /// What was open when the program ended: what each window showed, which resource was selected
    /// in it, what was armed, and what ran.
    struct Open
    {
        QString source, path;
        QByteArray armed {}; ///< as armedText() has it; empty: nothing
        QByteArray run {};   ///< everything that was asked, as a scenario; empty: nothing was
        qint64 time = 0;     ///< until which it is known, virtual ms
        qint64 moment = 0;   ///< the one shown
        bool operator==(const Open &) const = default;
    };
    /// Of files only those that are still there.
    QList<Open> session() const;
    void setSession(const QList<Open> &session);

    /// Lessons that were followed to their end: their files.
    QStringList doneLessons() const;
    void addDoneLesson(const QString &file);

private:
    void change(const std::function<void(QVariantMap &)> &change);
    void report(const QString &problem);

    std::function<void(const QString &)> m_report;
    QString m_problem; ///< why not everything is kept
};

} // namespace instar
