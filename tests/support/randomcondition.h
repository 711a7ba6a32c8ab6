// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

namespace instar {

// For use inside rapidcheck's generators and properties, which shrink the random choices.

/// Random number from 0 to below - 1.
int pick(int below);
/// Condition on related resources.
Condition related(const QString &relation, Condition::Match match, const QStringList &states = {},
    bool some = false);
/// Random valid condition for a random pack, nested at most so deep.
Condition randomCondition(int depth = 2);

} // namespace instar
