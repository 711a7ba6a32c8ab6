// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

namespace instar {

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

} // namespace instar
