// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"

namespace instar {

/// Property whose value was read differently than it was stored, though nothing else can have
/// changed it.
struct BodyViolation
{
    QString member;
    QJsonValue stored, seen;
    RecordedRequest request; ///< that stored it
    Observation evidence;    ///< shows that the value had been stored by then
    Observation observation; ///< shows another value
    bool sameEtag = false;   ///< `evidence` shows the stored value under the same etag
};

/// Returns the first read that no write explains, for operations sent as PUT or PATCH. After a
/// write has succeeded, reads must show its value or that of a write that may come later. A server
/// may omit a member, change it in the answer to the write itself, and change members that it owns
/// (Wire::owned, Transition::set).
std::optional<BodyViolation> bodyViolation(const History &history, const Rules &rules);

/// Returns true if the values differ in more than case, numbers written as texts, the order of
/// lists, or members added by the server.
bool isOtherValue(const QJsonValue &stored, const QJsonValue &seen);

} // namespace instar
