// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

namespace instar {

/// A look as style sheets say it: "fill:pink,stroke:red,stroke-dasharray:5 5"; empty: it says
/// nothing.
QString cssOf(const Look &look);
/// What of such a text we know, over a look of which stays what the text does not say. Declarations
/// are parted by "," or ";"; the last of a kind counts.
Look lookOfCss(const QString &css, Look under = {});

/// A colour's name or number, with or without its "#", as Look has it.
QString colourOf(QStringView written);

QString wordOf(Towards towards);        ///< "left"; empty: Anywhere
Towards towardsOf(const QString &word); ///< Anywhere for a word that is none

/// Which way a diagram grows.
enum class ChartDirection { Unsaid, Down, Right };

/// What a line among the settings of a notation ("plantuml") says about it.
ChartDirection directionIn(const QString &notation, const QString &line);
/// As the statechart's settings of any notation say, the last line of each; the first that speaks
/// counts.
ChartDirection directionOf(const Statechart &chart);
/// The line to be added to the notation's own settings, where only another notation's say it;
/// empty: none.
QString foreignDirection(const Statechart &chart, const QString &notation);

} // namespace instar
