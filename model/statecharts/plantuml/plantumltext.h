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

/// The same, or `once` if PlantUML still draws that so.
QString writtenLike(const QString &shown, const QString &once, PlantUmlPlace place);
/// Written text split at its "\n".
QStringList writtenLines(const QString &written);

/// Lines of a note or another block, none of which reads as its end, a comment or a command.
QStringList blockForPlantUml(const QStringList &shown);

/// Whether lines can stand in such a block unchanged.
bool isPlantUmlBlock(const QStringList &written);

/// The lines of a note, as one line behind a colon, between quotes if it is free, or as a block.
QStringList noteForPlantUml(const QStringList &shown, bool isFree);

/// Title to write, its lines separated by "\n".
QString titleForPlantUml(const QString &shown);
/// Whether a written title reads back the same.
bool isPlantUmlTitle(const QString &written);
/// Lines of a title: one, or a block.
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
