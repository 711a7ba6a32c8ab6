// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"
#include "model/statecharts/statechart.h"

namespace instar {

struct StatechartMade
{
    Statechart chart;
    QList<Diagnostic> remarks;
};

/// Most arrows of a machine that is converted to a statechart, those from any state expanded.
constexpr qsizetype MostArcs = 100'000;

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
