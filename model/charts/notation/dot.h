// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statecharts.h"

namespace instar {

/// Reads each directed graph of a file as a state machine: clusters are composites, edges arrows,
/// their labels "event [condition] / action". What a node is follows from its shape as the usual
/// pictures have it: a black point begins, a double circle that nothing leaves ends, a diamond
/// chooses, a note is a note. An edge to a cluster's border has "lhead" or "ltail". A file that
/// Graphviz refuses is an error.
Result<StatechartsRead> readDot(const QByteArray &bytes, const QString &file);

/// Writes each statechart as a graph of Graphviz: vertices are nodes, composites and regions
/// clusters, arcs edges. It is to be drawn; reading it again gives what can be seen.
StatechartsWritten writeDot(const QList<Statechart> &charts);

} // namespace instar
