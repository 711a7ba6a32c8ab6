// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/oracleplan.h"

#include <QMap>

namespace instar {

/// Differential test: plays a plan on the engine and on the naive controller of oracle.h, and after
/// every event compares the resources' states, the operations' status, code and attempts, and which
/// etags are equal. Returns the first difference with its history; empty: none. `met` counts the
/// situations that occurred.
QString disagreement(const Plan &plan, QMap<QString, int> &met);

} // namespace instar
