// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/world.h"

#include <span>

namespace instar {

struct Exercised;

/// State after an event, and the record of its changes.
struct Stepped
{
    World world;
    Record record;
};

/// Transition function: applies an event to a world; no other code knows the rules. Pure: the same
/// rules, world and event give the same result on every machine. A world that is moved in is
/// changed in place. An event that cannot happen (the end of an operation that does not run)
/// advances only the time and gives a record without changes. Adds the rows, meetings and codes that
/// it used to `exercised`, if not null.
Stepped step(const Rules &rules, World world, const Event &event, Exercised *exercised = nullptr);

/// Returns the next event that needs no request, with its time: an end, a beginning or a
/// timer's firing. Kind Wait: none.
Event nextEvent(const Rules &rules, const World &world);

/// Returns every event that may happen next except submissions: ends and beginnings whose time is
/// known or open, and timers whose firing the rules admit.
QList<Event> enabled(const Rules &rules, const World &world);

/// Returns the outcomes that may be given by hand to a running attempt: those with a transition out
/// of the target's state.
QList<Rules::TriggerId> choices(const Rules &rules, const World &world, quint32 serial);

/// Returns the constraints that became broken since the last call, as changes of kind Violated, and
/// updates World::broken. `touched`: branches in which something has changed since. A constraint
/// that looks beyond its own branch is checked on every resource.
std::vector<Change> watched(
    const Rules &rules, World &world, std::span<const quint32> touched, bool timeless = false);

} // namespace instar
