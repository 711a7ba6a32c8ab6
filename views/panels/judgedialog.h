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

/// A verdict on what was recorded of a server, tree by tree.
struct Judged
{
    struct Part
    {
        History history;
        HistoryVerdict verdict;
        /// That shows where it violates; nothing: it does not.
        std::optional<History> shortest() const;
    };
    QList<Part> parts;   ///< those that violate come first
    QStringList leftOut; ///< trees of which nobody knows what they were before
    QString problem;     ///< why there is no verdict; empty: there is one
    Switches switches;   ///< by which it was judged

    HistorySearch::Outcome outcome() const; ///< the worst of its parts
    qsizetype explained() const;
    qsizetype of() const;
};

/// Does the server keep its word? The verdict on a recording, by which reading of the rules it was
/// made, and what can be looked at of it.
class JudgeDialog : public QDialog
{
    Q_OBJECT
public:
    JudgeDialog(const Pack &pack, QWidget *parent = nullptr);
    ~JudgeDialog() override;

    /// Something is being judged.
    void follow(Task *task);
    void setJudged(const Judged &judged);
    const Judged &judged() const { return m_judged; }
    const Judged::Part *selected() const; ///< null: none is
    Switches switches() const;            ///< that are chosen

signals:
    void judgeAsked(const instar::Switches &switches);
    /// To see the shortest part that violates, or an order that explains it.
    void playAsked(const instar::Judged::Part &part);
    void saveAsked(const instar::History &history);

private:
    void choose(const Switches &switches);
    void refresh();
    void showSelected();
    QString summary() const;
    QString textOf(const Judged::Part &part) const;

    const Pack m_pack;
    Judged m_judged;
    QPointer<Task> m_task;
    std::unique_ptr<Ui::JudgeDialog> m_ui;
    QAction *m_saveShortest;
};

} // namespace instar
