// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/simulator.h"

#include <memory>

namespace instar {

/// Part of a lesson: a text, a prediction, actions, or a check.
struct LessonPart
{
    enum class Kind { Text, Predict, Do, Check };
    /// Possible answer to a prediction. The claim of a right answer is true at the next check.
    struct Choice
    {
        QString text; ///< Markdown
        bool isRight = false;
        ScenarioStep claim; ///< an Expect step
        bool operator==(const Choice &) const = default;
    };
    Kind kind = Kind::Text;
    int line = 0;              ///< in the file
    bool beginsPage = false;   ///< Text: has a heading, or is the first part of the lesson
    QString text;              ///< Text: Markdown; Do and Check: the lines as they are written
    QList<Choice> choices;     ///< Predict
    QList<ScenarioStep> steps; ///< Do: submissions and ends at one time; Check: one expectation
    bool operator==(const LessonPart &) const = default;
};

/// Lesson: a scenario with texts, predictions and checks between its steps.
struct Lesson
{
    QString title;
    QStringList rules; ///< texts of the rules that the lesson teaches
    Scenario setup;    ///< pack, switches and resources; no steps
    QList<LessonPart> parts;

    /// Returns the indices of the parts that begin pages, starting with 0.
    QList<qsizetype> pages() const;
};

/// Returns the actions and checks of a lesson without its texts.
Scenario scenarioOf(const Lesson &lesson);

/// Run of a lesson on a simulator; time stands still between its steps.
class LessonRun
{
public:
    LessonRun(Lesson lesson, Simulator &simulator);

    const Lesson &lesson() const { return m_lesson; }
    /// Index of the current part; parts.size(): the lesson is over.
    qsizetype at() const { return m_at; }
    bool isOver() const { return m_at == m_lesson.parts.size(); }
    /// Returns the page of the current part; the last page if the lesson is over.
    qsizetype page() const;

    /// Performs the remaining actions of the current part, or its check, and goes to the next part.
    void advance();
    /// Stores the user's choice for the current prediction.
    void answer(int choice);
    std::optional<int> answerTo(qsizetype part) const;

    /// Returns the request that the user should submit next; null if the next step is not one.
    const Request *awaited() const;
    /// Advances time to the current part's steps, so that the user can submit at the right time.
    void advanceTime();
    /// Marks the awaited step as done, after the user submitted its request.
    void requestDone();

    /// Returns the failed expectations of a check; empty if none failed, or before the check.
    QList<Failure> failures(qsizetype part) const { return m_failures.value(part); }
    /// Returns true if the claim of a choice was true at the next check; absent before that check.
    std::optional<bool> cameTrue(qsizetype part, int choice) const;

    /// Restarts and runs to the beginning of a page; answers are kept.
    void goTo(qsizetype page);

private:
    void begin();
    void examine(qsizetype part);

    Lesson m_lesson;
    Simulator &m_simulator;
    Played m_played;
    std::unique_ptr<ExpectationChecker> m_checker;
    qsizetype m_at = 0;
    qsizetype m_done = 0; ///< number of steps performed of the current part
    QMap<qsizetype, int> m_answers;
    QMap<qsizetype, QList<Failure>> m_failures;
    QMap<qsizetype, QList<bool>> m_truth; ///< part -> choice -> true if its claim was true
};

/// Plays a lesson on a simulator of its own and returns its errors: failed checks, right answers
/// that are false, and wrong answers that are true.
QList<Failure> lessonErrors(const Lesson &lesson, const Stage &stage);

} // namespace instar
