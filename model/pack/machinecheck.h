// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/checking.h"

namespace instar {

/// Reports what is wrong with the rows of one machine: kinds and nesting of states, steps that
/// nobody hears, states that cannot be reached or left, work whose end nothing takes, transitions
/// that can never speak or leave open which of several speaks, and work without end.
void checkMachine(Checking &checking, const Machine &machine);

} // namespace instar
