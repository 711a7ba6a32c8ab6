// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

namespace instar {

/// Reads the state diagrams of a PlantUML file; one @startuml is one statechart. Nesting and names
/// are those that PlantUML sees (1.2020.2; of what is newer: deep histories, arrows from right to
/// left, entry and exit points, tags). What lies where is told in ChartBuilder.
///
/// Settings, comments, links, tags and hidden arrows are no part of the statechart: see
/// Statechart::asides.
///
/// Lines of the preprocessor are reported and not followed, and so is every other line that is not
/// understood. Arrows between states may cross a region's border, as newer versions have it.
Result<StatechartsRead> readPlantUml(const QByteArray &bytes, const QString &file);

/// Writes what PlantUML 1.2020.2 takes, and where that has no form, what the current one takes.
/// What comes from the reader comes back from it the same, but for the order of arrows that leave
/// different vertices.
StatechartsWritten writePlantUml(const QList<Statechart> &charts);

} // namespace instar
