// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

namespace instar {

/// Reads the state diagrams of a PlantUML file; one @startuml is one statechart. Nesting and names
/// are those that PlantUML sees (1.2020.2; of what is newer: deep histories, arrows from right to
/// left, entry and exit points, tags). What lies where is told in ChartBuilder.
///
/// Kept as particulars, so that the writer gives it back: of vertices and notes "plantuml.tags",
/// "plantuml.stereotypes", "plantuml.url", "plantuml.colour", "plantuml.border"; of arcs
/// "plantuml.arrow" unless it is "-->", colours and stereotypes of its ends, the place and colour
/// of its note; of the statechart "plantuml.settings" (lines such as skinparam, hide, scale) and
/// "plantuml.comments", and "plantuml.order" where the arrows stand elsewhere than the writer would
/// put them; texts with line breaks of a certain kind as they are written. Arrows to free notes and
/// hidden arrows, which only lay out, are no arcs but particulars of their note or vertex.
///
/// Lines of the preprocessor are reported and not followed, and so is every other line that is not
/// understood. Arrows between states may cross a region's border, as newer versions have it.
Result<StatechartsRead> readPlantUml(const QByteArray &bytes, const QString &file);

/// Writes what PlantUML 1.2020.2 takes, and where that has no form, what the current one takes,
/// with a remark. What comes from the reader comes back from it the same.
StatechartsWritten writePlantUml(const QList<Statechart> &charts);

} // namespace instar
