// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"

namespace instar {

/// Returns true if some order of unobserved events explains a small history. Tries every order
/// without memory of failed ones, each event as early as possible. Nothing: it takes more than
/// `steps`, or a row asks again for an answer already given.
std::optional<bool> explainedByTrying(const Rules &rules, const History &history, qint64 steps);

} // namespace instar
