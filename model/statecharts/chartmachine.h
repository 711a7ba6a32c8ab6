// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/statecharts/statechart.h"

namespace instar {

// Statecharts with history or regions, which a pack cannot hold, as rows that the window draws and
// edits. The rows are the chart's vertices and arrows, so that it is saved as what it was.

/// Machine with a state for each vertex and a transition for each arrow. See
/// Machine::StatechartMark.
Machine machineOfRows(const Statechart &chart);

// What statechartOf() reads of such rows, which no other machine has. The line of an arc that it
// makes is the number of its row, from 1.

/// Kind of the vertex behind a state; State for those of other machines.
Vertex::Kind vertexKind(const State &state);
bool isNamed(const State &state);
Particulars particularsOf(const Row &row);
/// Side of its state that a note wants: see Note.
QString sideOf(const ChartNote &note);
/// Sets the events and targets of an arc, and what it is besides.
void describeArc(const Transition &row, Arc *arc);
/// Sets the notes, and what the chart is besides.
void describeChart(const Machine &machine, Statechart *chart);
/// Event of an arc behind a trigger; empty: it is taken at once.
QString eventOf(const QString &trigger);

/// Type path of the regions of a chart, given that of the chart: each region is a resource below.
QString regionType(const QString &chartType);

} // namespace instar
