// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/textplan.h"
#include "model/charts/statechart.h"

#include <QStringList>

namespace instar {

/// What PlantUML shows for a text: "\n" breaks the line, "\t" is a tabulator, "<U+0022>" and
/// "&#34;" are letters. "\l" and "\r", which also say where the line goes, are line breaks.
QString shownByPlantUml(const QString &written);

/// A text that PlantUML shows so. Between quotes there must not be any.
enum class PlantUmlPlace { BehindColon, BetweenQuotes };
QString writtenForPlantUml(const QString &shown, PlantUmlPlace place);

/// The same, but as it was written once if that still says it.
QString writtenLike(const QString &shown, const QString &once, PlantUmlPlace place);
/// A written text cut at its "\n"; what is written otherwise stays.
QStringList writtenLines(const QString &written);

/// The lines of a note or another block, none of which looks like its end, a comment or a command.
QStringList blockForPlantUml(const QStringList &shown);

/// Can the lines stand in such a block as they are?
bool isPlantUmlBlock(const QStringList &written);

/// The lines of a note, as one line behind a colon, between quotes if it is free, or as a block.
QStringList noteForPlantUml(const QStringList &shown, bool isFree);

/// A title as it is to be written, its lines separated by "\n".
QString titleForPlantUml(const QString &shown);
/// Can it be written so, rather than as the title above?
bool isPlantUmlTitle(const QString &written);
/// The lines that say it: one, or a block.
QStringList titleLines(const QString &written);

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

/// Of an arrow: "-[#red,dashed]left->".
struct PlantUmlStroke
{
    Look look;
    Towards towards = Towards::Anywhere;
    bool operator==(const PlantUmlStroke &) const = default;
};
PlantUmlStroke strokeOf(const QString &arrow);
QString arrowOf(const PlantUmlStroke &stroke);

const TextNotation &plantUmlNotation();

} // namespace instar
