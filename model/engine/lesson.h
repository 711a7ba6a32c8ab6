// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/simulator.h"

#include <memory>

namespace instar {

/// What a lesson is made of, in file order: words, something to foretell, something to do, and
/// what is so then.
struct LessonPart
{
    enum class Kind { Text, Predict, Do, Check };
    /// An answer to a prediction: right where all that it claims is so at the next check.
    struct Choice
    {
        QString text; ///< Markdown
        bool isRight = false;
        ScenarioStep claim;
        bool operator==(const Choice &) const = default;
    };
    Kind kind = Kind::Text;
    int line = 0;              ///< in the file
    bool beginsPage = false;   ///< Text: a heading is its first line, or the lesson's beginning
    QString text;              ///< Text: Markdown; Do and Check: the lines as they are written
    QList<Choice> choices;     ///< Predict
    QList<ScenarioStep> steps; ///< Do: submissions and ends, at one time; Check: one that expects
    bool operator==(const LessonPart &) const = default;
};

/// A scenario with words between its steps.
struct Lesson
{
    QString title;
    QStringList rules; ///< that it shows
    Scenario setup;    ///< pack, switches and resources; no steps
    QList<LessonPart> parts;

    /// The numbers of the parts with which pages begin; the first one is 0.
    QList<qsizetype> pages() const;
};

/// What a lesson does and checks, without its words.
Scenario scenarioOf(const Lesson &lesson);

/// A lesson under way on a simulator at its beginning: time stands still between its steps.
class LessonRun
{
public:
    LessonRun(Lesson lesson, Simulator &simulator);

    const Lesson &lesson() const { return m_lesson; }
    /// The first part that has not been gone past; parts.size(): it is over.
    qsizetype at() const { return m_at; }
    bool isOver() const { return m_at == m_lesson.parts.size(); }
    /// The page on which the part lies that is next, or the last one.
    qsizetype page() const;

    /// Goes past the part that is next: words were read, a prediction was made or skipped, what is
    /// to be done is done, what is to be so is looked at.
    void advance();
    /// The choice is remembered; the question can then be gone past.
    void answer(int choice);
    std::optional<int> answerTo(qsizetype part) const;

    /// What is to be done next, as far as it is to be asked for: null where that is not a request.
    const Request *awaited() const;
    /// Makes it the time of what is next to be done. Whoever asks for it himself then asks at the
    /// right moment.
    void wind();
    /// Somebody has asked for what was awaited.
    void followed();

    /// What is not so of a check that was gone past; empty: all of it was so.
    QList<Failure> failures(qsizetype part) const { return m_failures.value(part); }
    /// Whether a choice came true at the check after it; nothing: that has not been looked at.
    std::optional<bool> cameTrue(qsizetype part, int choice) const;

    /// Begins again and goes without stopping to the beginning of a page; answers are kept.
    void goTo(qsizetype page);

private:
    void begin();
    void perform(const ScenarioStep &step);
    void examine(qsizetype part);

    Lesson m_lesson;
    Simulator &m_simulator;
    Played m_played;
    std::unique_ptr<Examiner> m_examiner;
    qsizetype m_at = 0;
    qsizetype m_done = 0; ///< steps of the part that is next
    QMap<qsizetype, int> m_answers;
    QMap<qsizetype, QList<Failure>> m_failures;
    QMap<qsizetype, QList<bool>> m_truth; ///< of choices
};

/// What does not come true of a lesson: facts that are not so, right answers that are not, and
/// wrong ones that are. Its own simulator plays it.
QList<Failure> untruths(const Lesson &lesson, const Stage &stage);

} // namespace instar
