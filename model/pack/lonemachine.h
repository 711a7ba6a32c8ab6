// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// A small pack with one type and one resource around a machine as it is.
Pack packAround(const Machine &machine);

/// The machine of a file of its own in a pack that knows what its rows say of others: switches, and
/// the states of other machines.
Pack packAroundLone(const Machine &machine);

} // namespace instar
