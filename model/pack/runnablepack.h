// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// Returns the pack under values of its switches: without the rows that do not exist under them,
/// and without `when` in the others. A switch without a value has its default.
Pack withSwitches(Pack pack, const QMap<QString, QString> &switches);

/// Returns a small pack with one type and one resource for an unchanged machine.
Pack packAround(const Machine &machine);

/// Returns a pack for a single machine, with declarations of the switches and the states of other
/// machines that its rows mention.
Pack selfContainedPack(const Machine &machine);

/// Returns the part of a draft that can be drawn and run under values of the switches. A complete
/// pack is returned unchanged.
///
/// Adds an initial state and a rest state to machines without them; of several initial states the
/// later ones become stable. Clears parents that are no composites, turns empty composites into
/// simple states, and removes unknown states from rows; a row that loses all of them becomes an
/// empty one, so that the other rows keep their numbers. Removes types without a machine, and
/// sample resources without a type or state. A condition on an unknown state is false. Rows that do
/// not exist under the switches are not touched. check() reports all of this.
Pack runnableDraft(Pack draft, const QMap<QString, QString> &switches = {});

} // namespace instar
