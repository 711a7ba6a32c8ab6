// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/diagnostic.h"
#include "model/pack/pack.h"

namespace instar {

/// Returns errors and warnings about a pack that was read without errors, grouped by check.
QList<Diagnostic> check(const Pack &pack);

} // namespace instar
