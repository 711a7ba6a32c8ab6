// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rehearsal.h"
#include "model/items/outcomesmodel.h"
#include "model/task.h"
#include "views/drawing/chart.h"

#include <QBasicTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QListView;
class QListWidget;
class QPushButton;

namespace instar {

class HtmlView;
class ElidedLabel;
class TraceDelegate;

/// What can happen when some operations come in any order, and whether their order matters: found
/// beside the work, listed small, and played on chart and timeline.
class OutcomesPanel : public QWidget
{
    Q_OBJECT
public:
    /// Operations that can be asked about together.
    struct Choice
    {
        QString id, title;
        QList<ScenarioStep> steps;
        std::optional<qsizetype> moment {}; ///< from which they come; nothing: the one shown
        qsizetype enough = 1;               ///< fewer are chosen by hand only
        bool operator==(const Choice &) const = default;
    };

    explicit OutcomesPanel(Controller &controller, QWidget *parent = nullptr);
    ~OutcomesPanel() override;

    void setTheme(const Theme &theme);
    /// What there is to choose from now, the usual one last. What somebody chose stays; else it is
    /// the first one that has enough operations, or the usual one.
    void setChoices(const QList<Choice> &choices);
    void choose(const QString &id);
    /// How many situations are looked at, and in how much memory, before somebody wants more.
    void setBudget(qint64 worlds, qint64 bytes);
    void ask(OutcomesQuestion::What what);
    /// What was found so far is told.
    void stop();
    bool isLooking() const { return m_task; }
    /// What was found last; nothing: nobody has asked, or it was an error.
    const Outcomes *found() const { return m_hasFound ? &m_model->outcomes() : nullptr; }
    /// Plays the trace that is selected, from its beginning.
    void play();

    QListView &list() { return *m_list; }
    QListWidget &steps() { return *m_steps; }
    QString summary() const;
    /// Which operations are, or would be, asked about; and which go on beside them.
    QString about() const;
    /// What stands where the traces would be.
    QString emptyText() const;

signals:
    void pathSelected(const QString &path);
    /// A trace is to be seen where nothing can be played here: on rules and a world of its own.
    void playAsked(const instar::Stage &stage, const instar::Rehearsal::Trace &trace);

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    struct Found
    {
        Result<Outcomes> outcomes;
        ChartLayout chart;
    };
    void build();
    void buildBar(QLayout &layout);
    const Choice *choice() const;
    int likeliest() const;
    /// Why nothing can be asked now; empty: it can.
    QString blocked() const;
    QString unknownWork() const;
    std::optional<qsizetype> momentOf(const Choice &choice) const;
    OutcomesQuestion question(const Choice &choice) const;
    QList<ScenarioStep> named(QList<ScenarioStep> steps) const;
    void look();
    void take(const Found &found);
    void furtherOrStop();
    QString budgetText(qint64 times) const;
    void refresh();
    void tellTrace();
    void tellStep();
    void keepPace();
    std::optional<Rehearsal::Trace> trace() const;
    QString traceHtml(const Outcomes::Trace &trace) const;
    bool showStep(qsizetype step); ///< false: its moment is gone

    Controller &m_controller;
    QBasicTimer m_pace;     ///< while an order is played
    Simulator *m_simulator; ///< null: the world is a server's
    std::optional<Rehearsal> m_rehearsal;
    Theme m_theme = Theme::light();
    QList<Choice> m_choices;
    OutcomesModel *m_model;
    TraceDelegate *m_delegate;
    QPointer<Task> m_task;
    std::shared_ptr<OutcomesCounts> m_counts;
    std::optional<OutcomesQuestion> m_asked; ///< last
    Rehearsal::Origin m_origin;
    qint64 m_time = 0;        ///< of the moment that was asked about; virtual ms
    qint64 m_worlds, m_bytes; ///< the usual budget
    qint64 m_further = 1;     ///< times that
    quint64 m_questions = 0;
    bool m_hasFound = false, m_isTelling = false, m_isChosen = false;
    QString m_problem;

    QComboBox *m_choice, *m_ends;
    QCheckBox *m_timers;
    QPushButton *m_endings, *m_order, *m_stop, *m_play;
    ElidedLabel *m_summary, *m_about;
    QListView *m_list;
    QListWidget *m_steps;
    HtmlView *m_text;
};

} // namespace instar
