// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/statecharts/statechart.h"

namespace instar {

// One-to-one representation, as rows of a machine, of statecharts with history or regions, which
// packs cannot express: the window draws, edits and saves them without loss.

/// Machine with a state for each vertex and a transition for each arrow. See
/// Machine::StatechartMark.
Machine machineOfRows(const Statechart &chart);

// Parts of statechartOf() for such rows. It sets the line of an arc to the number of its row, from
// 1.

/// Kind of the vertex that a state represents; State in other machines.
Vertex::Kind vertexKind(const State &state);
bool isNamed(const State &state);
Particulars particularsOf(const Row &row);
/// Side of its state on which a note stands: see Note::side.
QString sideOf(const ChartNote &note);
/// Sets the events, targets and other members of an arc from its row.
void describeArc(const Transition &row, Arc *arc);
/// Sets the notes and other members of a chart from its machine.
void describeChart(const Machine &machine, Statechart *chart);
/// Event of an arc that a trigger represents; empty: the arc has no event.
QString eventOf(const QString &trigger);

/// Type path of a chart's regions, which are child resources, from the chart's own type path.
QString regionType(const QString &chartType);

} // namespace instar
