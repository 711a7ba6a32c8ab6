// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/flow.h"

namespace instar {

/// Transitions that can never speak, or leave open which of several speaks.
void checkTransitions(Checking &checking, const Flow &flow);
/// Work that starts work without end and without time going by.
void checkLivelock(Checking &checking, const Flow &flow);

} // namespace instar
