// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/coverage.h"
#include "model/engine/simulator.h"

namespace instar {

/// Counts what the run of a simulator exercises of its rules, from its beginning: on every branch
/// that is still there, and also what came before it was started over while this counted. Under
/// other rules it begins anew. The simulator must outlive it.
class RunCoverage : public QObject
{
    Q_OBJECT
public:
    explicit RunCoverage(Simulator &simulator, QObject *parent = nullptr);

    const Coverage &coverage() const { return *m_coverage; }
    /// What was exercised elsewhere counts, too.
    void add(const Exercised &exercised);

signals:
    /// Something was exercised for the first time, or other rules count; once a frame.
    void changed();

private:
    void begin();
    World follow(World world, const QList<Record> &records);
    void count(const Exercised &exercised);
    void takeBranch();
    void tell();

    Simulator &m_simulator;
    std::optional<Coverage> m_coverage;
    World m_world; ///< as the last event has left it
    Pack m_pack;
    Switches m_switches;
    quint64 m_run = 0;
    QSet<quint32> m_branches; ///< that were counted whole, or as they happened
    bool m_isNew = false;     ///< something was not told yet
};

} // namespace instar
