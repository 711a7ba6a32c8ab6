// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/historyrecorder.h"
#include "views/panels/judgedialog.h"

namespace instar {

class MainWindow;

/// Judge of recordings of a server. Checks them in the background against the rules of this window,
/// also with other values of the switches.
class Judging : public QObject
{
    Q_OBJECT
public:
    explicit Judging(MainWindow &window);

    void judge(const Recording &recording);
    /// Asks for a file with a history, exchanges or an HTTP archive, and judges it.
    void judgeFile();
    /// Asks for a file, and saves a history there.
    void save(const History &history);
    JudgeDialog *dialog() const { return m_dialog; } ///< null: no dialog is open

private:
    void judgeBy(const Switches &switches);
    void play(const Judged::Part &part);

    const Pack &pack() const;

    MainWindow &m_window;
    Recording m_recording;
    QPointer<JudgeDialog> m_dialog;
};

} // namespace instar
