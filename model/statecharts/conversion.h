// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"
#include "model/statecharts/statechart.h"

namespace instar {

/// Pack converted from another form, and the losses of the conversion.
struct PackMade
{
    Pack pack;
    QList<Diagnostic> remarks;
};

struct StatechartMade
{
    Statechart chart;
    QList<Diagnostic> remarks;
};

/// Most states of a statechart that is converted to a pack.
constexpr int MostStates = 2000;

/// Most arrows of a machine that is converted to a statechart, those from any state expanded.
constexpr qsizetype MostArcs = 100'000;

/// Converts a statechart to a small pack with one type and one resource, which begins in the
/// chart's initial state; check() finds no error in it.
///
/// States keep ids, labels, places and composites; descriptions and notes become `about`, and an
/// arrow's text its row's label. A state with an eventless arrow, or one on `succeeded`, is
/// transitional: the arrow is on `succeeded`. Choices, entry and exit points are transitional, with
/// work that takes no time. An unnamed final state of the whole chart removes the resource; every
/// other final state is stable. If the chart begins with events or work, a stable state waits for
/// them, by the operation `start` if the arrow has no event. `create` creates a resource.
///
/// Unreachable states and actions are left out, with remarks. A history of a state without
/// substates is that state. Fails if the chart needs the interpreter, has too many states, or has
/// an endless loop of eventless arrows.
Result<PackMade> packOf(const Statechart &chart);

/// Returns true if a chart has history, regions or events of its own, for which one state of a
/// resource is not enough.
bool needsInterpreter(const Statechart &chart);

/// Converts the text of a guard to a pack's condition: names with operators are parsed, any other
/// text is one label.
Condition conditionOf(const QString &text);
/// True if an event has the name of a built-in outcome.
bool isOutcome(const QString &event);

/// Converts a machine to a statechart; its initial state becomes the initial dot and the final
/// state. Work of states and constraints on other resources become texts. Rows with `when` are kept
/// if they exist under `switches`, by default under none. Fails if there are more than MostArcs
/// arrows.
Result<StatechartMade> statechartOf(
    const Machine &machine, const QMap<QString, QString> &switches = {});

// One-to-one representation, as rows of a machine, of statecharts with history or regions, which
// packs cannot express: the window draws, edits and saves them without loss.

/// Machine with a state for each vertex and a transition for each arrow. See
/// Machine::StatechartMark. statechartOf() returns the chart again; it sets the line of an arc to
/// the number of its row, from 1.
Machine machineOfRows(const Statechart &chart);
/// Kind of the vertex that a state represents; State in other machines.
Vertex::Kind vertexKind(const State &state);
bool isNamed(const State &state);
/// Side of its state on which a note stands: see Note::side.
QString sideOf(const ChartNote &note);
/// Event of an arc that a trigger represents; empty: the arc has no event.
QString eventOf(const QString &trigger);
/// Type path of a chart's regions, which are child resources, from the chart's own type path.
QString regionType(const QString &chartType);

} // namespace instar
