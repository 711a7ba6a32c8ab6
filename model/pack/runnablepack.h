// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// Returns the pack under values of its switches: rows that do not exist under these values are
/// removed, and `when` is removed from the others. A switch without a value has its default.
Pack withSwitches(Pack pack, const QMap<QString, QString> &switches);

/// Returns a small pack that consists of the given machine, one type and one resource.
Pack packAround(const Machine &machine);

/// Returns a pack for a single machine, with declarations of the switches and the states of other
/// machines that its rows mention.
Pack selfContainedPack(const Machine &machine);

/// Returns the part of a draft that can be drawn and run under values of the switches. A complete
/// pack is returned unchanged.
///
/// Adds an initial state and a rest state to machines without them; of several initial states the
/// later ones become stable. Clears parents that are no composites, turns empty composites into
/// stable states, and removes unknown states from rows; a transition that loses all its sources or
/// targets becomes an empty row, so that the other rows keep their indices. Removes types without a
/// machine, and sample resources without a type. A condition on an unknown state is false. Rows
/// that do not exist under the switches are not touched. check() reports each of these faults.
Pack runnableDraft(Pack draft, const QMap<QString, QString> &switches = {});

} // namespace instar
