// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

#include <rapidcheck.h>

namespace instar {

/// Features of random statecharts. By default all; a format's test disables those that the format
/// cannot express.
struct ChartTaste
{
    bool regions = true;        ///< parallel states
    bool histories = true;      ///< shallow and deep
    bool pseudos = true;        ///< choice, fork, join, entry, exit
    bool severalTargets = true; ///< arcs into several regions, arcs to nowhere
    bool severalEvents = true;  ///< arcs with more than one event
    bool conditions = true;     ///< plain words, and In('state')
    bool texts = true;          ///< labels, descriptions, actions, notes, a title
    bool places = true;
    bool internals = true; ///< internal transitions
    bool looks = true;     ///< colours and strokes, directions of arrows
    /// Characters of labels, notes, conditions and actions, which are never empty and have no blank
    /// at an end.
    QString letters = QStringLiteral("abc xyz <&>\"'[]/:;\\n-äλ");
};

/// Generates statecharts of one to a few dozen vertices, which grow with rapidcheck's size and
/// shrink towards few plain states.
///
/// Guaranteed: vertices in preorder; arcs in the order of the vertices that they leave;
/// ids of letters, digits and "_" (s1, s2, ...), but for initial and final vertices, which are
/// unnamed and called by generatedId(); each composite has at most one initial vertex, the first
/// one in it, with exactly one plain arc to a vertex directly beside it; nothing leaves a final
/// vertex; a history vertex has one plain arc to a state beside it; each parallel state has two or
/// more regions, which are states; events are "a" to "e" and "long name"; no scxmlExtras;
/// waitsForFinals.
rc::Gen<Statechart> randomStatechart(const ChartTaste &taste = {});

/// Generates statecharts that are valid SCXML and have no endless run of eventless arcs: states,
/// regions, histories, finals; arcs with events "a" to "e" and "done.state.ID", conditions
/// In('state'), targets in one or several regions; some arcs without events, which lead to states
/// further down only. Not waitsForFinals.
rc::Gen<Statechart> runnableStatechart();

} // namespace instar
