// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

namespace instar {

/// Writes each statechart as a graph of Graphviz: vertices are nodes, composites and regions
/// clusters, arcs edges. It is to be drawn, and is not read again.
StatechartsWritten writeDot(const QList<Statechart> &charts);

} // namespace instar
