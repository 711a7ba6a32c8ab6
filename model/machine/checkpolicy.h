// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/checking.h"

namespace instar {

/// What is wrong with types, operations, outcomes, conditions, conflicts, refusals and stamps, and
/// what no row uses.
void checkPolicy(Checking &checking);

} // namespace instar
