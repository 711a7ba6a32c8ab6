// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/pack/diagnostic.h"

namespace instar {

/// Finds steps that use an operation before its submission ("out-of-order"), and expectations of
/// paths unknown to the scenario or of error codes unknown to the pack ("unknown-name"). Reports
/// warnings, not errors, because a server may have paths and codes of its own. The warnings are in
/// the order of the steps, each with its step's line.
QList<Diagnostic> scenarioWarnings(const Scenario &scenario, const Pack &pack);

} // namespace instar
