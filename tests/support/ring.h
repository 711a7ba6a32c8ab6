// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// Pack of a machine with `count` states in a ring; operation goN leads from state N to the next.
/// `anywhere`: each operation is allowed in every state.
inline Pack ringOf(int count, bool anywhere)
{
    const auto state = [](int number) { return QStringLiteral("s%1").arg(number); };
    const QString none = QStringLiteral("none");
    Machine machine { .id = QStringLiteral("m"), .rest = state(0) };
    machine.states.append({ .id = none, .kind = State::Kind::Initial });
    machine.transitions.append(
        { .from = { none }, .on = { QStringLiteral("make") }, .to = { state(0) } });
    for (int i = 0; i < count; ++i) {
        machine.states.append({ .id = state(i) });
        machine.transitions.append({ .from = { anywhere ? QStringLiteral("*") : state(i) },
            .on = { QStringLiteral("go%1").arg(i) },
            .to = { state((i + 1) % count) } });
    }
    Pack ring;
    ring.id = QStringLiteral("ring");
    ring.types = { { .path = QStringLiteral("t"), .machine = machine.id } };
    ring.machines = { machine };
    return ring;
}

} // namespace instar
