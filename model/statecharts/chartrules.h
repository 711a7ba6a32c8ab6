// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

/// Rules of as much of a pack as can run. Machines that are statecharts are run by the interpreter:
/// operations are their events, the resource at the top is in the innermost state outside regions,
/// and each active region is a resource below it.
Result<Rules> runnableRules(const Pack &pack, const Switches &switches = {});

/// The same of a scenario on a pack, which is runnable if it has statecharts.
Result<Stage> runnableStage(const Scenario &scenario, const Pack &pack);

/// Returns true if machines of a pack are statecharts, which only the interpreter runs.
bool hasStatecharts(const Pack &pack);

/// Why a statechart of such rules does not run, one sentence; empty: all do.
QString whyNotRun(const Rules &rules);

} // namespace instar
