// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

#include <QBasicTimer>
#include <QList>
#include <QWidget>

class QAction;
class QComboBox;
class QLabel;

namespace instar {

/// Runs the simulator's clock: play, step, step back, speed. Any moment is shown by the timeline's
/// cursor.
///
/// What the user does makes time run until nothing is left that happens by itself. Only a pause or
/// a step by hand keeps it standing, until the next play or the beginning; then it says so.
class Transport : public QWidget
{
    Q_OBJECT
public:
    explicit Transport(Simulator &simulator, QWidget *parent = nullptr);

    /// Back to the beginning, step back, play, step, run until quiet, start over: with texts, icons
    /// and shortcuts.
    const QList<QAction *> &actions() const { return m_actions; }
    /// Somebody asked for something: let it happen.
    void wake();
    static const QList<double> &speeds();
    void setSpeed(double speed);
    /// Lets events happen until none is left, in slices. Anything else that happens ends it.
    void runUntilQuiet();

signals:
    void said(const QString &sentence);

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void refresh();
    void showTime();
    void restWhenQuiet();
    bool isHeld() const; ///< stands by hand, and something would happen
    void toBeginning();
    void giveUpRun();
    void endRun();

    Simulator &m_simulator;
    QAction *m_reset, *m_back, *m_play, *m_step, *m_quiet, *m_startOver;
    QList<QAction *> m_actions;
    QComboBox *m_speed;
    QLabel *m_time, *m_hint;
    bool m_playsByItself = true; ///< what the user does starts the clock
    bool m_startedByItself = false;
    QBasicTimer m_run;    ///< until quiet
    qsizetype m_left = 0; ///< most events of that run
    bool m_isStepping = false;
};

} // namespace instar
