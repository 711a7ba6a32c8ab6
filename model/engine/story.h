// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/engine/scenario.h"

namespace instar {

/// What a history tells as a scenario: what was asked, when it was sent, and what was seen as what
/// is expected when it was seen at last. Times begin with the first thing, in whole ms. What the
/// rules do not allow shows as an expectation that does not come true.
Scenario storyOf(const History &history);

} // namespace instar
