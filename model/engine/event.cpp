// SPDX-License-Identifier: Apache-2.0
#include "model/engine/event.h"

#include <algorithm>

namespace instar {

void Extent::add(const Tree::Range &range)
{
    if (range.begin >= range.end)
        return;
    const auto known = std::ranges::lower_bound(m_runs, range.branch, {}, &Tree::Range::branch);
    if (known == m_runs.end() || known->branch != range.branch) {
        m_runs.insert(known, range);
        return;
    }
    known->begin = std::min(known->begin, range.begin);
    known->end = std::max(known->end, range.end);
}

void Extent::addBranch(quint32 branch)
{
    add(Tree::Range { branch, 0, Everything });
}

void Extent::add(const Extent &later)
{
    for (const Tree::Range &run : later.m_runs)
        add(run);
}

Tree::Range Extent::runOf(quint32 branch) const
{
    const auto known = std::ranges::lower_bound(m_runs, branch, {}, &Tree::Range::branch);
    const bool isThere = known != m_runs.end() && known->branch == branch;
    return isThere ? *known : Tree::Range { branch, 0, 0 };
}

bool Extent::contains(const Tree::Place &place) const
{
    const Tree::Range run = runOf(place.branch);
    return run.begin <= place.position && place.position < run.end;
}

} // namespace instar
