// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/flow.h"

namespace instar {

/// What a machine's rows say of themselves: kinds, nesting, steps that nobody hears.
void checkStructure(Checking &checking, const Machine &machine);
/// States that cannot be reached or left, and work whose end nothing takes.
void checkStates(Checking &checking, const Flow &flow);

} // namespace instar
