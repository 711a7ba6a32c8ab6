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
/// A user's request starts the clock, which runs until no event is due. After a pause or a step by
/// hand it stays stopped until the user plays or goes back to the beginning; a hint says so.
class Transport : public QWidget
{
    Q_OBJECT
public:
    explicit Transport(Simulator &simulator, QWidget *parent = nullptr);

    /// To the beginning, step back, play, step, run until quiet, start over.
    const QList<QAction *> &actions() const { return m_actions; }
    /// Starts the clock after a request of the user, unless it is held.
    void wake();
    static const QList<double> &speeds();
    /// Virtual ms that pass in a real one while the clock runs: the speed, or more while the next
    /// event is far away.
    static double pace(const Simulator &simulator);
    /// Lets idle time pass faster, as on opening, or not.
    void setShortensIdle(bool shortens) { m_shortensIdle = shortens; }
    /// Processes events until none is due, in time slices. A new request or another moment ends it.
    void runUntilQuiet();

signals:
    void said(const QString &sentence);
    /// The user went back to the beginning.
    void returned();

private:
    void refresh();
    void showTime();
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
    ElidedLabel *m_time, *m_hint; ///< the hint is empty unless the clock is held
    bool m_playsByItself = true;  ///< a request starts the clock
    bool m_startedByItself = false;
    QTimer m_run { this }; ///< until quiet
    qsizetype m_left = 0;  ///< limit of the remaining events of that run
    bool m_isStepping = false;
    bool m_shortensIdle = true;
    QElapsedTimer m_sinceUpdate; ///< since the clock's last update, or start
};

} // namespace instar
