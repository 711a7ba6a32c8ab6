// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

namespace instar {

/// Reads the state diagrams of a PlantUML file; one @startuml is one statechart. Follows the
/// grammar of PlantUML 1.2020.2; also reads deep histories, arrows from right to left, entry and
/// exit points, and tags of newer versions. ChartBuilder describes the nesting.
///
/// Settings, comments, links, tags and hidden arrows are no part of the statechart: see
/// Statechart::ignoredParts.
///
/// Reports preprocessor lines, which are not executed, and all lines that are not
/// understood. Arrows between states may cross a region's border, as in newer versions.
Result<StatechartsRead> readPlantUml(const QByteArray &bytes, const QString &file);

/// Writes for PlantUML 1.2020.2, or for the current version where 1.2020.2 has no form. Reading the
/// text gives an equal chart, except for the order of arrows that leave different vertices.
StatechartsWritten writePlantUml(const QList<Statechart> &charts);

/// Reads State Chart XML, the W3C's recommendation of 2015. Parts without a member in Statechart
/// are kept as XML in scxmlExtras ("scxml.onentry", "scxml.datamodel", "scxml.@src" ...), for
/// writeScxml(). Positions are in Instar's own namespace. XML that is not well-formed, or has a
/// document type with entities, is an error.
Result<StatechartsRead> readScxml(const QByteArray &bytes, const QString &file);

/// Writes one chart, valid for Qt's qscxmlc. UML features are expressed in SCXML's terms, and also
/// in Instar's namespace, so that reading gives an equal chart. Conditions that are words, not
/// expressions, become variables that are false.
StatechartsWritten writeScxml(const QList<Statechart> &charts);

/// Returns the elements of a state in SCXML that are kept unparsed, in the order of writing.
const QStringList &unparsedScxmlElements();

/// Declares Instar's namespace in a text that uses the namespace without a declaration.
QByteArray withOwnNamespace(const QByteArray &text);

/// Reads the state diagrams (stateDiagram-v2, stateDiagram) of a Mermaid file, or of the ```mermaid
/// blocks of a Markdown file. ChartBuilder describes the nesting.
///
/// Classes and CSS become styles of states; comments, links and settings are not in the statechart:
/// see Statechart::ignoredParts. Reports every line that is not understood.
Result<StatechartsRead> readMermaid(const QByteArray &bytes, const QString &file);

/// Writes each statechart as a diagram; several are blocks of a Markdown file. Reports what Mermaid
/// cannot express: histories, entry and exit points, several targets.
StatechartsWritten writeMermaid(const QList<Statechart> &charts);

/// Writes each statechart as a Graphviz graph for drawing: vertices become nodes, composites and
/// regions clusters, arcs edges. There is no reader.
StatechartsWritten writeDot(const QList<Statechart> &charts);

} // namespace instar
