// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/rehearsal.h"
#include "model/items/outcomesmodel.h"
#include "model/task.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QSplitter;
class QTableView;

namespace instar {

class ElidedLabel;
class HtmlLabel;
class TraceView;

/// Search panel for the outcomes of operations in any order: it searches in the background, lists
/// the outcomes, compares two traces and plays one on chart and timeline.
class OutcomesPanel : public QWidget
{
    Q_OBJECT
public:
    /// Set of operations that the user can choose to search.
    struct Choice
    {
        QString id, title;
        QList<ScenarioStep> steps;
        std::optional<qsizetype> moment {}; ///< at which they begin; nothing: the moment shown
        qsizetype leastOperations = 1;      ///< with fewer, setChoices() does not choose it
        bool operator==(const Choice &) const = default;
    };

    explicit OutcomesPanel(Controller &controller, QWidget *parent = nullptr);
    ~OutcomesPanel() override;

    /// Sets the choices, the default last. Keeps the user's choice, else takes the first one with
    /// leastOperations operations, or the default.
    void setChoices(const QList<Choice> &choices);
    void choose(const QString &id);
    /// Sets the limits of a search, until the user extends it.
    void setBudget(qint64 worlds, qint64 bytes);
    /// Searches with the inputs, if they allow it. The search runs in the background.
    void search();
    bool isSearching() const { return m_task; }
    /// Last result; null: none.
    const Outcomes *found() const { return m_hasFound ? &m_model->outcomes() : nullptr; }
    /// Plays the selected trace from its beginning.
    void play();

    QTableView &table() { return *m_table; }
    QListWidget &steps() { return *m_steps; }
    QString summary() const;
    QString emptyText() const;

signals:
    void played();                        ///< a trace has begun to play on the run
    void sourceAsked(const QString &key); ///< of a rule that refused or canceled an operation
    /// Play a trace in a new window, because this one shows a server.
    void playAsked(const instar::Stage &stage, const instar::Rehearsal::Trace &trace);

private:
    QWidget *buildQuestion();
    QWidget *buildTrace();
    const Choice *choice() const;
    QString whyDisabled() const; ///< reason why no search can start now; empty: one can
    QString unknownWork() const;
    QComboBox *makeFact(const QString &name);
    void offerFacts();
    /// Parses a fact; `of`: the resource of a fact that names no resource.
    Result<Property> propertyFrom(const QString &text, const QString &of = {}) const;
    QString replaceNames(Condition &condition) const;
    Result<std::optional<Property>> searchedProperty() const;
    QString propertyText() const;
    QList<ScenarioStep> prepared(QList<ScenarioStep> steps) const;
    void searchWithInputs();
    void searchAgain();
    void startTask();
    void discard();
    void showResult(const Result<Outcomes> &found);
    void layOutTable();
    void continueOrStop();
    QString budgetText(qint64 times) const;
    void refresh();
    void showOperations();
    void showTraces();
    void showStep();
    void keepPace();
    QList<int> selected() const; ///< at most two traces, the current one first
    std::optional<Rehearsal::Trace> trace() const;
    bool goToStep(qsizetype step); ///< false: its moment is no longer in the run

    Controller &m_controller;
    QTimer m_pace { this }; ///< calls keepPace() while a trace is played
    Simulator *m_simulator; ///< null: the controller shows a server
    std::optional<Rehearsal> m_rehearsal;
    QList<Choice> m_choices;
    QStringList m_facts;        ///< offered by m_fact and m_other
    QList<Property> m_subjects; ///< possible subjects of a fact: a resource, or some, every or no
                                ///< resource of a type; their condition is empty
    OutcomesModel *m_model;
    QPointer<Task> m_task;
    std::shared_ptr<OutcomesCounts> m_counts;
    std::optional<OutcomesQuestion> m_question; ///< last question
    Rehearsal::Origin m_origin;
    qint64 m_time = 0;         ///< of the question's moment; virtual ms
    qint64 m_worlds, m_bytes;  ///< the usual budget
    qint64 m_budgetFactor = 1; ///< of the last question
    quint64 m_questions = 0;
    bool m_hasFound = false, m_isShowing = false, m_isChosen = false, m_isTyping = false;
    QString m_problem;

    QComboBox *m_choice;
    QListWidget *m_operations;
    QCheckBox *m_everyOutcome, *m_timers, *m_keepsOrder;
    QComboBox *m_fact, *m_other, *m_when;
    QSpinBox *m_within;
    QLabel *m_propertyResult;
    QPushButton *m_searchButton, *m_stop, *m_play;
    ElidedLabel *m_summary, *m_title;
    QTableView *m_table;
    QSplitter *m_right; ///< outcomes above, the trace below
    QListWidget *m_steps;
    HtmlLabel *m_reasons; ///< rules by which operations of the trace were refused or canceled
    TraceView *m_traces;
};

} // namespace instar
