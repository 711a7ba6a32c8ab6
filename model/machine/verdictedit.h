// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/conflictmatrix.h"

namespace instar {

/// The pack in which a meeting ends as wished under the setting, with the fewest rows added,
/// changed or taken away; the same pack where it does already, or where the two cannot meet there.
///
/// What changes is what the first row that may speak of the meeting says of it, wherever that row
/// exists; no other meeting ends otherwise, under any setting. A row that spoke of this meeting
/// alone changes, or goes where what comes behind it says what is wished; else a list of it is
/// narrowed, a row without words and sources of its own widened, or one put before it. Rows that
/// have nothing left to say go.
Pack withVerdict(
    const Pack &pack, const Setting &setting, const Meeting &meeting, Conflict::Then wish);

} // namespace instar
