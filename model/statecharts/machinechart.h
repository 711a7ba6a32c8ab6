// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/identity.h"
#include "model/pack/pack.h"
#include "model/result.h"
#include "model/statecharts/statechart.h"

namespace instar {

/// Statechart converted from a machine, and remarks on the conversion.
struct StatechartMade
{
    Statechart chart;
    QList<Diagnostic> remarks;
};

/// Greatest number of arrows of a converted machine. A row from any state becomes many arrows.
constexpr qsizetype MostArcs = 100'000;

/// Converts a machine to a statechart; the initial state becomes the initial dot and the final
/// state. Work of states and constraints on other resources become texts. A row with `when` is kept
/// only if the row applies under `switches`. Fails if there are more than MostArcs arrows.
Result<StatechartMade> statechartOf(
    const Machine &machine, const QMap<QString, QString> &switches = {});

// One-to-one representation of a statechart as rows of a machine, for history and regions, which
// packs cannot express: the window draws, edits and saves such charts without loss.

/// Returns a machine with a state for each vertex, a transition for each arrow, and a
/// StatechartMark. statechartOf() converts the machine back, but sets an arc's line to the number
/// of the row, from 1.
Machine machineOfRows(const Statechart &chart);
/// Returns the kind of the vertex that a state represents; State for states of other machines.
Vertex::Kind vertexKind(const State &state);
bool isNamed(const State &state);

// Appearance that a chart's file sets; rows (also of other packs) keep it in extras without rules.
void keepAppearance(Machine &machine, const Statechart &chart);
void keepAppearance(State &state, const Vertex &vertex);
void keepAppearance(Transition &row, const Arc &arc);
ChartDirection directionOf(const Machine &machine);
ChartStyle styleOf(const Row &row);
Towards towardsOf(const Transition &row);
/// Returns the word for a key of a row in messages: "colours" for the extra that holds a style.
QString keyWord(const QString &key);
/// Removes the differences that only concern the appearance.
void removeAppearance(QList<Difference> &differences);

/// Returns the side of a note's state on which the note stands: see Note::side.
QString sideOf(const ChartNote &note);
/// Returns the event that a trigger represents; empty: the arc has no event.
QString eventOf(const QString &trigger);
/// Returns the type path of a chart's regions, which are child resources.
QString regionType(const QString &chartType);

} // namespace instar
