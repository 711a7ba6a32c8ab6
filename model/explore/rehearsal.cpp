// SPDX-License-Identifier: Apache-2.0
#include "model/explore/rehearsal.h"

namespace instar {

namespace {

const Simulator::Branch *branchOf(const QList<Simulator::Branch> &branches, quint32 id)
{
    const auto found = std::ranges::find(branches, id, &Simulator::Branch::id);
    return found == branches.end() ? nullptr : &*found;
}

} // namespace

Rehearsal::Origin Rehearsal::origin(qsizetype moment)
{
    if (m_simulator.branch() == m_branch)
        m_branch = 0; // keeps the branch, because other traces begin on it
    return { m_simulator.run(), m_simulator.branch(), moment };
}

bool Rehearsal::exists(const Origin &origin) const
{
    return m_simulator.keepsPast() && origin.run == m_simulator.run()
        && branchOf(m_simulator.branches(), origin.branch);
}

bool Rehearsal::isPlayed(const Trace &trace) const
{
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const Simulator::Branch *own = branchOf(branches, m_branch);
    return m_branch && own && trace.number == m_trace.number && own->name == trace.name
        && own->records.size() >= trace.events.size();
}

/// Returns true if a branch contains the events of m_trace and no others.
bool Rehearsal::hasOnlyTrace(const Simulator::Branch *branch) const
{
    return branch && branch->id != 0 && branch->name == m_trace.name
        && branch->records.size() == m_trace.events.size();
}

std::optional<Rehearsal::Origin> Rehearsal::beginning() const
{
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const bool isShown = m_branch && m_simulator.branch() == m_branch
        && hasOnlyTrace(branchOf(branches, m_branch)) && exists(m_trace.origin);
    return isShown ? std::optional(m_trace.origin) : std::nullopt;
}

/// Removes the previous trace's branch if it has no other events and no branch begins on it.
void Rehearsal::removePreviousBranch()
{
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const Simulator::Branch *own = branchOf(branches, std::exchange(m_branch, 0));
    if (!hasOnlyTrace(own))
        return;
    const bool isTrunk = std::ranges::any_of(branches,
        [&](const Simulator::Branch &other) { return other.id && other.trunk == own->id; });
    if (!isTrunk)
        m_simulator.removeBranch(own->id);
}

bool Rehearsal::show(const Trace &trace, qsizetype steps, qint64 pause)
{
    if (!exists(trace.origin))
        return false;
    m_simulator.pause();
    if (!isPlayed(trace)) {
        m_simulator.switchTo(trace.origin.branch);
        removePreviousBranch();
        m_simulator.jump(trace.origin.moment);
        m_branch = m_simulator.playOnNewBranch(trace.events, pause, trace.name);
        m_trace = trace;
    }
    m_simulator.switchTo(m_branch ? m_branch : trace.origin.branch);
    m_simulator.jump(trace.origin.moment + steps);
    return true;
}

std::optional<qsizetype> Rehearsal::steps(const Trace &trace) const
{
    if (m_simulator.branch() != m_branch || !isPlayed(trace))
        return {};
    const qsizetype happened = m_simulator.moment() - trace.origin.moment;
    return std::clamp<qsizetype>(happened, 0, trace.events.size());
}

} // namespace instar
