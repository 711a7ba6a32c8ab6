// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/world.h"

#include <span>

namespace instar {

struct Exercised;

struct Stepped
{
    World world;
    Record record;
};

/// Transition function: applies an event to a world. Pure: the same rules, world and event give the
/// same result on every machine. A world that is moved in is changed in place. An event that cannot
/// happen (the end of an operation that does not run) only advances the time, and its record has no
/// changes. Adds the rows, meetings and error codes used to `exercised`, if not null.
Stepped step(const Rules &rules, World world, const Event &event, Exercised *exercised = nullptr);

/// Returns the next event: end of an attempt, beginning of work, timeout, firing; kind Wait: none.
Event nextEvent(const Rules &rules, const World &world);

/// Returns the outcomes of a running attempt for which the target's state has a transition.
QList<Rules::TriggerId> possibleOutcomes(const Rules &rules, const World &world, quint32 serial);

/// Returns the constraints broken since the last call, as changes of kind Violated, and updates
/// World::broken. `touched`: the branches that have changed since; if some constraint reads other
/// branches than its resource's, all are checked. `untimed`: time is ignored, see Context.
std::vector<Change> newViolations(
    const Rules &rules, World &world, std::span<const quint32> touched, bool untimed = false);

} // namespace instar
