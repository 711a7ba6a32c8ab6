// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/diagnostic.h"
#include "model/pack/pack.h"

namespace instar {

/// What is wrong or doubtful in a pack that could be read; in file order of the machines, then of
/// the other rows.
QList<Diagnostic> check(const Pack &pack);

} // namespace instar
