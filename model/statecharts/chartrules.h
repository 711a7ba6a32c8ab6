// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

/// Returns rules for the runnable part of a pack. The interpreter runs statecharts: operations are
/// the events of a chart, the top resource is in the innermost state outside regions, and each
/// active region is a child of the top resource.
Result<Rules> runnableRules(const Pack &pack, const Switches &switches = {});

/// Returns the stage of a scenario. The interpreter runs the pack's statecharts.
Result<Stage> runnableStage(const Scenario &scenario, const Pack &pack);

bool hasStatecharts(const Pack &pack);

/// Returns why a statechart of the rules cannot run, in one sentence; empty: all can run.
QString whyNotRun(const Rules &rules);

} // namespace instar
