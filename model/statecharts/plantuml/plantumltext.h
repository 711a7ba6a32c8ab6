// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/textplan.h"
#include "model/statecharts/statechart.h"

#include <QStringList>

namespace instar {

/// Decodes a text of PlantUML: "\n" is a line break, "\t" a tabulator, "<U+0022>" and "&#34;" are
/// characters. "\l" and "\r", which also align the line, are line breaks.
QString shownByPlantUml(const QString &written);

/// Encodes a text for PlantUML. BetweenQuotes: the result contains no quotes.
enum class PlantUmlPlace { BehindColon, BetweenQuotes };
QString writtenForPlantUml(const QString &shown, PlantUmlPlace place);

/// Encodes a note: one line after a colon, a quoted text if it is free, or a block.
QStringList noteForPlantUml(const QStringList &shown, bool isFree);

/// Encodes a title: one line, or a block if the line would be ambiguous.
QStringList titleForPlantUml(const QString &shown);

// Colours, strokes and directions of PlantUML.

/// Adds the colours of a state, "#back:pink;text:blue", and its border, "##[dashed]red", to a look.
void paint(Look &look, const QString &colours, const QString &border);
/// Returns a look as colours and border: "#pink ##[dashed]red".
QString coloursOf(const Look &look);

/// Parses an arrow's style "[#red,dashed]"; writes the arrow: "-[#red,dashed]left->".
Look strokeOf(const QString &style);
QString arrowOf(const Look &look, Towards towards);

/// True if a state can have this name without quotes.
bool isPlantUmlCode(QStringView text);

/// Index of "@start" in a line, at its beginning or after punctuation only; -1: none.
qsizetype plantUmlStart(QStringView line);

/// Kind of a state without body with these stereotypes, "<<choice>> <<big>>": the first counts.
Vertex::Kind plantUmlKind(const QString &stereotypes);
/// The stereotype of a kind; empty for states.
QString plantUmlStereotype(Vertex::Kind kind);

const TextNotation &plantUmlNotation();

} // namespace instar
