// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

namespace instar {

/// What a state without body is that has these stereotypes, "<<choice>> <<big>>": the first tells.
Vertex::Kind plantUmlKind(const QString &stereotypes);
/// The stereotype of a kind; empty for states.
QString plantUmlStereotype(Vertex::Kind kind);
/// Is it a word that begins a command, such as "title"?
bool isPlantUmlCommand(const QString &word);
/// The kind of diagram that a line belongs to which none of states can have, "a class diagram";
/// empty: nothing is known of it.
QString otherPlantUml(const QString &line);

} // namespace instar
