// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

#include <QElapsedTimer>
#include <QList>
#include <QTimer>
#include <QWidget>

class QAction;

namespace instar {

class ElidedLabel;

/// Controls of the simulator's clock: play, step, step back, speed.
///
/// A user's request starts the clock, which runs until no operation has an event due; then Step
/// skips to the next timer. After a pause or a step by hand the clock stays stopped until the user
/// plays or goes back to the beginning. A hint says how a stopped clock goes on.
class Transport : public QWidget
{
    Q_OBJECT
public:
    explicit Transport(Simulator &simulator, QWidget *parent = nullptr);

    /// To the beginning, step back, play, step, run until quiet, start over.
    const QList<QAction *> &actions() const { return m_actions; }
    /// Starts the clock after a request of the user, unless the user stopped the clock.
    void wake();
    static const QList<double> &speeds();
    /// Virtual ms that pass in a real one while the clock runs: the speed, or more while the next
    /// event is far away.
    static double pace(const Simulator &simulator);
    /// On by default: idle time passes faster, and the clock stops before timers. Off while HTTP
    /// clients are served, because their own clocks are not accelerated.
    void setShortensIdle(bool shortens) { m_shortensIdle = shortens; }
    /// Processes events until none is due, in time slices. A new request or a jump in time ends it.
    void runUntilQuiet();

signals:
    void said(const QString &sentence);
    /// The user went back to the beginning.
    void returned();

private:
    void refresh();
    void showTime();
    bool isQuiet() const;   ///< no operation has an event due; a timer may be due later
    bool isResting() const; ///< stopped by restWhenQuiet()
    void restWhenQuiet();
    void shortenIdle();
    bool isHeld() const; ///< stopped by the user while events are due
    void toBeginning();
    void runOn();
    void giveUpRun();
    void endRun();

    Simulator &m_simulator;
    QAction *m_reset, *m_back, *m_play, *m_quiet, *m_startOver;
    QList<QAction *> m_actions;
    ElidedLabel *m_time, *m_hint;   ///< the hint says how a stopped clock goes on
    bool m_playsByItself = true;    ///< a request starts the clock
    bool m_startedByItself = false; ///< a request started the clock; it stops when it is quiet
    QTimer m_run { this };          ///< starts the time slices of runUntilQuiet()
    qsizetype m_left = 0;           ///< events that runUntilQuiet() may still process
    bool m_isStepping = false;
    bool m_shortensIdle = true;
    QElapsedTimer m_sinceUpdate; ///< since the clock's last update, or start
};

} // namespace instar
