// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/rerun.h"
#include "model/machine/renames.h"

namespace instar {

/// A world under other rules, and what could not go on as it was.
struct CarriedOver
{
    World world;
    /// For people: a sentence for each kind of thing that had to be settled, with a number and some
    /// examples; at most 20. Empty: everything goes on.
    QStringList said;
    /// What became of operations, told in the numbers of the rules that there are now. An event of
    /// kind Wait: no step does it again.
    Record record;
};

/// A world that has come about under some rules, as it goes on under others. Rules that mean the
/// same give the same world.
///
/// Resources keep their state by its id, and their numbers, etags, properties and times:
/// - one in a state that is gone, or that nothing could rest in any more, goes to where it last
///   rested, if that is still there, else to its machine's rest state;
/// - one whose type has another machine keeps its state where that machine has one of the id;
/// - one whose type has no machine any more is removed with all below it, and so is one that is
///   called like another one now that case does not matter;
/// - where it last rested is forgotten if that is gone; it was never known where the rules before
///   did not ask for it;
/// - a timer that its state has had goes on from when it came there; one that is new counts from
///   now.
///
/// Operations go on at the step of the work where they are, the n-th of its kind in the state's
/// list. One is canceled, with what it required, if it can no longer be asked for, or if its
/// resource, the state where it works, that step or the outcome that it holds so far is gone. What
/// canceled operations leave behind is put to rest as the rules say of a cancellation by hand.
/// - An attempt ends when it was to end; if that was in an outcome that is gone, it will succeed.
/// - A limit of time goes on where it is the same; another one counts from now.
/// - How often a row with a limit was taken is known as long as its from, on and to stay.
/// - One that waits for its turn is canceled if it can no longer be asked for, and judged anew if
///   the rows on conflicts are others.
CarriedOver carriedOver(
    const World &world, const Rules &before, const Rules &now, const Renames &renames = {});

} // namespace instar
