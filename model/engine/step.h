// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"
#include "model/engine/event.h"

#include <span>

namespace instar {

/// A world after an event, and what the event led to.
struct Stepped
{
    World world;
    Record record;
};

/// What an event does to a world: the only place that knows the rules. Pure: the same rules, world
/// and event give the same result on every machine. A world that is moved in is changed in place.
/// An event that cannot happen (an end of something that does not run) changes nothing but the time
/// and gives a record without changes.
Stepped step(const Rules &rules, World world, const Event &event);
/// The same; what it uses of the rules is added to `exercised`.
Stepped step(const Rules &rules, World world, const Event &event, Exercised *exercised);

/// What comes next by itself: the next end, beginning or firing of the clock, with its time. Kind
/// Wait: nothing.
Event nextEvent(const Rules &rules, const World &world);

/// Everything that may happen next by itself: ends and beginnings whose time is known or open,
/// timers that would be admitted. Submissions are the clients' own.
QList<Event> enabled(const Rules &rules, const World &world);

/// The outcomes that a running attempt may be given by hand: those with a transition out of the
/// target's state.
QList<Rules::TriggerId> choices(const Rules &rules, const World &world, quint32 serial);

/// The constraints that have stopped holding since they were watched last, as changes of kind
/// Violated, and keeps in World::broken which do not hold now. `touched` are the branches in which
/// something has changed since; a constraint that looks beyond its own branch is asked of every
/// resource.
std::vector<Change> watched(
    const Rules &rules, World &world, std::span<const quint32> touched, bool timeless = false);

} // namespace instar
