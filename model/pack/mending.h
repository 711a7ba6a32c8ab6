// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

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
