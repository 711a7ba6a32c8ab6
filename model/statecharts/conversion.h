// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"
#include "model/statecharts/statechart.h"

namespace instar {

/// A pack made from something smaller, and what of that is not in it.
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

/// More states of a statechart than this are not made a pack.
constexpr int MostStates = 2000;

/// More arrows than this, with those of any state written out, are not made a statechart.
constexpr qsizetype MostArcs = 100'000;

/// A small pack with one type and one resource, which begins where the chart does; check() finds no
/// error in it.
///
/// States keep ids, labels, places and composites; descriptions and notes are what the pack says
/// about them, and what is written at an arrow is its row's. A state with an arrow without an event
/// is transitional: the arrow is on `succeeded`. So is a state that is left on `succeeded`. Choices
/// and points on borders are transitional, with work that takes no time. An unnamed final state of
/// the whole chart is the resource's end: it is removed; every other final state is stable. Where
/// the chart itself begins with events or work, a stable state waits for them, by the operation
/// `start` where the arrow has none. What does not exist yet comes to be by `create`.
///
/// What nothing leads to is left out, and so is what the chart executes; remarks say so. A history
/// of a state without substates is that state. An error where the chart needs the interpreter, has
/// too many states, or where arrows without events follow each other for ever.
Result<PackMade> packOf(const Statechart &chart);

/// Returns true if a chart has history, regions or events of its own, for which one state of a
/// resource is not enough.
bool needsInterpreter(const Statechart &chart);

/// A pack's condition for the text of a guard: what is made of names alone is taken apart, and
/// anything else is one name.
Condition conditionOf(const QString &text);
/// Whether an event has the name of a built-in outcome.
bool isOutcome(const QString &event);

/// A machine's states and transitions, the initial state as the dot and as the final one. What
/// happens in a state, and what rows ask of other resources, is told in words. Of rows that a
/// switch turns on or off those stay that exist under `switches`, by default under none. An error
/// where the arrows from any state are too many when each is drawn.
Result<StatechartMade> statechartOf(
    const Machine &machine, const QMap<QString, QString> &switches = {});

} // namespace instar
