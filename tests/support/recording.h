// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/conformancemonitor.h"
#include "model/conformance/misbehaviour.h"
#include "model/engine/history.h"
#include "tests/support/playground.h"

#include <QSet>

namespace instar {

/// Generated history with the truth behind it, for tests of histories that differ from it.
struct Recorded
{
    History history;
    QList<Change> answers; ///< by request: its immediate change; kind Sent: it never arrived
    QString truth;         ///< events, one a line
    bool isBroken = false; ///< a rule was broken
    QSet<int> untrue;      ///< lines of false answers and observations
};

/// Size and features of a recording.
struct RecordingSize
{
    int requests = 8, observations = 12;
    int gap = 200;                 ///< longest time between two events (ms)
    int slack = 120;               ///< widest extension of an interval at each end (ms)
    bool loses = true;             ///< some answers and requests are lost
    bool hasPreconditions = true;  ///< etags in requests, and repeated requests
    bool seesAll = false;          ///< observes everything after each request and pause
    std::optional<Fault> fault {}; ///< rule broken by the first operation that can
};

/// Plays random requests on a world in virtual time and records what clients would observe:
/// intervals around each moment, lost answers. For use inside a rapidcheck property.
Recorded recorded(const Playground &ground, const RecordingSize &size);

/// Lets a monitor follow all trees of these resources, at rest at the time 0, and the trees of
/// `absent` paths, which do not exist.
void follow(ConformanceMonitor &monitor, const QList<ResourceSpec> &resources,
    const QStringList &absent = {});

/// Random world of a built-in pack or of a random one.
Playground anyPlayground();

} // namespace instar
