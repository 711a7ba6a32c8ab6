// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/machine/renames.h"

#include <functional>

namespace instar {

// Children whose names the server makes up. The step of operation "a" asks for one by a path that
// ends in "{a}"; in other paths of the scenario "{a}" stands for the name that it got.

using MadeNames = QMap<QString, QString>; ///< operation's id -> name

/// Whether a request leaves it to the server how its target is called.
bool leavesName(const Request &request);

/// What the engine makes up: the same whatever the order of the operations, and nobody else's name,
/// in the scenario or in the tree that it begins with.
MadeNames madeNames(const Scenario &scenario, const Tree &tree);

/// With the names in place; "{a}" stays where there is none for it.
QString named(const QString &path, const MadeNames &names);
Scenario named(Scenario scenario, const MadeNames &names);

/// A step with every path that is written in it as `to` says.
ScenarioStep withPaths(ScenarioStep step, const std::function<QString(const QString &)> &to);

/// What a scenario says in the names of `before`, in those of now.
Scenario renamed(Scenario scenario, const Rules &before, const Renames &renames);

} // namespace instar
