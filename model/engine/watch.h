// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"

#include <span>

namespace instar {

/// The constraints that have stopped holding since they were watched last, as changes of kind
/// Violated, and keeps in World::broken which do not hold now. `touched` are the branches in which
/// something has changed since; a constraint that looks beyond its own branch is asked of every
/// resource.
std::vector<Change> watched(
    const Rules &rules, World &world, std::span<const quint32> touched, bool timeless = false);

} // namespace instar
