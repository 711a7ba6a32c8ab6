// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/liveconformance.h"
#include "model/task.h"

#include <QDialog>

#include <memory>

class QAction;

namespace instar {

namespace Ui {
class JudgeDialog;
}

/// Page of a verdict's violation, with the shortest part of the history that shows it.
QString violationHtml(const History &history, const HistoryVerdict &verdict);

/// Verdicts on a server's recording, tree by tree.
struct Judged
{
    struct Part
    {
        History history;
        HistoryVerdict verdict;
        /// Shortest history with the violation; nothing: there is none.
        std::optional<History> shortest() const;
    };
    QList<Part> parts;   ///< violations come first
    QStringList leftOut; ///< trees whose initial state is unknown
    QString problem;     ///< why there is no verdict; empty: there is one
    Switches switches;   ///< that the verdicts assume
    QString remark {};   ///< on the pack whose rules were used; may be empty

    HistorySearch::Outcome outcome() const; ///< the worst of its parts
    qsizetype explained() const;
    qsizetype of() const;
};

/// Dialog for the verdicts on a recording, the pack's options (switches) that the verdicts assume,
/// and the histories to play or save.
class JudgeDialog : public QDialog
{
    Q_OBJECT
public:
    JudgeDialog(const Pack &pack, QWidget *parent = nullptr);
    ~JudgeDialog() override;

    /// Shows the progress of judging.
    void follow(Task *task);
    void setJudged(const Judged &judged);
    const Judged &judged() const { return m_judged; }
    const Judged::Part *selected() const; ///< null: none
    Switches switches() const;            ///< chosen by the user

signals:
    void judgeAsked(const instar::Switches &switches);
    /// Play the shortest history with the violation; else an order that explains the history.
    void playAsked(const instar::Judged::Part &part);
    void saveAsked(const instar::History &history);

private:
    void refresh();
    void showSelected();
    QString summary() const;
    QString textOf(const Judged::Part &part) const;

    Judged m_judged;
    QPointer<Task> m_task;
    std::unique_ptr<Ui::JudgeDialog> m_ui;
    QAction *m_saveShortest;
};

} // namespace instar
