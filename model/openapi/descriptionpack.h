// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/description.h"
#include "model/pack/diagnostic.h"
#include "model/pack/pack.h"

namespace instar {

struct DescribedPack
{
    Pack pack;
    QList<Diagnostic> remarks; ///< what was left out, and every guess; lines of the description
};

/// A pack of what an API description says: a type and a machine for each kind of resource that its
/// paths tell of, its operations by their ids, and how all of that is spoken over HTTP. check()
/// finds no error in it. Where the description is silent the usual is taken, and a remark says so:
/// a resource is made, rests, is changed and removed; one operation at a time works on it; words
/// of a state mean what such words usually mean. `origin` names the description.
DescribedPack packOf(const ApiDescription &description, const QString &origin);

} // namespace instar
