// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/rows.h"

namespace instar {

Machine readMachine(Reading &reading, const QString &id, Value value);
Output machineOutput(const Machine &machine);

Step readStep(Reading &reading, Value value);
Output stepOutput(const Step &step);

} // namespace instar
