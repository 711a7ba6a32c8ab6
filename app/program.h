// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/opening.h"
#include "app/settings.h"
#include "app/systemtheme.h"
#include "model/pack/identity.h"
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

/// The running program: its windows, one a pack or scenario, and what they share.
class Program : public QObject
{
    Q_OBJECT
public:
    explicit Program(QObject *parent = nullptr);

    Settings &settings() { return m_settings; }
    ThemeChoice themeChoice() const { return m_choice; }
    void setTheme(ThemeChoice choice);
    void setMotion(MotionChoice choice);
    /// Whether nothing should move that need not.
    bool isStill() const;

    /// Shows something in a window of its own, or instead of an `asker` in which nothing has
    /// happened. Null, with a message to the user, where it cannot be opened; what is open stays as
    /// it is.
    MainWindow *open(
        const QString &source, MainWindow *asker = nullptr, const Switches &switches = {});
    /// The same beside the asker, which stays in use meanwhile, shows how far it is and can cancel
    /// it.
    void openBeside(const QString &source, MainWindow *asker, const Switches &switches = {});
    /// Shows a trace on a pack, at its beginning, in a window beside the asker.
    void openTrace(const ComparedPack &pack, const Scenario &trace, MainWindow *asker);
    /// Shows a trace that cannot be played where it was found: on rules and a world of its own.
    void openPlayed(const Stage &stage, const Rehearsal::Trace &trace, MainWindow *asker);
    /// Shows everything that one can begin with, beside the asker.
    void showStart(MainWindow *asker);
    /// Asks which server, and drives it in a window of its own.
    void connectToServer(MainWindow *asker);
    /// The same without asking; an error says what is wrong with the choice.
    Result<MainWindow *> connectTo(const ConnectChoice &choice, MainWindow *asker = nullptr);
    /// Documents of a program that ended without closing them are offered in the newest window, one
    /// after another.
    void offerLost();
    const QList<QPointer<MainWindow>> &windows() const { return m_windows; }
    /// Opens what was open when the program ended last. False: nothing was, or can be.
    bool restoreSession();
    /// Remembers what is open; `closing` goes, but the last one is what the next start begins with.
    void keepSession(const MainWindow *closing = nullptr);
    /// The same in a moment, however often it is asked for: the light may go out.
    void keepSessionSoon();
    /// Closes every window, as far as each agrees.
    void quit();
    /// The built-in packs, with their titles.
    const QList<StartPage::Start> &systems() const { return m_systems; }

signals:
    void themeChanged();
    void motionChanged();

private:
    MainWindow *showOpened(Result<Opened> content, const QString &source, MainWindow *asker);
    void askForLost();
    void recover(const LostDocument &lost);
    MainWindow *show(Opened content, MainWindow *asker);

    Settings m_settings;
    QTranslator m_language;
    SystemTheme m_system; ///< before a palette of ours is set
    ThemeChoice m_choice = ThemeChoice::System;
    MotionChoice m_motion = MotionChoice::System;
    QList<QPointer<MainWindow>> m_windows;
    QList<QPointer<Task>> m_openings;
    QList<StartPage::Start> m_systems;
    QList<LostDocument> m_lost;
    QTimer m_keeping;          ///< the session is to be remembered
    bool m_isQuitting = false; ///< the session is known
};

} // namespace instar
