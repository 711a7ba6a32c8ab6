// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/world.h"

#include <span>

namespace instar {

// Scheduler of a world's timers. A timer whose firing would be refused sleeps until something
// happens in its branch (or in any branch, if the rows read other trees). So the cost of an event
// does not grow with the number of timed resources.

/// Returns the timer of the state that a resource is in; null: the state has none.
const Rules::Clock *timerOf(const Rules &rules, const World &world, Resource resource);

/// Returns the due time (virtual ms) of a timer whose resource entered its state at `entry`;
/// absent if the properties that define this time are missing.
std::optional<qint64> momentOf(const Rules &rules, const World &world, Resource resource,
    const Rules::Clock &timer, qint64 entry);

/// Returns every firing that the rules admit in the current state, by time, then by the timer's
/// order, then in preorder. Checks every timed resource.
QList<Event> firings(const Rules &rules, const World &world);

/// Returns the first of firings(), if possible from the last step's cache; kind Wait: none.
Event nextFiring(const Rules &rules, const World &world);

/// Updates the schedule at the end of a step. `changed`: resources whose timer began or whose
/// properties changed; `active`: branches in which something happened.
void updateSchedule(const Rules &rules, World &world, std::span<const Resource> changed,
    std::span<const quint32> active);

} // namespace instar
