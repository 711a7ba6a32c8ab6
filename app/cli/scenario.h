// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/scenario.h"

namespace instar {

/// A scenario that is ready to be played.
struct Staged
{
    Scenario scenario;
    Stage stage;
    QStringList packLosses; ///< what of the statecharts is not in the pack, a line each
    QStringList packErrors; ///< what check() finds wrong in the pack's file, a line each
};

/// Reads a scenario and its pack; the error is one sentence with file and line.
Result<Staged> stagedScenario(const QString &file);

/// Says on stderr what is wrong with the pack. A result that an error in it may have led to is
/// none.
Exit warned(const Staged &staged, Exit exit);

/// "NAME=VALUE" of switches that the pack has.
Result<Switches> switchesIn(const Pack &pack, const std::vector<std::string> &texts);

} // namespace instar
