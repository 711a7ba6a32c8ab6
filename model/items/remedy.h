// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explanation.h"

namespace instar {

/// Advice after a refusal.
struct Remedy
{
    bool isToWait = false; ///< the same request fits once the conflicting operation has ended
    QString text;          ///< other requests or states that help; empty: none is known
};

/// Returns how a request that is refused now can succeed. Foresees the end of a conflicting
/// operation only in a simulation; a server's is always worth waiting for.
Remedy remedyFor(const Controller &controller, const Request &request);
/// Returns the property to change so that an operation does not fail again; empty: no property
/// decided.
QString remedyText(const Rules &rules, const Explanation &failure);

} // namespace instar
