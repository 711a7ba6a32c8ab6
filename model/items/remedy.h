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

/// Returns how a request that is refused now can succeed. In a simulation, tests the request
/// after the conflicting operation; at a server, always advises to wait for the operation's end.
Remedy remedyFor(const Controller &controller, const Request &request);
/// Returns advice on the property to change so that an operation does not fail again; empty: no
/// property caused the failure.
QString remedyText(const Rules &rules, const Explanation &failure);

} // namespace instar
