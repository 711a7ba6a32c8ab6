// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/staging.h"

#include <rapidcheck.h>

namespace instar {

// For use inside a rapidcheck property: everything random here comes from it, and shrinks with it.

/// From 0 to limit - 1.
int below(int limit);

/// A world that random events can be thrown at.
struct Playground
{
    Rules rules;
    World world;
    QStringList operations, paths;
};

/// Some of the resources of a pack's types at some of the paths, in any stable state, under any
/// switches.
Playground playground(const Pack &pack, const QStringList &paths);
Playground randomPlayground();
/// The paths of the pack's sample, and some beside them.
Playground knownPlayground(const QString &pack);

/// Something that a client may ask for.
Request anyRequest(const Playground &ground, int number);

/// Something that a person, a client or the clock may do now.
Event anyEvent(const Playground &ground, const World &world, int number);
QString told(const Event &event);

/// A world as text: time, every state and etag, and what can still matter.
QString everything(const Rules &rules, const World &world);

} // namespace instar
