// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

namespace instar {

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
