// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"

#include <span>

namespace instar {

// The timers of a world: whose turn is next? A firing that would be refused is not due; it is asked
// about again when something has happened in its branch, or anywhere where the pack's rows look
// further. So an event costs what it touches, however many resources are timed.

/// The virtual time (ms) that a timer of a resource means which came to its state at `entry`;
/// nothing where properties were to tell and do not.
std::optional<qint64> momentOf(const Rules &rules, const World &world, Resource resource,
    const Rules::Clock &timer, qint64 entry);

/// When the clock looks at a timed resource next, whatever the rules would say then: virtual ms,
/// never before now.
qint64 lookTime(const Rules &rules, const World &world, Resource resource);

/// Every firing that would be admitted on the world as it is, soonest first; those that fall
/// together by the timer's order, then in preorder. Looks at every timed resource.
QList<Event> firings(const Rules &rules, const World &world);

/// The first of firings(), known from the last step; kind Wait: none.
Event nextFiring(const Rules &rules, const World &world);

/// To be called when a step is done: these resources have begun to be timed or have other
/// properties, and something has happened in these branches.
void keepTime(const Rules &rules, World &world, std::span<const Resource> changed,
    std::span<const quint32> stirred);

} // namespace instar
