// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/course.h"
#include "model/engine/divergence.h"

namespace instar {

/// A time at which two runs do not go the same way: something is otherwise than it was in the other
/// one, and was not so before, or something happens in the one and not in the other.
struct RunDifference
{
    static constexpr qsizetype Most = 100; ///< facts that are kept

    qint64 time = 0;        ///< virtual ms
    QList<Fact> resources;  ///< from then on: path, the word shown; empty: nothing is to be seen
    QList<Fact> operations; ///< likewise: id, its fate; empty: it was not asked for
    qsizetype more = 0;     ///< facts of resources that are left out
    std::vector<Change> first, second; ///< what happens then in the one only
};

/// What two runs do differently, in order of time; nothing: they are the same as long as both are
/// known. A run is known up to what would happen next by itself.
///
/// Of things that happen at one time neither order nor explanations count, and whether they count
/// as the same follows from what they are called: states, operations by their id, outcomes. Where
/// both come to be the same again is no difference. `goesOn` is asked now and then with the number
/// of records that were gone through; false: what was found so far.
QList<RunDifference> runDifferences(const Course &first, const Course &second,
    const std::function<bool(qint64 done, qint64 of)> &goesOn = {});

} // namespace instar
