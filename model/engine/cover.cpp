// SPDX-License-Identifier: Apache-2.0
#include "model/engine/cover.h"

#include <algorithm>

namespace instar {

namespace {

/// Removes `hole` from every range.
void subtract(Cover &cover, const Tree::Range &hole)
{
    const size_t count = cover.size();
    for (size_t i = 0; i < count; ++i) {
        const Tree::Range range = cover[i];
        if (range.branch != hole.branch || hole.end <= range.begin || hole.begin >= range.end)
            continue;
        cover[i].end = std::clamp(hole.begin, range.begin, range.end);
        if (hole.end < range.end)
            cover.push_back({ range.branch, hole.end, range.end });
    }
    std::erase_if(cover, [](const Tree::Range &range) { return range.begin >= range.end; });
}

} // namespace

void include(Cover &cover, const Tree::Range &range)
{
    for (Tree::Range &own : cover) {
        if (own.branch == range.branch && own.begin <= range.begin && own.end >= range.end)
            return;
    }
    subtract(cover, range);
    for (Tree::Range &own : cover) { // merges neighbours, to keep the ranges few
        if (own.branch == range.branch && own.end == range.begin) {
            own.end = range.end;
            return;
        }
        if (own.branch == range.branch && own.begin == range.end) {
            own.begin = range.begin;
            return;
        }
    }
    cover.push_back(range);
}

Cover without(Cover cover, const Cover &other)
{
    for (const Tree::Range &range : other)
        subtract(cover, range);
    return cover;
}

bool covers(const Cover &cover, const Tree::Place &place)
{
    return std::ranges::any_of(
        cover, [&](const Tree::Range &range) { return contains(range, place); });
}

void makeRoom(Cover &cover, const Tree::Place &place)
{
    const size_t count = cover.size();
    for (size_t i = 0; i < count; ++i) {
        Tree::Range &range = cover[i];
        if (range.branch != place.branch || range.end <= place.position)
            continue;
        if (range.begin >= place.position) {
            ++range.begin;
            ++range.end;
            continue;
        }
        const Tree::Range after { range.branch, place.position + 1, range.end + 1 };
        range.end = place.position;
        cover.push_back(after);
    }
}

void forget(Cover &cover, const Tree::Range &range)
{
    subtract(cover, range);
    for (Tree::Range &own : cover) {
        if (own.branch == range.branch && own.begin >= range.end) {
            own.begin -= range.size();
            own.end -= range.size();
        }
    }
}

std::vector<std::pair<Resource, Resource>> runsOf(const Tree &tree, Cover cover)
{
    std::ranges::sort(cover, {},
        [&](const Tree::Range &range) { return std::pair(tree.rank(range.branch), range.begin); });
    std::vector<std::pair<Resource, Resource>> runs;
    for (size_t i = 0; i < cover.size(); ++i) {
        const Tree::Range &range = cover[i];
        const Resource last = tree.at(range.branch, range.end - 1);
        const bool goesOn =
            i > 0 && cover[i - 1].branch == range.branch && cover[i - 1].end == range.begin;
        if (goesOn)
            runs.back().second = last;
        else
            runs.emplace_back(tree.at(range.branch, range.begin), last);
    }
    return runs;
}

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

} // namespace instar
