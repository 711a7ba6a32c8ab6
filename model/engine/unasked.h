// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/engine/world.h"

namespace instar {

/// In the tree of a path, what is in motion farthest from its top, and no operation that is known
/// to run answers for: somebody else has one at work. NoResource: nothing, or the tree is too large
/// to be looked through.
Resource farthestUnasked(const Rules &rules, const World &world, const QString &path);

} // namespace instar
