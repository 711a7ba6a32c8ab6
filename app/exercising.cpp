// SPDX-License-Identifier: Apache-2.0
#include "app/exercising.h"

#include "views/diagram/statechartview.h"
#include "views/editing/matrixpanel.h"

namespace instar {

Exercising::Exercising(
    Simulator &simulator, StatechartView &chart, MatrixPanel *matrix, QObject *parent)
    : QObject(parent), m_simulator(simulator), m_chart(chart), m_matrix(matrix)
{ }

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

} // namespace instar
