// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/description.h"
#include "model/pack/diagnostic.h"
#include "model/pack/pack.h"

namespace instar {

struct DescribedPack
{
    Pack pack;
    QList<Diagnostic> remarks; ///< losses and guesses, by line of the description
};

/// Converts an API description to a pack: a type and a machine for each kind of resource in its
/// paths, the operations with their ids, and the wire rules. check() finds no error in it. Where
/// the description is silent, conventions are assumed, with a remark each: resources are created,
/// rest, are updated and deleted; one operation at a time runs on a resource; names of states have
/// their usual meaning. `origin` names the description.
DescribedPack packOf(const ApiDescription &description, const QString &origin);

} // namespace instar
