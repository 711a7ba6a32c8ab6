// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/staging.h"

#include <rapidcheck.h>

namespace instar {

// Generators for use inside a rapidcheck property, which draws and shrinks their random numbers.

/// Random number from 0 to limit - 1.
int below(int limit);

/// Initial world for random events, with the operations and paths to use.
struct Playground
{
    Rules rules;
    World world;
    QStringList operations, paths;
};

/// Random world of a pack: resources at some of the paths, in random stable states, under random
/// switches.
Playground playground(const Pack &pack, const QStringList &paths);
Playground randomPlayground();
/// Random world of a known pack, with the paths of its sample and some others.
Playground knownPlayground(const QString &pack);

/// Random request of a client.
Request anyRequest(const Playground &ground, int number);

/// Random event that a user, a client or the clock may cause now.
Event anyEvent(const Playground &ground, const World &world, int number);
QString told(const Event &event);

/// World as text: time, every state and etag, and everything that can affect its future.
QString everything(const Rules &rules, const World &world);

} // namespace instar
