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

Cover without(const Cover &cover, const std::vector<const Cover *> &others)
{
    Cover rest = cover;
    for (const Cover *other : others) {
        for (const Tree::Range &range : *other)
            subtract(rest, range);
    }
    return rest;
}

bool covers(const Cover &cover, const Tree::Place &place)
{
    return std::ranges::any_of(cover, [&](const Tree::Range &range) {
        return range.branch == place.branch && place.position >= range.begin
            && place.position < range.end;
    });
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

std::vector<const Cover *> otherCovers(const World &world, quint32 branch, quint32 exceptSerial)
{
    std::vector<const Cover *> covers;
    const auto busy = world.busy.constFind(branch);
    if (busy == world.busy.constEnd())
        return covers;
    for (const quint32 serial : *busy) {
        if (serial != exceptSerial)
            covers.push_back(&world.find(serial)->cover);
    }
    return covers;
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

Cover unanswered(const World &world, const Cover &cover, quint32 exceptSerial)
{
    Cover rest = cover;
    std::vector<quint32> branches;
    for (const Tree::Range &range : cover) {
        if (std::ranges::find(branches, range.branch) == branches.end())
            branches.push_back(range.branch);
    }
    for (const quint32 branch : branches)
        rest = without(rest, otherCovers(world, branch, exceptSerial));
    return rest;
}

} // namespace instar
