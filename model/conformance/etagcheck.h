// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/budget.h"
#include "model/engine/history.h"

namespace instar {

/// Etag that differs from an earlier one though nothing can have changed the resource in between.
struct EtagViolation
{
    Observation before;
    std::variant<RecordedRequest, Observation> what; ///< accepted with, or showing, another etag
};

/// Returns the first etag that contradicts an earlier one, if the pack's etags change only with
/// operations (Stamp::only). The history must conform when etags are ignored.
std::optional<EtagViolation> etagViolation(
    const History &history, const Rules &rules, const Budget &budget);

} // namespace instar
