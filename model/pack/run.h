// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

#include <QHash>
#include <QSet>

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

/// A machine's states and the transitions out of them, looked up once for many questions. The
/// machine must outlive it, unchanged.
class WaysOut
{
public:
    explicit WaysOut(const Machine &machine);
    /// The transitions out of a state, in the order in which they are asked.
    QList<int> from(const QString &state) const;
    /// Those that name it, or "*", themselves.
    QList<int> naming(const QString &state) const { return m_rows.value(state); }
    /// As Machine::state().
    const State *state(const QString &id) const { return m_states.value(id); }
    /// The simple state in which a transition to `state` ends: a composite is entered at its first
    /// state.
    QString entered(const QString &state) const;

private:
    QString m_initial;
    QHash<QString, const State *> m_states;
    QHash<QString, QString> m_first;   ///< composite -> the first state in it
    QHash<QString, QList<int>> m_rows; ///< what transitions name -> these
};

/// True if a state lies in itself, by way of its parents. `states`: a Machine, or its WaysOut.
bool liesInItself(const auto &states, const State &state)
{
    QSet<QString> seen;
    const State *at = &state;
    while (at && !seen.contains(at->id)) {
        seen.insert(at->id);
        at = at->parent.isEmpty() ? nullptr : states.state(at->parent);
    }
    return at;
}

/// What a transitional state's work is: as written, or one attempt.
QList<Step> workOf(const State &state);

} // namespace instar
