// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/machine/statechart.h"

namespace instar {

/// The parts of what a request plans for its work as a whole of which nothing comes.
struct IdlePlan
{
    bool outcome = false;           ///< Request::outcome
    bool transientFailures = false; ///< Request::transientFailures
    bool isEmpty() const { return !outcome && !transientFailures; }
    bool operator==(const IdlePlan &) const = default;
};

/// What no work that an operation on a resource of a machine leads to can take, whatever happens.
/// An outcome with an error code of its own is told by it, even where no row takes it.
IdlePlan idlePlan(const Rules &rules, int machine, const Request &request);

/// What came to nothing in a run of a scenario, one sentence an operation. Left out are operations
/// that still run, those that repeat an answer, and those that the scenario expects to be refused
/// or canceled.
QList<Remark> idlePlans(const Scenario &scenario, const Controller &run);

} // namespace instar
