// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/conformance/misbehaviour.h"
#include "tests/support/playground.h"

#include <QSet>

namespace instar {

/// What was really so when something was asked or seen: for tests that make it otherwise.
struct Recorded
{
    History history;
    QList<Change> answers; ///< request -> what it led to at once; kind Sent: it never arrived
    QString truth;         ///< what happened, a line each
    bool isBroken = false; ///< a rule was
    QSet<int> untrue;      ///< lines of answers and observations that were not the truth
};

/// How much happens in a recording.
struct RecordingSize
{
    int requests = 8, observations = 12;
    int gap = 200;                ///< ms between two things, at most
    int slack = 120;              ///< ms that an interval begins sooner or ends later, at most
    bool loses = true;            ///< some answers, and some requests
    bool hasPreconditions = true; ///< etags in requests, and requests that are repeated
    bool seesAll = false; ///< whenever something was asked or time has passed, everything is seen
    std::optional<Fault> fault {}; ///< the first operation that gives a chance to breaks this rule
};

/// Lets the engine play random requests on a world, in virtual time, and writes down what clients
/// would have seen of it: intervals around each moment, answers that are lost. To be used inside
/// a rapidcheck property.
Recorded recorded(const Playground &ground, const RecordingSize &size);

/// A built-in pack, or a random one.
Playground anyPlayground();

} // namespace instar
