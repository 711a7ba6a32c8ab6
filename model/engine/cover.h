// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Adds a range to a cover; what is in it already is not added again.
void include(Cover &cover, const Tree::Range &range);

/// What is in a cover and in none of the others.
Cover without(const Cover &cover, const std::vector<const Cover *> &others);

bool covers(const Cover &cover, const Tree::Place &place);

/// A cover as the first and the last resource of each run of neighbours, in the tree's order.
std::vector<std::pair<Resource, Resource>> runsOf(const Tree &tree, Cover cover);

/// A resource was put at a place: later ones move up, a range that is cut keeps both parts and not
/// the new one.
void makeRoom(Cover &cover, const Tree::Place &place);

/// The resources of a range are gone.
void forget(Cover &cover, const Tree::Range &range);

/// The covers of every running operation but one that has something in the branch.
std::vector<const Cover *> otherCovers(const World &world, quint32 branch, quint32 exceptSerial);

/// What is in a cover and no running operation but `exceptSerial` answers for.
Cover unanswered(const World &world, const Cover &cover, quint32 exceptSerial);

} // namespace instar
