// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/runcoverage.h"
#include "model/pack/identity.h"
#include "model/task.h"

namespace instar {

class MatrixPanel;
class StatechartView;

/// Which rules the run has exercised, drawn on the chart and in the conflict matrix; and what would
/// exercise one more.
class Exercising : public QObject
{
    Q_OBJECT
public:
    /// `pack` is what a scenario calls the pack. The matrix may be null.
    Exercising(Simulator &simulator, StatechartView &chart, MatrixPanel *matrix,
        const QString &pack, QObject *parent);

    bool isShown() const { return m_isShown; }
    const Coverage &coverage() { return run().coverage(); } ///< of the run until now
    /// Everything that was not exercised is faint.
    void setShown(bool shown);
    /// Chart and matrix as the run has it, after something else was drawn.
    void draw();
    /// Looks for the shortest scenario that exercises something more, beside the event loop.
    void findNext();
    Task *search() const { return m_search; } ///< null: none goes on

signals:
    void said(const QString &sentence);
    void searching(Task *task);
    void found(const ComparedPack &pack, const Scenario &scenario);

private:
    RunCoverage &run();

    Simulator &m_simulator;
    StatechartView &m_chart;
    MatrixPanel *m_matrix;
    const QString m_pack;
    RunCoverage *m_run = nullptr; ///< null until it is asked for
    bool m_isShown = false;
    QPointer<Task> m_search;
};

} // namespace instar
