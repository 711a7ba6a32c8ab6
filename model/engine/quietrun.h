// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

namespace instar {

/// What would happen by itself on a simulator, worked out on a copy: on another thread, and without
/// changing anything until the simulator takes it over.
class QuietRun
{
public:
    explicit QuietRun(const Simulator &simulator);

    /// The next thing that happens by itself, or that was stepped back over. False: nothing is
    /// left.
    bool step();
    /// Whether nothing is left.
    bool isQuiet() const;
    qsizetype events() const { return m_records.size(); } ///< so far
    qint64 now() const { return m_world.now; }            ///< virtual ms

private:
    friend class Simulator;

    Rules m_rules;
    World m_world;
    OperationLog m_operations;
    QList<Record> m_later; ///< stepped back over, next first
    qsizetype m_again = 0; ///< of them, happened again
    quint64 m_basis = 0;   ///< what the simulator was at
    qsizetype m_first = 0; ///< the moment that it begins at
    qsizetype m_kept = 0;  ///< the last moment that can be returned to
    bool m_keepsPast = true;
    QList<Record> m_records;
    std::vector<Simulator::Moment> m_past;
};

} // namespace instar
