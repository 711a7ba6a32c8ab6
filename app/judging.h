// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/pack/identity.h"
#include "model/remote/historyrecorder.h"
#include "views/panels/judgedialog.h"

namespace instar {

class Controller;

/// Verdicts on what was recorded of a server, beside the event loop: by the rules of this window,
/// or another reading of them.
class Judging : public QObject
{
    Q_OBJECT
public:
    /// `pack` is what a scenario calls the pack.
    Judging(const Controller &controller, const QString &pack, QWidget *window);

    void judge(const Recording &recording);
    /// Asks for a file that holds a history, exchanges or an archive.
    void judgeFile();
    JudgeDialog *dialog() const { return m_dialog; } ///< null: none is there

signals:
    /// A trace is to be seen, in a window of its own.
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
