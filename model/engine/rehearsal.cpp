// SPDX-License-Identifier: Apache-2.0
#include "model/engine/rehearsal.h"

#include <algorithm>

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
        m_branch = 0; // something begins on it
    return { m_simulator.run(), m_simulator.branch(), moment };
}

bool Rehearsal::isThere(const Origin &origin) const
{
    return m_simulator.keepsPast() && origin.run == m_simulator.run()
        && branchOf(m_simulator.branches(), origin.branch);
}

bool Rehearsal::isPlayed(const Story &story) const
{
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const Simulator::Branch *own = branchOf(branches, m_branch);
    return m_branch && own && story.number == m_story.number && own->name == story.name
        && own->records.size() >= story.events.size();
}

/// Whether a branch holds the story, and nothing else.
bool Rehearsal::isAlone(const Simulator::Branch *branch) const
{
    return branch && branch->id != 0 && branch->name == m_story.name
        && branch->records.size() == m_story.events.size();
}

std::optional<Rehearsal::Origin> Rehearsal::beginning() const
{
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const bool isShown = m_branch && m_simulator.branch() == m_branch
        && isAlone(branchOf(branches, m_branch)) && isThere(m_story.origin);
    return isShown ? std::optional(m_story.origin) : std::nullopt;
}

/// For the next one: a branch that holds a story, and nothing else, goes.
void Rehearsal::makeRoom()
{
    const QList<Simulator::Branch> branches = m_simulator.branches();
    const Simulator::Branch *own = branchOf(branches, std::exchange(m_branch, 0));
    if (!isAlone(own))
        return;
    const bool isTrunk = std::ranges::any_of(branches,
        [&](const Simulator::Branch &other) { return other.id && other.trunk == own->id; });
    if (!isTrunk)
        m_simulator.removeBranch(own->id);
}

bool Rehearsal::show(const Story &story, qsizetype steps, qint64 pause)
{
    if (!isThere(story.origin))
        return false;
    m_simulator.pause();
    if (!isPlayed(story)) {
        m_simulator.switchTo(story.origin.branch);
        makeRoom();
        m_simulator.jump(story.origin.moment);
        m_branch = m_simulator.follow(story.events, pause, story.name);
        m_story = story;
    }
    m_simulator.switchTo(m_branch ? m_branch : story.origin.branch);
    m_simulator.jump(story.origin.moment + steps);
    return true;
}

std::optional<qsizetype> Rehearsal::steps(const Story &story) const
{
    if (m_simulator.branch() != m_branch || !isPlayed(story))
        return {};
    const qsizetype happened = m_simulator.moment() - story.origin.moment;
    return std::clamp<qsizetype>(happened, 0, story.events.size());
}

} // namespace instar
