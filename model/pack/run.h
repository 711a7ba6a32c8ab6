// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

#include <QHash>
#include <QSet>

namespace instar {

/// Name in Transition::from for every state in which the resource exists.
inline constexpr QStringView AnyState = u"*";
inline constexpr QStringView SameState = u"(same)"; ///< in Transition::to: the current state
inline constexpr QStringView LastState = u"(last)"; ///< in Transition::to: the last rest state
/// Prefix of a condition's relation: "parent/disks" means the disks of the resource's parent.
inline constexpr QStringView ParentsChildren = u"parent/";

/// Returns a state and the composites around it, innermost first, in a Machine or a MachineIndex.
QStringList lineage(const auto &states, const QString &state)
{
    QStringList ids;
    QSet<QString> visited;
    for (const State *at = states.state(state); at && !visited.contains(at->id);
         at = at->parent.isEmpty() ? nullptr : states.state(at->parent)) {
        visited.insert(at->id);
        ids += at->id;
    }
    return ids;
}

/// True if a transition leaves a state: it names the state, a composite around it, or "*".
bool leaves(const Machine &machine, const Transition &transition, const QString &state);

/// Index of the states and transitions of a machine, which must outlive the index unchanged.
class MachineIndex
{
public:
    explicit MachineIndex(const Machine &machine);
    /// Returns the transitions out of a state, in order of evaluation.
    QList<int> from(const QString &state) const;
    /// Returns the transitions that name this state (or "*") literally.
    QList<int> naming(const QString &state) const { return m_rows.value(state); }
    const State *state(const QString &id) const { return m_states.value(id); }
    /// Returns the simple state that a transition to `state` enters: for a composite, its first
    /// state, or recursively the first state in that.
    QString entered(const QString &state) const;

private:
    QString m_initial;
    QHash<QString, const State *> m_states;
    QHash<QString, QString> m_first;   ///< composite -> the first state in it
    QHash<QString, QList<int>> m_rows; ///< name in Transition::from -> transitions
};

/// True if a chain of parents leads back to the state. `states` is a Machine or a MachineIndex.
bool isInParentCycle(const auto &states, const State &state)
{
    return lineage(states, state.parent).contains(state.id);
}

/// True if a row exists when the pack's options (switches) have these values.
bool existsUnder(const Row &row, const QMap<QString, QString> &values);

/// Returns the steps of a transitional state: those in the file, else one attempt.
QList<Step> workOf(const State &state);

} // namespace instar
