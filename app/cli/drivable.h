// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"

namespace instar {

/// The scenario as a server can be asked for it. An error names the first step that needs more than
/// that.
Result<Scenario> drivable(Scenario scenario, const Stage &stage);

} // namespace instar
