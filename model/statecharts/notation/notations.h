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

/// State Chart XML, the W3C's recommendation of 2015. Whatever a chart has no place for stays as
/// XML text among its particulars ("scxml.onentry", "scxml.datamodel", "scxml.@src" ...), so that
/// writing gives it back. Places are in a namespace of ours. XML that is not well-formed, or has a
/// document type with entities, is an error.
Result<StatechartsRead> readScxml(const QByteArray &bytes, const QString &file);

/// One chart, valid for Qt's qscxmlc; what UML has beyond SCXML is said in SCXML's terms and kept
/// in our namespace, so that reading gives the same chart again. Conditions that are words, not
/// expressions, become variables that are false.
StatechartsWritten writeScxml(const QList<Statechart> &charts);

/// The text with our namespace, where it has names of that and does not say so.
QByteArray withOwnNamespace(const QByteArray &text);

/// Reads the state diagrams (stateDiagram-v2, stateDiagram) of a Mermaid file, or of the ```mermaid
/// blocks of a Markdown file. What lies where is told in ChartBuilder.
///
/// Styles are the looks of states; comments, links and settings are no part of the statechart: see
/// Statechart::asides. Every line that is not understood is reported.
Result<StatechartsRead> readMermaid(const QByteArray &bytes, const QString &file);

/// Writes each statechart as a diagram; several are blocks of a Markdown file. What Mermaid has no
/// form for (histories, entry and exit points, several targets) is reported.
StatechartsWritten writeMermaid(const QList<Statechart> &charts);

/// Writes each statechart as a graph of Graphviz: vertices are nodes, composites and regions
/// clusters, arcs edges. It is to be drawn, and is not read again.
StatechartsWritten writeDot(const QList<Statechart> &charts);

} // namespace instar
