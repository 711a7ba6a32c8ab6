// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// The resources that a request leaves out of the collections which it brings: they go when it
/// succeeds.
std::vector<Resource> replacedBy(const World &world, const Request &request);

/// The world with the references that there are when a request has succeeded: what goes refers to
/// nothing any more, and what is there already refers to what the request says; for what it makes
/// below its target, the target stands in. Nothing else differs.
World withReferencesAfter(
    const World &world, const Request &request, const std::vector<Resource> &goes);

/// What a resource refers to, it does not refer to any more.
void forgetReferences(World &world, Resource resource);
/// A resource refers to these paths, too.
void addReferences(World &world, Resource resource, const QStringList &paths);

/// The operations that take away a resource of a code, at once or when they succeed, in the pack's
/// order.
std::vector<Rules::TriggerId> removers(const Rules &rules, Code code);

} // namespace instar
