// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Position of a resource relative to an operation's target.
enum class Kin { Target, Ancestors, Descendants, Siblings, Tree, OtherTrees, References };
inline constexpr std::array<Kin, 7> everyKin { Kin::Target, Kin::Ancestors, Kin::Descendants,
    Kin::Siblings, Kin::Tree, Kin::OtherTrees, Kin::References };

/// Effect of an operation on the resources around its target, from its start to each of its ends.
struct Propagation
{
    struct Phase
    {
        QStringList outcomes;     ///< in which it has ended; empty: it has just started
        bool isAtOnce = false;    ///< it ended when it started
        QMap<Kin, QString> shown; ///< words shown in this phase, separated by commas; empty: as
                                  ///< before. No entry: there are no such resources
        bool operator==(const Phase &) const = default;
    };
    QString operation;
    QStringList types;  ///< full paths of the target types to which this applies
    bool exists = true; ///< the target existed, at rest; false: it did not exist
    QString refused;    ///< the refusal's code; then there are no phases
    QStringList unsaid; ///< conditions that were left open, and taken as false
    QList<Phase> phases;
};

/// Returns the propagation of every operation on a target of every type, found by running it on a
/// small tree: a parent, children, a sibling, another tree and the target's references, all at
/// rest. Types with the same result are merged.
QList<Propagation> propagations(const Rules &rules);

} // namespace instar
