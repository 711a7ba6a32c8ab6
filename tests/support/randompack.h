// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <rapidcheck.h>

namespace instar {

/// Generates valid packs: one to three machines of nested types, every name resolved, every piece
/// of work with an end, no livelock. They grow with rapidcheck's size and shrink towards plain
/// ones: hierarchy, switches, conditions, sends, required operations, constraints, retries, timers
/// and conflicts are optional.
///
/// Guaranteed: the types are "t", "t/u", "t/u/w" (as many as there are machines) and
/// "p", whose resources others may refer to; the operations are PUT, DELETE, GET and "poke"; every
/// machine has the states absent (initial), Ready (rest), Failed, Updating and Deleting.
rc::Gen<Pack> randomPack();

} // namespace instar
