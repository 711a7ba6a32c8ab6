// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

#include <QList>
#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QSlider;

namespace instar {

/// Runs the simulator's clock: play, step, step back, speed, and any moment by a slider over the
/// events.
///
/// What the user does makes time run until nothing is left that happens by itself; a pause or a
/// step by hand keeps it standing until the next play.
class Transport : public QWidget
{
    Q_OBJECT
public:
    explicit Transport(Simulator &simulator, QWidget *parent = nullptr);

    /// Reset, step back, play, step, run until quiet: with texts, icons and shortcuts.
    const QList<QAction *> &actions() const { return m_actions; }
    /// Somebody asked for something: let it happen.
    void wake();
    static const QList<double> &speeds();
    void setSpeed(double speed);

private:
    void refresh();
    void showTime();
    void restWhenQuiet();

    Simulator &m_simulator;
    QAction *m_reset, *m_back, *m_play, *m_step, *m_quiet;
    QList<QAction *> m_actions;
    QComboBox *m_speed;
    QSlider *m_slider;
    QLabel *m_time, *m_moment;
    bool m_playsByItself = true; ///< what the user does starts the clock
    bool m_startedByItself = false;
};

} // namespace instar
