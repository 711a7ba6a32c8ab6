// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/opening.h"
#include "app/settings.h"
#include "app/systemtheme.h"
#include "views/document/journal.h"
#include "views/drawing/theme.h"
#include "views/panels/startpage.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QTranslator>

namespace instar {

class MainWindow;
class Task;

/// The running program: its windows, one for each opened source, and what they share.
class Program : public QObject
{
    Q_OBJECT
public:
    explicit Program(QObject *parent = nullptr);

    Settings &settings() { return m_settings; }
    /// Name of a theme, or "system" to follow the desktop.
    const QString &themeName() const { return m_theme; }
    void setTheme(const QString &name);
    void setStill(bool still);
    /// Returns true if animations are off.
    bool isStill() const;

    /// Opens a source in a new window and closes `asker` if it is untouched. After an error shows a
    /// message and returns null.
    MainWindow *open(const QString &source, MainWindow *asker = nullptr);
    /// Like open(), but in the background; the window `asker` shows the progress and can cancel.
    void openBeside(const QString &source, MainWindow *asker);
    /// Opens a new window with a trace, at its beginning. `name`: source of the pack.
    void openTrace(const Pack &pack, const QString &name, const Scenario &trace, MainWindow *asker);
    /// Opens a new window at the beginning of `trace`, with the rules and initial state of `stage`.
    void openPlayed(const Stage &stage, const Rehearsal::Trace &trace);
    /// Shows a page with the built-in packs, recent files and servers.
    void showStart(MainWindow *asker);
    /// Asks for a server and opens a window that drives it.
    void connectToServer(MainWindow *asker);
    /// Opens a window that drives the chosen server. Fails if the URL or the pack is unusable.
    Result<MainWindow *> connectTo(const ConnectChoice &choice, MainWindow *asker = nullptr);
    /// Offers to recover the unsaved documents of a crashed program, one after another, in the
    /// newest window.
    void offerLost();
    const QList<QPointer<MainWindow>> &windows() const { return m_windows; }
    /// Opens the sources of the command line, or the last session if there are none. Checks each
    /// recording of a server for conformance. Returns false if no window could be opened.
    bool openFirst(const QStringList &sources);
    /// Reopens the windows of the last session. Returns false if it opened none.
    bool restoreSession();
    /// Stores the open windows as the session, without `closing` unless it is the last one.
    void keepSession(const MainWindow *closing = nullptr);
    /// Stores the session within a second, once for many calls.
    void keepSessionSoon();
    /// Closes every window; a window with unsaved changes may refuse.
    void quit();
    /// Ids and titles of the built-in packs.
    const QList<StartPage::Start> &systems() const { return m_systems; }

signals:
    void themeChanged();
    void motionChanged();

private:
    /// Shows what was loaded, with its diagnostics; shows an error and returns null if it failed.
    MainWindow *showOpened(Result<Opened> content, MainWindow *asker);
    void askForLost(); ///< offers to recover m_lost.first()
    void recover(const LostDocument &lost);
    MainWindow *show(Opened content, MainWindow *asker);

    Settings m_settings;
    QTranslator m_language;
    SystemTheme m_system; ///< must be constructed before the program sets a palette
    QString m_theme;
    std::optional<bool> m_still; ///< absent: as the desktop says
    QList<QPointer<MainWindow>> m_windows;
    QList<QPointer<Task>> m_openings; ///< of openBeside()
    QList<StartPage::Start> m_systems;
    QList<LostDocument> m_lost; ///< neither recovered nor discarded yet
    QTimer m_sessionTimer;      ///< delay of keepSessionSoon()
    bool m_isQuitting = false;  ///< the session is stored; closing windows must not change it
};

} // namespace instar
