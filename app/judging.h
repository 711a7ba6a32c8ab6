// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/pack/identity.h"
#include "model/remote/historyrecorder.h"
#include "views/panels/judgedialog.h"

namespace instar {

class Controller;

/// Judge of recordings of a server. Checks them in the background against the rules of this window,
/// also with other values of the switches.
class Judging : public QObject
{
    Q_OBJECT
public:
    /// `pack`: the built-in pack's id, or the file, that a scenario names.
    Judging(const Controller &controller, const QString &pack, QWidget *window);

    void judge(const Recording &recording);
    /// Asks for a file with a history, exchanges or an HTTP archive, and judges it.
    void judgeFile();
    JudgeDialog *dialog() const { return m_dialog; } ///< null: no dialog is open

signals:
    /// Requests a window of its own that shows the trace.
    void traceAsked(const instar::ComparedPack &pack, const instar::Scenario &trace);
    void orderAsked(const instar::Stage &stage, const QList<instar::Event> &order);
    void said(const QString &sentence);

private:
    void judgeBy(const Switches &switches);
    void play(const Judged::Part &part);
    void save(const History &history);

    const Controller &m_controller;
    const QString m_pack;
    QWidget *m_window;
    Recording m_recording;
    QPointer<JudgeDialog> m_dialog;
};

} // namespace instar
