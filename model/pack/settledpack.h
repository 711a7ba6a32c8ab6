// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// The pack as it is under some values of its switches: rows that do not exist then are gone, and
/// the others no longer say when they do. A switch that is not given has its default.
Pack settled(Pack pack, const QMap<QString, QString> &switches);

/// Whether a row exists under values of all switches.
bool existsUnder(const Row &row, const QMap<QString, QString> &values);

} // namespace instar
