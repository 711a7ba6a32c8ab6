// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

namespace instar {

/// Traces that begin at some moment of a simulator, played on a branch of their own, one at a
/// time: what was only looked at makes room for the next; what somebody went on with, or named,
/// stays.
class Rehearsal
{
public:
    explicit Rehearsal(Simulator &simulator) : m_simulator(simulator) { }

    /// Where traces begin: a moment of a branch.
    struct Origin
    {
        quint64 run = 0;
        quint32 branch = 0;
        qsizetype moment = 0;
        bool operator==(const Origin &) const = default;
    };
    /// Of the branch that is shown, which then stays.
    Origin origin(qsizetype moment);
    /// Whether it can be gone back to: not when everything was started over or goes on under other
    /// rules, or its branch was deleted.
    bool isThere(const Origin &origin) const;

    struct Trace
    {
        quint64 number = 0; ///< no two have the same
        QString name;       ///< of its branch
        Origin origin;
        QList<Event> events;
    };
    /// Shows a trace after so many of its steps, `pause` virtual ms one after the other. False: its
    /// origin is not there.
    bool show(const Trace &trace, qsizetype steps, qint64 pause = 1000);
    /// How many of a trace's steps have happened at the moment shown; nothing: it is not on the
    /// branch that is shown.
    std::optional<qsizetype> steps(const Trace &trace) const;
    /// Where the trace that is shown began, as long as nothing else has happened on its branch: it
    /// is looked at, and not part of the run.
    std::optional<Origin> beginning() const;

private:
    bool isAlone(const Simulator::Branch *branch) const;
    bool isPlayed(const Trace &trace) const;
    void makeRoom();

    Simulator &m_simulator;
    quint32 m_branch = 0; ///< 0: none
    Trace m_trace;        ///< on it
};

} // namespace instar
