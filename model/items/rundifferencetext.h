// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rundifference.h"
#include "model/engine/simulator.h"

namespace instar {

/// What of a difference of two runs is told: the resource about which something happened, else any
/// of them. Null: no resource differs.
const Fact *toldResource(const RunDifference &difference);
/// Its path; where no resource differs that of one about which something happened.
QString toldPath(const RunDifference &difference);

/// "Until 2.400 s both agree; then /a is Updating here and Deleting there, because here op2 DELETE
/// a is refused: InUse; there op2 DELETE a started: Succeeded → Deleting." Here is the first run,
/// whose records `here` has; the first difference says how long both agreed.
enum class Which { First, Later };
QString runDifferenceText(
    const RunDifference &difference, Which which, const Simulator &here, const Simulator &there);

} // namespace instar
