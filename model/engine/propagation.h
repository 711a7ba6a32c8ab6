// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Where a resource is, seen from the target of an operation.
enum class Kin { Target, Ancestors, Descendants, Siblings, Tree, OtherTrees, References };
inline constexpr std::array<Kin, 7> everyKin { Kin::Target, Kin::Ancestors, Kin::Descendants,
    Kin::Siblings, Kin::Tree, Kin::OtherTrees, Kin::References };

/// What an operation makes of the resources around its target, from its start to each of its ends.
struct Propagation
{
    struct Phase
    {
        QStringList outcomes;     ///< in which it has ended; empty: it has just started
        bool isAtOnce = false;    ///< started, and over already
        QMap<Kin, QString> shown; ///< the word they show then, several with commas; empty: as
                                  ///< before. Nothing: there are none
        bool operator==(const Phase &) const = default;
    };
    QString operation;
    QStringList types;  ///< full paths: of a target of each of them all this is so
    bool exists = true; ///< the target was there, at rest; else it was not
    QString refused;    ///< the code; then there are no phases
    QStringList unsaid; ///< conditions that were left open, and taken as false
    QList<Phase> phases;
};

/// Of every operation on a target of every type, found by letting it happen on a small tree: a
/// parent, children, a sibling, another tree and what it refers to, all at rest. What is the same
/// for several types is told once.
QList<Propagation> propagations(const Rules &rules);

/// The word for a resource that is there no more.
inline const QString goneWord = QStringLiteral("gone");

} // namespace instar
