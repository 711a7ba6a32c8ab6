// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/tree.h"

#include <utility>
#include <vector>

namespace instar {

inline Tree::Range rangeOf(const Tree::Place &place)
{
    return { place.branch, place.position, place.position + 1 };
}

inline bool contains(const Tree::Range &range, const Tree::Place &place)
{
    return range.branch == place.branch && range.begin <= place.position
        && place.position < range.end;
}

/// Affected resources of an operation: disjoint ranges, in no particular order.
using AffectedResources = std::vector<Tree::Range>;

/// Adds a range to the affected resources, merging it with neighbouring ranges.
void include(AffectedResources &affected, const Tree::Range &range);
AffectedResources without(AffectedResources affected, const AffectedResources &other);
bool contains(const AffectedResources &affected, const Tree::Place &place);
/// Merges adjacent ranges; returns the first and last resource of each, in the tree's order.
std::vector<std::pair<Resource, Resource>> runsOf(const Tree &tree, AffectedResources affected);
/// Shifts the ranges behind a place at which a resource was inserted. Splits a range around the
/// place, so that the new resource is not affected.
void makeRoom(AffectedResources &affected, const Tree::Place &place);
/// Removes a range whose resources were removed, and shifts the ranges behind it.
void forget(AffectedResources &affected, const Tree::Range &range);

/// Dirty region of the tree: where a resource's state, etag or operation has changed. For each
/// branch (a top-level resource and its descendants), one range that contains all changes, or the
/// whole branch if resources were created or removed, because that shifts positions.
class DirtyRegion
{
public:
    void add(const Tree::Range &range);
    void addBranch(quint32 branch) { add(Tree::Range { branch, 0, Everything }); }
    void add(const DirtyRegion &later);

    bool isEmpty() const { return m_runs.empty(); }
    const std::vector<Tree::Range> &runs() const { return m_runs; } ///< sorted by branch
    /// Returns true if a range is a whole branch, in which resources were created or removed.
    static bool isWhole(const Tree::Range &run) { return run.end == Everything; }
    bool contains(const Tree::Place &place) const { return instar::contains(m_runs, place); }
    bool operator==(const DirtyRegion &) const = default;

private:
    static constexpr quint32 Everything = ~0u;
    std::vector<Tree::Range> m_runs;
};

} // namespace instar
