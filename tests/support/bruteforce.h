// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"

namespace instar {

/// Whether some order of what nobody saw explains a small history: every order is tried, one after
/// the other, each event as soon as it can be, and nothing is remembered. Nothing: that takes more
/// than so many steps, or rows ask other operations for what is open.
std::optional<bool> explainedByTrying(const Rules &rules, const History &history, qint64 steps);

} // namespace instar
