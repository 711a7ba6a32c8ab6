// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "model/explore/coverage.h"

namespace instar {

/// Rule coverage of a simulator's run and of its branches (alternative continuations from an
/// earlier moment) that existed at construction or were shown since. A restart of the run keeps the
/// coverage; changed rules reset it. The simulator must outlive it.
class RunCoverage : public QObject
{
    Q_OBJECT
public:
    explicit RunCoverage(Simulator &simulator, QObject *parent = nullptr);

    const Coverage &coverage() const { return *m_coverage; }

signals:
    /// A rule was exercised for the first time, or the rules changed; at most once per frame.
    void changed();

private:
    void begin();
    World count(World world, const QList<Record> &records);
    void countBranch();

    Simulator &m_simulator;
    std::optional<Coverage> m_coverage;
    World m_world; ///< after the last event
    Pack m_pack;
    Switches m_switches;
    quint64 m_run = 0;
    QSet<quint32> m_branches;  ///< branches already counted
    bool m_hasChanged = false; ///< changed() is due
};

} // namespace instar
