// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/charttree.h"

namespace instar {

/// An arrow between nodes, to be put into a text.
struct OutlineArc
{
    int from = 0;
    int to = 0;
    /// Where it must stand, if one of its ends means something only there ("[*]"); -1: anywhere.
    int home = -1;
};

/// One piece of a text that describes a statechart.
struct OutlineStep
{
    enum class Kind {
        Declare,  ///< a vertex that needs no body, or has it later
        Open,     ///< the body of a composite begins
        Reopen,   ///< it goes on
        Separate, ///< a region ends and this one begins
        Connect,
        Finish, ///< the last piece of a node's first body, or of the statechart (0)
        Close,
    };
    Kind kind = Kind::Declare;
    int index = 0; ///< of a node, or of an arc
    bool operator==(const OutlineStep &) const = default;
};

/// The order of a text in which states lie in each other's bodies, with arrows among them: every
/// name is declared, in the order of the vertices, before an arrow uses it. A body with regions
/// comes as a whole. `isDeclared` says of each node whether it is declared by a name.
enum class OutlineOrder {
    Tidy, ///< bodies come as a whole; of one state the arrows keep their order
    Kept, ///< all arrows keep their order, for which bodies are opened again where they must
};
QList<OutlineStep> chartOutline(const ChartTree &tree, const QList<OutlineArc> &arcs,
    const QList<bool> &isDeclared, OutlineOrder order);

/// The arrows in the order in which they come.
QList<int> arrowsOf(const QList<OutlineStep> &outline);

} // namespace instar
