// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

namespace instar {

/// The machine of a file of its own in a pack that knows what its rows say of others: switches, and
/// the states of other machines.
Pack packAroundLone(const Machine &machine);

} // namespace instar
