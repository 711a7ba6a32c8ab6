// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// What a diagram shows, as lines to compare: vertices with their nesting, labels and descriptions,
/// arrows in order, notes. Regions are numbered, what is of one kind to PlantUML 1.2020.2 is one.
QStringList chartFacts(const Statechart &chart);

} // namespace instar
