// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"

namespace instar {

/// A branch as somebody named it, or by what it began with.
QString branchName(const Simulator::Branch &branch);

} // namespace instar
