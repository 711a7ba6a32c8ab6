// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Adds a range to the affected resources, merging it with neighbouring ranges.
void include(Cover &cover, const Tree::Range &range);

/// Returns the set difference: `cover` minus all `others`.
Cover without(const Cover &cover, const std::vector<const Cover *> &others);

bool covers(const Cover &cover, const Tree::Place &place);

/// Returns the first and the last resource of each run of neighbours, in the tree's order.
std::vector<std::pair<Resource, Resource>> runsOf(const Tree &tree, Cover cover);

/// Shifts the ranges after a resource was inserted at a place. A range around it is split and does
/// not include the new resource.
void makeRoom(Cover &cover, const Tree::Place &place);

/// Removes a range whose resources were deleted, and shifts the ranges behind it.
void forget(Cover &cover, const Tree::Range &range);

/// Returns the affected resources of every running operation in the branch except one.
std::vector<const Cover *> otherCovers(const World &world, quint32 branch, quint32 exceptSerial);

/// Returns the part of `cover` that no running operation but `exceptSerial` affects.
Cover unanswered(const World &world, const Cover &cover, quint32 exceptSerial);

} // namespace instar
