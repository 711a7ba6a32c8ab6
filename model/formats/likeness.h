// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/names.h"

namespace instar {

/// What of a pack is called otherwise in another one.
struct Likeness
{
    QList<Renaming> renamings; ///< of types those that take others along
    Pack pack;                 ///< the pack with the other's names
};

/// Things whose names the other pack has not are looked for there: what has the same number, else
/// what says the same and stands in the same places, else what is most like it and more than half
/// alike. Numbers of two documents tell nothing of each other: forgetIdentities() of one first.
Likeness likeness(const Pack &pack, const Pack &other);

} // namespace instar
