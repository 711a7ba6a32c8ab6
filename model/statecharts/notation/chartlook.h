// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// CSS declarations of a look: "fill:pink,stroke:red,stroke-dasharray:5 5".
QString cssOf(const Look &look);
/// Look of CSS declarations, separated by "," or ";", on top of another look. The last of a kind
/// counts.
Look lookOfCss(const QString &css, Look under = {});

/// A colour's name or number, with or without its "#", as Look has it.
QString colourOf(QStringView written);

QString wordOf(Towards towards);        ///< "left"; empty: Anywhere
Towards towardsOf(const QString &word); ///< Anywhere for a word that is none

/// Which way a diagram grows.
enum class ChartDirection { Unsaid, Down, Right };

/// Direction that a settings line of a notation ("plantuml") sets.
ChartDirection directionIn(const QString &notation, const QString &line);
/// Direction in the statechart's settings: the last line of a notation counts, and the first
/// notation that sets one.
ChartDirection directionOf(const Statechart &chart);
/// Settings line of a notation for a direction that only another notation sets; empty: none.
QString foreignDirection(const Statechart &chart, const QString &notation);

} // namespace instar
