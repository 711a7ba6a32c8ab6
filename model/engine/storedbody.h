// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"

namespace instar {

/// A member of a resource's properties that was read otherwise than it was stored, though nothing
/// else can have changed it.
struct BodyViolation
{
    QString member;
    QJsonValue stored, seen;
    RecordedRequest request; ///< that stored it
    Observation evidence;    ///< it had been stored by then
    Observation observation; ///< that shows another value
    bool sameEtag = false;   ///< `evidence` shows the stored value under the same etag
};

/// The first read that no write explains, for operations that the pack speaks as PUT or PATCH:
/// after a write has succeeded, its value or that of a write which may come later is shown. A
/// server may leave a member out, write it otherwise in the answer to the write itself, and do what
/// it likes with members that the pack gives it (Wire::owned, Transition::set). Nothing: there is
/// none.
std::optional<BodyViolation> bodyViolation(const History &history, const Rules &rules);

/// Whether values differ by more than spelling: case, numbers as texts, order in lists, members
/// that a server adds.
bool isOtherValue(const QJsonValue &stored, const QJsonValue &seen);

} // namespace instar
