// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

namespace instar {

// For use inside rapidcheck's generators and properties: what is drawn shrinks with them.

/// From 0 to below `below`.
int pick(int below);
/// A question about related resources.
Condition related(const QString &relation, Condition::Match match, const QStringList &states = {},
    bool some = false);
/// Any question that makes sense in a random pack, nested at most so deep.
Condition randomCondition(int depth = 2);

} // namespace instar
