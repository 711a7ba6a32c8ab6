// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/worldkey.h"

namespace instar {

/// Returns a canonical key of everything that can still matter: equal worlds have equal bytes.
/// Leaves out etags, times, serials and ended operations; so `Elapsed` questions and timers must be
/// treated as nondeterministic, as the explorer does.
inline QByteArray worldKey(const Rules &rules, const World &world)
{
    WorldKeyWriter writer(rules);
    QByteArray out;
    writer.write(world, out); // first pass: collects the names
    out.clear();
    writer.writeNames(out);
    writer.write(world, out);
    return out;
}

inline bool sameWorld(const Rules &rules, const World &a, const World &b)
{
    return worldKey(rules, a) == worldKey(rules, b);
}

} // namespace instar
