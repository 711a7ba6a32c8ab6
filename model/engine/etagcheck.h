// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/history.h"

namespace instar {

/// What contradicts an etag seen before, though nothing can have changed the resource in between.
struct EtagViolation
{
    Observation before;
    std::variant<RecordedRequest, Observation> what; ///< accepted with, or shows, another etag
};

/// The first etag that contradicts an earlier one, where the pack's etags change only with
/// operations (Stamp::only). The history is explained but for that. Nothing: there is none.
std::optional<EtagViolation> etagViolation(
    const History &history, const Rules &rules, const Budget &budget);

} // namespace instar
