// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/textplan.h"
#include "model/statecharts/statechart.h"

#include <QStringList>

namespace instar {

/// Text as PlantUML draws it: "\n" breaks the line, "\t" is a tabulator, "<U+0022>" and
/// "&#34;" are letters. "\l" and "\r", which also say where the line goes, are line breaks.
QString shownByPlantUml(const QString &written);

/// Text to write so that PlantUML draws it so. Between quotes it contains none.
enum class PlantUmlPlace { BehindColon, BetweenQuotes };
QString writtenForPlantUml(const QString &shown, PlantUmlPlace place);

/// The lines of a note, as one line behind a colon, between quotes if it is free, or as a block.
QStringList noteForPlantUml(const QStringList &shown, bool isFree);

/// The lines of a title: one, or a block where that would be read as something else.
QStringList titleForPlantUml(const QString &shown);

// Colours, strokes and directions as PlantUML writes them.

/// Of a state: "#back:pink;text:blue" and "##[dashed]red".
struct PlantUmlColours
{
    QString colour;
    QString border;
    bool operator==(const PlantUmlColours &) const = default;
};
Look lookOf(const PlantUmlColours &written);
PlantUmlColours coloursOf(const Look &look);

/// Of an arrow: "[#red,dashed]", and "-[#red,dashed]left->".
Look strokeOf(const QString &style);
QString arrowOf(const Look &look, Towards towards);

const TextNotation &plantUmlNotation();

} // namespace instar
