// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

namespace instar {

/// Preview of traces from a moment of a simulator's run. Plays each trace on its own branch, and
/// removes the branch of the previous trace, unless the user continued or named that branch.
class Rehearsal
{
public:
    explicit Rehearsal(Simulator &simulator) : m_simulator(simulator) { }

    /// Moment of a branch at which traces begin.
    struct Origin
    {
        quint64 run = 0;
        quint32 branch = 0;
        qsizetype moment = 0;
        bool operator==(const Origin &) const = default;
    };
    /// Returns an origin on the branch shown; show() will not remove that branch.
    Origin origin(qsizetype moment);
    /// Returns false if the simulator was reset, or the origin's branch was deleted.
    bool exists(const Origin &origin) const;

    struct Trace
    {
        quint64 number = 0; ///< identifies the trace
        QString name;       ///< of the branch on which the trace is played
        Origin origin;
        QList<Event> events;
    };
    /// Shows a trace after its first `steps` events, played `pause` virtual ms apart. Returns false
    /// if the trace's origin is gone.
    bool show(const Trace &trace, qsizetype steps, qint64 pause = 1000);
    /// Number of the trace's events at the moment shown; absent: the trace is not shown.
    std::optional<qsizetype> steps(const Trace &trace) const;
    /// Returns the origin of the trace shown; absent if the user continued the trace's branch, so
    /// that the branch contains other events, too.
    std::optional<Origin> beginning() const;

private:
    bool hasOnlyTrace(const Simulator::Branch *branch) const;
    bool isPlayed(const Trace &trace) const;
    void removePreviousBranch();

    Simulator &m_simulator;
    quint32 m_branch = 0; ///< branch of the last trace shown; 0: none
    Trace m_trace;        ///< the trace on m_branch
};

} // namespace instar
