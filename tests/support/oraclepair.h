// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/oracleplan.h"

#include <QMap>

namespace instar {

/// Plays a plan on the engine and on the naive controller of oracle.h side by side, and compares
/// after every event the state of every resource, every operation's status, code and attempts, and
/// which etags are the same. The first difference, with what led to it; empty: none. `met` counts
/// what the plan led to.
QString disagreement(const Plan &plan, QMap<QString, int> &met);

} // namespace instar
