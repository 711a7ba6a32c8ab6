// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

/// Returns rules for the runnable part of a pack. Statecharts are run by the interpreter:
/// operations are their events, the top resource is in the innermost state outside regions, and
/// each active region is a resource below it.
Result<Rules> runnableRules(const Pack &pack, const Switches &switches = {});

/// Returns the stage of a scenario; a pack with statecharts is reduced to its runnable part.
Result<Stage> runnableStage(const Scenario &scenario, const Pack &pack);

/// Returns true if machines of a pack are statecharts, which only the interpreter runs.
bool hasStatecharts(const Pack &pack);

/// Why a statechart of such rules does not run, one sentence; empty: all do.
QString whyNotRun(const Rules &rules);

} // namespace instar
