// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/diagnostic.h"
#include "model/pack/pack.h"

namespace instar {

/// Returns the errors and warnings about a pack that could be read, grouped by check, not in file
/// order.
QList<Diagnostic> check(const Pack &pack);

} // namespace instar
