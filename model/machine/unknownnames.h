// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/checking.h"

namespace instar {

/// Tells names that mean nothing, with the nearest that does, wherever a row's description says
/// that a text is a name; and notes which sources, switches, conditions and refusals are used.
void findUnknownNames(Checking &checking);

} // namespace instar
