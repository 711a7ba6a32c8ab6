// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/checking.h"

namespace instar {

/// Checks the rows of one machine: kinds and nesting of states, events that no transition handles,
/// states that cannot be reached or left, unhandled outcomes of work, transitions that are shadowed
/// or ambiguous, and work that repeats forever.
void checkMachine(Checking &checking, const Machine &machine);

} // namespace instar
