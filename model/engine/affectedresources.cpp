// SPDX-License-Identifier: Apache-2.0
#include "model/engine/affectedresources.h"

#include <algorithm>

namespace instar {

namespace {

void subtract(AffectedResources &affected, const Tree::Range &hole)
{
    const size_t count = affected.size();
    for (size_t i = 0; i < count; ++i) {
        const Tree::Range range = affected[i];
        if (range.branch != hole.branch || hole.end <= range.begin || hole.begin >= range.end)
            continue;
        affected[i].end = std::clamp(hole.begin, range.begin, range.end);
        if (hole.end < range.end)
            affected.push_back({ range.branch, hole.end, range.end });
    }
    std::erase_if(affected, [](const Tree::Range &range) { return range.begin >= range.end; });
}

} // namespace

void include(AffectedResources &affected, const Tree::Range &range)
{
    for (Tree::Range &own : affected) {
        if (own.branch == range.branch && own.begin <= range.begin && own.end >= range.end)
            return;
    }
    subtract(affected, range);
    for (Tree::Range &own : affected) { // merges neighbours, to keep the list short
        if (own.branch == range.branch && own.end == range.begin) {
            own.end = range.end;
            return;
        }
        if (own.branch == range.branch && own.begin == range.end) {
            own.begin = range.begin;
            return;
        }
    }
    affected.push_back(range);
}

AffectedResources without(AffectedResources affected, const AffectedResources &other)
{
    for (const Tree::Range &range : other)
        subtract(affected, range);
    return affected;
}

bool contains(const AffectedResources &affected, const Tree::Place &place)
{
    return std::ranges::any_of(
        affected, [&](const Tree::Range &range) { return contains(range, place); });
}

void makeRoom(AffectedResources &affected, const Tree::Place &place)
{
    const size_t count = affected.size();
    for (size_t i = 0; i < count; ++i) {
        Tree::Range &range = affected[i];
        if (range.branch != place.branch || range.end <= place.position)
            continue;
        if (range.begin >= place.position) {
            ++range.begin;
            ++range.end;
            continue;
        }
        const Tree::Range after { range.branch, place.position + 1, range.end + 1 };
        range.end = place.position;
        affected.push_back(after);
    }
}

void forget(AffectedResources &affected, const Tree::Range &range)
{
    subtract(affected, range);
    for (Tree::Range &own : affected) {
        if (own.branch == range.branch && own.begin >= range.end) {
            own.begin -= range.size();
            own.end -= range.size();
        }
    }
}

std::vector<std::pair<Resource, Resource>> runsOf(const Tree &tree, AffectedResources affected)
{
    std::ranges::sort(affected, {},
        [&](const Tree::Range &range) { return std::pair(tree.rank(range.branch), range.begin); });
    std::vector<std::pair<Resource, Resource>> runs;
    for (size_t i = 0; i < affected.size(); ++i) {
        const Tree::Range &range = affected[i];
        const Resource last = tree.at(range.branch, range.end - 1);
        const bool isAdjacent =
            i > 0 && affected[i - 1].branch == range.branch && affected[i - 1].end == range.begin;
        if (isAdjacent)
            runs.back().second = last;
        else
            runs.emplace_back(tree.at(range.branch, range.begin), last);
    }
    return runs;
}

void DirtyRegion::add(const Tree::Range &range)
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

void DirtyRegion::add(const DirtyRegion &later)
{
    for (const Tree::Range &run : later.m_runs)
        add(run);
}

} // namespace instar
