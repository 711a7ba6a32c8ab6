// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/machine.h"

namespace instar {

// What a machine's own rows say, composites included. The only place that knows statecharts.

/// Transitions name this for every state in which the resource exists.
inline constexpr QStringView AnyState = u"*";
inline constexpr QStringView SameState = u"(same)";
inline constexpr QStringView LastState = u"(last)";
inline constexpr QStringView ParentsChildren =
    u"parent/"; ///< before a relation: the parent's children, not one's own

/// A state and the composites around it, innermost first.
QStringList lineage(const Machine &machine, const QString &state);

/// Whether a transition leads out of a state: it names the state, a composite around it, or "*".
bool leaves(const Machine &machine, const Transition &transition, const QString &state);

/// The simple state in which a transition to `state` ends: a composite is entered at its first
/// state.
QString entered(const Machine &machine, const QString &state);

/// The transitions out of a state on a trigger, in the order in which they are asked.
QList<int> successors(const Machine &machine, const QString &state, const QString &trigger);

/// What a transitional state's work is: as written, or one attempt.
QList<Step> workOf(const State &state);

} // namespace instar
