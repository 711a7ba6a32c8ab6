// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/runcoverage.h"

namespace instar {

class MatrixPanel;
class StatechartView;

/// Which rules the run has exercised, drawn on the chart and in the conflict matrix.
class Exercising : public QObject
{
    Q_OBJECT
public:
    /// The matrix may be null.
    Exercising(Simulator &simulator, StatechartView &chart, MatrixPanel *matrix, QObject *parent);

    bool isShown() const { return m_isShown; }
    const Coverage &coverage() { return run().coverage(); } ///< of the run until now
    /// Everything that was not exercised is faint.
    void setShown(bool shown);
    /// Chart and matrix as the run has it, after something else was drawn.
    void draw();

signals:
    void said(const QString &sentence);

private:
    RunCoverage &run();

    Simulator &m_simulator;
    StatechartView &m_chart;
    MatrixPanel *m_matrix;
    RunCoverage *m_run = nullptr; ///< null until it is asked for
    bool m_isShown = false;
};

} // namespace instar
