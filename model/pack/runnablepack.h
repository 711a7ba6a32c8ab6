// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// The pack as it is under some values of its switches: rows that do not exist then are gone, and
/// the others no longer say when they do. A switch that is not given has its default.
Pack settled(Pack pack, const QMap<QString, QString> &switches);

/// Whether a row exists under values of all switches.
bool existsUnder(const Row &row, const QMap<QString, QString> &values);

/// A small pack with one type and one resource around a machine as it is.
Pack packAround(const Machine &machine);

/// The machine of a file of its own in a pack that knows what its rows say of others: switches, and
/// the states of other machines.
Pack packAroundLone(const Machine &machine);

/// The part of a draft that can be drawn and run under these values of the switches. A pack that is
/// complete is returned unchanged.
///
/// Adds an initial state, and a state to rest in, where a machine has none; of several initial
/// states the later ones become stable. Clears parents that are no composites, turns composites
/// without states into states, and removes unknown states from rows; a row that loses all of them
/// becomes an empty one, so that the numbers of the others stay. Removes types without a machine,
/// and resources of the sample without a type or state. A condition on an unknown state is false.
/// Rows that the switches leave out stay as they are. check() says what is wrong.
Pack runnableDraft(Pack draft, const QMap<QString, QString> &switches = {});

} // namespace instar
