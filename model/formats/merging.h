// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

namespace instar {

/// Another version of a pack, its rows with the numbers that they have in the pack: what is called
/// the same, or is most like it, is the same row. What is new has no number.
Pack recognized(Pack other, const Pack &pack);

/// What two made of one pack, together.
struct Merged
{
    Pack pack;
    QStringList conflicts; ///< what both changed, a sentence each; there `ours` stays
};

/// Row by row and member by member: what only one of them changed is as that one has it. Rows are
/// told by their numbers; names that one of them changed are changed in what the other has added.
/// Where both cannot be had in one pack that can be read, it is `ours`, and that is the conflict.
Merged merged(const Pack &base, const Pack &ours, const Pack &theirs);

} // namespace instar
