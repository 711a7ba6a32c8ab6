// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

namespace instar {

/// A draft as it can be drawn and played: as much of it as names something that is there. A pack
/// in which all names are known and every machine has what it needs stays as it is.
///
/// A machine without a beginning gets one, a machine without a state to rest in a state of that
/// kind; where there are two beginnings the later ones are stable states. What lies in no composite
/// lies in none; a composite in which nothing lies is a state. Rows lose the states that are not
/// there; where nothing is left of one, a row that never speaks stands in its place. Types without
/// a machine go, and resources of the sample without a type or state. What conditions ask of states
/// that nobody has is never so. What is wrong is check()'s business. All this as the rows are under
/// the chosen values of the switches; those that these leave out stay as they are.
Pack mended(Pack draft, const QMap<QString, QString> &switches = {});

} // namespace instar
