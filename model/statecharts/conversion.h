// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"
#include "model/statecharts/statechart.h"

namespace instar {

/// Pack converted from another form, and remarks on the conversion.
struct PackMade
{
    Pack pack;
    QList<Diagnostic> remarks;
};

/// Greatest number of states of a statechart that is converted to a pack.
constexpr int MostStates = 2000;

/// Converts a statechart to a small pack with one type and one resource, which begins in the
/// chart's initial state; check() finds no error in the pack.
///
/// States keep ids, labels, positions, colours and composites; descriptions and notes become
/// `about`; an arrow becomes a transition whose label is the arrow's text. An eventless arrow
/// becomes one on `succeeded`. States with an arrow on `succeeded` are transitional; so are
/// choices, entry and exit points, whose work takes no time. An unnamed final state of the whole
/// chart removes the resource; every other final state is stable. The operation `create` creates a
/// resource. If the chart begins with work, the resource waits in an added stable state for
/// `start`.
///
/// Unreachable states and actions are left out, with remarks. A history of a state without
/// substates is that state. Fails if the chart needs the interpreter, has too many states, or has
/// an endless loop of eventless arrows.
Result<PackMade> packOf(const Statechart &chart);

/// Returns true if a chart has history, regions or raised events, which a pack cannot express.
bool needsInterpreter(const Statechart &chart);

/// Converts a guard to a pack's condition: names with operators are parsed, other texts are labels.
Condition conditionOf(const QString &text);
/// True if an event has the name of a built-in outcome.
bool isOutcome(const QString &event);

} // namespace instar
