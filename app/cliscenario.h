// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

/// A scenario that is ready to be played.
struct Staged
{
    Scenario scenario;
    Stage stage;
};

/// Reads a scenario and its pack; the error is one sentence with file and line.
Result<Staged> stagedScenario(const QString &file);

} // namespace instar
