// SPDX-License-Identifier: Apache-2.0
#include "app/exercising.h"

#include "views/diagram/statechartview.h"
#include "views/editing/matrixpanel.h"

namespace instar {

Exercising::Exercising(Simulator &simulator, StatechartView &chart, MatrixPanel *matrix,
    const QString &pack, QObject *parent)
    : QObject(parent), m_simulator(simulator), m_chart(chart), m_matrix(matrix), m_pack(pack)
{
    // What is found under other rules names rows that these may not have.
    connect(&simulator, &Controller::rulesChanged, this, [this] {
        if (m_search)
            m_search->cancel();
    });
}

RunCoverage &Exercising::run()
{
    if (!m_run) {
        m_run = new RunCoverage(m_simulator, this);
        connect(m_run, &RunCoverage::changed, this, [this] {
            if (m_isShown)
                draw();
        });
    }
    return *m_run;
}

void Exercising::setShown(bool shown)
{
    m_isShown = shown;
    if (shown)
        run();
    draw();
    if (!shown)
        return;
    const Coverage::Part rows = run().coverage().rows(), met = run().coverage().meetings();
    emit said(tr("Exercised so far: %1 of %2 transitions, %3 of %4 meetings; the rest is faint")
                  .arg(rows.exercised)
                  .arg(rows.of)
                  .arg(met.exercised)
                  .arg(met.of));
}

void Exercising::draw()
{
    const Coverage *coverage = m_isShown ? &run().coverage() : nullptr;
    m_chart.setExercised(coverage);
    if (m_matrix)
        m_matrix->setExercised(coverage);
}

void Exercising::findNext()
{
    if (m_search)
        m_search->cancel();
    const QList<ResourceSpec> resources =
        scenarioOf(m_simulator.rules(), m_simulator.beginning())
            .resources.value_or(m_simulator.rules().pack().sample);
    m_search = Task::start(
        this, tr("Looking for what was not exercised"),
        [rules = m_simulator.rules(), exercised = run().coverage().exercised(), resources](
            Progress &progress) {
            Coverage coverage(rules);
            coverage.add(exercised);
            Budget budget { .states = 60'000 };
            budget.goesOn = [&progress, most = budget.states](qint64 states) {
                progress.setDone(states, most);
                return !progress.isCanceled();
            };
            NextExercise next = nextExercise(rules, coverage, resources, budget);
            return std::pair(next, coverage.news(next.gained));
        },
        [this](const std::pair<NextExercise, QStringList> &result) {
            const auto &[next, news] = result;
            if (!next.scenario) {
                emit said(next.complete
                        ? tr("Nothing is left that could be exercised with these resources")
                        : tr("Nothing that was not exercised was found among %1 situations")
                              .arg(next.worlds));
                return;
            }
            run().add(next.gained);
            emit said(tr("New in this story: %1").arg(news.join(QStringLiteral("; "))));
            emit found({ m_pack, m_simulator.rules().pack(), m_simulator.rules().switches() },
                *next.scenario);
        });
    emit searching(m_search);
}

} // namespace instar
