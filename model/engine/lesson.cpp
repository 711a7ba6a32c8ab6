// SPDX-License-Identifier: Apache-2.0
#include "model/engine/lesson.h"

namespace instar {

QList<qsizetype> Lesson::pages() const
{
    QList<qsizetype> pages;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (parts[i].beginsPage || i == 0)
            pages += i;
    }
    return pages;
}

Scenario scenarioOf(const Lesson &lesson)
{
    Scenario scenario = lesson.setup;
    for (const LessonPart &part : lesson.parts)
        scenario.steps += part.steps;
    return scenario;
}

LessonRun::LessonRun(Lesson lesson, Simulator &simulator)
    : m_lesson(std::move(lesson)), m_simulator(simulator)
{
    begin();
}

void LessonRun::begin()
{
    m_simulator.pause();
    m_simulator.reset();
    Scenario all = scenarioOf(m_lesson); // with claims: the checker stores etags for them
    for (const LessonPart &part : std::as_const(m_lesson.parts)) {
        for (const LessonPart::Choice &choice : part.choices)
            all.steps += choice.claim;
    }
    m_checker = std::make_unique<ExpectationChecker>(all, m_simulator, m_played);
    m_at = m_done = 0;
    m_failures.clear();
    m_truth.clear();
}

qsizetype LessonRun::page() const
{
    const QList<qsizetype> pages = m_lesson.pages();
    const qsizetype last = std::min(m_at, m_lesson.parts.size() - 1);
    return std::max<qsizetype>(std::ranges::upper_bound(pages, last) - pages.begin() - 1, 0);
}

void LessonRun::advance()
{
    if (isOver())
        return;
    const LessonPart &part = m_lesson.parts[m_at];
    if (part.kind == LessonPart::Kind::Do) {
        while (m_done < part.steps.size()) {
            const ScenarioStep &step = part.steps[m_done++];
            m_simulator.pause();
            m_simulator.advanceTo(step.at);
            if (step.kind == ScenarioStep::Kind::Submit)
                m_simulator.submit(step.request);
            else
                endByHand(step, m_simulator);
        }
    } else if (part.kind == LessonPart::Kind::Check) {
        examine(m_at);
    }
    m_done = 0;
    ++m_at;
}

void LessonRun::examine(qsizetype part)
{
    const ScenarioStep &check = m_lesson.parts[part].steps.first();
    m_simulator.pause();
    m_simulator.advanceTo(check.at);
    for (qsizetype i = part; i-- > 0 && m_lesson.parts[i].kind != LessonPart::Kind::Check;) {
        QList<bool> &truth = m_truth[i];
        truth.clear();
        for (const LessonPart::Choice &choice : m_lesson.parts[i].choices)
            truth += m_checker->failures(choice.claim).isEmpty();
    }
    m_failures[part] = m_checker->failures(check);
    m_checker->examine(check);
}

void LessonRun::answer(int choice)
{
    if (!isOver() && m_lesson.parts[m_at].kind == LessonPart::Kind::Predict)
        m_answers[m_at] = choice;
}

std::optional<int> LessonRun::answerTo(qsizetype part) const
{
    const auto found = m_answers.find(part);
    return found == m_answers.end() ? std::nullopt : std::optional<int>(*found);
}

const Request *LessonRun::awaited() const
{
    if (isOver() || m_lesson.parts[m_at].kind != LessonPart::Kind::Do)
        return nullptr;
    const ScenarioStep &step = m_lesson.parts[m_at].steps[m_done];
    return step.kind == ScenarioStep::Kind::Submit ? &step.request : nullptr;
}

void LessonRun::advanceTime()
{
    if (isOver() || m_lesson.parts[m_at].steps.isEmpty())
        return;
    m_simulator.pause();
    m_simulator.advanceTo(m_lesson.parts[m_at].steps.first().at);
}

void LessonRun::requestDone()
{
    if (isOver() || m_lesson.parts[m_at].kind != LessonPart::Kind::Do)
        return;
    if (++m_done == m_lesson.parts[m_at].steps.size())
        advance();
}

std::optional<bool> LessonRun::cameTrue(qsizetype part, int choice) const
{
    const QList<bool> truth = m_truth.value(part);
    return choice < truth.size() ? std::optional<bool>(truth[choice]) : std::nullopt;
}

void LessonRun::goTo(qsizetype page)
{
    begin();
    const qsizetype end = m_lesson.pages().value(page, m_lesson.parts.size());
    while (m_at < end)
        advance();
}

QList<Failure> lessonErrors(const Lesson &lesson, const Stage &stage)
{
    Simulator simulator(stage.rules, stage.world);
    LessonRun run(lesson, simulator);
    run.goTo(lesson.parts.size());
    QList<Failure> found;
    for (qsizetype i = 0; i < lesson.parts.size(); ++i) {
        found += run.failures(i);
        const QList<LessonPart::Choice> &choices = lesson.parts[i].choices;
        for (int c = 0; c < int(choices.size()); ++c) {
            const bool isTrue = run.cameTrue(i, c).value_or(false);
            if (isTrue == choices[c].isRight)
                continue;
            found.append({ choices[c].claim.at, choices[c].claim.line,
                isTrue ? u"the answer is marked as wrong, but all its claims are true"_s
                       : u"the answer is marked as right, but one of its claims is false"_s });
        }
    }
    return found;
}

} // namespace instar
